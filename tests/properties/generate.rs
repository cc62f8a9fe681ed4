//! Texts that love what prompts are made of, and contexts made of them.

use promptline::{
    McpServer, McpTool, PromptContext, RulesFile,
    context::Skill,
    context::{McpResource, ServerStatus, Viewport, WorkspaceRoot},
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Value, json};

/// What a template, a clean-up, a tool list, a regex or our own marks would react to.
const LOVED: [&str; 70] = [
    "{{CWD}}",
    "{{X}}",
    "{{{X}}}",
    "{{#if flag.browser}}",
    "{{else}}",
    "{{/if}}",
    "{{#each rules}}",
    "{{> partial}}",
    "{{!-- note --}}",
    "{{{{raw}}}}",
    "{{{{/raw}}}}",
    "{{",
    "}}",
    "${{ secrets.X }}",
    "\\{{",
    "====",
    "=======",
    "\n====\n",
    "\n\n====\n\n",
    "------- SEARCH",
    "+++++++ REPLACE",
    "<<<<<<< HEAD",
    ">>>>>>> main",
    "\n-------\na\n=======\nb\n+++++++\n",
    "# heading",
    "\n# heading\n",
    "##",
    "\n##\n",
    "## ",
    "\n```\n",
    "~~~~",
    "+++",
    "- item",
    "\n- item: (required) x",
    "\nUsage:\n",
    "Parameters:",
    "\nDescription: x",
    "<read_file>",
    "</path>\n",
    "$&",
    "$1",
    "\\1",
    "\\n",
    "%s",
    "\u{FDD0}0\u{FDD1}",
    "\u{FDD0}",
    "\u{FDD1}",
    "\u{FDD2}",
    "\u{FDEF}",
    "\u{FFFE}",
    "\u{FFFF}",
    "\u{10FFFF}",
    "\u{FEFF}",
    "\u{200B}",
    "\u{202E}",
    "\u{E0041}",
    "\u{00AD}",
    "\u{2028}",
    "\u{85}",
    "\0",
    "\u{1B}[31m",
    "\r\n",
    "\r",
    "\n",
    "\n\n\n",
    " ",
    "    ",
    "\t",
    "漢字",
    "é",
];

/// Any text, mostly of what prompts react to.
pub(crate) fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        6 => select(&LOVED[..]).prop_map(str::to_owned),
        1 => "[a-z ]{1,8}",
        1 => any::<char>().prop_map(String::from),
    ];
    vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

/// Any context, with every field given or not. Names are distinct, so that their order is known.
pub(crate) fn context() -> impl Strategy<Value = PromptContext> {
    let machine = vec(option::of(text()), 9);
    let lists = (rules(), skills(), servers(), roots());
    (model(), machine, flags(), lists, values(), values()).prop_map(
        |(model, machine, flags, (rules, skills, servers, roots), params, runtime)| {
            let mut cx = PromptContext::default();
            (cx.model.provider, cx.model.id, cx.model.window, cx.mode) = model;
            let mut machine = machine.into_iter();
            let mut next = || machine.next().flatten();
            cx.cwd = next();
            cx.environment.os = next();
            cx.environment.shell = next();
            cx.environment.home = next();
            cx.environment.ide = next();
            cx.date = next();
            cx.zone = next();
            cx.preferred_language = next();
            cx.browser = next().map(|text| Viewport::new(text.len() as u32, u32::MAX));
            cx.flags = flags.into_iter().collect();
            cx.rules = rules;
            cx.skills = skills;
            cx.mcp_servers = servers;
            cx.workspace_roots = roots;
            cx.params = named(params, &["limit", "team.size", "a"]).collect();
            cx.runtime = named(runtime, &["AGENT_NAME", "OS", "TICKET", "x.y"]).collect();
            cx
        },
    )
}

fn model() -> impl Strategy<Value = (String, String, Option<u64>, Option<String>)> {
    let id = prop_oneof![
        select(vec!["claude-sonnet-4-5", "gpt-5", "qwen3-coder-30b", "", "*"])
            .prop_map(str::to_owned),
        text(),
    ];
    let mode = prop_oneof![select(vec!["plan", "act"]).prop_map(str::to_owned), text()];
    (text(), id, option::of(any::<u64>()), option::of(mode))
}

pub(crate) const FLAGS: [&str; 16] = [
    "browser",
    "native_tools",
    "parallel_tools",
    "task_progress",
    "auto_approve",
    "web_tools",
    "subagents",
    "cli",
    "multi_root",
    "compact",
    "condense",
    "summarize_task",
    "report_bug",
    "new_rule",
    "yolo",
    "focus_chain",
];

fn flags() -> impl Strategy<Value = Vec<String>> {
    (subsequence(&FLAGS[..], 0..=FLAGS.len()), option::of(text())).prop_map(|(known, own)| {
        let known = known.into_iter().map(str::to_owned);
        known.chain(own).collect()
    })
}

fn rules() -> impl Strategy<Value = Vec<RulesFile>> {
    vec((text(), text(), any::<bool>()), 0..4).prop_map(|files| {
        let file = |(at, (path, text, enabled)): (usize, (String, String, bool))| {
            RulesFile::new(format!("{path}/{at}"), text).with_enabled(enabled)
        };
        files.into_iter().enumerate().map(file).collect()
    })
}

pub(crate) fn skills() -> impl Strategy<Value = Vec<Skill>> {
    vec((text(), text(), option::of(text())), 0..4).prop_map(|skills| {
        let skill = |(at, (name, description, path))| {
            let mut skill = Skill::new(format!("{at}{name}"), description);
            skill.path = path;
            skill
        };
        skills.into_iter().enumerate().map(skill).collect()
    })
}

pub(crate) fn servers() -> impl Strategy<Value = Vec<McpServer>> {
    let status = select(vec![
        ServerStatus::Connected,
        ServerStatus::Configured,
        ServerStatus::Connecting,
        ServerStatus::Disabled,
        ServerStatus::Failed,
    ]);
    let tools = vec((text(), option::of(text()), any::<bool>()), 0..4);
    let resources = vec((text(), option::of(text()), option::of(text())), 0..3);
    vec((text(), status, tools, resources), 0..4).prop_map(|servers| {
        let server = |(at, (name, status, tools, resources)): (usize, Parts)| {
            let mut server = McpServer::new(format!("{at}{name}")).with_status(status);
            for (at, (name, description, schema)) in tools.into_iter().enumerate() {
                let mut tool = McpTool::new(format!("{at}{name}"), "", Value::Null);
                let schema = if schema { json!({ name: "{{X}}" }) } else { Value::Null };
                tool.input_schema = schema.into();
                tool.description = description;
                server = server.with_tool(tool);
            }
            for (at, (uri, name, description)) in resources.into_iter().enumerate() {
                let mut resource = McpResource::new(format!("{at}{uri}"));
                resource.name = name;
                resource.description = description;
                server = server.with_resource(resource);
            }
            server
        };
        servers.into_iter().enumerate().map(server).collect()
    })
}

type Parts = (
    String,
    ServerStatus,
    Vec<(String, Option<String>, bool)>,
    Vec<(String, Option<String>, Option<String>)>,
);

fn roots() -> impl Strategy<Value = Vec<WorkspaceRoot>> {
    vec((text(), text(), option::of(text())), 0..4).prop_map(|roots| {
        let root = |(name, path, vcs)| {
            let mut root = WorkspaceRoot::new(name, path);
            root.vcs = vcs;
            root
        };
        roots.into_iter().map(root).collect()
    })
}

/// JSON of every kind.
fn values() -> impl Strategy<Value = Vec<Value>> {
    let value = prop_oneof![
        4 => text().prop_map(Value::from),
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => (text(), text()).prop_map(|(key, text)| json!({ key: [text] })),
    ];
    vec(value, 0..=4)
}

fn named<'n>(values: Vec<Value>, names: &'n [&str]) -> impl Iterator<Item = (String, Value)> + 'n {
    let names = names.iter().map(|&name| name.to_owned());
    names.zip(values)
}
