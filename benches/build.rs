//! Whole builds: the built-in generic variant against the `handlebars` crate on the finished text, how
//! MCP tools and user rules add to it, and the start of a program.

#![allow(clippy::expect_used, clippy::print_stdout, reason = "a bench prints what it measured")]

mod support;

use std::process::Command;
use std::time::{Duration, Instant};

use promptline::{
    BuildOptions, McpServer, McpTool, Pack, PromptContext, PromptRegistry, RulesFile,
    report::ReportLevel,
};
use serde_json::json;
use support::{Table, handlebars, in_turns, prose, values, with_placeholders};

/// With this argument the program is the child of itself that only starts.
const START: &str = "--start-to-first-prompt";

fn main() {
    if std::env::args().any(|argument| argument == START) {
        return start();
    }
    let mut table = Table::new();
    let registry = builtin();
    let cx = PromptContext::new("openai", "gpt-4.1")
        .with_variant("generic")
        .with_cwd("/home/ada/engine")
        .with_os("Linux 6.1")
        .with_flag("browser");
    let off = BuildOptions::new().with_report(ReportLevel::Off);
    let build = |cx: &PromptContext| registry.build_blocking_with(cx, &off).expect("it builds");
    let reported = |cx: &PromptContext| registry.build_blocking(cx).expect("it builds");

    // The finished text may speak of braces.
    let finished = build(&cx).into_text().replace("{{", "{ {");
    let reference = handlebars(&with_placeholders(&finished, 20));
    let names = values(20);
    let measured = in_turns(|| build(&cx), || reference.render("t", &names));
    table.ratio("warm build, generic / handlebars on its text", measured, 3.0);
    let measured = in_turns(|| reported(&cx), || reference.render("t", &names));
    table.ratio("the same with a full report", measured, 3.0);

    let measured = in_turns(|| reported(&cx), || build(&cx));
    table.ratio("full report / none", measured, 1.3);
    let native = cx.clone().with_variant("next-gen").with_flag("native_tools");
    let measured = in_turns(|| reported(&native), || build(&native));
    table.ratio("the same with native tools", measured, 1.3);

    let (hundred, thousand) = (with_tools(&cx, 100), with_tools(&cx, 1_000));
    let measured = in_turns(|| build(&thousand), || build(&hundred));
    table.ratio("build with 1000 / 100 MCP tools", measured, 11.0);
    let a_tool = (measured.0 - measured.1).as_secs_f64() * 1e6 / 900.0;
    table.figure("an MCP tool", a_tool, "us", Some(4.0));

    let rules = prose(1 << 20);
    let with_rules = cx.clone().with_rules(RulesFile::new("AGENTS.md", rules.as_str()));
    let measured = in_turns(|| build(&with_rules), || rules.clone());
    table.ratio("build with 1 MB of rules / memcpy", measured, 8.0);

    let started = (0..20).map(|_| started()).min().unwrap_or_default();
    table.figure("start to first prompt", started.as_secs_f64() * 1e3, "ms", Some(5.0));
}

fn builtin() -> PromptRegistry {
    PromptRegistry::builder().pack(Pack::builtin()).build().expect("it is whole")
}

/// Servers of ten tools each, as servers describe them.
fn with_tools(cx: &PromptContext, tools: usize) -> PromptContext {
    (0..tools / 10).fold(cx.clone(), |cx, server| {
        let server = (0..10).fold(McpServer::new(format!("server-{server}")), |server, tool| {
            let schema = json!({
                "type": "object",
                "properties": {
                    "query": {"type": "string", "description": "Words that must be in the title."},
                    "limit": {"type": "integer", "description": "So many at most."},
                },
                "required": ["query"],
            });
            let description = "Finds tickets by their words, the newest first.";
            server.with_tool(McpTool::new(format!("search_{tool}"), description, schema))
        });
        cx.with_mcp_server(server)
    })
}

/// What a program does before it has its first prompt; prints the nanoseconds.
fn start() {
    let start = Instant::now();
    let cx = PromptContext::new("anthropic", "claude-sonnet-4-5").with_cwd("/home/ada/engine");
    let prompt = builtin().build_blocking(&cx).expect("it builds");
    let took = start.elapsed();
    assert!(!prompt.text().is_empty());
    println!("{}", took.as_nanos());
}

fn started() -> Duration {
    let program = std::env::current_exe().expect("the program has a path");
    let output = Command::new(program).arg(START).output().expect("it starts");
    let printed = String::from_utf8_lossy(&output.stdout);
    Duration::from_nanos(printed.trim().parse().expect("it prints nanoseconds"))
}
