//! What is between the parts of a value and is none of them: blanks, comments, fences, ellipses.

use serde_json::Value;

use super::chars::plain;
use super::look::Look;
use super::{Engine, State, Step};
use crate::repair::{RepairKind, Risk};

impl Engine {
    /// Passes over what is here and is no part of the value; `None`: nothing of the kind.
    pub(super) fn between(&mut self, look: &Look<'_>, at: usize, c: char) -> Option<Step> {
        // Most of the time it is plain punctuation.
        if !matches!(c, '/' | '#' | '`' | '.' | '…' | '"' | '\'' | '\\' | '<') {
            return None;
        }
        // What decides may be just behind the end.
        if look.more && at + 4 > look.end() {
            let undecided = match c {
                '"' | '\'' => look.slice(at, look.end()).chars().all(|other| other == c),
                '/' | '.' | '`' | '#' | '\\' | '<' => true,
                _ => false,
            };
            if undecided {
                return Some(Step::Wait);
            }
        }
        if let Some(end) = look.comment(at).or_else(|| self.hash_comment(look, at)) {
            if end == look.end() && look.more {
                return Some(Step::Wait);
            }
            self.repair(look, RepairKind::Comment, at, end, "", Risk::Lossless);
            self.pos = end;
            return Some(Step::Go);
        }
        if look.is_fence(at) || (self.fenced && look.starts(at, "```")) {
            let value_here = matches!(self.state, State::Value) && !self.in_list();
            if self.fenced && !value_here {
                self.fence_end = Some(at);
                return Some(Step::End);
            }
            if !value_here {
                let end = look.line_end(at);
                self.repair(look, RepairKind::Junk, at, end, "", Risk::Lossless);
                self.pos = end;
                return Some(Step::Go);
            }
        }
        if self.pass_escaped_blank(look, at) || self.pass_ellipsis(look, at) {
            return Some(Step::Go);
        }
        None
    }

    /// `#` and a word, where a key or comma is expected: no value begins so there.
    fn hash_comment(&self, look: &Look<'_>, at: usize) -> Option<usize> {
        let expected = matches!(self.state, State::Key | State::After) && !self.in_list();
        let is_hash = expected && look.byte(at) == Some(b'#');
        is_hash.then(|| look.line_end(at)).filter(|end| look.more || *end < look.end())
    }

    /// Line breaks and tabs that are written as escapes, as if the answer was in a string.
    fn pass_escaped_blank(&mut self, look: &Look<'_>, at: usize) -> bool {
        let mut end = at;
        while look.is_escaped_blank(end) {
            let next = look.blank(end + 2);
            // `\name` is no line break.
            if look.char(next).is_some_and(|c| c.is_ascii_alphabetic()) {
                break;
            }
            end = next;
        }
        if end == at {
            return false;
        }
        self.repair(look, RepairKind::Blank, at, end, " ", Risk::Lossless);
        self.pos = end;
        true
    }

    pub(super) fn pass_blank(&mut self, look: &Look<'_>) -> usize {
        let at = look.blank(self.pos);
        let passed = look.slice(self.pos, at);
        if passed.bytes().any(|byte| !matches!(byte, b' ' | b'\n' | b'\r' | b'\t')) {
            let (from, to) = (self.pos, at);
            self.repair(look, RepairKind::Blank, from, to, " ", Risk::Lossless);
        }
        self.pos = at;
        at
    }

    pub(super) fn pass_ellipsis(&mut self, look: &Look<'_>, at: usize) -> bool {
        let mut end = at;
        while look.byte(end) == Some(b'.') {
            end += 1;
        }
        if look.starts(at, "…") {
            end = at + '…'.len_utf8();
        } else if end - at < 3 || end - at > 6 {
            return false;
        }
        // `...text` is text.
        let next = look.blank(end);
        let alone = match look.char(next) {
            None => true,
            Some(c) => matches!(plain(c), ',' | '}' | ']') || next > end,
        };
        if !alone || matches!(self.state, State::Colon) {
            return false;
        }
        self.repair(look, RepairKind::Ellipsis, at, end, "", Risk::Lossy);
        self.pos = end;
        match self.state {
            State::Value if !self.in_list() => {
                if self.frames.is_empty() {
                    self.state = State::Done;
                } else {
                    self.put(Value::Null);
                }
            }
            _ => {
                // Its comma goes with it.
                if look.char(next).is_some_and(|c| plain(c) == ',')
                    && !matches!(self.state, State::After)
                {
                    self.pos = next + look.char(next).map_or(1, char::len_utf8);
                }
            }
        }
        true
    }

    pub(super) fn punctuation(&mut self, look: &Look<'_>, at: usize, c: char) {
        let simple = plain(c);
        if simple != c {
            let mut as_text = [0; 4];
            let simple = simple.encode_utf8(&mut as_text);
            let end = at + c.len_utf8();
            self.repair(look, RepairKind::Punctuation, at, end, simple, Risk::Lossless);
        }
    }
}
