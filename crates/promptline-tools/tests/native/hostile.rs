//! Schemas that are made to break a converter: deep, growing, going round, huge.

use promptline_tools::{
    Dialect, NativeOptions, NativeTools, Tool, UnsupportedKeyword, native_tools,
};
use serde_json::{Map, Value, json};

fn everywhere(schema: &Value, mut check: impl FnMut(NativeTools)) {
    for dialect in Dialect::ALL {
        for options in [NativeOptions::new(dialect), NativeOptions::new(dialect).with_strict()] {
            let spec = Tool::new("t").with_description("d").with_schema(schema.clone());
            check(native_tools(&[spec], &options));
        }
    }
}

fn lost(tools: &NativeTools, keyword: &str) -> usize {
    tools
        .unsupported()
        .iter()
        .filter(|found: &&UnsupportedKeyword| found.keyword == keyword)
        .count()
}

/// The text can be read back by a parser with the usual limit.
fn written(tools: &NativeTools) -> String {
    let text = tools.to_value().to_string();
    assert!(serde_json::from_str::<Value>(&text).is_ok());
    text
}

/// A value that is deeper than any that is read from JSON. Its own drop would overflow the stack, so it
/// is never dropped.
#[test]
fn a_schema_of_a_hundred_thousand_levels_is_cut() {
    let step = |inside: Value, kind: usize| match kind {
        0 => {
            let properties = Map::from_iter([("a".to_owned(), inside)]);
            let of_type = ("type".to_owned(), "object".into());
            let properties = ("properties".to_owned(), Value::Object(properties));
            Value::Object(Map::from_iter([of_type, properties]))
        }
        1 => Value::Object(Map::from_iter([("items".to_owned(), inside)])),
        2 => Value::Object(Map::from_iter([("anyOf".to_owned(), Value::Array(vec![inside]))])),
        3 => Value::Object(Map::from_iter([("default".to_owned(), inside)])),
        _ => Value::Array(vec![inside]),
    };
    for kind in 0..5 {
        let deep = (0..100_000).fold(json!({}), |inside, _| step(inside, kind));
        let properties = Map::from_iter([("a".to_owned(), deep)]);
        let mut root = json!({"type": "object"});
        root["properties"] = Value::Object(properties);
        let root = std::sync::Arc::new(root);
        for dialect in Dialect::ALL {
            for options in [NativeOptions::new(dialect), NativeOptions::new(dialect).with_strict()]
            {
                let spec =
                    Tool::new("t").with_description("d").with_schema(std::sync::Arc::clone(&root));
                let made = native_tools(&[spec], &options);
                written(&made);
                assert!(!made.unsupported().is_empty(), "{kind} {options:?}");
            }
        }
        std::mem::forget(root);
    }
}

/// Ten definitions that hold the next one ten times each are ten thousand million schemas.
#[test]
fn a_schema_that_grows_when_it_is_written_out_is_cut() {
    let level = |at: usize| {
        let next = format!("#/$defs/L{}", at + 1);
        let properties: Map<String, Value> =
            (0..10).map(|name| (format!("p{name}"), json!({ "$ref": next }))).collect();
        json!({"type": "object", "properties": properties})
    };
    let mut definitions: Map<String, Value> =
        (0..10).map(|at| (format!("L{at}"), level(at))).collect();
    definitions.insert("L10".to_owned(), json!({"type": "string"}));
    let schema = json!({
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/L0"}},
        "$defs": definitions,
    });
    everywhere(&schema, |made| {
        assert!(written(&made).len() < 2_000_000);
        if made.dialect() == Dialect::GeminiLegacy {
            assert!(lost(&made, "$ref") > 0);
        }
    });
    // One that is large, often.
    let large: Map<String, Value> =
        (0..1_000).map(|at| (format!("p{at}"), json!({"enum": ["x".repeat(500)]}))).collect();
    let often: Map<String, Value> = (0..1_000)
        .map(|at| (format!("p{at}"), json!({"$ref": "#/$defs/A", "title": "T"})))
        .collect();
    let schema = json!({
        "type": "object",
        "properties": often,
        "$defs": {"A": {"type": "object", "properties": large}},
    });
    everywhere(&schema, |made| assert!(written(&made).len() < 4_000_000));
    // The same by `allOf`, which is merged.
    let both = |at: usize| {
        let next = json!({"$ref": format!("#/$defs/L{}", at + 1)});
        json!({"allOf": [next, {"properties": {format!("p{at}"): next}}]})
    };
    let definitions: Map<String, Value> = (0..40).map(|at| (format!("L{at}"), both(at))).collect();
    let schema = json!({
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/L0"}},
        "$defs": definitions,
    });
    everywhere(&schema, |made| assert!(written(&made).len() < 4_000_000));
}

#[test]
fn a_schema_that_goes_round_ends() {
    for schema in [
        json!({"$ref": "#"}),
        json!({"type": "object", "properties": {"a": {"$ref": "#"}}}),
        json!({"type": "object", "properties": {"a": {"$ref": "#/properties/a"}}}),
        json!({"type": "object", "properties": {"a": {"$ref": "#/properties/b"}, "b": {"$ref": "#/properties/a"}}}),
        json!({"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}}),
        json!({"$ref": "#/$defs/A", "$defs": {"A": {"allOf": [{"$ref": "#/$defs/A"}]}}}),
        json!({"anyOf": [{"$ref": "#"}, {"$ref": "#"}]}),
        json!({"type": "object", "properties": {"a": {"oneOf": [{"$ref": "#/properties/a"}, {"type": "null"}]}}}),
        json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/A", "title": "T"}},
               "$defs": {"A": {"type": "array", "items": {"$ref": "#/$defs/A", "title": "T"}}}}),
    ] {
        everywhere(&schema, |made| {
            assert_eq!(made.len(), 1, "{schema}");
            assert!(written(&made).len() < 20_000, "{schema}");
        });
    }
}

/// Work in proportion to what comes in: long lists of everything that is compared or looked up.
#[test]
fn a_huge_schema_takes_its_time_and_no_more() {
    const MANY: usize = 4_000;
    let names: Vec<String> = (0..MANY).map(|at| format!("n{at}")).collect();
    let properties: Map<String, Value> =
        names.iter().map(|name| (name.clone(), json!({"type": "text"}))).collect();
    let required = json!({"type": "object", "properties": properties, "required": names});
    let unknown = json!({"type": "object", "properties": {}, "required": names});
    let branches: Vec<Value> = names
        .iter()
        .map(|name| json!({"properties": {name: {"type": "string"}}, "required": [name]}))
        .collect();
    let any_of = json!({"type": "object", "anyOf": branches});
    let all_of = json!({"type": "object", "allOf": branches});
    let references: Vec<Value> = (0..MANY).map(|_| json!({"$ref": "#/$defs/A"})).collect();
    let same = json!({"type": "object", "anyOf": references, "$defs": {"A": any_of.clone()}});
    let keywords: Map<String, Value> = names.iter().map(|name| (name.clone(), json!(1))).collect();
    let keywords = json!({"type": "object", "allOf": [keywords, keywords]});
    let long = "n".repeat(100_000);
    let long = json!({"type": "object", "properties": {long: any_of.clone()}});
    let wide = json!({"type": "object", "anyOf": references, "$defs": {"A": required.clone()}});
    let types = json!({"type": "object", "properties": {"a": {"type": vec!["string"; MANY]}}});
    let values = json!({"type": "object", "properties": {"a": {"enum": names}}});
    for schema in [required, unknown, any_of, all_of, same, types, values, keywords, long, wide] {
        everywhere(&schema, |made| assert_eq!(made.len(), 1));
    }
}

#[test]
fn thousands_of_tools_with_one_name_have_as_many_names() {
    let tools: Vec<Tool> = (0..4_000)
        .map(|at| Tool::new(format!("id{at}")).with_name("same name").with_description("d"))
        .collect();
    let options = NativeOptions::new(Dialect::OpenAi);
    let made = native_tools(&tools, &options);
    assert_eq!(made.len(), 4_000);
    assert_eq!(made.names().len(), 4_000);
}
