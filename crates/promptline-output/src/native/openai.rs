//! The subset of JSON Schema that OpenAI enforces (strict structured outputs): objects are closed, every field
//! is required, what was optional may be null, and keywords outside of the subset are said in the description.

use serde_json::{Map, Value, json};

use super::{Holds, UnsupportedKeyword, holds};
use crate::repair::step;

const ENFORCED: [&str; 22] = [
    "$defs",
    "definitions",
    "$ref",
    "type",
    "title",
    "description",
    "enum",
    "const",
    "anyOf",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "minItems",
    "maxItems",
    "pattern",
    "format",
    "multipleOf",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
];

/// Formats of strings that the provider knows; another one is an error there.
const FORMATS: [&str; 9] =
    ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];

/// Keywords whose meaning has no form in the subset.
const IMPOSSIBLE: [&str; 8] = [
    "allOf",
    "not",
    "if",
    "dependentRequired",
    "dependentSchemas",
    "patternProperties",
    "prefixItems",
    "contains",
];

/// The schema in the subset, and what was changed; or why it has no such form.
pub(super) fn strict(
    schema: &Value,
) -> Result<(Value, Vec<UnsupportedKeyword>), UnsupportedKeyword> {
    if !super::is_object_schema(schema) {
        let action = "sent unchanged and not strict: the root is not an object";
        return Err(UnsupportedKeyword::new("", "strict", action));
    }
    let mut rewriter = Rewriter { path: String::new(), changes: Vec::new() };
    let schema = rewriter.schema(schema)?;
    Ok((schema, rewriter.changes))
}

struct Rewriter {
    path: String,
    changes: Vec<UnsupportedKeyword>,
}

impl Rewriter {
    fn changed(&mut self, keyword: &str, action: &str) {
        self.changes.push(UnsupportedKeyword::new(&self.path, keyword, action));
    }

    fn impossible(&self, why: &str) -> UnsupportedKeyword {
        let action = format!("sent unchanged and not strict: {why}");
        UnsupportedKeyword::new(&self.path, "strict", action)
    }

    fn below<T>(&mut self, keys: &[&str], inner: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.path.len();
        for key in keys {
            step(&mut self.path, key);
        }
        let result = inner(self);
        self.path.truncate(length);
        result
    }

    /// As deep as the schema, whose depth is bounded.
    fn schema(&mut self, schema: &Value) -> Result<Value, UnsupportedKeyword> {
        let Some(map) = schema.as_object() else {
            return Err(self.impossible("a part of it accepts everything or nothing"));
        };
        let mut strict = Map::new();
        let mut described = Vec::new();
        for (keyword, value) in map {
            if IMPOSSIBLE.contains(&keyword.as_str()) {
                return Err(self.impossible(&format!("`{keyword}` has no strict form")));
            }
            match keyword.as_str() {
                "$schema" | "$comment" | "$id" | "then" | "else" => {}
                // No value fits two of the forms that people write as `oneOf`.
                "oneOf" => {
                    self.changed("oneOf", "sent as `anyOf`");
                    let branches = self.keyword("oneOf", value)?;
                    strict.insert("anyOf".to_owned(), branches);
                }
                "format" if !value.as_str().is_some_and(|name| FORMATS.contains(&name)) => {
                    described.push((keyword, value));
                }
                // Which fields are optional is decided with the fields.
                "required" | "additionalProperties" => {}
                "properties" => {
                    let fields = self.fields(map, value)?;
                    strict.insert(keyword.clone(), fields);
                }
                known if ENFORCED.contains(&known) => {
                    let value = self.keyword(keyword, value)?;
                    strict.insert(keyword.clone(), value);
                }
                _ => described.push((keyword, value)),
            }
        }
        self.close(map, &mut strict)?;
        self.describe(&mut strict, &described);
        Ok(Value::Object(strict))
    }

    fn keyword(&mut self, keyword: &str, value: &Value) -> Result<Value, UnsupportedKeyword> {
        match (holds(keyword, value), value) {
            (Holds::Schema, _) => self.below(&[keyword], |inner| inner.schema(value)),
            (Holds::List, Value::Array(list)) => list
                .iter()
                .enumerate()
                .map(|(at, value)| {
                    self.below(&[keyword, &at.to_string()], |inner| inner.schema(value))
                })
                .collect::<Result<Vec<_>, _>>()
                .map(Value::Array),
            (Holds::Named, Value::Object(named)) => named
                .iter()
                .map(|(name, value)| {
                    let schema = self.below(&[keyword, name], |inner| inner.schema(value))?;
                    Ok((name.clone(), schema))
                })
                .collect::<Result<Map<_, _>, _>>()
                .map(Value::Object),
            _ => Ok(value.clone()),
        }
    }

    fn fields(
        &mut self,
        object: &Map<String, Value>,
        fields: &Value,
    ) -> Result<Value, UnsupportedKeyword> {
        let required = object.get("required").and_then(Value::as_array);
        let is_required = |name: &str| {
            required.is_some_and(|required| required.iter().any(|one| one.as_str() == Some(name)))
        };
        let mut strict = Map::new();
        for (name, value) in fields.as_object().into_iter().flatten() {
            let schema = self.below(&["properties", name], |inner| {
                let schema = inner.schema(value)?;
                if is_required(name) {
                    return Ok(schema);
                }
                inner.changed("required", "must be given, and null means that it is left out");
                Ok(or_null(schema))
            })?;
            strict.insert(name.clone(), schema);
        }
        Ok(Value::Object(strict))
    }

    fn close(
        &mut self,
        object: &Map<String, Value>,
        strict: &mut Map<String, Value>,
    ) -> Result<(), UnsupportedKeyword> {
        if object.get("type").and_then(Value::as_str) != Some("object")
            && !object.contains_key("properties")
        {
            return Ok(());
        }
        let names: Vec<Value> = strict
            .get("properties")
            .and_then(Value::as_object)
            .map(|fields| fields.keys().map(|name| Value::from(name.as_str())).collect())
            .unwrap_or_default();
        let others = object.get("additionalProperties");
        let is_open = match others {
            Some(Value::Bool(false)) => false,
            Some(Value::Object(schema)) => !schema.is_empty() || names.is_empty(),
            _ => names.is_empty(),
        };
        if is_open {
            return Err(self.impossible("the names of its fields are not known beforehand"));
        }
        if others.is_some_and(|others| others != &Value::Bool(false)) {
            self.changed("additionalProperties", "sent as false: no other fields");
        }
        strict.entry("properties").or_insert_with(|| json!({}));
        strict.insert("required".to_owned(), Value::Array(names));
        strict.insert("additionalProperties".to_owned(), Value::Bool(false));
        Ok(())
    }

    /// Says in the description what the subset has no keyword for.
    fn describe(&mut self, strict: &mut Map<String, Value>, described: &[(&String, &Value)]) {
        if described.is_empty() {
            return;
        }
        let words: Vec<String> =
            described.iter().map(|(keyword, value)| format!("{keyword}: {value}")).collect();
        let words = format!("({})", words.join("; "));
        let text = match strict.get("description").and_then(Value::as_str) {
            Some(text) if !text.is_empty() => format!("{text} {words}"),
            _ => words,
        };
        strict.insert("description".to_owned(), Value::from(text));
        for (keyword, _) in described {
            self.changed(keyword, "moved to the description: it is not enforced");
        }
    }
}

/// The schema, or null.
fn or_null(mut schema: Value) -> Value {
    let null = Value::from("null");
    let Value::Object(map) = &mut schema else { return schema };
    if let Some(Value::Array(branches)) = map.get_mut("anyOf") {
        if !branches.iter().any(|branch| branch.get("type") == Some(&null)) {
            branches.push(json!({"type": "null"}));
        }
        return schema;
    }
    let is_alone = map.contains_key("const") || map.contains_key("$ref");
    let types = match map.get("type") {
        Some(Value::String(name)) if !is_alone => vec![Value::from(name.as_str())],
        Some(Value::Array(names)) if !is_alone => names.clone(),
        _ => return json!({"anyOf": [schema, {"type": "null"}]}),
    };
    if !types.contains(&null) {
        let types: Vec<Value> = types.into_iter().chain([null]).collect();
        map.insert("type".to_owned(), Value::Array(types));
    }
    if let Some(Value::Array(values)) = map.get_mut("enum")
        && !values.contains(&Value::Null)
    {
        values.push(Value::Null);
    }
    schema
}
