//! Where a text may be cut: between what a reader sees as characters, at the end of a line where that
//! costs little, and never inside a section that is printed in it.

use std::ops::Range;

use unicode_segmentation::GraphemeCursor;

/// A finished text, and the stretches of it that stay whole or go.
pub(super) struct Flat<'a> {
    pub(super) text: &'a str,
    pub(super) whole: &'a [Range<usize>],
}

impl Flat<'_> {
    pub(super) fn get(&self, range: Range<usize>) -> &str {
        self.text.get(range).unwrap_or_default()
    }

    /// Where a beginning that starts at `start` may end: at `end` or before it. The end of a line is
    /// taken when it is not before `near`. Blanks at the end do not stay.
    pub(super) fn end_of_beginning(&self, start: usize, near: usize, end: usize) -> usize {
        let mut at = self.settled_back(end).max(start);
        let ends_line = self.text.get(at..).is_none_or(|rest| rest.is_empty() || is_break(rest));
        if !ends_line
            && let Some(line) = self.get(start..at).rfind('\n')
            && start + line >= near
        {
            at = start + line;
        }
        // What blanks belonged to may be no border itself: both, until nothing moves any more.
        loop {
            let trimmed = start + self.get(start..at).trim_end().len();
            let settled = self.settled_back(trimmed).max(start);
            if settled == at {
                return at;
            }
            at = settled;
        }
    }

    /// Where an ending that goes to `end` may start: at `start` or after it. The start of a line is taken
    /// when it is not behind `near`. Blank lines at the start do not stay.
    pub(super) fn start_of_ending(&self, start: usize, near: usize, end: usize) -> usize {
        let mut at = self.settled_on(start).min(end);
        let starts_line =
            self.text.get(..at).is_none_or(|text| text.is_empty() || text.ends_with('\n'));
        if !starts_line
            && let Some(line) = self.get(at..end).find('\n')
            && at + line < near
        {
            at = self.settled_on(at + line + 1).min(end);
        }
        let rest = self.get(at..end);
        let blank = rest.len() - rest.trim_start().len();
        match rest.get(..blank).and_then(|blank| blank.rfind('\n')) {
            Some(line) => self.settled_on(at + line + 1).min(end),
            None => at,
        }
    }

    /// The nearest border at `at` or before it.
    fn settled_back(&self, at: usize) -> usize {
        let mut at = self.text.floor_char_boundary(at);
        loop {
            let mut cursor = GraphemeCursor::new(at, self.text.len(), true);
            if at < self.text.len() && !matches!(cursor.is_boundary(self.text, 0), Ok(true)) {
                at = cursor.prev_boundary(self.text, 0).ok().flatten().unwrap_or(0);
            }
            match self.within(at) {
                Some(whole) => at = whole.start,
                None => return at,
            }
        }
    }

    /// The nearest border at `at` or behind it.
    fn settled_on(&self, at: usize) -> usize {
        let end = self.text.len();
        let mut at = self.text.ceil_char_boundary(at.min(end));
        loop {
            let mut cursor = GraphemeCursor::new(at, end, true);
            if at < end && !matches!(cursor.is_boundary(self.text, 0), Ok(true)) {
                at = cursor.next_boundary(self.text, 0).ok().flatten().unwrap_or(end);
            }
            match self.within(at) {
                Some(whole) => at = whole.end,
                None => return at,
            }
        }
    }

    /// The stretch that a cut here would go through.
    fn within(&self, at: usize) -> Option<&Range<usize>> {
        let next = self.whole.partition_point(|whole| whole.end <= at);
        self.whole.get(next).filter(|whole| whole.start < at)
    }
}

fn is_break(rest: &str) -> bool {
    rest.starts_with('\n') || rest.starts_with("\r\n")
}
