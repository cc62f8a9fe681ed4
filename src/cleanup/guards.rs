//! Finds the blocks that the clean-up must never change: fenced code and diff blocks, at
//! any indentation. Whichever opens first wins.
//!
//! **Fenced code** as in CommonMark: three or more backticks or tildes, closed by a run
//! of the same character that is at least as long and stands alone; no backtick in the
//! info string of a backtick fence; unclosed, it reaches to the end of the text.
//!
//! A **diff block** is an opener, a middle line of seven or more `=`, and a closer of the
//! opener's own style:
//!
//! | style | opener | closer |
//! |---|---|---|
//! | dashes | seven or more `-` | seven or more `+` |
//! | angles | seven or more `<` | seven or more `>` |
//! | words | `SEARCH` | `REPLACE` |
//!
//! Runs may carry a label after a blank (`------- SEARCH`, `<<<<<<< HEAD`). Dashes are a
//! thematic break more often than an opener, so openers differ in how certain they are:
//! a label makes certain, the word alone is less so, a bare run least. Before the middle
//! line, an opener at least as certain cancels the one above it; a lesser one is text.
//! After the middle line, all is text up to the first closer of the own style. Without
//! one there is no block, and what stands in it is judged on its own.

use std::ops::Range;

use super::lines::{Line, Lines};

/// The lines of a text, each with whether it is guarded.
pub(super) struct GuardedLines<'a> {
    ahead: Lines<'a>,
    /// Where the guard that opened last ends.
    guard_end: usize,
    /// The styles of diff block that have no closer ahead.
    unclosed: Vec<Style>,
}

impl<'a> GuardedLines<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { ahead: Lines::new(text), guard_end: 0, unclosed: Vec::new() }
    }

    /// Takes lines that are text, guarded or not; see [`Lines::take_plain`].
    pub(super) fn take_plain(&mut self) -> Option<Range<usize>> {
        self.ahead.take_plain()
    }

    /// The end of the guard that `line` opens, if it opens one.
    fn end_of_guard(&mut self, line: Line<'_>) -> Option<usize> {
        match Marker::read(line)? {
            Marker::Fence(fence) if fence.opens => {
                let closer = self.ahead.clone().find(|line| fence.is_closed_by(*line));
                Some(closer.map_or(usize::MAX, Line::end))
            }
            Marker::Opener(opener) => self.find_closer(opener).map(Line::end),
            _ => None,
        }
    }

    /// The closer of the diff block that an opener begins, if it begins one.
    ///
    /// To look ahead from every opener takes linear time all the same: the stretches up
    /// to a middle line or a cancelling opener overlap only for openers of different
    /// certainty, thus three deep, and a search for a closer fails once for each style.
    fn find_closer(&mut self, opener: Opener) -> Option<Line<'a>> {
        if self.unclosed.contains(&opener.style) {
            return None;
        }
        let mut ahead = self.ahead.clone();
        let has_middle = ahead.find_map(|line| match Marker::read(line)? {
            Marker::Middle => Some(true),
            Marker::Opener(other) if other.certainty >= opener.certainty => Some(false),
            _ => None,
        })?;
        if !has_middle {
            return None;
        }
        let closer = ahead.find(|line| match Marker::read(*line) {
            Some(Marker::Closer(style)) => style == opener.style,
            _ => false,
        });
        if closer.is_none() {
            self.unclosed.push(opener.style);
        }
        closer
    }
}

impl<'a> Iterator for GuardedLines<'a> {
    type Item = (Line<'a>, bool);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let line = self.ahead.next()?;
        if line.start >= self.guard_end
            && let Some(end) = self.end_of_guard(line)
        {
            self.guard_end = end;
        }
        Some((line, line.start < self.guard_end))
    }
}

/// What a line may do to a guarded block.
#[derive(Clone, Copy)]
enum Marker {
    Fence(Fence),
    Opener(Opener),
    Middle,
    Closer(Style),
}

#[derive(Clone, Copy)]
struct Fence {
    character: char,
    length: usize,
    /// Whether it may open a block: any fence but one of backticks with a backtick behind.
    opens: bool,
    /// Whether it may close one: only blanks follow.
    is_bare: bool,
}

#[derive(Clone, Copy)]
struct Opener {
    style: Style,
    certainty: Certainty,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Dashes,
    Angles,
    Words,
}

/// How likely an opener is meant as one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Certainty {
    BareRun,
    Word,
    Labelled,
}

impl Marker {
    #[inline]
    fn read(line: Line<'_>) -> Option<Self> {
        let line = line.without_indent();
        // A short cut for most lines: a marker begins with one character twice or a word.
        // (What is not ASCII may be a mark, which does not count.)
        if let [first, second, ..] = line.text.as_bytes()
            && first != second
            && second.is_ascii()
            && !matches!(first, b'S' | b'R')
        {
            return None;
        }
        match line.visible().next()? {
            character @ ('`' | '~') => Fence::read(line, character).map(Self::Fence),
            '-' => Opener::read(line, '-', Style::Dashes).map(Self::Opener),
            '<' => Opener::read(line, '<', Style::Angles).map(Self::Opener),
            '+' => read_run(line, '+').map(|_| Self::Closer(Style::Dashes)),
            '>' => read_run(line, '>').map(|_| Self::Closer(Style::Angles)),
            '=' => match read_run(line, '=')? {
                Run::Bare => Some(Self::Middle),
                Run::Labelled => None,
            },
            'S' if is_word(line, "SEARCH") => {
                Some(Self::Opener(Opener { style: Style::Words, certainty: Certainty::Word }))
            }
            'R' if is_word(line, "REPLACE") => Some(Self::Closer(Style::Words)),
            _ => None,
        }
    }
}

impl Fence {
    fn read(line: Line<'_>, character: char) -> Option<Self> {
        let length = line.leading(character);
        if length < 3 {
            return None;
        }
        let has_backtick = line.visible().skip(length).any(|next| next == '`');
        Some(Self {
            character,
            length,
            opens: character == '~' || !has_backtick,
            is_bare: line.is_blank_after(length),
        })
    }

    fn is_closed_by(self, line: Line<'_>) -> bool {
        let Some(Marker::Fence(other)) = Marker::read(line) else {
            return false;
        };
        other.is_bare && other.character == self.character && other.length >= self.length
    }
}

impl Opener {
    fn read(line: Line<'_>, character: char, style: Style) -> Option<Self> {
        let certainty = match read_run(line, character)? {
            Run::Bare => Certainty::BareRun,
            Run::Labelled => Certainty::Labelled,
        };
        Some(Self { style, certainty })
    }
}

/// Seven or more of one character, with or without a label behind.
enum Run {
    Bare,
    Labelled,
}

/// Text right behind the run, without a blank, makes it part of something else.
fn read_run(line: Line<'_>, character: char) -> Option<Run> {
    let length = line.leading(character);
    if length < 7 {
        return None;
    }
    let mut rest = line.visible().skip(length);
    match rest.next() {
        Some(next) if !next.is_whitespace() => None,
        _ if rest.all(char::is_whitespace) => Some(Run::Bare),
        _ => Some(Run::Labelled),
    }
}

fn is_word(line: Line<'_>, word: &str) -> bool {
    let mut rest = line.visible();
    word.chars().all(|expected| rest.next() == Some(expected)) && rest.all(char::is_whitespace)
}
