//! Looks at the part of an answer that is there: tags, blanks, openings of calls. A look answers yes, no,
//! or that more must come first; it changes nothing but the record of what it has already gone over,
//! so that no run of blanks is gone over twice.

use std::cell::Cell;
use std::ops::Range;

use crate::format::CallFormat;
use crate::grammar::CallGrammar;
use crate::options::Dialects;
use crate::syntax::Head;

/// A tag of more bytes is none.
const MAX_TAG: usize = 512;

/// What a look finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look<T> {
    Yes(T),
    No,
    /// It depends on what comes next.
    More,
}

impl<T> Look<T> {
    /// The first yes of two looks at the same place.
    pub(crate) fn or(self, other: impl FnOnce() -> Self) -> Self {
        match self {
            Self::No => other(),
            Self::More => match other() {
                Self::No => Self::More,
                found => found,
            },
            found @ Self::Yes(_) => found,
        }
    }

    pub(crate) fn then<U>(self, next: impl FnOnce(T) -> Look<U>) -> Look<U> {
        match self {
            Self::Yes(found) => next(found),
            Self::No => Look::No,
            Self::More => Look::More,
        }
    }
}

/// What was gone over: the last runs of blanks, by where they begin in the answer, and the bytes looked
/// at in all.
#[derive(Debug, Default)]
pub(crate) struct Record {
    runs: Cell<[(usize, usize); 4]>,
    work: Cell<u64>,
}

impl Record {
    pub(crate) fn add(&self, bytes: usize) {
        self.work.set(self.work.get() + bytes as u64);
    }

    pub(crate) fn work(&self) -> u64 {
        self.work.get()
    }
}

/// What can be seen of an answer. All positions are bytes of the whole answer.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) text: &'a str,
    /// Where the text begins in the answer.
    pub(crate) base: usize,
    /// Nothing comes behind it.
    pub(crate) last: bool,
    /// More should have come.
    pub(crate) cut: bool,
    pub(crate) record: &'a Record,
    pub(crate) grammar: &'a CallGrammar,
    pub(crate) dialects: Dialects,
    pub(crate) formats: &'a [CallFormat],
}

/// An opened thing with a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Opened {
    pub(crate) name: Range<usize>,
    /// Behind the opening tag.
    pub(crate) end: usize,
    /// The attributes, for [`View::attributes`].
    pub(crate) attributes: Range<usize>,
    /// It closes itself, as `<name/>`.
    pub(crate) closed: bool,
}

impl<'a> View<'a> {
    /// Where what can be seen ends.
    pub(crate) fn end(&self) -> usize {
        self.base + self.text.len()
    }

    pub(crate) fn slice(&self, range: Range<usize>) -> &'a str {
        let start = range.start.saturating_sub(self.base);
        self.text.get(start..range.end.saturating_sub(self.base)).unwrap_or_default()
    }

    pub(crate) fn byte(&self, at: usize) -> Option<u8> {
        self.from(at).first().copied()
    }

    pub(crate) fn from(&self, at: usize) -> &'a [u8] {
        self.text.as_bytes().get(at.saturating_sub(self.base)..).unwrap_or_default()
    }

    /// The next `<`.
    pub(crate) fn next_tag(&self, at: usize) -> Option<usize> {
        let found = memchr::memchr(b'<', self.from(at)).map(|found| at + found);
        self.record.add(found.unwrap_or(self.end()).saturating_sub(at));
        found
    }

    /// Where the blanks that begin here end. A long run is gone over once, however often it is asked
    /// for.
    pub(crate) fn blanks(&self, at: usize) -> usize {
        let mut runs = self.record.runs.get();
        let known = runs.iter().position(|(from, _)| *from == at);
        let from = known.and_then(|known| runs.get(known)).map_or(at, |(_, to)| *to);
        let run = self.from(from).iter().take_while(|byte| is_blank(**byte)).count();
        self.record.add(run + 1);
        let end = from + run;
        if end - at > 8 {
            // The longest-unused one goes to the end, where it is the next to be forgotten.
            let known = known.unwrap_or(runs.len() - 1);
            if let Some(older) = runs.get_mut(..=known) {
                older.rotate_right(1);
            }
            if let Some(first) = runs.first_mut() {
                *first = (at, end);
            }
            self.record.runs.set(runs);
        }
        end
    }

    /// Exactly this stands here; answers where it ends.
    pub(crate) fn literal(&self, at: usize, literal: &str) -> Look<usize> {
        let here = self.from(at);
        if here.starts_with(literal.as_bytes()) {
            self.record.add(literal.len());
            Look::Yes(at + literal.len())
        } else if literal.as_bytes().starts_with(here) {
            Look::More
        } else {
            Look::No
        }
    }

    /// `</name>`, blanks tolerated; answers where it ends.
    pub(crate) fn close(&self, at: usize, name: &str) -> Look<usize> {
        self.literal(at, "</")
            .then(|end| self.some_blanks(end, at))
            .then(|end| self.literal(end, name))
            .then(|end| self.some_blanks(end, at))
            .then(|end| self.literal(end, ">"))
    }

    /// Blanks within a tag that began at `start`: not so many that it is no tag any more.
    fn some_blanks(&self, at: usize, start: usize) -> Look<usize> {
        let end = self.blanks(at);
        if end - start > MAX_TAG { Look::No } else { Look::Yes(end) }
    }

    /// The name that begins here, and whether its end can be seen.
    fn name(&self, at: usize) -> (usize, bool) {
        let here = self.from(at);
        let here = here.get(..MAX_TAG).unwrap_or(here);
        let run = here.iter().take_while(|byte| is_name(**byte)).count();
        self.record.add(run + 1);
        (at + run, at + run < self.end())
    }

    /// The rest of a tag behind its name: quoted attributes, then `>` or `/>`.
    fn rest(&self, start: usize, name: Range<usize>) -> Look<Opened> {
        let mut at = name.end;
        let attributes = at;
        loop {
            let before = at;
            at = match self.some_blanks(at, start) {
                Look::Yes(end) => end,
                _ => return Look::No,
            };
            let opened = |end, closed| {
                let attributes = attributes..at;
                let name = name.clone();
                let small = end - start <= MAX_TAG;
                if small { Look::Yes(Opened { name, end, attributes, closed }) } else { Look::No }
            };
            match self.byte(at) {
                None if at - start > MAX_TAG => return Look::No,
                None => return Look::More,
                Some(b'>') => return opened(at + 1, false),
                Some(b'/') => return self.literal(at, "/>").then(|end| opened(end, true)),
                Some(byte) if before < at && is_name_start(byte) => {}
                Some(_) => return Look::No,
            }
            match self.attribute(at, start) {
                Look::Yes((_, _, end)) => at = end,
                Look::No => return Look::No,
                Look::More => return Look::More,
            }
        }
    }

    /// An attribute: its name, its value, and where it ends.
    fn attribute(&self, at: usize, start: usize) -> Look<(Range<usize>, Range<usize>, usize)> {
        let (end, whole) = self.name(at);
        if !whole {
            return if end - start > MAX_TAG { Look::No } else { Look::More };
        }
        let name = at..end;
        self.some_blanks(end, start)
            .then(|end| self.literal(end, "="))
            .then(|end| self.some_blanks(end, start))
            .then(|quote| match self.byte(quote) {
                None => Look::More,
                Some(byte @ (b'"' | b'\'')) => {
                    let inside = self.from(quote + 1);
                    let room = (start + MAX_TAG).saturating_sub(quote);
                    let found = memchr::memchr(byte, inside.get(..room).unwrap_or(inside));
                    self.record.add(found.unwrap_or(room.min(inside.len())));
                    match found {
                        Some(found) => {
                            let end = quote + 1 + found;
                            Look::Yes((name, quote + 1..end, end + 1))
                        }
                        None if inside.len() >= room => Look::No,
                        None => Look::More,
                    }
                }
                Some(_) => Look::No,
            })
    }

    /// The attributes of an opened tag: names and values.
    pub(crate) fn attributes(&self, opened: &Opened) -> Vec<(&'a str, &'a str)> {
        let mut found = Vec::new();
        let mut at = self.blanks(opened.attributes.start);
        while at < opened.attributes.end {
            let Look::Yes((name, value, end)) = self.attribute(at, opened.attributes.start) else {
                break;
            };
            found.push((self.slice(name), self.slice(value)));
            at = self.blanks(end);
        }
        found
    }

    /// A thing of this head opens here, whatever its name.
    pub(crate) fn open(&self, head: Head, at: usize) -> Look<Opened> {
        match head {
            Head::Tag => self.literal(at, "<").then(|from| self.tag(at, from, |_| true)),
            Head::Equals(literal) => self.literal(at, literal).then(|from| {
                let (end, whole) = self.name(from);
                match self.named(at, from..end, whole, |_| true) {
                    Look::Yes(name) => self.rest(at, name),
                    Look::No => Look::No,
                    Look::More => Look::More,
                }
            }),
            Head::Attribute(literal) => self.literal(at, literal).then(|from| {
                self.rest(at, from..from).then(|opened| {
                    let mut at = self.blanks(opened.attributes.start);
                    while at < opened.attributes.end {
                        let Look::Yes((name, value, end)) = self.attribute(at, from) else { break };
                        if self.slice(name) == "name" {
                            return Look::Yes(Opened { name: value, ..opened });
                        }
                        at = self.blanks(end);
                    }
                    Look::No
                })
            }),
            Head::Bare(literal) => {
                self.literal(at, literal).then(|from| self.some_blanks(from, at)).then(|from| {
                    let (end, whole) = self.name(from);
                    let whole = whole || self.last;
                    self.named(at, from..end, whole, |_| true).then(|name| {
                        let end = name.end;
                        let attributes = end..end;
                        Look::Yes(Opened { name, end, attributes, closed: false })
                    })
                })
            }
            Head::Pair(key, key_end, value) => self.literal(at, key).then(|from| {
                let room = self.from(from);
                let room = room.get(..MAX_TAG).unwrap_or(room);
                match memchr::memchr(b'<', room) {
                    None if room.len() == MAX_TAG => Look::No,
                    None => Look::More,
                    Some(found) => {
                        self.record.add(found);
                        let words = self.slice(from..from + found);
                        let start = from + (words.len() - words.trim_start().len());
                        let name = start..start + words.trim().len();
                        self.literal(from + found, key_end)
                            .then(|end| self.literal(self.blanks(end), value))
                            .then(|end| {
                                let attributes = end..end;
                                Look::Yes(Opened { name, end, attributes, closed: false })
                            })
                    }
                }
            }),
        }
    }

    /// `<name…>`, where the name must be one that `known` may still accept.
    pub(crate) fn tag(&self, at: usize, from: usize, known: impl Fn(&str) -> bool) -> Look<Opened> {
        match self.byte(from) {
            None => return Look::More,
            Some(byte) if !is_name_start(byte) => return Look::No,
            Some(_) => {}
        }
        let (end, whole) = self.name(from);
        self.named(at, from..end, whole, known).then(|name| self.rest(at, name))
    }

    fn named(
        &self,
        start: usize,
        name: Range<usize>,
        whole: bool,
        known: impl Fn(&str) -> bool,
    ) -> Look<Range<usize>> {
        if name.end - start >= MAX_TAG
            || (whole && name.is_empty())
            || !known(self.slice(name.clone()))
        {
            Look::No
        } else if whole {
            Look::Yes(name)
        } else {
            Look::More
        }
    }

    /// A tag with exactly this name opens here.
    pub(crate) fn open_named(&self, at: usize, name: &str) -> Look<Opened> {
        self.literal(at, "<").then(|from| {
            self.literal(from, name).then(|end| match self.byte(end) {
                Some(byte) if is_name(byte) => Look::No,
                _ => self.rest(at, from..end),
            })
        })
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

pub(crate) fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || !byte.is_ascii()
}

fn is_name(byte: u8) -> bool {
    is_name_start(byte) || byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b':')
}
