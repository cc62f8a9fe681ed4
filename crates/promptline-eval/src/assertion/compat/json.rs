//! `is-json` and `contains-json`, with schemas as ajv's strict mode takes them (draft 7).

use serde_json::{Map, Value};

use super::{Check, js};
use crate::assertion::Verdict;

pub(super) fn whole(check: &Check<'_>) -> Result<Verdict, String> {
    let text = check.subject.text();
    let valid = js::is_json(text);
    let schema = check.value.as_ref().filter(|value| js::truthy(value));
    if let (true, Some(schema)) = (valid, schema) {
        let validator = compiled(schema)?;
        let problem = match read(text) {
            Ok(found) => validator.validate(&found).err().map(|error| error.to_string()),
            Err(error) => Some(error.to_string()),
        };
        let problem_text = problem.clone().unwrap_or_default();
        return Ok(
            check.verdict(problem.is_none(), &format!("conform to the schema: {problem_text}"))
        );
    }
    Ok(check.verdict(valid, "be JSON"))
}

pub(super) fn inside(check: &Check<'_>) -> Result<Verdict, String> {
    let objects = objects(check.subject.text());
    let schema = check.value.as_ref().filter(|value| js::truthy(value));
    let Some(schema) = schema else {
        return Ok(check.verdict(!objects.is_empty(), "contain JSON"));
    };
    if objects.is_empty() {
        return Ok(check.verdict(false, "contain JSON"));
    }
    let validator = compiled(schema)?;
    let fits = objects.iter().any(|object| validator.is_valid(object));
    Ok(check.verdict(fits, "contain JSON that conforms to the schema"))
}

/// Reads what JavaScript reads: of lone surrogates a mark stays, too large numbers are the largest.
fn read(text: &str) -> Result<Value, serde_json::Error> {
    serde_json::from_str(text).or_else(|error| {
        let surrogate = regex::Regex::new(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}");
        let large = regex::Regex::new(r"\b\d[\d.]*[eE]\+?\d{3,}\b");
        let (Ok(surrogate), Ok(large)) = (surrogate, large) else { return Err(error) };
        let text = surrogate.replace_all(text, r"\uFFFD");
        serde_json::from_str(&large.replace_all(&text, "1e308"))
    })
}

/// `nullable` is ajv's: the type may be null, too.
fn nullable(mut schema: Value) -> Value {
    match &mut schema {
        Value::Object(members) => {
            if members.get("nullable") == Some(&Value::Bool(true))
                && let Some(kind) = members.get_mut("type")
            {
                let mut kinds = match kind.take() {
                    Value::Array(kinds) => kinds,
                    kind => vec![kind],
                };
                kinds.push(Value::from("null"));
                *kind = Value::Array(kinds);
            }
            for value in members.values_mut() {
                *value = nullable(value.take());
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| *item = nullable(item.take())),
        _ => {}
    }
    schema
}

/// Equal as JavaScript compares: 1 is 1.0, and the order of keys does not matter.
pub(super) fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .all(|(key, value)| other.get(key).is_some_and(|found| same(value, found)))
        }
        _ => one == other,
    }
}

fn compiled(schema: &Value) -> Result<jsonschema::Validator, String> {
    let loaded;
    let schema = match schema {
        Value::String(text) => {
            loaded = yaml(text).ok_or("the schema is no YAML")?;
            &loaded
        }
        Value::Object(_) | Value::Array(_) => schema,
        _ => return Err(String::from("a schema is a string or an object")),
    };
    strict(schema)?;
    let schema = &nullable(schema.clone());
    jsonschema::options()
        .with_draft(jsonschema::Draft::Draft7)
        .should_validate_formats(true)
        .build(schema)
        .map_err(|error| format!("the schema is wrong: {error}"))
}

pub(super) fn yaml(text: &str) -> Option<Value> {
    let options = serde_saphyr::options! { duplicate_keys: serde_saphyr::options::DuplicateKeyPolicy::LastWins };
    serde_saphyr::from_str_with_options(text, options).ok()
}

const KEYWORDS: &[&str] = &[
    "$schema",
    "$id",
    "$defs",
    "$ref",
    "$comment",
    "$vocabulary",
    "$async",
    "$anchor",
    "definitions",
    "title",
    "description",
    "default",
    "deprecated",
    "readOnly",
    "writeOnly",
    "examples",
    "contentMediaType",
    "contentEncoding",
    "contentSchema",
    "format",
    "type",
    "nullable",
    "const",
    "enum",
    "multipleOf",
    "maximum",
    "minimum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "maxLength",
    "minLength",
    "pattern",
    "maxItems",
    "minItems",
    "uniqueItems",
    "maxProperties",
    "minProperties",
    "required",
    "items",
    "additionalItems",
    "contains",
    "dependencies",
    "propertyNames",
    "additionalProperties",
    "properties",
    "patternProperties",
    "not",
    "anyOf",
    "oneOf",
    "allOf",
    "if",
    "then",
    "else",
];
const FORMATS: &[&str] = &[
    "date",
    "time",
    "date-time",
    "iso-time",
    "iso-date-time",
    "duration",
    "uri",
    "uri-reference",
    "uri-template",
    "url",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "regex",
    "uuid",
    "json-pointer",
    "json-pointer-uri-fragment",
    "relative-json-pointer",
    "byte",
    "int32",
    "int64",
    "float",
    "double",
    "password",
    "binary",
];

/// What ajv's strict mode refuses: unknown keywords and formats, keywords that would be ignored.
fn strict(schema: &Value) -> Result<(), String> {
    let mut pending = vec![schema];
    while let Some(schema) = pending.pop() {
        let Value::Object(members) = schema else {
            match schema {
                Value::Bool(_) => continue,
                _ => return Err(String::from("a schema is an object or a boolean")),
            }
        };
        known(members)?;
        for (key, value) in members {
            match key.as_str() {
                "items" | "allOf" | "anyOf" | "oneOf" if value.is_array() => {
                    pending.extend(value.as_array().into_iter().flatten());
                }
                "items"
                | "additionalItems"
                | "contains"
                | "propertyNames"
                | "additionalProperties"
                | "not"
                | "if"
                | "then"
                | "else" => pending.push(value),
                "properties" | "patternProperties" | "$defs" | "definitions" => {
                    pending.extend(value.as_object().into_iter().flat_map(Map::values));
                }
                "dependencies" => {
                    pending.extend(
                        value
                            .as_object()
                            .into_iter()
                            .flat_map(Map::values)
                            .filter(|v| !v.is_array()),
                    );
                }
                _ => {}
            }
        }
    }
    Ok(())
}

fn known(members: &Map<String, Value>) -> Result<(), String> {
    for (key, value) in members {
        if !KEYWORDS.contains(&key.as_str()) {
            return Err(format!("strict mode: unknown keyword: \"{key}\""));
        }
        let text = value.as_str().unwrap_or_default();
        if key == "format" && !FORMATS.contains(&text) {
            return Err(format!("unknown format \"{text}\" ignored in schema"));
        }
        if key == "$schema"
            && !text.trim_end_matches('#').ends_with("json-schema.org/draft-07/schema")
        {
            return Err(format!("no schema with key or ref \"{text}\""));
        }
    }
    for (key, without) in [("then", "if"), ("else", "if"), ("additionalItems", "items")] {
        if members.contains_key(key) && !members.contains_key(without) {
            return Err(format!("strict mode: \"{key}\" without \"{without}\" is ignored"));
        }
    }
    if members.contains_key("if") && !members.contains_key("then") && !members.contains_key("else")
    {
        return Err(String::from("strict mode: \"if\" without \"then\" and \"else\" is ignored"));
    }
    Ok(())
}

/// How much text is read as YAML for one answer, in bytes: nested braces are read again and again.
const BUDGET: usize = 4 << 20;
/// The longest object.
const LONGEST: usize = 100_000;

/// The objects in a text: from a `{` to the `}` that balances it, whatever is quoted, read as YAML. What the
/// text breaks off in is closed.
fn objects(text: &str) -> Vec<Value> {
    let mut closes = std::collections::HashMap::new();
    let mut open = Vec::new();
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => open.push(at),
            b'}' => {
                if let Some(start) = open.pop() {
                    closes.insert(start, at + 1);
                }
            }
            _ => {}
        }
    }
    let (mut found, mut spent, mut from) = (Vec::new(), 0_usize, 0);
    while let Some(start) = text.get(from..).and_then(|rest| rest.find('{')).map(|at| from + at) {
        from = start + 1;
        let limit = text.floor_char_boundary((start + LONGEST).min(text.len()));
        let end = closes.get(&start).copied().filter(|end| *end <= limit).unwrap_or(limit);
        spent += end - start;
        if spent > BUDGET {
            break;
        }
        let piece = text.get(start..end).unwrap_or_default();
        let missing = piece.matches('{').count().saturating_sub(piece.matches('}').count());
        let closed = comments(piece) + &"}".repeat(missing);
        if let Some(object @ (Value::Object(_) | Value::Array(_))) = yaml(&closed) {
            found.push(object);
            from = end;
        }
    }
    found
}

/// `//` outside of quotations starts a comment, unless it belongs to an address.
fn comments(text: &str) -> String {
    if !text.contains("//") {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (mut quote, mut before, mut cut) = (None, ' ', None);
        for (at, character) in line.char_indices() {
            match quote {
                Some(mark) if character == mark && before != '\\' => quote = None,
                Some(_) => {}
                None if character == '"' || (character == '\'' && !before.is_alphanumeric()) => {
                    quote = Some(character)
                }
                None if character == '/' && before == '/' => {
                    let word = line.get(..at).unwrap_or_default();
                    let word = word.rsplit(char::is_whitespace).next().unwrap_or_default();
                    if !word.contains(":/") {
                        cut = Some(at - 1);
                        break;
                    }
                }
                None => {}
            }
            before = character;
        }
        match cut {
            Some(at) => {
                out.push_str(line.get(..at).unwrap_or_default());
                out.push_str(" #");
                out.push_str(line.get(at..).unwrap_or_default().trim_start_matches('/'));
            }
            None => out.push_str(line),
        }
    }
    out
}
