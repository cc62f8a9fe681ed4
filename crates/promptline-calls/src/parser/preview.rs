//! What is shown of a value while it comes in: everything but edges that may turn out not to belong to it.
//! Each byte is looked at once, and shown once at most.

use std::ops::Range;

use crate::syntax::Framing;
use crate::view::View;

/// What was shown of a value.
#[derive(Debug)]
pub(super) struct Preview {
    start: usize,
    /// Up to here it was shown, or is an edge.
    shown: usize,
    /// Up to here it was looked at.
    checked: usize,
    /// Up to here there is more than blanks.
    solid: usize,
    /// The edge at the start is behind us.
    begun: bool,
    hidden: bool,
    /// Where the line break begins that may belong to the closing tag.
    edge: Option<usize>,
}

impl Preview {
    pub(super) fn new(start: usize) -> Self {
        Self {
            start,
            shown: start,
            checked: start,
            solid: start,
            begun: false,
            hidden: false,
            edge: None,
        }
    }

    /// Nothing of the value is shown.
    pub(super) fn hide(&mut self) {
        self.hidden = true;
    }

    /// What can be shown when the value goes on to here.
    pub(super) fn next(
        &mut self,
        view: View<'_>,
        framing: Framing,
        body: bool,
        to: usize,
    ) -> Option<Range<usize>> {
        if self.hidden || to <= self.checked {
            return None;
        }
        let end = match framing {
            Framing::None => to,
            Framing::ByField if !body => self.trimmed(view, to),
            Framing::ByField => self.without_edge(view, to, true)?,
            Framing::LineBreak => self.without_edge(view, to, false)?,
        };
        self.checked = to;
        let range = self.shown..end;
        self.shown = self.shown.max(end);
        (!range.is_empty()).then_some(range)
    }

    fn trimmed(&mut self, view: View<'_>, to: usize) -> usize {
        let fresh = view.slice(self.checked..to);
        if !self.begun {
            self.shown = to - fresh.trim_start().len();
            self.begun = self.shown < to;
        }
        let solid = fresh.trim_end().len();
        if solid > 0 {
            self.solid = self.checked + solid;
        }
        self.solid
    }

    /// Up to a line break at the end; with `indent` also up to one with only blanks behind it.
    fn without_edge(&mut self, view: View<'_>, to: usize, indent: bool) -> Option<usize> {
        if !self.begun {
            let text = view.slice(self.start..to);
            if text == "\r" {
                return None;
            }
            let windows = text.starts_with("\r\n");
            let edge = if windows { 2 } else { usize::from(text.starts_with('\n')) };
            self.shown = self.start + edge;
            self.begun = true;
        }
        let fresh = view.slice(self.checked..to);
        let solid = if indent { fresh.trim_end_matches([' ', '\t']) } else { fresh };
        if !solid.is_empty() || !indent {
            let end = self.checked + solid.len();
            self.edge = solid.ends_with('\n').then(|| {
                let windows = end - 1 > self.shown && view.byte(end - 2) == Some(b'\r');
                end - 1 - usize::from(windows)
            });
        }
        Some(self.edge.unwrap_or_else(|| to - usize::from(fresh.ends_with('\r'))))
    }
}
