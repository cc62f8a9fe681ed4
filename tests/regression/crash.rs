//! Input that brought other assemblers down gets an answer or a clear error here.

use promptline::template::Partials;
use promptline::{
    ErrorKind, McpServer, McpTool, Pack, PromptContext, PromptRegistry, PromptVariant, RulesFile,
    Template, ToolSet, ToolSpec,
};
use serde::ser::Error as _;
use serde_json::{Map, Value, json};

use crate::support::{built, full_context, registry_of, text_of, variant};

/// A prompt with this schema on a host tool and on an MCP tool, between others that are sound.
fn with_schema(schema: &Value) -> promptline::Prompt {
    let tools = ToolSet::new()
        .add(ToolSpec::new("before").with_description("Sound."))
        .add(ToolSpec::new("odd").with_description("Odd.").with_schema(schema.clone()))
        .add(ToolSpec::new("zeal").with_description("Sound."));
    let server = McpServer::new("srv")
        .with_tool(McpTool::new("a_sound", "Sound.", json!({"type": "object"})))
        .with_tool(McpTool::new("m_odd", "Odd.", schema.clone()))
        .with_tool(McpTool::new("z_sound", "Sound.", json!({"type": "object"})));
    let registry = PromptRegistry::builder().pack(Pack::builtin()).tools(tools);
    built(registry, &full_context().with_variant("generic").with_mcp_server(server))
}

#[track_caller]
fn others_are_there(prompt: &promptline::Prompt) {
    let tools = prompt.section("TOOLS_SECTION").unwrap();
    for id in ["## read_file", "## before", "## zeal"] {
        assert!(tools.contains(id), "{id} is missing:\n{tools}");
    }
    let mcp = prompt.section("MCP_SECTION").unwrap();
    for name in ["\n- a_sound: ", "\n- z_sound: "] {
        assert!(mcp.contains(name), "{name} is missing:\n{mcp}");
    }
}

#[test]
fn z01_a_null_property_schema_costs_at_most_its_own_tool() {
    let prompt = with_schema(&json!({"type": "object", "properties": {"x": null}}));
    others_are_there(&prompt);
    let tools = prompt.section("TOOLS_SECTION").unwrap();
    assert!(tools.contains("## odd\nDescription: Odd.\nParameters:\n- x: (optional) \n"));
    let mcp = prompt.section("MCP_SECTION").unwrap();
    assert!(mcp.contains(r#"{"type":"object","properties":{"x":null}}"#), "{mcp}");
    let mut warnings = prompt.report().warnings();
    assert!(warnings.any(|warning| warning.subject.as_deref() == Some("odd")));
}

#[test]
fn z01_schemas_of_every_wrong_shape_are_survived() {
    for schema in [
        Value::Null,
        json!(true),
        json!([]),
        json!("object"),
        json!({"properties": []}),
        json!({"properties": {"x": 7}, "required": "x"}),
        json!({"properties": {"x": []}, "required": [1, null, {}]}),
        json!({"properties": {"x": {"properties": {"y": null}}}}),
    ] {
        others_are_there(&with_schema(&schema));
    }
}

#[test]
fn z03_a_description_that_is_no_string_costs_only_itself() {
    for words in [json!({"en": "hi"}), json!(7), json!(["hi"])] {
        let prompt = with_schema(&json!({
            "type": "object",
            "properties": {"x": {"type": "string", "description": words.clone()}},
        }));
        others_are_there(&prompt);
        let tools = prompt.section("TOOLS_SECTION").unwrap();
        assert!(tools.contains("\n- x: (optional) \n"), "{tools}");
        // In the list of servers the schema is there as it came.
        let mcp = prompt.section("MCP_SECTION").unwrap();
        assert!(mcp.contains(&format!("\"description\":{words}")), "{mcp}");
        let warned =
            prompt.report().warnings().any(|warning| warning.subject.as_deref() == Some("odd"));
        assert!(warned, "{words}: {:?}", prompt.report().diagnostics);
    }
}

#[test]
fn z04_a_value_that_cannot_be_written_is_an_error_that_names_it() {
    struct Cyclic;
    impl serde::Serialize for Cyclic {
        fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            Err(S::Error::custom("it contains itself"))
        }
    }
    let error = PromptContext::default().try_runtime("X", Cyclic).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Context);
    assert!(error.message().contains("`X`"), "{error}");
    let cause = std::error::Error::source(&error).map(ToString::to_string);
    assert_eq!(cause.as_deref(), Some("it contains itself"));

    // A number beyond 64 bits is one as well, not a panic; one that fits is printed.
    let huge = PromptContext::default().try_runtime("X", u128::MAX);
    assert_eq!(huge.unwrap_err().kind(), ErrorKind::Context);
    let fits = PromptContext::default().try_runtime("X", u64::MAX).unwrap();
    assert_eq!(text_of(registry_of(variant("[{{X}}]", &[])), &fits), "[18446744073709551615]");
}

#[test]
fn z05_partials_that_print_each_other_are_a_load_error() {
    let error = Partials::from_sources([("a", "{{> b}}"), ("b", "{{> a}}")]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Template);
    assert!(error.message().contains("a -> b -> a"), "{error}");
    assert!(Partials::from_sources([("a", "{{> a}}")]).is_err());
    // A ring that is only reached from outside of it, and a long one.
    let ring = (0..10_000).map(|n| (format!("p{n}"), format!("{{{{> p{}}}}}", (n + 1) % 10_000)));
    let ring = ring.chain([("outside".to_owned(), "{{> p5}}".to_owned())]);
    assert_eq!(Partials::from_sources(ring).unwrap_err().kind(), ErrorKind::Template);
}

#[test]
fn z07_else_if_with_a_tilde_is_read() {
    let render = |source: &str| Template::parse(source)?.render(&Map::new());
    // With a literal as its condition, a block is a question that is always answered the same way.
    match render("{{#if 1}}\n{{~else if 0 }}\n{{/if}}") {
        Ok(text) => assert_eq!(text, ""),
        Err(error) => assert!(error.line_column().is_some(), "{error}"),
    }
    for (a, right) in [(true, "[A]"), (false, "[B]")] {
        let template = Template::parse("[{{#if A}} A {{~else if B~}} B {{/if}}]").unwrap();
        let values = json!({"A": a, "B": true});
        let text = template.render(values.as_object().unwrap()).unwrap();
        assert_eq!(text.replace(' ', ""), right);
    }
}

#[test]
fn z07_the_lock_file_holds_a_handlebars_without_the_fault() {
    // Of the workspace; a package has its own, where it was packed with one.
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.lock");
    let Ok(lock) = std::fs::read_to_string(file) else {
        return println!("there is no lock file here; nothing was compared");
    };
    let lock: toml::Table = lock.parse().unwrap();
    let mut packages = lock["package"].as_array().unwrap().iter();
    let handlebars = packages
        .find(|package| package["name"].as_str() == Some("handlebars"))
        .expect("the lock file has handlebars");
    let version: Vec<u32> = handlebars["version"]
        .as_str()
        .unwrap()
        .split('.')
        .map(|part| part.parse().unwrap())
        .collect();
    assert!(version >= vec![6, 4, 4], "{version:?}");
}

#[test]
fn z08_without_a_variant_the_error_says_what_there_is() {
    let none = PromptRegistry::builder().build().unwrap();
    let error = none.build_blocking(&PromptContext::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NoVariant);

    let never = |id: &str| PromptVariant::new(id).with_matcher(|_| false);
    let registry = registry_of(never("alpha"))
        .variant_at(never("beta"), promptline::Place::Last)
        .build()
        .unwrap();
    for cx in [
        PromptContext::default(),
        PromptContext::new("", "a\nb"),
        PromptContext::default().with_variant("gamma"),
        PromptContext::default().with_rules(RulesFile::new("", "")),
    ] {
        let error = registry.build_blocking(&cx).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NoVariant);
        let whole = format!("{error:#}");
        assert!(whole.contains("alpha") && whole.contains("beta"), "{whole}");
    }
}
