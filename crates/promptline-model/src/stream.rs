//! An answer as it arrives. Dropping the stream ends the request.

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;

use crate::{ChatResponse, ModelError, ModelErrorKind};

/// A piece of an answer.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Chunk {
    /// Text, whole characters.
    Text(String),
    /// Reasoning.
    Reasoning(String),
    /// A piece of a refusal that the provider gives apart from the text.
    Refusal(String),
    /// A piece of a call.
    ToolCall {
        /// Which call of the answer, from 0.
        index: usize,
        /// The tool, by the host's name; in the first piece of a call.
        name: Option<String>,
        /// The next piece of its arguments.
        arguments: String,
    },
    /// The whole answer, once, at the end.
    Done(Box<ChatResponse>),
}

/// An answer as it arrives: chunks, the last of which is [`Chunk::Done`], or an error. Dropping it ends the
/// request.
pub struct ChatStream(Pin<Box<dyn Stream<Item = Result<Chunk, ModelError>> + Send>>);

impl ChatStream {
    /// A stream of chunks.
    pub fn new(chunks: impl Stream<Item = Result<Chunk, ModelError>> + Send + 'static) -> Self {
        Self(Box::pin(chunks))
    }

    /// An answer that is there already.
    #[must_use]
    pub fn from_response(response: ChatResponse) -> Self {
        let mut chunks = Vec::new();
        let mut add = |text: &str, chunk: fn(String) -> Chunk| {
            if !text.is_empty() {
                chunks.push(chunk(text.to_owned()));
            }
        };
        add(&response.reasoning, Chunk::Reasoning);
        add(&response.text, Chunk::Text);
        add(response.refusal.as_deref().unwrap_or_default(), Chunk::Refusal);
        for (index, call) in response.tool_calls.iter().enumerate() {
            let arguments = call.malformed.clone().unwrap_or_else(|| call.arguments.to_string());
            chunks.push(Chunk::ToolCall { index, name: Some(call.name.clone()), arguments });
        }
        chunks.push(Chunk::Done(Box::new(response)));
        Self::new(Ready(chunks.into_iter()))
    }

    /// The next chunk; `None` after the end.
    pub async fn next(&mut self) -> Option<Result<Chunk, ModelError>> {
        poll_fn(|cx| self.0.as_mut().poll_next(cx)).await
    }

    /// The whole answer.
    ///
    /// # Errors
    /// The error of the stream; [`ModelErrorKind::Protocol`] when it ends without one and without the answer.
    pub async fn collect(mut self) -> Result<ChatResponse, ModelError> {
        while let Some(chunk) = self.next().await {
            if let Chunk::Done(response) = chunk? {
                return Ok(*response);
            }
        }
        Err(ModelError::new(ModelErrorKind::Protocol, "the stream ended without the answer's end"))
    }
}

impl Stream for ChatStream {
    type Item = Result<Chunk, ModelError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.as_mut().poll_next(cx)
    }
}

impl fmt::Debug for ChatStream {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ChatStream").finish_non_exhaustive()
    }
}

struct Ready(std::vec::IntoIter<Chunk>);

impl Stream for Ready {
    type Item = Result<Chunk, ModelError>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Poll::Ready(self.0.next().map(Ok))
    }
}
