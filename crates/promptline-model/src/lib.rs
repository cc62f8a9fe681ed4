#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![doc = include_str!("../README.md")]

mod error;
#[cfg(all(feature = "exec", unix))]
mod exec;
#[cfg(feature = "genai")]
mod http;
mod message;
mod recorded;
mod redact;
mod request;
mod response;
mod scripted;
mod stream;

use std::sync::Arc;

pub use async_trait::async_trait;
pub use error::{ContextFigures, MAX_ERROR_BODY, ModelError, ModelErrorKind};
#[cfg(all(feature = "exec", unix))]
pub use exec::Exec;
#[cfg(feature = "genai")]
pub use http::{GenaiModel, GenaiModelBuilder, RetryPolicy};
pub use message::{CacheMark, ChatMessage, ChatTool, Image, Part, Role, ToolChoice, ToolResult};
pub use recorded::{Record, Recorded, request_key};
pub use request::{ChatRequest, ReasoningEffort, ResponseFormat};
pub use response::{ChatResponse, FinishReason, Timings, TokenLogprob, ToolCall, Usage};
pub use scripted::Scripted;
pub use stream::{ChatStream, Chunk};

/// A chat model.
#[async_trait]
pub trait ChatModel: Send + Sync {
    /// Asks for an answer.
    ///
    /// # Errors
    /// When there is no answer: the network, the provider, a limit. An answer that is not what was asked
    /// for is no error.
    async fn complete(&self, request: ChatRequest) -> Result<ChatResponse, ModelError>;

    /// Asks for an answer that comes in pieces. Unless a model says otherwise, in one piece.
    ///
    /// # Errors
    /// As [`complete`](Self::complete); what goes wrong later is an item of the stream.
    async fn stream(&self, request: ChatRequest) -> Result<ChatStream, ModelError> {
        Ok(ChatStream::from_response(self.complete(request).await?))
    }

    /// What the model can do beyond text. Nothing, unless it says so.
    fn capabilities(&self) -> Capabilities {
        Capabilities::default()
    }

    /// The model's name, as its provider is asked for it. Recordings are kept by it.
    fn id(&self) -> Option<&str> {
        None
    }
}

macro_rules! pass_on {
    ($($pointer:ty),*) => {$(
        #[async_trait]
        impl<M: ChatModel + ?Sized> ChatModel for $pointer {
            async fn complete(&self, request: ChatRequest) -> Result<ChatResponse, ModelError> {
                (**self).complete(request).await
            }

            async fn stream(&self, request: ChatRequest) -> Result<ChatStream, ModelError> {
                (**self).stream(request).await
            }

            fn capabilities(&self) -> Capabilities {
                (**self).capabilities()
            }

            fn id(&self) -> Option<&str> {
                (**self).id()
            }
        }
    )*};
}

pass_on!(&M, Box<M>, Arc<M>);

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
