//! The grammar: what may be where a key, a colon, a value or a comma is expected, and what is made of
//! what is there instead.

use serde_json::Value;

use super::chars::plain;
use super::frames::{Frame, Items};
use super::look::{Found, Look};
use super::string::Open;
use super::wrapped::tuple;
use super::{Engine, State, Step, bare};
use crate::repair::{RepairKind, Risk, Span};

impl Engine {
    pub(super) fn at_value(&mut self, look: &Look<'_>, at: usize, c: char) -> Step {
        let simple = plain(c);
        let behind = at + c.len_utf8();
        match simple {
            // `[text](address)` is text.
            '[' if let Some(end) = look.link(at).filter(|_| !self.frames.is_empty()) => {
                let link = look.slice(at, end);
                self.repair(look, RepairKind::UnquotedString, at, end, link, Risk::Guess);
                self.comma = None;
                self.put(Value::from(link));
                self.pos = end;
            }
            '{' | '[' => {
                self.punctuation(look, at, c);
                self.pos = behind;
                self.open(look, at, if simple == '{' { Frame::object() } else { Frame::list() });
            }
            '}' | ']' => {
                if !self.in_list() && !self.frames.is_empty() {
                    self.repair(look, RepairKind::MissingValue, at, at, "null", Risk::Guess);
                    self.put(Value::Null);
                }
                self.close(look, at, c, simple);
            }
            ')' if self.place().is_tuple() => self.close(look, at, c, simple),
            '(' if !self.frames.is_empty() && self.frames.len() < self.depth => {
                match tuple(look, at) {
                    Found::End if look.more => return Step::Wait,
                    Found::Yes => {
                        self.repair(look, RepairKind::Punctuation, at, behind, "[", Risk::Guess);
                        self.pos = behind;
                        self.open(look, at, Frame::tuple());
                    }
                    _ => self.state = State::Bare(bare::Bare::at(at)),
                }
            }
            ',' if self.in_list() => {
                self.repair(look, RepairKind::ExtraComma, at, behind, "", Risk::Lossless);
                self.pos = behind;
            }
            // `**Name:** …`
            '*' if self.is_braceless() && look.starts(at, "** ") => {
                self.repair(look, RepairKind::Markup, at, at + 2, "", Risk::Lossless);
                self.pos = at + 2;
            }
            ',' => {
                self.repair(look, RepairKind::MissingValue, at, at, "null", Risk::Guess);
                self.put(Value::Null);
            }
            ':' => {
                self.repair(look, RepairKind::Junk, at, behind, "", Risk::Guess);
                self.pos = behind;
            }
            '\\' => {
                self.repair(look, RepairKind::Junk, at, at + 1, "", Risk::Guess);
                self.pos = at + 1;
            }
            _ => {
                self.comma = None;
                match Open::at(look, at, false) {
                    Some(open) => {
                        self.pos = open.start;
                        self.state = State::String(Box::new(open));
                    }
                    None => match self.wrapped(look, at) {
                        Some(step) => return step,
                        None => self.state = State::Bare(bare::Bare::at(at)),
                    },
                }
            }
        }
        Step::Go
    }

    pub(super) fn at_key(&mut self, look: &Look<'_>, at: usize, c: char) -> Step {
        let simple = plain(c);
        let behind = at + c.len_utf8();
        if self.is_braceless()
            && let Some(key) = look.listed(at)
        {
            self.repair(look, RepairKind::Markup, at, key, "", Risk::Lossless);
            self.pos = key;
            return Step::Go;
        }
        match simple {
            '}' | ']' => self.close(look, at, c, simple),
            ',' => {
                self.repair(look, RepairKind::ExtraComma, at, behind, "", Risk::Lossless);
                self.pos = behind;
            }
            '{' if self.parent_is_list() && self.frames.last().is_some_and(|f| !f.is_empty()) => {
                // The object before it was not closed: `[{"a": 1, {"a": 2}]`.
                self.repair(look, RepairKind::MissingBracket, at, at, "}", Risk::Guess);
                self.pop();
                self.state = State::After;
            }
            // A symbol of Ruby.
            ':' if look.char(behind).is_some_and(char::is_alphabetic) => {
                self.repair(look, RepairKind::Punctuation, at, behind, "", Risk::Guess);
                self.pos = behind;
            }
            '{' | '[' | ':' | '\\' | '(' | ')' => {
                self.repair(look, RepairKind::Junk, at, behind, "", Risk::Lossy);
                self.pos = behind;
            }
            _ => {
                self.comma = None;
                if let Some(open) = Open::at(look, at, true) {
                    self.pos = open.start;
                    self.state = State::String(Box::new(open));
                } else {
                    return self.bare_key(look, at);
                }
            }
        }
        Step::Go
    }

    pub(super) fn at_colon(&mut self, look: &Look<'_>, at: usize, c: char) -> Step {
        let behind = at + c.len_utf8();
        match plain(c) {
            ':' => {
                self.punctuation(look, at, c);
                self.pos = behind;
                self.structured = true;
                self.state = State::Value;
            }
            '=' => {
                let behind = if look.byte(behind) == Some(b'>') { behind + 1 } else { behind };
                self.repair(look, RepairKind::Punctuation, at, behind, ":", Risk::Lossless);
                self.pos = behind;
                self.structured = true;
                self.state = State::Value;
            }
            ',' | '}' | ']' => self.no_value(look, at),
            _ => {
                self.repair(look, RepairKind::MissingColon, at, at, ":", Risk::Guess);
                self.state = State::Value;
            }
        }
        Step::Go
    }

    /// A key that no colon follows: of an object that begins so, it is the first element of a list.
    pub(super) fn no_value(&mut self, look: &Look<'_>, at: usize) {
        let Some(frame) = self.frames.last_mut() else { return };
        if frame.is_empty() && frame.bracket.is_some() {
            let key = frame.key.take().unwrap_or_default();
            frame.items = Items::List(vec![Value::String(key)]);
            self.state = State::After;
            self.repair(look, RepairKind::SetAsList, at, at, "[", Risk::Guess);
        } else {
            self.repair(look, RepairKind::MissingValue, at, at, "null", Risk::Guess);
            self.put(Value::Null);
        }
    }

    pub(super) fn after(&mut self, look: &Look<'_>, at: usize, c: char) -> Step {
        let behind = at + c.len_utf8();
        let simple = plain(c);
        match simple {
            ',' => {
                self.punctuation(look, at, c);
                self.comma = Some(Span::new(at, behind));
                self.pos = behind;
                self.state = if self.in_list() { State::Value } else { State::Key };
            }
            '}' | ']' => self.close(look, at, c, simple),
            ':' if self.key_in_list(look, at) => {}
            ')' if self.place().is_tuple() => self.close(look, at, c, simple),
            '\\' | ')' => {
                self.repair(look, RepairKind::Junk, at, behind, "", Risk::Guess);
                self.pos = behind;
            }
            _ => {
                if self.in_list() {
                    self.repair(look, RepairKind::MissingComma, at, at, ",", Risk::Guess);
                    self.state = State::Value;
                } else {
                    // Between two members nothing else can be meant, if a key follows in quotes or on a
                    // line of its own.
                    let stands_out = matches!(simple, '"' | '\'') || look.opens_line(at);
                    let risk = match look.key(at) {
                        Found::Yes if stands_out => Risk::Lossless,
                        _ => Risk::Guess,
                    };
                    self.repair(look, RepairKind::MissingComma, at, at, ",", risk);
                    self.state = State::Key;
                }
            }
        }
        Step::Go
    }

    /// `["key": …`: the string before the colon was a key. Either the list was not closed before it, or it is
    /// one of an object without braces.
    fn key_in_list(&mut self, look: &Look<'_>, at: usize) -> bool {
        let Some(Frame { items: Items::List(list), .. }) = self.frames.last_mut() else {
            return false;
        };
        let Some(Value::String(_)) = list.last() else { return false };
        let Some(Value::String(key)) = list.pop() else { return false };
        let outer = self.frames.len().checked_sub(2).and_then(|outer| self.frames.get(outer));
        let in_object = outer.is_some_and(|frame| frame.bracket == Some('}') && !frame.is_list());
        if in_object && look.closer(at) == Some('}') {
            self.repair(look, RepairKind::MissingBracket, at, at, "]", Risk::Guess);
            self.pop();
            if let Some(frame) = self.frames.last_mut() {
                frame.key = Some(key);
            }
        } else {
            self.repair(look, RepairKind::MissingBraces, at, at, "{", Risk::Guess);
            self.frames.push(Frame::braceless(Some(key)));
        }
        self.state = State::Colon;
        true
    }
}
