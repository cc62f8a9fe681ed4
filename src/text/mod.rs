//! Text that knows where it came from. **Authored** text is what a pack's author wrote; it may be
//! cleaned. **Verbatim** text came from somewhere else (rules files, MCP servers, paths, runtime
//! values); it is never parsed, never cleaned, never searched for structure, and comes out byte for
//! byte. A [`Text`] mixes both; they are joined only when the prompt is finished.

mod cut;
pub(crate) mod invisible;
mod listed;
mod normalise;
mod parts;
mod section;
mod source;
#[cfg(test)]
mod tests;
mod volatility;

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::cleanup::{Level, clean_skeleton};
pub(crate) use crate::marks;
use crate::marks::{CLOSE, EMPTY, OPEN, strip_noncharacters};
pub(crate) use cut::{Inner, Kept};
pub(crate) use listed::Listing;
pub use normalise::normalise;
pub(crate) use normalise::{trim_blank_lines, unify_line_ends};
pub(crate) use parts::{Part, Parts};
use parts::{RawPart, RawParts};
pub(crate) use promptline_diagnostic::words::one_line;
pub(crate) use section::BuiltSection;
pub use source::Source;
pub use volatility::Volatility;

/// A text of authored and verbatim pieces.
///
/// `From<&'static str>` is authored (it is in your program), `From<String>` is verbatim (it was
/// made at run time; say [`Text::authored`] if you know better).
///
/// ```
/// use promptline::Text;
/// let mut text = Text::authored("Open tickets:\n");
/// text.push_verbatim("{{not a template}}", "tickets");
/// assert_eq!(text.to_string(), "Open tickets:\n{{not a template}}");
/// ```
#[derive(Clone, Default)]
pub struct Text {
    /// Authored text, with a token (see `marks`) for each splice and a mark where something that
    /// could have printed did not.
    skeleton: String,
    splices: Vec<Splice>,
    notes: Vec<Note>,
    /// Such a mark may stand in the skeleton.
    empties: bool,
}

/// What a token refers to.
#[derive(Debug, Clone)]
pub(crate) enum Splice {
    Verbatim(Verbatim),
    Section(Arc<BuiltSection>),
}

/// Verbatim text, without its outer blank lines.
#[derive(Debug, Clone)]
pub(crate) struct Verbatim {
    text: Arc<str>,
    range: Range<usize>,
    source: Source,
}

impl Verbatim {
    pub(crate) fn as_str(&self) -> &str {
        self.text.get(self.range.clone()).unwrap_or_default()
    }

    pub(crate) fn source(&self) -> &Source {
        &self.source
    }
}

/// What was changed in verbatim text on its way in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Note {
    pub(crate) change: Change,
    pub(crate) source: Source,
    pub(crate) count: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    /// Noncharacters were removed.
    Noncharacters,
    /// Line breaks or controls in a label became blanks.
    LineBreaks,
    /// Lines of a description that looked like structure were indented.
    Indented,
}

/// One piece of a [`Text`], as [`Text::pieces`] gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Piece<'a> {
    /// Text that the author of the pack wrote.
    Authored(&'a str),
    /// Text that came from somewhere else.
    Verbatim {
        /// The text, byte for byte.
        text: &'a str,
        /// Where it came from.
        source: &'a Source,
    },
}

impl Text {
    /// An empty text.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Text that the author of the pack (or of the program) wrote. It is cleaned as all authored
    /// text is; it is **not** read as a template.
    #[must_use]
    pub fn authored(text: impl AsRef<str>) -> Self {
        let mut made = Self::new();
        made.push_authored(text);
        made
    }

    /// Text from somewhere else: a block that comes out byte for byte, but for its outer blank lines.
    #[must_use]
    pub fn verbatim(text: impl Into<Arc<str>>, source: impl Into<Source>) -> Self {
        let mut made = Self::new();
        made.push_verbatim(text, source);
        made
    }

    /// A name, path, id or title from somewhere else: one line; line breaks and controls become
    /// blanks and are reported.
    #[must_use]
    pub fn label(text: impl AsRef<str>, source: impl Into<Source>) -> Self {
        let mut made = Self::new();
        made.push_label(text, source);
        made
    }

    /// Appends authored text.
    #[inline]
    pub fn push_authored(&mut self, text: impl AsRef<str>) {
        let text = text.as_ref();
        // ASCII (nearly every text) cannot hold a noncharacter: no search, no note.
        if text.is_ascii() {
            return self.push_trusted(text);
        }
        self.push_stripped(text);
    }

    fn push_stripped(&mut self, text: &str) {
        let (text, removed) = strip_noncharacters(text);
        self.skeleton.push_str(&text);
        if removed > 0 {
            self.note(Change::Noncharacters, &Source::known("authored"), removed);
        }
    }

    /// Appends a verbatim block. A blank one counts as empty.
    pub fn push_verbatim(&mut self, text: impl Into<Arc<str>>, source: impl Into<Source>) {
        let text: Arc<str> = text.into();
        let source = source.into();
        let (clean, removed) = strip_noncharacters(&text);
        let text = match clean {
            Cow::Borrowed(_) => Arc::clone(&text),
            Cow::Owned(clean) => Arc::from(clean),
        };
        self.note(Change::Noncharacters, &source, removed);
        let range = trim_blank_lines(&text);
        self.push_range(text, range, source);
    }

    /// Appends a label.
    pub fn push_label(&mut self, text: impl AsRef<str>, source: impl Into<Source>) {
        let source = source.into();
        let (clean, removed) = strip_noncharacters(text.as_ref());
        self.note(Change::Noncharacters, &source, removed);
        let (line, breaks) = one_line(&clean);
        self.note(Change::LineBreaks, &source, breaks);
        let text: Arc<str> = Arc::from(line.as_ref());
        let range = if line.trim().is_empty() { 0..0 } else { 0..text.len() };
        self.push_range(text, range, source);
    }

    /// Appends another text with all its pieces.
    pub fn push(&mut self, other: impl Into<Text>) {
        self.append(&other.into());
    }

    /// The text is empty or blank: a component that returns it has no section.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.parts().all(|part| match part {
            Part::Authored(text) => text.trim().is_empty(),
            Part::Splice(_) => false,
        })
    }

    /// The pieces in order. Sections that were built before and are printed inside this text give
    /// their own pieces.
    pub fn pieces(&self) -> impl Iterator<Item = Piece<'_>> {
        let mut pieces = Vec::new();
        self.collect_pieces(&mut pieces);
        pieces.into_iter()
    }

    fn collect_pieces<'a>(&'a self, pieces: &mut Vec<Piece<'a>>) {
        // An explicit stack: sections may be nested to any depth.
        let mut stack = vec![self.parts()];
        while let Some(parts) = stack.last_mut() {
            match parts.next() {
                None => {
                    stack.pop();
                }
                Some(Part::Authored(text)) => pieces.push(Piece::Authored(text)),
                Some(Part::Splice(Splice::Verbatim(verbatim))) => pieces
                    .push(Piece::Verbatim { text: verbatim.as_str(), source: verbatim.source() }),
                Some(Part::Splice(Splice::Section(section))) => stack.push(section.text().parts()),
            }
        }
    }

    /// The length of the finished text in bytes; saturates.
    #[must_use]
    pub fn len(&self) -> usize {
        self.parts().fold(0, |sum, part| sum.saturating_add(part.len()))
    }

    /// No bytes at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        // The first byte decides: lists ask before each entry.
        self.parts().all(|part| part.len() == 0)
    }

    // ---- for the crate's own modules: skeletons --------------------------------------------------

    /// Appends authored text that is known to hold no marks (a template that was normalised at load).
    pub(crate) fn push_trusted(&mut self, text: &str) {
        self.skeleton.push_str(text);
    }

    /// Where the text ends now, for [`cut_at`](Self::cut_at).
    pub(crate) fn end(&self) -> [usize; 3] {
        [self.skeleton.len(), self.splices.len(), self.notes.len()]
    }

    /// What was appended since.
    pub(crate) fn since(&self, [skeleton, _, _]: [usize; 3]) -> Parts<'_> {
        self.parts_of(self.skeleton.get(skeleton..).unwrap_or_default())
    }

    /// Takes back everything that was appended since.
    pub(crate) fn cut_at(&mut self, [skeleton, splices, notes]: [usize; 3]) {
        self.skeleton.truncate(skeleton);
        self.splices.truncate(splices);
        self.notes.truncate(notes);
    }

    /// Says that something which could have printed here printed nothing.
    pub(crate) fn push_empty(&mut self) {
        self.skeleton.push(EMPTY);
        self.empties = true;
    }

    /// Appends a section that was built before.
    pub(crate) fn push_section(&mut self, section: &Arc<BuiltSection>) {
        self.push_splice(Splice::Section(Arc::clone(section)));
    }

    pub(crate) fn has_verbatim(&self) -> bool {
        !self.splices.is_empty()
    }

    /// Appends another text with all its pieces, without taking it.
    pub(crate) fn append(&mut self, other: &Text) {
        self.notes.extend_from_slice(&other.notes);
        self.empties |= other.empties;
        if other.splices.is_empty() {
            self.skeleton.push_str(&other.skeleton);
            return;
        }
        for part in RawParts::new(&other.skeleton) {
            match part {
                RawPart::Text(text) => self.skeleton.push_str(text),
                RawPart::Empty => self.push_empty(),
                RawPart::Token(index) => {
                    if let Some(splice) = other.splices.get(index) {
                        self.push_splice(splice.clone());
                    }
                }
            }
        }
    }

    /// Cleans the skeleton, which takes the empty marks out of it.
    pub(crate) fn cleaned(mut self, level: Level) -> Self {
        self.skeleton = clean_skeleton(self.skeleton, level);
        self.empties = false;
        self
    }

    pub(crate) fn into_skeleton(self) -> String {
        self.skeleton
    }

    /// Takes the skeleton, and keeps what its tokens stand for.
    #[cfg(feature = "handlebars")]
    pub(crate) fn take_skeleton(&mut self) -> String {
        std::mem::take(&mut self.skeleton)
    }

    /// Sets a skeleton whose tokens are of this text.
    #[cfg(feature = "handlebars")]
    pub(crate) fn set_skeleton(&mut self, skeleton: String) {
        self.skeleton = skeleton;
    }

    pub(crate) fn skeleton(&self) -> &str {
        &self.skeleton
    }

    /// Makes room for so many bytes.
    pub(crate) fn reserve(&mut self, bytes: usize) {
        self.skeleton.reserve(bytes);
    }

    /// Makes room for so many values that come from elsewhere.
    pub(crate) fn reserve_values(&mut self, values: usize) {
        self.splices.reserve(values);
    }

    pub(crate) fn parts(&self) -> Parts<'_> {
        self.parts_of(&self.skeleton)
    }

    /// A stretch without any mark is one part, and need not be searched for them.
    fn parts_of<'a>(&'a self, skeleton: &'a str) -> Parts<'a> {
        let marked = self.empties || !self.splices.is_empty();
        let raw = if marked { RawParts::new(skeleton) } else { RawParts::plain(skeleton) };
        Parts { raw, splices: &self.splices }
    }

    /// The invisible characters that verbatim text holds, by source, in words; stripped on request.
    pub(crate) fn check_invisible(&mut self, strip: bool) -> Vec<(Source, String)> {
        let mut all = Vec::new();
        for splice in &mut self.splices {
            let Splice::Verbatim(verbatim) = splice else {
                continue;
            };
            let Some(found) = invisible::describe(verbatim.as_str()) else {
                continue;
            };
            all.push((verbatim.source.clone(), found));
            if let Some(kept) =
                strip.then(|| invisible::strip_invisible(verbatim.as_str())).flatten()
            {
                verbatim.range = 0..kept.len();
                verbatim.text = Arc::from(kept);
            }
        }
        all
    }

    pub(crate) fn take_notes(&mut self) -> Vec<Note> {
        std::mem::take(&mut self.notes)
    }

    fn push_range(&mut self, text: Arc<str>, range: Range<usize>, source: Source) {
        if range.is_empty() {
            self.push_empty();
        } else {
            self.push_splice(Splice::Verbatim(Verbatim { text, range, source }));
        }
    }

    fn push_splice(&mut self, splice: Splice) {
        use std::fmt::Write as _;
        self.skeleton.push(OPEN);
        // Writing to a String cannot fail.
        let _ = write!(self.skeleton, "{}", self.splices.len());
        self.skeleton.push(CLOSE);
        self.splices.push(splice);
    }

    fn note(&mut self, change: Change, source: &Source, count: usize) {
        if count > 0 {
            self.notes.push(Note { change, source: source.clone(), count });
        }
    }
}

impl From<&'static str> for Text {
    fn from(text: &'static str) -> Self {
        Self::authored(text)
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self::verbatim(text, "host")
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for piece in self.pieces() {
            match piece {
                Piece::Authored(text) | Piece::Verbatim { text, .. } => f.write_str(text)?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.pieces()).finish()
    }
}
