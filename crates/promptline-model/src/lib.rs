#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![doc = include_str!("../README.md")]

mod error;
mod request;
mod response;
mod scripted;

pub use async_trait::async_trait;
pub use error::{ModelError, ModelErrorKind};
pub use request::{ChatMessage, ChatRequest, ResponseFormat, Role};
pub use response::{ChatResponse, FinishReason, Usage};
pub use scripted::Scripted;

/// A chat model.
#[async_trait]
pub trait ChatModel: Send + Sync {
    /// Asks for an answer.
    ///
    /// # Errors
    /// When there is no answer: the network, the provider, a limit. An answer that is not what was asked
    /// for is no error.
    async fn complete(&self, request: ChatRequest) -> Result<ChatResponse, ModelError>;

    /// What the model can do beyond text. Nothing, unless it says so.
    fn capabilities(&self) -> Capabilities {
        Capabilities::default()
    }
}

/// What a model can do beyond text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Capabilities {
    /// It can be held to some JSON object ([`ResponseFormat::JsonObject`]).
    pub json_object: bool,
    /// It can be held to a schema ([`ResponseFormat::JsonSchema`]).
    pub json_schema: bool,
}

impl Capabilities {
    /// Text only.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// It can be held to some JSON object.
    #[must_use]
    pub fn json_object(mut self) -> Self {
        self.json_object = true;
        self
    }

    /// It can be held to a schema.
    #[must_use]
    pub fn json_schema(mut self) -> Self {
        self.json_schema = true;
        self
    }
}
