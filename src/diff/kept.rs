//! How much of a prompt a provider's cache still holds when another was sent before it: what both have in
//! common at their start, native tools included, which come first on the wire.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::prompt::Prompt;

/// How much of the second prompt stays in a cache that holds the first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct KeptPrefix {
    /// So many bytes from its start; none when the native tools differ.
    pub bytes: usize,
    /// Of so many.
    pub of_bytes: usize,
    /// The same in tokens, by the second prompt's counter.
    pub tokens: usize,
    /// Of so many: its sections, one by one.
    pub of_tokens: usize,
    /// The numbers of tokens are only about right.
    #[serde(default)]
    pub estimate: bool,
    /// The first native tool that differs or is in one list only, by the name that the model sees.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_tool: Option<String>,
}

impl KeptPrefix {
    pub(super) fn new(before: &Prompt, after: &Prompt, byte: Option<usize>) -> Self {
        let text = after.text();
        let of_tokens = after.sections().iter().map(|section| section.tokens).sum();
        let first_tool = first_tool(before, after);
        let (bytes, tokens) = match (&first_tool, byte) {
            (Some(_), _) => (0, 0),
            (None, None) => (text.len(), of_tokens),
            (None, Some(byte)) => (byte, tokens_before(after, byte)),
        };
        let estimate = after.counter.is_estimate();
        Self { bytes, of_bytes: text.len(), tokens, of_tokens, estimate, first_tool }
    }

    /// The share of bytes that stays, from 0 to 1; 1 of an empty text.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a share is not more exact than that")]
    pub fn share(&self) -> f64 {
        if self.of_bytes == 0 { 1.0 } else { self.bytes as f64 / self.of_bytes as f64 }
    }
}

/// Sections that are there whole, and a part of the one in which the texts part.
fn tokens_before(prompt: &Prompt, byte: usize) -> usize {
    let mut tokens = 0;
    for section in prompt.sections() {
        if section.range.end <= byte {
            tokens += section.tokens;
            continue;
        }
        let end = prompt.text().floor_char_boundary(byte);
        let part = prompt.text().get(section.range.start..end).unwrap_or_default();
        return tokens + if part.is_empty() { 0 } else { prompt.counter.count(part) };
    }
    tokens
}

fn first_tool(before: &Prompt, after: &Prompt) -> Option<String> {
    let list = |prompt: &Prompt| {
        let mut list = Vec::new();
        if let Some(tools) = prompt.tools() {
            tools.each_json(|json| list.push(json.to_owned()));
        }
        list
    };
    let (old, new) = (list(before), list(after));
    let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    if same == old.len() && same == new.len() {
        return None;
    }
    let name = |prompt: &Prompt| prompt.tool_names().model_names().nth(same).map(str::to_owned);
    name(after).or_else(|| name(before))
}

impl fmt::Display for KeptPrefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(tool) = &self.first_tool {
            writeln!(f, "the native tools differ from `{tool}` on, and come first on the wire")?;
        }
        let Self { bytes, of_bytes, tokens, of_tokens, .. } = self;
        let share = self.share() * 100.0;
        let about = if self.estimate { "about " } else { "" };
        write!(
            f,
            "stays cached: {bytes} of {of_bytes} bytes, {about}{tokens} of {of_tokens} tokens ({share:.0} %)"
        )
    }
}
