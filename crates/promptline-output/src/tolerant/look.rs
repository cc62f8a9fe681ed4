//! Looking ahead in a text that may still grow. Every look is counted, and each goes no farther than the
//! next quote, the next mark of its kind or a fixed number of bytes, so that all of them together stay
//! linear.

use std::cell::Cell;

use super::chars::{Quote, is_odd_blank};

/// No name without quotes is longer, in bytes.
pub(super) const NAME: usize = 96;
/// No look into a string goes farther, in bytes.
pub(super) const FAR: usize = 512;

/// What a look found: the text may end before it can be known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    Yes,
    No,
    /// The text ends here.
    End,
}

/// A text and how far it goes for now.
#[derive(Debug)]
pub(crate) struct Look<'t> {
    pub(crate) text: &'t str,
    /// More may come behind the end.
    pub(crate) more: bool,
    work: Cell<u64>,
    marks: Marks,
}

/// Where the next `*/`, `-->` and line break are: looks only move forward, and what has been searched
/// once is not searched again.
#[derive(Debug, Clone, Default)]
pub(crate) struct Marks {
    block_end: Cell<Option<Searched>>,
    markup_end: Cell<Option<Searched>>,
    line_end: Cell<Option<Searched>>,
}

/// From here to there nothing was found; `hit`: but there.
#[derive(Debug, Clone, Copy)]
struct Searched {
    from: usize,
    to: usize,
    hit: bool,
}

impl<'t> Look<'t> {
    pub(crate) fn new(text: &'t str, more: bool) -> Self {
        Self::after(text, more, Marks::default())
    }

    /// Looks on in a text that has grown.
    pub(crate) fn after(text: &'t str, more: bool, marks: Marks) -> Self {
        Self { text, more, work: Cell::new(0), marks }
    }

    /// What has been searched.
    pub(crate) fn into_marks(self) -> Marks {
        self.marks
    }

    pub(crate) fn count(&self, bytes: usize) {
        self.work.set(self.work.get() + bytes as u64);
    }

    /// Bytes looked at so far.
    pub(crate) fn work(&self) -> u64 {
        self.work.get()
    }

    pub(crate) fn end(&self) -> usize {
        self.text.len()
    }

    #[inline]
    pub(crate) fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    #[inline]
    pub(crate) fn char(&self, at: usize) -> Option<char> {
        match self.byte(at)? {
            byte if byte < 0x80 => Some(byte as char),
            _ => self.text.get(at..)?.chars().next(),
        }
    }

    /// The text between two places.
    pub(crate) fn slice(&self, from: usize, to: usize) -> &'t str {
        self.text.get(from..to).unwrap_or_default()
    }

    pub(crate) fn starts(&self, at: usize, what: &str) -> bool {
        self.text.as_bytes().get(at..).is_some_and(|rest| rest.starts_with(what.as_bytes()))
    }

    /// The next place that is not blank.
    pub(crate) fn blank(&self, from: usize) -> usize {
        let mut at = from;
        loop {
            match self.byte(at) {
                Some(b' ' | b'\n' | b'\r' | b'\t') => at += 1,
                Some(byte) if !(0x20..0x7f).contains(&byte) => match self.char(at) {
                    Some(c) if is_odd_blank(c) => at += c.len_utf8(),
                    _ => break,
                },
                _ => break,
            }
        }
        self.count(at - from + 1);
        at
    }

    /// The next place that is not blank, where line breaks and tabs may be written as escapes.
    pub(crate) fn escaped_blank(&self, from: usize) -> usize {
        let mut at = self.blank(from);
        while self.is_escaped_blank(at) {
            at = self.blank(at + 2);
        }
        at
    }

    /// Whether a line break or tab is here as an escape.
    pub(crate) fn is_escaped_blank(&self, at: usize) -> bool {
        self.byte(at) == Some(b'\\') && matches!(self.byte(at + 1), Some(b'n' | b't' | b'r'))
    }

    /// Three or more backticks that begin a line.
    pub(crate) fn is_fence(&self, at: usize) -> bool {
        self.starts(at, "```") && self.opens_line(at)
    }

    /// Whether nothing but a few blanks is before this in its line.
    pub(crate) fn opens_line(&self, at: usize) -> bool {
        const MOST: usize = 8;
        let bytes = self.text.as_bytes();
        let before = bytes.get(at.saturating_sub(MOST)..at).unwrap_or_default();
        match before.iter().rposition(|byte| !matches!(byte, b' ' | b'\t')) {
            Some(last) => before.get(last) == Some(&b'\n'),
            None => before.len() < MOST,
        }
    }

    /// The end of a comment that begins here, if one does. An open comment ends with the text.
    pub(crate) fn comment(&self, at: usize) -> Option<usize> {
        match self.byte(at)? {
            b'<' if self.starts(at, "<!--") => Some(
                self.find(&self.marks.markup_end, at + 4, "-->").map_or(self.end(), |end| end + 3),
            ),
            b'/' => match self.byte(at + 1)? {
                b'*' => Some(
                    self.find(&self.marks.block_end, at + 2, "*/")
                        .map_or(self.end(), |end| end + 2),
                ),
                b'/' => Some(self.line_end(at)),
                _ => None,
            },
            b'#' => match self.byte(at + 1) {
                None | Some(b' ' | b'\t' | b'!' | b'#' | b'\n' | b'\r') => Some(self.line_end(at)),
                _ => None,
            },
            _ => None,
        }
    }

    pub(crate) fn line_end(&self, at: usize) -> usize {
        self.find(&self.marks.line_end, at, "\n").unwrap_or(self.end())
    }

    /// The next mark at or behind a place.
    fn find(&self, last: &Cell<Option<Searched>>, from: usize, mark: &str) -> Option<usize> {
        let mut search_from = from;
        let mut asked = from;
        if let Some(searched) = last.get()
            && searched.from <= from
            && from <= searched.to
        {
            if searched.hit {
                return Some(searched.to);
            }
            // The mark itself may have been cut.
            search_from = from.max(searched.to.saturating_sub(mark.len() - 1));
            asked = searched.from;
        }
        let rest = self.text.as_bytes().get(search_from..)?;
        let found = memchr::memmem::find(rest, mark.as_bytes()).map(|at| search_from + at);
        let to = found.unwrap_or(self.end());
        self.count(to - search_from);
        last.set(Some(Searched { from: asked, to, hit: found.is_some() }));
        found
    }

    /// Behind blanks and at most one comment.
    pub(crate) fn blank_and_comment(&self, from: usize) -> usize {
        let at = self.blank(from);
        match self.comment(at) {
            Some(end) => self.blank(end),
            None => at,
        }
    }

    /// Where a string that is quoted here ends, by its first closing quote: behind the opening one,
    /// before the closing one. `None` also when that is too far away to be of interest.
    pub(crate) fn quoted(&self, at: usize) -> Option<(usize, Option<usize>)> {
        let open = self.char(at)?;
        let quote = Quote::opened_by(open)?;
        let start = at + open.len_utf8();
        let mut i = start;
        loop {
            if i - start > FAR {
                self.count(FAR);
                return None;
            }
            match self.byte(i) {
                None => {
                    self.count(i - start);
                    return Some((start, None));
                }
                Some(b'\\') => i += 2,
                Some(b'"' | b'\'' | b'`' | 0x80..) => match self.char(i) {
                    Some(c) if quote.is_closed_by(c) => {
                        self.count(i - start);
                        return Some((start, Some(i)));
                    }
                    Some(c) => i += c.len_utf8(),
                    None => i += 1,
                },
                Some(_) => i += 1,
            }
        }
    }

    /// What begins here may be a comment, a fence or an ellipsis, and the text ends too early to say.
    pub(crate) fn is_undecided(&self, at: usize) -> bool {
        self.more
            && match self.char(at) {
                None => true,
                Some('/' | '#' | '`' | '.' | '\\' | '<') => {
                    self.end() - at < 4 || self.comment(at) == Some(self.end())
                }
                Some(_) => false,
            }
    }
}
