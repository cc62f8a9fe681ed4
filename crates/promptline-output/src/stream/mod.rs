//! An answer while it comes in. The value so far is there at any time, as the schema wants it, without being
//! read again or copied as a whole; what is not decided yet is not in it.

mod growing;
mod place;
mod seek;

use serde_json::Value;

use crate::parsed::Parsed;
use crate::spec::{OutputSpec, Spec};
use crate::tolerant::{Engine, Flow, Look, Marks, scalar};
use growing::Growing;
use seek::Seek;

/// Reads an answer in pieces.
///
/// All pushes and looks together take time in proportion to the answer (and a look to the depth and the keys
/// of what is open, see [`Limits::depth`](crate::Limits::depth)). While it comes in, the first object or list of the answer is
/// shown; at the end all of it is considered, as in [`OutputSpec::parse`].
#[derive(Debug)]
pub struct OutputStream {
    spec: Spec,
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
    /// What of the value fits the schema so far; for any JSON, the value itself does.
    growing: Option<Growing>,
    work: u64,
}

impl<T> OutputSpec<T> {
    /// Reads an answer in pieces.
    #[must_use]
    pub fn stream(&self) -> OutputStream {
        OutputStream {
            spec: self.spec.clone(),
            text: String::new(),
            seen: 0,
            thinking: None,
            fenced: false,
            engine: None,
            word: None,
            marks: Marks::default(),
            growing: (!self.spec.shapes.is_any()).then(Growing::default),
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
        self.read_on();
        while self.passes_over() {
            self.seek();
            self.read_on();
        }
    }

    /// Whether the value that has ended is none that the schema knows anything of, as braces in prose are: the
    /// answer is looked for behind it.
    fn passes_over(&mut self) -> bool {
        let end = match &self.engine {
            Some(engine) if engine.is_done() && self.growing.is_some() => engine.pos,
            _ => return false,
        };
        let says_nothing = match self.value() {
            None => true,
            Some(Value::Object(map)) => map.is_empty(),
            Some(_) => false,
        };
        if !says_nothing || self.text.get(end..).is_none_or(|rest| rest.trim().is_empty()) {
            return false;
        }
        self.engine = None;
        self.seen = end;
        self.growing = Some(Growing::default());
        true
    }

    /// Reads the value that has begun as far as there is text.
    fn read_on(&mut self) {
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

    /// The best value so far: fields have the names of the schema and fitting values, what the schema does not
    /// know or what does not fit is not there. Text grows; numbers, literals, allowed values and what several
    /// branches of the schema could take come when they are whole. `None` when no value has begun.
    ///
    /// It is the first object or list of the answer; which one counts, what is missing and which default is
    /// taken is known at the end only, from [`finish`](Self::finish).
    pub fn value(&mut self) -> Option<&Value> {
        let look = Look::new(&self.text, true);
        let Some(growing) = &mut self.growing else {
            return match &mut self.engine {
                Some(engine) => engine.value(&look),
                None => self.word.as_ref(),
            };
        };
        let engine = self.engine.as_mut()?;
        if !growing.has_seen(self.text.len()) {
            // While it is joined, the path to what is open counts what is there.
            engine.value(&look);
            let open = (!engine.is_done()).then(|| engine.open_path());
            if let Some(value) = engine.value(&look) {
                self.work += growing.grow(&self.spec, self.text.len(), value, open.as_deref());
            }
        }
        growing.value()
    }

    /// The value that is still being written, as a JSON Pointer: it and what it lies in may change, everything
    /// else is final. `None` when the value is at its end, or has not begun.
    pub fn open_path(&mut self) -> Option<String> {
        self.value();
        match (&self.growing, &self.engine) {
            (Some(growing), Some(_)) => growing.open_path(),
            (_, Some(engine)) => (!engine.is_done()).then(|| engine.open_path()),
            (_, None) => self.word.as_ref().map(|_| String::new()),
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
        let mut parsed = crate::read::read(&self.spec, &self.text);
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
