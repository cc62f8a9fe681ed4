//! What becomes of single values of a JSON Schema that are not what their keyword wants.

use std::collections::BTreeSet;

use serde_json::{Map, Number, Value, json};

/// What becomes of a value.
#[derive(Debug)]
pub(super) enum Repaired {
    /// Nothing is wrong.
    Sound,
    /// It is this now, and why, in words; without words nothing was wrong.
    Now(Value, &'static str),
    /// Nobody can say what it means, and why.
    Gone(&'static str),
    /// It says nothing, and nobody misses it.
    Silent,
}

/// The types of JSON Schema.
const TYPES: [&str; 7] = ["string", "integer", "number", "boolean", "array", "object", "null"];

pub(super) fn is_type(name: &str) -> bool {
    TYPES.contains(&name)
}

/// The type that is meant by a name from another language.
pub(super) fn type_named(name: &str) -> Option<&'static str> {
    let name = name.trim().to_ascii_lowercase();
    let meant = match name.as_str() {
        "str" | "text" => "string",
        "int" | "int32" | "int64" | "long" => "integer",
        "float" | "double" | "decimal" => "number",
        "bool" => "boolean",
        "list" | "tuple" | "set" => "array",
        "dict" | "map" | "struct" | "record" => "object",
        "none" | "nil" => "null",
        name => name,
    };
    TYPES.into_iter().find(|kind| *kind == meant)
}

/// A whole number from 0 on, however it is written.
pub(super) fn is_count(number: &Number) -> bool {
    let whole = |value: f64| value >= 0.0 && value.fract() == 0.0;
    number.as_u64().is_some() || number.as_f64().is_some_and(whole)
}

/// A list of schemas that have a `name` each, where an object by name belongs. An empty list is what PHP
/// makes of an empty object.
pub(super) fn by_name(items: &[Value]) -> Repaired {
    let mut named = Map::new();
    for item in items {
        let Some(mut schema) = item.as_object().cloned() else {
            return Repaired::Gone("it is a list, not an object");
        };
        let Some(Value::String(name)) = schema.shift_remove("name") else {
            return Repaired::Gone("it is a list, not an object");
        };
        if named.insert(name, Value::Object(schema)).is_some() {
            return Repaired::Gone("it is a list in which a name is there twice");
        }
    }
    let what = if items.is_empty() {
        "the empty list is taken for an empty object"
    } else {
        "the list is taken for an object by `name`"
    };
    Repaired::Now(Value::Object(named), what)
}

/// `required`: a list of names.
pub(super) fn names(value: &Value) -> Repaired {
    match value {
        Value::Array(items) => {
            let mut seen = BTreeSet::new();
            let kept: Vec<&str> =
                items.iter().filter_map(Value::as_str).filter(|name| seen.insert(*name)).collect();
            if kept.len() == items.len() {
                return Repaired::Sound;
            }
            Repaired::Now(
                json!(kept),
                "what is no name, or is there twice, is left out of the list",
            )
        }
        Value::String(name) => Repaired::Now(json!([name]), "it is taken for a list of one"),
        _ => Repaired::Gone("it is no list of names"),
    }
}

/// `nullable: true` in the words of JSON Schema.
pub(super) fn nullable(schema: &mut Map<String, Value>) {
    let Some(Value::Bool(nullable)) = schema.get("nullable") else {
        return;
    };
    let nullable = *nullable;
    schema.shift_remove("nullable");
    if !nullable {
        return;
    }
    match schema.get_mut("type") {
        Some(kind @ Value::String(_)) if *kind != "null" => *kind = json!([kind.take(), "null"]),
        Some(Value::Array(kinds)) if !kinds.contains(&json!("null")) => kinds.push(json!("null")),
        _ => {}
    }
    for (keyword, null) in [("enum", Value::Null), ("anyOf", json!({"type": "null"}))] {
        if let Some(Value::Array(values)) = schema.get_mut(keyword)
            && !values.contains(&null)
        {
            values.push(null);
        }
    }
}
