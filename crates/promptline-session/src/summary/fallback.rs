//! A summary without a model: what is known, what was asked first and last, which tools were used. The same turns
//! give the same bytes.

use std::collections::BTreeSet;

use super::SummaryRequest;
use crate::context::{shorten_to, without_reminders};
use crate::{Part, Role, Wording};

/// The deterministic summary of the turns: stands in for one by a model that failed, and serves hosts without one.
/// No longer than `request.max_tokens` by `tokens`.
#[must_use]
pub fn fallback_summary(
    request: &SummaryRequest,
    wording: &Wording,
    tokens: &dyn Fn(&str) -> usize,
) -> String {
    let user = |message: &&crate::Message| message.role == Role::User;
    let said = request.turns.iter().flat_map(|turn| &turn.messages).filter(user);
    let mut requests = said.flat_map(crate::Message::texts).filter(|text| !text.trim().is_empty());
    let first = requests.next();
    let last = requests.last();
    let parts =
        request.turns.iter().flat_map(|turn| &turn.messages).flat_map(|message| &message.parts);
    let tools: BTreeSet<&str> = parts
        .filter_map(|part| match part {
            Part::ToolCall { name, .. } => Some(name.as_ref()),
            _ => None,
        })
        .collect();

    let mut lines = Vec::new();
    if let Some(previous) = request.previous.as_deref().filter(|text| !text.trim().is_empty()) {
        // What the model wrote before is worth more than what follows; half of the room is its own.
        lines.push(shorten_to(previous.trim(), request.max_tokens / 2, tokens));
    }
    let quoted = |text: &str| shorten_to(&without_reminders(text), request.max_tokens / 8, tokens);
    if let Some(first) = first {
        lines.push(format!("{}{}", wording.first_request, quoted(first)));
    }
    if let Some(last) = last {
        lines.push(format!("{}{}", wording.last_request, quoted(last)));
    }
    for (slot, fact) in request.facts.iter() {
        let value = fact.value.as_str().map_or_else(|| fact.value.to_string(), str::to_owned);
        lines.push(format!("{slot}: {value}"));
    }
    if !tools.is_empty() {
        let names: Vec<&str> = tools.into_iter().collect();
        lines.push(format!("{}{}", wording.tools_used, names.join(", ")));
    }
    if lines.is_empty() {
        lines.push(wording.nothing_said.to_string());
    }
    shorten_to(&lines.join("\n"), request.max_tokens, tokens)
}
