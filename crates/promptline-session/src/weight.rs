//! What a session takes in memory: the bytes of its texts, and what the structs and the allocator cost around them.

use std::mem::size_of;

use serde_json::Value;

use crate::{Fact, Message, Part, Session, Turn};

/// What the allocator adds to each block, about.
const BLOCK: usize = 16;

pub(crate) fn of_session(session: &Session) -> usize {
    let turns: usize = session.turns.iter().map(|turn| of_turn(turn)).sum();
    let summary = session.summary.as_ref().map_or(0, |summary| {
        let facts = summary.facts.iter();
        summary.text.len() + facts.map(|(name, value)| text(name) + of_value(value)).sum::<usize>()
    });
    let facts: usize = session.facts.all().map(|(name, fact)| text(name) + of_fact(fact)).sum();
    let pointers = session.turns.capacity() * size_of::<usize>();
    size_of::<Session>()
        + text(session.id.as_str())
        + pointers
        + turns
        + summary
        + facts
        + 2 * BLOCK
}

pub(crate) fn of_turn(turn: &Turn) -> usize {
    let messages: usize = turn.messages.iter().map(of_message).sum();
    let extra: usize =
        turn.extra.iter().map(|(name, value)| 2 * text(name) + of_value(value)).sum();
    size_of::<Turn>() + text(turn.id.as_str()) + messages + extra + 2 * BLOCK
}

fn of_message(message: &Message) -> usize {
    let extra = message.extra.iter().map(|(name, value)| 2 * text(name) + of_value(value));
    let parts: usize = message.parts.iter().map(of_part).sum();
    size_of::<Message>() + extra.sum::<usize>() + parts + BLOCK
}

fn of_part(part: &Part) -> usize {
    let own = match part {
        Part::Text { text: said, .. } => text(said),
        Part::ToolCall { id, name, args, .. } => text(id) + text(name) + of_value(args),
        Part::ToolResult { id, text: said, .. } => text(id) + text(said),
        Part::Other(value) => of_value(value),
    };
    size_of::<Part>() + own
}

fn of_fact(fact: &Fact) -> usize {
    let quote = fact.quote.as_ref().map_or(0, |quote| text(quote));
    let history: usize =
        fact.history.iter().map(|old| size_of::<Value>() + of_value(&old.value)).sum();
    size_of::<Fact>() + of_value(&fact.value) + quote + history
}

/// Of a JSON value, what is outside of it; its depth is what serde_json reads, 128 at most, so that it may recurse.
fn of_value(value: &Value) -> usize {
    match value {
        Value::String(said) => text(said),
        Value::Array(items) => {
            BLOCK + items.iter().map(|item| size_of::<Value>() + of_value(item)).sum::<usize>()
        }
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| {
                2 * size_of::<Value>() + text(name) + of_value(value)
            };
            BLOCK + fields.iter().map(field).sum::<usize>()
        }
        _ => 0,
    }
}

fn text(text: &str) -> usize {
    text.len() + BLOCK + 2 * size_of::<usize>()
}
