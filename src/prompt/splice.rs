//! The last step: tokens give way to what they stand for, in one pass into one pre-sized string. From
//! here on the text is only looked at.

use smallvec::SmallVec;

use super::cache::Break;
use super::{BuiltSection, Parted, Prompt, Section, Span, SpanKind, TEMPLATE_SECTION};
use crate::text::Volatility;
use crate::text::{Part, Parts, Source, Splice, Text};
use crate::tokens::Counter;
use promptline_diagnostic::Id;
use promptline_diagnostic::{Error, ErrorKind};

/// No prompt is larger than this many bytes: sections that print each other twice would double with
/// each step.
const LARGEST_PROMPT: usize = 256 << 20;

/// As many parts as most prompts have.
const USUAL_SECTIONS: usize = 32;

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

/// What a joined text costs, as [`Prompt::tokens`] counts it: part by part.
pub(crate) fn tokens(base: &Text, text: &str, counter: &Counter) -> usize {
    let (mut tokens, mut start, mut end) = (0, 0, 0);
    let mut last: Option<(usize, Option<&BuiltSection>)> = None;
    let part = |start: usize, end: usize, last: Option<(usize, Option<&BuiltSection>)>| {
        let part = text.get(start..end).unwrap_or_default();
        match last.and_then(|(_, section)| section).filter(|section| section.len() == part.len()) {
            Some(built) => built.tokens(counter, part),
            None => counter.count(part),
        }
    };
    walk(base, |piece, _, open| {
        let now = open.last().map(|open| (open.serial, open.section));
        if last.map(|(serial, _)| serial) != now.map(|(serial, _)| serial) {
            tokens += part(start, end, last);
            (start, last) = (end, now);
        }
        end += piece.len();
    });
    tokens + part(start, end, last)
}

/// Says which part of the joined text is what.
pub(super) fn partition(prompt: &Prompt) -> Parted {
    let template = Id::from(TEMPLATE_SECTION);
    let mut sections: Vec<Section> = Vec::with_capacity(USUAL_SECTIONS);
    let mut last_serial = None;
    let mut end = 0;
    walk(&prompt.base, |piece, source, open| {
        let start = end;
        end += piece.len();
        let serial = open.last().map(|open| open.serial);
        if last_serial != serial {
            if let Some(done) = sections.last_mut() {
                measure(done, prompt, None);
            }
            sections.push(begin(open, &template, &prompt.base_origin, start));
            last_serial = serial;
        }
        if let Some(section) = sections.last_mut() {
            extend(section, start..end, source);
            let built = open.last().and_then(|open| open.section);
            match (source, built) {
                // What the base template prints is known by where it came from.
                (Some(source), None) => {
                    section.volatility = section.volatility.max(source.volatility())
                }
                (_, Some(built)) if built.len() == section.range.len() => {
                    measure(section, prompt, Some(built));
                }
                _ => {}
            }
        }
    });
    if let Some(last) = sections.last_mut() {
        measure(last, prompt, None);
    }
    let breaks = prompt.breaks.iter().map(|found| place(found, &mut sections)).collect();
    Parted { sections, breaks }
}

/// Counts a part; one that is all of its section is counted once for all prompts.
fn measure(section: &mut Section, prompt: &Prompt, built: Option<&BuiltSection>) {
    if section.bytes == section.range.len() {
        return;
    }
    section.bytes = section.range.len();
    let text = prompt.text.get(section.range.clone()).unwrap_or_default();
    section.tokens = match built {
        Some(built) => built.tokens(&prompt.counter, text),
        None => prompt.counter.count(text),
    };
}

/// Where the text may change that follows a section. What the base template says there depends on
/// the same.
fn place(found: &Break, sections: &mut [Section]) -> (usize, Volatility) {
    let next = match &found.after {
        None => 0,
        // Where a condition leaves out a printing, it is unknown which ones are there.
        Some(anchor) => Some(ends_of(&anchor.id, sections))
            .filter(|ends| ends.len() == anchor.of)
            .and_then(|ends| ends.get(anchor.nth.saturating_sub(1)).copied())
            .unwrap_or(0),
    };
    if let Some(behind) = sections.get_mut(next).filter(|section| section.id == TEMPLATE_SECTION) {
        behind.volatility = behind.volatility.max(found.volatility);
    }
    let before = next.checked_sub(1).and_then(|last| sections.get(last));
    (before.map_or(0, |section| section.range.end), found.volatility)
}

/// Which part comes behind each printing of a section by the base template.
fn ends_of(id: &Id, sections: &[Section]) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut open = false;
    for (at, section) in sections.iter().enumerate() {
        // What is printed inside of it is in between.
        let inside = section.parent.is_some() && open;
        let own = section.parent.is_none() && section.id == *id;
        if open && !inside && !own {
            ends.push(at);
        }
        open = inside || own;
    }
    if open {
        ends.push(sections.len());
    }
    ends
}

/// A text that is being walked: the base, or a section inside it.
struct Open<'a> {
    /// Distinguishes one printing of a section from the next.
    serial: usize,
    section: Option<&'a BuiltSection>,
    parts: Parts<'a>,
}

/// Visits every piece of text in order, with its source where it is verbatim, and what it is in.
/// An explicit stack, since sections may be nested to any depth.
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

fn begin(open: &[Open<'_>], template: &Id, origin: &Id, start: usize) -> Section {
    let mut inner = open.iter().rev().filter_map(|open| open.section);
    let section = inner.next();
    Section {
        id: section.map_or(template, BuiltSection::id).clone(),
        range: start..start,
        origin: section.map_or(origin, BuiltSection::origin).clone(),
        volatility: section.map_or(Volatility::Static, BuiltSection::volatility),
        bytes: 0,
        tokens: 0,
        parent: inner.next().map(|parent| parent.id().clone()),
        spans: Vec::with_capacity(1),
    }
}

fn extend(section: &mut Section, range: std::ops::Range<usize>, source: Option<&Source>) {
    section.range.end = range.end;
    match section.spans.last_mut() {
        // Authored text comes in pieces, wherever a mark was; that is an internal detail.
        Some(span) if span.source.as_ref() == source => span.end = range.end,
        _ => section.spans.push(Span {
            start: range.start,
            end: range.end,
            kind: if source.is_some() { SpanKind::Verbatim } else { SpanKind::Authored },
            source: source.cloned(),
        }),
    }
}
