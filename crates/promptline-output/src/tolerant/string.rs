//! Strings: quotes of every kind, escapes, raw line breaks, quotes inside, and strings that never end.

use serde_json::Value;

use super::chars::{Quote, is_name, plain};
use super::close::{Place, closes};
use super::look::{Found, Look};
use super::{Engine, State, Step};
use crate::repair::{Inside, RepairKind, Risk};

/// A string that is being read.
#[derive(Debug, Clone)]
pub(crate) struct Open {
    pub(crate) is_key: bool,
    quote: Quote,
    /// Where the quote is, and where the text behind it begins.
    token: usize,
    pub(crate) start: usize,
    /// The text so far, up to `raw_from`.
    pub(crate) buffer: String,
    raw_from: usize,
    /// Up to where it has been looked at.
    at: usize,
    inner_quotes: usize,
    controls: bool,
}

/// How an escape goes on.
enum Escape {
    /// So many bytes are this character.
    Is(usize, char),
    /// The same, and JSON does not know it.
    Odd(usize, char, Risk),
    /// The backslash is a backslash.
    Literal,
    /// The text ends in it.
    Cut,
}

impl Open {
    /// The string that begins here, if a quote does.
    pub(crate) fn at(look: &Look<'_>, at: usize, is_key: bool) -> Option<Self> {
        let c = look.char(at)?;
        let (quote, width) = match c {
            '"' | '\'' | '`' if !is_key && is_triple(look, at, c) => (Quote::Triple(c as u8), 3),
            c => (Quote::opened_by(c)?, c.len_utf8()),
        };
        let start = at + width;
        Some(Self {
            is_key,
            quote,
            token: at,
            start,
            buffer: String::new(),
            raw_from: start,
            at: start,
            inner_quotes: 0,
            controls: false,
        })
    }

    /// The text so far, taken out of the buffer; it is to be given back.
    pub(crate) fn so_far(&mut self, look: &Look<'_>) -> String {
        self.flush(look, self.at.max(self.raw_from));
        std::mem::take(&mut self.buffer)
    }

    fn flush(&mut self, look: &Look<'_>, to: usize) {
        self.buffer.push_str(look.slice(self.raw_from, to));
        self.raw_from = to;
    }

    /// The next place that needs a closer look.
    fn next_special(&mut self, look: &Look<'_>) -> Option<usize> {
        let rest = look.text.as_bytes().get(self.at..)?;
        let found = match self.quote {
            Quote::Double => memchr::memchr2(b'"', b'\\', rest),
            Quote::Single => memchr::memchr2(b'\'', b'\\', rest),
            Quote::Back => memchr::memchr3(b'`', b'\\', 0xc2, rest),
            Quote::SmartDouble => memchr::memchr3(b'"', b'\\', 0xe2, rest),
            Quote::SmartSingle => {
                rest.iter().position(|b| matches!(b, b'\'' | b'\\' | 0xe2 | 0xc2))
            }
            Quote::FullDouble | Quote::FullSingle => memchr::memchr2(0xef, b'\\', rest),
            Quote::Corner => memchr::memchr2(0xe3, b'\\', rest),
            Quote::Triple(_) => None,
        };
        let run = rest.get(..found.unwrap_or(rest.len()))?;
        self.controls |= run.iter().fold(false, |any, &byte| any | (byte < 0x20));
        look.count(run.len());
        self.at += run.len();
        found.map(|_| self.at)
    }
}

/// Three straight quotes, of one byte each.
fn is_triple(look: &Look<'_>, at: usize, c: char) -> bool {
    (0..3).all(|n| look.char(at + n) == Some(c))
}

impl Engine {
    pub(super) fn in_string(&mut self, look: &Look<'_>) -> Step {
        let State::String(mut open) = std::mem::replace(&mut self.state, State::Done) else {
            return Step::Go;
        };
        if let Quote::Triple(mark) = open.quote {
            return self.in_triple(look, open, mark);
        }
        let place = if open.is_key { Place::Key } else { self.place() };
        loop {
            let Some(at) = open.next_special(look) else {
                self.pos = look.end();
                self.state = State::String(open);
                return if look.more { Step::Wait } else { Step::End };
            };
            let Some(c) = look.char(at) else {
                open.at = at + 1;
                continue;
            };
            if c == '\\' {
                if !self.escape(look, &mut open, at) {
                    self.pos = at;
                    self.state = State::String(open);
                    return if look.more { Step::Wait } else { Step::End };
                }
                continue;
            }
            let width = c.len_utf8();
            if !open.quote.is_closed_by(c) {
                open.at = at + width;
                continue;
            }
            match closes(look, place, at, width, open.inner_quotes == 0) {
                Found::End if look.more => {
                    self.pos = at;
                    self.state = State::String(open);
                    return Step::Wait;
                }
                Found::Yes | Found::End => {
                    self.end_string(look, *open, at, width);
                    return Step::Go;
                }
                Found::No => {}
            }
            if let Some(end) = self.forgotten(look, &open, place, at) {
                self.repair(look, RepairKind::MissingClosingQuote, end, end, "\"", Risk::Guess);
                self.end_string(look, *open, end, 0);
                return Step::Go;
            }
            open.inner_quotes += 1;
            open.at = at + width;
        }
    }

    /// The string ends before `at`.
    fn end_string(&mut self, look: &Look<'_>, mut open: Open, at: usize, width: usize) {
        open.flush(look, at);
        let end = at + width;
        self.pos = end;
        let straight = open.quote == Quote::Double;
        let closed_straight = width != 1 || look.byte(at) == Some(b'"');
        if !straight || !closed_straight {
            self.repair(look, RepairKind::Quote, open.token, end, "\"", Risk::Lossless);
        }
        if open.inner_quotes > 0 {
            self.repair(look, RepairKind::InnerQuote, open.token, end, &open.buffer, Risk::Guess);
        }
        if open.controls {
            self.repair(
                look,
                RepairKind::RawControl,
                open.token,
                end,
                &open.buffer,
                Risk::Lossless,
            );
            let written = look.slice(open.start, at).trim_end_matches([' ', '\t']);
            if !open.is_key && written.ends_with('\n') && !self.frames.is_empty() {
                // A line break before the closing quote is how the answer is laid out.
                let kept = open.buffer.trim_end().len();
                open.buffer.truncate(kept);
                self.repair(look, RepairKind::LayoutInString, at, at, "", Risk::Guess);
            }
        }
        let text = std::mem::take(&mut open.buffer);
        self.take_string(open.is_key, text);
    }

    fn take_string(&mut self, is_key: bool, text: String) {
        if is_key {
            if let Some(frame) = self.frames.last_mut() {
                frame.key = Some(text);
            }
            self.state = State::Colon;
        } else {
            self.put(Value::String(text));
        }
    }

    /// Where a string ended whose closing quote was forgotten, when a quote inside of it opens what
    /// follows: `"New York, "gender": …`, `"first, b: "second"`.
    fn forgotten(&self, look: &Look<'_>, open: &Open, place: Place, at: usize) -> Option<usize> {
        const WINDOW: usize = 128;
        let mut from = at.saturating_sub(WINDOW).max(open.raw_from);
        while !look.text.is_char_boundary(from) {
            from += 1;
        }
        let before = look.slice(from, at);
        look.count(before.len());
        let trimmed = before.trim_end();
        let gap = before.get(trimmed.len()..).unwrap_or_default();
        let comma = trimmed.strip_suffix([',', '，']);
        match place {
            Place::Member { .. } => {
                if (comma.is_some() || gap.contains('\n')) && look.key(at) == Found::Yes {
                    return Some(from + comma.unwrap_or(trimmed).len());
                }
                let name_end = trimmed.strip_suffix([':', '：'])?.trim_end();
                let head = name_end.trim_end_matches(is_name);
                if head.len() == name_end.len() {
                    return None;
                }
                let before_name = head.trim_end();
                before_name.strip_suffix([',', '，']).map(|rest| from + rest.len())
            }
            Place::Element { .. } => {
                let comma = comma?;
                gap.contains('\n').then_some(from + comma.len())
            }
            _ => None,
        }
    }

    /// Reads an escape; false: the text ends in it.
    fn escape(&mut self, look: &Look<'_>, open: &mut Open, at: usize) -> bool {
        let (width, c) = match escape_at(look, at) {
            Escape::Cut => {
                open.at = at;
                return false;
            }
            Escape::Literal => {
                let next = look.char(at + 1).map_or(0, char::len_utf8);
                self.repair(look, RepairKind::Escape, at, at + 1 + next, "\\\\", Risk::Guess);
                open.at = at + 1;
                return true;
            }
            Escape::Is(width, c) => (width, c),
            Escape::Odd(width, c, risk) => {
                let mut text = [0; 4];
                let text = c.encode_utf8(&mut text);
                self.repair(look, RepairKind::Escape, at, at + width, text, risk);
                (width, c)
            }
        };
        open.flush(look, at);
        open.buffer.push(c);
        open.raw_from = at + width;
        open.at = open.raw_from;
        true
    }

    fn in_triple(&mut self, look: &Look<'_>, mut open: Box<Open>, mark: u8) -> Step {
        let mark = char::from(mark).to_string().repeat(3);
        let rest = look.text.as_bytes().get(open.at..).unwrap_or_default();
        let found = memchr::memmem::find(rest, mark.as_bytes());
        look.count(found.unwrap_or(rest.len()) + 3);
        let Some(found) = found else {
            // The mark itself may be cut.
            open.at = look.end().saturating_sub(2).max(open.start);
            while !look.text.is_char_boundary(open.at) {
                open.at -= 1;
            }
            self.pos = open.at;
            self.state = State::String(open);
            return if look.more { Step::Wait } else { Step::End };
        };
        let end = open.at + found;
        let text = block(look.slice(open.start, end), mark.starts_with('`'));
        self.repair(look, RepairKind::Quote, open.token, end + 3, &text, Risk::Lossless);
        self.pos = end + 3;
        self.take_string(open.is_key, text);
        Step::Go
    }

    /// The text ends, and the string has not. Gives whether a code fence ended it.
    pub(super) fn unclosed(
        &mut self,
        look: &Look<'_>,
        mut open: Open,
        inside: &mut Inside,
        last: &mut Option<Value>,
    ) -> bool {
        if open.is_key {
            *inside = Inside::Key;
            return false;
        }
        *inside = Inside::String;
        let mut end = match open.quote {
            Quote::Triple(_) => look.end(),
            // An escape that is cut is left out.
            _ => open.at.max(open.raw_from),
        };
        let mut by_fence = false;
        if self.fenced {
            let rest = look.slice(open.raw_from, end);
            if let Some(at) = rest.find("\n```") {
                end = open.raw_from + at;
                by_fence = true;
            }
        }
        let kept = self.without_brackets(look, open.raw_from, end);
        if kept < end {
            self.repair(look, RepairKind::MissingClosingQuote, kept, kept, "\"", Risk::Guess);
            end = kept;
        }
        if open.inner_quotes > 0 {
            self.repair(look, RepairKind::InnerQuote, open.token, end, "", Risk::Guess);
        }
        open.flush(look, end);
        let text = match open.quote {
            Quote::Triple(mark) => block(&open.buffer, mark == b'`'),
            _ => open.buffer,
        };
        *last = Some(Value::String(text));
        by_fence
    }

    /// Where a string ends at the latest when brackets stand behind it that close what is open.
    fn without_brackets(&self, look: &Look<'_>, from: usize, end: usize) -> usize {
        let mut text = look.slice(from, end).trim_end();
        // From the end of the text inwards: the last bracket closes the outermost container.
        let mut closers = 0;
        for frame in self.frames.iter().filter(|frame| !frame.implied) {
            let bracket = if frame.is_list() { ']' } else { '}' };
            match text.strip_suffix(|c| plain(c) == bracket) {
                Some(rest) => {
                    text = rest.trim_end();
                    closers += 1;
                }
                None => break,
            }
        }
        if closers == 0 {
            return end;
        }
        from + text.len()
    }
}

fn escape_at(look: &Look<'_>, at: usize) -> Escape {
    let Some(c) = look.char(at + 1) else { return Escape::Cut };
    match c {
        '"' | '\\' | '/' => Escape::Is(2, c),
        'n' => Escape::Is(2, '\n'),
        't' => Escape::Is(2, '\t'),
        'r' => Escape::Is(2, '\r'),
        'b' => Escape::Is(2, '\u{8}'),
        'f' => Escape::Is(2, '\u{c}'),
        'u' => unicode(look, at),
        '\'' | '`' | '\n' => Escape::Odd(2, c, Risk::Lossless),
        'x' => match hex(look, at + 2, 2) {
            Some(code) => {
                char::from_u32(code).map_or(Escape::Literal, |c| Escape::Odd(4, c, Risk::Lossless))
            }
            None => Escape::Literal,
        },
        _ => Escape::Literal,
    }
}

fn hex(look: &Look<'_>, at: usize, digits: usize) -> Option<u32> {
    let text = look.slice(at, at + digits);
    let right = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    right.then(|| u32::from_str_radix(text, 16).ok())?
}

fn unicode(look: &Look<'_>, at: usize) -> Escape {
    let Some(code) = hex(look, at + 2, 4) else {
        let rest = look.slice(at + 2, look.end());
        let cut = rest.len() < 4 && rest.bytes().all(|byte| byte.is_ascii_hexdigit());
        return if cut { Escape::Cut } else { Escape::Literal };
    };
    if let Some(c) = char::from_u32(code) {
        return Escape::Is(6, c);
    }
    if (0xd800..0xdc00).contains(&code) {
        let behind = look.slice(at + 6, look.end());
        if behind.len() < 6 && ("\\u".starts_with(behind) || behind.starts_with("\\u")) {
            return Escape::Cut;
        }
        if behind.starts_with("\\u")
            && let Some(low) = hex(look, at + 8, 4)
            && (0xdc00..0xe000).contains(&low)
        {
            let code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
            if let Some(c) = char::from_u32(code) {
                return Escape::Is(12, c);
            }
        }
    }
    Escape::Odd(6, '\u{fffd}', Risk::Lossy)
}

/// The text of a block in three quotes: without the lines of the quotes and what all its lines are
/// indented by. Behind backticks the rest of the line says what language it is.
fn block(text: &str, code: bool) -> String {
    let text = match text.split_once('\n') {
        Some((first, rest)) if code || first.trim().is_empty() => rest,
        _ => text,
    };
    if !text.contains('\n') {
        return text.trim_end_matches('\n').to_owned();
    }
    let text = text.trim_end();
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let indent = lines().map(|line| line.len() - line.trim_start_matches([' ', '\t']).len()).min();
    let indent = indent.unwrap_or(0);
    let mut dedented = String::with_capacity(text.len());
    for (at, line) in text.lines().enumerate() {
        if at > 0 {
            dedented.push('\n');
        }
        if !line.trim().is_empty() {
            dedented.push_str(line.get(indent..).unwrap_or(""));
        }
    }
    dedented
}
