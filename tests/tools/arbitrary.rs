//! Any JSON as a list of tools: a list and what is wrong with it, never a panic. `fuzz/` goes on for
//! longer.

#[path = "../support/tools.rs"]
mod feed_tools;

use proptest::prelude::*;
use serde_json::Value;

/// The words of the shapes, in any place.
fn key() -> impl Strategy<Value = String> {
    let keys = [
        "name",
        "description",
        "type",
        "function",
        "parameters",
        "inputSchema",
        "input_schema",
        "tools",
        "toolSpec",
        "json",
        "functionDeclarations",
        "jsonrpc",
        "result",
        "error",
        "serverInfo",
        "required",
        "properties",
        "items",
        "anyOf",
        "enum",
        "$ref",
        "$defs",
        "nullable",
        "format",
        "grammar",
        "custom",
        "annotations",
        "_meta",
        "nextCursor",
        "toolConfig",
        "minimum",
        "additionalProperties",
        "",
    ];
    prop::sample::select(keys.to_vec()).prop_map(str::to_owned)
}

fn leaf() -> impl Strategy<Value = Value> {
    let words = [
        "",
        "t",
        "function",
        "custom",
        "object",
        "OBJECT",
        "str",
        "array",
        "#/$defs/a",
        "{\"type\":\"object\"}",
        "1",
        "true",
        "\u{FDD0}",
        "\n## x",
        "lark",
    ];
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        prop::sample::select(words.to_vec()).prop_map(Value::from),
    ]
}

fn json() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(7, 64, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((key(), inner), 0..6)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn any_json_is_a_list(value in json()) {
        feed_tools::value(&value);
    }

    #[test]
    fn any_tool_in_a_list(tool in json(), schema in json()) {
        feed_tools::value(&serde_json::json!([tool, {"name": "t", "inputSchema": schema}]));
    }

    #[test]
    fn any_text_is_a_list_or_an_error(text in "[\\[\\]{}\",:a-z0-9\\\\ \n]{0,60}") {
        feed_tools::bytes(text.as_bytes());
    }

    #[test]
    fn any_text_has_sections_or_none(pieces in prop::collection::vec(prop::sample::select(vec![
        "## a\n", "Description: ", "Parameters:\n", "Parameters: None\n", "- p: (required) ", "Usage:\n", "<a>\n",
        "<p>", "</p>\n", "</a>\n", "x", "\n",
    ]), 0..30)) {
        feed_tools::bytes(pieces.concat().as_bytes());
    }
}
