//! Tools of MCP servers in the text forms: described like any other, whatever they are called.

use promptline::{
    McpTool, PromptContext, ToolSpec,
    tools::{TextForm, ToolSection, tool_section, tool_section_as},
};
use serde_json::{Value, json};

fn tool(server: &str, name: &str, schema: Value) -> ToolSpec {
    ToolSpec::mcp(server, &McpTool::new(name, "D.", schema))
}

fn section(form: TextForm, tools: &[ToolSpec]) -> ToolSection {
    tool_section_as(form, tools, &PromptContext::default()).unwrap()
}

fn headings(section: &ToolSection) -> Vec<String> {
    let text = section.text.to_string();
    text.lines().filter_map(|line| line.strip_prefix("## ").map(str::to_owned)).collect()
}

#[test]
fn names_that_can_be_tags_stay() {
    let tools = [tool("s", "a.b-c", json!({})), tool("s", "höhe", json!({}))];
    let section = section(TextForm::Xml, &tools);
    assert_eq!(headings(&section), ["s__a.b-c", "s__höhe"]);
    assert_eq!(section.diagnostics, []);
    let tool = section.names.get("s__höhe").unwrap();
    assert_eq!((tool.server.as_deref(), tool.name.as_str()), (Some("s"), "höhe"));
}

#[test]
fn names_that_cannot_are_changed_and_map_back() {
    let tools: Vec<ToolSpec> = ["docs/append", "docs append", "docs>append"]
        .iter()
        .map(|name| tool("my server", name, json!({})))
        .collect();
    let forward = section(TextForm::Xml, &tools);
    assert_eq!(forward.diagnostics.len(), 3);
    for (name, tool) in headings(&forward).iter().zip(&tools) {
        assert!(name.starts_with("my_server__docs_append_"), "{name}");
        let known = forward.names.get(name).unwrap();
        assert_eq!((known.server.as_deref(), &*known.name), (Some("my server"), tool.raw_name()));
    }
    // Whatever the order.
    let mut reversed = tools.clone();
    reversed.reverse();
    let mut names = headings(&section(TextForm::Xml, &reversed));
    names.reverse();
    assert_eq!(names, headings(&forward));
}

#[test]
fn two_tools_never_have_one_name() {
    let own = ToolSpec::new("a__b__c").with_description("D.");
    let tools = [own, tool("a", "b__c", json!({})), tool("a__b", "c", json!({}))];
    for form in [TextForm::Xml, TextForm::Hermes] {
        let section = section(form, &tools);
        let names: Vec<&str> = section.names.iter().map(|(name, _)| name).collect();
        assert_eq!(names.len(), 3, "{names:?}");
        assert_eq!(section.names.get("a__b__c").unwrap().server, None);
        assert!(names.iter().all(|name| section.text.to_string().contains(name)));
    }
}

#[test]
fn a_parameter_that_cannot_be_a_tag_costs_its_tool_in_xml() {
    let odd = json!({"properties": {"filter[name]": {"type": "string"}}});
    let tools = [tool("s", "odd", odd), tool("s", "good", json!({}))];
    let xml = section(TextForm::Xml, &tools);
    assert_eq!(headings(&xml), ["s__good"]);
    assert_eq!(xml.names.len(), 1);
    assert_eq!(
        xml.diagnostics[0].message,
        "`s/odd` is left out: tool `s/odd`: the name `filter[name]` cannot be a tag"
    );
    // JSON has no tags.
    let hermes = section(TextForm::Hermes, &tools);
    assert_eq!((hermes.names.len(), hermes.diagnostics.len()), (2, 0));
    assert!(hermes.text.to_string().contains("filter[name]"));
    // A tool of the host is the host's mistake.
    let own = ToolSpec::new("odd").with_schema(json!({"properties": {"filter[name]": {}}}));
    assert!(tool_section(&[own], &PromptContext::default()).is_err());
}
