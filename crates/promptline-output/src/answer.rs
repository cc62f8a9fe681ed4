//! What asking ends in: a value or none, and everything that led to it.

use std::sync::Arc;

use promptline_model::{FinishReason, ModelError, Usage};
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
    /// What the model said, each time, and how it was read.
    pub attempts: Vec<Attempt>,
    /// What all of it cost.
    pub usage: Usage,
    /// Fields that the answer before had as well, with another value.
    pub disagreements: Vec<Disagreement>,
    /// Why a later request failed; the answers before it are kept.
    pub error: Option<Arc<ModelError>>,
}

impl<T> Answer<T> {
    /// Why there is no value, with the answers as they came: for logs and error messages.
    #[must_use]
    pub fn explain(&self) -> String {
        let mut text = format!("outcome: {:?}\n", self.outcome);
        if let Some(error) = &self.error {
            text.push_str(&format!("the last request failed: {error}\n"));
        }
        for (at, attempt) in self.attempts.iter().enumerate() {
            text.push_str(&format!("answer {}, finish {:?}:\n", at + 1, attempt.finish));
            for issue in &attempt.parsed.issues {
                text.push_str(&format!("- {}\n", issue.message));
            }
            text.push_str(&crate::repair::shorter(&attempt.parsed.raw, 4096));
            text.push('\n');
        }
        text
    }
}

/// How asking ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// The first answer could be used.
    First,
    /// A later answer could be used.
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
    /// A value that fits counts, though the answer was cut off behind it.
    pub(crate) accepts_cut: bool,
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
