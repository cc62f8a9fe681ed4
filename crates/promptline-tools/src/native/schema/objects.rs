//! Passes `required` and `closed`: names that must be given are names that there are, and where a
//! provider holds the model to the schema, objects are closed.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::node::{Node, Slot};
use super::walk::{Draft, Place, Walk};
use crate::native::tables::Strict;

/// Names of properties. Short lists are looked through, long ones are looked up.
#[derive(Debug, Clone, Default)]
pub(super) struct Names<'a> {
    few: Vec<&'a str>,
    many: HashSet<&'a str>,
}

impl<'a> Names<'a> {
    /// Adds a name; false when it is there.
    pub(super) fn add(&mut self, name: &'a str) -> bool {
        match self.few.len() {
            _ if self.contains(name) => false,
            0..16 => {
                self.few.push(name);
                true
            }
            _ => self.many.insert(name),
        }
    }

    pub(super) fn contains(&self, name: &str) -> bool {
        self.few.contains(&name) || self.many.contains(name)
    }
}

/// Which properties of a schema must be given.
#[derive(Debug, Default)]
pub(super) struct Required<'a> {
    /// In order, each once.
    pub(super) order: Vec<&'a str>,
    set: Names<'a>,
    /// All of them were taken out, and the keyword with them.
    pub(super) gone: bool,
}

impl Required<'_> {
    pub(super) fn is_required(&self, name: &str) -> bool {
        self.set.contains(name)
    }
}

impl<'a> Walk<'a> {
    /// The names in `required` that there are. A branch that has no properties of its own speaks of those
    /// around it.
    pub(super) fn required_names(&mut self, node: &mut Node<'a>, place: Place) -> Required<'a> {
        let speaks_of_others = place == Place::Branch && !node.has("properties");
        let mut required = Required::default();
        let Some(Slot::Required(names)) = node.get("required") else {
            return required;
        };
        let mut unknown = Vec::new();
        for name in names {
            if !speaks_of_others && !self.is_known_name(name) {
                unknown.push(*name);
            } else if required.set.add(name) {
                required.order.push(name);
            } else {
                self.found_twice(name);
            }
        }
        for name in &unknown {
            let name = name.escape_debug();
            self.lose("required", format!("`{name}` was taken out: there is no such property"));
        }
        required.gone = required.order.is_empty() && !unknown.is_empty();
        required
    }

    fn found_twice(&mut self, name: &str) {
        let name = name.escape_debug();
        self.lose("required", format!("`{name}` stood there twice"));
    }

    /// A property that may be left out may be null, where all properties are required.
    pub(super) fn optional(&mut self, schema: Value, is_required: bool) -> Value {
        if is_required || self.profile.strict != Some(Strict::AllRequired) {
            return schema;
        }
        self.lose("required", "it must be given, and null stands for leaving it out");
        or_null(schema)
    }

    /// Closes an object where the provider wants that.
    pub(super) fn close(&mut self, draft: &mut Draft, place: Place) {
        let Some(strict) = self.profile.strict else { return };
        let map = &mut draft.map;
        let additional = map.shift_remove("additionalProperties");
        if !is_object(map) {
            return;
        }
        if place == Place::Root && !map.contains_key("properties") {
            map.insert("properties".to_owned(), json!({}));
        }
        let names: Vec<Value> = map
            .get("properties")
            .and_then(Value::as_object)
            .map(|properties| properties.keys().map(|name| Value::from(name.as_str())).collect())
            .unwrap_or_default();
        let is_open = match &additional {
            None | Some(Value::Bool(false)) => {
                place != Place::Root && !map.contains_key("properties") && additional.is_none()
            }
            Some(Value::Bool(true)) => names.is_empty(),
            Some(Value::Object(schema)) => names.is_empty() || !schema.is_empty(),
            Some(_) => false,
        };
        if is_open {
            self.unfit("the names of its properties are not known beforehand");
        } else if additional.is_some_and(|additional| additional != Value::Bool(false)) {
            self.lose("additionalProperties", "false: no other properties");
        }
        let map = &mut draft.map;
        if strict == Strict::AllRequired {
            map.entry("properties").or_insert_with(|| json!({}));
            map.insert("required".to_owned(), Value::Array(names));
        }
        map.insert("additionalProperties".to_owned(), Value::Bool(false));
    }
}

/// It says that it is an object, or what an object is to hold.
fn is_object(map: &Map<String, Value>) -> bool {
    let of_type = match map.get("type") {
        Some(Value::String(name)) => name == "object",
        Some(Value::Array(names)) => names.iter().any(|name| name == "object"),
        _ => false,
    };
    of_type || map.contains_key("properties")
}

/// The schema, or null.
pub(super) fn or_null(mut schema: Value) -> Value {
    let null = Value::from("null");
    let Value::Object(map) = &mut schema else { return schema };
    if let Some(Value::Array(branches)) = map.get_mut("anyOf") {
        if !branches.iter().any(|branch| branch.get("type") == Some(&null)) {
            branches.push(json!({"type": "null"}));
        }
        return schema;
    }
    if map.contains_key("const") || map.contains_key("$ref") {
        return json!({"anyOf": [schema, {"type": "null"}]});
    }
    match map.get_mut("type") {
        Some(Value::String(name)) if name == "null" => return schema,
        Some(Value::Array(names)) if names.contains(&null) => {}
        Some(Value::Array(names)) => names.push(null),
        Some(Value::String(name)) => {
            let both = json!([name, "null"]);
            map.insert("type".to_owned(), both);
        }
        _ => return json!({"anyOf": [schema, {"type": "null"}]}),
    }
    if let Some(Value::Array(values)) = map.get_mut("enum")
        && !values.contains(&Value::Null)
    {
        values.push(Value::Null);
    }
    schema
}
