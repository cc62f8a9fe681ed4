//! Values as other languages write them: strings with a prefix, calls around a string or number, tuples.

use serde_json::Value;

use super::chars::{is_name, plain};
use super::look::{Found, Look};
use super::scalar::{self, Word};
use super::{Engine, Step};
use crate::repair::{RepairKind, Risk};

/// No name of a call and no prefix is longer, in bytes.
const NAME: usize = 32;

impl Engine {
    /// A value with something around it that is no part of it; `None`: nothing of the kind.
    pub(super) fn wrapped(&mut self, look: &Look<'_>, at: usize) -> Option<Step> {
        let first = look.char(at).filter(char::is_ascii_alphabetic)?;
        if let Some(width) = prefix(look, at) {
            let risk = if matches!(first, 'u' | 'U') { Risk::Lossless } else { Risk::Guess };
            self.repair(look, RepairKind::Spelling, at, at + width, "", risk);
            self.pos = at + width;
            return Some(Step::Go);
        }
        match call(look, at) {
            Call::None => None,
            Call::Wait => Some(Step::Wait),
            Call::Of(value, end) => {
                let after = value.to_string();
                self.repair(look, RepairKind::Call, at, end, &after, Risk::Guess);
                self.put(value);
                self.pos = end;
                Some(Step::Go)
            }
        }
    }
}

/// The length of what Python writes before the quote of a string.
fn prefix(look: &Look<'_>, at: usize) -> Option<usize> {
    let width = (1..=2).find(|width| matches!(look.byte(at + width), Some(b'"' | b'\'')))?;
    let known = matches!(
        look.slice(at, at + width),
        "u" | "U" | "b" | "B" | "r" | "R" | "f" | "F" | "rb" | "br" | "Rb" | "bR" | "rf" | "fr"
    );
    // A quote that opens has its match; `b"` alone is a word without its opening quote.
    let (_, close) = look.quoted(at + width)?;
    let behind = look.char(look.blank(close? + 1))?;
    (known && matches!(plain(behind), ',' | '}' | ']' | ')' | ':')).then_some(width)
}

enum Call {
    None,
    /// The text ends too early to say.
    Wait,
    /// Of this value, up to here.
    Of(Value, usize),
}

/// A call of one string or number: `ISODate("2020-01-01")`, `new Date("…")`, `Decimal('1.20')`.
fn call(look: &Look<'_>, at: usize) -> Call {
    let name = if look.starts(at, "new ") { at + 4 } else { at };
    let mut paren = name;
    while look.char(paren).is_some_and(is_name) && paren - name <= NAME {
        paren += look.char(paren).map_or(1, char::len_utf8);
    }
    look.count(paren - at);
    if paren == name || look.byte(paren) != Some(b'(') {
        return Call::None;
    }
    let start = look.blank(paren + 1);
    let wait = if look.more { Call::Wait } else { Call::None };
    let (value, end) = match look.char(start) {
        None => return wait,
        Some('"' | '\'') => match look.quoted(start) {
            None => return Call::None,
            Some((_, None)) => return wait,
            Some((from, Some(to))) => {
                let text = look.slice(from, to);
                if text.contains('\\') {
                    return Call::None;
                }
                (Value::from(text), to + 1)
            }
        },
        Some(c) if c.is_ascii_digit() || c == '-' => {
            let mut end = start + 1;
            while look.byte(end).is_some_and(|b| b.is_ascii_digit() || b == b'.')
                && end - start <= NAME
            {
                end += 1;
            }
            match scalar::word(look.slice(start, end)) {
                Word::Exact(value) => (value, end),
                _ => return Call::None,
            }
        }
        Some(_) => return Call::None,
    };
    let paren = look.blank(end);
    let next = look.blank(paren + 1);
    match (look.byte(paren), look.char(next).map(plain)) {
        (None, _) | (Some(b')'), None) => wait,
        (Some(b')'), Some(',' | '}' | ']' | ')')) => Call::Of(value, paren + 1),
        _ => Call::None,
    }
}

/// Whether a list in parentheses begins here: `("a", …`, `(1, …`, `([…`.
pub(super) fn tuple(look: &Look<'_>, at: usize) -> Found {
    let first = look.blank(at + 1);
    let comma = match look.char(first) {
        None => return Found::End,
        Some('[' | '{' | '(' | ')') => return Found::Yes,
        Some('"' | '\'') => match look.quoted(first) {
            Some((_, Some(close))) => look.blank(close + 1),
            Some((_, None)) => return Found::End,
            None => return Found::No,
        },
        Some(c) if c.is_ascii_digit() || c == '-' => {
            let mut end = first + 1;
            while look.byte(end).is_some_and(|b| b.is_ascii_digit() || b == b'.')
                && end - first <= NAME
            {
                end += 1;
            }
            look.blank(end)
        }
        Some(_) => return Found::No,
    };
    match look.char(comma) {
        None => Found::End,
        Some(',') => Found::Yes,
        Some(_) => Found::No,
    }
}
