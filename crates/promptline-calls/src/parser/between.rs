//! In a call, between parameters: the next one opens, or the call ends. What is neither is passed over
//! and said, never taken for a value.

use promptline_diagnostic::Diagnostic;

use super::value::Reading;
use super::{CallParser, Emit, Flow, State, Wrapper};
use crate::call::Repair;
use crate::event::Event;
use crate::view::{Look, Opened};

/// What stands between parameters.
enum Next {
    /// The call is closed; it ends here.
    Close(usize),
    Param(Opened),
    /// Something opens or closes that the call cannot hold: its closing tag is missing.
    Missing,
    /// Nothing that belongs here.
    Junk,
    Wait,
}

impl CallParser {
    pub(super) fn between(&mut self, emit: Emit<'_>) -> Flow {
        let view = self.view();
        let next = view.blanks(self.scan);
        let end = view.end();
        self.at = next;
        self.scan = next;
        if next == end {
            return Flow::Wait;
        }
        match self.next_in_call(next) {
            Next::Wait => return Flow::Wait,
            Next::Close(end) => self.end_call(end, emit),
            Next::Param(opened) => self.open_param(&opened, emit),
            Next::Missing => {
                self.mend(Repair::CallClose);
                self.end_call(next, emit);
            }
            Next::Junk => {
                let junk = self.view().next_tag(next + 1);
                let end = self.view().end();
                self.scan = junk.unwrap_or(end);
                self.tell_junk(emit);
            }
        }
        Flow::Go
    }

    fn next_in_call(&self, at: usize) -> Next {
        let view = self.view();
        let Some((open, tool)) = self.open_tool() else { return Next::Junk };
        let syntax = open.syntax;
        match view.close(at, syntax.call_close.unwrap_or(&tool.name)) {
            Look::Yes(end) => return Next::Close(end),
            Look::More => return Next::Wait,
            Look::No => {}
        }
        match view.param(syntax, tool, at) {
            Look::Yes(opened) => return Next::Param(opened),
            Look::More => return Next::Wait,
            Look::No => {}
        }
        let stray = syntax.stray_wrapper.then_some(Wrapper::Stray);
        let wrapper = self.wrapper.or(stray);
        let closes = wrapper.map_or(Look::No, |wrapper| view.closes(wrapper, at));
        match (closes, view.call(at)) {
            (Look::Yes(_), _) | (_, Look::Yes(_)) => Next::Missing,
            (Look::More, _) | (_, Look::More) => Next::Wait,
            (Look::No, Look::No) => Next::Junk,
        }
    }

    fn open_param(&mut self, opened: &Opened, emit: Emit<'_>) {
        let view = self.view();
        let name = view.slice(opened.name.clone()).to_owned();
        let Some((open, tool)) = self.open_tool() else { return };
        let body = tool.field(&name).is_some_and(|field| field.body);
        emit(Event::ParamStart { index: open.index, name: &name });
        self.at = opened.end;
        self.scan = opened.end;
        if opened.closed {
            self.put(&name, String::new().into(), emit);
        } else {
            self.state = State::Value(Reading::new(name, body, opened.end));
        }
    }

    /// Says once a call that there is junk in it.
    fn tell_junk(&mut self, emit: Emit<'_>) {
        let Some(open) = &mut self.call else { return };
        if !std::mem::replace(&mut open.call.junk, true) {
            let name = &open.call.name;
            let message = format!(
                "the call of `{name}` holds text between its parameters, which is passed over"
            );
            emit(Event::Diagnostic(&Diagnostic::warning("junk", message).about(name.as_str())));
        }
    }
}
