//! Where in an answer the JSON is. One pass from left to right gives every place that could be it, each read
//! as far as it goes: bodies of code fences, objects and lists in prose, one that is cut off at the end. What
//! they are worth is decided elsewhere.

use serde_json::Value;

use crate::limits::Limits;
use crate::reasoning::{self, Answer};
use crate::repair::{Duplicate, Log, Repair, RepairKind, Risk, Span, Truncated, short};
use crate::strict;
use crate::tolerant::{Engine, Found, Look, plain};

/// Something that could be the answer.
#[derive(Debug)]
pub(crate) struct Candidate {
    pub(crate) value: Value,
    pub(crate) log: Log,
    pub(crate) truncated: Option<Truncated>,
    pub(crate) span: Span,
    /// It stands in a code fence or between `<json>` tags.
    pub(crate) marked: bool,
    /// It has keys with colons, or is a list.
    pub(crate) structured: bool,
    /// It is the text of the answer itself, as a string.
    pub(crate) is_text: bool,
}

impl Candidate {
    fn strict(value: Value, span: Span, marked: bool) -> Self {
        let structured = match &value {
            Value::Object(object) => !object.is_empty(),
            Value::Array(_) => true,
            _ => false,
        };
        Self { value, log: Log::new(16), truncated: None, span, marked, structured, is_text: false }
    }

    /// The answer itself.
    pub(crate) fn text(text: &str, span: Span) -> Self {
        Self {
            is_text: true,
            structured: false,
            ..Self::strict(Value::String(text.to_owned()), span, false)
        }
    }
}

/// What is in an answer.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    pub(crate) candidates: Vec<Candidate>,
    /// Nothing but commas, blanks and comments stands around the candidates.
    pub(crate) only_values: bool,
    /// Thinking that has no end.
    pub(crate) thinking: bool,
    /// Where the answer begins.
    pub(crate) from: usize,
    /// The answer ends in a value of which there is nothing yet.
    pub(crate) cut: Option<Truncated>,
    /// Candidates were left out, since the work was used up.
    pub(crate) exhausted: bool,
}

/// Reads everything in a text that could be JSON.
pub(crate) fn read(look: &Look<'_>, limits: &Limits) -> Reading {
    let start = look.blank(0);
    let text = look.slice(start, look.end()).trim_end();
    let mut reading = Reading { from: start, only_values: true, ..Reading::default() };
    if text.is_empty() {
        return reading;
    }
    let span = Span::new(start, start + text.len());
    look.count(text.len());
    if let Some((value, twice)) = strict::whole(text) {
        let mut candidate = Candidate::strict(value, span, false);
        if twice {
            candidate.log.duplicates = duplicates(look, start, limits);
        }
        reading.candidates.push(candidate);
        return reading;
    }
    match reasoning::answer(look, |from, to| first(look, from, to)) {
        Answer::From(from) => reading.from = from,
        Answer::Thinking(_) => {
            reading.thinking = true;
            return reading;
        }
    }
    Scan { look, limits, budget: limits.work.saturating_mul(look.end() as u64 + 256) }
        .run(&mut reading);
    reading
}

/// The keys that are there twice in a text that is valid JSON.
fn duplicates(look: &Look<'_>, start: usize, limits: &Limits) -> Vec<Duplicate> {
    let mut engine = Engine::new(start, false, limits.depth, limits.repairs);
    engine.run(look);
    engine.log.duplicates
}

/// The first place between two that could be JSON.
fn first(look: &Look<'_>, from: usize, to: usize) -> Option<usize> {
    let bytes = look.text.as_bytes().get(..to)?;
    let mut at = from;
    loop {
        let rest = bytes.get(at..)?;
        let Some(found) = memchr::memchr3(b'{', b'[', 0xef, rest) else {
            look.count(rest.len());
            return None;
        };
        look.count(found + 1);
        at += found;
        if viable(look, at) {
            return Some(at);
        }
        at += 1;
    }
}

/// Whether an object or a list seems to begin here.
pub(crate) fn viable(look: &Look<'_>, at: usize) -> bool {
    let Some(c) = look.char(at) else { return false };
    let next = look.blank_and_comment(at + c.len_utf8());
    let Some(first) = look.char(next) else { return matches!(plain(c), '{' | '[') };
    let first_plain = plain(first);
    let name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    match plain(c) {
        '{' => match first_plain {
            '}' | ',' | '…' => true,
            '"' | '\'' | '`' | '“' | '‘' | '＂' | '「' => !look.starts(next, "```"),
            '.' => look.starts(next, "..."),
            '\\' => look.byte(next + 1) == Some(b'"'),
            _ => name(first) && look.bare_key(next) != Found::No,
        },
        // A task `[ ]`, a link `[text](address)` and a footnote `[^1]` are none.
        '[' => match first_plain {
            '"' | '\'' | '`' | '“' | '‘' | '{' | '[' | ']' | ',' | '-' | '.' | '…' | '＂'
            | '「' => true,
            '\\' => look.byte(next + 1) == Some(b'"'),
            c => c.is_alphanumeric() || matches!(c, '_' | '+' | '/'),
        },
        _ => false,
    }
}

struct Scan<'l, 't> {
    look: &'l Look<'t>,
    limits: &'l Limits,
    budget: u64,
}

impl Scan<'_, '_> {
    fn run(&self, reading: &mut Reading) {
        let look = self.look;
        if self.cut_string(reading) {
            return;
        }
        let end = look.end();
        let mut at = reading.from;
        let mut fence: Option<usize> = None;
        let mut tagged = false;
        let mut plain_from = at;
        let mut unescaped = false;
        while at < end {
            let Some(c) = look.char(at) else {
                at += 1;
                continue;
            };
            match c {
                '`' | '~' if look.starts(at, "```") || look.starts(at, "~~~") => {
                    let mark = run_of(look, at, c);
                    match fence {
                        Some(open) if mark - at >= open => {
                            fence = None;
                            at = mark;
                        }
                        Some(_) => at = mark,
                        None => {
                            reading.only_values &= false;
                            fence = Some(mark - at);
                            at = self.fenced_scalar(reading, mark, c);
                        }
                    }
                    plain_from = at;
                    continue;
                }
                '<' if look.starts(at, "<json>") => {
                    tagged = true;
                    at += 6;
                    continue;
                }
                '<' if look.starts(at, "</json>") => {
                    tagged = false;
                    at += 7;
                    continue;
                }
                '{' | '[' | '｛' | '［' if viable(look, at) => {
                    if look.work() > self.budget {
                        reading.exhausted = true;
                        return;
                    }
                    reading.only_values &= only_between(look, plain_from, at);
                    let next = look.blank(at + c.len_utf8());
                    let behind = if look.byte(next) == Some(b'\\') && !unescaped {
                        unescaped = true;
                        self.escaped(reading, at)
                    } else {
                        self.value(reading, at, fence.is_some(), fence.is_some() || tagged)
                    };
                    at = behind.max(at + 1);
                    plain_from = at;
                    continue;
                }
                _ => {}
            }
            at += c.len_utf8();
            // Prose is passed quickly.
            let rest = look.text.as_bytes().get(at..).unwrap_or_default();
            let skip =
                rest.iter().position(|b| matches!(b, b'{' | b'[' | b'`' | b'~' | b'<' | 0xef));
            let skip = skip.unwrap_or(rest.len());
            look.count(skip + 1);
            at += skip;
        }
        let rest_is_clean = look
            .slice(plain_from, end)
            .chars()
            .all(|c| c.is_whitespace() || matches!(plain(c), ',' | '}' | ']' | '`'));
        reading.only_values &= rest_is_clean || only_between(look, plain_from, end);
        if reading.candidates.is_empty() {
            self.bare(reading);
        }
    }

    /// An answer that is a string, and has no end: what is in it is no JSON.
    fn cut_string(&self, reading: &mut Reading) -> bool {
        let look = self.look;
        let at = look.blank(reading.from);
        let rest = look.slice(at, look.end());
        look.count(rest.len());
        let quotes = rest.bytes().filter(|byte| *byte == b'"').count();
        if !rest.starts_with('"') || quotes != 1 + rest.matches("\\\"").count() {
            return false;
        }
        let mut engine = Engine::new(at, false, self.limits.depth, self.limits.repairs);
        engine.run(look);
        self.push(reading, engine, false);
        true
    }

    /// Reads a value. Gives where it ends.
    fn value(&self, reading: &mut Reading, at: usize, fenced: bool, marked: bool) -> usize {
        let look = self.look;
        let rest = look.slice(at, look.end());
        if let Some((value, bytes, twice)) = strict::first(rest) {
            look.count(bytes);
            let mut candidate = Candidate::strict(value, Span::new(at, at + bytes), marked);
            if twice {
                candidate.log.duplicates = duplicates(look, at, self.limits);
            }
            // A link is no list.
            if candidate.value.is_array() && look.byte(at + bytes) == Some(b'(') {
                return at + bytes;
            }
            reading.candidates.push(candidate);
            return at + bytes;
        }
        let mut engine = Engine::new(at, fenced, self.limits.depth, self.limits.repairs);
        engine.run(look);
        let end = engine.pos;
        let is_link = look.byte(end) == Some(b'(') && look.byte(at) == Some(b'[');
        if is_link {
            return end;
        }
        let ran_away = engine.truncated.is_some() && engine.log.junk > 0;
        self.push(reading, engine, marked);
        if ran_away {
            self.inside(reading, at + 1, marked);
        }
        end
    }

    fn push(&self, reading: &mut Reading, engine: Engine, marked: bool) {
        let span = Span::new(engine.start(), engine.pos);
        let structured = engine.structured;
        let (value, log, truncated) = engine.into_value();
        if let Some(value) = value {
            reading.candidates.push(Candidate {
                value,
                log,
                truncated,
                span,
                marked,
                structured,
                is_text: false,
            });
        } else if truncated.is_some() {
            reading.cut = truncated;
        }
    }

    /// What was taken for an object or list runs to the end of the answer, and holds prose: whatever is
    /// whole inside of it could be the answer as well.
    fn inside(&self, reading: &mut Reading, from: usize, marked: bool) {
        let look = self.look;
        let ends = pairs(look, from);
        let mut at = from;
        while let Some(open) = first(look, at, look.end()) {
            if look.work() > self.budget {
                reading.exhausted = true;
                return;
            }
            let Ok(index) = ends.binary_search_by_key(&open, |pair| pair.0) else {
                at = open + 1;
                continue;
            };
            let end = ends.get(index).map_or(open, |pair| pair.1);
            let part = Look::new(look.slice(0, end), false);
            let rest = part.slice(open, end);
            match strict::first(rest) {
                Some((value, bytes, _)) => {
                    let span = Span::new(open, open + bytes);
                    reading.candidates.push(Candidate::strict(value, span, marked));
                }
                None => {
                    let mut engine =
                        Engine::new(open, false, self.limits.depth, self.limits.repairs);
                    engine.run(&part);
                    self.push(reading, engine, marked);
                }
            }
            look.count(part.work() as usize + rest.len());
            at = end.max(open + 1);
        }
    }

    /// The body of a code fence that is a literal, a number or a quoted string. Gives where to go on.
    fn fenced_scalar(&self, reading: &mut Reading, at: usize, mark: char) -> usize {
        const MOST: usize = 512;
        let look = self.look;
        let mut body = at;
        while look
            .byte(body)
            .is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'+' | b'-'))
        {
            body += 1;
        }
        if look.blank(body) == body && look.char(body).is_some_and(|c| c != '{' && c != '[') {
            body = at;
        }
        let body = look.blank(body);
        if look.char(body).is_none_or(|c| matches!(plain(c), '{' | '[')) {
            return body;
        }
        let mut to = body.saturating_add(MOST).min(look.end());
        while !look.text.is_char_boundary(to) {
            to -= 1;
        }
        let window = look.slice(body, to);
        look.count(window.len());
        let fence = mark.to_string().repeat(3);
        if let Some(end) = window.find(&fence) {
            let text = window.get(..end).unwrap_or_default().trim_end();
            let span = Span::new(body, body + text.len());
            if let Some((value, _)) = strict::whole(text) {
                reading.candidates.push(Candidate::strict(value, span, true));
            } else if !text.contains('\n') && text.split_whitespace().count() == 1 {
                let mut candidate = Candidate::text(text, span);
                candidate.marked = true;
                reading.candidates.push(candidate);
            }
        }
        body
    }

    /// JSON that is escaped as if it stood in a string: it is read without the escapes, and every repair in
    /// it is one of the whole.
    fn escaped(&self, reading: &mut Reading, at: usize) -> usize {
        let look = self.look;
        let rest = look.slice(at, look.end());
        let mut text = String::with_capacity(rest.len());
        let mut ends = Vec::new();
        let mut chars = rest.char_indices().peekable();
        while let Some((_, c)) = chars.next() {
            let c = match (c, chars.peek()) {
                ('\\', Some(&(_, next @ ('"' | '\\' | '/')))) => {
                    chars.next();
                    next
                }
                ('\\', Some(&(_, 'n'))) => {
                    chars.next();
                    '\n'
                }
                (c, _) => c,
            };
            text.push(c);
            let behind = chars.peek().map_or(rest.len(), |next| next.0);
            ends.resize(text.len(), behind);
        }
        let inner = Look::new(&text, false);
        let mut engine = Engine::new(0, false, self.limits.depth, self.limits.repairs);
        engine.run(&inner);
        look.count(inner.work() as usize + rest.len());
        let end =
            at + engine.pos.checked_sub(1).and_then(|last| ends.get(last)).copied().unwrap_or(0);
        let span = Span::new(at, end);
        engine.pos = end;
        for repair in &mut engine.log.repairs {
            repair.span = span;
        }
        if engine.log.has_room(RepairKind::EscapedDocument, Risk::Guess) {
            engine.log.repairs.push(Repair {
                kind: RepairKind::EscapedDocument,
                span,
                path: String::new(),
                before: short(rest),
                after: short(&text),
                risk: Risk::Guess,
            });
        }
        self.push(reading, engine, false);
        if let Some(candidate) = reading.candidates.last_mut() {
            candidate.span = span;
        }
        end
    }

    /// An answer in which nothing opens: members without braces, or a single value.
    fn bare(&self, reading: &mut Reading) {
        let look = self.look;
        let mut at = look.blank(reading.from);
        while let Some(end) = look.comment(at) {
            at = look.blank(end);
        }
        let Some(c) = look.char(at) else { return };
        if look.key(at) == Found::Yes {
            let mut engine = Engine::braceless(at, self.limits.depth, self.limits.repairs);
            engine.run(look);
            if engine.log.has_room(RepairKind::MissingBraces, Risk::Guess) {
                engine.log.repairs.insert(
                    0,
                    Repair {
                        kind: RepairKind::MissingBraces,
                        span: Span::new(at, at),
                        path: String::new(),
                        before: String::new(),
                        after: "{".to_owned(),
                        risk: Risk::Guess,
                    },
                );
            }
            if engine.log.junk == 0 {
                self.push(reading, engine, false);
            }
            return;
        }
        let quoted = matches!(c, '"' | '\'' | '“' | '‘' | '`');
        let text = look.slice(at, look.end()).trim_end();
        let number = c.is_ascii_digit() || matches!(c, '-' | '+' | '.');
        let one_word = !text.contains(char::is_whitespace);
        let literal = one_word && text.len() <= 16 && c.is_ascii_alphabetic();
        if quoted || (one_word && number) || literal {
            let mut engine = Engine::new(at, false, self.limits.depth, self.limits.repairs);
            engine.run(look);
            let is_words =
                engine.log.repairs.iter().any(|repair| repair.kind == RepairKind::UnquotedString);
            let in_prose =
                engine.log.repairs.iter().any(|repair| repair.kind == RepairKind::InnerQuote)
                    && engine.truncated.is_some();
            if !is_words && !in_prose {
                self.push(reading, engine, false);
            }
        }
    }
}

fn run_of(look: &Look<'_>, at: usize, c: char) -> usize {
    let mut end = at;
    while look.char(end) == Some(c) {
        end += 1;
    }
    end
}

/// Whether nothing but commas, blanks and comments is between two places.
fn only_between(look: &Look<'_>, from: usize, to: usize) -> bool {
    let mut at = from;
    while at < to {
        at = look.blank(at);
        if at >= to {
            break;
        }
        if let Some(end) = look.comment(at) {
            at = end;
        } else if look.char(at).is_some_and(|c| plain(c) == ',') {
            at += look.char(at).map_or(1, char::len_utf8);
        } else {
            return false;
        }
    }
    true
}

/// Every bracket that has its match, by place; strings are not looked at.
fn pairs(look: &Look<'_>, from: usize) -> Vec<(usize, usize)> {
    let mut open: Vec<(usize, u8)> = Vec::new();
    let mut pairs = Vec::new();
    let bytes = look.text.as_bytes().get(from..).unwrap_or_default();
    look.count(bytes.len());
    for (at, &byte) in bytes.iter().enumerate() {
        match byte {
            b'{' | b'[' => open.push((from + at, byte)),
            b'}' | b']' => {
                let wanted = if byte == b'}' { b'{' } else { b'[' };
                while let Some((start, opened)) = open.pop() {
                    if opened == wanted {
                        pairs.push((start, from + at + 1));
                        break;
                    }
                }
            }
            _ => {}
        }
    }
    pairs.sort_unstable();
    pairs
}
