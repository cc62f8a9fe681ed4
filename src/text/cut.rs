//! Cuts a finished text: what stays keeps its marks and its sources, verbatim text stays a stretch of the
//! same string. Sections that are printed inside it stay whole or go.

use std::ops::Range;
use std::sync::Arc;

use super::{Part, Splice, Text, Verbatim};
use crate::text::BuiltSection;

/// What comes out of a cut, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kept {
    /// A stretch of the finished text, in bytes.
    Stretch(Range<usize>),
    /// Authored words in place of what went.
    Words(String),
}

/// What becomes of a section that is printed inside a text.
pub(crate) enum Inner {
    Same,
    Other(Arc<BuiltSection>),
    Gone,
}

impl Text {
    /// The parts with where they are in the finished text.
    pub(crate) fn placed_parts(&self) -> impl Iterator<Item = (Range<usize>, Part<'_>)> {
        let mut end = 0_usize;
        self.parts().map(move |part| {
            let start = end;
            end = end.saturating_add(part.len());
            (start..end, part)
        })
    }

    /// The sections that are printed directly inside this text, once for each time.
    pub(crate) fn inner_sections(&self) -> impl Iterator<Item = &Arc<BuiltSection>> {
        self.splices.iter().filter_map(|splice| match splice {
            Splice::Section(section) => Some(section),
            Splice::Verbatim(_) => None,
        })
    }

    /// The finished text without the sections that are printed inside it.
    pub(crate) fn own_text(&self) -> String {
        let own = |part| match part {
            Part::Authored(text) => Some(text),
            Part::Splice(Splice::Verbatim(verbatim)) => Some(verbatim.as_str()),
            Part::Splice(Splice::Section(_)) => None,
        };
        self.parts().filter_map(own).collect()
    }

    /// Only what is kept. The stretches are in order, do not overlap, and begin and end between
    /// characters.
    pub(crate) fn keep(&self, kept: &[Kept]) -> Self {
        let mut out = Self::new();
        let mut parts = self.placed_parts().peekable();
        for kept in kept {
            let stretch = match kept {
                Kept::Words(words) => {
                    out.push_authored(words);
                    continue;
                }
                Kept::Stretch(stretch) => stretch,
            };
            while let Some((place, part)) = parts.peek() {
                if place.start >= stretch.end {
                    break;
                }
                let from = stretch.start.max(place.start) - place.start;
                let to = stretch.end.min(place.end).saturating_sub(place.start);
                if from < to {
                    out.push_part(part, from..to);
                }
                // It may go on in the next stretch.
                if place.end > stretch.end {
                    break;
                }
                parts.next();
            }
        }
        out
    }

    fn push_part(&mut self, part: &Part<'_>, range: Range<usize>) {
        match part {
            Part::Authored(text) => self.push_trusted(text.get(range).unwrap_or_default()),
            Part::Splice(Splice::Verbatim(whole)) => {
                let Verbatim { text, range: within, source } = whole;
                let range = within.start + range.start..within.start + range.end;
                self.push_range(Arc::clone(text), range, source.clone());
            }
            Part::Splice(Splice::Section(section)) => {
                if range == (0..section.len()) {
                    self.push_section(section);
                }
            }
        }
    }

    /// The same text with other sections printed inside it; `None` when all stay the same. Where one is
    /// gone an empty mark stays, for the clean-up that must follow.
    pub(crate) fn with_inner_sections(
        &self,
        inner: impl Fn(&BuiltSection) -> Inner,
    ) -> Option<Self> {
        if self.inner_sections().all(|section| matches!(inner(section), Inner::Same)) {
            return None;
        }
        let mut out = Self::new();
        for part in self.parts() {
            match part {
                Part::Splice(Splice::Section(section)) => match inner(section) {
                    Inner::Same => out.push_section(section),
                    Inner::Other(other) => out.push_section(&other),
                    Inner::Gone => out.push_empty(),
                },
                whole => out.push_part(&whole, 0..whole.len()),
            }
        }
        Some(out)
    }
}
