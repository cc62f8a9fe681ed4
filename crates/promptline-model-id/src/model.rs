//! A model as a host names it. Says nothing about what the id means.

use serde::{Deserialize, Serialize};

/// A model, as its provider names it.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Model {
    /// Who serves it: `anthropic`, `openrouter`, `ollama`, …
    pub provider: String,
    /// The id that is sent to the provider.
    pub id: String,
    /// The context window in tokens, when it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<u64>,
    /// The model behind an id that does not say it (an inference profile, a deployment), as a public id:
    /// `claude-sonnet-5`. It is read instead of the id wherever what a model is decides: family, dialect, cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl Model {
    /// A model whose context window is not known.
    #[must_use]
    pub fn new(provider: impl Into<String>, id: impl Into<String>) -> Self {
        Self { provider: provider.into(), id: id.into(), window: None, hint: None }
    }

    /// The id that says what the model is: the hint, else the id.
    #[must_use]
    pub fn meant(&self) -> &str {
        self.hint.as_deref().unwrap_or(&self.id)
    }
}
