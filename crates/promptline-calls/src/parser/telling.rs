//! What the parser tells: text, the beginning and end of calls and parameters, and what is worth knowing
//! about them. Everything that leaves the parser goes through here.

use promptline_diagnostic::Diagnostic;
use serde_json::Value;

use super::{CallParser, Emit, MAX_IN_VAIN, OpenCall, State, Wrapper};
use crate::call::{Call, Repair, Status};
use crate::event::Event;
use crate::opening::CallOpen;

impl CallParser {
    /// Tells text up to here.
    pub(super) fn flush(&mut self, to: usize, emit: Emit<'_>) {
        if to > self.at {
            let text = self.view_to(None).slice(self.at..to);
            emit(Event::Text { text, range: self.at..to });
            self.at = to;
        }
    }

    /// Tells a wrapper up to here.
    pub(super) fn wrap(&mut self, to: usize, emit: Emit<'_>) {
        if to > self.at {
            let text = self.view_to(None).slice(self.at..to);
            emit(Event::Wrapper { text, range: self.at..to });
        }
        self.at = to;
        self.scan = to;
    }

    pub(super) fn start_call(&mut self, at: usize, open: &CallOpen, emit: Emit<'_>) {
        let Some(tool) = self.grammar.at(open.tool) else { return };
        let mut call = Call::new(tool.name.as_str());
        call.span = at..at;
        let index = self.summary.calls;
        self.summary.calls += 1;
        emit(Event::CallStart { index, name: &call.name, at });
        let eager = self.in_vain >= MAX_IN_VAIN;
        self.call = Some(OpenCall { index, call, tool: open.tool, syntax: open.syntax, eager });
    }

    /// Takes a parameter into the open call.
    pub(super) fn put(&mut self, name: &str, value: Value, emit: Emit<'_>) {
        let Some(open) = &mut self.call else { return };
        let tool = self.grammar.at(open.tool);
        let declared = tool.is_some_and(|tool| tool.open || tool.field(name).is_some());
        let twice = open.call.value(name).is_some();
        open.call.put(name, value, declared);
        let index = open.index;
        if let Some(value) = open.call.value(name) {
            emit(Event::ParamEnd { index, name, value });
        }
        let tool = &open.call.name;
        let mut tell = |code, message| {
            emit(Event::Diagnostic(&Diagnostic::warning(code, message).about(tool.as_str())));
        };
        if twice {
            tell(
                "duplicate-parameter",
                format!("`{tool}` has the parameter `{name}` again; the last one counts"),
            );
        } else if !declared {
            tell(
                "unknown-parameter",
                format!("`{tool}` does not declare the parameter `{name}`; it is kept apart"),
            );
        }
    }

    pub(super) fn mend(&mut self, repair: Repair) {
        if let Some(open) = &mut self.call {
            open.call.mend(repair);
        }
    }

    /// The open call is over, at this byte.
    pub(super) fn end_call(&mut self, end: usize, emit: Emit<'_>) {
        if let Some(mut open) = self.call.take() {
            if self.wrapper.is_none() && open.syntax.stray_wrapper {
                self.wrapper = Some(Wrapper::Stray);
            }
            open.call.span.end = end;
            let name = &open.call.name;
            match open.call.status {
                Status::Truncated => self.summary.incomplete += 1,
                Status::Repaired(repair) => {
                    let message = format!("the call of `{name}` was mended: {}", repair.words());
                    let diagnostic =
                        Diagnostic::warning("repaired-call", message).about(name.as_str());
                    emit(Event::Diagnostic(&diagnostic));
                }
                Status::Complete => {}
            }
            let required = self.grammar.at(open.tool).into_iter().flat_map(|tool| &tool.fields);
            for field in required.filter(|field| field.required && open.call.complete()) {
                if !open.call.args.contains_key(&field.name) {
                    let param = &field.name;
                    let message =
                        format!("the call of `{name}` lacks the required parameter `{param}`");
                    let diagnostic =
                        Diagnostic::warning("missing-parameter", message).about(name.as_str());
                    emit(Event::Diagnostic(&diagnostic));
                }
            }
            emit(Event::CallEnd { index: open.index, call: &open.call });
        }
        self.at = end;
        self.scan = end;
        self.code.interrupt();
        self.state = if self.wrapper.is_some() { State::Wrapped } else { State::Text };
    }

    /// Calls that were text, so that nobody wonders why nothing happened.
    pub(super) fn tell_suppressed(&mut self, emit: Emit<'_>) {
        let in_thinking = self.summary.suppressed_calls - self.in_code;
        let open = |open: bool| if open { ", which was never closed" } else { "" };
        let mut tell = |count: usize, place: &str, open: &str| {
            let message = match count {
                0 => return,
                1 => format!("a call stands in {place}{open}; it is text"),
                count => format!("{count} calls stand in {place}{open}; they are text"),
            };
            emit(Event::Diagnostic(&Diagnostic::warning("suppressed-call", message)));
        };
        self.code.finish();
        tell(self.in_code, "code", open(self.code.fenced()));
        tell(in_thinking, "thinking", open(self.thinking.is_some()));
    }

    /// The first call that was meant and not read.
    pub(super) fn tell_suspected(&mut self, emit: Emit<'_>) {
        // What opened a call and was cut is reported as that.
        self.summary.suspected = self.suspects.find(&self.grammar, self.options.dialects);
        if let Some(suspected) = &self.summary.suspected {
            emit(Event::Diagnostic(&suspected.diagnostic()));
        }
    }
}
