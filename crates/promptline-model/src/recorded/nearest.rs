//! A request that is not in the file: which recorded one is nearest, and what differs.

use serde_json::Value;

use super::file::Tape;
use crate::error::clipped;
use crate::{ChatRequest, ModelError, ModelErrorKind};

/// So many differences are shown.
const SHOWN: usize = 5;
/// So many characters of a value are shown.
const EXCERPT: usize = 60;

pub(super) fn not_found(model: &str, request: &ChatRequest, tape: &Tape) -> ModelError {
    let request = serde_json::to_value(request).unwrap_or_default();
    let file = tape.path().display();
    let mut message = format!("{file} has no answer to this request");
    let mut best: Option<Vec<Difference>> = None;
    for entry in tape.entries() {
        let mut found = Vec::new();
        if entry.model != model {
            found.push(Difference::new("model", &entry.model, model));
        }
        differences("", &entry.request, &request, &mut found, 0);
        if best.as_ref().is_none_or(|best| found.len() < best.len()) {
            best = Some(found);
        }
    }
    match best {
        None => message.push_str("; it has none at all"),
        Some(found) => {
            message.push_str("; the nearest recorded one differs in:");
            for Difference { path, recorded, now } in found.iter().take(SHOWN) {
                message.push_str(&format!("\n  {path}: recorded {recorded}, now {now}"));
            }
            if found.len() > SHOWN {
                message.push_str(&format!("\n  and {} more", found.len() - SHOWN));
            }
        }
    }
    message.push_str("\nhelp: record it, with `Record::New` (`--record FILE`)");
    ModelError::new(ModelErrorKind::NotScripted, message)
}

struct Difference {
    path: String,
    recorded: String,
    now: String,
}

impl Difference {
    fn new(path: &str, recorded: &str, now: &str) -> Self {
        let (recorded, now) = (Value::from(recorded), Value::from(now));
        Self::of(path, Some(&recorded), Some(&now))
    }

    /// Of two texts the part where they begin to differ.
    fn of(path: &str, recorded: Option<&Value>, now: Option<&Value>) -> Self {
        let same = match (recorded, now) {
            (Some(Value::String(a)), Some(Value::String(b))) => {
                let same = a.chars().zip(b.chars()).take_while(|(a, b)| a == b);
                same.count().saturating_sub(EXCERPT / 4)
            }
            _ => 0,
        };
        let shown = |value: Option<&Value>| match value {
            None => "nothing".to_owned(),
            Some(Value::String(text)) => {
                let part: String = text.chars().skip(same).take(EXCERPT).collect();
                let before = if same > 0 { "…" } else { "" };
                let after = if text.chars().nth(same + EXCERPT).is_some() { "…" } else { "" };
                format!("{before}{part:?}{after}")
            }
            Some(value) => clipped(&value.to_string(), EXCERPT),
        };
        let path = if path.is_empty() { "the request" } else { path };
        Self { path: path.to_owned(), recorded: shown(recorded), now: shown(now) }
    }
}

fn differences(
    path: &str,
    recorded: &Value,
    now: &Value,
    found: &mut Vec<Difference>,
    depth: usize,
) {
    match (recorded, now) {
        (Value::Object(a), Value::Object(b)) if depth < 32 => {
            for key in a.keys().chain(b.keys().filter(|key| !a.contains_key(*key))) {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                match (a.get(key), b.get(key)) {
                    (Some(a), Some(b)) => differences(&path, a, b, found, depth + 1),
                    (a, b) => found.push(Difference::of(&path, a, b)),
                }
            }
        }
        (Value::Array(a), Value::Array(b)) if depth < 32 => {
            for index in 0..a.len().max(b.len()) {
                let path = format!("{path}[{index}]");
                match (a.get(index), b.get(index)) {
                    (Some(a), Some(b)) => differences(&path, a, b, found, depth + 1),
                    (a, b) => found.push(Difference::of(&path, a, b)),
                }
            }
        }
        // Numbers may have been an f32 once.
        (Value::Number(a), Value::Number(b)) if a.as_f64() == b.as_f64() => {}
        (a, b) if a == b => {}
        (a, b) => found.push(Difference::of(path, Some(a), Some(b))),
    }
}
