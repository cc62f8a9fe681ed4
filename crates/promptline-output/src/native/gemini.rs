//! Gemini takes a JSON Schema as it is and ignores keywords that it does not know (Gemini API,
//! `responseJsonSchema`): those are reported.

use serde_json::Value;

use super::{Holds, UnsupportedKeyword, holds};
use crate::repair::step;

const ENFORCED: [&str; 20] = [
    "$id",
    "$defs",
    "$ref",
    "$anchor",
    "type",
    "format",
    "title",
    "description",
    "enum",
    "items",
    "prefixItems",
    "minItems",
    "maxItems",
    "minimum",
    "maximum",
    "anyOf",
    "oneOf",
    "properties",
    "additionalProperties",
    "required",
];

/// Annotations, which enforce nothing anywhere.
const ANNOTATIONS: [&str; 5] = ["$schema", "$comment", "default", "examples", "example"];

pub(super) fn unenforced(schema: &Value) -> Vec<UnsupportedKeyword> {
    let mut found = Vec::new();
    let mut rest = vec![(String::new(), schema)];
    while let Some((path, schema)) = rest.pop() {
        for (keyword, value) in schema.as_object().into_iter().flatten() {
            let keyword = keyword.as_str();
            if !ENFORCED.contains(&keyword) && !ANNOTATIONS.contains(&keyword) {
                let action = "sent unchanged, but the provider does not enforce it";
                found.push(UnsupportedKeyword::new(&path, keyword, action));
                continue;
            }
            let below = |key: Option<&str>| {
                let mut path = path.clone();
                step(&mut path, keyword);
                key.into_iter().for_each(|key| step(&mut path, key));
                path
            };
            match holds(keyword, value) {
                Holds::Data => {}
                Holds::Schema => rest.push((below(None), value)),
                Holds::List => rest.extend(
                    value
                        .as_array()
                        .into_iter()
                        .flatten()
                        .enumerate()
                        .map(|(at, value)| (below(Some(&at.to_string())), value)),
                ),
                Holds::Named => rest.extend(
                    value
                        .as_object()
                        .into_iter()
                        .flatten()
                        .map(|(name, value)| (below(Some(name)), value)),
                ),
            }
        }
    }
    found.sort_by(|left, right| (&left.path, &left.keyword).cmp(&(&right.path, &right.keyword)));
    found
}
