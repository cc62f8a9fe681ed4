//! Why there is no answer. A kind for programs, words for people, and how long to wait where the provider
//! says it.

use std::error::Error as StdError;
use std::fmt;
use std::time::Duration;

/// Why a model gave no answer.
#[derive(Debug)]
pub struct ModelError {
    kind: ModelErrorKind,
    message: String,
    retry_after: Option<Duration>,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

/// Sorts of failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ModelErrorKind {
    /// Too many requests, or a quota is used up.
    RateLimit,
    /// No answer in time.
    Timeout,
    /// The key is missing, wrong, or not allowed to do this.
    Auth,
    /// The provider refused the content.
    ContentFilter,
    /// The prompt is longer than the model's window.
    ContextLength,
    /// The request is wrong: an unknown model, a parameter it does not take.
    BadRequest,
    /// The provider failed.
    Server,
    /// The connection failed.
    Network,
    /// The response cannot be read.
    Protocol,
    /// A script or recording has no answer to this request.
    NotScripted,
    /// Anything else.
    Other,
}

impl ModelError {
    /// A failure in words.
    #[must_use]
    pub fn new(kind: ModelErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), retry_after: None, source: None }
    }

    /// Adds how long the provider asks to wait.
    #[must_use]
    pub fn retry_after(mut self, wait: Duration) -> Self {
        self.retry_after = Some(wait);
        self
    }

    /// Adds what lies beneath.
    #[must_use]
    pub fn source(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// What sort of failure it is.
    #[must_use]
    pub fn kind(&self) -> ModelErrorKind {
        self.kind
    }

    /// How long the provider asks to wait.
    #[must_use]
    pub fn wait(&self) -> Option<Duration> {
        self.retry_after
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl StdError for ModelError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source.as_ref().map(|source| &**source as &(dyn StdError + 'static))
    }
}
