//! The tools of a real MCP server, in a request to Anthropic, and the call back to the server that has
//! the tool:
//!
//! ```sh
//! scripts/mcp-server-list > list.json && cargo run --example mcp_to_anthropic list.json
//! ```
//!
//! Without a file it takes a small list of its own.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example shows what it does")]
#![allow(clippy::indexing_slicing, reason = "JSON of its own")]

use promptline::{BuildOptions, Pack, PromptContext, PromptRegistry, tools::collect_mcp_tools};
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // What a client gets for `tools/list`. The closure is asked for one page after the other.
    let page: Value = match std::env::args().nth(1) {
        Some(file) => serde_json::from_str(&std::fs::read_to_string(file)?)?,
        None => own_list(),
    };
    let listing = collect_mcp_tools("everything.dev", |_cursor| Ok::<_, String>(page.clone()));
    listing.diagnostics.iter().for_each(|said| eprintln!("{said}"));

    // The server goes into the context; a variant with native tools offers its tools beside the others.
    let registry = PromptRegistry::builder().pack(Pack::builtin()).build()?;
    let cx = PromptContext::new("anthropic", "claude-sonnet-4-5")
        .with_flag("native_tools")
        .with_mcp_server(listing.into());
    let prompt = registry.build_blocking_with(&cx, &BuildOptions::new())?;
    let mut request = prompt.request();
    request["model"] = "claude-sonnet-4-5".into();
    request["messages"] = json!([{"role": "user", "content": "Call something."}]);
    println!("{request:#}");

    // What the model answers names a tool as the request does; the map knows whose it is.
    let names = prompt.tool_names();
    let Some((called, _)) = names.iter().find(|(_, tool)| tool.server.is_some()) else {
        return Err("the server has no tools".into());
    };
    let answer = json!({"type": "tool_use", "id": "t1", "name": called, "input": {}});
    let tool = answer["name"].as_str().and_then(|name| names.get(name));
    let Some(tool) = tool else {
        return Err(format!("the model called {}, which was not offered", answer["name"]).into());
    };
    println!(
        "{} means: ask the server {} for `{}` with {}",
        answer["name"],
        tool.server.as_deref().unwrap_or("(ours)"),
        tool.name,
        answer["input"]
    );
    Ok(())
}

fn own_list() -> Value {
    json!({"tools": [{
        "name": "find/ticket",
        "description": "Find a ticket by its number.",
        "inputSchema": {
            "type": "object",
            "properties": {"number": {"type": "integer", "minimum": 1}},
            "required": ["number"],
        },
    }]})
}
