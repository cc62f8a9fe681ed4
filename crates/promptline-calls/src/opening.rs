//! What opens at a place: a call, tags around calls, thinking. A tag counts only where what follows it can
//! follow it; otherwise it is only spoken of.

use crate::grammar::Callable;
use crate::options::Dialect;
use crate::syntax::{
    Block, Head, JSON_BLOCKS, JsonBlock, SYNTAXES, Syntax, THINKING, TOOL_CALL, WRAPPERS,
};
use crate::view::{Look, Opened, View};

/// How the tags of `syntax` begin that may open something in text.
const FIRST: [u8; 9] = *b"tfmisarT|";

/// A name of more bytes is none.
const MAX_NAME: usize = 128;

/// A call that opens.
#[derive(Debug, Clone)]
pub(crate) struct CallOpen {
    pub(crate) syntax: &'static Syntax,
    pub(crate) tool: usize,
    pub(crate) opened: Opened,
}

/// Something that opens in text.
#[derive(Debug, Clone)]
pub(crate) enum Opening {
    Call(CallOpen),
    /// A call in JSON, whose `{` stands here.
    Json(usize, Block),
    /// A mark of a format that means nothing ends here.
    Around(usize),
    /// Tags around a call that opens here.
    Wrapper(&'static str, usize),
    /// Thinking: the name, and where the tag ends.
    Thinking(&'static str, usize),
}

impl View<'_> {
    /// A call of this dialect opens here: the name is offered, and what stands behind the tag can
    /// follow it. Otherwise the tag is only spoken of.
    fn open_call(&self, syntax: &'static Syntax, at: usize) -> Look<CallOpen> {
        let opened = match syntax.call {
            Head::Tag => self
                .literal(at, "<")
                .then(|from| self.tag(at, from, |name| self.grammar.begins(name))),
            head => self.open(head, at),
        };
        opened.then(|opened| {
            let Some(tool) = self.grammar.position(self.slice(opened.name.clone())) else {
                return Look::No;
            };
            let Some(of) = self.grammar.at(tool) else { return Look::No };
            let follows = if opened.closed {
                let named = self.attributes(&opened);
                let some = named.iter().any(|(name, _)| of.field(name).is_some());
                if some || of.fields.is_empty() { Look::Yes(()) } else { Look::No }
            } else {
                self.follows(syntax, of, opened.end)
            };
            follows.then(|()| Look::Yes(CallOpen { syntax, tool, opened }))
        })
    }

    /// What stands here can follow the opening tag of a call: a parameter, the closing tag, or the end
    /// of the answer.
    fn follows(&self, syntax: &'static Syntax, tool: &Callable, at: usize) -> Look<()> {
        let next = self.blanks(at);
        let found = if next == self.end() {
            Look::More
        } else {
            self.close(next, syntax.call_close.unwrap_or(&tool.name))
                .then(|_| Look::Yes(()))
                .or(|| self.param(syntax, tool, next).then(|_| Look::Yes(())))
        };
        match found {
            Look::More if self.last => Look::Yes(()),
            found => found,
        }
    }

    /// A parameter of this tool opens here, declared or not. A tag that is another tool's, or that
    /// closes itself without being declared, is none.
    pub(crate) fn param(&self, syntax: &Syntax, tool: &Callable, at: usize) -> Look<Opened> {
        self.open(syntax.param, at).then(|opened| {
            let name = self.slice(opened.name.clone());
            let mine = syntax.param != Head::Tag
                || tool.field(name).is_some()
                || (!opened.closed && self.grammar.position(name).is_none());
            if mine { Look::Yes(opened) } else { Look::No }
        })
    }

    /// A call opens here, or tags around one.
    pub(crate) fn call(&self, at: usize) -> Look<Opening> {
        self.bare_call(at).or(|| self.wrapper(at))
    }

    fn bare_call(&self, at: usize) -> Look<Opening> {
        let mut found = Look::No;
        for syntax in SYNTAXES.iter().filter(|syntax| self.dialects.has(syntax.dialect)) {
            found =
                found.or(|| self.open_call(syntax, at).then(|open| Look::Yes(Opening::Call(open))));
        }
        for (format, of) in self.formats.iter().enumerate() {
            for call in 0..of.calls.len() {
                found = found.or(|| self.json_block(Block::Of(format, call), at));
            }
        }
        if !self.dialects.has(Dialect::Hermes) {
            return found;
        }
        for block in &JSON_BLOCKS {
            found = found.or(|| self.json_block(Block::Known(block), at));
        }
        found
    }

    /// A block of calls in JSON opens here, and what it holds begins like one.
    fn json_block(&self, block: Block, at: usize) -> Look<Opening> {
        let Some(found) = self.block(block) else { return Look::No };
        let behind = match found {
            JsonBlock::Own(open, _) => self.literal(at, open),
            JsonBlock::Header { open, prefix, middle, .. } => {
                return self.header(at, open, prefix).then(|(name, end)| {
                    if self.grammar.position(name).is_none() {
                        return Look::No;
                    }
                    let middle = self.literal(self.blanks(end), middle);
                    middle.then(|end| {
                        let brace = self.blanks(end);
                        self.literal(brace, "{").then(|_| Look::Yes(Opening::Json(brace, block)))
                    })
                });
            }
            JsonBlock::Tag(name) => self.open_named(at, name).then(|opened| Look::Yes(opened.end)),
            JsonBlock::Marks(open, _) => self.literal(at, open),
        };
        behind.then(|behind| {
            let brace = self.blanks(behind);
            let list =
                || self.literal(brace, "[").then(|inside| self.literal(self.blanks(inside), "{"));
            self.literal(brace, "{").or(list).then(|_| Look::Yes(Opening::Json(brace, block)))
        })
    }

    /// The block ends here.
    pub(crate) fn json_close(&self, block: Block, at: usize) -> Look<usize> {
        self.block(block).map_or(Look::No, |block| self.block_close(block, at))
    }

    fn block_close(&self, block: &JsonBlock, at: usize) -> Look<usize> {
        match block {
            JsonBlock::Tag(name) => self.close(at, name),
            JsonBlock::Marks(_, close) => self.literal(at, close),
            JsonBlock::Own(_, close) | JsonBlock::Header { close, .. } => self.literal(at, close),
        }
    }

    pub(crate) fn block(&self, block: Block) -> Option<&JsonBlock> {
        match block {
            Block::Known(block) => Some(block),
            Block::Of(format, call) => self.formats.get(format)?.calls.get(call),
        }
    }

    /// The name of the tool behind this mark, and where it ends, a number behind it included.
    pub(crate) fn header(&self, at: usize, open: &str, prefix: &str) -> Look<(&str, usize)> {
        self.literal(at, open).then(|end| {
            let start = self.blanks(end);
            let bytes = self.from(start);
            let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_.:-/".contains(*byte);
            let length = bytes.iter().take(MAX_NAME + 1).take_while(is_name).count();
            if length > MAX_NAME {
                return Look::No;
            }
            if length == bytes.len() {
                return Look::More;
            }
            let written = self.slice(start..start + length);
            let name = written.strip_prefix(prefix).unwrap_or(written);
            let name = match name.rsplit_once(':') {
                Some((name, id)) if id.bytes().all(|byte| byte.is_ascii_digit()) => name,
                _ => name,
            };
            if name.is_empty() { Look::No } else { Look::Yes((name, start + length)) }
        })
    }

    fn around(&self, at: usize) -> Look<Opening> {
        let marks = self.formats.iter().flat_map(|format| &format.around);
        marks.fold(Look::No, |found, mark| {
            found.or(|| self.literal(at, mark).then(|end| Look::Yes(Opening::Around(end))))
        })
    }

    fn wrapper(&self, at: usize) -> Look<Opening> {
        let mut found = Look::No;
        for name in self.wrappers() {
            found = found.or(|| {
                self.open_named(at, name).then(|opened| {
                    let inside = self.blanks(opened.end);
                    if opened.closed {
                        return Look::No;
                    }
                    self.bare_call(inside).then(|opening| match opening {
                        Opening::Call(open) if open.syntax.call_close != Some(TOOL_CALL) => {
                            Look::Yes(Opening::Wrapper(name, inside))
                        }
                        _ => Look::No,
                    })
                })
            });
        }
        found
    }

    /// Something opens in text here.
    pub(crate) fn opening(&self, at: usize) -> Look<Opening> {
        // Most tags in text are none of ours, and their first letter says so.
        match self.byte(at + 1) {
            None => return Look::More,
            Some(byte)
                if self.formats.is_empty()
                    && !FIRST.contains(&byte)
                    && !self.grammar.begins_with(byte) =>
            {
                return Look::No;
            }
            Some(_) => {}
        }
        self.call(at).or(|| self.around(at)).or(|| {
            let mut found = Look::No;
            for name in THINKING {
                found = found.or(|| {
                    self.open_named(at, name).then(|opened| {
                        let offered = self.grammar.position(name).is_some();
                        if opened.closed || offered {
                            Look::No
                        } else {
                            Look::Yes(Opening::Thinking(name, opened.end))
                        }
                    })
                });
            }
            found
        })
    }

    /// Behind a closing tag: only wrappers are closed, and then another call opens or the answer ends.
    pub(crate) fn firm(&self, at: usize) -> Look<()> {
        let mut at = self.blanks(at);
        for _ in 0..2 {
            match self.wrapper_close(at) {
                Look::Yes(end) => at = self.blanks(end),
                Look::No => break,
                Look::More if self.ends() => return Look::Yes(()),
                Look::More => return Look::More,
            }
        }
        if at < self.end() {
            self.call(at).then(|_| Look::Yes(()))
        } else if self.ends() {
            Look::Yes(())
        } else {
            Look::More
        }
    }

    /// The answer ends here, as its author wanted.
    fn ends(&self) -> bool {
        self.last && !self.cut
    }

    fn wrappers(&self) -> impl Iterator<Item = &'static str> {
        WRAPPERS.iter().filter(|(_, dialect)| self.dialects.has(*dialect)).map(|(name, _)| *name)
    }

    /// The closing tag of some wrapper stands here.
    pub(crate) fn wrapper_close(&self, at: usize) -> Look<usize> {
        if at == self.end() {
            return Look::No;
        }
        let mut found = Look::No;
        for name in self.wrappers() {
            found = found.or(|| self.close(at, name));
        }
        found
    }
}
