//! Finds the blocks that the clean-up must never change: fenced code and diff blocks, at
//! any indentation. Whichever opens first wins.
//!
//! **Fenced code** as in CommonMark: three or more backticks or tildes, closed by a run
//! of the same character that is at least as long and is alone on its line; no backtick in the
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
//! one there is no block, and what is in it is judged on its own.
//!
//! A block is handed out as a whole, since no caller has to know what is in it.

use std::ops::Range;

use super::lines::{Line, Lines};

/// The lines of a text, but for guarded blocks, which come whole: all their lines as one. Each with
/// whether it is guarded.
pub(super) struct GuardedLines<'a> {
    ahead: Lines<'a>,
    /// The styles of diff block that have no closer ahead.
    unclosed: Vec<Style>,
}

impl<'a> GuardedLines<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { ahead: Lines::new(text), unclosed: Vec::new() }
    }

    /// Takes lines that are text; see [`Lines::take_plain`].
    pub(super) fn take_plain(&mut self) -> Option<Range<usize>> {
        self.ahead.take_plain()
    }

    /// The lines behind the guard that `line` opens, if it opens one.
    fn behind_guard(&mut self, line: Line<'_>) -> Option<Lines<'a>> {
        match Marker::read(line)? {
            Marker::Fence(fence) if fence.opens => {
                let mut ahead = self.ahead.clone();
                // Without a closer there is nothing behind.
                let _ = ahead.find_marker(|marker| fence.is_closed_by(marker).then_some(()));
                Some(ahead)
            }
            Marker::Opener(opener) => self.behind_closer(opener),
            _ => None,
        }
    }

    /// The lines behind the diff block that an opener begins, if it begins one.
    ///
    /// To look ahead from every opener takes linear time all the same: the stretches up
    /// to a middle line or a cancelling opener overlap only for openers of different
    /// certainty, thus three deep, and a search for a closer fails once for each style.
    fn behind_closer(&mut self, opener: Opener) -> Option<Lines<'a>> {
        if self.unclosed.contains(&opener.style) {
            return None;
        }
        let mut ahead = self.ahead.clone();
        let has_middle = ahead.find_marker(|marker| match marker {
            Marker::Middle => Some(true),
            Marker::Opener(other) if other.certainty >= opener.certainty => Some(false),
            _ => None,
        })?;
        if !has_middle {
            return None;
        }
        let closes = |marker| matches!(marker, Marker::Closer(style) if style == opener.style);
        let closer = ahead.find_marker(|marker| closes(marker).then_some(()));
        if closer.is_none() {
            self.unclosed.push(opener.style);
        }
        closer.map(|()| ahead)
    }
}

impl Lines<'_> {
    /// Goes on behind the first marker to which there is an answer.
    fn find_marker<T>(&mut self, answer: impl Fn(Marker) -> Option<T>) -> Option<T> {
        loop {
            // No marker begins as plain lines do.
            self.take_plain();
            let marker = Marker::read(self.next()?);
            if let Some(found) = marker.and_then(&answer) {
                return Some(found);
            }
        }
    }
}

impl<'a> Iterator for GuardedLines<'a> {
    type Item = (Line<'a>, bool);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let line = self.ahead.next()?;
        // Most lines that are not plain are empty.
        if line.text.is_empty() {
            return Some((line, false));
        }
        match self.behind_guard(line) {
            Some(behind) => {
                self.ahead = behind;
                Some((self.ahead.all_since(line), true))
            }
            None => Some((line, false)),
        }
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
        match line.text.as_bytes() {
            [] | [b'#', ..] => return None,
            [b'S' | b'R', ..] => {}
            [first, second, ..] if first != second && second.is_ascii() => return None,
            _ => {}
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

    fn is_closed_by(self, marker: Marker) -> bool {
        let Marker::Fence(other) = marker else {
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
