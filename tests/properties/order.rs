//! The order in which things are registered is no input: it changes no byte of text, sections, report
//! and fingerprint. (Variants and rules are ordered lists; their order is input.)

use promptline::{
    BuildOptions, McpServer, McpTool, Pack, Param, Place, Prompt, PromptContext, PromptRegistry,
    PromptVariant, Text, ToolSet, ToolSpec, component_fn, context::Skill, prompt::CachePlan,
    tools::ToolForm,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Value, json};

use crate::generate;

/// What a host registers and says, as lists whose order must not matter.
#[derive(Debug, Clone)]
struct Host {
    components: Vec<(&'static str, Place)>,
    tools: Vec<ToolSet>,
    defaults: Vec<(&'static str, &'static str)>,
    servers: Vec<McpServer>,
    skills: Vec<Skill>,
    flags: Vec<&'static str>,
    params: Vec<(&'static str, i64)>,
    runtime: Vec<(&'static str, String)>,
}

fn host() -> impl Strategy<Value = Host> {
    let lists = (generate::servers(), generate::skills(), vec(generate::text(), 3));
    let flags = subsequence(&generate::FLAGS[..], 0..=generate::FLAGS.len());
    (components(), lists, flags).prop_map(|(components, (servers, skills, texts), flags)| Host {
        components,
        tools: tools(),
        defaults: vec![("TONE", "brief"), ("AGENT_NAME", "Ada"), ("FEEDBACK_ADDRESS", "x")],
        servers,
        skills,
        flags,
        params: vec![("limit", 3), ("size", 4), ("a", 5)],
        runtime: ["AGENT_NAME", "OS", "TICKET"].into_iter().zip(texts).collect(),
    })
}

fn components() -> impl Strategy<Value = Vec<(&'static str, Place)>> {
    let place = select(vec![
        Place::First,
        Place::Last,
        Place::before("RULES_SECTION"),
        Place::after("RULES_SECTION"),
        Place::after("H1_SECTION"),
        Place::before("H3_SECTION"),
        Place::after("NOWHERE_SECTION"),
    ]);
    let ids = ["H0_SECTION", "H1_SECTION", "H2_SECTION", "H3_SECTION", "H4_SECTION"];
    vec(place, ids.len()).prop_map(move |places| ids.into_iter().zip(places).collect())
}

fn tools() -> Vec<ToolSet> {
    let tool = |id: &str| {
        ToolSpec::new(id)
            .with_description(id.to_uppercase())
            .with_param(Param::required("x", "An x."))
    };
    vec![
        ToolSet::new().add(tool("open_ticket")).add(tool("close_ticket")),
        ToolSet::new().add(tool("ask_tracker").with_role("tracker")),
        ToolSet::new().add(tool("move_ticket").with_role("tracker")),
        ToolSet::new().rename("execute_command", "run").rename("read_file", "open"),
        ToolSet::new().remove("list_files").replace(tool("search_files")),
    ]
}

/// The same in some other order, MCP tools and resources too.
fn shuffled(host: Host) -> impl Strategy<Value = Host> {
    let Host { components, tools, defaults, mut servers, skills, flags, params, runtime } = host;
    for server in &mut servers {
        server.tools.reverse();
        server.resources.reverse();
    }
    let registered = (
        Just(components).prop_shuffle(),
        Just(tools).prop_shuffle(),
        Just(defaults).prop_shuffle(),
    );
    let said = (
        Just(servers).prop_shuffle(),
        Just(skills).prop_shuffle(),
        Just(flags).prop_shuffle(),
        Just(params).prop_shuffle(),
        Just(runtime).prop_shuffle(),
    );
    (registered, said).prop_map(
        |((components, tools, defaults), (servers, skills, flags, params, runtime))| Host {
            components,
            tools,
            defaults,
            servers,
            skills,
            flags,
            params,
            runtime,
        },
    )
}

fn build(host: Host) -> Prompt {
    let variant = host.defaults.into_iter().fold(
        PromptVariant::new("host")
            .with_components([
                "AGENT_ROLE_SECTION",
                "TOOL_USE_SECTION",
                "RULES_SECTION",
                "MCP_SECTION",
            ])
            .with_tool_form(ToolForm::Either)
            .with_tools([
                "execute_command",
                "read_file",
                "list_files",
                "search_files",
                "use_mcp_tool",
            ])
            .with_matcher(|cx| !cx.flags.contains("cli")),
        |variant, (name, value)| variant.with_placeholder(name, value),
    );
    let mut registry =
        PromptRegistry::builder().pack(Pack::builtin()).variant_at(variant, Place::First);
    for (id, place) in host.components {
        // A section that is not the same twice if anything before it is not.
        let write = move |cx: &promptline::ComponentCx<'_>| {
            let tools: Vec<_> =
                cx.tools().iter().map(promptline::tools::EnabledTool::name).collect();
            Ok(Some(Text::authored(format!("{id} {}", tools.join(" ")))))
        };
        registry = registry.component_at(component_fn(id, write), place);
    }
    for tools in host.tools {
        registry = registry.tools(tools);
    }
    let cx =
        host.servers.into_iter().fold(PromptContext::default(), PromptContext::with_mcp_server);
    let cx = host.skills.into_iter().fold(cx, PromptContext::with_skill);
    let cx = host.flags.into_iter().fold(cx, PromptContext::with_flag);
    let cx = host.params.into_iter().fold(cx, |cx, (name, value)| cx.with_param(name, value));
    let cx = host.runtime.into_iter().fold(cx, |cx, (name, value)| cx.with_runtime(name, value));
    let options = BuildOptions::new().with_fingerprint(true);
    let registry = registry.build().expect("a registry");
    registry.build_blocking_with(&cx, &options).expect("a prompt")
}

/// Everything that a prompt says, as JSON text: bytes are compared, the order of keys included.
fn bytes(prompt: &Prompt) -> [String; 5] {
    [
        prompt.request_with(&CachePlan::new().with_marks(2).with_tools(true)).to_string(),
        prompt.text().to_owned(),
        json!(prompt.sections()).to_string(),
        json!(prompt.report()).to_string(),
        json!((prompt.tool_names(), prompt.fingerprint())).to_string(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn registration_order_changes_no_byte(
        (host, other) in host().prop_flat_map(|host| (Just(host.clone()), shuffled(host)))
    ) {
        prop_assert_eq!(bytes(&build(host)), bytes(&build(other)));
    }
}

/// Two builds of the built-in pack, the list in this order and reversed, give the same bytes.
fn both_ways<T: Clone>(items: Vec<T>, add: impl Fn(PromptContext, T) -> PromptContext) {
    let registry = PromptRegistry::builder().pack(Pack::builtin()).build().unwrap();
    let options = BuildOptions::new().with_fingerprint(true);
    let build = |items: Vec<T>| {
        let cx = items.into_iter().fold(PromptContext::default(), &add);
        registry.build_blocking_with(&cx, &options).unwrap()
    };
    let mut reversed = items.clone();
    reversed.reverse();
    assert_eq!(bytes(&build(items)), bytes(&build(reversed)));
}

#[test]
fn skills_with_one_name_have_one_order() {
    let twins = vec![Skill::new("deploy", "To the lab."), Skill::new("deploy", "To the shop.")];
    both_ways(twins, PromptContext::with_skill);
}

#[test]
fn mcp_servers_with_one_name_have_one_order() {
    let server = |tool: &str| McpServer::new("db").with_tool(McpTool::new(tool, "", Value::Null));
    both_ways(vec![server("read"), server("ask"), server("write")], PromptContext::with_mcp_server);
}

#[test]
fn mcp_tools_with_one_name_have_one_order() {
    let tools = vec![
        McpTool::new("query", "Rows.", json!({"type": "object"})),
        McpTool::new("query", "Rows.", Value::Null),
        McpTool::new("query", "Columns.", Value::Null),
    ];
    let add = |mut cx: PromptContext, tool| {
        let server = cx.mcp_servers.pop().unwrap_or_else(|| McpServer::new("db"));
        cx.with_mcp_server(server.with_tool(tool))
    };
    both_ways(tools, add);
}

#[cfg(feature = "handlebars")]
#[test]
fn a_loop_over_lists_of_the_context_keeps_their_order() {
    let template = promptline::Template::parse(
        "{{#each context.mcp_servers}}{{this.name}} {{/each}}{{#each context.skills}}{{this.name}} {{/each}}",
    );
    let variant = PromptVariant::new("generic").with_template(template.unwrap());
    let registry = PromptRegistry::builder().variant_at(variant, Place::First).build().unwrap();
    let cx = PromptContext::default()
        .with_mcp_server(McpServer::new("b"))
        .with_mcp_server(McpServer::new("a"))
        .with_skill(Skill::new("d", ""))
        .with_skill(Skill::new("c", ""));
    assert_eq!(registry.build_blocking(&cx).unwrap().text(), "b a d c");
}
