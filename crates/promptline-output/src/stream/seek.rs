//! Where the value begins in an answer that comes in: behind thinking, in a fence, in prose. Waits where the
//! next characters decide.

use crate::candidates::viable;
use crate::reasoning::TAGS;
use crate::tolerant::{Engine, Found, Look, plain};

pub(super) struct Seek<'s, 't> {
    pub(super) look: &'s Look<'t>,
    pub(super) depth: usize,
    pub(super) repairs: usize,
    pub(super) thinking: &'s mut Option<&'static str>,
    pub(super) fenced: &'s mut bool,
}

impl Seek<'_, '_> {
    /// Gives up to where there is nothing, and the engine of a value that begins there.
    pub(super) fn run(mut self, from: usize) -> (usize, Option<Engine>) {
        let look = self.look;
        let mut at = from;
        if look.slice(0, at).trim().is_empty() {
            let first = look.blank(at);
            if look.char(first).is_some_and(|c| matches!(c, '"' | '“')) {
                return (first, Some(self.engine(first)));
            }
        }
        loop {
            if let Some(close) = *self.thinking {
                let rest = look.slice(at, look.end());
                look.count(rest.len());
                let Some(found) = rest.find(close) else {
                    let mut kept = look.end().saturating_sub(close.len()).max(at);
                    while !look.text.is_char_boundary(kept) {
                        kept += 1;
                    }
                    return (kept, None);
                };
                at += found + close.len();
                *self.thinking = None;
            }
            let rest = look.text.as_bytes().get(at..).unwrap_or_default();
            let Some(found) =
                rest.iter().position(|b| matches!(b, b'{' | b'[' | b'<' | b'`' | 0xef))
            else {
                look.count(rest.len());
                return (look.end(), None);
            };
            look.count(found + 1);
            at += found;
            match self.mark(at) {
                Mark::Value => return (at, Some(self.engine(at))),
                Mark::Wait => return (at, None),
                Mark::Nothing(bytes) => at += bytes,
            }
        }
    }

    fn engine(&self, at: usize) -> Engine {
        Engine::new(at, *self.fenced, self.depth, self.repairs)
    }

    fn mark(&mut self, at: usize) -> Mark {
        let look = self.look;
        let rest = look.slice(at, look.end());
        let Some(c) = look.char(at) else { return Mark::Nothing(1) };
        match c {
            '<' => {
                for (open, close) in TAGS {
                    if rest.starts_with(open) {
                        *self.thinking = Some(close);
                        return Mark::Nothing(open.len());
                    }
                    if open.starts_with(rest) {
                        return Mark::Wait;
                    }
                }
                Mark::Nothing(1)
            }
            '`' => {
                if rest.len() < 3 {
                    return Mark::Wait;
                }
                let run = rest.len() - rest.trim_start_matches('`').len();
                if run >= 3 {
                    *self.fenced = !*self.fenced;
                }
                Mark::Nothing(run)
            }
            c if matches!(plain(c), '{' | '[') => {
                // An answer that begins so is JSON.
                if look.slice(0, at).trim().is_empty() {
                    return Mark::Value;
                }
                // In prose the next characters decide.
                let next = look.blank(at + c.len_utf8());
                let undecided = match look.char(next) {
                    None => true,
                    Some('.' | '\\' | '/' | '#' | '`') => look.end() - next < 4,
                    Some(_) => plain(c) == '{' && look.bare_key(next) == Found::End,
                };
                if undecided {
                    return Mark::Wait;
                }
                if viable(look, at) { Mark::Value } else { Mark::Nothing(c.len_utf8()) }
            }
            c => Mark::Nothing(c.len_utf8()),
        }
    }
}

enum Mark {
    Value,
    Wait,
    /// Nothing begins in so many bytes.
    Nothing(usize),
}
