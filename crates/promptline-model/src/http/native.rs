//! Providers with an API of their own, through the genai crate.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Instant;

use futures_util::{Stream, StreamExt as _};
use genai::adapter::AdapterKind;
use genai::chat::{self, ChatOptions, ChatStreamEvent, MessageContent, StopReason};
use genai::resolver::{AuthData, Endpoint, ProviderConfig};
use genai::{Client, ModelIden};
use serde_json::Value;

use super::{failure, milliseconds, openai};
use crate::{
    CacheMark, ChatMessage, ChatRequest, ChatResponse, ChatStream, Chunk, FinishReason, Image,
    ModelError, ModelErrorKind, Part, ReasoningEffort, ResponseFormat, Role, ToolCall, ToolChoice,
    Usage,
};

/// A model of a provider.
pub(super) struct Native {
    client: Client,
    iden: ModelIden,
    key: Option<String>,
}

impl Native {
    pub(super) fn new(
        http: reqwest::Client,
        kind: AdapterKind,
        model: &str,
        base_url: Option<String>,
        key: Option<String>,
    ) -> Result<Self, ModelError> {
        let env = kind.default_key_env_name();
        let key = key.or_else(|| std::env::var(env?).ok().filter(|key| !key.is_empty()));
        if let (None, Some(env)) = (&key, env) {
            return Err(ModelError::new(
                ModelErrorKind::Auth,
                format!("there is no key for {}\nhelp: set {env}", kind.as_lower_str()),
            ));
        }
        let auth = key.clone().map(AuthData::from_single);
        let endpoint = base_url.map(|url| {
            // genai puts paths behind it.
            Endpoint::from_owned(format!("{}/", url.trim_end_matches('/')))
        });
        let client = Client::builder()
            .with_reqwest(http)
            .append_provider_config(kind, ProviderConfig { endpoint, auth })
            .build()
            .map_err(|error| ModelError::new(ModelErrorKind::Other, error.to_string()))?;
        Ok(Self { client, iden: ModelIden::new(kind, model), key })
    }

    pub(super) async fn complete(&self, request: &ChatRequest) -> Result<ChatResponse, ModelError> {
        let mut unsent = Vec::new();
        let options =
            options(request, self.iden.adapter_kind, &mut unsent).with_capture_raw_body(true);
        let asked =
            self.client.exec_chat(self.iden.clone(), messages(request), Some(&options)).await;
        let mut answer = asked.map_err(|error| self.error(error))?;
        let mut response = ChatResponse::new(String::new());
        let raw = answer.captured_raw_body.take();
        content(&mut response, std::mem::take(&mut answer.content), request);
        response.reasoning = answer.reasoning_content.take().unwrap_or(response.reasoning);
        response.usage = usage(&answer.usage);
        response.model = Some(answer.provider_model_iden.model_name.to_string());
        response.id = answer.response_id.take();
        finish(&mut response, answer.stop_reason.as_ref());
        if let Some(choice) = raw.as_ref().and_then(|raw| raw.pointer("/choices/0")) {
            response.logprobs = openai::logprobs(choice);
            let refusal = choice.pointer("/message/refusal").and_then(Value::as_str);
            response.refusal = refusal.map(str::to_owned);
        }
        response.unsent = unsent;
        response.raw = raw.filter(|_| request.keep_raw);
        Ok(response)
    }

    pub(super) async fn stream(
        &self,
        request: &ChatRequest,
        start: Instant,
    ) -> Result<ChatStream, ModelError> {
        let mut unsent = Vec::new();
        let options = options(request, self.iden.adapter_kind, &mut unsent)
            .with_capture_usage(true)
            .with_capture_content(true)
            .with_capture_reasoning_content(true)
            .with_capture_tool_calls(true);
        if request.logprobs.is_some() {
            unsent.push("logprobs: they do not come with a stream; ask without one".to_owned());
        }
        if request.keep_raw {
            unsent.push("keep_raw: there is no raw JSON of a stream of this provider".to_owned());
        }
        let asked =
            self.client.exec_chat_stream(self.iden.clone(), messages(request), Some(&options));
        let stream = asked.await.map_err(|error| self.error(error))?;
        let mut chunks = Chunks {
            model: stream.model_iden.model_name.to_string(),
            stream: stream.stream,
            request: request.clone(),
            keys: self.key.clone(),
            first_token: None,
            text: String::new(),
            unsent,
            start,
            held: None,
            done: false,
        };
        // The provider's refusal comes with the first event; it belongs here, where a request may be made again.
        match chunks.next().await {
            Some(Err(error)) => Err(error),
            first => {
                chunks.held = first;
                Ok(ChatStream::new(chunks))
            }
        }
    }

    fn error(&self, error: genai::Error) -> ModelError {
        error_of(error, self.key.as_deref())
    }
}

/// A stream whose answer says how many requests were made.
pub(super) fn counted(stream: ChatStream, attempts: u32) -> ChatStream {
    ChatStream::new(stream.map(move |item| match item {
        Ok(Chunk::Done(mut response)) => {
            response.attempts = attempts;
            Ok(Chunk::Done(response))
        }
        Err(error) => Err(error.with_attempts(attempts)),
        other => other,
    }))
}

struct Chunks {
    stream: chat::ChatStream,
    model: String,
    request: ChatRequest,
    keys: Option<String>,
    first_token: Option<f64>,
    text: String,
    unsent: Vec<String>,
    start: Instant,
    held: Option<Result<Chunk, ModelError>>,
    done: bool,
}

impl Stream for Chunks {
    type Item = Result<Chunk, ModelError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if let Some(held) = self.held.take() {
            return Poll::Ready(Some(held));
        }
        while !self.done {
            let chunk = match ready!(Pin::new(&mut self.stream).poll_next(cx)) {
                None => {
                    self.done = true;
                    let partial = ChatResponse::new(std::mem::take(&mut self.text));
                    let error = ModelError::new(
                        ModelErrorKind::Network,
                        "the stream ended within the answer",
                    );
                    return Poll::Ready(Some(Err(error.with_partial(partial))));
                }
                Some(Err(error)) => {
                    self.done = true;
                    let error = error_of(error, self.keys.as_deref());
                    let partial = ChatResponse::new(std::mem::take(&mut self.text));
                    let error =
                        if partial.text.is_empty() { error } else { error.with_partial(partial) };
                    return Poll::Ready(Some(Err(error)));
                }
                Some(Ok(event)) => self.event(event),
            };
            if let Some(chunk) = chunk {
                return Poll::Ready(Some(Ok(chunk)));
            }
        }
        Poll::Ready(None)
    }
}

impl Chunks {
    fn event(&mut self, event: ChatStreamEvent) -> Option<Chunk> {
        let chunk = match event {
            ChatStreamEvent::Chunk(chunk) => {
                self.text.push_str(&chunk.content);
                Chunk::Text(chunk.content)
            }
            ChatStreamEvent::ReasoningChunk(chunk) => Chunk::Reasoning(chunk.content),
            ChatStreamEvent::End(end) => {
                self.done = true;
                let mut response = ChatResponse::new(String::new());
                if let Some(captured) = end.captured_content {
                    content(&mut response, captured, &self.request);
                }
                if response.text.is_empty() {
                    response.text = std::mem::take(&mut self.text);
                }
                if let Some(reasoning) = end.captured_reasoning_content {
                    response.reasoning = reasoning;
                }
                response.usage = end.captured_usage.as_ref().map(usage).unwrap_or_default();
                response.model = Some(self.model.clone());
                response.id = end.captured_response_id;
                response.unsent = std::mem::take(&mut self.unsent);
                response.timings.first_token_ms = self.first_token;
                response.timings.total_ms = Some(milliseconds(self.start));
                finish(&mut response, end.captured_stop_reason.as_ref());
                return Some(Chunk::Done(Box::new(response)));
            }
            // Calls come whole with the end; genai's pieces of them are not the same for all providers.
            _ => return None,
        };
        self.first_token.get_or_insert_with(|| milliseconds(self.start));
        Some(chunk)
    }
}

fn finish(response: &mut ChatResponse, reason: Option<&StopReason>) {
    response.finish = match reason {
        Some(StopReason::Completed(_) | StopReason::StopSequence(_)) => FinishReason::Stop,
        Some(StopReason::MaxTokens(_)) => FinishReason::Length,
        Some(StopReason::ToolCall(_)) => FinishReason::ToolCalls,
        Some(StopReason::ContentFilter(reason)) => {
            response.filter = Some(reason.clone());
            FinishReason::ContentFilter
        }
        _ => FinishReason::Other,
    };
    let stopped = matches!(response.finish, FinishReason::Stop | FinishReason::Other);
    if stopped && !response.tool_calls.is_empty() {
        response.finish = FinishReason::ToolCalls;
    }
}

fn content(response: &mut ChatResponse, content: MessageContent, request: &ChatRequest) {
    for part in content.into_parts() {
        match part {
            chat::ContentPart::Text(text) => response.text.push_str(&text),
            chat::ContentPart::ReasoningContent(text) => response.reasoning.push_str(&text),
            chat::ContentPart::ToolCall(call) => {
                let name = request.own_name(&call.fn_name).to_owned();
                response.tool_calls.push(match call.fn_arguments {
                    Value::String(text) => ToolCall::from_text(call.call_id, name, &text),
                    arguments => ToolCall::new(call.call_id, name, arguments),
                });
            }
            _ => {}
        }
    }
}

fn usage(said: &chat::Usage) -> Usage {
    let number =
        |tokens: Option<i32>| tokens.and_then(|n| u64::try_from(n).ok()).unwrap_or_default();
    let mut usage = Usage::new(number(said.prompt_tokens), number(said.completion_tokens));
    if let Some(details) = &said.prompt_tokens_details {
        usage.cached = number(details.cached_tokens);
        usage.cache_written = number(details.cache_creation_tokens);
    }
    if let Some(details) = &said.completion_tokens_details {
        usage.reasoning = number(details.reasoning_tokens);
    }
    usage
}

fn options(request: &ChatRequest, kind: AdapterKind, unsent: &mut Vec<String>) -> ChatOptions {
    let exact = |number: f32| openai::decimal(number).as_f64().unwrap_or_else(|| f64::from(number));
    let mut options = ChatOptions {
        temperature: request.temperature.map(exact),
        top_p: request.top_p.map(exact),
        max_tokens: request.max_tokens,
        stop_sequences: request.stop.clone(),
        seed: request.seed,
        ..ChatOptions::default()
    };
    options.response_format = request.response_format.as_ref().map(|format| match format {
        ResponseFormat::JsonObject => chat::ChatResponseFormat::JsonMode,
        ResponseFormat::JsonSchema { name, schema } => {
            chat::JsonSpec::new(name.clone(), schema.clone()).into()
        }
    });
    options.tool_choice = request.tool_choice.as_ref().map(|choice| match choice {
        ToolChoice::Auto => chat::ToolChoice::Auto,
        ToolChoice::None => chat::ToolChoice::None,
        ToolChoice::Required => chat::ToolChoice::Required,
        ToolChoice::Tool(name) => chat::ToolChoice::tool(request.sent_name(name)),
    });
    options.reasoning_effort = request.reasoning_effort.map(|effort| match effort {
        ReasoningEffort::None => chat::ReasoningEffort::Zero,
        ReasoningEffort::Minimal => chat::ReasoningEffort::Minimal,
        ReasoningEffort::Low => chat::ReasoningEffort::Low,
        ReasoningEffort::Medium => chat::ReasoningEffort::Medium,
        ReasoningEffort::High => chat::ReasoningEffort::High,
    });
    let anthropic = kind == AdapterKind::Anthropic;
    if anthropic && request.seed.is_some() {
        unsent.push("seed: the provider has no such parameter".to_owned());
    }
    let mut extra = request.extra.clone();
    if let Some(top) = request.logprobs {
        match kind {
            AdapterKind::OpenAI
            | AdapterKind::DeepSeek
            | AdapterKind::Xai
            | AdapterKind::OpenRouter => {
                extra.entry("logprobs").or_insert_with(|| true.into());
                extra.entry("top_logprobs").or_insert_with(|| top.into());
            }
            _ => unsent.push("logprobs: the provider has none in this API".to_owned()),
        }
    }
    if !extra.is_empty() {
        options.extra_body = Some(Value::Object(extra));
    }
    options
}

fn messages(request: &ChatRequest) -> chat::ChatRequest {
    let mut messages = chat::ChatRequest::new(
        request.messages.iter().flat_map(|one| message(one, request)).collect(),
    );
    if !request.tools.is_empty() {
        messages = messages.with_tools(request.tools.iter().map(|tool| {
            let mut one = chat::Tool::new(tool.name.clone())
                .with_description(tool.description.clone())
                .with_schema(tool.schema.clone());
            one.strict = tool.strict;
            one.cache_control = tool.cache.map(cache_control);
            one
        }));
    }
    messages
}

fn cache_control(mark: CacheMark) -> chat::CacheControl {
    match mark {
        CacheMark::FiveMinutes => chat::CacheControl::Ephemeral5m,
        CacheMark::OneHour => chat::CacheControl::Ephemeral1h,
    }
}

/// A message; one for each block that has a mark, since genai's marks are on messages.
fn message(message: &ChatMessage, request: &ChatRequest) -> Vec<chat::ChatMessage> {
    let role = match message.role {
        Role::System => chat::ChatRole::System,
        Role::User => chat::ChatRole::User,
        Role::Assistant => chat::ChatRole::Assistant,
        Role::Tool => chat::ChatRole::Tool,
    };
    let mut messages = Vec::new();
    let mut parts: Vec<chat::ContentPart> = Vec::new();
    let mut text = String::new();
    let mut close = |parts: &mut Vec<chat::ContentPart>, mark: Option<CacheMark>| {
        if parts.is_empty() {
            return;
        }
        let content = MessageContent::from_parts(std::mem::take(parts));
        let mut one = chat::ChatMessage::new(role.clone(), content);
        if let Some(mark) = mark {
            one = one.with_options(cache_control(mark));
        }
        messages.push(one);
    };
    let flush = |text: &mut String, parts: &mut Vec<chat::ContentPart>| {
        if !text.is_empty() {
            parts.push(chat::ContentPart::Text(std::mem::take(text)));
        }
    };
    text.push_str(&message.text);
    if message.cache.is_some() {
        flush(&mut text, &mut parts);
        close(&mut parts, message.cache);
    }
    for part in &message.parts {
        if let Part::Text { text: more, cache } = part {
            text.push_str(more);
            if cache.is_some() {
                flush(&mut text, &mut parts);
                close(&mut parts, *cache);
            }
            continue;
        }
        flush(&mut text, &mut parts);
        parts.push(match part {
            Part::Text { .. } => continue,
            Part::Image(Image::Url(url)) => {
                chat::ContentPart::from_binary_url("image/*", url.clone(), None)
            }
            Part::Image(Image::Base64 { media_type, data }) => {
                chat::ContentPart::from_binary_base64(media_type.clone(), data.clone(), None)
            }
            Part::ToolCall(call) => chat::ContentPart::ToolCall(chat::ToolCall {
                call_id: call.id.clone(),
                fn_name: request.sent_name(&call.name).to_owned(),
                fn_arguments: match &call.malformed {
                    Some(text) => Value::from(text.as_str()),
                    None => call.arguments.clone(),
                },
                thought_signatures: None,
            }),
            Part::ToolResult(result) => {
                let content = match result.is_error {
                    true => format!("error: {}", result.content),
                    false => result.content.clone(),
                };
                chat::ContentPart::ToolResponse(
                    chat::ToolResponse::new(result.id.clone(), content)
                        .with_fn_name(request.sent_name(&result.name)),
                )
            }
            Part::Reasoning { text } => chat::ContentPart::ReasoningContent(text.clone()),
        });
    }
    flush(&mut text, &mut parts);
    close(&mut parts, None);
    messages
}

/// genai's errors. Its own words hold the request, so they are not taken over where they do.
fn error_of(error: genai::Error, key: Option<&str>) -> ModelError {
    let keys: Vec<&str> = key.into_iter().collect();
    match error {
        genai::Error::WebModelCall { webc_error, .. }
        | genai::Error::WebAdapterCall { webc_error, .. } => match webc_error {
            genai::webc::Error::ResponseFailedStatus { status, body, headers } => {
                failure::from_response(status.as_u16(), &headers, body.as_bytes(), &keys)
            }
            genai::webc::Error::Reqwest(error) => failure::from_client(error),
            genai::webc::Error::ResponseFailedNotJson { body, .. }
            | genai::webc::Error::ResponseFailedInvalidJson { body, .. } => {
                ModelError::new(ModelErrorKind::Protocol, "the provider's response is no JSON")
                    .with_body(&crate::redact::redact(&body, &keys))
            }
            other => protocol(&other.to_string(), &keys),
        },
        genai::Error::HttpError { status, body, headers, .. } => {
            failure::from_response(status.as_u16(), &headers, body.as_bytes(), &keys)
        }
        genai::Error::WebStream { error, cause, .. } => match error.downcast::<genai::Error>() {
            Ok(error) => error_of(*error, key),
            Err(error) => match error.downcast::<reqwest::Error>() {
                Ok(error) => failure::from_client(*error),
                Err(_) => ModelError::new(
                    ModelErrorKind::Network,
                    format!("the stream broke: {}", crate::redact::redact(&cause, &keys)),
                ),
            },
        },
        genai::Error::ChatResponse { body, .. } => failure::from_event(&body, &keys),
        genai::Error::ChatResponseGeneration { cause, .. } => protocol(&cause, &keys),
        genai::Error::StreamParse { serde_error, .. } => protocol(&serde_error.to_string(), &keys),
        genai::Error::RequiresApiKey { .. }
        | genai::Error::NoAuthData { .. }
        | genai::Error::NoAuthResolver { .. }
        | genai::Error::Resolver { .. } => {
            ModelError::new(ModelErrorKind::Auth, "there is no key for this provider")
        }
        genai::Error::AdapterNotSupported { feature, .. } => ModelError::new(
            ModelErrorKind::Unsupported,
            format!("the provider's client cannot send this: {feature}"),
        ),
        genai::Error::MessageContentTypeNotSupported { cause, .. } => ModelError::new(
            ModelErrorKind::Unsupported,
            format!("the provider's client cannot send this: {cause}"),
        ),
        other => ModelError::new(
            ModelErrorKind::Other,
            crate::redact::redact(&crate::error::clipped(&other.to_string(), 500), &keys),
        ),
    }
}

fn protocol(cause: &str, keys: &[&str]) -> ModelError {
    let cause = crate::redact::redact(&crate::error::clipped(cause, 500), keys);
    ModelError::new(
        ModelErrorKind::Protocol,
        format!("the provider's response cannot be read: {cause}"),
    )
}
