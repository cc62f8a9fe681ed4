//! Where a model's thinking ends and its answer begins. Thinking is cut only where it begins before the
//! first thing that could be JSON, so that a tag in a string stays what it is.

use crate::tolerant::{Engine, Look};

/// The tags around thinking, as chat templates of open models write them.
pub(crate) const TAGS: [(&str, &str); 14] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<reasoning>", "</reasoning>"),
    ("<thought>", "</thought>"),
    ("<thoughts>", "</thoughts>"),
    ("<reflection>", "</reflection>"),
    ("<scratchpad>", "</scratchpad>"),
    ("<analysis>", "</analysis>"),
    ("<seed:think>", "</seed:think>"),
    ("[THINK]", "[/THINK]"),
    ("◁think▷", "◁/think▷"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|channel|>analysis", "<|end|>"),
    ("<|channel|>commentary", "<|end|>"),
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
    let mut from = unopened(look, &first).unwrap_or(0);
    loop {
        let Some((at, open, close)) = next_tag(look, from) else { return Answer::From(from) };
        if first(from, at).is_some() {
            return Answer::From(from);
        }
        match end(look, at + open.len(), close) {
            Some(end) => from = end,
            None => return Answer::Thinking(at),
        }
    }
}

/// Behind the tag that closes the thinking which begins before a place.
fn end(look: &Look<'_>, body: usize, close: &str) -> Option<usize> {
    let rest = look.slice(body, look.end());
    let end = memchr::memmem::find(rest.as_bytes(), close.as_bytes());
    look.count(end.unwrap_or(rest.len()));
    end.map(|end| body + end + close.len())
}

/// The thinking that begins here, if it does: where it ends, if it does.
pub(crate) fn thought(look: &Look<'_>, at: usize) -> Option<Option<usize>> {
    let (open, close) = tag(look, at)?;
    Some(end(look, at + open.len(), close))
}

/// Behind the last tag that closes thinking which nothing opens: chat templates write the opening tag into the
/// prompt. A tag in a string of a value is none.
fn unopened(look: &Look<'_>, first: &impl Fn(usize, usize) -> Option<usize>) -> Option<usize> {
    let (at, tag) = ["</think>", "</thinking>", "</reasoning>", "[/THINK]"]
        .into_iter()
        .filter_map(|tag| {
            look.count(look.end());
            Some((memchr::memmem::find(look.text.as_bytes(), tag.as_bytes())?, tag))
        })
        .min()?;
    let is_opened = next_tag(look, 0).is_some_and(|(open, ..)| open < at);
    if is_opened {
        return None;
    }
    if let Some(value) = first(0, at) {
        let part = Look::new(look.slice(0, at), false);
        let mut engine = Engine::new(value, false, 128, 0);
        engine.run(&part);
        look.count(part.work() as usize);
        if engine.truncated.is_some() {
            return None;
        }
    }
    Some(at + tag.len())
}

fn tag(look: &Look<'_>, at: usize) -> Option<(&'static str, &'static str)> {
    let is_open = |open: &str| {
        look.text
            .as_bytes()
            .get(at..at + open.len())
            .is_some_and(|bytes| bytes.eq_ignore_ascii_case(open.as_bytes()))
    };
    TAGS.into_iter().find(|(open, _)| is_open(open))
}

fn next_tag(look: &Look<'_>, from: usize) -> Option<(usize, &'static str, &'static str)> {
    let mut at = from;
    loop {
        let rest = look.text.as_bytes().get(at..)?;
        // `<`, `[` and the first byte of `◁`.
        let Some(found) = memchr::memchr3(b'<', b'[', 0xe2, rest) else {
            look.count(rest.len());
            return None;
        };
        look.count(found + 1);
        at += found;
        if let Some((open, close)) = tag(look, at) {
            return Some((at, open, close));
        }
        at += 1;
    }
}
