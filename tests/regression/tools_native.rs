//! Tools in native form: schemas keep their meaning, and what a provider refuses does not reach it.

use promptline::{
    Condition, Dialect, ErrorKind, McpServer, McpTool, NativeTools, Param, PromptContext, ToolSpec,
    tools::{NativeOptions, UnsupportedKeyword, mcp_tools, native_tools, tool_section},
};
use serde_json::{Value, json};

/// The tool `t` of the server `S` with this schema.
fn written(dialect: Dialect, schema: Value) -> NativeTools {
    let cx = PromptContext::default()
        .with_mcp_server(McpServer::new("S").with_tool(McpTool::new("t", "d", schema)));
    native_tools(&mcp_tools(&cx), &cx, &NativeOptions::new(dialect)).expect("a list")
}

/// Its schema as the dialect has it.
fn schema(dialect: Dialect, schema: &Value) -> Value {
    schema_in(&written(dialect, schema.clone()))
}

fn schema_in(tools: &NativeTools) -> Value {
    let list = tools.to_value();
    let places = [
        "/0/function/parameters",
        "/0/parameters",
        "/0/input_schema",
        "/0/parametersJsonSchema",
        "/0/toolSpec/inputSchema/json",
        "/0/inputSchema",
    ];
    places.iter().find_map(|place| list.pointer(place)).cloned().expect("a schema")
}

fn keywords(unsupported: &[UnsupportedKeyword]) -> Vec<&str> {
    unsupported.iter().map(|found| found.keyword.as_str()).collect()
}

#[test]
fn n01_an_integer_stays_one() {
    let from = json!({"type": "object", "properties": {"n": {"type": "integer"}}});
    let made = schema(Dialect::GeminiLegacy, &from);
    assert_eq!(made["properties"]["n"]["type"], "INTEGER");
    assert_eq!(schema(Dialect::Gemini, &from), from);
}

#[test]
fn n02_a_list_keeps_what_is_in_it() {
    let from = json!({"type": "object", "properties": {"steps": {"type": "array", "items": {
        "type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]
    }}}});
    assert_eq!(
        schema(Dialect::GeminiLegacy, &from)["properties"]["steps"],
        json!({"type": "ARRAY", "items": {
            "type": "OBJECT", "properties": {"id": {"type": "INTEGER"}}, "required": ["id"]
        }})
    );
    assert_eq!(schema(Dialect::Gemini, &from), from);
}

#[test]
fn n04_an_enum_stays() {
    let from =
        json!({"type": "object", "properties": {"mode": {"type": "string", "enum": ["a", "b"]}}});
    for dialect in Dialect::ALL {
        assert_eq!(schema(dialect, &from)["properties"]["mode"]["enum"], json!(["a", "b"]));
    }
}

#[test]
fn n06_a_schema_without_a_type_gets_none() {
    let property = json!({"anyOf": [{"type": "integer"}, {"type": "null"}], "default": null});
    let from = json!({"type": "object", "properties": {"n": property}});
    for dialect in Dialect::ALL.into_iter().filter(|dialect| *dialect != Dialect::GeminiLegacy) {
        assert_eq!(schema(dialect, &from)["properties"]["n"], property, "{dialect}");
    }
    assert_eq!(
        schema(Dialect::GeminiLegacy, &from)["properties"]["n"],
        json!({"default": null, "type": "INTEGER", "nullable": true})
    );
}

#[test]
fn n07_every_reference_leads_somewhere() {
    let from = json!({
        "type": "object",
        "properties": {"i": {"$ref": "#/$defs/Item"}},
        "$defs": {"Item": {"type": "object", "properties": {"id": {"type": "integer"}}}},
    });
    assert_eq!(schema(Dialect::OpenAi, &from), from);
    let legacy = schema(Dialect::GeminiLegacy, &from);
    assert_eq!(legacy["properties"]["i"]["properties"]["id"]["type"], "INTEGER");
    assert!(legacy.get("$defs").is_none());

    // One that holds itself ends, and says where it was cut.
    let tree = json!({
        "type": "object",
        "properties": {"root": {"$ref": "#/$defs/Node"}},
        "$defs": {"Node": {"type": "object", "properties": {
            "name": {"type": "string"},
            "children": {"type": "array", "items": {"$ref": "#/$defs/Node"}},
        }}},
    });
    assert_eq!(schema(Dialect::Anthropic, &tree), tree);
    let legacy = written(Dialect::GeminiLegacy, tree);
    assert_eq!(
        schema_in(&legacy)["properties"]["root"]["properties"]["children"],
        json!({"type": "ARRAY", "items": {"type": "OBJECT"}})
    );
    assert_eq!(legacy.unsupported()[0].path, "/properties/root/properties/children/items");
    assert_eq!(legacy.unsupported()[0].keyword, "$ref");
}

#[test]
fn n08_what_an_object_requires_is_not_what_its_parent_does() {
    let from = json!({
        "type": "object",
        "properties": {"o": {
            "type": "object",
            "properties": {"id": {"type": "string"}, "q": {"type": "string"}},
            "required": ["id"],
        }},
        "required": [],
    });
    for dialect in Dialect::ALL {
        let made = schema(dialect, &from);
        assert_eq!(made["required"], json!([]), "{dialect}");
        assert_eq!(made["properties"]["o"]["required"], json!(["id"]), "{dialect}");
    }
}

#[test]
fn n10_a_parameter_that_is_not_shown_is_in_neither_form() {
    let tool = ToolSpec::new("t").with_description("Does it.").with_param(
        Param::required("task_progress", "How far it is.")
            .with_when(Condition::tool("focus_chain")),
    );
    let other =
        ToolSpec::new("focus_chain").with_description("Lists.").with_when(Condition::flag("chain"));
    for (cx, shown) in
        [(PromptContext::default(), false), (PromptContext::default().with_flag("chain"), true)]
    {
        let tools = [tool.clone(), other.clone()];
        let text = tool_section(&tools, &cx).expect("a text").text.to_string();
        assert_eq!(text.contains("task_progress"), shown);
        for dialect in Dialect::ALL {
            let made = native_tools(&tools, &cx, &NativeOptions::new(dialect)).expect("a list");
            let made = schema_in(&made);
            assert_eq!(made["properties"].get("task_progress").is_some(), shown, "{dialect}");
            let required = if shown { json!(["task_progress"]) } else { json!([]) };
            assert_eq!(made["required"], required, "{dialect}");
        }
    }
}

#[test]
fn n11_a_parameter_that_is_there_twice_is_refused() {
    let spec = ToolSpec::new("t")
        .with_param(Param::required("a", ""))
        .with_param(Param::required("a", ""));
    let options = NativeOptions::new(Dialect::OpenAi);
    let error = native_tools(&[spec], &PromptContext::default(), &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Tool);
    assert!(error.message().contains("`a`"), "{error}");
}

#[test]
fn n13_strict_is_written_and_then_kept() {
    let spec = ToolSpec::new("f").with_description("d").with_param(Param::optional("a", "An a."));
    let cx = PromptContext::default();
    for dialect in [Dialect::OpenAi, Dialect::OpenAiResponses] {
        let loose = native_tools(std::slice::from_ref(&spec), &cx, &NativeOptions::new(dialect));
        let loose = loose.expect("a list").to_value();
        let strict = NativeOptions::new(dialect).with_strict();
        let strict = native_tools(std::slice::from_ref(&spec), &cx, &strict).expect("a list");
        let made = schema_in(&strict);
        let strict = strict.to_value();
        let at = if dialect == Dialect::OpenAi { "/0/function/strict" } else { "/0/strict" };
        assert_eq!(loose.pointer(at), Some(&json!(false)));
        assert_eq!(strict.pointer(at), Some(&json!(true)));
        assert_eq!(
            made,
            json!({
                "type": "object",
                "properties": {"a": {"type": ["string", "null"], "description": "An a."}},
                "required": ["a"],
                "additionalProperties": false,
            })
        );
    }
}

#[test]
fn n15_lists_say_what_is_in_them_and_enums_are_strings() {
    let from = json!({"type": "object", "properties": {
        "tags": {"type": "array"},
        "level": {"type": "integer", "enum": [0, 1, 2]},
    }});
    for dialect in [Dialect::OpenAi, Dialect::OpenAiResponses, Dialect::Gemini] {
        let tools = written(dialect, from.clone());
        assert_eq!(schema_in(&tools)["properties"]["tags"]["items"], json!({"type": "string"}));
        assert_eq!(keywords(tools.unsupported()), ["items"], "{dialect}");
    }
    let legacy = written(Dialect::GeminiLegacy, from);
    let made = schema_in(&legacy);
    assert_eq!(made["properties"]["tags"]["items"], json!({"type": "STRING"}));
    assert_eq!(
        made["properties"]["level"],
        json!({"type": "INTEGER", "description": "(enum: [0,1,2])"})
    );
    assert_eq!(keywords(legacy.unsupported()), ["items", "enum"]);
}

#[test]
fn n16_a_rule_at_the_root_reaches_no_provider_that_refuses_it() {
    let from = json!({
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
        "oneOf": [{"required": ["a"]}, {"required": ["b"]}],
    });
    for dialect in [Dialect::Anthropic, Dialect::OpenAi, Dialect::OpenAiResponses, Dialect::Bedrock]
    {
        let tools = written(dialect, from.clone());
        let made = schema_in(&tools);
        assert!(["oneOf", "anyOf", "allOf"].iter().all(|rule| made.get(rule).is_none()));
        assert_eq!(made["properties"], from["properties"]);
        assert_eq!(keywords(tools.unsupported()), ["oneOf"]);
    }
    for dialect in [Dialect::Gemini, Dialect::Mcp] {
        assert_eq!(schema(dialect, &from), from, "{dialect}");
    }
}

#[test]
fn n16_properties_that_only_the_branches_have_stay() {
    let from = json!({
        "type": "object",
        "anyOf": [
            {"$ref": "#/$defs/ByName"},
            {"properties": {"id": {"type": "integer"}, "dry": {}}, "required": ["id", "dry"]},
        ],
        "$defs": {"ByName": {
            "properties": {"name": {"type": "string"}, "dry": {}}, "required": ["name", "dry"],
        }},
    });
    let made = schema(Dialect::Anthropic, &from);
    let names: Vec<&String> = made["properties"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["name", "dry", "id"]);
    assert_eq!(made["required"], json!(["dry"]));
}
