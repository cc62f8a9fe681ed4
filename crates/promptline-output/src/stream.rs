//! An answer while it comes in. The value so far is there at any time, without being copied or read again;
//! it is the plain value, which [`finish`](OutputStream::finish) then fits to the schema.

use serde_json::Value;

use crate::candidates::viable;
use crate::parsed::Parsed;
use crate::reasoning::TAGS;
use crate::spec::OutputSpec;
use crate::tolerant::{Engine, Flow, Found, Look, Marks, plain, scalar};

/// Reads an answer in pieces.
///
/// All pushes and looks together take time in proportion to the answer (and to
/// [`Limits::depth`](crate::Limits::depth)). While it comes in, the first object or list of the answer is
/// shown; at the end all of it is considered, as in [`OutputSpec::parse`].
#[derive(Debug)]
pub struct OutputStream {
    spec: OutputSpec,
    text: String,
    /// Up to here the value has been looked for.
    seen: usize,
    /// Thinking is open, and ends with this tag.
    thinking: Option<&'static str>,
    fenced: bool,
    engine: Option<Engine>,
    /// A literal or number that is all there is.
    word: Option<Value>,
    marks: Marks,
    work: u64,
}

impl OutputSpec {
    /// Reads an answer in pieces.
    #[must_use]
    pub fn stream(&self) -> OutputStream {
        OutputStream {
            spec: self.clone(),
            text: String::new(),
            seen: 0,
            thinking: None,
            fenced: false,
            engine: None,
            word: None,
            marks: Marks::default(),
            work: 0,
        }
    }
}

impl OutputStream {
    /// Takes the next piece.
    pub fn push(&mut self, chunk: &str) {
        if self.text.len() < self.spec.limits.bytes {
            self.text.push_str(chunk);
        } else {
            // It only counts, so that the end can say that something is cut off.
            self.text.push_str(chunk.get(..1).unwrap_or(""));
            return;
        }
        if self.engine.is_none() {
            self.seek();
        }
        let look = Look::after(&self.text, true, std::mem::take(&mut self.marks));
        if let Some(engine) = &mut self.engine
            && !engine.is_done()
        {
            let flow = engine.run(&look);
            debug_assert!(flow == Flow::Wait || engine.is_done());
        }
        self.work += look.work();
        self.marks = look.into_marks();
    }

    /// The best value so far, as the model writes it: nothing is renamed or coerced before the end. `None`
    /// when no value has begun.
    pub fn value(&mut self) -> Option<&Value> {
        let look = Look::new(&self.text, true);
        match &mut self.engine {
            Some(engine) => engine.value(&look),
            None => self.word.as_ref(),
        }
    }

    /// The value that is still being written, as a JSON Pointer: it and what it lies in may change, everything
    /// else is final. `None` when the value is at its end, or has not begun.
    pub fn open_path(&self) -> Option<String> {
        match &self.engine {
            Some(engine) => (!engine.is_done()).then(|| engine.open_path()),
            None => self.word.as_ref().map(|_| String::new()),
        }
    }

    /// Whether the field at a JSON Pointer is there and will not change any more.
    pub fn is_final(&mut self, path: &str) -> bool {
        let open = self.open_path();
        let there = self.value().is_some_and(|value| value.pointer(path).is_some());
        let growing = open.is_some_and(|open| {
            open == path || open.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'))
        });
        there && !growing
    }

    /// What has come so far.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Bytes looked at so far.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.work
    }

    /// The answer is at its end.
    #[must_use]
    pub fn finish(self) -> Parsed {
        let mut parsed = self.spec.parse(&self.text);
        parsed.work += self.work;
        parsed
    }

    /// Looks for the beginning of a value.
    fn seek(&mut self) {
        let look = Look::after(&self.text, true, std::mem::take(&mut self.marks));
        let (seen, engine) = Seek {
            look: &look,
            depth: self.spec.limits.depth,
            repairs: self.spec.limits.repairs,
            thinking: &mut self.thinking,
            fenced: &mut self.fenced,
        }
        .run(self.seen);
        self.seen = seen;
        self.engine = engine;
        self.word = None;
        if self.engine.is_none() {
            let trimmed = self.text.trim_start();
            // A literal or number by itself; anything longer is a sentence.
            if trimmed.len() <= 64 {
                self.word = scalar::begun(trimmed.trim_end());
            }
        }
        self.work += look.work();
        self.marks = look.into_marks();
    }
}

struct Seek<'s, 't> {
    look: &'s Look<'t>,
    depth: usize,
    repairs: usize,
    thinking: &'s mut Option<&'static str>,
    fenced: &'s mut bool,
}

impl Seek<'_, '_> {
    /// Gives up to where there is nothing, and the engine of a value that begins there.
    fn run(mut self, from: usize) -> (usize, Option<Engine>) {
        let look = self.look;
        let mut at = from;
        if look.slice(0, at).trim().is_empty() {
            let first = look.blank(at);
            if look.char(first).is_some_and(|c| matches!(c, '"' | '“')) {
                return (first, Some(self.engine(first)));
            }
        }
        loop {
            if let Some(close) = *self.thinking {
                let rest = look.slice(at, look.end());
                look.count(rest.len());
                let Some(found) = rest.find(close) else {
                    let mut kept = look.end().saturating_sub(close.len()).max(at);
                    while !look.text.is_char_boundary(kept) {
                        kept += 1;
                    }
                    return (kept, None);
                };
                at += found + close.len();
                *self.thinking = None;
            }
            let rest = look.text.as_bytes().get(at..).unwrap_or_default();
            let Some(found) =
                rest.iter().position(|b| matches!(b, b'{' | b'[' | b'<' | b'`' | 0xef))
            else {
                look.count(rest.len());
                return (look.end(), None);
            };
            look.count(found + 1);
            at += found;
            match self.mark(at) {
                Mark::Value => return (at, Some(self.engine(at))),
                Mark::Wait => return (at, None),
                Mark::Nothing(bytes) => at += bytes,
            }
        }
    }

    fn engine(&self, at: usize) -> Engine {
        Engine::new(at, *self.fenced, self.depth, self.repairs)
    }

    fn mark(&mut self, at: usize) -> Mark {
        let look = self.look;
        let rest = look.slice(at, look.end());
        let Some(c) = look.char(at) else { return Mark::Nothing(1) };
        match c {
            '<' => {
                for (open, close) in TAGS {
                    if rest.starts_with(open) {
                        *self.thinking = Some(close);
                        return Mark::Nothing(open.len());
                    }
                    if open.starts_with(rest) {
                        return Mark::Wait;
                    }
                }
                Mark::Nothing(1)
            }
            '`' => {
                if rest.len() < 3 {
                    return Mark::Wait;
                }
                let run = rest.len() - rest.trim_start_matches('`').len();
                if run >= 3 {
                    *self.fenced = !*self.fenced;
                }
                Mark::Nothing(run)
            }
            c if matches!(plain(c), '{' | '[') => {
                // An answer that begins so is JSON.
                if look.slice(0, at).trim().is_empty() {
                    return Mark::Value;
                }
                // In prose the next characters decide.
                let next = look.blank(at + c.len_utf8());
                let undecided = match look.char(next) {
                    None => true,
                    Some('.' | '\\' | '/' | '#' | '`') => look.end() - next < 4,
                    Some(_) => plain(c) == '{' && look.bare_key(next) == Found::End,
                };
                if undecided {
                    return Mark::Wait;
                }
                if viable(look, at) { Mark::Value } else { Mark::Nothing(c.len_utf8()) }
            }
            c => Mark::Nothing(c.len_utf8()),
        }
    }
}

enum Mark {
    Value,
    Wait,
    /// Nothing begins in so many bytes.
    Nothing(usize),
}
