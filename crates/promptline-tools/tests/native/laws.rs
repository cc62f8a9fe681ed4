//! What holds for every schema in every dialect.

use std::sync::LazyLock;

use promptline_tools::{Dialect, NativeOptions, NativeTools, Tool, native_tools};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::generate::{instances, meaningful, wild};

/// Every dialect, strict too.
fn options() -> Vec<NativeOptions> {
    let plain = Dialect::ALL.map(NativeOptions::new);
    plain.into_iter().chain(plain.map(NativeOptions::with_strict)).collect()
}

fn written(schema: &Value, options: NativeOptions) -> NativeTools {
    let spec = Tool::new("t").with_description("Does it.").with_schema(schema.clone());
    native_tools(&[spec], &options)
}

/// The schema of the only tool; none when it was left out.
fn schema_of(tools: &NativeTools) -> Option<Value> {
    let list = tools.to_value();
    let tool = list.get(0)?;
    let places = [
        "/function/parameters",
        "/parameters",
        "/input_schema",
        "/parametersJsonSchema",
        "/toolSpec/inputSchema/json",
        "/inputSchema",
    ];
    places.iter().find_map(|place| tool.pointer(place)).cloned()
}

fn is_strict(tools: &NativeTools) -> bool {
    let list = tools.to_value();
    ["/0/function/strict", "/0/strict", "/0/toolSpec/strict"]
        .iter()
        .any(|place| list.pointer(place) == Some(&json!(true)))
}

const SCHEMA: [&str; 9] = [
    "items",
    "additionalItems",
    "additionalProperties",
    "not",
    "if",
    "then",
    "else",
    "contains",
    "propertyNames",
];
const SCHEMAS: [&str; 4] = ["allOf", "anyOf", "oneOf", "prefixItems"];
const NAMED: [&str; 6] =
    ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"];

/// Visits every schema, and says whether it is about the same value as the one around it.
fn each_schema(schema: &Value, branch: bool, visit: &mut dyn FnMut(&Map<String, Value>, bool)) {
    let Value::Object(map) = schema else { return };
    visit(map, branch);
    for (keyword, value) in map {
        let same = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else"].contains(&&**keyword);
        let same = same || keyword.starts_with("depende");
        if NAMED.contains(&&**keyword) {
            value
                .as_object()
                .into_iter()
                .flatten()
                .for_each(|(_, it)| each_schema(it, same, visit));
        } else if SCHEMAS.contains(&&**keyword) || (keyword == "items" && value.is_array()) {
            value.as_array().into_iter().flatten().for_each(|it| each_schema(it, same, visit));
        } else if SCHEMA.contains(&&**keyword) {
            each_schema(value, same, visit);
        }
    }
}

/// The library's own data about the dialects: what they can say.
static KEYWORDS: LazyLock<Map<String, Value>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../src/native/data/keywords.json")).unwrap()
});

fn profile(options: NativeOptions, strict: bool) -> &'static Map<String, Value> {
    let name = match (options.dialect, strict) {
        (Dialect::OpenAi | Dialect::OpenAiResponses, false) => "openai",
        (Dialect::OpenAi | Dialect::OpenAiResponses, true) => "openai-strict",
        (Dialect::Anthropic | Dialect::Bedrock, true) => "anthropic-strict",
        (dialect, _) => dialect.as_str(),
    };
    KEYWORDS[name].as_object().unwrap()
}

/// Everything that the data says about the dialect holds for the schema.
#[track_caller]
fn keeps_the_rules(schema: &Value, options: NativeOptions, strict: bool, source: &Value) {
    let profile = profile(options, strict);
    let set = |key: &str| profile.get(key).is_some_and(|value| value.as_bool() == Some(true));
    let listed = |key: &str, word: &str| {
        let list = profile.get(key).and_then(Value::as_array);
        list.is_some_and(|list| list.iter().any(|known| known.as_str() == Some(word)))
    };
    let told = format!("{options:?}: {schema} of {source}");
    assert!(schema["type"] == "object" || schema["type"] == "OBJECT", "{told}");
    let root_rules = profile["root_rules"].as_str().unwrap();
    if root_rules != "keep" {
        let rules: &[&str] = match root_rules {
            "bare" => &["anyOf", "oneOf", "allOf", "enum", "not"],
            _ => &["anyOf", "oneOf", "allOf"],
        };
        assert!(rules.iter().all(|rule| schema.get(rule).is_none()), "{told}");
    }
    if set("root_properties") {
        assert!(schema["properties"].is_object(), "{told}");
    }
    each_schema(schema, false, &mut |map, branch| {
        for keyword in map.keys() {
            let known = listed("keep", keyword) || listed("noted", keyword);
            assert!(known || profile["others"].as_str() == Some("keep"), "{keyword} in {told}");
        }
        if let Some(names) = map.get("required") {
            let names: Vec<&str> =
                names.as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
            // A branch without properties speaks of those around it.
            if !branch || map.contains_key("properties") {
                let known =
                    |name: &&str| map.get("properties").is_some_and(|of| of.get(name).is_some());
                let ours = names.iter().all(known);
                assert!(ours || branch, "{names:?} in {told}");
            }
        }
        if let Some(reference) = map.get("$ref") {
            let pointer = reference.as_str().unwrap().strip_prefix('#').unwrap();
            assert!(schema.pointer(pointer).is_some(), "{reference} in {told}");
            assert_ne!(profile["refs"].as_str(), Some("inline"), "{told}");
            assert!(profile["refs"].as_str() != Some("bare") || map.len() == 1, "{told}");
        }
        let types: Vec<&str> = match map.get("type") {
            Some(Value::Array(names)) => names.iter().map(|name| name.as_str().unwrap()).collect(),
            Some(name) => vec![name.as_str().unwrap()],
            None => Vec::new(),
        };
        let is = |name: &str| types.iter().any(|it| it.eq_ignore_ascii_case(name));
        // A list for each place is written as the provider takes it.
        let tuples = profile.get("tuples").and_then(Value::as_str);
        assert!(tuples.is_none() || !map.get("items").is_some_and(Value::is_array), "{told}");
        assert!(tuples != Some("any-place") || !map.contains_key("prefixItems"), "{told}");
        if set("items_needed") && is("array") {
            let said = map.contains_key("items") || map.contains_key("prefixItems");
            assert!(said, "{told}");
        }
        if profile["type_lists"].as_str() != Some("keep") {
            assert!(!map.get("type").is_some_and(Value::is_array), "{told}");
        }
        if let (Some(format), true) = (map.get("format"), profile.contains_key("formats")) {
            assert!(listed("formats", format.as_str().unwrap()), "{told}");
        }
        if set("openapi") {
            let upper = types.iter().all(|name| name.chars().all(|c| c.is_ascii_uppercase()));
            assert!(upper, "{told}");
            match map.contains_key("anyOf") {
                true => assert_eq!(map.len(), 1, "{told}"),
                false => assert_eq!(types.len(), 1, "{told}"),
            }
            if let Some(values) = map.get("enum") {
                assert!(is("string"), "{told}");
                assert!(values.as_array().unwrap().iter().all(Value::is_string), "{told}");
            }
        }
        if strict && (is("object") || map.contains_key("properties")) {
            assert_eq!(map.get("additionalProperties"), Some(&json!(false)), "{told}");
            if profile["strict"].as_str() == Some("all-required") {
                let names: Vec<&String> = map["properties"].as_object().unwrap().keys().collect();
                assert_eq!(map["required"], json!(names), "{told}");
            }
        }
        if profile.get("strict").and_then(Value::as_str) == Some("all-required") {
            let said = ["type", "anyOf", "$ref"].iter().any(|keyword| map.contains_key(*keyword));
            assert!(said, "{told}");
        }
    });
}

/// The schema as JSON Schema, for a validator.
fn as_json_schema(schema: &Value) -> Value {
    match schema {
        Value::Object(map) => {
            let mut made: Map<String, Value> = map
                .iter()
                .map(|(key, value)| match (key.as_str(), value) {
                    ("type", Value::String(name)) => (key.clone(), json!(name.to_lowercase())),
                    _ => (key.clone(), as_json_schema(value)),
                })
                .collect();
            match made.remove("nullable") {
                Some(Value::Bool(true)) => json!({"anyOf": [made, {"type": "null"}]}),
                _ => Value::Object(made),
            }
        }
        Value::Array(items) => items.iter().map(as_json_schema).collect(),
        other => other.clone(),
    }
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) }
}

proptest! {
    #![proptest_config(config(120))]

    #[test]
    fn whatever_comes_in_what_goes_out_is_legal(schema in wild()) {
        for options in options() {
            let tools = written(&schema, options);
            let Some(made) = schema_of(&tools) else {
                prop_assert!(tools.diagnostics().iter().any(|it| it.code == "tool-schema"));
                continue;
            };
            keeps_the_rules(&made, options, is_strict(&tools), &schema);
        }
    }

    #[test]
    fn a_second_conversion_changes_nothing(schema in wild()) {
        for options in options() {
            let first = written(&schema, options);
            let Some(once) = schema_of(&first) else { continue };
            // A tool that cannot be strict is one of the dialect without.
            let options = match is_strict(&first) {
                true => options,
                false => NativeOptions::new(options.dialect),
            };
            let again = written(&once, options);
            let again = schema_of(&again).unwrap();
            prop_assert!(again == once, "{options:?}:\n{once}\n{again}\nof {schema}");
        }
    }

    #[test]
    fn where_nothing_is_lost_the_meaning_is_the_same(
        schema in meaningful(),
        instances in instances(),
    ) {
        let before = jsonschema::draft202012::new(&schema).unwrap();
        for dialect in Dialect::ALL {
            let tools = written(&schema, NativeOptions::new(dialect));
            if !tools.unsupported().is_empty() {
                continue;
            }
            let made = as_json_schema(&schema_of(&tools).unwrap());
            let after = jsonschema::draft202012::new(&made).unwrap();
            for instance in instances.iter().filter(|instance| instance.is_object()) {
                prop_assert_eq!(
                    before.is_valid(instance), after.is_valid(instance),
                    "{} in {} of {} for {}", dialect, made, schema, instance
                );
            }
        }
    }

    /// A provider that holds the model to a strict schema lets nothing through that the tool would not
    /// take, once nulls that stand for "left out" are left out.
    #[test]
    fn strict_schemas_only_narrow(schema in meaningful(), instances in instances()) {
        let before = jsonschema::draft202012::new(&schema).unwrap();
        for dialect in [Dialect::OpenAi, Dialect::Anthropic] {
            let tools = written(&schema, NativeOptions::new(dialect).with_strict());
            let lossless = tools.unsupported().is_empty();
            if !lossless || !is_strict(&tools) {
                continue;
            }
            let made = schema_of(&tools).unwrap();
            let after = jsonschema::draft202012::new(&made).unwrap();
            for instance in &instances {
                prop_assert!(
                    !after.is_valid(instance) || before.is_valid(instance),
                    "{} in {} of {} for {}", dialect, made, schema, instance
                );
            }
        }
    }

    /// What a branch of a union at the root accepts, the converted schema accepts: a tool never loses a way in
    /// which it can be called.
    #[test]
    fn a_hoisted_union_accepts_what_its_branches_accept(
        branches in prop::collection::vec(
            prop::collection::btree_map(
                prop::sample::select(vec!["op", "path", "id", "n"]),
                (prop::sample::select(vec![
                    (json!({"const": "create"}), json!("create")),
                    (json!({"const": "delete", "description": "D."}), json!("delete")),
                    (json!({"enum": ["a", "b"], "type": "string"}), json!("b")),
                    (json!({"const": 1}), json!(1)),
                    (json!({"type": "string"}), json!("any")),
                    (json!({"type": "integer", "minimum": 3}), json!(3)),
                    (json!({"type": ["string", "null"]}), json!(null)),
                    (json!({"type": "array", "items": {"type": "string"}}), json!(["x"])),
                    (json!({"type": "object", "properties": {"a": {"const": 2}}}), json!({"a": 2})),
                ]), any::<bool>()),
                0..4,
            ),
            1..5,
        ),
        union in prop::sample::select(vec!["anyOf", "oneOf"]),
    ) {
        let branch = |fields: &std::collections::BTreeMap<&str, ((Value, Value), bool)>| {
            let properties: Map<String, Value> =
                fields.iter().map(|(name, ((schema, _), _))| ((*name).to_owned(), schema.clone())).collect();
            let required: Vec<&str> =
                fields.iter().filter(|(_, (_, required))| *required).map(|(name, _)| *name).collect();
            json!({"type": "object", "properties": properties, "required": required})
        };
        let all: Vec<Value> = branches.iter().map(branch).collect();
        let schema = json!({"type": "object", union: all});
        let before = jsonschema::draft202012::new(&schema).unwrap();
        for dialect in Dialect::ALL {
            let made = as_json_schema(&schema_of(&written(&schema, NativeOptions::new(dialect))).unwrap());
            let after = jsonschema::draft202012::new(&made).unwrap();
            // What each branch is for: its own properties, all of them.
            for fields in &branches {
                let instance: Map<String, Value> = fields
                    .iter()
                    .map(|(name, ((_, value), _))| ((*name).to_owned(), value.clone()))
                    .collect();
                let instance = Value::Object(instance);
                // Of two branches of `oneOf` that accept it, neither does.
                if !before.is_valid(&instance) {
                    continue;
                }
                prop_assert!(after.is_valid(&instance), "{} in {} of {}: {}", dialect, made, schema, instance);
            }
        }
    }

    /// The dialects that take any JSON Schema are sent it as it is, but for what they refuse.
    #[test]
    fn properties_are_kept_in_order(schema in meaningful()) {
        let names = |schema: &Value| -> Vec<String> {
            schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect()
        };
        let own = names(&schema);
        for options in options() {
            let made = schema_of(&written(&schema, options)).unwrap();
            // What branches at the root speak of comes behind.
            let there = names(&made);
            prop_assert_eq!(there.get(..own.len()), Some(own.as_slice()), "{:?}", options);
        }
    }
}
