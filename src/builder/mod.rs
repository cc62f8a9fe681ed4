//! The assembly line: components one after the other, placeholder layers, base template, clean-up,
//! splice. A build reads the registry and writes nothing but its own prompt.

mod budgeting;
mod options;
mod reporting;
mod run;
mod state;
mod toolset;

pub use options::{BuildOptions, InvisiblePolicy};
pub use run::PromptBuilder;
pub(crate) use state::{BuildState, Notes};
