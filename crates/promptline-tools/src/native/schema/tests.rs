//! What only this module can see: a schema that is plain is one that the walk leaves as it is.

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use super::plain::is_plain;
use super::walk::Walk;
use crate::native::Dialect;
use crate::native::tables::tables;

/// Schemas that are nearly plain: each keyword alone and with others, in order and out of it.
fn nearly_plain() -> impl Strategy<Value = Value> {
    let part = select(vec![
        json!({"type": "string"}),
        json!({"type": "array"}),
        json!({"type": "array", "items": {"type": "string"}}),
        json!({"type": "object"}),
        json!({"type": "OBJECT"}),
        json!({"type": ["string", "null"]}),
        json!({"description": "d"}),
        json!({"description": 1}),
        json!({"title": "t", "$schema": "s"}),
        json!({"properties": {"a": {"type": "integer"}, "a b": {}}}),
        json!({"properties": {"a": {}}, "required": ["a"]}),
        json!({"required": ["a"]}),
        json!({"required": ["a", "a"]}),
        json!({"additionalProperties": false}),
        json!({"additionalProperties": {"type": "text"}}),
        json!({"enum": ["a", null, 1]}),
        json!({"enum": "a"}),
        json!({"enum": []}),
        json!({"default": null, "minimum": 1, "maximum": 2.5}),
        json!({"minimum": "1"}),
        json!({"minItems": 1, "maxItems": -1}),
        json!({"format": "uri", "minLength": 1}),
        json!({"maxLength": 1.5, "pattern": "x"}),
        json!({"pattern": null}),
        json!({"anyOf": [{}]}),
        json!({"const": 1}),
        json!({"x": 1}),
    ]);
    let node = prop::collection::vec(part, 0..4).prop_map(|parts| -> Value {
        let maps = parts.into_iter().filter_map(|part| part.as_object().cloned());
        Value::Object(maps.flatten().collect())
    });
    let tree = node.prop_recursive(2, 8, 3, |inner| {
        (inner.clone(), select(vec!["items", "additionalProperties", "properties"]), inner)
            .prop_map(|(mut around, keyword, inside)| {
                around[keyword] = match keyword {
                    "properties" => json!({ "a": inside }),
                    _ => inside,
                };
                around
            })
    });
    tree.prop_map(|mut root| {
        root["type"] = "object".into();
        root
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn the_walk_leaves_a_plain_schema_as_it_is(schema in nearly_plain()) {
        let tables = tables();
        for dialect in Dialect::ALL {
            let profile = tables.profile(dialect, false);
            let rule = tables.limits(dialect).property_name.as_ref();
            if !is_plain(&schema, profile, rule) {
                continue;
            }
            let mut walk = Walk::new(profile, &schema, rule);
            let made = walk.root().unwrap();
            prop_assert_eq!(made.to_string(), schema.to_string(), "{}", dialect);
            prop_assert!(walk.found.is_empty(), "{}: {} {:?}", dialect, schema, walk.found);
            prop_assert!(walk.refused_names.is_empty());
        }
    }
}

#[test]
fn what_servers_send_is_plain() {
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "Words."},
            "limit": {"type": "integer", "minimum": 1, "default": 10},
            "states": {"type": "array", "items": {"type": "string", "enum": ["open", "closed"]}},
        },
        "required": ["query"],
        "additionalProperties": false,
    });
    let tables = tables();
    for dialect in Dialect::ALL.into_iter().filter(|it| *it != Dialect::GeminiLegacy) {
        assert!(is_plain(&schema, tables.profile(dialect, false), None), "{dialect}");
    }
}
