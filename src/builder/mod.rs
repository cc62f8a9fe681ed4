//! The assembly line: components one after the other, placeholder layers, base template, clean-up,
//! splice. A build reads the registry and writes nothing but its own prompt.

mod budgeting;
mod measure;
mod native_order;
mod options;
mod reporting;
mod run;
mod state;
mod teach;
mod tool_reports;
mod toolset;
mod volatility;

/// The id of the section that the library writes itself: the tool list.
pub(crate) const TOOLS_SECTION: &str = "TOOLS_SECTION";

pub use options::{BuildOptions, InvisiblePolicy};
pub use run::PromptBuilder;
pub(crate) use state::{BuildState, Notes};
