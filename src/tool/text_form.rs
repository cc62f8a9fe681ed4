//! The text forms in which a prompt can teach its tools. Each is a module; this one only chooses.

use super::{EnabledTool, EnabledTools, hermes, xml};
use crate::error::Error;
use crate::template::scope::Scope;
use crate::text::Text;
use crate::variant::TextDialect;

/// The tools in this form. A tool whose words cannot be rendered is left out; `failed` hears about it.
pub(crate) fn render_tools(
    dialect: TextDialect,
    tools: &EnabledTools,
    scope: &dyn Scope,
    failed: impl FnMut(&EnabledTool, Error),
) -> Text {
    match dialect {
        TextDialect::Xml => xml::render(tools, scope, failed),
        TextDialect::Hermes => hermes::render(tools, scope, failed),
    }
}
