//! The lines of a skeleton and what each one is on its own. A line is judged by its
//! visible characters, that is, as if `EMPTY` marks were not there, and never by its
//! neighbours.

use std::ops::Range;

use super::Level;
use crate::marks::EMPTY;

/// A line without its line break.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line<'a> {
    /// Offset in the text, in bytes.
    pub(super) start: usize,
    pub(super) text: &'a str,
}

/// What an unguarded line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineKind {
    Blank,
    /// Four or more `=` at column 0 of a document.
    Separator,
    /// `##` and nothing else.
    BareHeading,
    /// A heading and its depth, 1 to 6.
    Heading(usize),
    Text,
}

/// The lines of a text; a last line break ends the text with an empty line.
#[derive(Clone)]
pub(super) struct Lines<'a> {
    text: &'a str,
    /// Where `rest` is in the text.
    start: usize,
    rest: Option<&'a str>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, start: 0, rest: Some(text) }
    }

    /// What was gone through since this line, it included, as if it were one line.
    pub(super) fn all_since(&self, line: Line<'a>) -> Line<'a> {
        let end = match self.rest {
            Some(_) => self.start - 1, // the line break before the rest
            None => self.text.len(),
        };
        Line { start: line.start, text: self.text.get(line.start..end).unwrap_or(line.text) }
    }

    /// Takes the lines up to the first one whose beginning could make it more than text, a single
    /// empty line between two of them included: nothing in there can change. Most of a text is such.
    pub(super) fn take_plain(&mut self) -> Option<Range<usize>> {
        let rest = self.rest?;
        let bytes = rest.as_bytes();
        let is_plain = |at: usize| bytes.get(at..).is_some_and(starts_plain);
        if !is_plain(0) {
            return None;
        }
        let mut breaks = memchr::memchr_iter(b'\n', bytes);
        let mut end = bytes.len();
        while let Some(at) = breaks.next() {
            if is_plain(at + 1) {
                continue;
            }
            if bytes.get(at + 1) != Some(&b'\n') || !is_plain(at + 2) {
                end = at;
                break;
            }
            breaks.next();
        }
        let taken = self.start..self.start + end;
        self.start += end + 1;
        self.rest = rest.get(end + 1..);
        Some(taken)
    }
}

/// A line that begins so is no blank one, no heading, no separator and no marker of a guard: those
/// begin with a blank, with `#` or `=`, with one character twice, or with a word in capitals. (What
/// is not ASCII may be a mark, which does not count.)
#[inline]
fn starts_plain(line: &[u8]) -> bool {
    match *line {
        [b'#' | b'=', ..] => false,
        [b'S' | b'R', second, ..] => second.is_ascii() && second != b'E',
        [first, second, ..] => first.is_ascii_graphic() && second.is_ascii() && first != second,
        _ => false,
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    #[inline]
    fn next(&mut self) -> Option<Line<'a>> {
        let rest = self.rest?;
        let length = memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
        let line = Line { start: self.start, text: rest.get(..length)? };
        self.start += length + 1;
        self.rest = rest.get(length + 1..);
        Some(line)
    }
}

/// Whether a character takes no ink: a blank or a mark without width.
pub(super) fn is_invisible(character: char) -> bool {
    character.is_whitespace() || character == EMPTY
}

impl<'a> Line<'a> {
    pub(super) fn end(self) -> usize {
        self.start + self.text.len()
    }

    pub(super) fn range(self) -> Range<usize> {
        self.start..self.end()
    }

    #[inline]
    pub(super) fn visible(self) -> impl Iterator<Item = char> + use<'a> {
        self.text.chars().filter(|character| *character != EMPTY)
    }

    /// The line as it is printed where the text begins.
    #[inline]
    pub(super) fn without_indent(self) -> Self {
        let first = self.text.as_bytes().first();
        if first.is_some_and(u8::is_ascii_graphic) {
            return self; // Most lines have none.
        }
        let text = self.text.trim_start_matches(is_invisible);
        Self { start: self.end() - text.len(), text }
    }

    /// How often `character` is repeated at the beginning.
    pub(super) fn leading(self, character: char) -> usize {
        self.visible().take_while(|next| *next == character).count()
    }

    /// Whether only blanks follow the first `count` characters.
    pub(super) fn is_blank_after(self, count: usize) -> bool {
        self.visible().skip(count).all(char::is_whitespace)
    }

    #[inline]
    pub(super) fn kind(self, level: Level) -> LineKind {
        if self.text.is_empty() {
            return LineKind::Blank;
        }
        match self.visible().next() {
            None => LineKind::Blank,
            Some('=') if level == Level::Document && self.is_separator() => LineKind::Separator,
            Some('#') => self.heading_kind(),
            Some(first) if first.is_whitespace() && self.is_blank_after(1) => LineKind::Blank,
            Some(_) => LineKind::Text,
        }
    }

    fn is_separator(self) -> bool {
        let length = self.leading('=');
        length >= 4 && self.is_blank_after(length)
    }

    fn heading_kind(self) -> LineKind {
        let depth = self.leading('#');
        if depth == 2 && self.is_blank_after(depth) {
            return LineKind::BareHeading;
        }
        match self.visible().nth(depth) {
            Some(next) if depth <= 6 && next.is_whitespace() => LineKind::Heading(depth),
            _ => LineKind::Text,
        }
    }
}
