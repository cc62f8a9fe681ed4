//! How a variant delivers its tools to one request. A variant says what it can; the request decides.

use super::PromptVariant;
use crate::context::PromptContext;
use crate::tool::{McpForm, ToolDelivery, ToolForm};

impl PromptVariant {
    /// How this request's tools are delivered.
    pub(crate) fn delivery(&self, cx: &PromptContext) -> ToolDelivery {
        match self.tool_form {
            ToolForm::None => ToolDelivery::Nothing,
            ToolForm::Native => ToolDelivery::Native,
            ToolForm::Either if cx.flags.contains("native_tools") => ToolDelivery::Native,
            _ => ToolDelivery::Text(self.text_form()),
        }
    }

    /// Native tools are called by name, so those of MCP servers are listed beside the others; a text has
    /// a list of them, unless the variant says otherwise.
    pub(crate) fn mcp_form_for(&self, delivery: ToolDelivery) -> McpForm {
        self.mcp_form.unwrap_or(match delivery {
            ToolDelivery::Native => McpForm::FirstClass,
            ToolDelivery::Text(_) | ToolDelivery::Nothing => McpForm::Listed,
        })
    }
}
