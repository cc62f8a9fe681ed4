//! What was said: turns, their messages, and the parts of a message.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::TurnId;

/// A piece of the conversation that is committed as one: what the user said, and what the model did about it until it
/// answered. A host that wants a tool loop to survive a crash commits it step by step; a conversation is cut only in
/// front of a turn that begins with a message of the user.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Turn {
    /// The host's id for it; the same id is the same turn.
    pub id: TurnId,
    /// Its place in the session, from 1. The store gives it; 0 before.
    #[serde(default)]
    pub seq: u64,
    /// When it was said, in milliseconds since 1970, by the host's clock. Nothing is ordered by it; 0 is unknown.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub at_ms: u64,
    /// What was said, in order.
    pub messages: Vec<Message>,
    /// Which reminder went with the user's message: a hash, never its text. See
    /// [`Reminders`](crate::Reminders).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reminder: Option<String>,
    /// Whatever else the host keeps with it; comes back as it is.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Turn {
    /// An empty turn.
    #[must_use]
    pub fn new(id: TurnId) -> Self {
        let (messages, extra) = (Vec::new(), Map::new());
        Self { id, seq: 0, at_ms: 0, messages, reminder: None, extra }
    }

    /// Adds what the user said.
    #[must_use]
    pub fn user(self, text: impl Into<Arc<str>>) -> Self {
        self.message(Message::user(text))
    }

    /// Adds what the model said.
    #[must_use]
    pub fn assistant(self, text: impl Into<Arc<str>>) -> Self {
        self.message(Message::assistant(text))
    }

    /// Adds a message.
    #[must_use]
    pub fn message(mut self, message: Message) -> Self {
        self.messages.push(message);
        self
    }

    /// Sets when it was said, in milliseconds since 1970.
    #[must_use]
    pub fn at_ms(mut self, at: u64) -> Self {
        self.at_ms = at;
        self
    }

    /// Whether a conversation may begin with it: its first message is the user's.
    #[must_use]
    pub fn opens(&self) -> bool {
        self.messages.first().is_some_and(|message| message.role == Role::User)
    }

    /// All its text parts of one role, joined by newlines.
    #[must_use]
    pub fn text_of(&self, role: Role) -> String {
        let of_role = self.messages.iter().filter(|message| message.role == role);
        let texts: Vec<&str> = of_role.flat_map(Message::texts).collect();
        texts.join("\n")
    }

    /// Whether two turns say the same. Place and time do not count: a retry may have another time.
    pub(crate) fn says_as(&self, other: &Self) -> bool {
        self.messages == other.messages && self.extra == other.extra
    }
}

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Role {
    /// The user.
    User,
    /// The model.
    Assistant,
    /// The host, with results of tools.
    Tool,
}

/// A message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What it consists of.
    pub parts: Vec<Part>,
    /// Whatever else the host keeps with it.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl Message {
    /// A message of these parts.
    #[must_use]
    pub fn new(role: Role, parts: Vec<Part>) -> Self {
        Self { role, parts, extra: Map::new() }
    }

    /// A text of the user.
    #[must_use]
    pub fn user(text: impl Into<Arc<str>>) -> Self {
        Self::new(Role::User, vec![Part::text(text)])
    }

    /// A text of the model.
    #[must_use]
    pub fn assistant(text: impl Into<Arc<str>>) -> Self {
        Self::new(Role::Assistant, vec![Part::text(text)])
    }

    /// A call of a tool by the model.
    #[must_use]
    pub fn call(id: impl Into<Arc<str>>, name: impl Into<Arc<str>>, args: Value) -> Self {
        Self::new(Role::Assistant, vec![Part::call(id, name, args)])
    }

    /// The result of a call.
    #[must_use]
    pub fn result(id: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Self {
        Self::new(Role::Tool, vec![Part::result(id, text)])
    }

    /// Adds a part.
    #[must_use]
    pub fn part(mut self, part: Part) -> Self {
        self.parts.push(part);
        self
    }

    /// Its texts, without results of tools.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            Part::Text { text, .. } => Some(text.as_ref()),
            _ => None,
        })
    }
}

/// A part of a message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Part {
    /// Text.
    Text {
        /// The text.
        text: Arc<str>,
        /// Whatever else the host or the provider keeps with it (a signature, a mark).
        #[serde(flatten)]
        extra: Map<String, Value>,
    },
    /// A call of a tool.
    ToolCall {
        /// The call's id, by which its result names it.
        id: Arc<str>,
        /// The tool.
        name: Arc<str>,
        /// The arguments, an object.
        args: Value,
        /// Whatever else the host or the provider keeps with it (a signature, a mark).
        #[serde(flatten)]
        extra: Map<String, Value>,
    },
    /// What a tool gave back.
    ToolResult {
        /// The id of the call.
        id: Arc<str>,
        /// The result, as the model reads it.
        text: Arc<str>,
        /// Whether the tool failed.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        error: bool,
        /// Whatever else the host or the provider keeps with it (a signature, a mark).
        #[serde(flatten)]
        extra: Map<String, Value>,
    },
    /// Anything else, in the form of the provider that the host talks to (an image, a block of reasoning with its
    /// signature). Goes to the provider and comes back as it is.
    #[serde(untagged)]
    Other(Value),
}

impl Part {
    /// Text.
    #[must_use]
    pub fn text(text: impl Into<Arc<str>>) -> Self {
        Self::Text { text: text.into(), extra: Map::new() }
    }

    /// A call of a tool.
    #[must_use]
    pub fn call(id: impl Into<Arc<str>>, name: impl Into<Arc<str>>, args: Value) -> Self {
        Self::ToolCall { id: id.into(), name: name.into(), args, extra: Map::new() }
    }

    /// The result of a call.
    #[must_use]
    pub fn result(id: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Self {
        Self::ToolResult { id: id.into(), text: text.into(), error: false, extra: Map::new() }
    }
}
