//! In a parameter: where its value ends. A short value ends at the first closing tag; a body only where
//! the call visibly goes on or ends, since files may hold any tag. What is found at the end of an answer
//! without that is mended on firm evidence only.

use serde_json::Value;

use super::preview::Preview;
use super::within::{Tag, Within};
use super::{CallParser, Emit, Flow, State};
use crate::event::Event;
use crate::syntax::Framing;
use crate::value;
use crate::view::Look;

/// A parameter that is being read.
#[derive(Debug)]
pub(super) struct Reading {
    pub(super) name: String,
    pub(super) body: bool,
    pub(super) start: usize,
    /// Calls of the same tool that opened in the value and have not closed.
    pub(super) calls: usize,
    /// The same for parameters of the same name.
    pub(super) params: usize,
    cdata: Cdata,
    preview: Preview,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cdata {
    Unknown,
    /// In the CDATA section that the value begins with.
    Inside,
    /// Behind it, or there is none.
    Outside,
}

impl Reading {
    pub(super) fn new(name: String, body: bool, start: usize) -> Self {
        let preview = Preview::new(start);
        Self { name, body, start, calls: 0, params: 0, cdata: Cdata::Unknown, preview }
    }
}

impl CallParser {
    pub(super) fn value(&mut self, emit: Emit<'_>) -> Flow {
        let State::Value(mut reading) = std::mem::replace(&mut self.state, State::Between) else {
            return Flow::Go;
        };
        let flow = self.read_value(&mut reading, emit);
        if let Some(flow) = flow {
            self.state = State::Value(reading);
            return flow;
        }
        Flow::Go
    }

    /// `None` when the value has ended.
    fn read_value(&mut self, reading: &mut Reading, emit: Emit<'_>) -> Option<Flow> {
        if !self.pass_cdata(reading) {
            return Some(Flow::Wait);
        }
        loop {
            let view = self.view();
            let Some(at) = view.next_tag(self.scan) else {
                self.scan = view.end();
                self.show(reading, self.scan, emit);
                return Some(Flow::Wait);
            };
            self.scan = at;
            match self.tag_in_value(reading, at) {
                Tag::Inner { behind, calls, params } => {
                    reading.calls = reading.calls.saturating_add_signed(calls);
                    reading.params = reading.params.saturating_add_signed(params);
                    self.scan = behind;
                }
                Tag::End { behind, repair } => {
                    if let Some(repair) = repair {
                        self.mend(repair);
                    }
                    self.end_value(reading, at, emit);
                    self.at = behind;
                    self.scan = behind;
                    return None;
                }
                Tag::Again => {
                    self.start_again(reading);
                }
                Tag::Wait => {
                    self.show(reading, at, emit);
                    return Some(Flow::Wait);
                }
            }
        }
    }

    fn tag_in_value(&self, reading: &Reading, at: usize) -> Tag {
        let Some((open, tool)) = self.open_tool() else {
            return Tag::Inner { behind: at + 1, calls: 0, params: 0 };
        };
        let within = Within {
            view: self.view(),
            syntax: open.syntax,
            tool,
            eager: open.eager,
            seen: &|name| open.call.value(name).is_some(),
            reading,
        };
        within.tag(at)
    }

    /// Goes over a CDATA section at the start of a value; false while its end has not come.
    fn pass_cdata(&mut self, reading: &mut Reading) -> bool {
        let by_field =
            self.call.as_ref().is_some_and(|open| open.syntax.framing == Framing::ByField);
        let view = self.view();
        let (scan, cdata) = match reading.cdata {
            Cdata::Outside => return true,
            Cdata::Unknown if !by_field => (self.scan, Cdata::Outside),
            Cdata::Unknown => match view.literal(view.blanks(reading.start), "<![CDATA[") {
                Look::Yes(inside) => (inside, Cdata::Inside),
                Look::No => (self.scan, Cdata::Outside),
                // A beginning of the mark is a tag that is cut off: not part of the value.
                Look::More => (view.blanks(reading.start), Cdata::Unknown),
            },
            Cdata::Inside => (self.scan, Cdata::Inside),
        };
        let (scan, cdata) = match cdata {
            Cdata::Inside => match memchr::memmem::find(view.from(scan), b"]]>") {
                Some(found) => (scan + found + 3, Cdata::Outside),
                None => (view.end().saturating_sub(2).max(scan), Cdata::Inside),
            },
            cdata => (scan, cdata),
        };
        self.record.add(scan.saturating_sub(self.scan));
        self.scan = scan;
        // What is in CDATA is not shown before it is whole.
        if cdata == Cdata::Outside && by_field && scan > reading.start {
            reading.preview.hide();
        }
        reading.cdata = cdata;
        cdata == Cdata::Outside
    }

    /// Takes the value up to here into the call.
    fn end_value(&mut self, reading: &mut Reading, end: usize, emit: Emit<'_>) {
        self.show(reading, end, emit);
        let framing = self.call.as_ref().map_or(Framing::None, |open| open.syntax.framing);
        let text = self.view().slice(reading.start..end);
        let value = value::of(text, framing, reading.body).to_owned();
        self.put(&reading.name, Value::String(value), emit);
    }

    /// The answer ends within the value: what there is of it is a preview.
    pub(super) fn cut_value(&mut self, emit: Emit<'_>) {
        if let State::Value(mut reading) = std::mem::replace(&mut self.state, State::Between) {
            // Of a section without an end everything is there to be seen.
            let inside = reading.cdata == Cdata::Inside;
            let end = if inside { self.view().end() } else { self.scan };
            self.end_value(&mut reading, end, emit);
        }
    }

    /// Nothing more comes, and the value has no end: reads it once more for the first end that makes
    /// sense. False if that was done already.
    pub(super) fn read_again(&mut self) -> bool {
        let eager = self.call.as_ref().is_none_or(|open| open.eager);
        let State::Value(mut reading) = std::mem::replace(&mut self.state, State::Between) else {
            return false;
        };
        // A section that never ends hides everything behind it.
        let again = !eager && reading.cdata == Cdata::Outside;
        if again {
            self.in_vain += 1;
            self.start_again(&mut reading);
        }
        self.state = State::Value(reading);
        again
    }

    fn start_again(&mut self, reading: &mut Reading) {
        if let Some(open) = &mut self.call {
            open.eager = true;
        }
        reading.calls = 0;
        reading.params = 0;
        reading.cdata = Cdata::Unknown;
        self.scan = reading.start;
    }

    /// Shows what can be shown of the value up to here.
    fn show(&self, reading: &mut Reading, to: usize, emit: Emit<'_>) {
        let Some(open) = &self.call else { return };
        let view = self.view();
        let range = reading.preview.next(view, open.syntax.framing, reading.body, to);
        if let Some(range) = range {
            emit(Event::ParamDelta { index: open.index, text: view.slice(range) });
        }
    }
}
