//! What went wrong, read from a status, a body and the client's own errors. One table for all providers.

use std::time::Duration;

use reqwest::header::HeaderMap;
use serde_json::Value;

use crate::redact::redact;
use crate::{ContextFigures, ModelError, ModelErrorKind};

/// A response that is no answer. The keys are hidden wherever they are.
pub(super) fn from_response(
    status: u16,
    headers: &HeaderMap,
    body: &[u8],
    keys: &[&str],
) -> ModelError {
    let body = redact(&String::from_utf8_lossy(body), keys);
    let json: Value = serde_json::from_str(&body).unwrap_or_default();
    let mut error = from_json(Some(status), &json, &body);
    if let Some(wait) = retry_after(headers) {
        error = error.with_retry_after(wait);
    }
    error.with_body(&body)
}

/// An error that stands in a stream, under status 200.
pub(super) fn from_event(event: &Value, keys: &[&str]) -> ModelError {
    let body = redact(&event.to_string(), keys);
    let json = serde_json::from_str(&body).unwrap_or_default();
    from_json(None, &json, &body).with_body(&body)
}

fn from_json(status: Option<u16>, json: &Value, body: &str) -> ModelError {
    // `{"error": {…}}`, `{"error": "…"}`, `[{"error": {…}}]` (Gemini), or the fields themselves.
    let outer = json.get(0).unwrap_or(json);
    let inner = outer.get("error").unwrap_or(outer);
    let text = |key: &str| inner.get(key).and_then(Value::as_str);
    let said = inner.as_str().or_else(|| text("message")).or_else(|| text("detail"));
    let said = said.unwrap_or_default().trim();
    let code = ["code", "type", "status"].iter().find_map(|key| text(key)).map(str::to_owned);
    let status = status.or_else(|| {
        let code = inner.get("code").and_then(Value::as_u64)?;
        u16::try_from(code).ok().filter(|code| (400..600).contains(code))
    });
    let context = figures(inner, said);
    let kind = kind(status, &signs(inner, said), context.is_some());
    let mut message = what(kind).to_owned();
    match said.is_empty() {
        false => message.push_str(&format!(": {}", crate::error::clipped(said, 500))),
        true => {
            if let Some(status) = status {
                message.push_str(&format!(" (HTTP {status})"));
            }
            let body = body.trim();
            if json.is_null() && !body.is_empty() {
                message.push_str(&format!(": {}", crate::error::clipped(body, 200)));
            }
        }
    }
    if let Some(help) = help(kind) {
        message.push_str(&format!("\nhelp: {help}"));
    }
    let mut error = ModelError::new(kind, message);
    if let Some(status) = status {
        error = error.with_status(status);
    }
    if let Some(code) = code {
        error = error.with_code(code);
    }
    if let Some(figures) = context {
        error = error.with_context(figures);
    }
    error
}

/// Codes, types and the message, in lower case.
fn signs(inner: &Value, said: &str) -> String {
    let mut signs = said.to_lowercase();
    for key in ["code", "type", "status", "param"] {
        if let Some(text) = inner.get(key).and_then(Value::as_str) {
            signs.push(' ');
            signs.push_str(&text.to_lowercase());
        }
    }
    signs
}

/// Words by which providers name a failure; the first that is there decides. Words come before the status, since
/// providers send the same status for different failures.
const WORDS: &[(&str, ModelErrorKind)] = &[
    ("insufficient_quota", ModelErrorKind::Quota),
    ("exceeded your current quota", ModelErrorKind::Quota),
    ("insufficient balance", ModelErrorKind::Quota),
    ("credit balance is too low", ModelErrorKind::Quota),
    ("billing_hard_limit", ModelErrorKind::Quota),
    ("context_length_exceeded", ModelErrorKind::ContextLength),
    ("exceed_context_size", ModelErrorKind::ContextLength),
    ("maximum context length", ModelErrorKind::ContextLength),
    ("prompt is too long", ModelErrorKind::ContextLength),
    ("exceeds the maximum number of tokens", ModelErrorKind::ContextLength),
    ("exceeds the available context size", ModelErrorKind::ContextLength),
    ("input is too long", ModelErrorKind::ContextLength),
    ("content_filter", ModelErrorKind::ContentFilter),
    ("content_policy", ModelErrorKind::ContentFilter),
    ("content management policy", ModelErrorKind::ContentFilter),
    ("responsibleaipolicyviolation", ModelErrorKind::ContentFilter),
    ("data_inspection_failed", ModelErrorKind::ContentFilter),
    ("content exists risk", ModelErrorKind::ContentFilter),
    ("rate_limit", ModelErrorKind::RateLimit),
    ("resource_exhausted", ModelErrorKind::RateLimit),
    ("overloaded", ModelErrorKind::Server),
    ("invalid_api_key", ModelErrorKind::Auth),
    ("invalid api key", ModelErrorKind::Auth),
    ("api key not valid", ModelErrorKind::Auth),
    ("incorrect api key", ModelErrorKind::Auth),
    ("authentication", ModelErrorKind::Auth),
    ("permission", ModelErrorKind::Auth),
];

fn kind(status: Option<u16>, signs: &str, has_figures: bool) -> ModelErrorKind {
    let client_error = status.is_none_or(|status| (400..500).contains(&status));
    let word = WORDS.iter().find(|(word, _)| signs.contains(word)).map(|(_, kind)| *kind);
    match (word, status) {
        (Some(kind), _) if client_error || kind == ModelErrorKind::Server => kind,
        (_, Some(413)) if has_figures => ModelErrorKind::ContextLength,
        (_, Some(401 | 403)) => ModelErrorKind::Auth,
        (_, Some(402)) => ModelErrorKind::Quota,
        (_, Some(408)) => ModelErrorKind::Timeout,
        (_, Some(429)) => ModelErrorKind::RateLimit,
        (_, Some(400..=499)) => ModelErrorKind::BadRequest,
        (_, Some(500..)) => ModelErrorKind::Server,
        (_, Some(_)) => ModelErrorKind::Protocol,
        (_, None) => ModelErrorKind::Server,
    }
}

fn what(kind: ModelErrorKind) -> &'static str {
    match kind {
        ModelErrorKind::RateLimit => "the provider's rate limit is reached",
        ModelErrorKind::Quota => "the quota is used up",
        ModelErrorKind::Timeout => "the provider gave no answer in time",
        ModelErrorKind::Auth => "the provider does not accept the key",
        ModelErrorKind::ContentFilter => "the provider refused the content",
        ModelErrorKind::ContextLength => "the prompt is longer than the model's window",
        ModelErrorKind::BadRequest => "the provider does not accept the request",
        ModelErrorKind::Protocol => "the provider's response is none that was expected",
        _ => "the provider failed",
    }
}

fn help(kind: ModelErrorKind) -> Option<&'static str> {
    match kind {
        ModelErrorKind::Auth => Some("check the key and what it may do"),
        ModelErrorKind::ContextLength => Some(
            "shorten the prompt (a budget does it by priority), or take a model with a larger window",
        ),
        _ => None,
    }
}

/// What a provider says about a context that is too long: fields (llama.cpp), or numbers in its message.
fn figures(inner: &Value, said: &str) -> Option<ContextFigures> {
    let field = |key: &str| inner.get(key).and_then(Value::as_u64);
    let (prompt, window) = (field("n_prompt_tokens"), field("n_ctx"));
    if prompt.is_some() || window.is_some() {
        return Some(ContextFigures::new(prompt, window));
    }
    let lower = said.to_lowercase();
    // In these words, and with these numbers in this order: the window first (OpenAI, DeepSeek), or last.
    let window_first = lower.contains("maximum context length");
    let window_last =
        lower.contains("prompt is too long") || lower.contains("maximum number of tokens");
    let numbers = || {
        let digits = lower.split(|c: char| !(c.is_ascii_digit() || c == ','));
        digits
            .map(|part| part.replace(',', ""))
            .filter_map(|part| part.parse::<u64>().ok())
            .filter(|number| *number >= 100)
    };
    let (first, second) = (numbers().next(), numbers().nth(1));
    match (window_first, window_last) {
        (true, _) => first.map(|window| ContextFigures::new(second, Some(window))),
        (_, true) => first.map(|prompt| ContextFigures::new(Some(prompt), second)),
        _ => None,
    }
}

/// `retry-after-ms`, then `retry-after` in seconds. A date is not read: there is no clock to hold it to.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let number = |name: &str| -> Option<f64> {
        let number: f64 = headers.get(name)?.to_str().ok()?.trim().parse().ok()?;
        (number.is_finite() && number >= 0.0).then_some(number)
    };
    let seconds =
        number("retry-after-ms").map(|ms| ms / 1_000.0).or_else(|| number("retry-after"))?;
    // A day is as good as never.
    Some(Duration::from_secs_f64(seconds.min(86_400.0)))
}

/// An error of the HTTP client. Addresses are left out.
pub(super) fn from_client(error: reqwest::Error) -> ModelError {
    let error = error.without_url();
    let (kind, what) = if error.is_timeout() && error.is_connect() {
        (ModelErrorKind::Network, "the server cannot be reached in time")
    } else if error.is_timeout() {
        (ModelErrorKind::Timeout, "the provider gave no answer in time")
    } else if error.is_connect() {
        (ModelErrorKind::Network, "the server cannot be reached")
    } else if error.is_builder() {
        (ModelErrorKind::BadRequest, "the request cannot be made")
    } else if error.is_decode() {
        (ModelErrorKind::Network, "the connection ended within the response")
    } else {
        (ModelErrorKind::Network, "the connection failed")
    };
    let mut message = what.to_owned();
    let mut below = std::error::Error::source(&error);
    let mut last = None;
    while let Some(cause) = below {
        last = Some(cause.to_string());
        below = cause.source();
    }
    if let Some(cause) = last {
        message.push_str(&format!(": {cause}"));
    }
    ModelError::new(kind, message).with_source(error)
}
