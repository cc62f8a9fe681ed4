//! A place in a text.

use std::fmt;
use std::ops::Range;

use serde::Serialize;

/// A place in a text: line and column in characters, from 1, and how many characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[non_exhaustive]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
    /// How many characters; at least 1.
    pub length: usize,
}

impl Default for Place {
    fn default() -> Self {
        Self { line: 1, column: 1, length: 1 }
    }
}

impl Place {
    /// The place of these bytes.
    #[must_use]
    pub fn of(text: &str, bytes: Range<usize>) -> Self {
        let before = text.get(..bytes.start).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let part = text.get(bytes).unwrap_or_default();
        let part = part.lines().next().unwrap_or_default();
        Self {
            line: before.bytes().filter(|byte| *byte == b'\n').count() + 1,
            column: before.get(line_start..).unwrap_or_default().chars().count() + 1,
            length: part.chars().count().max(1),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.line, self.column)
    }
}

/// The places of many spans in one text, in one pass. The spans come in order.
pub(crate) struct Places<'t> {
    text: &'t str,
    line: usize,
    line_start: usize,
}

impl<'t> Places<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self { text, line: 1, line_start: 0 }
    }

    pub(crate) fn of(&mut self, bytes: Range<usize>) -> Place {
        let between = self.text.get(self.line_start..bytes.start).unwrap_or_default();
        for (at, _) in between.match_indices('\n') {
            self.line += 1;
            self.line_start = self.line_start.max(bytes.start - between.len() + at + 1);
        }
        let column = self.text.get(self.line_start..bytes.start).unwrap_or_default();
        let part = self.text.get(bytes).unwrap_or_default();
        Place {
            line: self.line,
            column: column.chars().count() + 1,
            length: part.chars().count().max(1),
        }
    }
}
