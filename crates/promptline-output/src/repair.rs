//! What was changed to read an answer, and how sure that is.

use serde::{Deserialize, Serialize};

/// Bytes of the raw answer, from the first to behind the last.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// Behind the last byte.
    pub end: usize,
}

impl Span {
    /// From a byte to behind another.
    #[must_use]
    pub fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }
}

/// What a repair may have done to the meaning. Ordered: the last is the worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Risk {
    /// Another way of writing the same thing.
    Lossless,
    /// The text can be read in more than one way, and the likely one was taken.
    Guess,
    /// Something that was written is not in the value.
    Lossy,
}

/// What was repaired.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum RepairKind {
    /// Blanks that JSON does not know, a byte order mark, zero-width characters.
    Blank,
    /// A comment.
    Comment,
    /// Quotes other than `"`.
    Quote,
    /// Punctuation other than JSON's, as `：` or `=`.
    Punctuation,
    /// A key without quotes.
    UnquotedKey,
    /// A string without quotes.
    UnquotedString,
    /// A literal or number in another spelling, as `True`, `+1`, `.5`, `0x1F`.
    Spelling,
    /// A number that JSON cannot say, as `NaN`.
    NotANumber,
    /// A raw line break, tab or other control character in a string.
    RawControl,
    /// An escape that JSON does not know.
    Escape,
    /// Quotes inside of a string that were not escaped.
    InnerQuote,
    /// A string without its opening quote.
    MissingOpeningQuote,
    /// A string without its closing quote.
    MissingClosingQuote,
    /// A line break before the closing quote, which is layout.
    LayoutInString,
    /// A comma that is missing.
    MissingComma,
    /// A comma too many.
    ExtraComma,
    /// A colon that is missing.
    MissingColon,
    /// A key without a value.
    MissingValue,
    /// A bracket that is missing at the end.
    MissingBracket,
    /// A bracket of the wrong kind, or one too many.
    WrongBracket,
    /// Braces around key and value that are missing.
    MissingBraces,
    /// Braces around a list without keys.
    SetAsList,
    /// Strings that are joined by `+`.
    Sum,
    /// A call around a value, as `ISODate("2020-01-01")`.
    Call,
    /// `...` in place of elements.
    Ellipsis,
    /// Marks of Markdown around a member: a bullet, stars.
    Markup,
    /// Text between values that is no part of them.
    Junk,
    /// JSON that was escaped as if it was in a string.
    EscapedDocument,
    /// Containers deeper than [`Limits::depth`](crate::Limits::depth).
    TooDeep,
    /// Several values in a row, read as a list.
    SeveralValues,
    /// Several lists, read as the pages of one.
    Pages,
    /// A wrapper around the value: a key, a tool call, a string. `before` is its path.
    Envelope,
    /// The value is written in another format than JSON, which `before` names.
    OtherFormat,
    /// Marks in front of every line, or terminal colors: `>`, `+`, line numbers.
    LineMarks,
    /// A value that is read by the keys of the schema: a string ends where one of them follows.
    KnownKey,
    /// An escape of valid JSON that was probably meant as a backslash: `\f` of `\frac`. The value is unchanged.
    SuspectEscape,
}

/// One repair.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Repair {
    /// What was repaired.
    pub kind: RepairKind,
    /// Where in the raw answer.
    pub span: Span,
    /// Where in the value, as a JSON Pointer (RFC 6901; the root is empty).
    pub path: String,
    /// What is written there, cut after 80 bytes.
    pub before: String,
    /// What it was read as, cut in the same way.
    pub after: String,
    /// What it may have done to the meaning.
    pub risk: Risk,
}

/// A key that was there more than once in one object; the last value counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Duplicate {
    /// Where, as a JSON Pointer.
    pub path: String,
    /// The value that lost.
    pub dropped: serde_json::Value,
}

/// What an answer that was cut off ends in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Inside {
    /// In a string; what is there of it is its beginning.
    String,
    /// In a number, which may have more digits: it counts as missing.
    Number,
    /// In `true`, `false` or `null`: it counts as missing.
    Literal,
    /// In a key, or before its value: the key is left out.
    Key,
    /// Between the values of an object or list.
    Container,
}

/// Where an answer was cut off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Truncated {
    /// The value that is not whole, as a JSON Pointer.
    pub path: String,
    /// What the answer ends in.
    pub inside: Inside,
    /// The length of what there is, in bytes.
    pub at: usize,
}

/// Adds a step to a JSON Pointer.
pub(crate) fn step(path: &mut String, key: &str) {
    path.push('/');
    if key.contains(['~', '/']) {
        path.push_str(&key.replace('~', "~0").replace('/', "~1"));
    } else {
        path.push_str(key);
    }
}

/// A text for a report.
pub(crate) fn short(text: &str) -> String {
    shorter(text, 80)
}

/// At most so many bytes of a text.
pub(crate) fn shorter(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let cut = text.floor_char_boundary(most);
    let mut short = text.get(..cut).unwrap_or_default().to_owned();
    short.push('…');
    short
}

/// What is found while one candidate is read.
#[derive(Debug, Default, Clone)]
pub(crate) struct Log {
    pub(crate) repairs: Vec<Repair>,
    /// Repairs over the limit.
    pub(crate) left_off: usize,
    pub(crate) duplicates: Vec<Duplicate>,
    /// The worst repair, and how many of each risk there are.
    pub(crate) guesses: usize,
    pub(crate) losses: usize,
    /// Text that is no part of any value: the sign of prose that was taken for JSON.
    pub(crate) junk: usize,
    /// As much of it as nothing has followed.
    pub(crate) junk_tail: usize,
    pub(crate) most: usize,
}

impl Log {
    pub(crate) fn new(most: usize) -> Self {
        Self { most, ..Self::default() }
    }

    /// Whether one more is kept; if not, it is counted here.
    pub(crate) fn has_room(&mut self, kind: RepairKind, risk: Risk) -> bool {
        match risk {
            Risk::Lossless => {}
            Risk::Guess => self.guesses += 1,
            Risk::Lossy => self.losses += 1,
        }
        if kind == RepairKind::Junk {
            self.junk += 1;
            self.junk_tail += 1;
        }
        if self.repairs.len() < self.most {
            return true;
        }
        self.left_off += 1;
        false
    }

    /// Whether there is a repair of a kind, among those that are kept.
    pub(crate) fn has(&self, kind: RepairKind) -> bool {
        self.repairs.iter().any(|repair| repair.kind == kind)
    }

    /// Keeps a repair for which there is room. What was written there is taken from the text itself.
    pub(crate) fn keep(
        &mut self,
        text: &str,
        kind: RepairKind,
        span: Span,
        path: String,
        after: &str,
        risk: Risk,
    ) {
        let before = short(text.get(span.start..span.end).unwrap_or_default());
        self.repairs.push(Repair { kind, span, path, before, after: short(after), risk });
    }

    /// Notes a repair of the whole value.
    pub(crate) fn note(
        &mut self,
        text: &str,
        kind: RepairKind,
        span: Span,
        after: &str,
        risk: Risk,
    ) {
        if self.has_room(kind, risk) {
            self.keep(text, kind, span, String::new(), after, risk);
        }
    }

    /// Notes a repair of the whole value, in words.
    pub(crate) fn note_as(
        &mut self,
        kind: RepairKind,
        span: Span,
        before: &str,
        after: &str,
        risk: Risk,
    ) {
        if self.has_room(kind, risk) {
            let (before, after) = (short(before), short(after));
            self.repairs.push(Repair { kind, span, path: String::new(), before, after, risk });
        }
    }

    /// Takes over what was found in a list that is a page of the one that this is of.
    pub(crate) fn absorb_page(&mut self, before: usize, mut other: Self) {
        for repair in &mut other.repairs {
            repair.path = crate::gather::moved(&repair.path, before);
        }
        for duplicate in &mut other.duplicates {
            duplicate.path = crate::gather::moved(&duplicate.path, before);
        }
        self.take(other);
    }

    /// Takes over what was found in an element of a list that this is of.
    pub(crate) fn absorb(&mut self, element: usize, mut other: Self) {
        for repair in &mut other.repairs {
            repair.path.insert_str(0, &format!("/{element}"));
        }
        for duplicate in &mut other.duplicates {
            duplicate.path.insert_str(0, &format!("/{element}"));
        }
        self.take(other);
    }

    /// Takes over what was found elsewhere, as much as there is room for.
    pub(crate) fn take(&mut self, other: Self) {
        self.guesses += other.guesses;
        self.losses += other.losses;
        self.left_off += other.left_off;
        for repair in other.repairs {
            if self.repairs.len() < self.most {
                self.repairs.push(repair);
            } else {
                self.left_off += 1;
            }
        }
        let room = self.most.saturating_sub(self.duplicates.len());
        self.duplicates.extend(other.duplicates.into_iter().take(room));
    }
}
