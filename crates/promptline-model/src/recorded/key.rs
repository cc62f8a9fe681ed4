//! The key of a request: SHA-256 over its canonical JSON.

use std::fmt::Write as _;

use hmac_sha256::Hash;
use serde_json::{Map, Value, json};

use crate::ChatRequest;

/// The SHA-256, in hexadecimal, of what is asked of which model: messages, tools, parameters and repeat index.
/// The canonical JSON has its objects' keys in order and no blanks; fields that are not set are not in it.
#[must_use]
pub fn request_key(model: &str, request: &ChatRequest) -> String {
    let canonical = sorted(json!({"model": model, "request": request}));
    let mut key = String::with_capacity(64);
    for byte in Hash::hash(canonical.to_string().as_bytes()) {
        let _ = write!(key, "{byte:02x}");
    }
    key
}

/// The same value with the keys of its objects in order. What is nested deeper than a reader of JSON takes is
/// left as it is.
pub(super) fn sorted(value: Value) -> Value {
    sorted_to(value, 128)
}

fn sorted_to(value: Value, depth: u8) -> Value {
    let Some(depth) = depth.checked_sub(1) else { return value };
    match value {
        Value::Array(items) => {
            Value::Array(items.into_iter().map(|item| sorted_to(item, depth)).collect())
        }
        Value::Object(fields) => {
            let mut fields: Vec<(String, Value)> = fields.into_iter().collect();
            fields.sort_by(|a, b| a.0.cmp(&b.0));
            let fields = fields.into_iter().map(|(key, value)| (key, sorted_to(value, depth)));
            Value::Object(fields.collect::<Map<_, _>>())
        }
        other => other,
    }
}
