//! Real providers. What is compatible with OpenAI's Chat Completions is spoken to directly, everything else through
//! the genai crate; both over the one HTTP client.

mod builder;
mod failure;
mod native;
mod openai;
mod retry;
mod sse;

use std::fmt;
use std::time::Instant;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::stream;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap};
use serde_json::Value;

use crate::{
    Capabilities, ChatModel, ChatRequest, ChatResponse, ChatStream, Chunk, ModelError,
    ModelErrorKind,
};
pub use builder::GenaiModelBuilder;
pub use retry::RetryPolicy;

/// The largest response that is read, in bytes.
const MAX_RESPONSE: usize = 64 * 1024 * 1024;

/// A model of a real provider, or behind any server that is compatible with OpenAI's Chat Completions (llama.cpp,
/// vLLM, LM Studio, Ollama, …). Needs a tokio runtime.
///
/// ```no_run
/// use promptline_model::{ChatModel, ChatRequest, GenaiModel};
///
/// # async fn ask() -> Result<(), promptline_model::ModelError> {
/// let model = GenaiModel::openai_compatible("http://127.0.0.1:8080/v1", "qwen2.5-coder").build()?;
/// let answer = model.complete(ChatRequest::new().system("Be brief.").user("你好")).await?;
/// println!("{} ({} tokens)", answer.text, answer.usage.output);
///
/// let claude = GenaiModel::provider("anthropic", "claude-sonnet-4-5")?.build()?; // ANTHROPIC_API_KEY
/// # let _ = claude;
/// # Ok(())
/// # }
/// ```
pub struct GenaiModel {
    model: String,
    capabilities: Capabilities,
    retry: RetryPolicy,
    wire: Wire,
}

enum Wire {
    OpenAi(OpenAi),
    Native(native::Native),
}

/// A server that is compatible with OpenAI's Chat Completions.
#[derive(Clone)]
struct OpenAi {
    http: reqwest::Client,
    url: String,
    key: Option<String>,
}

impl GenaiModel {
    /// A model behind a base URL, as `http://127.0.0.1:8080/v1`. Without a key, unless one is set.
    #[must_use]
    pub fn openai_compatible(
        base_url: impl Into<String>,
        model: impl Into<String>,
    ) -> GenaiModelBuilder {
        GenaiModelBuilder::compatible(base_url.into(), model.into())
    }

    /// A model of a provider that the genai crate knows, as `anthropic`, `openai`, `gemini`, `deepseek`, `ollama`.
    /// Its key comes from the provider's usual environment variable, unless one is set.
    ///
    /// # Errors
    /// [`ModelErrorKind::BadRequest`] for a provider that is not known; the message lists those that are.
    pub fn provider(
        provider: &str,
        model: impl Into<String>,
    ) -> Result<GenaiModelBuilder, ModelError> {
        GenaiModelBuilder::provider(provider, model.into())
    }
}

impl fmt::Debug for GenaiModel {
    /// Without address and key.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("GenaiModel").field("model", &self.model).finish_non_exhaustive()
    }
}

#[async_trait]
impl ChatModel for GenaiModel {
    async fn complete(&self, request: ChatRequest) -> Result<ChatResponse, ModelError> {
        let start = Instant::now();
        let (mut response, attempts) = match &self.wire {
            Wire::OpenAi(server) => {
                let (body, unsent) = openai::body(&self.model, &request, false);
                let once = || server.complete(&body, &request);
                let (mut response, attempts) = self.retry.run(once).await?;
                response.unsent = unsent;
                (response, attempts)
            }
            Wire::Native(native) => self.retry.run(|| native.complete(&request)).await?,
        };
        response.attempts = attempts;
        response.timings.total_ms = Some(milliseconds(start));
        Ok(response)
    }

    async fn stream(&self, request: ChatRequest) -> Result<ChatStream, ModelError> {
        let start = Instant::now();
        match &self.wire {
            Wire::OpenAi(server) => {
                let (body, unsent) = openai::body(&self.model, &request, true);
                let (response, attempts) = self.retry.run(|| server.send(&body)).await?;
                let reading = Reading {
                    response,
                    events: sse::Events::default(),
                    raw: request.keep_raw.then(Vec::new),
                    fold: openai::Fold::new(request),
                    pending: Vec::new().into_iter(),
                    keys: server.key.clone(),
                    first_token: None,
                    start,
                    attempts,
                    unsent,
                    read: 0,
                    state: State::Reading,
                };
                Ok(ChatStream::new(stream::unfold(reading, Reading::next)))
            }
            Wire::Native(native) => {
                let (stream, attempts) = self.retry.run(|| native.stream(&request, start)).await?;
                Ok(native::counted(stream, attempts))
            }
        }
    }

    fn capabilities(&self) -> Capabilities {
        self.capabilities
    }

    fn id(&self) -> Option<&str> {
        Some(&self.model)
    }
}

impl OpenAi {
    fn keys(&self) -> Vec<&str> {
        self.key.as_deref().into_iter().collect()
    }

    /// Sends a request; what is no success is an error.
    async fn send(&self, body: &Value) -> Result<reqwest::Response, ModelError> {
        let mut request = self
            .http
            .post(&self.url)
            .header(CONTENT_TYPE, "application/json")
            .body(body.to_string());
        if let Some(key) = &self.key {
            request = request.header(AUTHORIZATION, format!("Bearer {key}"));
        }
        let response = request.send().await.map_err(failure::from_client)?;
        let status = response.status();
        if status.is_success() {
            return Ok(response);
        }
        let headers: HeaderMap = response.headers().clone();
        // What of the body cannot be read any more is not missed.
        let body = some_of(response, 64 * 1024).await;
        Err(failure::from_response(status.as_u16(), &headers, &body, &self.keys()))
    }

    async fn complete(
        &self,
        body: &Value,
        request: &ChatRequest,
    ) -> Result<ChatResponse, ModelError> {
        let bytes = all_of(self.send(body).await?).await?;
        let json: Value = serde_json::from_slice(&bytes).map_err(|error| {
            let shown = crate::redact::redact(&String::from_utf8_lossy(&bytes), &self.keys());
            ModelError::new(
                ModelErrorKind::Protocol,
                format!("the provider's response is no JSON: {error}"),
            )
            .with_body(&shown)
        })?;
        if json.get("error").is_some_and(|error| !error.is_null()) {
            return Err(failure::from_event(&json, &self.keys()));
        }
        let mut response = openai::response(&json, request)?;
        if request.keep_raw {
            response.raw = Some(json);
        }
        Ok(response)
    }
}

/// A whole response.
async fn all_of(mut response: reqwest::Response) -> Result<Vec<u8>, ModelError> {
    let mut all = Vec::new();
    while let Some(bytes) = response.chunk().await.map_err(failure::from_client)? {
        if all.len() + bytes.len() > MAX_RESPONSE {
            return Err(too_long());
        }
        all.extend_from_slice(&bytes);
    }
    Ok(all)
}

/// The beginning of a response, as far as it comes.
async fn some_of(mut response: reqwest::Response, most: usize) -> Vec<u8> {
    let mut some = Vec::new();
    while let Ok(Some(bytes)) = response.chunk().await {
        some.extend(bytes.iter().take(most - some.len()));
        if some.len() >= most {
            break;
        }
    }
    some
}

fn too_long() -> ModelError {
    ModelError::new(
        ModelErrorKind::Protocol,
        format!("the provider sends a response of more than {MAX_RESPONSE} bytes"),
    )
}

fn milliseconds(since: Instant) -> f64 {
    // Microseconds are what a clock is good for.
    (since.elapsed().as_micros() as f64) / 1_000.0
}

/// A response that is being read.
struct Reading {
    response: reqwest::Response,
    events: sse::Events,
    fold: openai::Fold,
    pending: std::vec::IntoIter<Chunk>,
    /// The events, when they are asked for.
    raw: Option<Vec<Value>>,
    keys: Option<String>,
    first_token: Option<f64>,
    start: Instant,
    attempts: u32,
    unsent: Vec<String>,
    read: usize,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Reading,
    /// The last bytes have come; what they hold is still to be said.
    Ending,
    Done,
}

impl Reading {
    async fn next(mut self) -> Option<(Result<Chunk, ModelError>, Self)> {
        loop {
            if let Some(chunk) = self.pending.next() {
                self.first_token.get_or_insert_with(|| milliseconds(self.start));
                return Some((Ok(chunk), self));
            }
            match self.state {
                State::Done => return None,
                State::Ending => {
                    self.state = State::Done;
                    let end = self.end();
                    return Some((end, self));
                }
                State::Reading => {}
            }
            if let Err(error) = self.more().await {
                self.state = State::Done;
                let partial = self.whole();
                let error = match partial.text.is_empty() && partial.tool_calls.is_empty() {
                    true => error,
                    false => error.with_partial(partial),
                };
                return Some((Err(error.with_attempts(self.attempts)), self));
            }
        }
    }

    /// Reads on, to the next event that says something.
    async fn more(&mut self) -> Result<(), ModelError> {
        while let Some(data) = self.events.next()? {
            if self.event(&data)? {
                return Ok(());
            }
        }
        let bytes: Option<Bytes> = self.response.chunk().await.map_err(failure::from_client)?;
        match bytes {
            Some(bytes) => {
                self.read = self.read.saturating_add(bytes.len());
                if self.read > MAX_RESPONSE {
                    return Err(too_long());
                }
                self.events.push(&bytes)
            }
            None => {
                if let Some(data) = self.events.finish()? {
                    self.event(&data)?;
                }
                self.state = State::Ending;
                Ok(())
            }
        }
    }

    /// Whether there is something to pass on, or the end.
    fn event(&mut self, data: &str) -> Result<bool, ModelError> {
        let data = data.trim();
        if data.is_empty() {
            return Ok(false);
        }
        if data == "[DONE]" {
            self.state = State::Ending;
            return Ok(true);
        }
        let event: Value = serde_json::from_str(data).map_err(|error| {
            let keys: Vec<&str> = self.keys.as_deref().into_iter().collect();
            ModelError::new(
                ModelErrorKind::Protocol,
                format!("the provider sends an event that is no JSON: {error}"),
            )
            .with_body(&crate::redact::redact(data, &keys))
        })?;
        if event.get("error").is_some_and(|error| !error.is_null()) {
            let keys: Vec<&str> = self.keys.as_deref().into_iter().collect();
            return Err(failure::from_event(&event, &keys));
        }
        let chunks = self.fold.event(&event)?;
        if let Some(raw) = &mut self.raw {
            raw.push(event);
        }
        let something = !chunks.is_empty();
        self.pending = chunks.into_iter();
        Ok(something)
    }

    /// The end of the stream: the answer, if the provider has said that it is whole.
    fn end(&mut self) -> Result<Chunk, ModelError> {
        let ended = self.fold.has_ended();
        let whole = self.whole();
        if ended {
            return Ok(Chunk::Done(Box::new(whole)));
        }
        Err(ModelError::new(
            ModelErrorKind::Network,
            "the stream ended within the answer: the provider has not said why it ends",
        )
        .with_partial(whole)
        .with_attempts(self.attempts))
    }

    fn whole(&mut self) -> ChatResponse {
        let mut whole = self.fold.finish();
        whole.timings.first_token_ms = self.first_token;
        whole.timings.total_ms = Some(milliseconds(self.start));
        whole.attempts = self.attempts;
        whole.unsent = std::mem::take(&mut self.unsent);
        whole.raw = self.raw.take().map(Value::Array);
        whole
    }
}
