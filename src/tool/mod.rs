//! Tools: what they are ([`ToolSpec`]), what a host changes about them ([`ToolSet`]), which of them a
//! build offers, and the text form in which the prompt teaches them.

mod enabled;
mod file;
mod host;
mod names;
mod section;
mod spec;
mod xml;

pub use enabled::{EnabledTool, EnabledTools};
pub(crate) use enabled::{Offered, ToolVerdict, decide};
#[cfg(feature = "schema")]
pub(crate) use file::ToolFile;
pub(crate) use file::read_tool_file;
pub use host::ToolSet;
pub use section::{ToolSection, tool_section};
pub use spec::{Annotations, Param, ToolInput, ToolSpec, Wording};
pub(crate) use xml::render_tools;
