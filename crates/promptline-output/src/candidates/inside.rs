//! What lies whole inside of something that never ends.

use super::begin::first;
use super::scan::Scan;
use super::{Candidate, Reading};
use crate::repair::Span;
use crate::strict;
use crate::tolerant::{Engine, Look};

impl Scan<'_, '_> {
    /// What was taken for an object or list runs to the end of the answer, and holds prose: whatever is
    /// whole inside of it could be the answer as well.
    pub(super) fn inside(&self, reading: &mut Reading, from: usize, marked: bool) {
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
