//! Answers kept in a file and given again: what a suite asked a model once, it can be run on for ever. A request
//! that is not in the file is an error, never a call.

mod file;
mod key;
mod nearest;

use std::path::Path;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};

use async_trait::async_trait;
use futures_core::Stream;

use crate::{
    Capabilities, ChatModel, ChatRequest, ChatResponse, ChatStream, Chunk, ModelError,
    ModelErrorKind,
};
use file::{Kept, Tape};
pub use key::request_key;

/// What is recorded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Record {
    /// Nothing: a request that is not in the file is an error.
    #[default]
    None,
    /// What is not in the file yet.
    New,
    /// Everything, in place of what is in the file.
    All,
}

/// A model that answers from a file of recorded answers, JSONL.
///
/// A line is `{"key", "model", "request", "response"}`, or `"error"` instead of `"response"` where the provider
/// refused the request itself (failures of the network are not recorded). The key is
/// [`request_key`]; of two lines with the same key the later one counts.
pub struct Recorded {
    model: String,
    inner: Option<Arc<dyn ChatModel>>,
    record: Record,
    capabilities: Capabilities,
    tape: Arc<Mutex<Tape>>,
}

impl Recorded {
    /// Answers of a model from a file. Opens no connection.
    ///
    /// # Errors
    /// [`ModelErrorKind::Other`] when the file cannot be read or a line of it is no recording.
    pub fn replay(file: impl AsRef<Path>, model: impl Into<String>) -> Result<Self, ModelError> {
        Ok(Self {
            model: model.into(),
            inner: None,
            record: Record::None,
            capabilities: Capabilities::default(),
            tape: Arc::new(Mutex::new(Tape::read(file.as_ref())?)),
        })
    }

    /// Answers of a model, which it records in a file. The model has to have an [`id`](ChatModel::id). With
    /// [`Record::None`] the model is never called.
    ///
    /// # Errors
    /// As [`replay`](Self::replay), and when the file cannot be written. A file that is not there is created.
    pub fn record(
        file: impl AsRef<Path>,
        inner: Arc<dyn ChatModel>,
        record: Record,
    ) -> Result<Self, ModelError> {
        let Some(model) = inner.id().map(str::to_owned) else {
            return Err(ModelError::new(
                ModelErrorKind::Other,
                "a model without an id cannot be recorded; implement `ChatModel::id`",
            ));
        };
        let tape = match record {
            Record::None => Tape::read(file.as_ref())?,
            Record::New | Record::All => Tape::open(file.as_ref())?,
        };
        let capabilities = inner.capabilities();
        let inner = Some(inner);
        Ok(Self { model, inner, record, capabilities, tape: Arc::new(Mutex::new(tape)) })
    }

    /// Sets what the recorded model could do; a request depends on it.
    #[must_use]
    pub fn with_capabilities(mut self, capabilities: Capabilities) -> Self {
        self.capabilities = capabilities;
        self
    }

    /// How many answers the file has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tape.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// The file has no answer.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The answer in the file, or the model to ask.
    fn look_up(&self, key: &str, request: &ChatRequest) -> Result<Found, ModelError> {
        let tape = self.tape.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = tape.get(key).filter(|_| self.record != Record::All || self.inner.is_none());
        match (kept, &self.inner, self.record) {
            (Some(Kept::Response(response)), ..) => Ok(Found::Response(response.clone())),
            (Some(Kept::Error(error)), ..) => Err(error.to_error()),
            (None, Some(inner), Record::New | Record::All) => Ok(Found::Ask(Arc::clone(inner))),
            (None, ..) => Err(nearest::not_found(&self.model, request, &tape)),
        }
    }
}

enum Found {
    Response(Box<ChatResponse>),
    Ask(Arc<dyn ChatModel>),
}

#[async_trait]
impl ChatModel for Recorded {
    async fn complete(&self, request: ChatRequest) -> Result<ChatResponse, ModelError> {
        let key = request_key(&self.model, &request);
        let inner = match self.look_up(&key, &request)? {
            Found::Response(response) => return Ok(*response),
            Found::Ask(inner) => inner,
        };
        let answer = inner.complete(request.clone()).await;
        let mut tape = self.tape.lock().unwrap_or_else(PoisonError::into_inner);
        tape.keep(&key, &self.model, &request, answer.as_ref())?;
        answer
    }

    async fn stream(&self, request: ChatRequest) -> Result<ChatStream, ModelError> {
        let key = request_key(&self.model, &request);
        let inner = match self.look_up(&key, &request)? {
            Found::Response(response) => return Ok(ChatStream::from_response(*response)),
            Found::Ask(inner) => inner,
        };
        let stream = match inner.stream(request.clone()).await {
            Ok(stream) => stream,
            Err(error) => {
                let mut tape = self.tape.lock().unwrap_or_else(PoisonError::into_inner);
                tape.keep(&key, &self.model, &request, Err(&error))?;
                return Err(error);
            }
        };
        let (model, tape) = (self.model.clone(), Arc::clone(&self.tape));
        Ok(ChatStream::new(Recording { stream, key, model, request, tape }))
    }

    fn capabilities(&self) -> Capabilities {
        self.capabilities
    }

    fn id(&self) -> Option<&str> {
        Some(&self.model)
    }
}

impl std::fmt::Debug for Recorded {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Recorded")
            .field("model", &self.model)
            .field("record", &self.record)
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}

/// A stream that is recorded when it is at its end. One that is dropped before is not.
struct Recording {
    stream: ChatStream,
    key: String,
    model: String,
    request: ChatRequest,
    tape: Arc<Mutex<Tape>>,
}

impl Stream for Recording {
    type Item = Result<Chunk, ModelError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let item = ready!(Pin::new(&mut self.stream).poll_next(cx));
        let answer = match &item {
            Some(Ok(Chunk::Done(response))) => Ok(&**response),
            Some(Err(error)) => Err(error),
            _ => return Poll::Ready(item),
        };
        let kept = self.tape.lock().unwrap_or_else(PoisonError::into_inner).keep(
            &self.key,
            &self.model,
            &self.request,
            answer,
        );
        Poll::Ready(kept.err().map(Err).or(item))
    }
}
