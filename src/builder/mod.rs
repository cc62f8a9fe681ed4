//! The assembly line: components one after the other, placeholder layers, base template, clean-up,
//! splice. A build reads the registry and writes nothing but its own prompt.

mod budgeting;
mod entry;
mod measure;
mod native_order;
mod reporting;
mod run;
mod standalone;
mod teach;
mod tool_reports;
mod toolset;
mod volatility;

pub use run::PromptBuilder;
pub use standalone::{ToolSection, native_tools, tool_section, tool_section_as};
