//! In which form a prompt offers its tools. A variant says what it can; the request decides.

use serde::{Deserialize, Serialize};

use super::PromptVariant;
use crate::context::PromptContext;

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
pub enum TextDialect {
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
pub(crate) enum Taught {
    Text(TextDialect),
    Native,
    Nothing,
}

/// Every name that a template may ask for.
pub(crate) const FORMS: [&str; 3] = ["form.xml", "form.hermes", "form.native"];

impl Taught {
    pub(crate) fn of(variant: &PromptVariant, cx: &PromptContext) -> Self {
        match variant.tool_form {
            ToolForm::None => Self::Nothing,
            ToolForm::Native => Self::Native,
            ToolForm::Either if cx.flags.contains("native_tools") => Self::Native,
            _ => Self::Text(variant.dialect()),
        }
    }

    /// What a template calls it: the last part of [`FORMS`].
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Text(TextDialect::Xml) => "xml",
            Self::Text(TextDialect::Hermes) => "hermes",
            Self::Native => "native",
            Self::Nothing => "none",
        }
    }

    /// Native tools are called by name, so those of MCP servers stand beside the others; a text has a
    /// list of them, unless the variant says otherwise.
    pub(crate) fn mcp(self, variant: &PromptVariant) -> McpForm {
        variant.mcp_form.unwrap_or(match self {
            Self::Native => McpForm::FirstClass,
            Self::Text(_) | Self::Nothing => McpForm::Listed,
        })
    }
}
