//! Finds the headings that lost everything under them. A heading goes only if its author
//! put a placeholder under it; one that is alone on purpose must never go.
//!
//! The block of a heading reaches to the next heading of the same or a higher level, a
//! separator, or the end. The heading goes when its block has at least one `EMPTY` mark
//! and no text. Text is anything visible: a token, a guarded block, a heading that stays.
//! A bare `##` is neither text nor the end of a block, since it goes in any case.
//!
//! A mark in a heading, separator or bare `##` line says nothing about a block. Only at
//! the very start of such a line it belongs to the block above: there the template had a
//! `{{#if}}` or a placeholder right before the line.

use std::ops::Range;
use std::vec;

use super::Level;
use super::guards::GuardedLines;
use super::lines::{Line, LineKind};
use crate::marks::EMPTY;

/// The blocks of the headings that go, for a reader who goes from top to bottom. A text
/// without `EMPTY` marks has none: the default.
#[derive(Default)]
pub(super) struct EmptiedBlocks {
    ahead: vec::IntoIter<Range<usize>>,
}

impl EmptiedBlocks {
    pub(super) fn find(text: &str, level: Level) -> Self {
        Self { ahead: find_emptied(text, level).into_iter() }
    }

    /// Whether a heading goes. Ask for each heading in turn.
    pub(super) fn covers(&mut self, heading: Line<'_>) -> bool {
        while let [block, ..] = self.ahead.as_slice() {
            if heading.start < block.end {
                return heading.start >= block.start;
            }
            self.ahead.next();
        }
        false
    }
}

/// The blocks, heading included, of the outermost headings that go: sorted, apart from
/// each other, with nothing in them but blank lines and headings that go.
fn find_emptied(text: &str, level: Level) -> Vec<Range<usize>> {
    let mut outline = Outline::default();
    let mut lines = GuardedLines::new(text);
    loop {
        if lines.take_plain().is_some() {
            outline.add_text();
        }
        let Some((line, is_guarded)) = lines.next() else {
            break;
        };
        if is_guarded {
            outline.add_text();
            continue;
        }
        let judged = if outline.is_at_start() { line.without_indent() } else { line };
        if line.text.starts_with(EMPTY) {
            outline.add_empty();
        }
        match judged.kind(level) {
            LineKind::Blank if line.text.contains(EMPTY) => outline.add_empty(),
            LineKind::Blank | LineKind::BareHeading => {}
            LineKind::Separator => outline.close(1, line.start),
            LineKind::Heading(depth) => outline.open(depth, line.start),
            LineKind::Text => outline.add_text(),
        }
    }
    outline.close(1, text.len());
    outline.emptied
}

/// The headings above the current line whose fate is open.
#[derive(Default)]
struct Outline {
    /// Outermost first; depths grow, so there are never more than six.
    open: Vec<OpenHeading>,
    emptied: Vec<Range<usize>>,
    /// Whether something above stays for certain.
    has_text: bool,
}

struct OpenHeading {
    start: usize,
    depth: usize,
    has_empty: bool,
}

impl Outline {
    fn is_at_start(&self) -> bool {
        !self.has_text && self.open.is_empty()
    }

    /// Text keeps every heading that it is under.
    fn add_text(&mut self) {
        self.open.clear();
        self.has_text = true;
    }

    fn add_empty(&mut self) {
        if let Some(innermost) = self.open.last_mut() {
            innermost.has_empty = true;
        }
    }

    fn open(&mut self, depth: usize, start: usize) {
        self.close(depth, start);
        self.open.push(OpenHeading { start, depth, has_empty: false });
    }

    /// Decides about the open headings of `depth` and deeper, whose blocks end at `end`.
    fn close(&mut self, depth: usize, end: usize) {
        while let Some(heading) = self.open.pop_if(|heading| heading.depth >= depth) {
            if heading.has_empty {
                self.add_empty();
                while self.emptied.last().is_some_and(|inner| inner.start > heading.start) {
                    self.emptied.pop();
                }
                self.emptied.push(heading.start..end);
            } else {
                self.add_text();
            }
        }
    }
}
