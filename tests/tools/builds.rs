//! In which form a build offers its tools, which of them, and under which names.

use promptline::{
    BuildOptions, Dialect, McpServer, McpTool, Pack, Param, Prompt, PromptContext, PromptRegistry,
    PromptVariant, ToolSet, ToolSpec,
    tools::{McpAnnotations, McpForm, ToolForm},
};
use serde_json::json;

fn builtin() -> PromptRegistry {
    PromptRegistry::builder().pack(Pack::builtin()).build().unwrap()
}

fn server() -> McpServer {
    let schema = json!({"type": "object", "properties": {"q": {"type": "string"}}});
    let read = McpAnnotations::read_only();
    McpServer::new("help desk")
        .with_tool(McpTool::new("search", "Find tickets.", schema.clone()).with_annotations(read))
        .with_tool(McpTool::new("close", "Close a ticket.", schema))
}

fn cx(variant: &str) -> PromptContext {
    PromptContext::new("anthropic", "claude-opus-5").with_variant(variant).with_mcp_server(server())
}

fn names(prompt: &Prompt) -> Vec<&str> {
    prompt.tool_names().model_names().collect()
}

#[test]
fn native_tools_stand_beside_the_prompt_with_those_of_servers() {
    let prompt = builtin().build_blocking(&cx("native-next-gen")).unwrap();
    assert_eq!(prompt.section("TOOLS_SECTION"), None);
    let tools = prompt.tools().unwrap();
    assert_eq!(tools.dialect(), Dialect::Anthropic);
    let names = names(&prompt);
    assert!(names.contains(&"read_file") && !names.contains(&"use_mcp_tool"), "{names:?}");
    let (called, tool) =
        prompt.tool_names().iter().find(|(_, tool)| tool.name == "search").unwrap();
    assert_eq!(tool.server.as_deref(), Some("help desk"));
    assert!(called.starts_with("help_desk__search"), "{called}");
    // What is not shown in a list is not spoken of.
    assert_eq!(prompt.section("MCP_SECTION"), None);
}

#[test]
fn a_text_lists_the_tools_of_servers_unless_the_variant_or_the_host_says_otherwise() {
    let registry = builtin();
    let listed = registry.build_blocking(&cx("next-gen")).unwrap();
    assert!(listed.section("MCP_SECTION").unwrap().contains("- search: Find tickets."));
    assert!(names(&listed).contains(&"use_mcp_tool"));
    let first_class = BuildOptions::new().with_mcp_form(McpForm::FirstClass);
    for prompt in [
        registry.build_blocking(&cx("devstral")).unwrap(),
        registry.build_blocking_with(&cx("next-gen"), &first_class).unwrap(),
    ] {
        assert!(!names(&prompt).contains(&"use_mcp_tool"));
        let (called, _) =
            prompt.tool_names().iter().find(|(_, tool)| tool.name == "search").unwrap();
        // A name with a blank cannot be a tag.
        assert!(!called.contains(' '), "{called}");
        let section = prompt.section("TOOLS_SECTION").unwrap();
        assert!(section.contains(&format!("## {called}\nDescription: help desk: Find tickets.\n")));
        assert!(prompt.report().warnings().any(|warning| warning.code == "tool-renamed"));
    }
}

#[test]
fn the_host_names_the_dialect() {
    let registry = builtin();
    for dialect in Dialect::ALL {
        let options = BuildOptions::new().with_dialect(dialect);
        let prompt = registry.build_blocking_with(&cx("native-next-gen"), &options).unwrap();
        assert_eq!(prompt.tools().unwrap().dialect(), dialect);
        assert_eq!(prompt.dialect(), dialect);
    }
    let strict = BuildOptions::new().with_dialect(Dialect::OpenAi).with_strict(true);
    let prompt = registry.build_blocking_with(&cx("native-next-gen"), &strict).unwrap();
    assert_eq!(prompt.tools().unwrap().to_value()[0]["function"]["strict"], true);
}

#[test]
fn a_mode_leaves_only_tools_that_fit_it_when_asked() {
    let registry = builtin();
    let names = |mode: &str, wanted: bool| -> Vec<String> {
        let options = BuildOptions::new().with_filter_by_mode(wanted);
        let cx = cx("native-next-gen").with_mode(mode);
        let prompt = registry.build_blocking_with(&cx, &options).unwrap();
        prompt.tool_names().iter().map(|(_, tool)| tool.id.clone()).collect()
    };
    let has = |names: &[String], id: &str| names.iter().any(|name| name == id);
    let plan = names("plan", true);
    assert!(has(&plan, "read_file") && has(&plan, "plan_mode_respond"));
    assert!(!has(&plan, "write_to_file") && !has(&plan, "execute_command"));
    // Of a server's tools, those that it says so of.
    assert!(has(&plan, "help desk/search") && !has(&plan, "help desk/close"));
    let act = names("act", true);
    assert!(has(&act, "write_to_file") && !has(&act, "plan_mode_respond"));
    assert_eq!(names("plan", false), names("act", false));
}

#[test]
fn without_any_tool_no_form_is_spoken_of() {
    let registry = PromptRegistry::builder()
        .pack(Pack::builtin())
        .tools(ToolSet::new().only())
        .build()
        .unwrap();
    for variant in ["native-next-gen", "next-gen", "xs", "glm"] {
        let cx = PromptContext::default().with_variant(variant).with_flag("native_tools");
        let prompt = registry.build_blocking(&cx).unwrap();
        assert!(prompt.tools().is_none(), "{variant}");
        assert_eq!(prompt.section("TOOL_USE_SECTION"), None, "{variant}");
    }
}

#[test]
fn either_form_is_the_flags_choice() {
    let registry = builtin();
    for variant in ["xs", "glm", "hermes", "devstral", "trinity"] {
        assert_eq!(registry.get(variant).unwrap().tool_form(), ToolForm::Either);
        let text = registry.build_blocking(&cx(variant)).unwrap();
        assert!(text.tools().is_none() && text.section("TOOLS_SECTION").is_some(), "{variant}");
        let native = registry.build_blocking(&cx(variant).with_flag("native_tools")).unwrap();
        assert!(native.tools().is_some(), "{variant}");
        assert_eq!(native.section("TOOLS_SECTION"), None, "{variant}");
    }
}

/// A parameter depends on the same things in both forms.
#[test]
fn conditions_decide_the_same_in_both_forms() {
    let tool = ToolSpec::new("look")
        .with_description("Looks.")
        .with_param(Param::required("at", "What."))
        .with_param(
            Param::optional("near", "Where.").with_when(promptline::Condition::flag("map")),
        );
    let build = |form: ToolForm, flags: &[&str]| {
        let registry = PromptRegistry::builder()
            .variant_at(
                PromptVariant::new("v")
                    .with_template(promptline::Template::parse("{{TOOLS_SECTION}}").unwrap())
                    .with_tool_form(form),
                promptline::Place::First,
            )
            .tools(ToolSet::new().add(tool.clone()))
            .build()
            .unwrap();
        let cx = flags.iter().fold(PromptContext::default(), |cx, flag| cx.with_flag(*flag));
        let prompt = registry.build_blocking(&cx).unwrap();
        let beside = prompt.tools().map(|tools| tools.to_value().to_string());
        format!("{}{}", prompt.text(), beside.unwrap_or_default())
    };
    for form in [ToolForm::Xml, ToolForm::Hermes, ToolForm::Native] {
        assert!(build(form, &["map"]).contains("near"), "{form:?}");
        assert!(!build(form, &[]).contains("near"), "{form:?}");
    }
}
