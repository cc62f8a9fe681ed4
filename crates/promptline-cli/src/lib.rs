#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![doc = include_str!("../README.md")]

mod args;
#[cfg(feature = "ask")]
mod ask;
mod calls;
mod check;
mod clean;
#[cfg(feature = "parse")]
mod constraint;
mod diff;
#[cfg(feature = "eval")]
mod eval;
mod explain;
mod features;
mod gate;
mod matching;
mod new;
mod output;
mod params;
#[cfg(feature = "parse")]
mod parse;
mod project;
mod render;
mod schema;
#[cfg(feature = "session")]
mod session;
mod snapshot;
mod tokens;
mod tools;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser as _;
use promptline::{Overlay, Pack, PromptRegistry, PromptRegistryBuilder};

use args::{Args, Verb};
use output::{Failure, Output};

/// Runs the command line on a registry: what the binary does on the built-in pack. `--pack DIR` adds
/// packs behind those that the registry has.
///
/// The exit code is 0 when all is well (warnings included), 1 when a check failed, 2 for a mistake in
/// the usage or the input, 3 when a model or server is not reached.
pub fn run<I>(registry: PromptRegistryBuilder, args: I) -> ExitCode
where
    I: IntoIterator<Item = OsString>,
{
    let args = match Args::try_parse_from(args) {
        Ok(args) => args,
        Err(error) => {
            if let Some(message) = features::absent_verb(&error) {
                Output::complain(&message);
                return ExitCode::from(2);
            }
            // Help goes to stdout with code 0, mistakes to stderr with code 2.
            let code = u8::try_from(error.exit_code()).unwrap_or(2);
            let _ = error.print();
            return ExitCode::from(code);
        }
    };
    let mut output = Output::new();
    let done = match args.verb {
        Verb::Render(args) => render::run(registry, &args, &mut output),
        Verb::Explain(args) => explain::run(registry, &args, &mut output),
        Verb::Match(args) => matching::run(registry, &args, &mut output),
        Verb::Check(args) => check::run(registry, &args, &mut output),
        Verb::Schema(args) => schema::run(&args, &mut output),
        Verb::Calls(args) => calls::run(registry, &args, &mut output),
        #[cfg(feature = "parse")]
        Verb::Parse(args) => parse::run(&args, &mut output),
        #[cfg(feature = "parse")]
        Verb::Output(verb) => constraint::run(&verb, &mut output),
        Verb::Clean(args) => clean::run(&args, &mut output),
        Verb::Diff(args) => diff::run(registry, &args, &mut output),
        Verb::New(args) => new::run(registry, &args, &mut output),
        Verb::Snapshot(args) => snapshot::run(registry, &args, &mut output),
        Verb::Tools(args) => tools::run(&args, &mut output),
        #[cfg(feature = "session")]
        Verb::Session(args) => session::run(&args, &mut output),
        #[cfg(feature = "ask")]
        Verb::Ask(args) => ask::run(registry, &args, &mut output),
        Verb::Params(args) => params::run(&args, &mut output),
        #[cfg(feature = "eval")]
        Verb::Eval(args) => eval::run(registry, &args, &mut output),
    };
    let done = match done {
        Ok(()) => output.finish(),
        Err(failure) => {
            // What was found is still to be said; whether anybody reads it changes nothing.
            let _ = output.finish();
            Err(failure)
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Found) => ExitCode::from(1),
        Err(Failure::Unreached(message)) => {
            Output::complain(&message);
            ExitCode::from(3)
        }
        #[cfg(feature = "eval")]
        Err(Failure::Code(code)) => ExitCode::from(code),
        // The reader of our output has seen enough; that is not a failure of ours.
        Err(Failure::Gone) => ExitCode::SUCCESS,
        Err(Failure::Said(message)) => {
            Output::complain(&message);
            ExitCode::from(2)
        }
    }
}

/// The registry with the packs and overlays of the command line on top.
fn registry(
    mut builder: PromptRegistryBuilder,
    packs: &[std::path::PathBuf],
    overlays: &[std::path::PathBuf],
) -> Result<PromptRegistry, Failure> {
    for folder in packs {
        builder = builder.pack(Pack::from_dir(folder)?);
    }
    for folder in overlays {
        builder = builder.overlay(Overlay::from_dir(folder)?);
    }
    Ok(builder.build()?)
}
