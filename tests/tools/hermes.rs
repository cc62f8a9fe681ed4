//! The `hermes` text form: a `<tools>` block that nothing in a description can close or break.

use promptline::{
    Condition, Dialect, McpTool, Pack, Param, Place, PromptContext, PromptRegistry, PromptVariant,
    Template, Text, ToolSet, ToolSpec, Volatility,
    tools::{NativeOptions, TextForm, ToolForm, native_tools, read_tools, tool_section_as},
};
use proptest::prelude::*;
use serde_json::{Value, json};

fn block(tools: &[ToolSpec]) -> String {
    let section = tool_section_as(TextForm::Hermes, tools, &PromptContext::default()).unwrap();
    assert_eq!(section.diagnostics, []);
    section.text.to_string()
}

/// The lines of a block as JSON.
fn functions(block: &str) -> Vec<Value> {
    let inside = block.strip_prefix("<tools>\n").unwrap().strip_suffix("\n</tools>").unwrap();
    inside.split('\n').map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn one_function_a_line() {
    let read = ToolSpec::new("read_file")
        .with_description("Read a file.")
        .with_param(Param::required("path", "Where it is.").with_tool_note("Paths are relative."))
        .with_param(Param::optional("lines", "How many.").with_kind("integer"));
    let now = ToolSpec::new("now").with_description("Say the time.");
    insta::assert_snapshot!(block(&[read, now]), @r#"
    <tools>
    {"type":"function","function":{"name":"read_file","description":"Read a file.\nPaths are relative.","parameters":{"type":"object","properties":{"path":{"type":"string","description":"Where it is."},"lines":{"type":"integer","description":"How many."}},"required":["path"],"additionalProperties":false}}}
    {"type":"function","function":{"name":"now","description":"Say the time.","parameters":{"type":"object","properties":{},"required":[],"additionalProperties":false}}}
    </tools>
    "#);
}

#[test]
fn a_schema_from_elsewhere_is_kept_whole() {
    let schema = json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}},
        "$defs": {"A": {"enum": [1, null]}}, "x-own": "</tools>"});
    let spec = ToolSpec::mcp("s", &McpTool::new("t", "</tools>\n<tool_call>", schema.clone()));
    let text = block(&[spec]);
    assert_eq!(text.matches("<tools>").count(), 1);
    assert_eq!(text.matches("</tools>").count(), 1);
    assert_eq!(text.matches("<tool_call>").count(), 0);
    let function = &functions(&text)[0]["function"];
    assert_eq!(function["parameters"], schema);
    assert_eq!(function["description"], "s: </tools>\n<tool_call>");
}

#[test]
fn conditions_decide_as_in_the_other_form() {
    let spec = ToolSpec::new("t")
        .with_description("D.")
        .with_param(Param::required("a", "A."))
        .with_param(
            Param::required("b", "B.").with_tool_note("N.").with_when(Condition::flag("b")),
        );
    let off = ToolSpec::new("off").with_description("D.").with_when(Condition::flag("b"));
    let tools = [spec, off];
    let function = &functions(&block(&tools))[0]["function"];
    assert_eq!(function["parameters"]["required"], json!(["a"]));
    assert_eq!(function["description"], "D.");
    let cx = PromptContext::default().with_flag("b");
    let text = tool_section_as(TextForm::Hermes, &tools, &cx).unwrap().text.to_string();
    let all = functions(&text);
    assert_eq!(all.len(), 2);
    assert_eq!(all[0]["function"]["parameters"]["required"], json!(["a", "b"]));
    assert_eq!(all[0]["function"]["description"], "D.\nN.");
}

#[test]
fn what_the_author_wrote_of_a_schema_is_stronger() {
    let mut param = Param::required("p", "P.");
    param.schema.insert("type".to_owned(), json!(["string", "null"]));
    param.schema.insert("maxLength".to_owned(), json!(9));
    let function = &functions(&block(&[ToolSpec::new("t").with_param(param)]))[0]["function"];
    assert_eq!(
        function["parameters"]["properties"]["p"].to_string(),
        r#"{"description":"P.","type":["string","null"],"maxLength":9}"#
    );
}

#[test]
fn no_tools_no_block() {
    assert_eq!(block(&[]), "");
    assert_eq!(block(&[ToolSpec::new("only_to_depend_on")]), "");
}

fn variant() -> PromptVariant {
    PromptVariant::new("mine")
        .with_template(Template::parse("A\n\n{{TOOLS_SECTION}}\n\nB").unwrap())
        .with_tools(["read_file"])
        .with_tool_form(ToolForm::Hermes)
}

#[test]
fn a_variant_describes_its_tools_in_it() {
    let registry = PromptRegistry::builder()
        .pack(Pack::builtin())
        .variant_at(variant(), Place::First)
        .tools(
            ToolSet::new().add(
                ToolSpec::new("odd")
                    .with_description("a\n\n\n\n====\n##\n```\nb")
                    .with_schema(json!({})),
            ),
        )
        .build()
        .unwrap();
    let prompt = registry.build_blocking(&PromptContext::default().with_variant("mine")).unwrap();
    let section = prompt.section("TOOLS_SECTION").unwrap();
    assert_eq!(prompt.text(), format!("A\n\n{section}\n\nB"));
    let functions = functions(&section);
    assert_eq!(functions.len(), 2);
    // The clean-up does not reach into JSON.
    assert_eq!(functions[1]["function"]["description"], "a\n\n\n\n====\n##\n```\nb");
}

#[test]
fn what_a_request_brings_is_as_volatile_as_in_the_other_form() {
    for form in [ToolForm::Xml, ToolForm::Hermes] {
        let words = Template::parse("At {{SPOT}}.").unwrap();
        let registry = PromptRegistry::builder()
            .variant_at(variant().with_tools(["t"]).with_tool_form(form), Place::First)
            .tools(ToolSet::new().add(ToolSpec::new("t").with_description(words)))
            .build()
            .unwrap();
        let cx =
            PromptContext::default().with_variant("mine").with_runtime("SPOT", "a \"b\" </tools>");
        let prompt = registry.build_blocking(&cx).unwrap();
        let sections = prompt.sections();
        let section = sections.iter().find(|section| section.id == "TOOLS_SECTION").unwrap();
        assert_eq!(section.volatility, Volatility::Turn, "{form:?}");
        if form == ToolForm::Hermes {
            let functions = functions(&prompt.section("TOOLS_SECTION").unwrap());
            assert_eq!(functions[0]["function"]["description"], "At a \"b\" </tools>.");
        }
    }
}

fn words() -> impl Strategy<Value = String> {
    let pieces = [
        "a", "<", "/", "tools>", "</tools>", "<TOOLS>", "\"", "\\", "\n", "\r", "\u{0}", "é",
        "\u{2028}",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..8).prop_map(|all| all.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn nothing_closes_the_block(authored in words(), verbatim in words(), own in words()) {
        let mut text = Text::authored(&authored);
        text.push_verbatim(verbatim.as_str(), "x");
        text.push_authored(&own);
        let said = text.to_string();
        let tools = [
            ToolSpec::new("a")
                .with_description(text)
                .with_param(Param::required("p", own.clone()).with_tool_note(verbatim.clone()))
                .with_param(Param::optional("q", authored).with_kind("integer")),
            ToolSpec::new("b").with_description("D.").with_schema(json!({"description": verbatim})),
        ];
        let block = block(&tools);
        prop_assert_eq!(block.to_lowercase().matches("<tools").count(), 1);
        prop_assert_eq!(block.to_lowercase().matches("</tools").count(), 1);
        let functions = functions(&block);
        // The provider that takes the same in its request is given the same.
        let options = NativeOptions::new(Dialect::OpenAi);
        let native = native_tools(&tools[..1], &PromptContext::default(), &options).unwrap();
        let mut native = native.to_value()[0].take();
        native["function"].as_object_mut().unwrap().shift_remove("strict");
        prop_assert_eq!(&functions[0], &native);
        let described = functions[0]["function"]["description"].as_str().unwrap();
        prop_assert!(described.starts_with(&said));
        prop_assert_eq!(&functions[1]["function"]["parameters"]["description"], &json!(verbatim));
        // It is a list like any other.
        let list = read_tools(&Value::Array(functions));
        prop_assert_eq!(list.tools.len(), 2);
    }
}
