//! Words without quotes: keys, literals, numbers and text. Where such a word ends is decided by what
//! follows, since a comma may be part of a sentence.

use serde_json::Value;

use super::bare_end::{End, bare_end};
use super::chars::{is_blank, is_name, plain};
use super::close::Place;
use super::frames::Items;
use super::look::{Found, Look};
use super::scalar::{self, Word};
use super::{Engine, State, Step};
use crate::repair::{RepairKind, Risk};

/// A word that is being read.
#[derive(Debug, Clone)]
pub(crate) struct Bare {
    pub(crate) start: usize,
    /// Up to where it has been looked at.
    pub(crate) at: usize,
    pub(super) parens: usize,
    pub(super) braces: usize,
    pub(super) quotes: usize,
    /// What of a long word has been shown, and up to where there are only blanks behind it.
    shown: String,
    blank: usize,
}

/// Literals and numbers are distinguished from text by so many bytes.
const SHORT: usize = 64;

impl Bare {
    pub(crate) fn at(start: usize) -> Self {
        let shown = String::new();
        Self { start, at: start, parens: 0, braces: 0, quotes: 0, shown, blank: start }
    }

    /// What there is of it so far. A long text is not copied or looked at again each time.
    pub(super) fn so_far(&mut self, look: &Look<'_>) -> Option<Value> {
        let is_long = self.at - self.start > SHORT;
        let mut end = self.at.min(self.start + SHORT);
        while !look.text.is_char_boundary(end) {
            end -= 1;
        }
        let first = look.slice(self.start, end).trim_end();
        match scalar::begun(first) {
            Some(_) if is_long => return None,
            Some(value) => return Some(value),
            None if first.is_empty() || first.starts_with(['-', '+', '.']) => return None,
            None if !is_long => return Some(Value::from(first)),
            None => {}
        }
        let solid = self.start + self.shown.len();
        let new = look.slice(self.blank.max(solid), self.at);
        let kept = new.trim_end().len();
        if kept > 0 {
            let end = self.blank.max(solid) + kept;
            self.shown.push_str(look.slice(solid, end));
        }
        self.blank = self.at;
        Some(Value::String(std::mem::take(&mut self.shown)))
    }

    /// Takes back what was shown.
    pub(super) fn take_back(&mut self, text: String) {
        if self.at - self.start > SHORT {
            self.shown = text;
        }
    }
}

impl Engine {
    pub(super) fn in_bare(&mut self, look: &Look<'_>) -> Step {
        let State::Bare(mut bare) = std::mem::replace(&mut self.state, State::Done) else {
            return Step::Go;
        };
        let place = self.place();
        loop {
            let Some(c) = look.char(bare.at) else {
                self.pos = bare.start;
                self.state = State::Bare(bare);
                return if look.more { Step::Wait } else { Step::End };
            };
            let end = match c {
                c if place == Place::Root => End::On(c.len_utf8()),
                ',' | '，' | ';' | '；' | '、' | '}' | '｝' | ']' | '］' | '】' | '\n' | '"'
                | '/' | '#' | '`' | '.' | '…' | '\\' => bare_end(look, &mut bare, place, c),
                ' ' if place.is_list() => bare_end(look, &mut bare, place, c),
                ')' if place.is_tuple() && bare.parens == 0 => End::Here,
                '(' => {
                    bare.parens += 1;
                    End::On(1)
                }
                ')' => {
                    bare.parens = bare.parens.saturating_sub(1);
                    End::On(1)
                }
                '{' => {
                    bare.braces += 1;
                    End::On(1)
                }
                c => End::On(c.len_utf8()),
            };
            match end {
                End::On(bytes) => {
                    look.count(bytes);
                    bare.at += bytes;
                }
                End::Wait => {
                    look.count(1);
                    self.pos = bare.start;
                    self.state = State::Bare(bare);
                    return Step::Wait;
                }
                End::Here => {
                    self.pos = self.take_word(look, bare.start, bare.at, false);
                    return Step::Go;
                }
                End::AtQuote(width) => {
                    let to = bare.at;
                    self.take_word(look, bare.start, to, true);
                    self.pos = to + width;
                    return Step::Go;
                }
            }
        }
    }

    /// Takes a word, without the blanks behind it. Gives where it ends.
    fn take_word(&mut self, look: &Look<'_>, start: usize, to: usize, quoted: bool) -> usize {
        let text = look.slice(start, to).trim_end_matches(is_blank);
        let end = start + text.len();
        if quoted {
            self.repair(look, RepairKind::MissingOpeningQuote, start, start, "\"", Risk::Guess);
            self.put(Value::String(text.to_owned()));
            return end;
        }
        let value = self.read_word(look, start, end, text);
        self.put(value);
        end
    }

    pub(super) fn read_word(
        &mut self,
        look: &Look<'_>,
        start: usize,
        end: usize,
        text: &str,
    ) -> Value {
        match scalar::word(text) {
            Word::Exact(value) | Word::Spelled(value) if self.is_spelled(&value, text) => {
                Value::from(text)
            }
            Word::Exact(value) => value,
            Word::Spelled(value) => {
                let after = value.to_string();
                self.repair(look, RepairKind::Spelling, start, end, &after, Risk::Lossless);
                value
            }
            Word::Lost(value) => {
                self.repair(look, RepairKind::NotANumber, start, end, "null", Risk::Lossy);
                value
            }
            Word::Text => {
                self.repair(look, RepairKind::UnquotedString, start, end, text, Risk::Guess);
                Value::String(text.to_owned())
            }
        }
    }

    /// A number is to be read as the text that was written.
    fn is_spelled(&self, value: &Value, text: &str) -> bool {
        let Some(only_long) = self.spelling else { return false };
        let is_integer = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        let printed = value.to_string();
        value.is_f64() && (is_integer || !only_long && printed != text)
    }

    /// A key without quotes, up to its colon.
    pub(super) fn bare_key(&mut self, look: &Look<'_>, at: usize) -> Step {
        const MOST: usize = 256;
        let mut i = at;
        let end = loop {
            let Some(c) = look.char(i) else {
                if look.more && i - at < MOST {
                    return Step::Wait;
                }
                break None;
            };
            match plain(c) {
                ':' | '=' => break Some(c),
                ',' | '}' | ']' | '{' | '[' => break Some(c),
                '\n' | '"' => break Some(c),
                _ if i - at > MOST => break Some('\n'),
                _ => i += c.len_utf8(),
            }
        };
        look.count(i - at);
        let name = look.slice(at, i).trim_end();
        let name_end = at + name.len();
        match end.map(plain) {
            Some(':' | '=') if !name.is_empty() => {
                let name = name.trim_matches(['\'', '`', '*']);
                self.key(look, at, name_end, name, RepairKind::UnquotedKey, Risk::Lossless);
                self.pos = i;
            }
            // `a": …`
            Some('"') if !name.is_empty() && look.bare_key(at) == Found::Yes => {
                self.key(look, at, name_end, name, RepairKind::MissingOpeningQuote, Risk::Guess);
                self.pos = i + 1;
            }
            // `key "value"`
            Some('"') if !name.is_empty() && name.chars().all(is_name) => {
                self.key(look, at, name_end, name, RepairKind::UnquotedKey, Risk::Guess);
                self.pos = i;
            }
            None if name.chars().all(is_name) && !look.more => {
                // The beginning of a key.
                self.pos = look.end();
                self.state = State::Colon;
            }
            // `{1, 2}`: a set.
            Some(c @ (',' | '}')) if self.is_set(name, c) => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.items = Items::List(Vec::new());
                }
                self.repair(look, RepairKind::SetAsList, at, at, "[", Risk::Guess);
                self.state = State::Value;
            }
            _ => {
                let to = i.max(at + look.char(at).map_or(1, char::len_utf8));
                self.repair(look, RepairKind::Junk, at, to, "", Risk::Lossy);
                self.pos = to;
            }
        }
        Step::Go
    }

    /// Whether the first word in braces is the first of several, or a literal or number.
    fn is_set(&self, name: &str, end: char) -> bool {
        let is_first =
            self.frames.last().is_some_and(|frame| frame.is_empty() && frame.bracket.is_some());
        is_first && !name.is_empty() && (end == ',' || !matches!(scalar::word(name), Word::Text))
    }

    fn key(
        &mut self,
        look: &Look<'_>,
        start: usize,
        end: usize,
        name: &str,
        kind: RepairKind,
        risk: Risk,
    ) {
        self.repair(look, kind, start, end, name, risk);
        if let Some(frame) = self.frames.last_mut() {
            frame.key = Some(name.to_owned());
        }
        self.state = State::Colon;
    }
}
