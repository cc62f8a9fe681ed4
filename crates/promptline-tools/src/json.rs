//! How deep JSON is.

use serde_json::Value;

/// No tool that is read is nested deeper than this: parsers stop at 128, and a tool is inside of other JSON.
pub(crate) const DEEPEST: usize = 120;

/// Recursion is bounded by `left`.
pub(crate) fn is_deeper(value: &Value, left: usize) -> bool {
    match value {
        Value::Array(items) => left == 0 || items.iter().any(|item| is_deeper(item, left - 1)),
        Value::Object(fields) => left == 0 || fields.values().any(|item| is_deeper(item, left - 1)),
        _ => false,
    }
}
