//! The containers that are open, innermost last: the parser's own stack. They can be joined into one value
//! at any time (the answer so far) and taken apart again, by moving, at the cost of the depth only.

use serde_json::map::Entry;
use serde_json::{Map, Value};

use crate::repair::step;

/// What is in an open container.
#[derive(Debug, Clone)]
pub(crate) enum Items {
    List(Vec<Value>),
    Object(Map<String, Value>),
}

/// An open container.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    pub(crate) items: Items,
    /// The key whose value is being read.
    pub(crate) key: Option<String>,
    /// What closes it; `None`: its braces are not written, and it ends with what it is in.
    pub(crate) bracket: Option<char>,
    /// The key is joined into the object with a value of its own.
    sealed: bool,
    /// While the contents are joined: how many elements are before the one that is being read.
    sealed_len: Option<usize>,
    /// What was there under the same key before.
    shadowed: Option<Value>,
}

impl Frame {
    pub(crate) fn list() -> Self {
        Self {
            items: Items::List(Vec::new()),
            key: None,
            bracket: Some(']'),
            sealed: false,
            sealed_len: None,
            shadowed: None,
        }
    }

    pub(crate) fn object() -> Self {
        Self {
            items: Items::Object(Map::new()),
            key: None,
            bracket: Some('}'),
            sealed: false,
            sealed_len: None,
            shadowed: None,
        }
    }

    /// An object whose braces are not written; its first key may have been read.
    pub(crate) fn braceless(key: Option<String>) -> Self {
        Self { key, bracket: None, ..Self::object() }
    }

    /// A list in parentheses.
    pub(crate) fn tuple() -> Self {
        Self { bracket: Some(')'), ..Self::list() }
    }

    pub(crate) fn is_list(&self) -> bool {
        matches!(self.items, Items::List(_))
    }

    pub(crate) fn is_empty(&self) -> bool {
        match &self.items {
            Items::List(list) => list.is_empty(),
            Items::Object(object) => object.is_empty(),
        }
    }

    pub(crate) fn into_value(self) -> Value {
        match self.items {
            Items::List(list) => Value::Array(list),
            Items::Object(object) => Value::Object(object),
        }
    }

    /// Puts a value where it belongs; gives back the one that was there under the same key, and the key.
    pub(crate) fn put(&mut self, value: Value) -> Option<(String, Value)> {
        match &mut self.items {
            Items::List(list) => {
                list.push(value);
                None
            }
            Items::Object(object) => match object.entry(self.key.take().unwrap_or_default()) {
                Entry::Occupied(mut place) => {
                    let old = place.insert(value);
                    Some((place.key().clone(), old))
                }
                Entry::Vacant(place) => {
                    place.insert(value);
                    None
                }
            },
        }
    }

    /// The value that was replaced when the contents were joined.
    pub(crate) fn take_shadowed(&mut self) -> Option<Value> {
        self.shadowed.take()
    }

    /// The same, while the contents may be joined into the root: the length of a list is kept apart.
    pub(crate) fn open_step(&self, path: &mut String) {
        match (&self.items, self.sealed_len) {
            (Items::List(_), Some(len)) => step(path, &len.to_string()),
            _ => self.step(path),
        }
    }

    /// The step of a path from here to the value that is being read.
    pub(crate) fn step(&self, path: &mut String) {
        match &self.items {
            Items::List(list) => step(path, &list.len().to_string()),
            Items::Object(_) => {
                if let Some(key) = &self.key {
                    step(path, key);
                }
            }
        }
    }
}

/// Joins all frames into one value; `last` is the value that is being read now, if there is any of it.
pub(crate) fn seal(frames: &mut [Frame], last: Option<Value>) -> Option<Value> {
    let mut inner = last;
    for at in (0..frames.len()).rev() {
        let Some(frame) = frames.get_mut(at) else { break };
        if let Items::List(list) = &frame.items {
            frame.sealed_len = Some(list.len());
        }
        if let Some(value) = inner.take() {
            match &mut frame.items {
                Items::List(list) => {
                    list.push(value);
                    frame.sealed = true;
                }
                Items::Object(object) => {
                    if let Some(key) = &frame.key {
                        frame.shadowed = object.insert(key.clone(), value);
                        frame.sealed = true;
                    }
                }
            }
        }
        inner = Some(match &mut frame.items {
            Items::List(list) => Value::Array(std::mem::take(list)),
            Items::Object(object) => Value::Object(std::mem::take(object)),
        });
    }
    inner
}

/// Takes apart what [`seal`] joined; gives the last value back.
pub(crate) fn unseal(frames: &mut [Frame], whole: Option<Value>) -> Option<Value> {
    let mut outer = whole;
    for frame in frames {
        let value = outer.take()?;
        match (&mut frame.items, value) {
            (Items::List(list), Value::Array(all)) => {
                *list = all;
                outer = if frame.sealed { list.pop() } else { None };
            }
            (Items::Object(object), Value::Object(all)) => {
                *object = all;
                outer = match &frame.key {
                    Some(key) if frame.sealed => match (object.get_mut(key), frame.shadowed.take())
                    {
                        (Some(place), Some(old)) => Some(std::mem::replace(place, old)),
                        // It is the last one: nothing has to move.
                        _ => object.shift_remove(key),
                    },
                    _ => None,
                };
            }
            _ => return None,
        }
        frame.sealed = false;
        frame.sealed_len = None;
    }
    outer
}
