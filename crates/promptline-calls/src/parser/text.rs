//! Text outside of calls. Everything here is told as it stands, unless a call opens.

use promptline_diagnostic::Diagnostic;
use serde_json::Value;

use super::{CallParser, Emit, Flow, State, Wrapper};
use crate::code::Code;
use crate::event::Event;
use crate::json::JsonEnd;
use crate::opening::{CallOpen, Opening};
use crate::options::Handling;
use crate::syntax::Head;
use crate::view::{Look, View};

impl CallParser {
    pub(super) fn text(&mut self, emit: Emit<'_>) -> Flow {
        loop {
            let view = self.view_to(None);
            let Some(at) = view.next_tag(self.scan) else {
                let end = view.end();
                self.pass(end, emit);
                self.flush(end, emit);
                return Flow::Wait;
            };
            self.pass(at, emit);
            if self.thinking.is_none() {
                self.code.settle();
            }
            let limit = at.saturating_add(self.options.max_call_bytes);
            let view = self.view_to(Some(limit));
            // At the end, and where too much was waited for, what is not yes is no.
            let open_end = !self.last && view.end() < limit;
            if let Some(name) = self.thinking {
                match view.close(at, name) {
                    Look::Yes(end) => {
                        self.scan = end;
                        self.thinking = None;
                        self.code = Code::new();
                        self.code.interrupt();
                        continue;
                    }
                    Look::More if open_end => {
                        self.flush(at, emit);
                        return Flow::Wait;
                    }
                    _ => {}
                }
            }
            let in_code = self.thinking.is_none()
                && self.code.sheltered()
                && self.options.code == Handling::Text;
            let sheltered = in_code || self.thinking.is_some();
            let to = match view.opening(at) {
                Look::Yes(opening) if !sheltered => match opening {
                    Opening::Thinking(name, end) => {
                        if self.options.thinking == Handling::Text {
                            self.thinking = Some(name);
                            self.scan = end;
                        } else {
                            self.pass(end, emit);
                        }
                        continue;
                    }
                    Opening::Wrapper(name, inside) => {
                        self.flush(at, emit);
                        self.wrap(inside, emit);
                        self.wrapper = Some(Wrapper::Open(name));
                        continue;
                    }
                    Opening::Call(open) => {
                        self.flush(at, emit);
                        self.open_call(at, &open, emit);
                        return Flow::Go;
                    }
                    Opening::Json(brace, block) => {
                        self.flush(at, emit);
                        self.scan = brace;
                        self.state = State::Json(JsonEnd::default(), brace, block);
                        return Flow::Go;
                    }
                },
                Look::Yes(opening) => {
                    let (calls, to) = match opening {
                        Opening::Call(open) => (1, open.opened.end),
                        Opening::Json(brace, _) => (1, brace),
                        Opening::Wrapper(_, inside) => (0, inside),
                        Opening::Thinking(..) => (0, at + 1),
                    };
                    self.summary.suppressed_calls += calls;
                    self.in_code += if in_code { calls } else { 0 };
                    to
                }
                Look::More if open_end => {
                    self.flush(at, emit);
                    return Flow::Wait;
                }
                Look::More => {
                    if self.last && !sheltered {
                        self.tag_is_cut(at, emit);
                    }
                    at + 1
                }
                Look::No => at + 1,
            };
            self.pass(to, emit);
        }
    }

    /// The answer ends in a tag that might have opened a call.
    fn tag_is_cut(&mut self, at: usize, emit: Emit<'_>) {
        let view = self.view_to(None);
        let tag = view.slice(at..view.end()).trim_start_matches('<');
        if tag.is_empty() || tag.contains('>') || self.summary.truncated_open_tag.is_some() {
            return;
        }
        let tag = tag.to_owned();
        let message =
            format!("the answer ends within the tag `<{}`, which is text", tag.escape_debug());
        emit(Event::Diagnostic(&Diagnostic::warning("truncated-tag", message)));
        self.summary.truncated_open_tag = Some(tag);
    }

    /// Text up to here opens nothing. It is told later, in one piece; what follows code and what watches
    /// for near misses goes over it now.
    pub(super) fn pass(&mut self, to: usize, emit: Emit<'_>) {
        let from = self.scan;
        self.scan = to.max(from);
        if self.thinking.is_some() || to <= from {
            return;
        }
        let start = from.saturating_sub(self.base);
        let mut rest = self.buffer.get(start..to.saturating_sub(self.base)).unwrap_or_default();
        let mut tell = |diagnostic: Diagnostic| emit(Event::Diagnostic(&diagnostic));
        while !rest.is_empty() {
            let taken = if self.watch.reading() {
                let read = self.watch.read(rest, &self.grammar, self.options.dialects, &mut tell);
                self.code.feed(rest.as_bytes().get(..read).unwrap_or_default());
                read
            } else {
                let next = memchr::memchr3(b'<', b'[', b'{', rest.as_bytes());
                let plain = rest.get(..next.unwrap_or(rest.len())).unwrap_or_default();
                self.code.feed(plain.as_bytes());
                self.watch.pass(plain);
                match next.and_then(|next| rest.as_bytes().get(next)) {
                    Some(&byte) => {
                        self.code.settle();
                        if !self.code.sheltered() {
                            self.watch.begin(byte);
                        }
                        self.code.feed(&[byte]);
                        plain.len() + 1
                    }
                    None => plain.len(),
                }
            };
            rest = rest.get(taken..).unwrap_or_default();
        }
    }

    /// A call opens here. Attributes that are declared parameters are taken as such.
    fn open_call(&mut self, at: usize, open: &CallOpen, emit: Emit<'_>) {
        self.start_call(at, open, emit);
        if open.syntax.call == Head::Tag {
            let view = self.view();
            let named = view.attributes(&open.opened).into_iter();
            let named: Vec<(String, String)> =
                named.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
            for (name, value) in named {
                self.take_attribute(&name, value, emit);
            }
        }
        let end = open.opened.end;
        if open.opened.closed {
            self.end_call(end, emit);
        } else {
            self.at = end;
            self.scan = end;
            self.state = State::Between;
        }
    }

    fn take_attribute(&mut self, name: &str, value: String, emit: Emit<'_>) {
        let Some((open, tool)) = self.open_tool() else { return };
        if tool.field(name).is_some() {
            emit(Event::ParamStart { index: open.index, name });
            self.put(name, Value::String(value), emit);
        } else {
            let tool = tool.name.as_str();
            let message = format!(
                "`{tool}` has an attribute `{name}`, which is no parameter; it is left out"
            );
            emit(Event::Diagnostic(&Diagnostic::info("dropped-attribute", message).about(tool)));
        }
    }

    /// Behind a call, in a wrapper: more calls, the end of the wrapper, or text after all.
    pub(super) fn wrapped(&mut self, emit: Emit<'_>) -> Flow {
        let view = self.view_to(None);
        let next = view.blanks(self.at);
        let end = view.end();
        let open_end = !self.last && next - self.at < self.options.max_call_bytes;
        if next == end && open_end {
            return Flow::Wait;
        }
        if let Some(wrapper) = self.wrapper
            && next < end
        {
            match view.closes(wrapper, next) {
                Look::Yes(end) => {
                    self.wrap(end, emit);
                    self.wrapper = None;
                }
                Look::More if open_end => return Flow::Wait,
                // The answer ends within the closing tag.
                Look::More => {
                    self.wrap(end, emit);
                    self.wrapper = None;
                }
                // What stands between calls that nothing is around is text.
                Look::No if matches!(wrapper, Wrapper::Stray) => self.wrapper = None,
                Look::No => match view.call(next) {
                    Look::Yes(Opening::Call(_) | Opening::Json(..)) => self.wrap(next, emit),
                    Look::More if open_end => return Flow::Wait,
                    _ => self.wrapper = None,
                },
            }
        } else {
            self.wrapper = None;
        }
        self.state = State::Text;
        Flow::Go
    }
}

impl View<'_> {
    /// The closing tag of this wrapper stands here.
    pub(super) fn closes(&self, wrapper: Wrapper, at: usize) -> Look<usize> {
        match wrapper {
            Wrapper::Open(name) => self.close(at, name),
            Wrapper::Stray => self.wrapper_close(at),
        }
    }
}
