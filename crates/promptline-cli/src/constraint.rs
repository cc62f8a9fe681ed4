//! `promptline output constraint`: what a prompt says of the format of an answer.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};
use promptline_output::Language;

use crate::output::{Failure, Output};
use crate::parse::spec_of;

#[derive(Debug, Subcommand)]
pub(crate) enum OutputVerb {
    /// Print the text that tells a model the format of its answer, for a prompt.
    Constraint(ConstraintArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct ConstraintArgs {
    /// A JSON Schema.
    #[arg(value_name = "SCHEMA")]
    schema: PathBuf,
    /// The language of the text.
    #[arg(long, value_enum, default_value_t)]
    lang: Lang,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Lang {
    /// English.
    #[default]
    En,
    /// Chinese, in simplified characters.
    Zh,
}

pub(crate) fn run(verb: &OutputVerb, output: &mut Output) -> Result<(), Failure> {
    let OutputVerb::Constraint(args) = verb;
    let language = match args.lang {
        Lang::En => Language::English,
        Lang::Zh => Language::Chinese,
    };
    output.line(spec_of(&args.schema)?.constraint(language))
}
