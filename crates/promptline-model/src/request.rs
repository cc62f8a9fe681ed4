//! What is asked. What a provider does not have, its client reports.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::message::{CacheMark, ChatMessage, ChatTool, Part, Role, ToolChoice, ToolResult};

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

/// How long a reasoning model is to think.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ReasoningEffort {
    /// Not at all.
    None,
    /// As little as it can.
    Minimal,
    /// A little.
    Low,
    /// Some.
    Medium,
    /// Long.
    High,
}

impl ReasoningEffort {
    /// The word that providers use.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Minimal => "minimal",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// A request. The model and its address belong to the [`ChatModel`](crate::ChatModel).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct ChatRequest {
    /// The conversation, oldest first.
    pub messages: Vec<ChatMessage>,
    /// The tools that the model may call.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<ChatTool>,
    /// Whether it has to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_choice: Option<ToolChoice>,
    /// The host's names of tools by the names that the provider is sent; calls come back with the host's.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub tool_names: BTreeMap<String, String>,
    /// The most tokens that the answer may have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u32>,
    /// How freely it is sampled, 0 to 2.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "decimal")]
    pub temperature: Option<f32>,
    /// Only the most likely tokens that together have this probability, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "decimal")]
    pub top_p: Option<f32>,
    /// Where sampling starts from; the same seed gives the same answer where the provider keeps to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Texts at which the answer ends.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stop: Vec<String>,
    /// For each token of the answer, so many of the most likely ones with their probabilities, 0 to 20.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logprobs: Option<u8>,
    /// How long a reasoning model is to think.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning_effort: Option<ReasoningEffort>,
    /// What the answer is held to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_format: Option<ResponseFormat>,
    /// Fields of the provider's own, added to the body of the request as they are; they win over ours.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub extra: Map<String, Value>,
    /// Which of several times the same is asked; never sent. Recordings keep them apart.
    #[serde(skip_serializing_if = "is_zero")]
    pub repeat: u32,
    /// The response is to hold the provider's JSON ([`ChatResponse::raw`](crate::ChatResponse::raw)); never
    /// sent, and no part of a recording's key.
    #[serde(skip)]
    pub keep_raw: bool,
}

/// 0.1 as 0.1, and not as 0.10000000149011612.
#[expect(clippy::ref_option, reason = "serde asks for a reference")]
fn decimal<S: serde::Serializer>(number: &Option<f32>, serializer: S) -> Result<S::Ok, S::Error> {
    let exact = |number: f32| number.to_string().parse().unwrap_or_else(|_| f64::from(number));
    number.map(exact).serialize(serializer)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
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

    /// Adds instructions in blocks, each with a mark for the provider's cache at its end or without. One
    /// message; the blocks follow each other without anything between them.
    #[must_use]
    pub fn system_blocks<T: Into<String>>(
        mut self,
        blocks: impl IntoIterator<Item = (T, Option<CacheMark>)>,
    ) -> Self {
        let mut blocks = blocks.into_iter();
        let Some((text, cache)) = blocks.next() else { return self };
        let mut message = ChatMessage::new(Role::System, text);
        message.cache = cache;
        message.parts =
            blocks.map(|(text, cache)| Part::Text { text: text.into(), cache }).collect();
        self.messages.push(message);
        self
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

    /// Adds the results of calls, in one message.
    #[must_use]
    pub fn tool_results(mut self, results: impl IntoIterator<Item = ToolResult>) -> Self {
        let mut message = ChatMessage::new(Role::Tool, "");
        message.parts = results.into_iter().map(Part::ToolResult).collect();
        self.messages.push(message);
        self
    }

    /// Sets the tools that the model may call.
    #[must_use]
    pub fn tools(mut self, tools: impl IntoIterator<Item = ChatTool>) -> Self {
        self.tools = tools.into_iter().collect();
        self
    }

    /// Sets whether the model has to call a tool.
    #[must_use]
    pub fn tool_choice(mut self, choice: ToolChoice) -> Self {
        self.tool_choice = Some(choice);
        self
    }

    /// Adds the host's name of a tool whose name for the provider had to be changed.
    #[must_use]
    pub fn tool_name(mut self, sent: impl Into<String>, own: impl Into<String>) -> Self {
        self.tool_names.insert(sent.into(), own.into());
        self
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

    /// Sets which part of the most likely tokens is sampled from, 0 to 1.
    #[must_use]
    pub fn top_p(mut self, top_p: f32) -> Self {
        self.top_p = Some(top_p);
        self
    }

    /// Sets where sampling starts from.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// Adds a text at which the answer ends.
    #[must_use]
    pub fn stop(mut self, text: impl Into<String>) -> Self {
        self.stop.push(text.into());
        self
    }

    /// Asks for probabilities, with so many of the most likely tokens.
    #[must_use]
    pub fn logprobs(mut self, top: u8) -> Self {
        self.logprobs = Some(top);
        self
    }

    /// Sets how long a reasoning model is to think.
    #[must_use]
    pub fn reasoning_effort(mut self, effort: ReasoningEffort) -> Self {
        self.reasoning_effort = Some(effort);
        self
    }

    /// Sets what the answer is held to.
    #[must_use]
    pub fn response_format(mut self, format: ResponseFormat) -> Self {
        self.response_format = Some(format);
        self
    }

    /// Sets a field of the provider's own.
    #[must_use]
    pub fn extra(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.extra.insert(name.into(), value.into());
        self
    }

    /// Sets which of several times the same is asked.
    #[must_use]
    pub fn repeat(mut self, index: u32) -> Self {
        self.repeat = index;
        self
    }

    /// The response is to hold the provider's JSON.
    #[must_use]
    pub fn keep_raw(mut self) -> Self {
        self.keep_raw = true;
        self
    }

    /// The host's name of a tool, by the name that the provider was sent.
    #[must_use]
    pub fn own_name<'n>(&'n self, sent: &'n str) -> &'n str {
        self.tool_names.get(sent).map_or(sent, String::as_str)
    }

    /// The name that the provider was sent, by the host's name of a tool.
    #[must_use]
    pub fn sent_name<'n>(&'n self, own: &'n str) -> &'n str {
        self.tool_names.iter().find(|(_, name)| *name == own).map_or(own, |(sent, _)| sent.as_str())
    }
}
