//! Calls in JSON (dialect `hermes`). They are told when they are whole, since the name may come last.
//! What turns out to be no call is text, and nothing in it is looked at for calls.

use promptline_diagnostic::Diagnostic;

use super::{CallParser, Emit, Flow, OpenCall, State};
use crate::call::{Call, Repair, Status};
use crate::event::Event;
use crate::json::{self, JsonCall, Scanned};
use crate::syntax::{JSON_CALL, SYNTAXES};
use crate::view::Look;

impl CallParser {
    pub(super) fn json(&mut self, emit: Emit<'_>) -> Flow {
        let State::Json(mut scanner, brace) = std::mem::replace(&mut self.state, State::Text)
        else {
            return Flow::Go;
        };
        let view = self.view_to(Some(self.at.saturating_add(self.options.max_call_bytes)));
        let from = self.scan;
        let scanned = scanner.scan(view.from(from));
        let (end, closed) = match scanned {
            Scanned::Open => {
                let end = view.end();
                self.record.add(end - from);
                self.scan = end;
                self.state = State::Json(scanner, brace);
                return Flow::Wait;
            }
            Scanned::End(at) => {
                let end = from + at;
                let next = view.blanks(end);
                let close =
                    if next == view.end() { Look::More } else { view.close(next, JSON_CALL) };
                (end, close)
            }
            Scanned::Tag(at) => (from + at, view.close(from + at, JSON_CALL)),
        };
        self.record.add(end - from);
        let whole = matches!(scanned, Scanned::End(_));
        match closed {
            Look::More => {
                self.scan = end;
                self.state = State::Json(scanner, brace);
                Flow::Wait
            }
            Look::No if !whole => {
                self.scan = end + 1;
                self.state = State::Json(scanner, brace);
                Flow::Go
            }
            closed => {
                let (repair, close) = match closed {
                    Look::Yes(close) => ((!whole).then_some(Repair::Json), close),
                    _ => (Some(Repair::CallClose), end),
                };
                let status = repair.map_or(Status::Complete, Status::Repaired);
                self.tell_json(brace, (end, close), status, false, emit);
                Flow::Go
            }
        }
    }

    /// The answer ends, or the call is too large.
    pub(super) fn cut_json(&mut self, too_large: bool, emit: Emit<'_>) -> Flow {
        let State::Json(mut scanner, brace) = std::mem::replace(&mut self.state, State::Text)
        else {
            return Flow::Go;
        };
        let view = self.view_to(Some(self.at.saturating_add(self.options.max_call_bytes)));
        let end = view.end();
        // What waits for its closing tag is whole; what waits within is not.
        let from = self.scan;
        let (json_end, status) = match scanner.scan(view.from(from)) {
            Scanned::End(at) if !too_large => (from + at, Status::Repaired(Repair::CallClose)),
            _ => (end, Status::Truncated),
        };
        self.tell_json(brace, (json_end, end), status, too_large, emit);
        if too_large {
            self.flush(end, emit);
            self.state = State::Spent;
        }
        Flow::Go
    }

    /// Tells a call, or that this is none.
    fn tell_json(
        &mut self,
        brace: usize,
        (json_end, end): (usize, usize),
        status: Status,
        too_large: bool,
        emit: Emit<'_>,
    ) {
        let at = self.at;
        let view = self.view_to(None);
        let read = json::read(view.slice(brace..json_end));
        let tool = read.as_ref().and_then(|read| self.grammar.position(&read.name));
        let (Some(JsonCall { name, args, odd, mended }), Some(tool)) = (read, tool) else {
            self.no_json_call(end, emit);
            return;
        };
        let index = self.summary.calls;
        self.summary.calls += 1;
        let mut call = Call::new(name);
        call.span = at..end;
        emit(Event::CallStart { index, name: &call.name, at });
        // The syntax is not asked for anything: the call is over in a moment.
        let syntax = &SYNTAXES[0];
        self.call = Some(OpenCall { index, call, tool, syntax, eager: false });
        for (name, value) in args {
            emit(Event::ParamStart { index, name: &name });
            self.put(&name, value, emit);
        }
        if let Some(odd) = odd {
            emit(Event::ParamStart { index, name: "arguments" });
            self.put("arguments", odd, emit);
        }
        match status {
            Status::Truncated => self.truncate(too_large, emit),
            status => {
                if let Status::Repaired(repair) = status {
                    self.mend(repair);
                }
                if mended {
                    self.mend(Repair::Json);
                }
                self.end_call(end, emit);
            }
        }
    }

    fn no_json_call(&mut self, end: usize, emit: Emit<'_>) {
        let message = "a `<tool_call>` holds no call of a tool that was offered; it is text";
        emit(Event::Diagnostic(&Diagnostic::warning("unknown-tool", message)));
        self.scan = self.at;
        self.pass(end, emit);
    }
}
