//! Looks for what may be at a place: a key and its colon, a member, a string by itself.

use super::chars::{is_name, plain};
use super::look::{FAR, Found, Look, NAME};

impl Look<'_> {
    /// Whether a colon is next, one that is no part of an address.
    fn colon(&self, at: usize) -> Found {
        let at = self.blank(at);
        match self.char(at) {
            None => Found::End,
            Some(c) if plain(c) == ':' && !self.starts(at, "://") => Found::Yes,
            Some('=') if self.starts(at, "=>") => Found::Yes,
            Some(_) => Found::No,
        }
    }

    /// Whether a key with its colon begins here. `End`: what is left of the text could be one.
    pub(crate) fn key(&self, at: usize) -> Found {
        let Some(c) = self.char(at) else { return Found::End };
        if let Some((start, close)) = self.quoted(at) {
            let Some(close) = close else {
                if self.more {
                    return Found::End;
                }
                let like = |c: char| is_name(c) || c == ' ';
                let rest = self.slice(start, self.end());
                return if rest.len() <= NAME && rest.chars().all(like) {
                    Found::End
                } else {
                    Found::No
                };
            };
            let name = self.slice(start, close);
            if name.starts_with([',', ':', '}', ']']) || name.contains('\n') {
                // It reads like what is between two strings; a key of that kind is very rare.
                return if self.is_odd_key(start, close) { Found::Yes } else { Found::No };
            }
            let quote = self.char(close).map_or(1, char::len_utf8);
            return self.colon(close + quote);
        }
        if !(c.is_alphanumeric() || matches!(c, '_' | '$')) {
            return Found::No;
        }
        self.bare_key(at)
    }

    /// A key like `":"`: its colon is right behind the quote, and a value behind that.
    fn is_odd_key(&self, start: usize, close: usize) -> bool {
        self.byte(close + 1) == Some(b':')
            && close - start < NAME
            && matches!(
                self.byte(self.blank(close + 2)),
                Some(b'"' | b'{' | b'[' | b't' | b'f' | b'n' | b'-' | b'0'..=b'9')
            )
            && !self.slice(start, close).contains('"')
    }

    /// Whether a name without quotes and its colon begin here.
    pub(crate) fn bare_key(&self, at: usize) -> Found {
        let mut i = at;
        while let Some(c) = self.char(i) {
            if !is_name(c) || i - at > NAME {
                break;
            }
            i += c.len_utf8();
        }
        self.count(i - at);
        if i == at || i - at > NAME {
            return Found::No;
        }
        // `key": …`: the opening quote is missing.
        if self.byte(i) == Some(b'"') {
            i += 1;
        }
        self.colon(i)
    }

    /// Whether a key begins here that is more than a name, or has another sign than a colon:
    /// `first name: …`, `name = …`.
    pub(crate) fn odd_key(&self, at: usize) -> bool {
        let mut i = at;
        let mut words = 1;
        while let Some(c) = self.char(i).filter(|c| is_name(*c) || *c == ' ') {
            if i - at > NAME {
                break;
            }
            words += usize::from(c == ' ' && self.char(i + 1).is_some_and(is_name));
            i += c.len_utf8();
        }
        self.count(i - at);
        let sign = self.char(i).map(plain);
        words <= 4
            && (sign == Some(':') && !self.starts(i, "://")
                || sign == Some('=') && self.byte(i + 1) != Some(b'='))
    }

    /// Whether a member whose key has no quotes begins here: `name: "…`.
    pub(crate) fn bare_member(&self, at: usize) -> bool {
        if self.bare_key(at) != Found::Yes {
            return false;
        }
        let mut colon = at;
        while self.char(colon).is_some_and(|c| plain(c) != ':') {
            colon += self.char(colon).map_or(1, char::len_utf8);
        }
        self.value(self.blank(colon + self.char(colon).map_or(1, char::len_utf8)))
    }

    /// Whether a comma and a member in quotes follow: `, "key": …`.
    pub(crate) fn member_follows(&self, at: usize) -> bool {
        let comma = self.blank(at);
        if self.byte(comma) != Some(b',') {
            return false;
        }
        let key = self.blank(comma + 1);
        let Some((_, Some(close))) = self.quoted(key).filter(|_| self.byte(key) == Some(b'"'))
        else {
            return false;
        };
        let colon = self.blank(close + 1);
        self.byte(colon) == Some(b':') && self.value(self.blank(colon + 1))
    }

    /// Where the key begins in a member of a list of Markdown: `- name: …`, `**Name:** …`.
    pub(crate) fn listed(&self, at: usize) -> Option<usize> {
        let mut key = at;
        let digits = |at: usize| self.byte(at).is_some_and(|byte| byte.is_ascii_digit());
        let mut number = at;
        while digits(number) && number - at < 4 {
            number += 1;
        }
        let is_number = number > at && matches!(self.byte(number), Some(b'.' | b')'));
        let bullet = self.char(at).filter(|c| matches!(c, '-' | '*' | '+' | '•'));
        let mark = if is_number { number + 1 } else { at + bullet.map_or(0, char::len_utf8) };
        if mark > at && matches!(self.byte(mark), Some(b' ' | b'\t')) {
            key = self.blank(mark);
        }
        let bold = self.starts(key, "**");
        if bold {
            key += 2;
        }
        if key == at {
            return None;
        }
        if self.key(key) == Found::Yes {
            return Some(key);
        }
        let mut colon = key;
        let mut words = 1;
        while let Some(c) = self.char(colon).filter(|c| is_name(*c) || *c == ' ') {
            words += usize::from(c == ' ');
            colon += c.len_utf8();
            if colon - key > NAME {
                return None;
            }
        }
        self.count(colon - key);
        if bold && self.starts(colon, "**") {
            colon += 2;
        }
        let is_colon = self.char(self.blank(colon)).is_some_and(|c| plain(c) == ':');
        (is_colon && words <= 4 && !self.starts(colon, "://")).then_some(key)
    }

    /// The end of a link of Markdown that begins here: `[text](address)`.
    pub(crate) fn link(&self, at: usize) -> Option<usize> {
        let rest = self.slice(at, self.end());
        let rest = rest.get(..rest.floor_char_boundary(FAR))?;
        let close = rest.find([']', '\n', '"', '{'])?;
        let address = rest.get(close..)?.strip_prefix("](")?;
        self.count(close);
        let end = address.find([')', '\n', '"', ' '])?;
        let is_address = address.starts_with("http") || address.starts_with(['/', '#', '.', 'w']);
        (is_address && address.get(end..)?.starts_with(')')).then(|| at + close + 2 + end + 1)
    }

    /// Whether a literal begins here.
    pub(crate) fn literal(&self, at: usize) -> bool {
        ["true", "false", "null"].iter().any(|literal| self.starts(at, literal))
    }

    /// Whether a value seems to begin here, one that is no word.
    fn value(&self, at: usize) -> bool {
        let sign = |c: char| matches!(plain(c), '"' | '\'' | '{' | '[' | '-') || c.is_ascii_digit();
        self.literal(at) || self.char(at).is_some_and(sign)
    }

    /// The next bracket that closes something which is open here, if it is near.
    pub(crate) fn closer(&self, at: usize) -> Option<char> {
        let bytes = self.text.as_bytes().get(at..)?;
        let (mut open, mut quoted, mut escaped) = (0_usize, false, false);
        for byte in bytes.iter().take(FAR) {
            self.count(1);
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => quoted = !quoted,
                _ if quoted => {}
                b'{' | b'[' => open += 1,
                b'}' | b']' if open == 0 => return Some(char::from(*byte)),
                b'}' | b']' => open -= 1,
                _ => {}
            }
        }
        None
    }

    /// Whether the string that is quoted here is by itself: a comma, a bracket or another string
    /// follows.
    ///
    /// `in_row`: another string may follow without a comma.
    pub(crate) fn stands_alone(&self, at: usize, in_row: bool) -> Found {
        let Some((_, close)) = self.quoted(at) else { return Found::No };
        let Some(close) = close else {
            return if self.more { Found::End } else { Found::No };
        };
        let quote = self.char(close).map_or(1, char::len_utf8);
        let next = self.blank(close + quote);
        match self.char(next) {
            None => Found::End,
            Some(c) if matches!(plain(c), ',' | ']') => Found::Yes,
            Some('"' | '\'') => match in_row && next > close + quote {
                true => Found::Yes,
                false => Found::No,
            },
            Some(_) => Found::No,
        }
    }

    /// The string that is added to the one which ends here: `"a" + "b"`.
    pub(crate) fn operand(&self, at: usize) -> Option<usize> {
        let plus = self.blank(at);
        if self.byte(plus) != Some(b'+') {
            return None;
        }
        let operand = self.blank(plus + 1);
        matches!(self.byte(operand), Some(b'"' | b'\'')).then_some(operand)
    }
}
