//! The forms in which a prompt can offer its tools.

use serde::{Deserialize, Serialize};

/// How a variant offers its tools.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ToolForm {
    /// In the prompt, called with XML tags.
    #[default]
    Xml,
    /// In the prompt, called with JSON in `<tool_call>` tags.
    Hermes,
    /// Beside the prompt, in the provider's own form.
    Native,
    /// Native where the request has the flag `native_tools`, else in the prompt, in its `dialect`.
    Either,
    /// Not at all: the prompt has no tools.
    None,
}

/// The form of tools that stand in the prompt.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum TextForm {
    /// Called with XML tags.
    #[default]
    Xml,
    /// Called with JSON in `<tool_call>` tags.
    Hermes,
}

/// How the tools of MCP servers are offered.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum McpForm {
    /// As a list in the prompt; the tool with the role `mcp` calls them.
    Listed,
    /// As tools beside the others. Those with the role `mcp` are then not offered.
    FirstClass,
}

/// The form in which one build offers its tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ToolDelivery {
    Text(TextForm),
    Native,
    Nothing,
}

/// Every name that a template may ask for.
pub(crate) const FORMS: [&str; 3] = ["form.xml", "form.hermes", "form.native"];

impl ToolDelivery {
    /// What a template calls it: the last part of [`FORMS`].
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Text(TextForm::Xml) => "xml",
            Self::Text(TextForm::Hermes) => "hermes",
            Self::Native => "native",
            Self::Nothing => "none",
        }
    }
}
