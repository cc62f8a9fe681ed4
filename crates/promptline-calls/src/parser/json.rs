//! Calls in JSON (dialect `hermes`). They are told when they are whole, since the name may come last.
//! What turns out to be no call is text, and nothing in it is looked at for calls.

use std::ops::Range;

use promptline_diagnostic::Diagnostic;
use serde_json::Value;

use super::{CallParser, Emit, Flow, OpenCall, State};
use crate::call::{Call, Repair, Status};
use crate::event::Event;
use crate::json::{self, JsonEnd, Scanned};
use crate::syntax::SYNTAXES;
use crate::view::Look;

/// A call in JSON of a tool that was offered.
struct Named {
    tool: usize,
    name: String,
    args: Vec<(String, Value)>,
    mended: bool,
}

impl CallParser {
    pub(super) fn json(&mut self, emit: Emit<'_>) -> Flow {
        let State::Json(mut scanner, brace, block) =
            std::mem::replace(&mut self.state, State::Text)
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
                self.state = State::Json(scanner, brace, block);
                return Flow::Wait;
            }
            Scanned::End(at) => {
                let end = from + at;
                let next = view.blanks(end);
                // Several calls in one block: the next one opens, perhaps behind a comma.
                let more = view.blanks(next + usize::from(view.byte(next) == Some(b',')));
                if view.byte(more) == Some(b'{') {
                    self.record.add(end - from);
                    self.scan = more;
                    self.state = State::Json(JsonEnd::default(), brace, block);
                    return Flow::Go;
                }
                let close =
                    if more == view.end() { Look::More } else { view.block_close(block, next) };
                (end, close)
            }
            Scanned::Tag(at) => (from + at, view.block_close(block, from + at)),
        };
        self.record.add(end - from);
        let whole = matches!(scanned, Scanned::End(_));
        match closed {
            Look::More => {
                self.scan = end;
                self.state = State::Json(scanner, brace, block);
                Flow::Wait
            }
            Look::No if !whole => {
                self.scan = end + 1;
                self.state = State::Json(scanner, brace, block);
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
        let State::Json(mut scanner, brace, _) = std::mem::replace(&mut self.state, State::Text)
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

    /// Tells the calls of a block, or that there is none in it.
    fn tell_json(
        &mut self,
        brace: usize,
        (json_end, end): (usize, usize),
        status: Status,
        too_large: bool,
        emit: Emit<'_>,
    ) {
        let view = self.view_to(None);
        let json = view.slice(brace..json_end);
        let calls: Vec<(Range<usize>, Option<Named>)> = json::objects(json)
            .unwrap_or_default()
            .into_iter()
            .map(|object| {
                let read = json.get(object.clone()).and_then(|object| self.named(object));
                (brace + object.start..brace + object.end, read)
            })
            .collect();
        if calls.iter().all(|(_, read)| read.is_none()) {
            self.no_json_call(end, emit);
            return;
        }
        let last = calls.len() - 1;
        for (position, (range, read)) in calls.into_iter().enumerate() {
            let whole = position < last;
            let Some(named) = read else {
                self.no_call_in_block(range, emit);
                continue;
            };
            let end = if whole { range.end } else { end };
            let status = if whole { Status::Complete } else { status };
            self.tell_one(named, end, status, too_large, emit);
        }
        if self.at < end {
            self.wrap(end, emit);
            self.state = if self.wrapper.is_some() { State::Wrapped } else { State::Text };
        }
    }

    /// The call of an offered tool in this JSON.
    fn named(&self, json: &str) -> Option<Named> {
        let read = json::read(json)?;
        let tool = self.grammar.position(&read.name)?;
        let fields = self.grammar.at(tool)?;
        let name = read.name.clone();
        let (args, mended) = read.arguments(|name| fields.field(name).is_some())?;
        Some(Named { tool, name, args, mended })
    }

    /// Tells a call whose JSON ends before this byte.
    fn tell_one(
        &mut self,
        Named { tool, name, args, mended }: Named,
        end: usize,
        status: Status,
        too_large: bool,
        emit: Emit<'_>,
    ) {
        let at = self.at;
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

    /// Beside calls, something in the block is none. It is no text for people either.
    fn no_call_in_block(&mut self, range: Range<usize>, emit: Emit<'_>) {
        let view = self.view_to(None);
        let json: String = view.slice(range).chars().take(100).collect();
        let message = format!(
            "`{}` beside other calls is no call of a tool that was offered; it is left out",
            json.escape_debug()
        );
        let help = "call only tools that were offered, by their exact names";
        emit(Event::Diagnostic(&Diagnostic::warning("unknown-tool", message).with_help(help)));
    }

    fn no_json_call(&mut self, end: usize, emit: Emit<'_>) {
        let message = "a block of calls holds no call of a tool that was offered; it is text";
        emit(Event::Diagnostic(&Diagnostic::warning("unknown-tool", message)));
        self.scan = self.at;
        self.pass(end, emit);
    }
}
