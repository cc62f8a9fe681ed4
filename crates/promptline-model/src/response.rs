//! What a model answers, and what it cost.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

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
    /// Tokens of the prompt.
    pub input: u64,
    /// Tokens of the answer.
    pub output: u64,
}

impl Usage {
    /// Tokens of prompt and answer.
    #[must_use]
    pub fn new(input: u64, output: u64) -> Self {
        Self { input, output }
    }
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input = self.input.saturating_add(other.input);
        self.output = self.output.saturating_add(other.output);
    }
}

/// An answer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct ChatResponse {
    /// What the model said; empty when it said nothing.
    pub text: String,
    /// Why it ends.
    pub finish: FinishReason,
    /// What it cost.
    pub usage: Usage,
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
}
