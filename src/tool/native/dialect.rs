//! The dialects in which providers take tool lists, and which provider speaks which.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::tables::tables;
use crate::model_id::ModelId;
use promptline_diagnostic::words::listed;
use promptline_diagnostic::{Error, ErrorKind};

/// How a provider takes a list of tools.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Dialect {
    /// OpenAI Chat Completions, which most other providers copy.
    #[default]
    #[serde(rename = "openai")]
    OpenAi,
    /// OpenAI Responses.
    #[serde(rename = "openai-responses")]
    OpenAiResponses,
    /// Anthropic Messages.
    Anthropic,
    /// Gemini with JSON Schemas (`parametersJsonSchema`).
    Gemini,
    /// Gemini with the subset of OpenAPI that came before them (`parameters`).
    GeminiLegacy,
    /// Amazon Bedrock Converse.
    Bedrock,
    /// `tools/list` of the Model Context Protocol.
    Mcp,
}

impl Dialect {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::OpenAi,
        Self::OpenAiResponses,
        Self::Anthropic,
        Self::Gemini,
        Self::GeminiLegacy,
        Self::Bedrock,
        Self::Mcp,
    ];

    /// Its name, as `openai-responses`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::OpenAiResponses => "openai-responses",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
            Self::GeminiLegacy => "gemini-legacy",
            Self::Bedrock => "bedrock",
            Self::Mcp => "mcp",
        }
    }

    /// What a provider speaks, by the name that hosts give it, whatever its case. A provider that nobody
    /// has listed speaks [`OpenAi`](Self::OpenAi).
    #[must_use]
    pub fn for_provider(provider: &str) -> Self {
        let provider = provider.trim().to_ascii_lowercase();
        tables().ok().and_then(|tables| tables.dialect_of(&provider)).unwrap_or_default()
    }

    /// What a provider speaks for this model: who serves Gemini may serve others too, Claude in Anthropic's
    /// dialect and the rest in OpenAI's.
    ///
    /// ```
    /// use promptline::{Dialect, ModelId};
    /// let of = |id| Dialect::for_model("vertex", &ModelId::parse("vertex", id));
    /// assert_eq!(of("gemini-3-pro"), Dialect::Gemini);
    /// assert_eq!(of("claude-sonnet-4-5@20250929"), Dialect::Anthropic);
    /// ```
    #[must_use]
    pub fn for_model(provider: &str, model: &ModelId) -> Self {
        Self::for_family(provider, || model.family())
    }

    /// The same; the family is only asked for where it says something.
    pub(crate) fn for_family<'m>(provider: &str, family: impl FnOnce() -> Option<&'m str>) -> Self {
        match Self::for_provider(provider) {
            Self::Gemini => match family() {
                Some("claude") => Self::Anthropic,
                None | Some("gemini" | "gemma") => Self::Gemini,
                Some(_) => Self::OpenAi,
            },
            dialect => dialect,
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Dialect {
    type Err = Error;

    /// # Errors
    /// [`ErrorKind::Tool`] for a name that no dialect has; it lists those that there are.
    fn from_str(name: &str) -> Result<Self, Error> {
        let found = Self::ALL.into_iter().find(|dialect| dialect.as_str() == name);
        found.ok_or_else(|| {
            let known = listed(Self::ALL.map(Self::as_str));
            Error::new(ErrorKind::Tool, format!("no dialect is called `{}`", name.escape_debug()))
                .with_help(format!("dialects are {known}"))
        })
    }
}
