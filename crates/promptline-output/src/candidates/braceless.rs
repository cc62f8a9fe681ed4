//! An answer in which nothing opens: members without braces, or a single value.

use super::scan::Scan;
use super::{Candidate, Reading};
use crate::repair::{RepairKind, Risk, Span};
use crate::tolerant::{Engine, Found};

impl Scan<'_, '_> {
    /// Members without braces whose values hold what else was found: `name: "x"`, `tags: ["y"]`. They come
    /// before all that, since they are the less likely answer.
    pub(super) fn members(&self, reading: &mut Reading) {
        let mut found = Reading { from: reading.from, ..Reading::default() };
        let at = self.look.blank(reading.from);
        if !reading.candidates.is_empty()
            && (self.look.listed(at).is_some() || self.look.key(at) == Found::Yes)
        {
            self.bare(&mut found);
        }
        let several = |one: &Candidate| one.value.as_object().is_some_and(|all| all.len() > 1);
        found.candidates.retain(|one| several(one) && one.truncated.is_none());
        reading.candidates.splice(..0, found.candidates);
    }

    /// Where a list of members begins that one line is before: `Here it is:`.
    fn behind_a_heading(&self, at: usize) -> Option<usize> {
        let look = self.look;
        let end = look.line_end(at);
        let heading = look.slice(at, end).trim_end();
        let list = look.blank(end);
        (heading.ends_with([':', '：']) && look.listed(list).is_some()).then_some(list)
    }

    /// Reads it.
    pub(super) fn bare(&self, reading: &mut Reading) {
        let look = self.look;
        let mut at = look.blank(reading.from);
        while let Some(end) = look.comment(at) {
            at = look.blank(end);
        }
        let Some(c) = look.char(at) else { return };
        // They may be in a code fence.
        let fenced = look.is_fence(at);
        let first = if fenced { look.blank(look.line_end(at)) } else { at };
        let members = match look.listed(first) {
            None if look.key(first) == Found::Yes => Some(first),
            Some(_) => Some(first),
            None => self.behind_a_heading(first),
        };
        if let Some(at) = members {
            let mut engine = Engine::braceless(at, fenced, self.limits.depth, self.limits.repairs);
            engine.run(look);
            let (kind, span) = (RepairKind::MissingBraces, Span::new(at, at));
            engine.log.note(look.text, kind, span, "{", Risk::Guess);
            if engine.log.junk == 0 {
                let before = reading.candidates.len();
                self.push(reading, engine, false);
                for candidate in reading.candidates.iter_mut().skip(before) {
                    candidate.braceless = true;
                }
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
