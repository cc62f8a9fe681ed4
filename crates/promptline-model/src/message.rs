//! Messages and what they are made of. One shape for all providers; a client leaves nothing out silently.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ToolCall;

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
    /// Results of tools that the model has called.
    Tool,
}

/// One message: a text, then parts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ChatMessage {
    /// Who speaks.
    pub role: Role,
    /// What is said; may be empty when there are parts.
    #[serde(default)]
    pub text: String,
    /// What comes after the text, in order: more text with a mark for the cache, images, calls, results.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
    /// A mark for the provider's cache at the end of the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache: Option<CacheMark>,
}

/// A part of a message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Part {
    /// More text. The texts of one message are sent one after the other without anything between them.
    Text {
        /// The text.
        text: String,
        /// A mark for the provider's cache at its end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cache: Option<CacheMark>,
    },
    /// An image.
    Image(Image),
    /// A call that the model made; in its own messages.
    ToolCall(ToolCall),
    /// The result of a call; in messages of [`Role::Tool`].
    ToolResult(ToolResult),
    /// Reasoning that the model wrote before, for providers that want it back.
    Reasoning {
        /// The reasoning.
        text: String,
    },
}

/// For how long a provider is to keep what stands before a mark.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum CacheMark {
    /// Five minutes.
    #[default]
    #[serde(rename = "5m")]
    FiveMinutes,
    /// One hour.
    #[serde(rename = "1h")]
    OneHour,
}

/// An image, by address or as data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Image {
    /// An address that the provider reads.
    Url(String),
    /// The image itself.
    Base64 {
        /// As `image/png`.
        media_type: String,
        /// In base64.
        data: String,
    },
}

/// What a tool answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolResult {
    /// The id of the call.
    pub id: String,
    /// The tool.
    pub name: String,
    /// What it answered.
    pub content: String,
    /// The tool failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_error: bool,
}

impl ToolResult {
    /// The result of a call.
    #[must_use]
    pub fn new(call: &ToolCall, content: impl Into<String>) -> Self {
        let (id, name) = (call.id.clone(), call.name.clone());
        Self { id, name, content: content.into(), is_error: false }
    }

    /// The tool failed.
    #[must_use]
    pub fn failed(mut self) -> Self {
        self.is_error = true;
        self
    }
}

impl ChatMessage {
    /// A message.
    #[must_use]
    pub fn new(role: Role, text: impl Into<String>) -> Self {
        Self { role, text: text.into(), parts: Vec::new(), cache: None }
    }

    /// What the model answered, as it goes back into the conversation: text and calls.
    #[must_use]
    pub fn from_response(response: &crate::ChatResponse) -> Self {
        let mut message = Self::new(Role::Assistant, response.text.clone());
        message.parts.extend(response.tool_calls.iter().cloned().map(Part::ToolCall));
        message
    }

    /// Adds a part.
    #[must_use]
    pub fn part(mut self, part: Part) -> Self {
        self.parts.push(part);
        self
    }

    /// Adds text at the end, whatever the message is made of.
    pub fn push_text(&mut self, text: &str) {
        match self.parts.last_mut() {
            None if self.cache.is_none() => self.text.push_str(text),
            Some(Part::Text { text: last, cache: None }) => last.push_str(text),
            _ => self.parts.push(Part::Text { text: text.to_owned(), cache: None }),
        }
    }

    /// All of its text.
    #[must_use]
    pub fn full_text(&self) -> String {
        let mut all = self.text.clone();
        for part in &self.parts {
            if let Part::Text { text, .. } = part {
                all.push_str(text);
            }
        }
        all
    }

    /// The calls in it.
    pub fn tool_calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.parts.iter().filter_map(|part| match part {
            Part::ToolCall(call) => Some(call),
            _ => None,
        })
    }
}

/// A tool that the model may call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ChatTool {
    /// Its name, as the provider takes it.
    pub name: String,
    /// What it does.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// The JSON Schema of its arguments.
    pub schema: Value,
    /// The provider is to hold the arguments to the schema.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strict: Option<bool>,
    /// A mark for the provider's cache after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache: Option<CacheMark>,
}

impl ChatTool {
    /// A tool.
    #[must_use]
    pub fn new(name: impl Into<String>, description: impl Into<String>, schema: Value) -> Self {
        Self {
            name: name.into(),
            description: description.into(),
            schema,
            strict: None,
            cache: None,
        }
    }

    /// The tools of a provider's request, as `promptline` writes them: the value of `tools` for OpenAI (both
    /// APIs), Anthropic and MCP; `functionDeclarations` for Gemini. `None` when one of them is of another
    /// shape.
    #[must_use]
    pub fn from_request(tools: &Value) -> Option<Vec<Self>> {
        let mut list = Vec::new();
        for tool in tools.as_array()? {
            match tool.get("functionDeclarations") {
                Some(declared) => list.extend(Self::from_request(declared)?),
                None => list.push(Self::from_value(tool)?),
            }
        }
        Some(list)
    }

    fn from_value(tool: &Value) -> Option<Self> {
        let tool = tool.get("function").filter(|inner| inner.is_object()).unwrap_or(tool);
        let schema = ["parameters", "input_schema", "inputSchema", "parametersJsonSchema"]
            .iter()
            .find_map(|key| tool.get(*key))
            .cloned()
            .unwrap_or_else(|| serde_json::json!({"type": "object", "properties": {}}));
        let text = |key| tool.get(key).and_then(Value::as_str);
        Some(Self {
            name: text("name")?.to_owned(),
            description: text("description").unwrap_or_default().to_owned(),
            schema,
            strict: tool.get("strict").and_then(Value::as_bool),
            cache: tool.get("cache_control").map(|control| {
                match control.get("ttl").and_then(Value::as_str) {
                    Some("1h") => CacheMark::OneHour,
                    _ => CacheMark::FiveMinutes,
                }
            }),
        })
    }
}

/// Whether the model has to call a tool.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ToolChoice {
    /// The model decides.
    #[default]
    Auto,
    /// No tool.
    None,
    /// Some tool.
    Required,
    /// This tool.
    Tool(String),
}
