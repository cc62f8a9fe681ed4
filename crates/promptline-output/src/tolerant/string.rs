//! Strings: quotes of every kind, escapes, raw line breaks, quotes inside, and strings that never end.

use serde_json::Value;

use super::block::{is_doubled, is_triple};
use super::chars::{Quote, is_name, plain};
use super::close::{Place, closes};
use super::look::{Found, Look};
use super::{Engine, State, Step};
use crate::repair::{Inside, RepairKind, Risk, Truncated};

/// A string that is being read.
#[derive(Debug, Clone)]
pub(crate) struct Open {
    pub(crate) is_key: bool,
    pub(super) quote: Quote,
    /// Where the quote is, and where the text behind it begins.
    pub(super) token: usize,
    pub(crate) start: usize,
    /// The text so far, up to `raw_from`.
    pub(crate) buffer: String,
    pub(super) raw_from: usize,
    /// Up to where it has been looked at.
    pub(super) at: usize,
    pub(super) inner_quotes: usize,
    /// JSON that is in the string without escapes.
    embedded: Option<Embedded>,
    controls: bool,
}

impl Open {
    /// The string that begins here, if a quote does.
    pub(crate) fn at(look: &Look<'_>, at: usize, is_key: bool) -> Option<Self> {
        let c = look.char(at)?;
        let (quote, width) = match c {
            '"' | '\'' | '`' if !is_key && is_triple(look, at, c) => (Quote::Run(c as u8, 3), 3),
            '"' | '\'' if is_doubled(look, at, c) => (Quote::Run(c as u8, 2), 2),
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
            embedded: None,
            controls: false,
        })
    }

    /// The text so far, taken out of the buffer; it is to be given back.
    pub(crate) fn so_far(&mut self, look: &Look<'_>) -> String {
        self.flush(look, self.at.max(self.raw_from));
        std::mem::take(&mut self.buffer)
    }

    pub(super) fn flush(&mut self, look: &Look<'_>, to: usize) {
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
            Quote::Run(..) => None,
        };
        let run = rest.get(..found.unwrap_or(rest.len()))?;
        self.controls |= run.iter().fold(false, |any, &byte| any | (byte < 0x20));
        look.count(run.len());
        self.at += run.len();
        found.map(|_| self.at)
    }
}

/// JSON in a string, whose quotes are not escaped: `"the answer is {"a": "b"}, I think"`. No quote in it
/// ends the string.
#[derive(Debug, Clone)]
struct Embedded {
    /// Up to where its brackets are counted.
    counted: usize,
    open: usize,
}

impl Embedded {
    /// The JSON whose first string begins with the quote at a place.
    fn before(look: &Look<'_>, start: usize, quote: usize) -> Option<Self> {
        const GAP: usize = 4;
        let from = quote.saturating_sub(GAP).max(start);
        let before = look.text.as_bytes().get(from..quote)?;
        let bracket = before.iter().rposition(|byte| *byte != b' ')?;
        let is_open = matches!(before.get(bracket), Some(b'{' | b'['));
        let is_string = look.quoted(quote).is_some_and(|(_, close)| close.is_some());
        (is_open && is_string).then_some(Self { counted: from + bracket, open: 0 })
    }

    /// Whether it goes on at a place.
    fn is_open(&mut self, look: &Look<'_>, at: usize) -> bool {
        for byte in look.slice(self.counted, at).bytes() {
            match byte {
                b'{' | b'[' => self.open += 1,
                b'}' | b']' => self.open = self.open.saturating_sub(1),
                _ => {}
            }
        }
        look.count(at - self.counted);
        self.counted = at;
        self.open > 0
    }
}

impl Engine {
    pub(super) fn in_string(&mut self, look: &Look<'_>) -> Step {
        let State::String(mut open) = std::mem::replace(&mut self.state, State::Done) else {
            return Step::Go;
        };
        if let Quote::Run(mark, count) = open.quote {
            return self.in_block(look, open, mark, count);
        }
        let place = if open.is_key { Place::Key } else { self.place() };
        loop {
            let Some(at) = open.next_special(look) else {
                let end =
                    if look.more { None } else { wrong_quote(look, &open, place, look.end()) };
                if let Some((at, width)) = end {
                    self.end_at_wrong_quote(look, *open, at, width);
                    return Step::Go;
                }
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
            let is_inside = self.known.is_none()
                && open.embedded.as_mut().is_some_and(|json| json.is_open(look, at));
            if is_inside || !open.quote.is_closed_by(c) {
                open.at = at + width;
                continue;
            }
            let is_value = matches!(place, Place::Member { .. });
            let by_key = is_value.then(|| self.ends_by_key(look, at + width)).flatten();
            let ends =
                by_key.unwrap_or_else(|| closes(look, place, at, width, open.inner_quotes == 0));
            if by_key == Some(Found::No) {
                open.inner_quotes += 1;
                open.at = at + width;
                continue;
            }
            match ends {
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
            if open.inner_quotes == 0
                && let Some((at, width)) = wrong_quote(look, &open, place, at)
            {
                self.end_at_wrong_quote(look, *open, at, width);
                return Step::Go;
            }
            if let Some(end) = self.forgotten(look, &open, place, at) {
                self.end_at_forgotten_quote(look, *open, end);
                return Step::Go;
            }
            open.inner_quotes += 1;
            if open.embedded.is_none() && !open.is_key {
                open.embedded = Embedded::before(look, open.start, at);
            }
            open.at = at + width;
        }
    }

    /// The quote that closes the string is of another kind than the one that opened it.
    fn end_at_wrong_quote(&mut self, look: &Look<'_>, open: Open, at: usize, width: usize) {
        self.repair(look, RepairKind::Quote, at, at + width, "\"", Risk::Guess);
        if open.quote == Quote::Double
            && open.inner_quotes == 0
            && !look.slice(at + width, look.end()).contains('"')
        {
            // It may as well be a part of a string that was cut off.
            let inside = if open.is_key { Inside::Key } else { Inside::String };
            self.truncated = Some(Truncated { path: self.path(), inside, at: look.end() });
        }
        self.end_string(look, open, at, width);
    }

    /// The string ends before `end`, where its quote is missing; or an escape has eaten it.
    fn end_at_forgotten_quote(&mut self, look: &Look<'_>, mut open: Open, end: usize) {
        if open.raw_from == end && look.slice(open.start, end).ends_with("\\\"") {
            // `"C:\"`: the last backslash is itself.
            open.buffer.pop();
            open.buffer.push('\\');
            self.repair(look, RepairKind::Escape, end - 2, end - 1, "\\\\", Risk::Guess);
            self.end_string(look, open, end, 0);
            return;
        }
        self.repair(look, RepairKind::MissingClosingQuote, end, end, "\"", Risk::Guess);
        self.end_string(look, open, end, 0);
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
        // They may be behind the end that was found.
        let controls = open.controls && look.slice(open.start, at).bytes().any(|byte| byte < 0x20);
        if controls {
            self.repair(
                look,
                RepairKind::RawControl,
                open.token,
                end,
                &open.buffer,
                Risk::Lossless,
            );
            let written = look.slice(open.start, at).trim_end_matches([' ', '\t']);
            // Code ends with a line break of its own: several lines with quotes in them, in no fence.
            let lines = memchr::memchr_iter(b'\n', written.as_bytes()).take(2).count();
            let has_lines = lines > 1 || self.known.is_some();
            let is_code = has_lines && open.inner_quotes > 0 && !written.contains("```");
            if !open.is_key && !is_code && written.ends_with('\n') && !self.frames.is_empty() {
                // A line break before the closing quote is how the answer is laid out.
                let kept = open.buffer.trim_end().len();
                open.buffer.truncate(kept);
                self.repair(look, RepairKind::LayoutInString, at, at, "", Risk::Guess);
            }
        }
        let text = std::mem::take(&mut open.buffer);
        if !open.is_key
            && let Some(mut operand) = look.operand(end).and_then(|at| Open::at(look, at, false))
        {
            let Open { token, start, .. } = operand;
            self.repair(look, RepairKind::Sum, end, token, "", Risk::Guess);
            operand.buffer = text;
            self.pos = start;
            self.state = State::String(Box::new(operand));
            return;
        }
        self.take_string(open.is_key, text);
    }

    pub(super) fn take_string(&mut self, is_key: bool, text: String) {
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
            // `"a: 1, "b": 2`, `"a="b"`
            Place::Key if from == open.start => {
                let name =
                    before.split([':', '=']).next().filter(|name| name.len() < before.len())?;
                let is_key =
                    !name.trim().is_empty() && name.chars().all(|c| is_name(c) || c == ' ');
                is_key.then(|| from + name.trim_end().len())
            }
            _ => None,
        }
    }
}

/// A quote of another kind that closes the string: the first one in it, if what follows says so.
fn wrong_quote(look: &Look<'_>, open: &Open, place: Place, to: usize) -> Option<(usize, usize)> {
    const WINDOW: usize = 256;
    // Where the opening quote is no closing one, what was searched for it would be searched again.
    let is_symmetric = look.char(open.token).is_some_and(|c| open.quote.is_closed_by(c));
    if !is_symmetric {
        return None;
    }
    let mut end = to.min(open.raw_from.saturating_add(WINDOW));
    while !look.text.is_char_boundary(end) {
        end -= 1;
    }
    let text = look.slice(open.raw_from, end);
    look.count(text.len());
    let (at, c) = text.char_indices().find(|(_, c)| {
        let closing = Quote::opened_by(*c).is_some() || matches!(c, '」' | '』');
        closing && !open.quote.is_closed_by(*c)
    })?;
    let (at, width) = (open.raw_from + at, c.len_utf8());
    if closes(look, place, at, width, true) != Found::Yes {
        return None;
    }
    let next = look.char(look.blank(at + width)).map(plain);
    let sure = match place {
        Place::Key => next == Some(':'),
        // At the end of the text it may as well be a part of a string that was cut off.
        _ if open.quote == Quote::Double && to == look.end() => look
            .slice(at + width, to)
            .chars()
            .all(|c| c.is_whitespace() || matches!(plain(c), '}' | ']')),
        _ => true,
    };
    sure.then_some((at, width))
}
