//! Pass `refs`: a `$ref` stays where the dialect can follow it, else what it means is written in its
//! place. A schema that holds itself is cut.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::node::Kind;
use super::walk::{Place, Walk, push_step};
use crate::native::tables::Refs;

impl<'a> Walk<'a> {
    /// What a reference leads to.
    pub(super) fn resolve(&self, reference: &str) -> Option<&'a Value> {
        lookup(self.root, reference)
    }

    /// The reference can stay in a schema with these keywords.
    pub(super) fn keeps_ref(
        &self,
        reference: &str,
        around: &Map<String, Value>,
        place: Place,
    ) -> bool {
        // The root says what it is itself: providers look for `type` there.
        if place == Place::Root || self.resolve(reference).is_none() {
            return false;
        }
        let definition =
            ["#/$defs/", "#/definitions/"].iter().find_map(|start| reference.strip_prefix(start));
        match self.profile.refs {
            Refs::Inline => false,
            Refs::Bare => {
                around.len() == 1
                    && (reference == "#" || definition.is_some_and(|name| !name.contains('/')))
            }
            Refs::Keep => {
                reference == "#" || definition.is_some() || reference.starts_with("#/properties/")
            }
        }
    }
}

/// References that stand in the result and lead nowhere in it are taken out; `lost` hears where. (What
/// they led to was itself cut.)
pub(super) fn unhook(made: &mut Value, lost: &mut dyn FnMut(&str)) {
    let mut dangling = Vec::new();
    find_dangling(made, made, &mut String::new(), &mut dangling);
    for pointer in dangling {
        if let Some(Value::Object(schema)) = made.pointer_mut(&pointer) {
            schema.shift_remove("$ref");
            lost(&pointer);
        }
    }
}

fn find_dangling(root: &Value, schema: &Value, path: &mut String, dangling: &mut Vec<String>) {
    let Value::Object(map) = schema else { return };
    if let Some(Value::String(reference)) = map.get("$ref")
        && lookup(root, reference).is_none()
    {
        dangling.push(path.clone());
    }
    for (keyword, value) in map {
        let mut inside = |key: Option<&str>, schema: &Value| {
            let length = path.len();
            push_step(path, keyword);
            if let Some(key) = key {
                push_step(path, key);
            }
            find_dangling(root, schema, path, dangling);
            path.truncate(length);
        };
        match (Kind::of(keyword, value), value) {
            (Kind::Schema, schema) => inside(None, schema),
            (Kind::Schemas, Value::Array(schemas)) => {
                for (position, schema) in schemas.iter().enumerate() {
                    inside(Some(&position.to_string()), schema);
                }
            }
            (Kind::Named, Value::Object(schemas)) => {
                for (name, schema) in schemas {
                    inside(Some(name), schema);
                }
            }
            _ => {}
        }
    }
}

/// What a reference leads to. Only references into the schema itself lead anywhere.
fn lookup<'a>(root: &'a Value, reference: &str) -> Option<&'a Value> {
    let pointer = reference.strip_prefix('#')?;
    root.pointer(pointer).or_else(|| root.pointer(&percent_decoded(pointer)?))
}

/// A fragment may be percent-encoded (RFC 6901, section 6).
fn percent_decoded(pointer: &str) -> Option<Cow<'_, str>> {
    if !pointer.contains('%') {
        return None;
    }
    let mut bytes = Vec::with_capacity(pointer.len());
    let mut rest = pointer.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let hex = after.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()).filter(|_| byte == b'%') {
            Some(decoded) => {
                bytes.push(decoded);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}
