//! The dialects in which providers take tool lists, and which provider speaks which.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::tables::tables;
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

    /// What a provider speaks, by the name that hosts give it, whatever its case; `_` and blanks are written `-`. A provider that
    /// is not listed speaks [`OpenAi`](Self::OpenAi).
    #[must_use]
    pub fn for_provider(provider: &str) -> Self {
        let provider = provider.trim().to_ascii_lowercase().replace(['_', ' '], "-");
        tables().dialect_of(&provider).unwrap_or_default()
    }

    /// What a provider speaks for a model of this family, as `gemini` or `claude`: a provider of Gemini may have
    /// models of others too, Claude in Anthropic's dialect and the rest in OpenAI's. Without a family it is
    /// [`for_provider`](Self::for_provider).
    ///
    /// ```
    /// use promptline_tools::Dialect;
    /// assert_eq!(Dialect::for_family("vertex", Some("gemini")), Dialect::Gemini);
    /// assert_eq!(Dialect::for_family("vertex", Some("claude")), Dialect::Anthropic);
    /// ```
    #[must_use]
    pub fn for_family(provider: &str, family: Option<&str>) -> Self {
        match (Self::for_provider(provider), family) {
            (Self::Gemini, Some("claude")) => Self::Anthropic,
            (Self::Gemini, None | Some("gemini" | "gemma")) => Self::Gemini,
            (Self::Gemini, Some(_)) => Self::OpenAi,
            (dialect, _) => dialect,
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
