//! Every shape in which tools travel, alone and mixed.

use promptline_tools::{
    Arguments, Dialect, Grammar, GrammarSyntax, NativeOptions, ReadOptions, Tool, ToolList,
    native_tools, read_tools, read_tools_text, read_tools_with,
};
use serde_json::{Value, json};

/// `server/name` of each tool, or its name alone.
pub(crate) fn names(list: &ToolList) -> Vec<String> {
    list.tools
        .iter()
        .map(|tool| match &tool.server {
            Some(server) => format!("{server}/{}", tool.raw_name()),
            None => tool.raw_name().to_owned(),
        })
        .collect()
}

pub(crate) fn schema(tool: &Tool) -> &Value {
    match &tool.arguments {
        Arguments::Json(schema) => schema,
        other => panic!("no schema: {other:?}"),
    }
}

pub(crate) fn messages(list: &ToolList) -> Vec<&str> {
    list.diagnostics.iter().map(|diagnostic| diagnostic.message.as_str()).collect()
}

/// The schema that every tool of the tables has.
fn arguments() -> Value {
    json!({"type": "object", "properties": {"a": {"type": "string", "x-own": [1]}}, "required": ["a"]})
}

/// What is read is these tools, with the schema of the tables and the description `D.`; nothing is said.
macro_rules! shapes {
    ($($name:ident: $value:tt => [$($tool:literal),*];)*) => {$(
        #[test]
        fn $name() {
            let list = read_tools(&json!($value));
            assert_eq!(messages(&list), Vec::<&str>::new());
            assert_eq!(names(&list), [$($tool),*] as [&str; _]);
            for tool in &list.tools {
                assert_eq!(schema(tool), &arguments(), "{}", tool.name);
                let Some(server) = &tool.server else {
                    assert_eq!(tool.description, "D.");
                    continue;
                };
                assert_eq!(tool.id, format!("{server}/{}", tool.raw_name()));
            }
        }
    )*};
}

shapes! {
    mcp_result: {"tools": [{"name": "t", "description": "D.", "inputSchema": (arguments())}]} => ["t"];
    mcp_response: {"jsonrpc": "2.0", "id": 2, "result": {
        "tools": [{"name": "t", "description": "D.", "inputSchema": (arguments())}]
    }} => ["t"];
    mcp_response_without_its_version: {"id": 2, "result": {
        "tools": [{"name": "t", "description": "D.", "inputSchema": (arguments())}]
    }} => ["t"];
    mcp_with_the_servers_name: {"serverInfo": {"name": "s", "version": "1"}, "tools": [
        {"name": "t", "description": "D.", "inputSchema": (arguments())}
    ]} => ["s/t"];
    mcp_servers: [
        {"name": "a", "tools": [{"name": "t", "description": "D.", "inputSchema": (arguments())}]},
        {"name": "b", "tools": [{"name": "t", "description": "D.", "inputSchema": (arguments())}]},
    ] => ["a/t", "b/t"];
    mcp_transcript: [
        {"jsonrpc": "2.0", "id": 1, "result": {"serverInfo": {"name": "s"}, "capabilities": {}}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "result": {
            "tools": [{"name": "t", "description": "D.", "inputSchema": (arguments())}]
        }},
    ] => ["s/t"];
    mcp_pages: [
        {"tools": [{"name": "t", "description": "D.", "inputSchema": (arguments())}]},
        {"tools": [{"name": "u", "description": "D.", "inputSchema": (arguments())}]},
    ] => ["t", "u"];
    bare_list: [{"name": "t", "description": "D.", "inputSchema": (arguments())}] => ["t"];
    one_tool: {"name": "t", "description": "D.", "inputSchema": (arguments())} => ["t"];
    openai_chat: [{"type": "function", "function": {
        "name": "t", "description": "D.", "strict": false, "parameters": (arguments())
    }}] => ["t"];
    openai_request: {"model": "gpt-5", "messages": [], "tools": [{"type": "function", "function": {
        "name": "t", "description": "D.", "parameters": (arguments())
    }}]} => ["t"];
    openai_functions: {"functions": [
        {"name": "t", "description": "D.", "parameters": (arguments())}
    ]} => ["t"];
    openai_responses: [{
        "type": "function", "name": "t", "description": "D.", "strict": false, "parameters": (arguments())
    }] => ["t"];
    anthropic: [{"name": "t", "description": "D.", "input_schema": (arguments())}] => ["t"];
    anthropic_custom: {"system": "S", "tools": [
        {"type": "custom", "name": "t", "description": "D.", "input_schema": (arguments())}
    ]} => ["t"];
    gemini_json_schema: {"functionDeclarations": [
        {"name": "t", "description": "D.", "parametersJsonSchema": (arguments())}
    ]} => ["t"];
    gemini_snake_case: {"tools": [{"function_declarations": [
        {"name": "t", "description": "D.", "parameters_json_schema": (arguments())}
    ]}]} => ["t"];
    gemini_types_in_capitals: [{"functionDeclarations": [{"name": "t", "description": "D.", "parameters": {
        "type": "OBJECT", "properties": {"a": {"type": "STRING", "x-own": [1]}}, "required": ["a"]
    }}]}] => ["t"];
    bedrock: [{"toolSpec": {
        "name": "t", "description": "D.", "inputSchema": {"json": (arguments())}
    }}] => ["t"];
    bedrock_request: {"toolConfig": {"tools": [{"toolSpec": {
        "name": "t", "description": "D.", "inputSchema": {"json": (arguments())}
    }}]}} => ["t"];
    mixture: [
        {"name": "a", "description": "D.", "input_schema": (arguments())},
        {"tools": [{"name": "b", "description": "D.", "inputSchema": (arguments())}]},
        [{"type": "function", "function": {
            "name": "c", "description": "D.", "parameters": (arguments())
        }}],
    ] => ["a", "b", "c"];
    nothing: [] => [];
    no_tools: {"tools": []} => [];
    no_tools_at_all: {"model": "m", "tools": null} => [];
}

#[test]
fn a_server_by_option_is_stronger_than_by_its_own_word() {
    let value = json!({"serverInfo": {"name": "own"}, "tools": [{"name": "t", "inputSchema": {}}]});
    let list = read_tools_with(&value, &ReadOptions::new().with_server("given"));
    assert_eq!(names(&list), ["given/t"]);
}

#[test]
fn a_given_server_owns_tools_however_they_are_written() {
    let value = json!([
        {"name": "t", "input_schema": {}},
        {"type": "custom", "name": "free"},
    ]);
    let list = read_tools_with(&value, &ReadOptions::new().with_server("s"));
    assert_eq!(names(&list), ["s/t"]);
    assert_eq!(
        messages(&list),
        ["`/1`: the tool `free` is left out: a tool of an MCP server takes JSON, not a free text"]
    );
}

#[test]
fn what_mcp_says_about_a_tool_is_kept() {
    let value = json!({"serverInfo": {"name": "s"}, "tools": [{
        "name": "t",
        "title": "T",
        "inputSchema": {"type": "object"},
        "outputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}},
        "annotations": {
            "title": "Tee", "readOnlyHint": true, "destructiveHint": false, "openWorldHint": true
        },
        "_meta": {"owner": {"team": 7}},
    }]});
    let list = read_tools(&value);
    assert_eq!(messages(&list), Vec::<&str>::new());
    let tool = &list.tools[0];
    assert_eq!(tool.title.as_deref(), Some("T"));
    assert_eq!(tool.output_schema.as_deref(), Some(&value["tools"][0]["outputSchema"]));
    assert_eq!(json!(tool.meta), value["tools"][0]["_meta"]);
    let hints = &tool.annotations;
    assert_eq!((hints.title.as_deref(), hints.read_only), (Some("Tee"), true));
    assert_eq!((hints.destructive, hints.idempotent), (Some(false), None));
    assert_eq!(hints.open_world, Some(true));
    // Without a server they are kept as well.
    let list = read_tools(&value["tools"]);
    let own = &list.tools[0];
    assert_eq!((own.server.as_deref(), own.name.as_str()), (None, "t"));
    assert_eq!((&own.title, &own.annotations, &own.meta), (&tool.title, hints, &tool.meta));
}

#[test]
fn free_texts_with_and_without_a_grammar() {
    let list = read_tools(&json!([
        {"type": "custom", "name": "a", "description": "D."},
        {"type": "custom", "name": "b", "format": {"type": "text"}},
        {"type": "custom", "name": "c", "format": {
            "type": "grammar", "syntax": "lark", "definition": "start: WORD"
        }},
        {"type": "custom", "custom": {"name": "d", "format": {
            "type": "grammar", "grammar": {"syntax": "regex", "definition": "[a-z]+"}
        }}},
        {"type": "custom", "name": "e", "format": {"type": "grammar", "syntax": "peg"}},
    ]));
    let grammars: Vec<Option<Grammar>> = list
        .tools
        .iter()
        .map(|tool| match &tool.arguments {
            Arguments::Text(grammar) => grammar.clone(),
            other => panic!("{}: {other:?}", tool.name),
        })
        .collect();
    assert_eq!(
        grammars,
        [
            None,
            None,
            Some(Grammar::new(GrammarSyntax::Lark, "start: WORD")),
            Some(Grammar::new(GrammarSyntax::Regex, "[a-z]+")),
            None,
        ]
    );
    assert_eq!(
        messages(&list),
        ["`/4/format`: no grammar in `lark` or `regex` with a `definition`; any text is taken"]
    );
}

#[test]
fn the_subset_of_gemini_becomes_json_schema() {
    let list = read_tools(&json!({"functionDeclarations": [{"name": "t", "parameters": {
        "type": "OBJECT",
        "properties": {
            "n": {"type": "INTEGER", "nullable": true, "minimum": 1},
            "mode": {"type": "STRING", "format": "enum", "enum": ["a", "b"], "nullable": true},
            "steps": {"type": "ARRAY", "minItems": "1", "items": {
                "type": "OBJECT", "properties": {"id": {"type": "NUMBER"}}, "required": ["id"]
            }},
            "any": {"type": "TYPE_UNSPECIFIED", "description": "Anything."},
            "either": {"anyOf": [{"type": "BOOLEAN"}, {"type": "STRING"}], "nullable": true},
            "sure": {"type": "STRING", "nullable": false},
        },
        "propertyOrdering": ["n", "mode"],
    }}]}));
    assert_eq!(messages(&list), Vec::<&str>::new());
    assert_eq!(
        schema(&list.tools[0]),
        &json!({
            "type": "object",
            "properties": {
                "n": {"type": ["integer", "null"], "minimum": 1},
                "mode": {
                    "type": ["string", "null"], "format": "enum", "enum": ["a", "b", null]
                },
                "steps": {"type": "array", "minItems": 1, "items": {
                    "type": "object", "properties": {"id": {"type": "number"}}, "required": ["id"]
                }},
                "any": {"description": "Anything."},
                "either": {
                    "anyOf": [{"type": "boolean"}, {"type": "string"}, {"type": "null"}]
                },
                "sure": {"type": "string"},
            },
            "propertyOrdering": ["n", "mode"],
        })
    );
}

#[test]
fn functions_without_parameters_take_nothing() {
    let list = read_tools(&json!([
        {"type": "function", "function": {"name": "a"}},
        {"type": "function", "name": "b"},
        {"functionDeclarations": [{"name": "c", "description": "D."}]},
    ]));
    assert_eq!(messages(&list), Vec::<&str>::new());
    assert_eq!(names(&list), ["a", "b", "c"]);
    for tool in &list.tools {
        assert_eq!(schema(tool), &json!({"type": "object", "properties": {}}));
    }
}

/// Each dialect is read as it is written: nothing is said, and it is written again as the same.
#[test]
fn every_dialect_is_read_as_it_is_written() {
    let text = std::fs::read_to_string(
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/read/tickets.json"),
    );
    let list = read_tools_text("tickets.json", &text.unwrap(), &ReadOptions::new()).unwrap();
    for dialect in Dialect::ALL {
        let options = NativeOptions::new(dialect);
        let written = native_tools(&list.tools, &options).to_value();
        let holder = match dialect {
            Dialect::Gemini | Dialect::GeminiLegacy => json!([{"functionDeclarations": written}]),
            _ => json!({"tools": written}),
        };
        let read = read_tools(&holder);
        assert_eq!(messages(&read), Vec::<&str>::new(), "{dialect}");
        let again = native_tools(&read.tools, &options);
        assert_eq!(again.to_value(), written, "{dialect}");
    }
}
