//! A pack of one's own over the built-in one: a reviewer that only reads. Its files are in
//! `examples/own_pack`; the variant applies in the mode `review`.
//!
//! `cargo run --example own_pack`

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example shows what it made")]

use promptline::{Pack, PromptContext, PromptRegistry};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/own_pack");

fn main() -> Result<(), promptline::Error> {
    let mut registry = PromptRegistry::builder()
        .pack(Pack::builtin()) // `generic`, the tools and sections that ours builds on
        .pack(Pack::from_dir(FOLDER)?)
        .build()?;
    let cx = PromptContext::new("openai", "gpt-5").with_cwd("/home/ada/engine").with_mode("review");
    let prompt = registry.build_blocking(&cx)?;
    println!("{}", prompt.text());
    eprintln!("variant: {}, because {}", prompt.variant().id, prompt.report().reason);

    // In another mode the built-in variants answer, as if the pack were not there.
    let other = registry.build_blocking(&cx.with_mode("act"))?;
    eprintln!("variant: {}, because {}", other.variant().id, other.report().reason);

    // Editing the files needs no restart of the host; a mistake leaves the registry as it is.
    if let Err(error) = registry.reload() {
        eprintln!("the prompts stay as they are: {error:#}");
    }
    Ok(())
}
