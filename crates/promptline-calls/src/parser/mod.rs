//! The parser: keeps the unfinished piece of an answer and a state, and goes forward only. What it has
//! told as text it never takes back; a call that is not whole is never complete.

mod between;
mod json;
mod preview;
mod telling;
mod text;
mod value;
mod within;

use std::sync::Arc;

use promptline_diagnostic::Diagnostic;

use crate::call::{Call, Status};
use crate::code::Code;
use crate::event::{Event, Summary};
use crate::grammar::{CallGrammar, Callable};
use crate::json::JsonEnd;
use crate::options::Options;
use crate::syntax::{JsonBlock, Syntax};
use crate::view::{Record, View};
use crate::watch::Watch;
use value::Reading;

/// Reads an answer piece by piece. How it is cut into pieces makes no difference.
///
/// Time is linear in the answer, whatever is in it; memory is what one call may take
/// ([`Options::max_call_bytes`]).
///
/// ```
/// use std::sync::Arc;
/// use promptline_calls::{CallGrammar, CallParser, Event, Options};
///
/// let grammar = Arc::new(CallGrammar::default().tool("read_file", [("path", false)]));
/// let mut parser = CallParser::new(grammar, Options::default());
/// let mut shown = String::new();
/// let mut paths = Vec::new();
/// let mut on = |event: Event<'_>| match event {
///     Event::Text { text, .. } => shown.push_str(text),
///     Event::CallEnd { call, .. } if call.complete() => paths.extend(call.arg("path").map(str::to_owned)),
///     _ => {}
/// };
/// for chunk in ["I look. <read_", "file><path>a.rs</pa", "th></read_file>"] {
///     parser.push(chunk, &mut on);
/// }
/// let summary = parser.finish(&mut on);
/// assert_eq!((shown.as_str(), paths.len(), summary.calls), ("I look. ", 1, 1));
/// ```
#[derive(Debug)]
pub struct CallParser {
    grammar: Arc<CallGrammar>,
    options: Options,
    /// What is not done with, and where in the answer it begins.
    buffer: String,
    base: usize,
    /// Nothing comes behind the buffer.
    last: bool,
    /// More should have come behind the last byte.
    cut: bool,
    record: Record,
    /// Where what has not been told begins.
    at: usize,
    /// Where to go on looking.
    scan: usize,
    state: State,
    call: Option<OpenCall>,
    /// The tag around the calls that we are in.
    wrapper: Option<Wrapper>,
    thinking: Option<&'static str>,
    code: Code,
    watch: Watch,
    summary: Summary,
    /// Suppressed calls in code.
    in_code: usize,
    /// How often a value was read to the end of the answer in vain.
    in_vain: usize,
}

/// After so many values without an end, those that follow are read for the first end that makes sense at
/// once: otherwise an answer of calls that are never closed would be read to its end for each of them.
const MAX_IN_VAIN: usize = 4;

/// A tag around calls.
#[derive(Debug, Clone, Copy)]
enum Wrapper {
    Open(&'static str),
    /// It was not opened, but may be closed behind a call.
    Stray,
}

#[derive(Debug)]
enum State {
    Text,
    /// Behind a call, in a wrapper.
    Wrapped,
    /// In a call, between parameters.
    Between,
    /// In a parameter.
    Value(Reading),
    /// In the JSON of a call, whose `{` stands here.
    Json(JsonEnd, usize, &'static JsonBlock),
    /// A call was too large: everything else is text.
    Spent,
}

/// A call that is being read.
#[derive(Debug)]
struct OpenCall {
    index: usize,
    call: Call,
    tool: usize,
    syntax: &'static Syntax,
    /// Closing tags are missing: the first end that makes sense counts.
    eager: bool,
}

/// What a step came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flow {
    Go,
    /// More of the answer must come first.
    Wait,
}

type Emit<'e> = &'e mut dyn FnMut(Event<'_>);

impl CallParser {
    /// A parser at the beginning of an answer.
    #[must_use]
    pub fn new(grammar: Arc<CallGrammar>, options: Options) -> Self {
        Self {
            grammar,
            options,
            buffer: String::new(),
            base: 0,
            last: false,
            cut: false,
            record: Record::default(),
            at: 0,
            scan: 0,
            state: State::Text,
            call: None,
            wrapper: None,
            thinking: None,
            code: Code::new(),
            watch: Watch::default(),
            summary: Summary::default(),
            in_code: 0,
            in_vain: 0,
        }
    }

    /// Takes the next piece and tells what can be told. Never fails, whatever the text.
    pub fn push(&mut self, chunk: &str, emit: &mut dyn FnMut(Event<'_>)) {
        self.buffer.push_str(chunk);
        self.run(emit);
        self.forget();
    }

    /// The answer is over: tells the rest, and how it ended.
    pub fn finish(self, emit: &mut dyn FnMut(Event<'_>)) -> Summary {
        self.finish_counted(emit).0
    }

    /// The same for an answer that was cut off, as the provider says with the finish reason `length`. Then
    /// the end of the answer is no evidence of anything, and what is open at it is not mended: a file whose
    /// half is there may hold what looks like the end of the call.
    pub fn finish_cut(mut self, emit: &mut dyn FnMut(Event<'_>)) -> Summary {
        self.cut = true;
        self.finish_counted(emit).0
    }

    /// [`finish`](Self::finish), and the bytes that were looked at in all: for tests of linearity.
    #[doc(hidden)]
    pub fn finish_counted(mut self, emit: &mut dyn FnMut(Event<'_>)) -> (Summary, u64) {
        self.last = true;
        self.run(emit);
        self.tell_suppressed(emit);
        (self.summary, self.record.work())
    }

    /// The bytes that are kept, for tests of memory.
    #[doc(hidden)]
    #[must_use]
    pub fn held(&self) -> usize {
        self.buffer.len()
    }

    fn run(&mut self, emit: Emit<'_>) {
        loop {
            let flow = match &self.state {
                State::Text => self.text(emit),
                State::Wrapped => self.wrapped(emit),
                State::Between => self.between(emit),
                State::Value(_) => self.value(emit),
                State::Json(..) => self.json(emit),
                State::Spent => self.spent(emit),
            };
            if flow == Flow::Wait && self.settle(emit) == Flow::Wait {
                return;
            }
        }
    }

    /// A step cannot go on with what there is: if nothing more can come, or the call is too large, that
    /// is the end of the call.
    fn settle(&mut self, emit: Emit<'_>) -> Flow {
        let too_large = self.limit().is_some_and(|limit| self.base + self.buffer.len() >= limit);
        if !too_large && !self.last {
            return Flow::Wait;
        }
        match &self.state {
            State::Text | State::Wrapped | State::Spent => return Flow::Wait,
            State::Json(..) => return self.cut_json(too_large, emit),
            State::Value(_) => {
                if !too_large && !self.cut && self.read_again() {
                    return Flow::Go;
                }
                self.cut_value(emit);
            }
            State::Between => {}
        }
        self.truncate(too_large, emit);
        Flow::Go
    }

    /// Ends a call that is not whole. If it is too large, everything behind it is text, since nobody
    /// knows any more what is in a parameter.
    fn truncate(&mut self, too_large: bool, emit: Emit<'_>) {
        let end = self.view().end();
        if let Some(open) = &mut self.call {
            open.call.status = Status::Truncated;
            let name = &open.call.name;
            let diagnostic = if too_large {
                let limit = self.options.max_call_bytes;
                Diagnostic::warning(
                    "call-too-large",
                    format!(
                        "the call of `{name}` takes more than {limit} bytes; it ends there, and all that follows is text"
                    ),
                )
            } else {
                Diagnostic::warning(
                    "truncated-call",
                    format!(
                        "the answer ends within the call of `{name}`, which must not be executed"
                    ),
                )
            };
            emit(Event::Diagnostic(&diagnostic.about(name.as_str())));
        }
        self.end_call(end, emit);
        if too_large {
            self.state = State::Spent;
        }
    }

    /// Everything is text.
    fn spent(&mut self, emit: Emit<'_>) -> Flow {
        let end = self.view().end();
        self.scan = end;
        self.flush(end, emit);
        Flow::Wait
    }

    // ---- what can be seen ------------------------------------------------------------------------------

    /// What there is, up to where the open call may go.
    fn view(&self) -> View<'_> {
        self.view_to(self.limit())
    }

    fn view_to(&self, limit: Option<usize>) -> View<'_> {
        let room = limit.map_or(usize::MAX, |limit| limit.saturating_sub(self.base));
        let text = self.buffer.get(..self.buffer.floor_char_boundary(room)).unwrap_or_default();
        View {
            text,
            base: self.base,
            last: self.last && text.len() == self.buffer.len(),
            cut: self.cut,
            record: &self.record,
            grammar: &self.grammar,
            dialects: self.options.dialects,
        }
    }

    /// Where the open call has to be over.
    fn limit(&self) -> Option<usize> {
        let start = match &self.state {
            State::Json(..) => self.at,
            _ => self.call.as_ref()?.call.span.start,
        };
        Some(start.saturating_add(self.options.max_call_bytes))
    }

    fn open_tool(&self) -> Option<(&OpenCall, &Callable)> {
        let open = self.call.as_ref()?;
        Some((open, self.grammar.at(open.tool)?))
    }

    // ---- memory ----------------------------------------------------------------------------------------

    /// Lets go of what is done with, now and then, so that each byte is moved a bounded number of times.
    fn forget(&mut self) {
        let done = self.at.saturating_sub(self.base);
        if done == self.buffer.len() {
            self.buffer.clear();
            self.base = self.at;
        } else if done > 4096 && done > self.buffer.len() / 2 {
            self.buffer.drain(..done);
            self.base = self.at;
        }
    }
}
