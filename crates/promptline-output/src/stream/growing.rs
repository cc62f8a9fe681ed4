//! A value that grows, as the schema wants it. Each field is fitted once, when it is whole; only text is shown
//! before. What is not decided is not shown, so that what was final stays.

use serde_json::Value;

use super::place::{Place, opens, place, takes_text};
use crate::coerce::Fitter;
use crate::shape::{LIST, OBJ, ShapeId};
use crate::spec::Spec;
use crate::tolerant::{Frame, seal, unseal};

#[derive(Debug, Default)]
pub(super) struct Growing {
    /// All of it, joined for a look.
    root: Option<Value>,
    /// The containers that are open and shown, outermost first, and where they are in the answer.
    frames: Vec<Frame>,
    levels: Vec<Level>,
    /// The text that is open and shown: how deep it is, and the step to it in the answer.
    text: Option<(usize, String)>,
    /// The length of the answer when it was last looked at, and whether the value was at its end.
    seen: usize,
    whole: bool,
}

#[derive(Debug)]
struct Level {
    shape: ShapeId,
    /// The step to it in the answer.
    token: String,
    /// Children in the answer that have been dealt with; the first ones.
    done: usize,
}

impl Growing {
    pub(super) fn has_seen(&self, length: usize) -> bool {
        self.whole || self.seen == length
    }

    pub(super) fn value(&self) -> Option<&Value> {
        self.root.as_ref()
    }

    /// What is open, by the names of the value that is shown.
    pub(super) fn open_path(&self) -> Option<String> {
        let mut path = String::new();
        for frame in &self.frames {
            frame.open_step(&mut path);
        }
        (!self.whole).then_some(path)
    }

    /// Takes what the answer of so many bytes has come to, and `open`, the path of what is still being written
    /// in it. Gives the work: values looked at.
    pub(super) fn grow(
        &mut self,
        spec: &Spec,
        length: usize,
        plain: &Value,
        open: Option<&str>,
    ) -> u64 {
        self.seen = length;
        self.whole = open.is_none();
        let text = unseal(&mut self.frames, self.root.take());
        let tokens: Vec<String> =
            open.unwrap_or_default().split('/').skip(1).map(plainly).collect();
        let mut growth = Growth { spec, work: 1 };
        let closed = growth.close(self, plain, &tokens);
        if self.whole {
            let fitter = Fitter::new(&spec.shapes, spec.on_unknown, false);
            let (cost, fitted, _, work) = fitter.root(plain, None);
            self.root = if cost.misfits == 0 { Some(fitted) } else { closed };
            return growth.work + work;
        }
        let last = growth.open(self, plain, &tokens, text);
        self.root = seal(&mut self.frames, last);
        growth.work
    }
}

struct Growth<'s> {
    spec: &'s Spec,
    work: u64,
}

impl Growth<'_> {
    /// Ends the containers that are not open any more; gives the outermost, if it is one of them.
    fn close(&mut self, growing: &mut Growing, plain: &Value, tokens: &[String]) -> Option<Value> {
        let mut chain = Vec::with_capacity(growing.levels.len());
        let mut alive = 0;
        let mut here = Some(plain);
        for (at, level) in growing.levels.iter().enumerate() {
            let token = at.checked_sub(1).map(|before| tokens.get(before));
            if at > 0 {
                here = here.and_then(|here| child(here, &level.token));
            }
            chain.push(here);
            let same = token.is_none_or(|token| token == Some(&level.token));
            if same && alive == at && !growing.whole {
                alive += 1;
            }
        }
        while growing.levels.len() > alive {
            let (mut level, mut frame) = growing.levels.pop().zip(growing.frames.pop())?;
            if let Some(plain) = chain.pop().flatten() {
                self.take(&mut level, &mut frame, plain, None);
            }
            match growing.frames.last_mut() {
                Some(outer) => {
                    outer.put(frame.into_value());
                }
                None => return Some(frame.into_value()),
            }
        }
        None
    }

    /// New children of the innermost container, and those that are open in it. Gives the text that is.
    fn open(
        &mut self,
        growing: &mut Growing,
        plain: &Value,
        tokens: &[String],
        text: Option<Value>,
    ) -> Option<Value> {
        let before = growing.text.take();
        let grown = |depth: usize, token: &str, whole: &str| {
            let place = Some((depth, token.to_owned()));
            let shown = match text {
                Some(Value::String(text)) if place == before => text,
                _ => String::new(),
            };
            growing.text = place;
            Some(grown(shown, whole))
        };
        let mut here = Some(plain);
        for level in growing.levels.iter().skip(1) {
            here = here.and_then(|here| child(here, &level.token));
        }
        let mut here = here?;
        if growing.levels.is_empty() {
            match self.begin(here, &Place::root())? {
                Begun::Text(whole) => return grown(0, "", whole),
                Begun::Container(shape, frame) => {
                    growing.levels.push(Level { shape, token: String::new(), done: 0 });
                    growing.frames.push(frame);
                }
            }
        }
        loop {
            let depth = growing.levels.len();
            let (level, frame) = growing.levels.last_mut().zip(growing.frames.last_mut())?;
            let token = tokens.get(depth - 1);
            self.take(level, frame, here, token.map(String::as_str));
            frame.key = None;
            let token = token?;
            let inner = child(here, token)?;
            let place = place(self.spec, level.shape, token, &Value::Null)?;
            let begun = self.begin(inner, &place)?;
            if !frame.is_list() {
                frame.key = Some(place.name);
            }
            match begun {
                Begun::Text(whole) => return grown(depth, token, whole),
                Begun::Container(shape, inner_frame) => {
                    level.done = len(here);
                    growing.levels.push(Level { shape, token: token.clone(), done: 0 });
                    growing.frames.push(inner_frame);
                    here = inner;
                }
            }
        }
    }

    /// What can be shown of a value that is being written.
    fn begin<'v>(&self, plain: &'v Value, place: &Place) -> Option<Begun<'v>> {
        let shapes = &self.spec.shapes;
        match plain {
            Value::String(text) => {
                let shown = !place.has_words && takes_text(shapes, place.shape);
                shown.then_some(Begun::Text(text))
            }
            Value::Array(_) => {
                Some(Begun::Container(opens(shapes, place.shape, LIST)?, Frame::list()))
            }
            Value::Object(_) => {
                Some(Begun::Container(opens(shapes, place.shape, OBJ)?, Frame::object()))
            }
            _ => None,
        }
    }

    /// Takes the children that are whole and have not been dealt with.
    fn take(&mut self, level: &mut Level, frame: &mut Frame, plain: &Value, open: Option<&str>) {
        let length = len(plain);
        let is_open = open.is_some_and(|token| child(plain, token).is_some());
        let end = length - usize::from(is_open && length > 0);
        let Some(new @ 1..) = end.checked_sub(level.done) else { return };
        match plain {
            Value::Array(list) => {
                for (at, value) in list.iter().enumerate().skip(level.done).take(new) {
                    self.fit(level.shape, frame, &at.to_string(), value);
                }
            }
            Value::Object(object) => {
                // From the end: there are few of them, and many before.
                let last: Vec<_> = object.iter().rev().skip(length - end).take(new).collect();
                for (key, value) in last.into_iter().rev() {
                    self.fit(level.shape, frame, key, value);
                }
            }
            _ => {}
        }
        level.done = end;
    }

    /// Puts a value that is whole where it belongs, if it fits.
    fn fit(&mut self, shape: ShapeId, frame: &mut Frame, token: &str, value: &Value) {
        self.work += 1;
        let Some(place) = place(self.spec, shape, token, value) else { return };
        let fitted = match place.meant {
            Some(meant) => Some(meant),
            None => {
                let fitter = Fitter::new(&self.spec.shapes, self.spec.on_unknown, false);
                let (cost, fitted, _, work) = fitter.fit(value, place.shape, None);
                self.work += work;
                (cost.misfits == 0).then_some(fitted)
            }
        };
        if let Some(fitted) = fitted {
            frame.key = Some(place.name);
            frame.put(fitted);
        }
    }
}

/// A value that is being written and shown.
enum Begun<'v> {
    Text(&'v str),
    Container(ShapeId, Frame),
}

/// The text that is shown, with what has come: nothing is copied twice.
fn grown(mut shown: String, whole: &str) -> Value {
    match whole.get(shown.len()..) {
        Some(more) => shown.push_str(more),
        None => whole.clone_into(&mut shown),
    }
    Value::String(shown)
}

fn child<'v>(value: &'v Value, token: &str) -> Option<&'v Value> {
    match value {
        Value::Array(list) => list.get(token.parse::<usize>().ok()?),
        Value::Object(object) => object.get(token),
        _ => None,
    }
}

fn len(value: &Value) -> usize {
    match value {
        Value::Array(list) => list.len(),
        Value::Object(object) => object.len(),
        _ => 0,
    }
}

/// A step of a JSON Pointer without its escapes.
fn plainly(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}
