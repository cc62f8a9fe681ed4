//! The text forms in which a prompt can describe its tools. Each is a module; this one only chooses.

use super::{EnabledTool, EnabledTools, hermes, xml};
use crate::template::scope::Scope;
use crate::text::{Parts, Text};
use crate::tool::TextForm;
use promptline_diagnostic::Error;

/// The tools in this form. A tool whose words cannot be rendered is left out; `heard` is called for
/// each, with its text or the error.
pub(crate) fn render_tools(
    dialect: TextForm,
    tools: &EnabledTools,
    scope: &dyn Scope,
    heard: impl FnMut(&EnabledTool, Result<Parts<'_>, Error>),
) -> Text {
    match dialect {
        TextForm::Xml => xml::render(tools, scope, heard),
        TextForm::Hermes => hermes::render(tools, scope, heard),
    }
}
