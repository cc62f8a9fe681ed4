//! Walks a skeleton: authored text, tokens, empty marks. The only place that reads tokens.

use super::Splice;
use super::marks::{CLOSE, EMPTY, OPEN, next_mark};

/// One part of a skeleton: authored text, or what a token refers to.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Part<'a> {
    Authored(&'a str),
    Splice(&'a Splice),
}

impl Part<'_> {
    /// The length of the finished text in bytes.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Authored(text) => text.len(),
            Self::Splice(Splice::Verbatim(verbatim)) => verbatim.as_str().len(),
            Self::Splice(Splice::Section(section)) => section.len(),
        }
    }
}

/// The parts of a skeleton, in order, without its empty marks.
#[derive(Debug, Clone)]
pub(crate) struct Parts<'a> {
    pub(super) raw: RawParts<'a>,
    pub(super) splices: &'a [Splice],
}

impl<'a> Parts<'a> {
    /// The skeleton that is walked.
    pub(crate) fn skeleton(&self) -> &'a str {
        self.raw.rest
    }

    /// The parts of another skeleton with the same tokens.
    pub(crate) fn of<'b>(&self, skeleton: &'b str) -> Parts<'b>
    where
        'a: 'b,
    {
        Parts { raw: RawParts::new(skeleton), splices: self.splices }
    }
}

impl<'a> Iterator for Parts<'a> {
    type Item = Part<'a>;

    fn next(&mut self) -> Option<Part<'a>> {
        loop {
            match self.raw.next()? {
                RawPart::Text(text) => return Some(Part::Authored(text)),
                RawPart::Token(index) => {
                    if let Some(splice) = self.splices.get(index) {
                        return Some(Part::Splice(splice));
                    }
                }
                RawPart::Empty => {}
            }
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) enum RawPart<'a> {
    Text(&'a str),
    Token(usize),
    Empty,
}

#[derive(Debug, Clone)]
pub(super) struct RawParts<'a> {
    rest: &'a str,
    /// There is no mark in it.
    plain: bool,
}

impl<'a> RawParts<'a> {
    pub(super) fn new(skeleton: &'a str) -> Self {
        Self { rest: skeleton, plain: false }
    }

    pub(super) fn plain(skeleton: &'a str) -> Self {
        Self { rest: skeleton, plain: true }
    }
}

impl<'a> Iterator for RawParts<'a> {
    type Item = RawPart<'a>;

    fn next(&mut self) -> Option<RawPart<'a>> {
        let rest = self.rest;
        if self.plain {
            self.rest = "";
            return (!rest.is_empty()).then_some(RawPart::Text(rest));
        }
        if let Some(after) = rest.strip_prefix(OPEN) {
            let (digits, after) = after.split_once(CLOSE).unwrap_or((after, ""));
            self.rest = after;
            return Some(RawPart::Token(digits.parse().unwrap_or(usize::MAX)));
        }
        if let Some(after) = rest.strip_prefix(EMPTY) {
            self.rest = after;
            return Some(RawPart::Empty);
        }
        if rest.is_empty() {
            return None;
        }
        let end = next_mark(rest).unwrap_or(rest.len());
        let (text, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        self.rest = after;
        Some(RawPart::Text(text))
    }
}
