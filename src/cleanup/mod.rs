//! The clean-up: takes out of a rendered template what came out empty, so that a
//! prompt reads as if nothing more had been planned. It works on authored text and must
//! never change a guarded block (see below) or look into text that is spliced in later.
//!
//! The rules, line by line (a line ends at `\n`; blank is [`char::is_whitespace`]):
//!
//! - **Blank lines.** Two or more in a row become one empty line; a single one stays as
//!   it is. Trailing blanks stay, but the text as a whole is trimmed.
//! - **Separators.** A line of four or more `=` at column 0, in a [`Level::Document`]
//!   only. Empty sections between separators go and the first separator stays as
//!   written, with one empty line on each side; none is left at either end.
//! - **Headings.** A bare `##` goes, and so does a heading whose placeholders all came
//!   out empty (only a skeleton knows that; see `headings`).
//! - **Guards.** Fenced code and diff blocks are text, whatever they hold (see `guards`).
//!
//! A line that goes was never there: the blank lines around it become neighbours, and
//! the line after it may become the first one. The first line is judged without its
//! indentation, since trimming will take that away.
//!
//! **Cleaning twice is cleaning once.** Two choices make that so. The first line is
//! judged as it will be printed. And what decides where a guard begins and ends never
//! goes: of all marker lines only a `=======` that is a separator can go, and it goes
//! where the text ends, where no opener precedes it, or where it follows another
//! separator. The last could let a diff block find a later middle line. But every closer
//! after the later middle comes after the earlier one too, so the block was whole
//! before, and its middle line was guarded.
//!
//! The rules grew from `postProcess` of Cline v4.0.10 (seed 001), whose regexes take
//! separators out of code, stop guarding a diff block after 50 characters, and need
//! several runs to come to rest.

mod guards;
mod headings;
mod lines;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::mem;
use std::ops::Range;

use crate::marks::{EMPTY, next_empty};
use guards::GuardedLines;
use headings::EmptiedBlocks;
use lines::{LineKind, is_invisible};

/// What the text is, which decides what a line of `====` means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Level {
    /// A base template: lines of four or more `=` separate its sections.
    Document,
    /// The text of one component: a line of `=` is text (a setext heading, a table).
    Section,
}

/// Cleans a text: empty sections, bare `##` lines and surplus blank lines go; fenced
/// code and diff blocks stay byte for byte. Takes linear time, and cleaning the result
/// again changes nothing.
///
/// Line ends are `\n`. Text that may hold CRLF or a byte order mark is normalised when
/// it is read, not here.
///
/// ```
/// use promptline::cleanup::{Level, clean};
///
/// let text = "You are Relay.\n====\n\n====\n# Rules\n\n\n\nBe brief.\n\n====\n";
/// assert_eq!(clean(text, Level::Document), "You are Relay.\n\n====\n\n# Rules\n\nBe brief.");
/// ```
pub fn clean(text: &str, level: Level) -> String {
    clean_lines(text, level).into_owned()
}

/// The part of a section, cleaned by itself. Nothing that is printed comes from here: it is for who
/// measures.
pub(crate) fn clean_part(skeleton: &str) -> Cow<'_, str> {
    clean_lines(skeleton, Level::Section)
}

/// Cleans a skeleton: text with tokens for what is spliced in later and `EMPTY` marks
/// where something printed nothing. Tokens are text; the marks have no width, decide
/// which headings go, and are gone from the result. A skeleton that is clean already
/// comes back without a copy.
pub(crate) fn clean_skeleton(text: String, level: Level) -> String {
    match clean_lines(&text, level) {
        Cow::Borrowed(whole) if whole.len() == text.len() => text,
        cleaned => cleaned.into_owned(),
    }
}

/// Returns a part of `text` where the ends are all that goes.
fn clean_lines(text: &str, level: Level) -> Cow<'_, str> {
    let has_marks = has_marks(text);
    let mut emptied =
        if has_marks { EmptiedBlocks::find(text, level) } else { EmptiedBlocks::default() };

    let mut output = Output::new(text, has_marks);
    let mut gap = Gap::default();
    let mut lines = GuardedLines::new(text);
    loop {
        if let Some(plain) = lines.take_plain() {
            output.keep(plain, mem::take(&mut gap));
        }
        let Some((line, is_guarded)) = lines.next() else {
            break;
        };
        let judged = if output.is_empty() { line.without_indent() } else { line };
        let kind = if is_guarded { LineKind::Text } else { judged.kind(level) };
        match kind {
            LineKind::Blank => gap.add_blank(judged.range()),
            LineKind::BareHeading => {}
            LineKind::Heading(_) if emptied.covers(line) => {}
            LineKind::Separator => gap.add_separator(judged.range()),
            LineKind::Heading(_) | LineKind::Text => {
                output.keep(judged.range(), mem::take(&mut gap));
            }
        }
    }
    output.finish()
}

fn has_marks(text: &str) -> bool {
    next_empty(text).is_some()
}

fn push_without_marks(out: &mut String, mut text: &str) {
    while let Some(at) = next_empty(text) {
        out.push_str(text.get(..at).unwrap_or_default());
        text = text.get(at + EMPTY.len_utf8()..).unwrap_or_default();
    }
    out.push_str(text);
}

/// What is between two lines that are kept. Ranges are lines as written.
#[derive(Default)]
enum Gap {
    #[default]
    Nothing,
    BlankLine(Range<usize>),
    BlankLines,
    Separator(Range<usize>),
}

impl Gap {
    fn add_blank(&mut self, line: Range<usize>) {
        match self {
            Self::Nothing => *self = Self::BlankLine(line),
            Self::BlankLine(_) => *self = Self::BlankLines,
            Self::BlankLines | Self::Separator(_) => {}
        }
    }

    fn add_separator(&mut self, line: Range<usize>) {
        if !matches!(self, Self::Separator(_)) {
            *self = Self::Separator(line);
        }
    }
}

/// The text that is kept. It is copied in stretches as long as possible, and not at all
/// if one stretch is everything.
struct Output<'a> {
    text: &'a str,
    /// Whether there are `EMPTY` marks to take out.
    has_marks: bool,
    copied: String,
    /// The part of `text` that is kept next, not yet copied.
    stretch: Range<usize>,
}

impl<'a> Output<'a> {
    fn new(text: &'a str, has_marks: bool) -> Self {
        Self { text, has_marks, copied: String::new(), stretch: 0..0 }
    }

    /// Whether no line was kept so far. (The first one that is kept is never blank.)
    fn is_empty(&self) -> bool {
        self.stretch.is_empty()
    }

    fn keep(&mut self, line: Range<usize>, gap: Gap) {
        if self.is_empty() {
            self.stretch = line;
            return;
        }
        match gap {
            Gap::Nothing => self.append("\n", line),
            Gap::BlankLine(blank) => {
                self.append("\n", blank);
                self.append("\n", line);
            }
            Gap::BlankLines => self.append("\n\n", line),
            Gap::Separator(separator) => {
                self.append("\n\n", separator);
                self.append("\n\n", line);
            }
        }
    }

    fn append(&mut self, line_breaks: &str, line: Range<usize>) {
        if self.text.as_bytes().get(self.stretch.end..line.start) == Some(line_breaks.as_bytes()) {
            self.stretch.end = line.end;
        } else {
            self.copy_stretch();
            self.copied.push_str(line_breaks);
            self.stretch = line;
        }
    }

    fn copy_stretch(&mut self) {
        if self.copied.is_empty() {
            // The result is seldom longer than the text: only separators gain lines.
            self.copied.reserve(self.text.len() + self.text.len() / 16);
        }
        let kept = self.text.get(self.stretch.clone()).unwrap_or_default();
        if self.has_marks {
            push_without_marks(&mut self.copied, kept);
        } else {
            self.copied.push_str(kept);
        }
    }

    fn finish(mut self) -> Cow<'a, str> {
        let kept = self.text.get(self.stretch.clone()).unwrap_or_default();
        let kept = kept.trim_end_matches(is_invisible);
        if self.copied.is_empty() && !self.has_marks {
            return Cow::Borrowed(kept);
        }
        self.stretch.end = self.stretch.start + kept.len();
        self.copy_stretch();
        Cow::Owned(self.copied)
    }
}
