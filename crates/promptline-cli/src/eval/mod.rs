//! `promptline eval`: suites, runs, gates, baselines, labels.

mod args;
mod files;
mod keep;
mod promptfoo;
mod reports;
mod running;

pub(crate) use args::EvalArgs;
use args::EvalVerb;
use promptline::PromptRegistryBuilder;

use crate::output::{Failure, Output};

/// The suite is invalid.
const INVALID: u8 = 2;
/// The baseline or a label's report is stale.
const STALE: u8 = 4;

pub(crate) fn run(
    registry: PromptRegistryBuilder,
    args: &EvalArgs,
    output: &mut Output,
) -> Result<(), Failure> {
    match &args.verb {
        EvalVerb::Check(args) => files::check(args, output),
        EvalVerb::Run(args) => running::run(registry, args, output),
        EvalVerb::Replay(args) => running::replay(registry, args, output),
        EvalVerb::Merge(args) => reports::merge(args, output),
        EvalVerb::Report(args) => reports::report(args, output),
        EvalVerb::Bless(args) => keep::bless(args),
        EvalVerb::Label(args) => keep::label(args, output),
        EvalVerb::Diff(args) => reports::diff(args, output),
        EvalVerb::Collect(args) => keep::collect(args, output),
        EvalVerb::Export(args) => promptfoo::export(registry, args),
        EvalVerb::Import(args) => promptfoo::import(args, output),
        EvalVerb::Grade(args) => files::grade(args, output),
    }
}
