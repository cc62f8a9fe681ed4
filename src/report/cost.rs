//! What a prompt costs, in numbers: of the whole, and of each of its parts.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::text::Volatility;

/// What a prompt costs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Totals {
    /// Who counted the tokens: [`TokenCounter::name`](crate::TokenCounter::name).
    pub counter: String,
    /// The numbers of tokens are only about right.
    pub estimate: bool,
    /// The length of the text in bytes.
    pub bytes: usize,
    /// The same in tokens: those of the sections, one by one.
    pub tokens: usize,
    /// How many tools the model is offered, in the text or beside it.
    pub tools: usize,
    /// The length of the native tools in bytes, as compact JSON; 0 when the tools are in the text.
    pub native_bytes: usize,
    /// The same in tokens: those of the tools, one by one.
    pub native_tokens: usize,
    /// From the start of the text so many bytes are the same in every request of this configuration.
    pub static_bytes: usize,
    /// From the start of the text so many bytes are the same during a conversation.
    pub conversation_bytes: usize,
}

/// Where a section is in the text and what it costs. All empty when it is not printed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SectionCost {
    /// Its parts, in bytes; what is printed inside of it is not among them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ranges: Vec<Range<usize>>,
    /// The length of its parts in bytes.
    #[serde(default)]
    pub bytes: usize,
    /// The same in tokens.
    #[serde(default)]
    pub tokens: usize,
    /// How often it changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volatility: Option<Volatility>,
}
