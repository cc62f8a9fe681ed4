//! Tools: what they are ([`ToolSpec`]), what a host changes about them ([`ToolSet`]), which of them a
//! build offers, and the text form in which the prompt describes them.

mod delivery;
mod enabled;
mod file;
mod hermes;
mod host;
mod mcp;
mod names;
mod native;
mod neutral;
mod sections;
mod spec;
mod tagged;
mod text_form;
#[cfg(feature = "schema")]
mod typed;
mod words;
mod xml;

pub(crate) use delivery::{FORMS, ToolDelivery};
pub use delivery::{McpForm, TextForm, ToolForm};
pub use enabled::{EnabledTool, EnabledTools};
pub(crate) use enabled::{Offered, ToolVerdict, decide};
#[cfg(feature = "schema")]
pub(crate) use file::ToolFile;
pub(crate) use file::read_tool_file;
pub use host::ToolSet;
pub use mcp::mcp_tools;
pub(crate) use native::write_tools;
pub use sections::{ToolSections, read_tool_sections};
pub use spec::{Param, ToolInput, ToolSpec, ToolText};
pub(crate) use tagged::{fitted, names};
pub(crate) use text_form::render_tools;
