//! Where a model's thinking ends and its answer begins. Thinking is cut only where it begins before the
//! first thing that could be JSON, so that a tag in a string stays what it is.

use crate::tolerant::Look;

/// The tags around thinking, as chat templates of open models write them.
pub(crate) const TAGS: [(&str, &str); 5] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<reasoning>", "</reasoning>"),
    ("<thought>", "</thought>"),
    ("<|channel|>analysis", "<|end|>"),
];

/// Where the answer begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// At this byte.
    From(usize),
    /// The thinking that begins at this byte has no end: there is no answer yet.
    Thinking(usize),
}

/// Finds the beginning of the answer. `first` gives the first thing that could be JSON at or behind a
/// place, and before another.
pub(crate) fn answer(look: &Look<'_>, first: impl Fn(usize, usize) -> Option<usize>) -> Answer {
    let mut from = 0;
    loop {
        let Some((at, open, close)) = next_tag(look, from) else { return Answer::From(from) };
        if first(from, at).is_some() {
            return Answer::From(from);
        }
        let body = at + open.len();
        let rest = look.slice(body, look.end());
        let end = memchr::memmem::find(rest.as_bytes(), close.as_bytes());
        look.count(end.unwrap_or(rest.len()));
        match end {
            Some(end) => from = body + end + close.len(),
            None => return Answer::Thinking(at),
        }
    }
}

fn next_tag(look: &Look<'_>, from: usize) -> Option<(usize, &'static str, &'static str)> {
    let mut at = from;
    loop {
        let rest = look.text.as_bytes().get(at..)?;
        let Some(found) = memchr::memchr(b'<', rest) else {
            look.count(rest.len());
            return None;
        };
        look.count(found + 1);
        at += found;
        for (open, close) in TAGS {
            if look.starts(at, open) {
                return Some((at, open, close));
            }
        }
        at += 1;
    }
}
