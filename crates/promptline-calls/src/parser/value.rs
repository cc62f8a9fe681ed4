//! In a parameter: where its value ends. A short value ends at the first closing tag; a body only where
//! the call visibly goes on or ends, since files may hold any tag. What is found at the end of an answer
//! without that is mended on firm evidence only.

use serde_json::Value;

use super::{CallParser, Emit, Flow, State};
use crate::call::Repair;
use crate::event::Event;
use crate::grammar::Tool;
use crate::syntax::{Framing, Head, Syntax};
use crate::value;
use crate::view::{Look, View};

/// A parameter that is being read.
#[derive(Debug)]
pub(super) struct Reading {
    name: String,
    body: bool,
    start: usize,
    /// Calls of the same tool that opened in the value and have not closed.
    calls: usize,
    /// The same for parameters of the same name.
    params: usize,
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

/// What was shown of the value.
#[derive(Debug)]
struct Preview {
    /// Up to here it was shown, or is an edge that does not belong to the value.
    shown: usize,
    /// Up to here it was looked at.
    checked: usize,
    /// Up to here there is more than blanks.
    solid: usize,
    begun: bool,
}

/// What a tag in a value means.
enum Tag {
    /// Nothing; looking goes on behind it.
    Inner {
        behind: usize,
        calls: isize,
        params: isize,
    },
    /// The value ends before it, and the call goes on here.
    End {
        behind: usize,
        repair: Option<Repair>,
    },
    /// The call is closed and the value is not: it has to be read again.
    Again,
    Wait,
}

impl Reading {
    pub(super) fn new(name: String, body: bool, start: usize) -> Self {
        let preview = Preview { shown: start, checked: start, solid: start, begun: false };
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
            reading.preview.shown = usize::MAX;
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
            self.end_value(&mut reading, self.scan, emit);
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

    /// Shows the value up to here, without edges that may not belong to it.
    fn show(&self, reading: &mut Reading, to: usize, emit: Emit<'_>) {
        let Some(open) = &self.call else { return };
        let preview = &mut reading.preview;
        if to <= preview.checked || preview.shown > to {
            return;
        }
        let view = self.view();
        let fresh = view.slice(preview.checked..to);
        let trims = open.syntax.framing == Framing::ByField && !reading.body;
        let end = if trims {
            if !preview.begun {
                preview.shown = to - fresh.trim_start().len();
                preview.begun = preview.shown < to;
            }
            let solid = fresh.trim_end().len();
            if solid > 0 {
                preview.solid = preview.checked + solid;
            }
            preview.solid
        } else if open.syntax.framing == Framing::None {
            to
        } else {
            let text = view.slice(reading.start..to);
            if !preview.begun {
                if text == "\r" {
                    return;
                }
                let breaks =
                    if text.starts_with("\r\n") { 2 } else { usize::from(text.starts_with('\n')) };
                preview.shown = reading.start + breaks;
                preview.begun = true;
            }
            let shown = view.slice(preview.shown..to);
            let shown = shown.strip_suffix('\n').unwrap_or(shown);
            preview.shown + shown.strip_suffix('\r').unwrap_or(shown).len()
        };
        preview.checked = to;
        if end > preview.shown {
            emit(Event::ParamDelta { index: open.index, text: view.slice(preview.shown..end) });
            preview.shown = end;
        }
    }
}

/// A value and the call that it is in, for asking what a tag means.
struct Within<'a> {
    view: View<'a>,
    syntax: &'static Syntax,
    tool: &'a Tool,
    eager: bool,
    seen: &'a dyn Fn(&str) -> bool,
    reading: &'a Reading,
}

impl Within<'_> {
    fn tag(&self, at: usize) -> Tag {
        match self.view.close(at, self.param_close()) {
            Look::Yes(behind) => return self.param_closes(behind),
            Look::More => return Tag::Wait,
            Look::No => {}
        }
        match self.view.close(at, self.call_close()) {
            Look::Yes(behind) => return self.call_closes(at, behind),
            Look::More => return Tag::Wait,
            Look::No => {}
        }
        match self.param_opens(at) {
            Look::Yes(tag) => return tag,
            Look::More => return Tag::Wait,
            Look::No => {}
        }
        match self.call_opens(at) {
            Look::Yes(tag) => tag,
            Look::More => Tag::Wait,
            Look::No => Tag::Inner { behind: at + 1, calls: 0, params: 0 },
        }
    }

    fn param_close(&self) -> &str {
        self.syntax.param_close.unwrap_or(&self.reading.name)
    }

    fn call_close(&self) -> &str {
        self.syntax.call_close.unwrap_or(&self.tool.name)
    }

    /// It ends at its first closing tag.
    fn is_short(&self) -> bool {
        self.syntax.framing == Framing::ByField && !self.reading.body
    }

    /// The parameter's closing tag. In a body it counts only where the call is closed or goes on with a
    /// parameter; otherwise it pairs up with one inside, or is text.
    fn param_closes(&self, behind: usize) -> Tag {
        let end = |repair| Tag::End { behind, repair };
        let inner = Tag::Inner { behind, calls: 0, params: -1 };
        if self.is_short() {
            return end(None);
        }
        let Reading { calls, params, .. } = *self.reading;
        let next = self.view.blanks(behind);
        if next == self.view.end() {
            return Tag::Wait;
        }
        match self.view.close(next, self.call_close()) {
            Look::Yes(_) if calls == 0 => return end(None),
            Look::Yes(behind) if self.eager && params == 0 => match self.view.firm(behind) {
                Look::Yes(()) => return end(Some(Repair::UnpairedTags)),
                Look::More => return Tag::Wait,
                Look::No => return inner,
            },
            Look::Yes(_) => return inner,
            Look::More => return Tag::Wait,
            Look::No => {}
        }
        if calls > 0 {
            return inner;
        }
        match self.param_follows(next) {
            Look::Yes(()) if params == 0 => return end(None),
            Look::Yes(()) if self.eager => return end(Some(Repair::UnpairedTags)),
            Look::Yes(()) => return inner,
            Look::More => return Tag::Wait,
            Look::No => {}
        }
        if self.eager && params == 0 {
            // The call's closing tag is missing: another call opens, or the tags around this one close.
            match self.view.firm(next) {
                Look::Yes(()) => return end(None),
                Look::More => return Tag::Wait,
                Look::No => {}
            }
        }
        inner
    }

    /// A parameter opens here that may follow this one. In XML, where any tag looks like one, it must be
    /// declared, and not be there yet.
    fn param_follows(&self, at: usize) -> Look<()> {
        match self.view.open(self.syntax.param, at) {
            Look::Yes(opened) => {
                let name = self.view.slice(opened.name);
                let fits = self.syntax.param != Head::Tag
                    || name == self.reading.name
                    || (self.tool.field(name).is_some() && !(self.seen)(name));
                if fits { Look::Yes(()) } else { Look::No }
            }
            Look::No => Look::No,
            Look::More => Look::More,
        }
    }

    /// The call's closing tag, though the parameter's has not come.
    fn call_closes(&self, at: usize, behind: usize) -> Tag {
        let inner = Tag::Inner { behind, calls: -1, params: 0 };
        if self.reading.calls > 0 || !(self.eager || self.is_short()) {
            return inner;
        }
        match self.view.firm(behind) {
            Look::Yes(()) if self.eager => {
                Tag::End { behind: at, repair: Some(Repair::ParamClose) }
            }
            Look::Yes(()) => Tag::Again,
            Look::More => Tag::Wait,
            Look::No => inner,
        }
    }

    /// A parameter opens in the value. One of the same name (where closing tags have no name: any) pairs
    /// up with a closing tag. One that is declared and still to come, at the start of a line, means that
    /// the closing tag of a short value is missing.
    fn param_opens(&self, at: usize) -> Look<Tag> {
        let tags = self.syntax.param == Head::Tag;
        let splits = !self.reading.body
            && (self.eager || !tags)
            && self
                .view
                .slice(self.reading.start..at)
                .trim_end_matches([' ', '\t'])
                .ends_with('\n');
        if tags && !splits {
            return match self.view.open_named(at, &self.reading.name) {
                Look::Yes(opened) => {
                    let params = isize::from(!opened.closed);
                    Look::Yes(Tag::Inner { behind: opened.end, calls: 0, params })
                }
                Look::No => Look::No,
                Look::More => Look::More,
            };
        }
        match self.view.open(self.syntax.param, at) {
            Look::Yes(opened) => {
                let name = self.view.slice(opened.name.clone());
                let own = name == self.reading.name;
                let params = isize::from((own || !tags) && !opened.closed);
                let declared = self.tool.field(name).is_some() && !(self.seen)(name);
                let depth = self.reading.calls + self.reading.params;
                if splits && declared && !own && depth == 0 {
                    let repair = Some(Repair::ParamClose);
                    return Look::Yes(Tag::End { behind: at, repair });
                }
                if params == 0 {
                    return Look::No;
                }
                Look::Yes(Tag::Inner { behind: opened.end, calls: 0, params })
            }
            Look::No => Look::No,
            Look::More => Look::More,
        }
    }

    /// A call opens in the value. One of the same tool (where closing tags have no name: any) pairs up
    /// with a closing tag.
    fn call_opens(&self, at: usize) -> Look<Tag> {
        let opened = match self.syntax.call {
            Head::Tag => self.view.open_named(at, &self.tool.name),
            head => self.view.open(head, at),
        };
        match opened {
            Look::Yes(opened) => {
                let calls = isize::from(!opened.closed);
                Look::Yes(Tag::Inner { behind: opened.end, calls, params: 0 })
            }
            Look::No => Look::No,
            Look::More => Look::More,
        }
    }
}
