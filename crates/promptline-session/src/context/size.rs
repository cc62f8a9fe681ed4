//! What messages cost in tokens.

use serde_json::Value;

use crate::{Message, Part, Tokens, Turn};

/// What a provider adds to each message, about.
const PER_MESSAGE: usize = 4;
/// The most that a provider bills for a picture, about (Anthropic: width x height / 750, 2026).
const PICTURE: usize = 1_600;

pub(super) fn of_messages(messages: &[Message], tokens: &Tokens) -> usize {
    messages.iter().map(|message| of_message(message, tokens)).sum()
}

pub(super) fn of_message(message: &Message, tokens: &Tokens) -> usize {
    PER_MESSAGE + message.parts.iter().map(|part| of_part(part, tokens)).sum::<usize>()
}

pub(super) fn of_part(part: &Part, tokens: &Tokens) -> usize {
    match part {
        Part::Text { text, .. } => tokens.count(text),
        Part::ToolCall { id, name, args, .. } => {
            tokens.count(id) + tokens.count(name) + tokens.count(&args.to_string())
        }
        Part::ToolResult { id, text, .. } => tokens.count(id) + tokens.count(text),
        Part::Other(value) => of_other(value, tokens),
    }
}

/// The text of a provider's own part; what is a picture in base64 costs what a picture costs.
fn of_other(value: &Value, tokens: &Tokens) -> usize {
    match value {
        Value::String(text) if is_encoded(text) => PICTURE,
        Value::String(text) => tokens.count(text),
        Value::Array(items) => items.iter().map(|item| of_other(item, tokens)).sum(),
        Value::Object(fields) => {
            let field =
                |(name, value): (&String, &Value)| tokens.count(name) + of_other(value, tokens);
            fields.iter().map(field).sum()
        }
        _ => 1,
    }
}

fn is_encoded(text: &str) -> bool {
    let encoded =
        |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=' | b'-' | b'_');
    let text = text.split_once(";base64,").map_or(text, |(_, data)| data);
    text.len() >= 1_024 && text.bytes().all(encoded)
}

/// What is counted of a turn when only its size is wanted.
pub(crate) fn turn_text(turn: &Turn) -> String {
    let mut text = String::new();
    for part in turn.messages.iter().flat_map(|message| &message.parts) {
        match part {
            Part::Text { text: said, .. } | Part::ToolResult { text: said, .. } => {
                text.push_str(said)
            }
            Part::ToolCall { name, args, .. } => {
                text.push_str(name);
                text.push_str(&args.to_string());
            }
            Part::Other(_) => {}
        }
        text.push('\n');
    }
    text
}
