//! What a model answers, and what it cost.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Why an answer ends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FinishReason {
    /// The model was done.
    #[default]
    Stop,
    /// The limit of tokens was reached: the answer is cut off.
    Length,
    /// It wants to call a tool.
    ToolCalls,
    /// The provider stopped it.
    ContentFilter,
    /// The provider says something else, or nothing.
    Other,
}

/// Tokens of one answer, or of several.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Usage {
    /// Tokens of the prompt, cached ones included.
    pub input: u64,
    /// Tokens of the answer, those of reasoning included.
    pub output: u64,
    /// Tokens of the prompt that the provider read from its cache.
    #[serde(skip_serializing_if = "is_zero")]
    pub cached: u64,
    /// Tokens of the prompt that the provider wrote to its cache.
    #[serde(skip_serializing_if = "is_zero")]
    pub cache_written: u64,
    /// Tokens of reasoning.
    #[serde(skip_serializing_if = "is_zero")]
    pub reasoning: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Usage {
    /// Tokens of prompt and answer.
    #[must_use]
    pub fn new(input: u64, output: u64) -> Self {
        Self { input, output, ..Self::default() }
    }

    /// Sets how many tokens of the prompt came from the provider's cache.
    #[must_use]
    pub fn cached(mut self, tokens: u64) -> Self {
        self.cached = tokens;
        self
    }
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input = self.input.saturating_add(other.input);
        self.output = self.output.saturating_add(other.output);
        self.cached = self.cached.saturating_add(other.cached);
        self.cache_written = self.cache_written.saturating_add(other.cache_written);
        self.reasoning = self.reasoning.saturating_add(other.reasoning);
    }
}

/// How long it took, in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Timings {
    /// Until the first token arrived; known when the answer was streamed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_token_ms: Option<f64>,
    /// How long the server read the prompt, where it says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prefill_ms: Option<f64>,
    /// Until the end of the answer, retries included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_ms: Option<f64>,
}

impl Timings {
    /// Nothing is known.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolCall {
    /// The provider's id of the call; empty where it has none.
    pub id: String,
    /// The tool, by the host's name.
    pub name: String,
    /// The arguments. Null when what the model wrote is no JSON.
    pub arguments: Value,
    /// What the model wrote, when it is no JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub malformed: Option<String>,
}

impl ToolCall {
    /// A call.
    #[must_use]
    pub fn new(id: impl Into<String>, name: impl Into<String>, arguments: Value) -> Self {
        Self { id: id.into(), name: name.into(), arguments, malformed: None }
    }

    /// A call whose arguments are text. No text at all is a call without arguments.
    #[must_use]
    pub fn from_text(id: impl Into<String>, name: impl Into<String>, arguments: &str) -> Self {
        if arguments.trim().is_empty() {
            return Self::new(id, name, Value::Object(serde_json::Map::new()));
        }
        match serde_json::from_str(arguments) {
            Ok(value) => Self::new(id, name, value),
            Err(_) => {
                Self { malformed: Some(arguments.to_owned()), ..Self::new(id, name, Value::Null) }
            }
        }
    }
}

/// A token of the answer, and what else it could have been.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TokenLogprob {
    /// The token.
    pub token: String,
    /// The natural logarithm of its probability.
    pub logprob: f64,
    /// The most likely tokens in its place, with theirs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub top: Vec<(String, f64)>,
}

impl TokenLogprob {
    /// A token.
    #[must_use]
    pub fn new(token: impl Into<String>, logprob: f64) -> Self {
        Self { token: token.into(), logprob, top: Vec::new() }
    }
}

/// An answer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct ChatResponse {
    /// What the model said; empty when it said nothing.
    pub text: String,
    /// What it thought before, where the provider gives it apart.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reasoning: String,
    /// The tools that it calls.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolCall>,
    /// Why it ends.
    pub finish: FinishReason,
    /// The model's refusal, where the provider gives it apart from the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<String>,
    /// What the provider's filter says, when it has stopped the answer: its categories, or its reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filter: Option<String>,
    /// What it cost.
    pub usage: Usage,
    /// How long it took.
    #[serde(skip_serializing_if = "is_default")]
    pub timings: Timings,
    /// The model, as the provider names it in its answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The provider's id of the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The tokens of the answer with their probabilities, when the request asked for them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub logprobs: Vec<TokenLogprob>,
    /// How many requests were made for it; retries make it more than 1. 0 is not known.
    #[serde(skip_serializing_if = "is_none_or_one")]
    pub attempts: u32,
    /// What of the request the client could not send, one line each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unsent: Vec<String>,
    /// The provider's JSON, when the request asked for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw: Option<Value>,
}

fn is_default(timings: &Timings) -> bool {
    *timings == Timings::default()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_none_or_one(attempts: &u32) -> bool {
    *attempts <= 1
}

impl ChatResponse {
    /// An answer that is at its end.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// Sets why it ends.
    #[must_use]
    pub fn finish(mut self, finish: FinishReason) -> Self {
        self.finish = finish;
        self
    }

    /// Sets what it cost.
    #[must_use]
    pub fn usage(mut self, usage: Usage) -> Self {
        self.usage = usage;
        self
    }

    /// Adds a call; the answer then ends with it.
    #[must_use]
    pub fn tool_call(mut self, call: ToolCall) -> Self {
        self.tool_calls.push(call);
        self.finish = FinishReason::ToolCalls;
        self
    }

    /// Sets the model's refusal.
    #[must_use]
    pub fn refusal(mut self, refusal: impl Into<String>) -> Self {
        self.refusal = Some(refusal.into());
        self
    }

    /// The provider or the model says, apart from the text, that it does not answer.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.refusal.is_some()
            || self.filter.is_some()
            || self.finish == FinishReason::ContentFilter
    }
}
