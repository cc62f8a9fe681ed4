//! The last step: tokens give way to what they stand for, in one pass into one pre-sized string. From
//! here on the text is only looked at.

use super::{BuiltSection, Section, Span, SpanKind, TEMPLATE_SECTION, estimate_tokens};
use crate::component::Volatility;
use crate::error::{Error, ErrorKind};
use crate::text::{Part, Parts, Source, Splice, Text};

/// No prompt is larger than this many bytes: sections that print each other twice would double with
/// each step.
const LARGEST_PROMPT: usize = 256 << 20;

/// A text that is being written: the base, or a section inside it.
struct Open<'a> {
    /// Tells one printing of a section from the next.
    serial: usize,
    section: Option<&'a BuiltSection>,
    parts: Parts<'a>,
}

/// Joins a cleaned base text, and says which part of the result is what.
pub(crate) fn splice(base: &Text, origin: &str) -> Result<(String, Vec<Section>), Error> {
    let length = base.len();
    if length > LARGEST_PROMPT {
        return Err(Error::new(
            ErrorKind::TooLarge,
            format!("the prompt would have {length} bytes; the limit is {LARGEST_PROMPT}"),
        )
        .with_help("look for sections that print each other, or for a rules file that grew"));
    }
    let mut text = String::with_capacity(length);
    let mut sections: Vec<Section> = Vec::new();
    let mut last_serial = None;
    let mut serials = 0..;
    // An explicit stack, since sections may stand inside each other.
    let mut open =
        vec![Open { serial: serials.next().unwrap_or(0), section: None, parts: base.parts() }];
    while let Some(top) = open.last_mut() {
        let (piece, source) = match top.parts.next() {
            None => {
                open.pop();
                continue;
            }
            Some(Part::Splice(Splice::Section(section))) => {
                let serial = serials.next().unwrap_or(0);
                open.push(Open { serial, section: Some(section), parts: section.text().parts() });
                continue;
            }
            Some(Part::Authored(piece)) => (piece, None),
            Some(Part::Splice(Splice::Verbatim(verbatim))) => {
                (verbatim.as_str(), Some(verbatim.source()))
            }
        };
        let start = text.len();
        text.push_str(piece);
        let serial = top.serial;
        if last_serial != Some(serial) {
            sections.push(begin(&open, origin, start));
            last_serial = Some(serial);
        }
        if let Some(section) = sections.last_mut() {
            extend(section, start..text.len(), source);
        }
    }
    for section in &mut sections {
        section.bytes = section.range.len();
        section.tokens = estimate_tokens(section.bytes);
    }
    Ok((text, sections))
}

fn begin(open: &[Open<'_>], origin: &str, start: usize) -> Section {
    let mut inner = open.iter().rev().filter_map(|open| open.section);
    let section = inner.next();
    Section {
        id: section.map_or(TEMPLATE_SECTION, BuiltSection::id).to_owned(),
        range: start..start,
        origin: section.map_or(origin, BuiltSection::origin).to_owned(),
        volatility: section.map_or(Volatility::Static, BuiltSection::volatility),
        bytes: 0,
        tokens: 0,
        parent: inner.next().map(|parent| parent.id().to_owned()),
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
