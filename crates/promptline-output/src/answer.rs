//! What asking ends in: a value or none, and everything that led to it.

use promptline_model::{FinishReason, Usage};
use serde_json::Value;

use crate::parsed::Parsed;

/// The end of asking. There is a value or there is none; half an object is none.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Answer<T> {
    /// The value.
    pub value: Option<T>,
    /// The same as JSON.
    pub json: Option<Value>,
    /// How it ended.
    pub outcome: Outcome,
    /// What the model said, once or twice, and how it was read.
    pub attempts: Vec<Attempt>,
    /// What all of it cost.
    pub usage: Usage,
    /// Fields that the first answer had as well, with another value.
    pub disagreements: Vec<Disagreement>,
}

/// How asking ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// The first answer could be used.
    First,
    /// The second answer could be used.
    Retried,
    /// No answer could be used; the last one was cut off.
    Truncated,
    /// No answer could be used.
    Unusable,
}

/// One answer.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Attempt {
    /// How it was read; the raw text is in it.
    pub parsed: Parsed,
    /// Why it ended.
    pub finish: FinishReason,
    /// What it cost.
    pub usage: Usage,
}

/// A field for which two answers have two values.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Disagreement {
    /// The field, as a JSON Pointer.
    pub path: String,
    /// What the first answer says.
    pub first: Value,
    /// What the second answer says.
    pub second: Value,
    /// The value of the first one was taken.
    pub kept_first: bool,
}
