//! A spec as parameters of a request, for providers that constrain the model to a schema themselves. What a
//! provider does not support is changed and reported, never dropped silently.

mod gemini;
mod openai;

use serde_json::{Map, Value, json};

use crate::spec::{OutputSpec, Spec};

/// Parameters for a request, and which parts of the schema the provider does not enforce.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct NativeFormat {
    /// The value of one request field, or several fields.
    pub parameters: Value,
    /// What the provider does not enforce, by its place in the schema.
    pub unsupported: Vec<UnsupportedKeyword>,
}

/// A keyword of the schema that a provider does not support as written.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnsupportedKeyword {
    /// The schema that holds it, as a JSON Pointer (RFC 6901); the root is empty.
    pub path: String,
    /// The keyword, or `strict` when the whole schema cannot be enforced.
    pub keyword: String,
    /// What was done about it.
    pub action: String,
}

impl UnsupportedKeyword {
    fn new(path: &str, keyword: &str, action: impl Into<String>) -> Self {
        Self { path: path.to_owned(), keyword: keyword.to_owned(), action: action.into() }
    }
}

impl<T> OutputSpec<T> {
    /// The value of the field `response_format` of OpenAI Chat Completions. With `strict` the provider enforces
    /// the schema, which is rewritten to the subset it enforces (OpenAI, "Structured model outputs"): objects
    /// are closed, and every field is required, and may be null where it was optional; such a null is read
    /// as a field that was left out. A schema that has no such form is sent unchanged and not strict, which
    /// is reported as an unsupported `strict`.
    #[must_use]
    pub fn openai_response_format(&self, strict: bool) -> NativeFormat {
        let plain = self.spec.native_schema();
        let (schema, is_strict, unsupported) = match strict.then(|| openai::strict(&plain)) {
            None => (plain, false, Vec::new()),
            Some(Ok((schema, changes))) => (schema, true, changes),
            Some(Err(reason)) => (plain, false, vec![reason]),
        };
        let parameters = json!({
            "type": "json_schema",
            "json_schema": {"name": self.spec.native_name(), "strict": is_strict, "schema": schema},
        });
        NativeFormat { parameters, unsupported }
    }

    /// The fields `tools` and `tool_choice` of Anthropic Messages: the answer is the input of the one tool.
    /// The input of a tool is an object, so that any other root is wrapped in the field `answer`; the parser
    /// unwraps it.
    #[must_use]
    pub fn anthropic_tool(&self) -> NativeFormat {
        let name = self.spec.native_name();
        let mut schema = self.spec.native_schema();
        let mut unsupported = Vec::new();
        if !is_object_schema(&schema) {
            let action = "the input of a tool is an object: wrapped in the field `answer`";
            unsupported.push(UnsupportedKeyword::new("", "type", action));
            schema = wrapped(schema);
        }
        let parameters = json!({
            "tools": [{
                "name": name,
                "description": "Gives the answer. Call it once.",
                "input_schema": schema,
            }],
            "tool_choice": {"type": "tool", "name": name},
        });
        NativeFormat { parameters, unsupported }
    }

    /// The fields of Gemini's `generationConfig` that constrain the answer to the schema.
    #[must_use]
    pub fn gemini_generation_config(&self) -> NativeFormat {
        let schema = self.spec.native_schema();
        let unsupported = gemini::unenforced(&schema);
        let parameters = json!({
            "responseMimeType": "application/json",
            "responseJsonSchema": schema,
        });
        NativeFormat { parameters, unsupported }
    }
}

impl Spec {
    /// The name in the characters that providers allow.
    pub(crate) fn native_name(&self) -> String {
        let legal =
            |c: char| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') { c } else { '_' };
        let name: String = self.name.chars().take(64).map(legal).collect();
        if name.is_empty() { "answer".to_owned() } else { name }
    }

    /// The schema without the keywords of this crate.
    pub(crate) fn native_schema(&self) -> Value {
        match self.schema.as_ref() {
            Value::Bool(_) => json!({"type": "object"}),
            schema => without_own(schema),
        }
    }
}

/// Definitions stay at the root, where references look for them.
fn wrapped(mut schema: Value) -> Value {
    let definitions: Map<String, Value> = ["$defs", "definitions", "$schema"]
        .into_iter()
        .filter_map(|key| Some((key.to_owned(), schema.as_object_mut()?.shift_remove(key)?)))
        .collect();
    let mut root = Map::new();
    root.insert("type".to_owned(), Value::from("object"));
    root.insert("properties".to_owned(), json!({"answer": schema}));
    root.insert("required".to_owned(), json!(["answer"]));
    root.extend(definitions);
    Value::Object(root)
}

fn is_object_schema(schema: &Value) -> bool {
    schema.get("type").and_then(Value::as_str) == Some("object")
}

/// As deep as the schema, whose depth is bounded.
fn without_own(schema: &Value) -> Value {
    match schema {
        Value::Object(map) => Value::Object(
            map.iter()
                .filter(|(key, value)| !is_own(key, value))
                .map(|(key, value)| (key.clone(), without_own(value)))
                .collect(),
        ),
        Value::Array(list) => Value::Array(list.iter().map(without_own).collect()),
        other => other.clone(),
    }
}

fn is_own(key: &str, value: &Value) -> bool {
    match key {
        "x-alias" => value.is_string() || value.is_array(),
        "x-enum-alias" => value.is_object(),
        _ => false,
    }
}

/// What the value of a keyword holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holds {
    Schema,
    /// A list of schemas.
    List,
    /// Schemas by name.
    Named,
    Data,
}

fn holds(keyword: &str, value: &Value) -> Holds {
    match (keyword, value) {
        ("items" | "additionalProperties" | "not" | "if" | "then" | "else", Value::Object(_)) => {
            Holds::Schema
        }
        ("anyOf" | "oneOf" | "allOf" | "prefixItems" | "items", Value::Array(_)) => Holds::List,
        ("properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas", _)
            if value.is_object() =>
        {
            Holds::Named
        }
        _ => Holds::Data,
    }
}
