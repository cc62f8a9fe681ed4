//! What a tag in a value means: whether it is part of the value or ends it. Decides; changes nothing.

use super::value::Reading;
use crate::call::Repair;
use crate::grammar::Callable;
use crate::syntax::{Framing, Head, Syntax};
use crate::view::{Look, View, is_name_start};

/// What a tag in a value means.
pub(super) enum Tag {
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

/// A value and the call that it is in, for asking what a tag means.
pub(super) struct Within<'a> {
    pub(super) view: View<'a>,
    pub(super) syntax: &'static Syntax,
    pub(super) tool: &'a Callable,
    pub(super) eager: bool,
    pub(super) seen: &'a dyn Fn(&str) -> bool,
    pub(super) reading: &'a Reading,
}

impl Within<'_> {
    /// What the tag that begins here means.
    pub(super) fn tag(&self, at: usize) -> Tag {
        // Anything that matters begins with a letter or a slash.
        match self.view.byte(at + 1) {
            Some(byte) if byte != b'/' && !is_name_start(byte) => {
                return Tag::Inner { behind: at + 1, calls: 0, params: 0 };
            }
            _ => {}
        }
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
        // What only this dialect can mean needs no line of its own.
        let plain = matches!(self.syntax.param, Head::Pair(..));
        let splits =
            !self.reading.body && (self.eager || !tags) && (plain || self.at_line_start(at));
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

    /// Only a few blanks stand between here and the start of the line.
    fn at_line_start(&self, at: usize) -> bool {
        let before = self.view.slice(self.reading.start..at).as_bytes();
        let last = before.iter().rev().take(64).find(|byte| !matches!(byte, b' ' | b'\t'));
        last == Some(&b'\n')
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
