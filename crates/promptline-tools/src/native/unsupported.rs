//! What a dialect could not say. Nothing is narrowed silently: what is changed or taken out is listed.

use serde::{Deserialize, Serialize};

/// A part of a tool that a dialect cannot say, or does not hold the model to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct UnsupportedKeyword {
    /// The id of the tool.
    pub tool: String,
    /// Where, as a JSON Pointer into the input schema (RFC 6901); empty is the schema itself, or the
    /// tool.
    pub path: String,
    /// The keyword that is concerned, as `oneOf`, or the tool's own key, as `description`.
    pub keyword: String,
    /// What became of it, in plain English.
    pub what_was_done: String,
}

impl UnsupportedKeyword {
    pub(super) fn new(
        tool: &str,
        path: &str,
        keyword: &str,
        what_was_done: impl Into<String>,
    ) -> Self {
        Self {
            tool: tool.to_owned(),
            path: path.to_owned(),
            keyword: keyword.to_owned(),
            what_was_done: what_was_done.into(),
        }
    }
}
