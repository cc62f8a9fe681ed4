//! A text as its difference from another one, in lines. It says what changes and under which section, and
//! neither line numbers nor what stays the same, so that a change elsewhere leaves it as it is. Nothing is
//! lost: [`apply`] gives the text back.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::ops::Range;

use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::document::Document;

/// A line begins with one of these; the text of the line follows.
const KEPT: char = ' ';
const REMOVED: char = '-';
const ADDED: char = '+';
/// A line that says which section the lines after it are in.
const SECTION: &str = "@@";
/// Everything up to the next removed line is removed too.
const UP_TO: &str = "~";
const UP_TO_LINE: &str = "~\n";

/// How many removed lines in a row are written out, all of them.
const MOST_REMOVED: usize = 4;

/// What turns `before` into `after`; each line is ended by a newline. Empty when they are equal.
pub(super) fn write(before: &Document, after: &Document) -> String {
    let (old, new) = (Lines::of(before), Lines::of(after));
    let mut delta = String::new();
    let mut section = None;
    // Lines of the old text that were written, or that a reader passes by to find what was.
    let mut passed = 0;
    for change in capture_diff_slices(Algorithm::Histogram, &old.lines, &new.lines) {
        let (tag, removed, added) = change.as_tag_tuple();
        if tag == DiffTag::Equal {
            continue;
        }
        let about = old.section(&removed).or_else(|| new.section(&added));
        if about != section {
            let _ = writeln!(delta, "{SECTION} {}", about.unwrap_or_default());
            section = about;
        }
        for line in old.anchor(&removed, passed) {
            push(&mut delta, KEPT, line);
        }
        push_removed(&mut delta, &old, &removed);
        for line in new.lines.get(added).unwrap_or_default() {
            push(&mut delta, ADDED, line);
        }
        passed = removed.end;
    }
    delta
}

/// Of many lines the first and the last that is not there earlier, so that a reader finds it, and what is
/// after it.
fn push_removed(delta: &mut String, old: &Lines<'_>, removed: &Range<usize>) {
    let second = removed.start + 1;
    let is_found = |line: &usize| !old.is_blank(*line) && !old.is_between(*line, second);
    let last = (second..removed.end).rev().find(is_found);
    let shortened = last.filter(|last| last - removed.start >= MOST_REMOVED);
    let lines = old.lines.get(removed.clone()).unwrap_or_default();
    for (at, line) in (removed.start..).zip(lines) {
        match shortened {
            Some(last) if at == second && at < last => *delta += UP_TO_LINE,
            Some(last) if (second..last).contains(&at) => {}
            _ => push(delta, REMOVED, line),
        }
    }
}

/// The text that `delta` makes of `before`; none where a line that it names is not there.
pub(super) fn apply(before: &str, delta: &str) -> Option<String> {
    let before: Vec<&str> = before.split('\n').collect();
    let mut rest = before.as_slice();
    let mut after = Vec::new();
    let mut removes = false;
    for line in delta.split('\n').filter(|line| !line.is_empty()) {
        if line.starts_with(SECTION) {
            continue;
        }
        if line == UP_TO {
            removes = true;
            continue;
        }
        let mark = line.chars().next()?;
        let text = line.strip_prefix(mark)?;
        match mark {
            ADDED => after.push(text),
            KEPT | REMOVED => {
                let at = rest.iter().position(|line| *line == text)?;
                let (passed, found) = rest.split_at(at);
                if !removes {
                    after.extend_from_slice(passed);
                }
                if mark == KEPT {
                    after.push(text);
                }
                removes = false;
                rest = found.get(1..)?;
            }
            _ => return None,
        }
    }
    after.extend_from_slice(rest);
    Some(after.join("\n"))
}

fn push(delta: &mut String, mark: char, line: &str) {
    delta.push(mark);
    delta.push_str(line);
    delta.push('\n');
}

/// A document's lines, without their newlines.
struct Lines<'d> {
    document: &'d Document,
    lines: Vec<&'d str>,
    /// The last line before each that is equal to it.
    equal: Vec<Option<usize>>,
    /// Where each line starts, in bytes, and where one after the last would.
    starts: Vec<usize>,
}

impl<'d> Lines<'d> {
    fn of(document: &'d Document) -> Self {
        let lines: Vec<&str> = document.text.split('\n').collect();
        let mut starts = vec![0];
        let mut start = 0;
        let mut seen = HashMap::new();
        let mut equal = Vec::with_capacity(lines.len());
        for (at, line) in lines.iter().enumerate() {
            start += line.len() + 1;
            starts.push(start);
            equal.push(seen.insert(*line, at));
        }
        Self { document, lines, equal, starts }
    }

    /// The section that the first of these lines is in, that is in any.
    fn section(&self, lines: &Range<usize>) -> Option<&'d str> {
        let start = *self.starts.get(lines.start)?;
        let end = *self.starts.get(lines.end)?;
        self.document.section(start..end)
    }

    fn is_blank(&self, line: usize) -> bool {
        self.lines.get(line).is_some_and(|line| line.is_empty())
    }

    /// Whether a line equal to this one is between `from` and it.
    fn is_between(&self, line: usize, from: usize) -> bool {
        self.equal.get(line).copied().flatten().is_some_and(|equal| equal >= from)
    }

    /// The lines that say where a change is to one who looks from line `passed` on: none where what is
    /// removed says it.
    fn anchor(&self, removed: &Range<usize>, passed: usize) -> &[&'d str] {
        let mut start = removed.start;
        if removed.is_empty() && start > passed {
            start -= 1;
        }
        while start > passed
            && (self.is_between(start, passed) || start < removed.start && self.is_blank(start))
        {
            start -= 1;
        }
        self.lines.get(start..removed.start).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{apply, write};
    use crate::testing::document::Document;

    fn delta(before: &str, after: &str) -> String {
        write(&Document::plain(before.to_owned()), &Document::plain(after.to_owned()))
    }

    #[test]
    fn it_says_what_changes_and_no_more() {
        for (before, after, expected) in [
            ("a\nb\nc", "a\nb\nc", ""),
            ("a\nb\nc", "a\nB\nc", "-b\n+B\n"),
            ("a\nb\nc", "a\nc", "-b\n"),
            ("a\n\nc", "a\n\nb\nc", " a\n \n+b\n"),
            ("a", "b\na", "+b\n"),
            ("a", "a\n", " a\n+\n"),
            ("1\n2\n3\n4\n5\n6\n7", "1\n7", "-2\n~\n-6\n"),
            // The first `x` is not the one that goes, so its neighbour says which one does.
            ("x\na\nx\nb", "x\na\nb", " a\n-x\n"),
            // The last line comes up in between, so the one before it ends what is left out.
            ("1\n2\n3\n4\n5\n6\n2\n\n7", "1\n7", "-2\n~\n-2\n-\n"),
            ("1\na\nb\nc\nd\ne\nb\n7", "1\n7", "-a\n~\n-e\n-b\n"),
        ] {
            assert_eq!(delta(before, after), expected, "{before:?} {after:?}");
        }
    }

    #[test]
    fn what_does_not_fit_is_not_applied() {
        for delta in ["-b\n", " b\n", "?a\n", "-a\n-a\n"] {
            assert_eq!(apply("a", delta), None, "{delta:?}");
        }
    }

    proptest! {
        #[test]
        fn nothing_is_lost(before in "([ab~@+ -]{0,2}\r?\n){0,12}", after in "([ab~@+ -]{0,2}\r?\n){0,12}") {
            prop_assert_eq!(apply(&before, &delta(&before, &after)), Some(after));
        }
    }
}
