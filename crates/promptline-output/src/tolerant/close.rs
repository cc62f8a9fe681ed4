//! Whether a quote ends its string. In JSON it always does; in what models write it may be part of the
//! text. What follows decides: a comma and a key, a bracket, the end.

use super::Engine;
use super::chars::plain;
use super::look::{Found, Look};

/// Where a string or word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Root,
    Key,
    /// A value in an object: whether a list is open around it, whether the object is in one.
    Member {
        in_list: bool,
        of_list: bool,
        /// The object has no braces.
        braceless: bool,
    },
    /// In a list: whether an object is open around it, and whether it is in parentheses.
    Element {
        in_object: bool,
        tuple: bool,
    },
}

impl Place {
    pub(crate) fn is_list(self) -> bool {
        matches!(self, Self::Element { .. })
    }

    pub(crate) fn has_object(self) -> bool {
        matches!(self, Self::Member { .. } | Self::Key | Self::Element { in_object: true, .. })
    }

    pub(crate) fn has_list(self) -> bool {
        matches!(self, Self::Element { .. } | Self::Member { in_list: true, .. })
    }

    pub(crate) fn is_tuple(self) -> bool {
        matches!(self, Self::Element { tuple: true, .. })
    }

    pub(crate) fn is_braceless(self) -> bool {
        matches!(self, Self::Member { braceless: true, .. })
    }

    pub(crate) fn in_object_of_list(self) -> bool {
        matches!(self, Self::Member { of_list: true, .. })
    }
}

impl Engine {
    pub(super) fn place(&self) -> Place {
        match self.frames.last() {
            None => Place::Root,
            Some(frame) if frame.is_list() => Place::Element {
                in_object: self
                    .frames
                    .iter()
                    .any(|frame| !frame.is_list() || frame.bracket == Some('}')),
                tuple: frame.bracket == Some(')'),
            },
            Some(_) => Place::Member {
                in_list: self.frames.iter().any(super::Frame::is_list),
                of_list: self.parent_is_list(),
                braceless: self.is_braceless(),
            },
        }
    }
}

/// Whether a quote of so many bytes ends the string before it. `End`: the text ends first.
///
/// `first`: no other quote is in the string before it.
pub(crate) fn closes(look: &Look<'_>, place: Place, at: usize, width: usize, first: bool) -> Found {
    let behind = at + width;
    let mut next = look.escaped_blank(behind);
    if look.is_undecided(next) {
        return Found::End;
    }
    if look.comment(next).is_some() {
        next = look.blank_and_comment(next);
    }
    let Some(c) = look.char(next) else { return Found::End };
    let gap = look.slice(behind, next);
    let behind = Behind { look, place, at, first, c: plain(c), next, gap };
    match place {
        Place::Root if behind.c == '+' => behind.a_sum(),
        Place::Root => Found::No,
        Place::Key => behind.a_key(),
        Place::Member { .. } => behind.a_member(),
        Place::Element { .. } => behind.an_element(),
    }
}

fn yes_if(condition: bool) -> Found {
    if condition { Found::Yes } else { Found::No }
}

/// What is behind a quote.
struct Behind<'l, 't> {
    look: &'l Look<'t>,
    place: Place,
    /// The quote.
    at: usize,
    /// No other quote is in the string before it.
    first: bool,
    /// The next character, in its plain form, and where it is.
    c: char,
    next: usize,
    /// What is between.
    gap: &'l str,
}

impl Behind<'_, '_> {
    fn a_key(&self) -> Found {
        let apart = !self.gap.is_empty();
        match self.c {
            ':' | '=' | ',' | '}' => Found::Yes,
            '"' | '\'' | '“' => yes_if(apart || self.c != '"'),
            '{' | '[' | '-' | '0'..='9' => yes_if(apart),
            _ => yes_if(apart && self.look.literal(self.next)),
        }
    }

    fn a_member(&self) -> Found {
        let (look, next) = (self.look, self.next);
        match self.c {
            ',' => {
                let comma = look.char(next).map_or(1, char::len_utf8);
                let key = look.escaped_blank(next + comma);
                if look.is_undecided(key) {
                    return Found::End;
                }
                match look.char(key).map(plain) {
                    None => Found::End,
                    Some(',') => Found::Yes,
                    Some('}') => yes_if(!self.goes_on(key + 1)),
                    Some(']') => yes_if(self.place.has_list()),
                    Some('{') => yes_if(self.place.in_object_of_list()),
                    Some('.') => yes_if(look.starts(key, "...")),
                    Some('#') => yes_if(look.line_end(key) < look.end()),
                    _ if look.comment(key).is_some() => Found::Yes,
                    _ => look.key(key),
                }
            }
            '}' | ']' => self.a_bracket(),
            '`' => {
                yes_if(look.is_fence(next) || (!self.gap.is_empty() && look.starts(next, "```")))
            }
            '\\' => yes_if(matches!(look.byte(next + 1), Some(b',' | b'}' | b']'))),
            '+' => self.a_sum(),
            _ if self.place.is_braceless()
                && self.gap.contains('\n')
                && (look.listed(next).is_some() || self.gap.contains("\n\n")) =>
            {
                Found::Yes
            }
            _ => {
                // A comma may be missing, if a key follows.
                let quoted = matches!(self.c, '"' | '\'' | '“');
                if !quoted && !self.gap.contains('\n') {
                    return yes_if(self.first && !self.gap.is_empty() && look.bare_member(next));
                }
                match look.key(next) {
                    Found::Yes => Found::Yes,
                    Found::End if look.more => Found::End,
                    _ => Found::No,
                }
            }
        }
    }

    fn an_element(&self) -> Found {
        let (look, next) = (self.look, self.next);
        match self.c {
            ',' => {
                let comma = look.char(next).map_or(1, char::len_utf8);
                let element = look.escaped_blank(next + comma);
                if look.is_undecided(element) {
                    return Found::End;
                }
                match look.char(element).map(plain) {
                    None => Found::End,
                    Some(
                        '"' | '\'' | '“' | '‘' | '`' | '{' | '[' | ']' | '}' | ',' | '-' | '.',
                    ) => Found::Yes,
                    Some('(' | ')') => yes_if(self.place.is_tuple()),
                    Some('0'..='9') => Found::Yes,
                    _ if look.comment(element).is_some() => Found::Yes,
                    _ => match lone_word(look, element) {
                        // `"a", b", …`: the quote before `b` is missing.
                        Found::No if self.first => word_and_quote(look, element),
                        found => found,
                    },
                }
            }
            ':' => Found::Yes,
            '}' | ']' => self.a_bracket(),
            ')' => yes_if(self.place.is_tuple()),
            '{' | '[' => yes_if(!self.gap.is_empty()),
            '\\' => yes_if(matches!(look.byte(next + 1), Some(b',' | b'}' | b']'))),
            '`' => yes_if(look.is_fence(next)),
            '+' => self.a_sum(),
            '"' | '\'' | '“' => {
                if self.gap.contains('\n') {
                    return Found::Yes;
                }
                match look.stands_alone(next, self.first && !self.gap.is_empty()) {
                    Found::Yes => Found::Yes,
                    Found::End if look.more => Found::End,
                    _ => Found::No,
                }
            }
            _ if self.gap.contains('\n') => Found::Yes,
            // `"65" television`: an inch mark.
            _ if look.byte(self.at.saturating_sub(1)).is_some_and(|byte| byte.is_ascii_digit()) => {
                Found::No
            }
            '-' | '0'..='9' if !self.gap.is_empty() => lone_word(look, next),
            // `"a" b", …`: a comma and a quote are missing.
            c if self.first && !self.gap.is_empty() && c.is_alphanumeric() => {
                word_and_quote(look, next)
            }
            _ => Found::No,
        }
    }

    /// A bracket follows. It is the end, if something of its kind is open; one of another kind is taken for
    /// it, if the text around it goes on as if it were.
    fn a_bracket(&self) -> Found {
        let look = self.look;
        let behind = self.next + look.char(self.next).map_or(1, char::len_utf8);
        let is_open = match self.c {
            '}' => self.place.has_object(),
            _ => self.place.has_list(),
        };
        let is_innermost = (self.c == ']') == self.place.is_list();
        if is_open && is_innermost {
            return yes_if(!self.goes_on(behind));
        }
        if !is_open && !self.first {
            return Found::No;
        }
        // What it closes by its kind is not what is open: the text around it must say so.
        let next = look.blank(behind);
        match look.char(next).map(plain) {
            None => Found::End,
            Some(c) => {
                let own_line = is_open && look.slice(behind, next).contains('\n');
                yes_if(matches!(c, ',' | '}' | ']' | '`') || own_line || self.gap.contains('\n'))
            }
        }
    }

    /// `"if (a) { return "b"; }", "n": …`: the string goes on behind a bracket, since a quote is there.
    fn goes_on(&self, behind: usize) -> bool {
        let look = self.look;
        !self.first
            && look.byte(behind) == Some(b'"')
            && look.char(look.blank(behind + 1)).is_some_and(|c| matches!(plain(c), ',' | '}'))
    }

    /// `"a" + "b"`
    fn a_sum(&self) -> Found {
        let operand = self.look.blank(self.next + 1);
        match self.look.char(operand) {
            None => Found::End,
            Some(c) => yes_if(self.first && matches!(c, '"' | '\'')),
        }
    }
}

/// A word that a comma or bracket ends, with no quote before.
fn lone_word(look: &Look<'_>, from: usize) -> Found {
    word(look, from, |c| matches!(plain(c), ',' | ']'))
}

/// A word that a quote ends which in turn a comma or bracket follows.
fn word_and_quote(look: &Look<'_>, from: usize) -> Found {
    let mut i = from;
    while let Some(c) = look.char(i) {
        if c == '"' {
            let next = look.blank(i + 1);
            look.count(i - from);
            return yes_if(look.char(next).is_some_and(|c| matches!(plain(c), ',' | ']')));
        }
        if !super::chars::is_name(c) || i - from > 64 {
            break;
        }
        i += c.len_utf8();
    }
    Found::No
}

fn word(look: &Look<'_>, from: usize, ends: impl Fn(char) -> bool) -> Found {
    let mut i = from;
    while let Some(c) = look.char(i) {
        if ends(c) {
            look.count(i - from);
            return Found::Yes;
        }
        if matches!(c, '"' | '\n') || i - from > 128 {
            look.count(i - from);
            return Found::No;
        }
        i += c.len_utf8();
    }
    look.count(i - from);
    Found::End
}
