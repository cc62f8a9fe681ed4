//! Tool lists: how tools of MCP servers add to the native form and to the text form, and what it takes to
//! give thousands of them names.

#![allow(clippy::expect_used, clippy::print_stdout, reason = "a bench prints what it measured")]

mod support;

use std::time::Duration;

use promptline::{
    Dialect, McpServer, McpTool, PromptContext, ToolSpec,
    tools::{NativeOptions, mcp_tools, native_tools, tool_section},
};
use serde_json::json;
use support::{Table, in_turns};

fn main() {
    let mut table = Table::new();
    let cx = PromptContext::default();
    let (hundred, thousand) = (tools(100), tools(1_000));
    let text = |tools: &[ToolSpec]| tool_section(tools, &cx).expect("a text");
    let native = |tools: &[ToolSpec], dialect| {
        native_tools(tools, &cx, &NativeOptions::new(dialect)).expect("a list")
    };

    let measured = in_turns(|| text(&thousand), || text(&hundred));
    table.ratio("1000 / 100 MCP tools, xml", measured, 11.0);
    table.figure("a tool", a_tool(measured), "us", Some(4.0));
    for dialect in Dialect::ALL {
        let measured = in_turns(|| native(&thousand, dialect), || native(&hundred, dialect));
        table.ratio(&format!("1000 / 100 MCP tools, {dialect}"), measured, 11.0);
        table.figure("a tool", a_tool(measured), "us", Some(1.5));
    }
    let strict = NativeOptions::new(Dialect::OpenAi).with_strict();
    let strict = |tools: &[ToolSpec]| native_tools(tools, &cx, &strict).expect("a list");
    let measured = in_turns(|| strict(&thousand), || strict(&hundred));
    table.ratio("1000 / 100 MCP tools, openai, strict", measured, 11.0);
    table.figure("a tool", a_tool(measured), "us", None);

    // Every name has to be changed, and half of them are like another one.
    let (some, many) = (hard_names(1_000), hard_names(4_000));
    let named = |tools: &[ToolSpec]| native(tools, Dialect::OpenAi);
    let measured = in_turns(|| named(&many), || named(&some));
    table.ratio("4000 / 1000 tools that need new names", measured, 5.0);
    let a_name = measured.0.as_secs_f64() * 1e6 / 4_000.0;
    table.figure("a tool", a_name, "us", None);
}

/// Microseconds of one of the 900 tools that the list has more.
fn a_tool((thousand, hundred): (Duration, Duration)) -> f64 {
    thousand.saturating_sub(hundred).as_secs_f64() * 1e6 / 900.0
}

/// Servers of ten tools each, as servers describe them.
fn tools(count: usize) -> Vec<ToolSpec> {
    let cx = (0..count / 10).fold(PromptContext::default(), |cx, server| {
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
    });
    mcp_tools(&cx)
}

fn hard_names(count: usize) -> Vec<ToolSpec> {
    let name = |at: usize| match at % 2 {
        0 => format!("ns/{:064}", at / 2),
        _ => format!("NS.{:064}", at / 2),
    };
    let tool = |at| McpTool::new(name(at), "Does it.", json!({"type": "object"}));
    (0..count).map(|at| ToolSpec::mcp("server", &tool(at))).collect()
}
