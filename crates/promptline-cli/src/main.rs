//! The binary `promptline`: every verb on the built-in pack.

#![forbid(unsafe_code)]

use promptline::{Pack, PromptRegistry};

fn main() -> std::process::ExitCode {
    promptline_cli::run(PromptRegistry::builder().pack(Pack::builtin()), std::env::args_os())
}
