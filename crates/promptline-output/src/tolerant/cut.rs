//! Where the text ends and the value has not: what there is of it, and what it ends in. What is not whole is
//! never returned as whole.

use serde_json::Value;

use super::block::block;
use super::chars::{Quote, plain};
use super::frames;
use super::look::Look;
use super::scalar::{self, Word};
use super::string::Open;
use super::{Engine, State};
use crate::repair::{Duplicate, Inside, RepairKind, Risk, Span, Truncated};

impl Engine {
    /// The text ends inside of the value.
    pub(super) fn finish(&mut self, look: &Look<'_>) {
        let mut end = self.fence_end.unwrap_or(look.end());
        let mut inside = Inside::Container;
        let mut cut = self.fence_end.is_none();
        let mut last = None;
        // So many of the outermost containers have their brackets.
        let mut closed = 0;
        let only_implied = self.frames.iter().all(|frame| frame.bracket.is_none());
        // Taken out, since what is in it decides how to go on.
        match std::mem::replace(&mut self.state, State::Done) {
            State::String(open) => {
                let fence = self.unclosed(look, *open, &mut inside, &mut last, &mut closed);
                cut &= fence.is_none();
                end = fence.unwrap_or(end);
            }
            State::Bare(bare) => {
                let text = look.slice(bare.start, end).trim_end();
                let path_start = bare.start;
                // Members without braces have no end that could be missing.
                cut &= self.frames.is_empty() || !only_implied;
                last = self.word_at_end(look, path_start, text, &mut inside, &mut cut);
            }
            State::Value | State::Colon if !self.in_list() && !self.frames.is_empty() => {
                inside = Inside::Key;
            }
            _ => {}
        }
        if self.frames.is_empty() && last.is_some() && matches!(inside, Inside::Container) {
            cut = false;
        }
        if only_implied && matches!(inside, Inside::Container) {
            cut = false;
        }
        if cut {
            self.truncated = Some(Truncated { path: self.path(), inside, at: end });
        }
        let brackets = self.frames.iter().filter_map(|frame| frame.bracket).skip(closed);
        let missing: String = brackets.collect::<Vec<_>>().into_iter().rev().collect();
        if !missing.is_empty() {
            self.repair(look, RepairKind::MissingBracket, end, end, &missing, Risk::Guess);
        }
        if let Some(comma) = self.comma.take().filter(|_| last.is_none()) {
            let Span { start, end } = comma;
            self.repair(look, RepairKind::ExtraComma, start, end, "", Risk::Lossless);
        }
        // Prose behind the last value says nothing about the values before it.
        self.log.junk -= self.log.junk_tail;
        let path = self.path();
        self.root = frames::seal(&mut self.frames, last);
        let innermost = self.frames.last_mut().and_then(frames::Frame::take_shadowed);
        if let Some(dropped) = innermost.filter(|_| self.log.duplicates.len() < self.log.most) {
            self.log.duplicates.push(Duplicate { path, dropped });
        }
        self.frames.clear();
        self.pos = end;
        self.state = State::Done;
    }

    /// The text ends, and the string has not. Gives where a code fence ends it.
    pub(super) fn unclosed(
        &mut self,
        look: &Look<'_>,
        mut open: Open,
        inside: &mut Inside,
        last: &mut Option<Value>,
        closed: &mut usize,
    ) -> Option<usize> {
        if open.is_key {
            *inside = Inside::Key;
            return None;
        }
        *inside = Inside::String;
        let mut end = match open.quote {
            Quote::Run(..) => look.end(),
            // An escape that is cut is left out.
            _ => open.at.max(open.raw_from),
        };
        let mut fence = None;
        if self.fenced {
            let rest = look.slice(open.raw_from, end);
            if let Some(at) = rest.find("\n```") {
                end = open.raw_from + at;
                fence = Some(end + 1);
            }
        }
        if fence.is_none() && look.slice(open.raw_from, end).trim_end().ends_with("```") {
            // A fence on the same line.
            let text = look.slice(open.raw_from, end).trim_end().trim_end_matches('`');
            end = open.raw_from + text.len();
        }
        let (kept, brackets) = self.without_brackets(look, open.raw_from, end);
        if brackets > 0 {
            *closed = brackets;
            self.repair(look, RepairKind::MissingClosingQuote, kept, kept, "\"", Risk::Guess);
            end = kept;
        }
        if open.inner_quotes > 0 {
            self.repair(look, RepairKind::InnerQuote, open.token, end, "", Risk::Guess);
        }
        open.flush(look, end);
        let text = match open.quote {
            Quote::Run(mark, _) => block(&open.buffer, mark == b'`'),
            _ => open.buffer,
        };
        *last = Some(Value::String(text));
        fence
    }

    /// Where a string ends at the latest when brackets are behind it that close what is open, and how many.
    fn without_brackets(&self, look: &Look<'_>, from: usize, end: usize) -> (usize, usize) {
        let mut text = look.slice(from, end).trim_end();
        // From the end of the text inwards: the last bracket closes the outermost container.
        let mut closers = 0;
        for bracket in self.frames.iter().filter_map(|frame| frame.bracket) {
            match text.strip_suffix(|c| plain(c) == bracket) {
                Some(rest) => {
                    text = rest.trim_end();
                    closers += 1;
                }
                None => break,
            }
        }
        (if closers == 0 { end } else { from + text.len() }, closers)
    }

    /// A word that the text ends with.
    pub(super) fn word_at_end(
        &mut self,
        look: &Look<'_>,
        start: usize,
        text: &str,
        inside: &mut Inside,
        cut: &mut bool,
    ) -> Option<Value> {
        let end = start + text.len();
        let closed = self.frames.is_empty();
        let whole = !matches!(scalar::word(text), Word::Text);
        // Blanks behind it say that it is at its end; `12` at the root of a whole answer is 12.
        let ended = whole && (end < look.end() || closed) && !is_number_begun(text);
        if ended || !*cut {
            return Some(self.read_word(look, start, end, text));
        }
        match scalar::begun(text) {
            Some(value) => {
                *inside = if value.is_number() { Inside::Number } else { Inside::Literal };
                let after = value.to_string();
                if after != text {
                    self.repair(look, RepairKind::Spelling, start, end, &after, Risk::Guess);
                }
                Some(value)
            }
            None if text.starts_with(['-', '+', '.']) && text.len() == 1 => {
                *inside = Inside::Number;
                None
            }
            None => {
                *inside = Inside::String;
                if closed {
                    // A sentence is no JSON: it is at its end as it is.
                    *inside = Inside::Container;
                }
                Some(self.read_word(look, start, end, text))
            }
        }
    }
}

fn is_number_begun(text: &str) -> bool {
    text.ends_with(['.', 'e', 'E', '-', '+'])
        && text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'))
}
