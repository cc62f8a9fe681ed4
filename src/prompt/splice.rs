//! The last step: tokens give way to what they stand for, in one pass into one pre-sized string. From
//! here on the text is only looked at.

use smallvec::SmallVec;

use super::{BuiltSection, Section, Span, SpanKind, TEMPLATE_SECTION, estimate_tokens};
use crate::component::Volatility;
use crate::error::{Error, ErrorKind};
use crate::id::Id;
use crate::text::{Part, Parts, Source, Splice, Text};

/// No prompt is larger than this many bytes: sections that print each other twice would double with
/// each step.
const LARGEST_PROMPT: usize = 256 << 20;

/// Joins a cleaned base text.
pub(crate) fn join(base: &Text) -> Result<String, Error> {
    let length = base.len();
    if length > LARGEST_PROMPT {
        return Err(Error::new(
            ErrorKind::TooLarge,
            format!("the prompt would have {length} bytes; the limit is {LARGEST_PROMPT}"),
        )
        .with_help("look for sections that print each other, or for a rules file that grew"));
    }
    let mut text = String::with_capacity(length);
    walk(base, |piece, _, _| text.push_str(piece));
    Ok(text)
}

/// Says which part of the joined text is what.
pub(crate) fn partition(base: &Text, origin: &Id) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    let mut last_serial = None;
    let mut end = 0;
    walk(base, |piece, source, open| {
        let start = end;
        end += piece.len();
        let serial = open.last().map(|open| open.serial);
        if last_serial != serial {
            sections.push(begin(open, origin, start));
            last_serial = serial;
        }
        if let Some(section) = sections.last_mut() {
            extend(section, start..end, source);
            // What the base template prints is known by where it came from.
            if let Some(source) = source
                && section.id == TEMPLATE_SECTION
            {
                section.volatility = section.volatility.max(if source.is_request() {
                    Volatility::Turn
                } else {
                    Volatility::Conversation
                });
            }
        }
    });
    for section in &mut sections {
        section.bytes = section.range.len();
        section.tokens = estimate_tokens(section.bytes);
    }
    sections
}

/// A text that is being walked: the base, or a section inside it.
struct Open<'a> {
    /// Tells one printing of a section from the next.
    serial: usize,
    section: Option<&'a BuiltSection>,
    parts: Parts<'a>,
}

/// Visits every piece of text in order, with its source where it is verbatim, and what it stands in.
/// An explicit stack, since sections may stand inside each other as deep as a pack likes.
fn walk<'a>(base: &'a Text, mut visit: impl FnMut(&'a str, Option<&'a Source>, &[Open<'a>])) {
    let mut serial = 0;
    let mut open: SmallVec<[Open<'_>; 4]> = SmallVec::new();
    open.push(Open { serial, section: None, parts: base.parts() });
    while let Some(top) = open.last_mut() {
        match top.parts.next() {
            None => {
                open.pop();
            }
            Some(Part::Splice(Splice::Section(section))) => {
                serial += 1;
                open.push(Open { serial, section: Some(section), parts: section.text().parts() });
            }
            Some(Part::Authored(piece)) => visit(piece, None, &open),
            Some(Part::Splice(Splice::Verbatim(verbatim))) => {
                visit(verbatim.as_str(), Some(verbatim.source()), &open);
            }
        }
    }
}

fn begin(open: &[Open<'_>], origin: &Id, start: usize) -> Section {
    let mut inner = open.iter().rev().filter_map(|open| open.section);
    let section = inner.next();
    Section {
        id: section.map_or_else(|| Id::from(TEMPLATE_SECTION), |section| section.id().clone()),
        range: start..start,
        origin: section.map_or(origin, BuiltSection::origin).clone(),
        volatility: section.map_or(Volatility::Static, BuiltSection::volatility),
        bytes: 0,
        tokens: 0,
        parent: inner.next().map(|parent| parent.id().clone()),
        spans: Vec::new(),
    }
}

fn extend(section: &mut Section, range: std::ops::Range<usize>, source: Option<&Source>) {
    section.range.end = range.end;
    match section.spans.last_mut() {
        // Authored text comes in pieces, wherever a mark stood; nobody needs to see that.
        Some(span) if span.source.as_ref() == source => span.end = range.end,
        _ => section.spans.push(Span {
            start: range.start,
            end: range.end,
            kind: if source.is_some() { SpanKind::Verbatim } else { SpanKind::Authored },
            source: source.cloned(),
        }),
    }
}
