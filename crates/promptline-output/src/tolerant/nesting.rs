//! Containers open and close here, whatever bracket does it, and values find their place in them. Depth is
//! bounded: what lies deeper is passed over.

use serde_json::Value;

use super::frames::Frame;
use super::look::Look;
use super::{Engine, State, Step};
use crate::repair::{Duplicate, RepairKind, Risk, step};

impl Engine {
    pub(super) fn open(&mut self, look: &Look<'_>, object: bool) {
        self.comma = None;
        if self.frames.len() >= self.depth {
            let at = self.pos;
            self.repair(look, RepairKind::TooDeep, at - 1, at, "null", Risk::Lossy);
            self.state = State::Skip(1, false);
            return;
        }
        self.frames.push(if object { Frame::object() } else { Frame::list() });
        self.structured |= !object;
        self.state = if object { State::Key } else { State::Value };
    }

    /// Passes over what is too deep.
    pub(super) fn skip(&mut self, look: &Look<'_>) -> Step {
        let State::Skip(mut open, mut quoted) = self.state else { return Step::Go };
        let mut at = self.pos;
        while open > 0 {
            match look.byte(at) {
                None => {
                    self.pos = look.end();
                    self.state = State::Skip(open, quoted);
                    return if look.more { Step::Wait } else { Step::End };
                }
                Some(b'\\') if quoted => at += 1,
                Some(b'"') => quoted = !quoted,
                Some(b'{' | b'[') if !quoted => open += 1,
                Some(b'}' | b']') if !quoted => open -= 1,
                Some(_) => {}
            }
            at += 1;
        }
        self.pos = at;
        self.put(Value::Null);
        Step::Go
    }

    pub(super) fn close(&mut self, look: &Look<'_>, at: usize, c: char, simple: char) {
        let behind = at + c.len_utf8();
        self.punctuation(look, at, c);
        if let Some(comma) = self.comma.take() {
            self.repair(look, RepairKind::ExtraComma, comma, comma + 1, "", Risk::Lossless);
        }
        let list = simple == ']';
        let fits = |frame: &Frame| frame.is_list() == list && !frame.implied;
        match self.frames.iter().rposition(fits) {
            Some(index) => {
                while self.frames.len() > index + 1 {
                    let implied = self.frames.last().is_some_and(|frame| frame.implied);
                    if !implied {
                        let kind = if self.in_list() { "]" } else { "}" };
                        self.repair(look, RepairKind::MissingBracket, at, at, kind, Risk::Guess);
                    }
                    self.pop();
                }
            }
            // Nothing of its kind is open: it is meant for the innermost.
            None => {
                let right = if list { "}" } else { "]" };
                let implied = self.frames.last().is_some_and(|frame| frame.implied);
                if implied {
                    // There is nothing that it could close.
                    self.repair(look, RepairKind::WrongBracket, at, behind, "", Risk::Guess);
                    self.pos = behind;
                    self.state = if self.in_list() { State::Value } else { State::Key };
                    return;
                }
                self.repair(look, RepairKind::WrongBracket, at, behind, right, Risk::Guess);
            }
        }
        self.pos = behind;
        self.pop();
    }

    /// Ends the innermost container.
    pub(super) fn pop(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.put(frame.into_value());
        }
    }

    /// Puts a value that is read where it belongs.
    pub(super) fn put(&mut self, value: Value) {
        let Some(frame) = self.frames.last_mut() else {
            self.root = Some(value);
            self.state = State::Done;
            return;
        };
        if let Some((key, dropped)) = frame.put(value)
            && self.log.duplicates.len() < self.log.most
        {
            let mut path = self.path();
            step(&mut path, &key);
            self.log.duplicates.push(Duplicate { path, dropped });
        }
        self.log.junk_tail = 0;
        self.state = State::After;
    }

    pub(super) fn in_list(&self) -> bool {
        self.frames.last().is_some_and(Frame::is_list)
    }

    pub(super) fn parent_is_list(&self) -> bool {
        self.frames
            .len()
            .checked_sub(2)
            .and_then(|at| self.frames.get(at))
            .is_some_and(Frame::is_list)
    }
}
