//! Tools: what they are ([`ToolSpec`]), what a host changes about them ([`ToolSet`]), which of them a
//! build offers, and the text form in which the prompt teaches them.

mod annotations;
mod delivery;
mod enabled;
mod file;
mod freeform;
mod hermes;
mod host;
mod import;
mod mcp;
mod names;
pub mod native;
mod spec;
mod tagged;
mod text_form;
#[cfg(feature = "schema")]
mod typed;
mod words;
mod xml;

pub use annotations::Annotations;
pub(crate) use delivery::{FORMS, ToolDelivery};
pub use delivery::{McpForm, TextDialect, ToolForm};
pub use enabled::{EnabledTool, EnabledTools};
pub(crate) use enabled::{Offered, ToolVerdict, decide};
#[cfg(feature = "schema")]
pub(crate) use file::ToolFile;
pub(crate) use file::read_tool_file;
pub use freeform::{FREEFORM_PARAM, Grammar, GrammarSyntax};
pub use host::ToolSet;
pub use import::{
    McpListing, ReadOptions, ToolList, collect_mcp_tools, collect_mcp_tools_async,
    read_tool_sections, read_tools, read_tools_text, read_tools_with,
};
pub use mcp::mcp_tools;
pub(crate) use native::write_tools;
pub use spec::{Param, ToolInput, ToolSpec, Wording};
pub(crate) use tagged::{fitted, names};
pub(crate) use text_form::render_tools;
