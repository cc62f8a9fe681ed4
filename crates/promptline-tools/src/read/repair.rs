//! Mends the JSON Schema of a tool where it is no schema and it is plain what was meant. A schema that is
//! sound comes out as it went in; keywords that are not known are never touched.

use std::collections::BTreeSet;

use serde_json::{Map, Number, Value, json};

use super::notes::{JsonPath, Notes, shown};
use super::values::{Repaired, by_name, is_count, is_type, names, nullable, type_named};

type Object = Map<String, Value>;

/// In which words a schema is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    JsonSchema,
    /// The subset of OpenAPI that Gemini takes as `parameters`: types in capitals, `nullable`, numbers as
    /// strings. It is rewritten as JSON Schema without a word, since that is no fault of it.
    Gemini,
}

/// What the value of a keyword is.
#[derive(Debug, Clone, Copy)]
enum Shape {
    Schema,
    /// A schema, or (before draft 2020-12) a list of them.
    SchemaOrList,
    Schemas,
    Named,
    /// Text for people, and for models.
    Words,
    Text,
    Number,
    Count,
    Flag,
    Names,
    Values,
}

/// The keywords whose values must have a shape (JSON Schema, drafts 4 to 2020-12). `type` has its own
/// rules; `exclusiveMinimum` and the like were flags once and numbers later.
const KEYWORDS: [(&str, Shape); 38] = [
    ("properties", Shape::Named),
    ("patternProperties", Shape::Named),
    ("dependentSchemas", Shape::Named),
    ("$defs", Shape::Named),
    ("definitions", Shape::Named),
    ("items", Shape::SchemaOrList),
    ("prefixItems", Shape::Schemas),
    ("anyOf", Shape::Schemas),
    ("oneOf", Shape::Schemas),
    ("allOf", Shape::Schemas),
    ("not", Shape::Schema),
    ("if", Shape::Schema),
    ("then", Shape::Schema),
    ("else", Shape::Schema),
    ("contains", Shape::Schema),
    ("propertyNames", Shape::Schema),
    ("additionalProperties", Shape::Schema),
    ("additionalItems", Shape::Schema),
    ("unevaluatedProperties", Shape::Schema),
    ("unevaluatedItems", Shape::Schema),
    ("description", Shape::Words),
    ("title", Shape::Words),
    ("$ref", Shape::Text),
    ("pattern", Shape::Text),
    ("format", Shape::Text),
    ("minimum", Shape::Number),
    ("maximum", Shape::Number),
    ("multipleOf", Shape::Number),
    ("minLength", Shape::Count),
    ("maxLength", Shape::Count),
    ("minItems", Shape::Count),
    ("maxItems", Shape::Count),
    ("minProperties", Shape::Count),
    ("maxProperties", Shape::Count),
    ("uniqueItems", Shape::Flag),
    ("deprecated", Shape::Flag),
    ("required", Shape::Names),
    ("enum", Shape::Values),
];

/// Mends the schema of a tool's arguments, which must be an object and is not nested too deep (the
/// caller has looked).
pub(super) fn arguments(
    schema: &mut Value,
    dialect: Dialect,
    place: &JsonPath<'_>,
    notes: &mut Notes,
) -> Result<(), String> {
    if let Some(root) = schema.as_object_mut() {
        if let Some(flag @ Value::Bool(_)) = root.get("required") {
            notes.repaired(&place.key("required"), format_args!("`{flag}` says nothing here"));
            root.shift_remove("required");
        }
        Mender { dialect, notes }.object(root, place);
    }
    let object = |kind: &Value| kind.as_str() == Some("object");
    match schema.get("type") {
        None => Ok(()),
        Some(Value::Array(kinds)) if kinds.iter().any(object) => Ok(()),
        Some(kind) if object(kind) => Ok(()),
        Some(kind) => {
            Err(format!("the arguments of a tool are an object, and its schema says {kind}"))
        }
    }
}

struct Mender<'n> {
    dialect: Dialect,
    notes: &'n mut Notes,
}

impl Mender<'_> {
    /// A subschema: an object or a boolean.
    fn schema(&mut self, schema: &mut Value, place: &JsonPath<'_>) {
        match schema {
            Value::Object(object) => self.object(object, place),
            Value::Bool(_) => {}
            other => {
                let kind = other.as_str().and_then(type_named);
                let what = match kind {
                    Some(kind) => format!("it is no schema; it is taken for the type `{kind}`"),
                    None => "it is no schema; anything is taken".to_owned(),
                };
                self.notes.repaired(place, what);
                *other = kind.map_or_else(|| json!({}), |kind| json!({"type": kind}));
            }
        }
    }

    fn object(&mut self, schema: &mut Object, place: &JsonPath<'_>) {
        self.kind(schema, place);
        if self.dialect == Dialect::Gemini {
            nullable(schema);
        }
        for (keyword, shape) in KEYWORDS {
            let Some(value) = schema.get_mut(keyword) else {
                continue;
            };
            let here = place.key(keyword);
            match self.mend(shape, value) {
                Repaired::Sound => {}
                Repaired::Now(now, what) => {
                    if !what.is_empty() {
                        self.notes.repaired(&here, what);
                    }
                    *value = now;
                }
                Repaired::Gone(what) => {
                    self.notes.repaired(&here, format_args!("{what}; it is left out"));
                    schema.shift_remove(keyword);
                    continue;
                }
                Repaired::Silent => {
                    schema.shift_remove(keyword);
                    continue;
                }
            }
            self.inside(schema, keyword, shape, &here);
        }
    }

    /// The schemas inside of a keyword.
    fn inside(&mut self, schema: &mut Object, keyword: &str, shape: Shape, place: &JsonPath<'_>) {
        let Some(value) = schema.get_mut(keyword) else {
            return;
        };
        match (shape, value) {
            (Shape::Schema | Shape::SchemaOrList, value) if !value.is_array() => {
                self.schema(value, place);
            }
            (Shape::Schemas | Shape::SchemaOrList, Value::Array(items)) => {
                for (position, item) in items.iter_mut().enumerate() {
                    self.schema(item, &place.at(position));
                }
            }
            (Shape::Named, Value::Object(named)) => {
                let required = self.hoisted(named, keyword, place);
                for (name, property) in named.iter_mut() {
                    self.schema(property, &place.key(name));
                }
                require(schema, required);
            }
            _ => {}
        }
    }

    /// The names of properties that say themselves that they are required, as draft 3 did; the property
    /// says so no more.
    fn hoisted(&mut self, named: &mut Object, keyword: &str, place: &JsonPath<'_>) -> Vec<String> {
        let mut required = Vec::new();
        if keyword != "properties" {
            return required;
        }
        for (name, property) in named.iter_mut() {
            let Some(property) = property.as_object_mut() else {
                continue;
            };
            let Some(Value::Bool(flag)) = property.get("required") else {
                continue;
            };
            if *flag {
                required.push(name.clone());
            }
            property.shift_remove("required");
            let what = "which properties are required is said around them";
            self.notes.repaired(&place.key(name).key("required"), what);
        }
        required
    }

    /// `type`: a name or a list of names.
    fn kind(&mut self, schema: &mut Object, place: &JsonPath<'_>) {
        let place = place.key("type");
        let Some(written) = schema.get("type") else {
            return;
        };
        let read = match written {
            Value::String(name) if is_type(name) => return,
            Value::String(name) => type_named(name).map(Value::from),
            Value::Array(names) => {
                let mut seen = BTreeSet::new();
                let read: Vec<&str> = names
                    .iter()
                    .filter_map(|name| type_named(name.as_str()?))
                    .filter(|name| seen.insert(*name))
                    .collect();
                (!read.is_empty()).then(|| Value::from(read))
            }
            _ => None,
        };
        if read.as_ref() == Some(written) {
            return;
        }
        // Capitals are how it is written there.
        let in_capitals = |name: &str| !name.contains(|c: char| c.is_ascii_lowercase());
        if self.dialect == Dialect::JsonSchema || !written.as_str().is_some_and(in_capitals) {
            let written = shown(&written.to_string());
            self.notes.repaired(
                &place,
                match &read {
                    Some(kind) => format!("`{written}` is taken for `{kind}`"),
                    None => format!("`{written}` is no type; any is taken"),
                },
            );
        }
        match read {
            Some(kind) => schema.insert("type".to_owned(), kind),
            None => schema.shift_remove("type"),
        };
    }

    /// What becomes of a value that ought to have this shape.
    fn mend(&self, shape: Shape, value: &Value) -> Repaired {
        if value.is_null() {
            return match shape {
                Shape::Words | Shape::Text => Repaired::Silent,
                _ => Repaired::Gone("it is null"),
            };
        }
        match (shape, value) {
            (Shape::Schema | Shape::SchemaOrList, Value::Object(_) | Value::Bool(_)) => {
                Repaired::Sound
            }
            (Shape::Schema | Shape::SchemaOrList, Value::String(_)) => Repaired::Sound,
            (Shape::SchemaOrList, Value::Array(_)) => Repaired::Sound,
            (Shape::Schema | Shape::SchemaOrList, _) => Repaired::Gone("it is no schema"),
            (Shape::Schemas, Value::Array(items)) if !items.is_empty() => Repaired::Sound,
            (Shape::Schemas, Value::Array(_)) => Repaired::Gone("the list is empty"),
            (Shape::Schemas, Value::Object(_)) => {
                Repaired::Now(json!([value]), "it is taken for a list of one")
            }
            (Shape::Schemas, _) => Repaired::Gone("it is no list of schemas"),
            (Shape::Named, Value::Object(_)) => Repaired::Sound,
            (Shape::Named, Value::Array(items)) => by_name(items),
            (Shape::Named, _) => Repaired::Gone("it is no object"),
            (Shape::Words | Shape::Text, Value::String(_)) => Repaired::Sound,
            (Shape::Words, _) => {
                let words = Value::from(value.to_string());
                Repaired::Now(words, "it is no string; it is taken as it is written")
            }
            (Shape::Text, _) => Repaired::Gone("it is no string"),
            (Shape::Number, Value::Number(_)) => Repaired::Sound,
            (Shape::Count, Value::Number(number)) if is_count(number) => Repaired::Sound,
            (Shape::Number | Shape::Count, Value::String(text)) => self.number(shape, text),
            (Shape::Number, _) => Repaired::Gone("it is no number"),
            (Shape::Count, _) => Repaired::Gone("it is no whole number from 0 on"),
            (Shape::Flag, Value::Bool(_)) => Repaired::Sound,
            (Shape::Flag, Value::String(text)) => match text.to_ascii_lowercase().as_str() {
                "true" => Repaired::Now(true.into(), "the string is taken for `true`"),
                "false" => Repaired::Now(false.into(), "the string is taken for `false`"),
                _ => Repaired::Gone("it is neither true nor false"),
            },
            (Shape::Flag, _) => Repaired::Gone("it is neither true nor false"),
            (Shape::Names, value) => names(value),
            (Shape::Values, Value::Array(values)) if values.is_empty() => {
                Repaired::Gone("the list is empty")
            }
            (Shape::Values, Value::Array(_)) => Repaired::Sound,
            (Shape::Values, Value::Object(_)) => Repaired::Gone("it is no list"),
            (Shape::Values, _) => Repaired::Now(json!([value]), "it is taken for a list of one"),
        }
    }

    fn number(&self, shape: Shape, text: &str) -> Repaired {
        let number = serde_json::from_str::<Number>(text.trim()).ok();
        match number.filter(|number| matches!(shape, Shape::Number) || is_count(number)) {
            Some(number) => Repaired::Now(
                number.into(),
                if self.dialect == Dialect::Gemini {
                    ""
                } else {
                    "the string is taken for a number"
                },
            ),
            None => Repaired::Gone("it is no number"),
        }
    }
}

/// Adds names to `required`, which may be missing or wrong.
fn require(schema: &mut Object, names: Vec<String>) {
    if names.is_empty() {
        return;
    }
    let mut all = match schema.get_mut("required") {
        Some(Value::Array(listed)) => std::mem::take(listed),
        Some(name @ Value::String(_)) => vec![name.take()],
        _ => Vec::new(),
    };
    let known: BTreeSet<String> = all.iter().filter_map(Value::as_str).map(str::to_owned).collect();
    all.extend(names.into_iter().filter(|name| !known.contains(name)).map(Value::from));
    schema.insert("required".to_owned(), Value::from(all));
}
