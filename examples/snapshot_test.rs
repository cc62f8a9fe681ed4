//! A host that keeps its prompts in the repository: golden files of every variant in every context,
//! compared by a test. Here the pack of `examples/own_pack` is kept in its `snapshots`.
//!
//! `cargo test --features testing --example snapshot_test` compares,
//! `cargo run --features testing --example snapshot_test` says what each prompt costs, and with
//! `-- --update` writes the files.

#![allow(clippy::print_stdout, reason = "an example shows what it made")]

use promptline::testing::Matrix;
use promptline::{Error, Pack, PromptContext, PromptRegistry};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/own_pack");

/// The registry of the host, as it is in production.
fn registry() -> Result<PromptRegistry, Error> {
    PromptRegistry::builder().pack(Pack::builtin()).pack(Pack::from_dir(FOLDER)?).build()
}

fn matrix(registry: &PromptRegistry) -> Matrix<'_> {
    Matrix::new(registry)
        .variants(["reviewer"]) // without this line: all variants, the built-in ones too
        .contexts_dir(format!("{FOLDER}/contexts"))
        .context("long-path", PromptContext::default().with_cwd("/a/".repeat(40))) // not every one is a file
        .snapshots_dir(format!("{FOLDER}/snapshots"))
        .base("plain") // kept whole; the others as what they change in it
}

fn main() -> Result<(), Error> {
    let registry = registry()?;
    if std::env::args().any(|arg| arg == "--update") {
        let updated = matrix(&registry).update()?;
        println!("{} written, {} unchanged", updated.written.len(), updated.unchanged);
    }
    for size in matrix(&registry).sizes()? {
        println!("{:<12} {:>6} bytes {:>3} tools", size.context, size.bytes, size.tools);
    }
    Ok(())
}

#[test]
fn prompts_are_as_they_were() -> Result<(), promptline::testing::Mismatch> {
    matrix(&registry()?).check()
}
