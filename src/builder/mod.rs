//! The assembly line: [`pipeline`] has its steps in order, each other module is one of them. A build reads
//! the registry and writes nothing but its own prompt.

mod blocking;
mod entry;
mod fitting;
mod measure;
mod native_order;
mod offer;
mod over_window;
mod pipeline;
mod print;
mod prompt_builder;
mod report;
mod section;
mod sections;
mod standalone;
mod tool_list;
mod tool_reports;
mod volatility;

pub use prompt_builder::PromptBuilder;
pub use standalone::{ToolSection, native_tools, tool_section, tool_section_as};
