//! The pass over an answer, from left to right. Each byte is in at most two candidates.

use std::cell::Cell;

use serde_json::Value;

use super::begin::viable;
use super::escaped::Escaping;
use super::fence::{Fence, run_of};
use super::{Candidate, Reading, duplicates};
use crate::limits::Limits;
use crate::reasoning::thought;
use crate::repair::{Inside, RepairKind, Span, Truncated};
use crate::strict;
use crate::tolerant::{Engine, Look, plain};

/// The pass over one answer.
pub(super) struct Scan<'l, 't> {
    pub(super) look: &'l Look<'t>,
    pub(super) limits: &'l Limits,
    /// No candidate is begun when so much work is done.
    pub(super) budget: u64,
    /// A tag was opened that nothing closes.
    endless: Cell<bool>,
}

/// What is around a place.
#[derive(Debug, Clone, Copy, Default)]
struct Around {
    fence: Option<Fence>,
    /// Between `<json>` and its end.
    tagged: bool,
    /// Up to here reaches the last comment.
    comment: usize,
}

impl<'l, 't> Scan<'l, 't> {
    pub(super) fn new(look: &'l Look<'t>, limits: &'l Limits) -> Self {
        let budget = limits.work.saturating_mul(look.end() as u64 + 256);
        Self { look, limits, budget, endless: Cell::new(false) }
    }

    pub(super) fn run(&self, reading: &mut Reading) {
        let look = self.look;
        if self.cut_string(reading) {
            return;
        }
        let end = look.end();
        let mut at = reading.from;
        let mut around = Around::default();
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
                    match around.fence {
                        Some(fence) if mark - at >= fence.length => {
                            around.fence = None;
                            at = mark;
                        }
                        Some(_) => at = mark,
                        None => {
                            reading.only_values &= false;
                            around.fence = Some(Fence::of(look, mark, mark - at));
                            at = self.fenced_scalar(reading, mark, c);
                        }
                    }
                    plain_from = at;
                    continue;
                }
                '<' if look.starts(at, "<json>") => {
                    around.tagged = true;
                    at += 6;
                    continue;
                }
                '<' if look.starts(at, "</json>") => {
                    around.tagged = false;
                    at += 7;
                    continue;
                }
                '<' | '[' | '◁' if self.passes_thought(reading, &mut at) => {
                    plain_from = at;
                    continue;
                }
                '/' | '#' | '<' if self.is_comment(at, plain_from, reading) => {
                    let behind = look.comment(at).unwrap_or(at);
                    around.comment = around.comment.max(behind);
                }
                '{' | '[' | '｛' | '［' if viable(look, at) => {
                    if look.work() > self.budget {
                        reading.exhausted = true;
                        return;
                    }
                    reading.only_values &= only_between(look, plain_from, at);
                    let before = reading.candidates.len();
                    let behind = match Escaping::at(look, at + c.len_utf8()) {
                        Some(escaping) if !unescaped => {
                            unescaped = true;
                            self.escaped(reading, at, escaping)
                        }
                        _ => self.value(reading, at, around),
                    };
                    for candidate in reading.candidates.iter_mut().skip(before) {
                        candidate.commented = candidate.span.start < around.comment;
                    }
                    at = behind.max(at + 1);
                    plain_from = at;
                    continue;
                }
                _ => {}
            }
            at += c.len_utf8();
            // Prose is passed quickly.
            let rest = look.text.as_bytes().get(at..).unwrap_or_default();
            let special =
                |b: &u8| matches!(b, b'{' | b'[' | b'`' | b'~' | b'<' | b'/' | b'#' | 0xef | 0xe2);
            let skip = rest.iter().position(special).unwrap_or(rest.len());
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

    /// Passes over thinking that begins here, behind a value. Thinking without end is the end of the answer.
    fn passes_thought(&self, reading: &mut Reading, at: &mut usize) -> bool {
        let Some(end) = thought(self.look, *at) else { return false };
        *at = end.unwrap_or(self.look.end());
        if end.is_none() {
            let (path, inside) = (String::new(), Inside::Container);
            reading.cut = Some(Truncated { path, inside, at: self.look.end() });
        }
        true
    }

    /// Whether a comment begins here: at the beginning of a line, or behind a value.
    fn is_comment(&self, at: usize, plain_from: usize, reading: &Reading) -> bool {
        const NEAR: usize = 32;
        let look = self.look;
        let behind_value = !reading.candidates.is_empty()
            && at - plain_from <= NEAR
            && look.slice(plain_from, at).chars().all(|c| matches!(c, ' ' | '\t' | ',' | ';'));
        let bracketed = look.starts(at, "/*") || look.starts(at, "<!--");
        bracketed || ((behind_value || look.opens_line(at)) && look.comment(at).is_some())
    }

    /// An answer that is a string, and has no end: what is in it is no JSON.
    fn cut_string(&self, reading: &mut Reading) -> bool {
        let look = self.look;
        let at = look.blank(reading.from);
        let rest = look.slice(at, look.end());
        if !rest.starts_with('"') {
            return false;
        }
        look.count(rest.len());
        let quotes = memchr::memchr_iter(b'"', rest.as_bytes()).count();
        if quotes != 1 + memchr::memmem::find_iter(rest.as_bytes(), "\\\"").count() {
            return false;
        }
        let mut engine = Engine::new(at, false, self.limits.depth, self.limits.repairs);
        engine.run(look);
        self.push(reading, engine, false);
        true
    }

    /// Reads a value. Gives where it ends.
    fn value(&self, reading: &mut Reading, at: usize, around: Around) -> usize {
        let look = self.look;
        let marked = around.tagged || around.fence.is_some_and(|fence| fence.is_json);
        let rest = look.slice(at, look.end());
        // A member behind it says that its bracket came too early.
        let whole = |found: &(Value, usize, bool)| !look.member_follows(at + found.1);
        if let Some((value, bytes, twice)) = strict::first(rest).filter(whole) {
            look.count(bytes);
            let mut candidate = Candidate::strict(value, Span::new(at, at + bytes), marked);
            if twice {
                candidate.log.duplicates = duplicates(look, at, self.limits);
            }
            candidate.in_prose = self.is_in_prose(at, marked);
            // A link is no list, and a citation is none.
            let is_link = look.byte(at + bytes) == Some(b'(');
            let is_array = candidate.value.is_array();
            if is_array && (is_link || candidate.in_prose && self.is_citation(at, &candidate.value))
            {
                return at + bytes;
            }
            reading.candidates.push(candidate);
            return at + bytes;
        }
        let mut engine = self.engine(at, around);
        engine.run(look);
        if let Some(tag) = self.end_tag(at).filter(|tag| *tag < engine.pos) {
            // It ends with the tag, unless the tag is in a string of it.
            let part = Look::new(look.slice(0, tag), false);
            let mut inner = self.engine(at, around);
            inner.run(&part);
            look.count(part.work() as usize);
            let in_string = |cut: &Truncated| matches!(cut.inside, Inside::String | Inside::Key);
            if !inner.truncated.as_ref().is_some_and(in_string) {
                // Who closes the tag is not cut off.
                inner.truncated = None;
                engine = inner;
            }
        }
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

    /// `see [1] and [2]`: a small number in brackets, which no colon or verb announces.
    fn is_citation(&self, at: usize, value: &Value) -> bool {
        const LARGEST: u64 = 999;
        let Some([Value::Number(number)]) = value.as_array().map(Vec::as_slice) else {
            return false;
        };
        let from = self.look.text.floor_char_boundary(at.saturating_sub(16));
        let before = self.look.slice(from, at).trim_end();
        let is_announced = [":", "：", "=", " is", " are", "是", "为", ">", "`", "*", "-"]
            .iter()
            .any(|word| before.ends_with(word));
        number.as_u64().is_some_and(|number| number <= LARGEST) && !is_announced
    }

    fn engine(&self, at: usize, around: Around) -> Engine {
        Engine::new(at, around.fence.is_some(), self.limits.depth, self.limits.repairs)
    }

    fn is_in_prose(&self, at: usize, marked: bool) -> bool {
        !marked && !self.look.opens_line(at)
    }

    /// Where the tag ends that opens right before a value: `<answer>{…`.
    fn end_tag(&self, at: usize) -> Option<usize> {
        const NAME: usize = 32;
        let look = self.look;
        let mut from = at.saturating_sub(2 * NAME);
        while !look.text.is_char_boundary(from) {
            from += 1;
        }
        let before = look.slice(from, at).trim_end().strip_suffix('>')?;
        let name = before.get(before.rfind('<')? + 1..)?;
        let is_name = !name.is_empty()
            && name.len() <= NAME
            && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
        if !is_name || self.endless.get() {
            return None;
        }
        let tag = format!("</{name}>");
        let rest = look.slice(at, look.end());
        let found = memchr::memmem::find(rest.as_bytes(), tag.as_bytes());
        look.count(found.unwrap_or(rest.len()));
        // One search to the end of the answer is enough.
        self.endless.set(found.is_none());
        found.map(|found| at + found)
    }

    pub(super) fn push(&self, reading: &mut Reading, engine: Engine, marked: bool) {
        let span = Span::new(engine.start(), engine.pos);
        let structured = engine.structured;
        let (value, log, truncated) = engine.into_value();
        if let Some(value) = value {
            // A word in brackets, as `[NOTE]`, is a label.
            let is_one = value.as_array().is_some_and(|list| list.len() == 1);
            reading.only_values &= !(is_one && log.has(RepairKind::UnquotedString));
            reading.candidates.push(Candidate {
                value,
                log,
                truncated,
                span,
                marked,
                structured,
                in_prose: self.is_in_prose(span.start, marked),
                ..Candidate::default()
            });
        } else if truncated.is_some() {
            reading.cut = truncated;
        }
    }
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
