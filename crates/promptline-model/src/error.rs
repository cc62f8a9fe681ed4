//! Why there is no answer: a kind for programs, a message for people, and the provider's own figures where it
//! gives them. A key never gets in here.

use std::error::Error as StdError;
use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::ChatResponse;

/// The longest part of a response's body that an error keeps, in bytes.
pub const MAX_ERROR_BODY: usize = 2_000;

/// Why a model gave no answer.
pub struct ModelError(Box<Inner>);

#[derive(Debug)]
struct Inner {
    kind: ModelErrorKind,
    message: String,
    status: Option<u16>,
    code: Option<String>,
    retry_after: Option<Duration>,
    context: Option<ContextFigures>,
    body: Option<String>,
    partial: Option<ChatResponse>,
    attempts: u32,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

/// Kinds of failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ModelErrorKind {
    /// Too many requests; a later one may pass.
    RateLimit,
    /// The quota or the balance is used up; waiting does not help.
    Quota,
    /// No answer in time.
    Timeout,
    /// The key is missing, wrong, or not allowed to do this.
    Auth,
    /// The provider refused the content.
    ContentFilter,
    /// The prompt is longer than the model's window.
    ContextLength,
    /// The request is wrong: an unknown model, a parameter that it does not take.
    BadRequest,
    /// The client cannot send what the request asks for.
    Unsupported,
    /// The provider failed.
    Server,
    /// The connection failed, or ended within an answer.
    Network,
    /// The response cannot be read.
    Protocol,
    /// A script or recording has no answer to this request.
    NotScripted,
    /// Anything else.
    Other,
}

impl ModelErrorKind {
    /// The same request may pass later.
    #[must_use]
    pub fn is_transient(self) -> bool {
        matches!(self, Self::RateLimit | Self::Timeout | Self::Server | Self::Network)
    }

    /// The failure says nothing about the prompt: not reached, not let in, not read. A suite counts these
    /// apart from wrong answers.
    #[must_use]
    pub fn is_infrastructure(self) -> bool {
        !matches!(self, Self::ContentFilter | Self::ContextLength | Self::BadRequest)
    }
}

/// What the provider says about a context that is too long.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ContextFigures {
    /// Tokens of the prompt.
    pub prompt_tokens: Option<u64>,
    /// Tokens that fit into the model's window.
    pub window: Option<u64>,
}

impl ContextFigures {
    /// Figures as a provider gives them.
    #[must_use]
    pub fn new(prompt_tokens: Option<u64>, window: Option<u64>) -> Self {
        Self { prompt_tokens, window }
    }
}

impl ModelError {
    /// A failure in words.
    #[must_use]
    pub fn new(kind: ModelErrorKind, message: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            kind,
            message: message.into(),
            status: None,
            code: None,
            retry_after: None,
            context: None,
            body: None,
            partial: None,
            attempts: 1,
            source: None,
        }))
    }

    /// Adds the HTTP status.
    #[must_use]
    pub fn with_status(mut self, status: u16) -> Self {
        self.0.status = Some(status);
        self
    }

    /// Adds the provider's own code, as `insufficient_quota`.
    #[must_use]
    pub fn with_code(mut self, code: impl Into<String>) -> Self {
        self.0.code = Some(code.into());
        self
    }

    /// Adds how long the provider asks to wait.
    #[must_use]
    pub fn with_retry_after(mut self, wait: Duration) -> Self {
        self.0.retry_after = Some(wait);
        self
    }

    /// Adds what the provider says about a context that is too long.
    #[must_use]
    pub fn with_context(mut self, figures: ContextFigures) -> Self {
        self.0.context = Some(figures);
        self
    }

    /// Adds the body of the response; what is over [`MAX_ERROR_BODY`] is cut off.
    #[must_use]
    pub fn with_body(mut self, body: &str) -> Self {
        self.0.body = Some(clipped(body, MAX_ERROR_BODY));
        self
    }

    /// Adds what had arrived of the answer.
    #[must_use]
    pub fn with_partial(mut self, partial: ChatResponse) -> Self {
        self.0.partial = Some(partial);
        self
    }

    /// Sets how many requests were made.
    #[must_use]
    pub fn with_attempts(mut self, attempts: u32) -> Self {
        self.0.attempts = attempts;
        self
    }

    /// Adds the error below.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.0.source = Some(source.into());
        self
    }

    /// What kind of failure it is.
    #[must_use]
    pub fn kind(&self) -> ModelErrorKind {
        self.0.kind
    }

    /// What is wrong, in one or two sentences.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The HTTP status.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.0.status
    }

    /// The provider's own code.
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        self.0.code.as_deref()
    }

    /// How long the provider asks to wait.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.0.retry_after
    }

    /// What the provider says about a context that is too long.
    #[must_use]
    pub fn context(&self) -> Option<ContextFigures> {
        self.0.context
    }

    /// The first [`MAX_ERROR_BODY`] bytes of the response's body.
    #[must_use]
    pub fn body(&self) -> Option<&str> {
        self.0.body.as_deref()
    }

    /// What had arrived of an answer that was cut off.
    #[must_use]
    pub fn partial(&self) -> Option<&ChatResponse> {
        self.0.partial.as_ref()
    }

    /// How many requests were made, retries included.
    #[must_use]
    pub fn attempts(&self) -> u32 {
        self.0.attempts
    }
}

impl fmt::Debug for ModelError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { kind, message, status, code, retry_after, context, body, attempts, .. } =
            &*self.0;
        formatter
            .debug_struct("ModelError")
            .field("kind", kind)
            .field("message", message)
            .field("status", status)
            .field("code", code)
            .field("retry_after", retry_after)
            .field("context", context)
            .field("body", body)
            .field("attempts", attempts)
            .finish_non_exhaustive()
    }
}

impl fmt::Display for ModelError {
    /// The message; the alternate form adds status, code, wait and body.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0.message)?;
        if !formatter.alternate() {
            return Ok(());
        }
        if let Some(status) = self.0.status {
            write!(formatter, "\nstatus: {status}")?;
        }
        if let Some(code) = &self.0.code {
            write!(formatter, "\ncode: {code}")?;
        }
        if let Some(wait) = self.0.retry_after {
            write!(formatter, "\nretry after: {} s", wait.as_secs_f64())?;
        }
        if self.0.attempts > 1 {
            write!(formatter, "\nattempts: {}", self.0.attempts)?;
        }
        if let Some(body) = &self.0.body {
            write!(formatter, "\nbody: {body}")?;
        }
        Ok(())
    }
}

impl StdError for ModelError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.source.as_ref().map(|source| &**source as &(dyn StdError + 'static))
    }
}

/// The beginning of a text, with a note when it is cut.
pub(crate) fn clipped(text: &str, most: usize) -> String {
    let kept = text.get(..text.floor_char_boundary(most)).unwrap_or(text);
    match text.len() - kept.len() {
        0 => kept.to_owned(),
        rest => format!("{kept}… ({rest} more bytes)"),
    }
}
