//! Text in a list of tools. What came from elsewhere must not look like the structure of the list, so
//! that nothing can forge a heading or a parameter.

use std::borrow::Cow;
use std::sync::Arc;

use super::marks::strip_noncharacters;
use super::normalise::indent_structure;
use super::{Change, Part, Source, Splice, Text, trim_blank_lines};

/// Which pieces of a text must not look like the structure of a tool list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Listing {
    /// Every piece.
    All,
    /// Only what came from somewhere else.
    Verbatim,
}

impl Text {
    /// Appends a description in a list of tools: verbatim, but a later line that looks like the
    /// structure of the list is indented by two blanks, so that nothing can forge a heading or a
    /// parameter.
    pub fn push_listed(&mut self, text: impl AsRef<str>, source: impl Into<Source>) {
        let source = source.into();
        let (clean, removed) = strip_noncharacters(text.as_ref());
        self.note(Change::Noncharacters, &source, removed);
        let (listed, indented) = indent_structure(&clean, false);
        self.note(Change::Indented, &source, indented);
        let text: Arc<str> = Arc::from(listed.as_ref());
        let range = trim_blank_lines(&text);
        self.push_range(text, range, source);
    }

    /// Appends a text as an entry of a tool list: lines that look like the structure of the list are
    /// indented, see [`push_listed`](Self::push_listed).
    pub(crate) fn append_listed(&mut self, other: &Text, listing: Listing) {
        self.notes.extend_from_slice(&other.notes);
        let mut line_start = false;
        for part in other.parts() {
            match part {
                Part::Authored(text) => {
                    let (listed, _) = match listing {
                        Listing::All => indent_structure(text, line_start),
                        Listing::Verbatim => (Cow::Borrowed(text), 0),
                    };
                    self.skeleton.push_str(&listed);
                    line_start = text.ends_with('\n');
                }
                Part::Splice(Splice::Verbatim(verbatim)) => {
                    let text = verbatim.as_str();
                    let (listed, indented) = indent_structure(text, line_start);
                    self.note(Change::Indented, &verbatim.source, indented);
                    let listed: Arc<str> = Arc::from(listed.as_ref());
                    let range = 0..listed.len();
                    self.push_range(listed, range, verbatim.source.clone());
                    line_start = false;
                }
                Part::Splice(section @ Splice::Section(_)) => {
                    self.push_splice(section.clone());
                    line_start = false;
                }
            }
        }
    }
}
