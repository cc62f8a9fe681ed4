//! What is asked. Fields that a provider does not have are for it to leave out.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Role {
    /// Instructions.
    System,
    /// The user, or the host for them.
    User,
    /// The model.
    Assistant,
}

/// One message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ChatMessage {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub text: String,
}

impl ChatMessage {
    /// A message.
    #[must_use]
    pub fn new(role: Role, text: impl Into<String>) -> Self {
        Self { role, text: text.into() }
    }
}

/// What the provider holds the answer to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ResponseFormat {
    /// Some JSON object.
    JsonObject,
    /// JSON by a schema.
    JsonSchema {
        /// A name for it: letters, digits, `_` and `-`.
        name: String,
        /// The schema.
        schema: Value,
    },
}

/// A request. The model and its address belong to the [`ChatModel`](crate::ChatModel).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct ChatRequest {
    /// The conversation, oldest first.
    pub messages: Vec<ChatMessage>,
    /// The most tokens that the answer may have.
    pub max_tokens: Option<u32>,
    /// How freely it is sampled, 0 to 2.
    pub temperature: Option<f32>,
    /// What the answer is held to.
    pub response_format: Option<ResponseFormat>,
}

impl ChatRequest {
    /// A request without messages.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a message.
    #[must_use]
    pub fn message(mut self, role: Role, text: impl Into<String>) -> Self {
        self.messages.push(ChatMessage::new(role, text));
        self
    }

    /// Adds instructions.
    #[must_use]
    pub fn system(self, text: impl Into<String>) -> Self {
        self.message(Role::System, text)
    }

    /// Adds what the user says.
    #[must_use]
    pub fn user(self, text: impl Into<String>) -> Self {
        self.message(Role::User, text)
    }

    /// Adds what the model said before.
    #[must_use]
    pub fn assistant(self, text: impl Into<String>) -> Self {
        self.message(Role::Assistant, text)
    }

    /// Sets the most tokens that the answer may have.
    #[must_use]
    pub fn max_tokens(mut self, tokens: u32) -> Self {
        self.max_tokens = Some(tokens);
        self
    }

    /// Sets how freely the answer is sampled, 0 to 2.
    #[must_use]
    pub fn temperature(mut self, temperature: f32) -> Self {
        self.temperature = Some(temperature);
        self
    }

    /// Sets what the answer is held to.
    #[must_use]
    pub fn response_format(mut self, format: ResponseFormat) -> Self {
        self.response_format = Some(format);
        self
    }
}
