//! Containers open and close here, whatever bracket does it, and values find their place in them. Depth is
//! bounded: what lies deeper is passed over.

use serde_json::Value;

use super::chars::plain;
use super::frames::Frame;
use super::look::Look;
use super::{Engine, State, Step};
use crate::repair::{Duplicate, RepairKind, Risk, Span, step};

impl Engine {
    /// A container opens with a bracket that ends before `pos`.
    pub(super) fn open(&mut self, look: &Look<'_>, at: usize, frame: Frame) {
        self.comma = None;
        if self.frames.len() >= self.depth {
            self.repair(look, RepairKind::TooDeep, at, self.pos, "null", Risk::Lossy);
            self.state = State::Skip(1, false);
            return;
        }
        self.structured |= frame.is_list();
        self.state = if frame.is_list() { State::Value } else { State::Key };
        self.frames.push(frame);
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

    /// A closing bracket closes the innermost container of its kind, and whatever is open in that.
    pub(super) fn close(&mut self, look: &Look<'_>, at: usize, c: char, bracket: char) {
        let behind = at + c.len_utf8();
        self.punctuation(look, at, c);
        if let Some(comma) = self.comma.take() {
            let Span { start, end } = comma;
            self.repair(look, RepairKind::ExtraComma, start, end, "", Risk::Lossless);
        }
        self.pos = behind;
        match self.frames.iter().rposition(|frame| frame.bracket == Some(bracket)) {
            // A member follows: it can only have been meant for what is innermost, or for nothing.
            Some(index) if self.goes_on(look, index, behind) => {
                let innermost = self.frames.last().and_then(|frame| frame.bracket);
                let right = innermost.filter(|_| index + 1 < self.frames.len());
                let after = right.map(String::from).unwrap_or_default();
                self.repair(look, RepairKind::WrongBracket, at, behind, &after, Risk::Guess);
                if right.is_none() {
                    self.state = State::After;
                    return;
                }
            }
            // It would close more than the text behind it allows: it is meant for what is innermost.
            Some(index)
                if index + 1 < self.frames.len() && self.overcloses(look, index, behind) =>
            {
                let innermost = self.frames.last().and_then(|frame| frame.bracket);
                let after = innermost.map(String::from).unwrap_or_default();
                self.repair(look, RepairKind::WrongBracket, at, behind, &after, Risk::Guess);
            }
            Some(index) => {
                while self.frames.len() > index + 1 {
                    if let Some(missing) = self.frames.last().and_then(|frame| frame.bracket) {
                        let missing = missing.to_string();
                        let kind = RepairKind::MissingBracket;
                        self.repair(look, kind, at, at, &missing, Risk::Guess);
                    }
                    self.pop();
                }
            }
            // One too many: the list goes on.
            None if self.in_list() && !look.more && look.byte(look.blank(behind)) == Some(b',') => {
                self.repair(look, RepairKind::WrongBracket, at, behind, "", Risk::Guess);
                self.state = State::After;
                return;
            }
            // Nothing of its kind is open: it is meant for the innermost.
            None => {
                let right = self.frames.last().and_then(|frame| frame.bracket);
                let after = right.map(String::from).unwrap_or_default();
                self.repair(look, RepairKind::WrongBracket, at, behind, &after, Risk::Guess);
                if right.is_none() {
                    // There is nothing that it could close.
                    self.state = if self.in_list() { State::Value } else { State::Key };
                    return;
                }
            }
        }
        self.pop();
    }

    /// Whether a member is behind a bracket where none could, if the bracket closed the container at a
    /// place on the stack: behind the whole value, or in a list.
    fn goes_on(&self, look: &Look<'_>, index: usize, behind: usize) -> bool {
        let is_object = |at: usize| self.frames.get(at).is_some_and(|frame| !frame.is_list());
        let lands_in_object = index.checked_sub(1).is_some_and(is_object);
        let is_early = index == 0 || index + 1 < self.frames.len();
        is_object(index)
            && is_early
            && !lands_in_object
            && !look.more
            && look.member_follows(behind)
    }

    /// Whether the whole value would be closed before the text is at its end, if a bracket closed the container
    /// at a place on the stack: more brackets follow, or another element.
    fn overcloses(&self, look: &Look<'_>, index: usize, behind: usize) -> bool {
        if look.more {
            return false;
        }
        let mut open: Vec<Option<char>> =
            self.frames.iter().take(index).map(|frame| frame.bracket).collect();
        let mut at = look.blank(behind);
        loop {
            let Some(c) = look.char(at).map(plain) else { return false };
            match c {
                '}' | ']' if open.is_empty() => return true,
                '}' | ']' => match open.iter().rposition(|bracket| *bracket == Some(c)) {
                    Some(place) => open.truncate(place),
                    None => return false,
                },
                ',' if open.is_empty() => {
                    let next = look.blank(at + look.char(at).map_or(1, char::len_utf8));
                    return look.char(next).is_some_and(|c| matches!(plain(c), '{' | '[' | '"'));
                }
                _ => return false,
            }
            at = look.blank(at + look.char(at).map_or(1, char::len_utf8));
        }
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

    /// The members of the whole answer stand without braces.
    pub(super) fn is_braceless(&self) -> bool {
        matches!(self.frames.as_slice(), [frame] if frame.bracket.is_none())
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
