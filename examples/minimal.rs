//! The smallest useful program: the built-in pack, a model, a prompt.
//!
//! `cargo run --example minimal`

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example shows what it made")]

use promptline::{Pack, PromptContext, PromptRegistry, RulesFile};

fn main() -> Result<(), promptline::Error> {
    let registry = PromptRegistry::builder().pack(Pack::builtin()).build()?;
    let cx = PromptContext::new("anthropic", "claude-sonnet-4-5")
        .with_cwd("/home/ada/engine")
        .with_os("Linux")
        .with_rules(RulesFile::new("AGENTS.md", "Use tabs. Run `make check` before you finish."));
    let prompt = registry.build_blocking(&cx)?;
    println!("{}", prompt.text());
    for warning in prompt.report().warnings() {
        eprintln!("{warning}");
    }
    Ok(())
}
