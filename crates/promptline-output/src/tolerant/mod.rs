//! Reads JSON as models write it: one pass, an explicit stack, everything that was repaired is said. It can
//! stop where the text ends for now and go on when there is more. It never fails and never recurses.

mod bare;
mod chars;
mod close;
mod frames;
mod look;
pub(crate) mod scalar;
mod string;

use serde_json::Value;

use crate::repair::{Duplicate, Inside, Log, Repair, RepairKind, Risk, Span, Truncated, short};
pub(crate) use chars::plain;
use frames::{Frame, Items};
pub(crate) use look::{Found, Look, Marks};
use string::Open;

/// What is expected next.
#[derive(Debug, Clone)]
enum State {
    Value,
    Key,
    Colon,
    /// Behind a value in a container.
    After,
    String(Box<Open>),
    /// A word without quotes that begins here; up to where it has been looked at, and brackets open in it.
    Bare(bare::Bare),
    /// Something too deep, passed over: brackets open in it, in a string.
    Skip(usize, bool),
    Done,
}

/// Reads one value.
#[derive(Debug)]
pub(crate) struct Engine {
    pub(crate) pos: usize,
    start: usize,
    frames: Vec<Frame>,
    state: State,
    root: Option<Value>,
    pub(crate) log: Log,
    pub(crate) truncated: Option<Truncated>,
    /// The value stands in a code fence, whose end is the end of it.
    fenced: bool,
    depth: usize,
    /// Where the last comma is, while nothing has followed it.
    comma: Option<usize>,
    /// A key with a colon was read, or a list.
    pub(crate) structured: bool,
    /// What is joined into the root for a look at it.
    sealed: bool,
    ended_by_fence: bool,
}

/// Why the engine stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flow {
    /// The value is read.
    Done,
    /// The text ends, and more may come.
    Wait,
}

enum Step {
    Go,
    Wait,
    /// The text ends, and nothing more comes.
    End,
}

impl Engine {
    pub(crate) fn new(start: usize, fenced: bool, depth: usize, most: usize) -> Self {
        Self {
            pos: start,
            start,
            frames: Vec::new(),
            state: State::Value,
            root: None,
            log: Log::new(most),
            truncated: None,
            fenced,
            depth,
            comma: None,
            structured: false,
            sealed: false,
            ended_by_fence: false,
        }
    }

    /// An engine that is in an object whose braces are not written.
    pub(crate) fn braceless(start: usize, depth: usize, most: usize) -> Self {
        let mut engine = Self::new(start, false, depth, most);
        let mut frame = Frame::object();
        frame.implied = true;
        engine.frames.push(frame);
        engine.state = State::Key;
        engine
    }

    /// Reads on.
    pub(crate) fn run(&mut self, look: &Look<'_>) -> Flow {
        self.open_again();
        let from = self.pos;
        let flow = loop {
            match self.step(look) {
                Step::Go => {}
                Step::Wait => break Flow::Wait,
                Step::End => {
                    self.finish(look);
                    break Flow::Done;
                }
            }
            if matches!(self.state, State::Done) {
                break Flow::Done;
            }
        };
        look.count(self.pos.saturating_sub(from));
        flow
    }

    pub(crate) fn is_done(&self) -> bool {
        matches!(self.state, State::Done)
    }

    /// The value, as far as it is read.
    pub(crate) fn value(&mut self, look: &Look<'_>) -> Option<&Value> {
        if !self.sealed && !self.is_done() {
            let last = self.last_so_far(look);
            self.root = frames::seal(&mut self.frames, last);
            self.sealed = true;
        }
        self.root.as_ref()
    }

    /// The value, taken out.
    pub(crate) fn into_value(self) -> (Option<Value>, Log, Option<Truncated>) {
        (self.root, self.log, self.truncated)
    }

    /// The path of what is being read.
    pub(crate) fn path(&self) -> String {
        let mut path = String::new();
        for frame in &self.frames {
            frame.step(&mut path);
        }
        path
    }

    /// The path of what is still being written; while the value is joined as well.
    pub(crate) fn open_path(&self) -> String {
        let mut path = String::new();
        for frame in &self.frames {
            frame.open_step(&mut path);
        }
        path
    }

    fn open_again(&mut self) {
        if self.sealed {
            let last = frames::unseal(&mut self.frames, self.root.take());
            self.take_back(last);
            self.sealed = false;
        }
    }

    /// What there is of a string or word that is not at its end.
    fn last_so_far(&mut self, look: &Look<'_>) -> Option<Value> {
        match &mut self.state {
            State::String(open) if !open.is_key => Some(Value::String(open.so_far(look))),
            State::Bare(bare) if bare.start < bare.at => {
                let text = look.slice(bare.start, bare.at).trim_end();
                scalar::begun(text).or_else(|| {
                    let text_like = !text.starts_with(['-', '+', '.']) && !text.is_empty();
                    text_like.then(|| Value::String(text.to_owned()))
                })
            }
            _ => None,
        }
    }

    fn take_back(&mut self, last: Option<Value>) {
        if let (State::String(open), Some(Value::String(text))) = (&mut self.state, last)
            && !open.is_key
        {
            open.buffer = text;
        }
    }

    fn step(&mut self, look: &Look<'_>) -> Step {
        match &self.state {
            State::String(_) => return self.in_string(look),
            State::Bare(_) => return self.in_bare(look),
            State::Skip(..) => return self.skip(look),
            State::Done => return Step::Go,
            _ => {}
        }
        let at = self.pass_blank(look);
        let Some(c) = look.char(at) else {
            return if look.more { Step::Wait } else { Step::End };
        };
        // What decides may stand just behind the end.
        if look.more && at + 4 > look.end() {
            let undecided = match c {
                '"' | '\'' => look.slice(at, look.end()).chars().all(|other| other == c),
                '/' | '.' | '`' | '#' | '\\' => true,
                _ => false,
            };
            if undecided {
                return Step::Wait;
            }
        }
        if let Some(end) = look.comment(at) {
            if end == look.end() && look.more {
                return Step::Wait;
            }
            self.repair(look, RepairKind::Comment, at, end, "", Risk::Lossless);
            self.pos = end;
            return Step::Go;
        }
        if look.is_fence(at) || (self.fenced && look.starts(at, "```")) {
            let value_here = matches!(self.state, State::Value) && !self.in_list();
            if self.fenced && !value_here {
                self.ended_by_fence = true;
                return Step::End;
            }
            if !value_here {
                let end = look.line_end(at);
                self.repair(look, RepairKind::Junk, at, end, "", Risk::Lossless);
                self.pos = end;
                return Step::Go;
            }
        }
        if self.pass_ellipsis(look, at) {
            return Step::Go;
        }
        match self.state {
            State::Value => self.at_value(look, at, c),
            State::Key => self.at_key(look, at, c),
            State::Colon => self.at_colon(look, at, c),
            _ => self.after(look, at, c),
        }
    }

    fn at_value(&mut self, look: &Look<'_>, at: usize, c: char) -> Step {
        let simple = plain(c);
        match simple {
            '{' | '[' => {
                self.punctuation(look, at, c);
                self.pos = at + c.len_utf8();
                self.open(look, simple == '{');
            }
            '}' | ']' => self.close(look, at, c, simple),
            ',' if self.in_list() => {
                self.repair(
                    look,
                    RepairKind::ExtraComma,
                    at,
                    at + c.len_utf8(),
                    "",
                    Risk::Lossless,
                );
                self.pos = at + c.len_utf8();
            }
            ',' => {
                self.repair(look, RepairKind::MissingValue, at, at, "null", Risk::Guess);
                self.put(Value::Null);
            }
            ':' => {
                self.repair(look, RepairKind::Junk, at, at + c.len_utf8(), "", Risk::Guess);
                self.pos = at + c.len_utf8();
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
                    None => self.state = State::Bare(bare::Bare::at(at)),
                }
            }
        }
        Step::Go
    }

    fn at_key(&mut self, look: &Look<'_>, at: usize, c: char) -> Step {
        let simple = plain(c);
        let behind = at + c.len_utf8();
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

    fn at_colon(&mut self, look: &Look<'_>, at: usize, c: char) -> Step {
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
    fn no_value(&mut self, look: &Look<'_>, at: usize) {
        let Some(frame) = self.frames.last_mut() else { return };
        if frame.is_empty() && !frame.implied {
            let key = frame.key.take().unwrap_or_default();
            frame.items = Items::List(vec![Value::String(key)]);
            self.state = State::After;
            self.repair(look, RepairKind::SetAsList, at, at, "[", Risk::Guess);
        } else {
            self.repair(look, RepairKind::MissingValue, at, at, "null", Risk::Guess);
            self.put(Value::Null);
        }
    }

    fn after(&mut self, look: &Look<'_>, at: usize, c: char) -> Step {
        let behind = at + c.len_utf8();
        let simple = plain(c);
        match simple {
            ',' => {
                self.punctuation(look, at, c);
                self.comma = Some(at);
                self.pos = behind;
                self.state = if self.in_list() { State::Value } else { State::Key };
            }
            '}' | ']' => self.close(look, at, c, simple),
            ':' if self.key_in_list() => {
                self.repair(look, RepairKind::MissingBraces, at, at, "{", Risk::Guess);
            }
            '\\' | ')' => {
                self.repair(look, RepairKind::Junk, at, behind, "", Risk::Guess);
                self.pos = behind;
            }
            _ => {
                if self.in_list() {
                    self.repair(look, RepairKind::MissingComma, at, at, ",", Risk::Guess);
                    self.state = State::Value;
                } else {
                    // Between two members nothing else can be meant, if a key follows.
                    let risk = match look.key(at) {
                        Found::Yes => Risk::Lossless,
                        _ => Risk::Guess,
                    };
                    self.repair(look, RepairKind::MissingComma, at, at, ",", risk);
                    self.state = State::Key;
                }
            }
        }
        Step::Go
    }

    /// `["key": …`: the string before the colon was a key, of an object without braces.
    fn key_in_list(&mut self) -> bool {
        let Some(Frame { items: Items::List(list), .. }) = self.frames.last_mut() else {
            return false;
        };
        let Some(Value::String(_)) = list.last() else { return false };
        let Some(Value::String(key)) = list.pop() else { return false };
        let mut frame = Frame::object();
        frame.key = Some(key);
        frame.implied = true;
        self.frames.push(frame);
        self.state = State::Colon;
        true
    }

    fn in_list(&self) -> bool {
        self.frames.last().is_some_and(Frame::is_list)
    }

    fn parent_is_list(&self) -> bool {
        self.frames
            .len()
            .checked_sub(2)
            .and_then(|at| self.frames.get(at))
            .is_some_and(Frame::is_list)
    }

    fn open(&mut self, look: &Look<'_>, object: bool) {
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
    fn skip(&mut self, look: &Look<'_>) -> Step {
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

    fn close(&mut self, look: &Look<'_>, at: usize, c: char, simple: char) {
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
    fn pop(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.put(frame.into_value());
        }
    }

    /// Puts a value that is read where it belongs.
    fn put(&mut self, value: Value) {
        let path_needed = match self.frames.last() {
            None => {
                self.root = Some(value);
                self.state = State::Done;
                return;
            }
            Some(Frame { items: Items::Object(object), key: Some(key), .. }) => {
                object.contains_key(key)
            }
            Some(_) => false,
        };
        let path = if path_needed { self.path() } else { String::new() };
        if let Some(frame) = self.frames.last_mut() {
            let old = frame.put(value);
            if let Some((_, dropped)) = old
                && self.log.duplicates.len() < self.log.most
            {
                self.log.duplicates.push(Duplicate { path, dropped });
            }
        }
        self.log.junk_tail = 0;
        self.state = State::After;
    }

    fn pass_blank(&mut self, look: &Look<'_>) -> usize {
        let at = look.blank(self.pos);
        let passed = look.slice(self.pos, at);
        if !passed.is_ascii() || passed.bytes().any(|byte| byte == 0xb || byte == 0xc) {
            let (from, to) = (self.pos, at);
            self.repair(look, RepairKind::Blank, from, to, " ", Risk::Lossless);
        }
        self.pos = at;
        at
    }

    fn pass_ellipsis(&mut self, look: &Look<'_>, at: usize) -> bool {
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

    fn punctuation(&mut self, look: &Look<'_>, at: usize, c: char) {
        let simple = plain(c);
        if simple != c {
            let mut as_text = [0; 4];
            let simple = simple.encode_utf8(&mut as_text);
            let end = at + c.len_utf8();
            self.repair(look, RepairKind::Punctuation, at, end, simple, Risk::Lossless);
        }
    }

    fn repair(
        &mut self,
        look: &Look<'_>,
        kind: RepairKind,
        start: usize,
        end: usize,
        after: &str,
        risk: Risk,
    ) {
        if self.log.has_room(kind, risk) {
            let path = self.path();
            self.log.repairs.push(Repair {
                kind,
                span: Span { start, end },
                path,
                before: short(look.slice(start, end)),
                after: short(after),
                risk,
            });
        }
    }

    /// The text ends inside of the value.
    fn finish(&mut self, look: &Look<'_>) {
        let end = look.end();
        let mut inside = Inside::Container;
        let mut cut = !self.ended_by_fence;
        let mut last = None;
        // Taken out, since what is in it decides how to go on.
        match std::mem::replace(&mut self.state, State::Done) {
            State::String(open) => {
                let by_fence = self.unclosed(look, *open, &mut inside, &mut last);
                cut &= !by_fence;
            }
            State::Bare(bare) => {
                let text = look.slice(bare.start, end).trim_end();
                let path_start = bare.start;
                last = self.word_at_end(look, path_start, text, &mut inside, &mut cut);
            }
            State::Value | State::Colon if !self.in_list() && !self.frames.is_empty() => {
                inside = Inside::Key;
            }
            _ => {}
        }
        let only_implied = self.frames.iter().all(|frame| frame.implied);
        if self.frames.is_empty() && last.is_some() && matches!(inside, Inside::Container) {
            cut = false;
        }
        if only_implied && matches!(inside, Inside::Container) {
            cut = false;
        }
        if cut {
            self.truncated = Some(Truncated { path: self.path(), inside, at: end });
        }
        let missing: String = self
            .frames
            .iter()
            .rev()
            .filter(|frame| !frame.implied)
            .map(|frame| if frame.is_list() { ']' } else { '}' })
            .collect();
        if !missing.is_empty() {
            self.repair(look, RepairKind::MissingBracket, end, end, &missing, Risk::Guess);
        }
        if let Some(comma) = self.comma.take().filter(|_| last.is_none()) {
            self.repair(look, RepairKind::ExtraComma, comma, comma + 1, "", Risk::Lossless);
        }
        // Prose behind the last value says nothing about the values before it.
        self.log.junk -= self.log.junk_tail;
        self.root = frames::seal(&mut self.frames, last);
        self.frames.clear();
        self.pos = end;
        self.state = State::Done;
    }

    /// Where the value begins.
    pub(crate) fn start(&self) -> usize {
        self.start
    }
}
