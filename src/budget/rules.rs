//! The rules files in a section, found by the sources of their texts: a heading with the path, then what
//! the file says.

use std::ops::Range;

use super::RulesCut;
use crate::text::{Part, Splice, Text};

/// What sources of rules files begin with.
const RULES: &str = "rules:";

/// A rules file in a finished text.
pub(super) struct File<'a> {
    pub(super) path: &'a str,
    /// From its heading to the heading of the next file, or to the end of the last one.
    pub(super) range: Range<usize>,
    /// What it says.
    pub(super) body: Range<usize>,
}

impl File<'_> {
    pub(super) fn cut(&self, dropped: bool) -> RulesCut {
        RulesCut { path: self.path.to_owned(), dropped }
    }
}

/// The files in order. `flat` is the finished text.
pub(super) fn files<'a>(text: &'a Text, flat: &str) -> Vec<File<'a>> {
    let mut files: Vec<File<'_>> = Vec::new();
    for (place, part) in text.placed_parts() {
        let Part::Splice(Splice::Verbatim(verbatim)) = part else { continue };
        let Some(path) = verbatim.source().as_str().strip_prefix(RULES) else { continue };
        match files.last_mut() {
            // The label in the heading came first.
            Some(file) if file.path == path => {
                file.range.end = place.end;
                file.body = place;
            }
            _ => {
                let before = flat.get(..place.start).unwrap_or_default();
                let start = before.rfind('\n').map_or(0, |line| line + 1);
                if let Some(previous) = files.last_mut() {
                    previous.range.end = start;
                }
                files.push(File { path, range: start..place.end, body: place });
            }
        }
    }
    files
}
