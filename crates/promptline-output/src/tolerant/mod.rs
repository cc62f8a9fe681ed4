//! Reads JSON as models write it: one pass, an explicit stack, everything that was repaired is said. It can
//! stop where the text ends for now and go on when there is more. It never fails and never recurses.

mod ahead;
mod bare;
mod bare_end;
mod between;
mod block;
mod chars;
mod close;
mod cut;
pub(crate) mod escape;
mod frames;
mod known;
mod look;
mod members;
mod nesting;
pub(crate) mod scalar;
mod string;
mod wrapped;

use std::collections::HashSet;
use std::rc::Rc;

use serde_json::Value;

use crate::repair::{Log, RepairKind, Risk, Span, Truncated};
pub(crate) use chars::plain;
pub(crate) use frames::{Frame, seal, unseal};
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
    /// The value is in a code fence, whose end is the end of it.
    fenced: bool,
    depth: usize,
    /// The last comma, while nothing has followed it.
    comma: Option<Span>,
    /// A key with a colon was read, or a list.
    pub(crate) structured: bool,
    /// What is joined into the root for a look at it.
    sealed: bool,
    /// Where the code fence ends, if that ends the value.
    fence_end: Option<usize>,
    /// Numbers are read as texts where JSON would print them otherwise; `true`: only long integers.
    spelling: Option<bool>,
    /// The keys that may follow a string, folded; without them, any key may.
    known: Option<Rc<HashSet<String>>>,
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
            fence_end: None,
            spelling: None,
            known: None,
        }
    }

    /// Reads numbers as texts where JSON would print them otherwise; `only_long`: only integers of more digits
    /// than a number holds.
    pub(crate) fn spelling(mut self, only_long: bool) -> Self {
        self.spelling = Some(only_long);
        self
    }

    /// A string ends only where one of these keys follows, or the value ends.
    pub(crate) fn known(mut self, keys: Rc<HashSet<String>>) -> Self {
        self.known = Some(keys);
        self
    }

    /// An engine that is in an object whose braces are not written.
    pub(crate) fn braceless(start: usize, fenced: bool, depth: usize, most: usize) -> Self {
        let mut engine = Self::new(start, fenced, depth, most);
        engine.frames.push(Frame::braceless(None));
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
            State::Bare(bare) if bare.start < bare.at => bare.so_far(look),
            _ => None,
        }
    }

    fn take_back(&mut self, last: Option<Value>) {
        let Some(Value::String(text)) = last else { return };
        match &mut self.state {
            State::String(open) if !open.is_key => open.buffer = text,
            State::Bare(bare) => bare.take_back(text),
            _ => {}
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
        if let Some(step) = self.between(look, at, c) {
            return step;
        }
        match self.state {
            State::Value => self.at_value(look, at, c),
            State::Key => self.at_key(look, at, c),
            State::Colon => self.at_colon(look, at, c),
            _ => self.after(look, at, c),
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
            let span = Span { start, end };
            self.log.keep(look.text, kind, span, path, after, risk);
        }
    }

    /// Where the value begins.
    pub(crate) fn start(&self) -> usize {
        self.start
    }
}
