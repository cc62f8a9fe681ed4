//! The dialects side by side: one list of tools as each of them has it, and what becomes of single
//! schemas.

use promptline_tools::{
    Annotations, Dialect, Grammar, GrammarSyntax, McpTool, NativeOptions, NativeTools, Tool,
    native_tools,
};
use serde_json::{Value, json};

/// One of each kind.
fn tools() -> Vec<Tool> {
    let mut annotations = Annotations::default();
    annotations.read_only = true;
    let read = json!({
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "Where it is."},
            "lines": {"type": "string", "description": "Which.", "pattern": "^\\d+-\\d+$"},
        },
        "required": ["path"],
    });
    let mut tools = vec![
        Tool::new("read_file")
            .with_description("Read a file under /srv/app.")
            .with_schema(read)
            .with_closed_schema()
            .with_annotations(annotations),
        Tool::new("apply_patch")
            .with_description("Change files.")
            .with_free_text(Some(Grammar::new(GrammarSyntax::Lark, "start: /.+/"))),
    ];
    tools.extend(of_server());
    tools
}

fn of_server() -> [Tool; 2] {
    let mut search: McpTool = serde_json::from_value(json!({
        "name": "search/all",
        "title": "Search",
        "description": "Find tickets.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "query": {"type": "string", "minLength": 2},
                "state": {"oneOf": [{"const": "open"}, {"const": "closed"}, {"type": "null"}]},
                "author": {"$ref": "#/$defs/User", "description": "Who wrote it."},
                "labels": {"type": "object", "additionalProperties": {"type": "string"}},
            },
            "required": ["query"],
            "$defs": {"User": {"type": "object", "properties": {"id": {"type": "integer"}}}},
        },
        "outputSchema": {"type": "object"},
        "annotations": {"readOnlyHint": true, "openWorldHint": false},
        "_meta": {"internal": 1},
    }))
    .unwrap();
    search.meta.insert("more".to_owned(), json!([2]));
    [McpTool::new("ping", "", Value::Null), search].map(|tool| Tool::mcp("tickets", &tool))
}

fn shown(tools: &NativeTools) -> String {
    let list = serde_json::to_string_pretty(&tools.to_value()).unwrap();
    let names = serde_json::to_string_pretty(tools.names()).unwrap();
    let unsupported = tools.unsupported().iter().map(|found| {
        format!("{} {} `{}`: {}\n", found.tool, found.path, found.keyword, found.what_was_done)
    });
    let told = tools.diagnostics().iter().map(|told| format!("{told}\n"));
    let (unsupported, told): (String, String) = (unsupported.collect(), told.collect());
    format!("{list}\n\n{names}\n\nunsupported:\n{unsupported}\ndiagnostics:\n{told}")
}

#[test]
fn one_list_in_every_dialect() {
    for dialect in Dialect::ALL {
        for options in [NativeOptions::new(dialect), NativeOptions::new(dialect).with_strict()] {
            let can = !matches!(dialect, Dialect::Gemini | Dialect::GeminiLegacy | Dialect::Mcp);
            if options.strict && !can {
                continue;
            }
            let name = format!("{dialect}{}", if options.strict { "-strict" } else { "" });
            let made = native_tools(&tools(), &options);
            insta::assert_snapshot!(name, shown(&made));
        }
    }
}

/// What becomes of a property with this schema, and the keywords that are lost.
fn property(options: NativeOptions, schema: &Value) -> String {
    let whole = json!({
        "type": "object",
        "properties": {"p": schema},
        "required": ["p"],
        "$defs": {
            "Name": {"type": "string", "description": "A name."},
            "List": {
                "type": "object",
                "properties": {"next": {"anyOf": [{"$ref": "#/$defs/List"}, {"type": "null"}]}},
                "required": ["next"],
            },
        },
    });
    let spec = Tool::new("t").with_description("d").with_schema(whole);
    let made = native_tools(&[spec], &options);
    let list = made.to_value();
    let places = [
        "/0/function/parameters/properties/p",
        "/0/input_schema/properties/p",
        "/0/parametersJsonSchema/properties/p",
        "/0/parameters/properties/p",
    ];
    let schema = places.iter().find_map(|place| list.pointer(place)).unwrap();
    let lost: Vec<&str> = made.unsupported().iter().map(|found| found.keyword.as_str()).collect();
    format!("{schema} {}", lost.join(" ")).trim_end().to_owned()
}

macro_rules! becomes {
    ($($test:ident: $options:expr => { $($from:tt => $to:expr;)* })*) => {$(
        #[test]
        fn $test() {
            $(assert_eq!(property($options, &json!($from)), $to);)*
        }
    )*};
}

becomes! {
    openai: NativeOptions::new(Dialect::OpenAi) => {
        {"type": "string", "x-order": 1} => r#"{"type":"string","x-order":1}"#;
        {"type": "STRING", "nullable": true} => r#"{"type":["string","null"]}"#;
        {"type": "text"} => "{} type";
        {"type": ["string", "file"]} => r#"{"type":["string"]} type"#;
        {"type": "array"} => r#"{"type":"array","items":{"type":"string"}} items"#;
        {"$ref": "#/$defs/Name", "title": "T"} => r##"{"$ref":"#/$defs/Name","title":"T"}"##;
        {"$ref": "#/nowhere"} => "{} $ref";
        {"$ref": "https://example.org/s"} => "{} $ref";
        {"oneOf": [{"type": "string"}]} => r#"{"oneOf":[{"type":"string"}]}"#;
        {"oneOf": []} => "{} oneOf";
        {"description": 5} => "{} description";
        {"minLength": "3"} => r#"{"minLength":3} minLength"#;
        {"minimum": 1, "exclusiveMinimum": true} => r#"{"exclusiveMinimum":1}"#;
        {"required": true} => "{} required";
        {"properties": {"a": {}}, "required": ["a", "b", "a"]}
            => r#"{"properties":{"a":{}},"required":["a"]} required required"#;
        "string" => "{} schema";
        true => "true";
    }
    openai_strict: NativeOptions::new(Dialect::OpenAi).with_strict() => {
        {"type": "string", "minLength": 3}
            => r#"{"type":"string","description":"(minLength: 3)"} minLength"#;
        {"$ref": "#/$defs/Name"} => r##"{"$ref":"#/$defs/Name"}"##;
        {"$ref": "#/$defs/Name", "description": "Whose."}
            => r#"{"description":"Whose.","type":"string"}"#;
        {"$ref": "#/$defs/List"} => r##"{"$ref":"#/$defs/List"}"##;
        {"oneOf": [{"type": "string"}, {"type": "integer"}]}
            => r#"{"anyOf":[{"type":"string"},{"type":"integer"}]} oneOf"#;
        {"allOf": [{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}]}
            => r#"{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}"#;
        {"type": "object", "properties": {"a": {"enum": ["x"]}}}
            => r#"{"type":"object","properties":{"a":{"enum":["x",null],"type":["string","null"]}},"required":["a"],"additionalProperties":false} required"#;
        // Sent without `strict`.
        {"type": "object", "additionalProperties": {"type": "string"}}
            => r#"{"type":"object","additionalProperties":{"type":"string"}} strict"#;
        {} => "{} strict";
    }
    anthropic_strict: NativeOptions::new(Dialect::Anthropic).with_strict() => {
        {"type": ["string", "null"], "minLength": 3}
            => r#"{"anyOf":[{"type":"string"},{"type":"null"}],"description":"(minLength: 3)"} minLength"#;
        {"type": "object", "properties": {"a": {"type": "string"}}}
            => r#"{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}"#;
        {"type": "array", "items": {"type": "string"}, "minItems": 1}
            => r#"{"type":"array","items":{"type":"string"},"minItems":1}"#;
        {"type": "array", "items": {"type": "string"}, "minItems": 2}
            => r#"{"type":"array","items":{"type":"string"},"description":"(minItems: 2)"} minItems"#;
        {"$ref": "#/$defs/List"} => r##"{"$ref":"#/$defs/List"} strict"##;
    }
    gemini: NativeOptions::new(Dialect::Gemini) => {
        {"type": "string", "pattern": "^x"} => r#"{"type":"string","pattern":"^x"} pattern"#;
        {"type": "integer", "minimum": 1} => r#"{"type":"integer","minimum":1}"#;
    }
    gemini_legacy: NativeOptions::new(Dialect::GeminiLegacy) => {
        {"type": ["string", "null"]} => r#"{"type":"STRING","nullable":true}"#;
        {"type": ["string", "integer"], "minLength": 2}
            => r#"{"anyOf":[{"type":"STRING","minLength":2},{"type":"INTEGER"}]}"#;
        {"anyOf": [{"type": "integer"}, {"type": "null"}], "title": "T"}
            => r#"{"title":"T","type":"INTEGER","nullable":true}"#;
        {"anyOf": [{"type": "integer"}, {"type": "string"}], "title": "T"}
            => r#"{"anyOf":[{"type":"INTEGER","title":"T"},{"type":"STRING"}]}"#;
        {"oneOf": [{"const": "a"}, {"const": "b"}]}
            => r#"{"anyOf":[{"type":"STRING","enum":["a"]},{"type":"STRING","enum":["b"]}]} oneOf"#;
        {"const": 1} => r#"{"type":"INTEGER","description":"(const: 1)"} const"#;
        {"enum": ["a", null]} => r#"{"enum":["a"],"type":"STRING","nullable":true}"#;
        {"enum": ["a", 1]} => r#"{"type":"STRING","description":"(enum: [\"a\",1])"} type enum"#;
        {"additionalProperties": true, "type": "object"} => r#"{"type":"OBJECT"}"#;
        {"type": "integer", "exclusiveMinimum": 0} => r#"{"type":"INTEGER","minimum":1}"#;
        {"type": "number", "exclusiveMinimum": 0}
            => r#"{"type":"NUMBER","description":"(exclusiveMinimum: 0)"} exclusiveMinimum"#;
        {"type": "string", "format": "uri", "description": "Where."}
            => r#"{"type":"STRING","description":"Where.\n(format: \"uri\")"} format"#;
        {"type": "string", "format": "date-time"} => r#"{"type":"STRING","format":"date-time"}"#;
        {"properties": {"a": {"type": "boolean"}}}
            => r#"{"properties":{"a":{"type":"BOOLEAN"}},"type":"OBJECT"} type"#;
        {"type": "object", "additionalProperties": false} => r#"{"type":"OBJECT"} additionalProperties"#;
        {"type": "array", "items": [{"type": "string"}, {"type": "integer"}]}
            => r#"{"type":"ARRAY","items":{"anyOf":[{"type":"STRING"},{"type":"INTEGER"}]}} prefixItems"#;
        {"$ref": "#/$defs/List"}
            => r#"{"type":"OBJECT","properties":{"next":{"type":"OBJECT","nullable":true}},"required":["next"]} $ref"#;
        {"allOf": [{"$ref": "#/$defs/Name"}, {"maxLength": 9}]}
            => r#"{"maxLength":9,"type":"STRING","description":"A name."}"#;
    }
}

#[test]
fn a_root_that_is_no_object_leaves_its_tool_out() {
    for schema in [
        json!({"type": "array"}),
        json!({"type": "string"}),
        json!({"properties": null}),
        json!({"properties": "x"}),
        json!(5),
        json!([]),
        json!(false),
    ] {
        for dialect in Dialect::ALL {
            let bad = Tool::new("bad").with_description("d").with_schema(schema.clone());
            let good = Tool::new("good").with_description("d");
            let options = NativeOptions::new(dialect).with_strict();
            let made = native_tools(&[bad, good], &options);
            let names: Vec<&str> = made.names().iter().map(|(name, _)| name).collect();
            assert_eq!(names, ["good"], "{dialect}: {schema}");
            let told = made.diagnostics().iter().find(|it| it.code == "tool-schema").unwrap();
            assert_eq!(told.subject.as_deref(), Some("bad"));
        }
    }
}

/// A union of nothing is no union, in any dialect.
#[test]
fn an_empty_union_is_taken_out_and_told() {
    for keyword in ["anyOf", "oneOf"] {
        let schema =
            json!({"type": "object", "properties": {"a": {"description": "A.", keyword: []}}});
        let spec = Tool::new("t").with_description("d").with_schema(schema);
        let options = NativeOptions::new(Dialect::GeminiLegacy);
        let made = native_tools(&[spec], &options);
        let written = made.to_value().to_string();
        assert!(written.contains("A.") && !written.contains("[]"), "{written}");
        assert!(made.unsupported().iter().any(|found| found.keyword == keyword), "{keyword}");
    }
}

/// Arguments are an object: a schema that also allows null would be refused.
#[test]
fn a_root_is_never_null() {
    for schema in [
        json!({"type": ["object", "null"], "properties": {"a": {"type": "string"}}}),
        json!({"type": "object", "nullable": true, "properties": {"a": {"type": "string"}}}),
    ] {
        for dialect in Dialect::ALL {
            let spec = Tool::new("t").with_description("d").with_schema(schema.clone());
            let options = NativeOptions::new(dialect);
            let made = native_tools(&[spec], &options);
            let written = made.to_value().to_string();
            assert!(!written.contains("null"), "{dialect}: {written}");
            assert_eq!(made.unsupported().len(), 1, "{dialect}");
        }
    }
}

#[test]
fn a_tool_that_says_nothing_about_its_arguments_takes_none() {
    for schema in [json!(null), json!(true), json!({}), json!({"properties": []})] {
        for dialect in Dialect::ALL {
            let spec = Tool::new("t").with_description("d").with_schema(schema.clone());
            let options = NativeOptions::new(dialect);
            let made = native_tools(&[spec], &options);
            assert_eq!(made.len(), 1, "{dialect}: {schema}");
        }
    }
}

/// The schema of a tool with this one.
fn whole(dialect: Dialect, schema: Value) -> String {
    let tool = Tool::new("t").with_description("d").with_schema(schema);
    let made = native_tools(&[tool], &NativeOptions::new(dialect)).to_value();
    let places = [
        "/0/function/parameters",
        "/0/input_schema",
        "/0/toolSpec/inputSchema/json",
        "/0/parametersJsonSchema",
        "/0/parameters",
    ];
    places.iter().find_map(|place| made.pointer(place)).unwrap().to_string()
}

#[test]
fn a_union_at_the_root_keeps_every_way_to_call_the_tool() {
    let union = json!({"type": "object", "oneOf": [
        {"properties": {"op": {"const": "create"}, "title": {"type": "string"}}, "required": ["op", "title"]},
        {"properties": {"op": {"const": "delete"}, "id": {"type": "integer"}}, "required": ["op", "id"]},
        {"properties": {"op": {"const": "delete"}, "id": {"type": "string"}}, "required": ["op", "id"]},
    ]});
    let want = r#"{"type":"object","properties":{"op":{"enum":["create","delete"]},"title":{"type":"string"},"id":{"anyOf":[{"type":"integer"},{"type":"string"}]}},"required":["op"]}"#;
    for dialect in [Dialect::OpenAi, Dialect::OpenAiResponses, Dialect::Anthropic, Dialect::Bedrock]
    {
        assert_eq!(whole(dialect, union.clone()), want, "{dialect}");
    }
}

#[test]
fn a_list_with_a_schema_for_each_place() {
    let tuple = |key: &str| {
        json!({"type": "object", "properties": {"range": {
            "type": "array", key: [{"type": "integer"}, {"type": "string"}]
        }}})
    };
    for key in ["items", "prefixItems"] {
        let range = |dialect| {
            let schema: Value = serde_json::from_str(&whole(dialect, tuple(key))).unwrap();
            schema["properties"]["range"].to_string()
        };
        let one = r#"{"type":"array","items":{"anyOf":[{"type":"integer"},{"type":"string"}]}}"#;
        let each = r#"{"type":"array","prefixItems":[{"type":"integer"},{"type":"string"}]}"#;
        assert_eq!(range(Dialect::OpenAi), one);
        assert_eq!(range(Dialect::OpenAiResponses), one);
        assert_eq!(range(Dialect::Anthropic), each);
        assert_eq!(range(Dialect::Bedrock), each);
        assert_eq!(range(Dialect::Gemini), each);
        assert_eq!(
            range(Dialect::GeminiLegacy),
            one.to_uppercase()
                .replace("TYPE", "type")
                .replace("ITEMS", "items")
                .replace("ANYOF", "anyOf")
        );
    }
}

#[test]
fn dialects_by_name_and_by_provider() {
    for dialect in Dialect::ALL {
        assert_eq!(dialect.as_str().parse::<Dialect>().unwrap(), dialect);
        assert_eq!(json!(dialect), json!(dialect.as_str()));
    }
    let error = "claude".parse::<Dialect>().unwrap_err();
    assert!(error.help().unwrap().contains("`openai-responses`"), "{error}");
    for (provider, dialect) in [
        ("anthropic", Dialect::Anthropic),
        ("Anthropic", Dialect::Anthropic),
        ("bedrock", Dialect::Bedrock),
        ("gemini", Dialect::Gemini),
        ("vertex", Dialect::Gemini),
        ("openai-native", Dialect::OpenAiResponses),
        ("openai", Dialect::OpenAi),
        ("openrouter", Dialect::OpenAi),
        ("somebody new", Dialect::OpenAi),
    ] {
        assert_eq!(Dialect::for_provider(provider), dialect, "{provider}");
    }
}
