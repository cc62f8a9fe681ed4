//! A host with tools of its own: one more, one with another name, one less. The built-in texts speak
//! of roles, so the guidance follows.
//!
//! `cargo run --example host_tools`

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example shows what it made")]

use promptline::{Pack, Param, PromptContext, PromptRegistry, ToolSet, ToolSpec};

fn main() -> Result<(), promptline::Error> {
    let tools = ToolSet::new()
        .add(
            ToolSpec::new("create_ticket")
                .with_description("Open a ticket in the tracker, for work that is left for later.")
                .with_param(Param::required("title", "One line that says what is wrong."))
                .with_param(Param::optional("body", "How to see it.").with_body()),
        )
        .rename("execute_command", "run_in_terminal")
        .remove("browser_action");
    let registry = PromptRegistry::builder().pack(Pack::builtin()).tools(tools).build()?;
    let prompt = registry.build_blocking(&PromptContext::new("openai", "gpt-5"))?;
    println!("{}", prompt.section("TOOLS_SECTION").unwrap_or_default());
    for (name, tool) in prompt.tool_names().iter() {
        eprintln!("the model may call {name} ({})", tool.id);
    }
    Ok(())
}
