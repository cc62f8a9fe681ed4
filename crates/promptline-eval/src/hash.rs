//! Content hashes: SHA-256 over canonical JSON (keys in order, no blanks).

use std::fmt::Write as _;

use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

/// The hash of a value, in hexadecimal.
pub(crate) fn of(value: &Value) -> String {
    let mut text = String::with_capacity(64);
    for byte in Sha256::digest(sorted(value).to_string().as_bytes()) {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

fn sorted(value: &Value) -> Value {
    match value {
        Value::Array(items) => Value::Array(items.iter().map(sorted).collect()),
        Value::Object(members) => {
            let mut keys: Vec<&String> = members.keys().collect();
            keys.sort();
            let sorted =
                keys.into_iter().filter_map(|key| Some((key.clone(), sorted(members.get(key)?))));
            Value::Object(sorted.collect::<Map<_, _>>())
        }
        other => other.clone(),
    }
}
