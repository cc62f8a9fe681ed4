//! Limits of providers: told, and kept where that is ours to do.

use promptline_tools::{Dialect, NativeOptions, NativeTools, Tool, native_tools};
use serde_json::{Map, Value, json};

fn written(tools: &[Tool], options: NativeOptions) -> NativeTools {
    native_tools(tools, &options)
}

fn codes(tools: &NativeTools) -> Vec<&str> {
    tools.diagnostics().iter().map(|told| told.code.as_str()).collect()
}

fn many(count: usize) -> Vec<Tool> {
    (0..count).map(|at| Tool::new(format!("tool_{at}")).with_description("d")).collect()
}

#[test]
fn a_description_is_cut_between_characters() {
    let openai = NativeOptions::new(Dialect::OpenAi).with_cut_descriptions();
    for (text, fits) in [("ä".repeat(1024), true), ("ä".repeat(1025), false)] {
        let made = written(&[Tool::new("t").with_description(text.clone())], openai);
        let list = made.to_value();
        let description = list[0]["function"]["description"].as_str().unwrap();
        assert_eq!(description == text, fits);
        assert!(description.chars().count() <= 1024);
        if !fits {
            assert!(description.ends_with("ä […]"), "{description}");
            assert_eq!(made.unsupported()[0].keyword, "description");
        }
    }
    // It is sent whole unless the host asks for less.
    let whole = written(
        &[Tool::new("t").with_description("x".repeat(1_025))],
        NativeOptions::new(Dialect::OpenAi),
    );
    assert!(whole.unsupported().is_empty());
    assert_eq!(whole.diagnostics()[0].code, "tool-description");
    // Others take it as it is.
    let long = Tool::new("t").with_description("x".repeat(5_000));
    for dialect in Dialect::ALL.into_iter().filter(|it| *it != Dialect::OpenAi) {
        let made = written(std::slice::from_ref(&long), NativeOptions::new(dialect));
        assert!(made.unsupported().is_empty(), "{dialect}");
    }
}

#[test]
fn long_lists_are_told() {
    let told = |count, dialect| {
        let made = written(&many(count), NativeOptions::new(dialect));
        assert_eq!(made.len(), count);
        codes(&made).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert!(told(25, Dialect::OpenAi).is_empty());
    assert_eq!(told(26, Dialect::OpenAi), ["tool-many"]);
    assert_eq!(told(128, Dialect::Anthropic), ["tool-many"]);
    assert_eq!(told(129, Dialect::OpenAi), ["tool-limit", "tool-many", "tool-tokens"]);
    assert!(!told(129, Dialect::Anthropic).contains(&"tool-limit".to_owned()));
    // Few tools with many words.
    let wordy = [Tool::new("t").with_description("word ".repeat(4_000))];
    assert_eq!(codes(&written(&wordy, NativeOptions::new(Dialect::Gemini))), ["tool-tokens"]);
}

#[test]
fn names_of_properties_that_a_provider_refuses_are_told() {
    let schema = json!({"type": "object", "properties": {
        "fine-1.x": {}, "not fine": {}, "x": {"type": "object", "properties": {"$filter": {}}}
    }});
    let spec = Tool::new("t").with_description("d").with_schema(schema);
    let made = written(std::slice::from_ref(&spec), NativeOptions::new(Dialect::Anthropic));
    assert_eq!(codes(&made), ["tool-property", "tool-property"]);
    assert!(made.diagnostics()[0].message.contains("`not fine`"));
    let bedrock = written(std::slice::from_ref(&spec), NativeOptions::new(Dialect::Bedrock));
    assert_eq!(codes(&bedrock), ["tool-property", "tool-property"]);
    assert!(codes(&written(&[spec], NativeOptions::new(Dialect::OpenAi))).is_empty());
}

#[test]
fn strict_schemas_that_are_too_large_are_told() {
    let strict = NativeOptions::new(Dialect::OpenAi).with_strict();
    let told = |schema: Value| {
        let made = written(&[Tool::new("t").with_description("d").with_schema(schema)], strict);
        made.diagnostics()
            .iter()
            .filter(|told| told.code == "tool-limit")
            .map(|told| told.message.clone())
            .collect::<Vec<_>>()
    };
    let object = |properties: Map<String, Value>| {
        let required: Vec<String> = properties.keys().cloned().collect();
        json!({"type": "object", "properties": properties, "required": required})
    };
    let nested = |levels: usize| {
        (1..levels).fold(object(Map::new()), |inside, _| {
            object(Map::from_iter([("a".to_owned(), inside)]))
        })
    };
    assert!(told(nested(10)).is_empty());
    assert!(told(nested(11))[0].contains("11 nested objects, 10 at most"));
    let values: Vec<String> = (0..1_001).map(|at| at.to_string()).collect();
    let listed =
        object(Map::from_iter([("a".to_owned(), json!({"type": "string", "enum": values}))]));
    assert!(told(listed)[0].contains("1001 values in enums, 1000 at most"));
}

#[test]
fn strict_is_not_asked_of_those_that_have_it_not() {
    let spec = Tool::new("t")
        .with_description("d")
        .with_schema(json!({"type": "object", "properties": {"a": {"type": "string"}}}));
    for dialect in [Dialect::Gemini, Dialect::GeminiLegacy, Dialect::Mcp] {
        let made = written(std::slice::from_ref(&spec), NativeOptions::new(dialect).with_strict());
        assert_eq!(codes(&made), ["tool-strict"]);
        let plain = written(std::slice::from_ref(&spec), NativeOptions::new(dialect));
        assert_eq!(made.to_value(), plain.to_value());
    }
}

/// Every figure says where it is from and when it was looked up.
#[test]
fn limits_have_a_source_and_a_date() {
    let text = include_str!("../../src/native/data/limits.json");
    let limits: Map<String, Value> = serde_json::from_str(text).unwrap();
    for (name, entry) in &limits {
        let mut entries = vec![entry];
        entries.extend(entry.get("strict"));
        for entry in entries {
            assert!(!entry["source"].as_str().unwrap().is_empty(), "{name}");
            let date: Vec<&str> = entry["as_of"].as_str().unwrap().split('-').collect();
            assert!(date.len() == 3 && date[0].len() == 4, "{name}");
        }
    }
    for dialect in Dialect::ALL {
        assert!(limits.contains_key(dialect.as_str()), "{dialect}");
    }
}
