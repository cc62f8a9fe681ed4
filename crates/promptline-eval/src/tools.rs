//! Expected calls of tools, against native calls or those in the text.

use promptline_calls::{CallGrammar, parse_calls};
use promptline_model::ChatResponse;
use serde_json::{Map, Value};

use crate::run::Checked;
use crate::suite::ExpectedCall;

pub(crate) fn check(expected: &[ExpectedCall], response: &ChatResponse) -> Checked {
    let made = made(expected, response);
    let shown = |calls: &[(String, Map<String, Value>)]| {
        let each = calls
            .iter()
            .map(|(name, arguments)| format!("{name}({})", Value::Object(arguments.clone())));
        each.collect::<Vec<_>>().join(", ")
    };
    let wanted: Vec<_> =
        expected.iter().map(|call| (call.name.clone(), call.arguments.clone())).collect();
    let holds = made.len() == expected.len()
        && expected.iter().zip(&made).all(|(want, (name, arguments))| {
            want.name == *name
                && want
                    .arguments
                    .iter()
                    .all(|(key, value)| arguments.get(key).is_some_and(|found| same(value, found)))
        });
    let reason = if holds {
        String::new()
    } else {
        format!("expected the calls {}; made: {}", shown(&wanted), shown(&made))
    };
    Checked {
        kind: String::from("tool-calls"),
        expected: shown(&wanted),
        pass: holds,
        reason,
        nearest: None,
    }
}

/// Calls in text write everything as text.
fn same(wanted: &Value, found: &Value) -> bool {
    match (wanted, found) {
        (Value::String(wanted), Value::String(found)) => wanted.trim() == found.trim(),
        (wanted, Value::String(found)) => {
            let written = wanted.to_string();
            written == found.trim()
        }
        _ => wanted == found,
    }
}

fn made(expected: &[ExpectedCall], response: &ChatResponse) -> Vec<(String, Map<String, Value>)> {
    if !response.tool_calls.is_empty() {
        let arguments = |value: &Value| value.as_object().cloned().unwrap_or_default();
        return response
            .tool_calls
            .iter()
            .map(|call| (call.name.clone(), arguments(&call.arguments)))
            .collect();
    }
    let mut grammar = CallGrammar::default();
    for call in expected {
        grammar =
            grammar.tool(&call.name, call.arguments.keys().map(|name| (name.as_str(), false)));
    }
    let calls = parse_calls(&grammar, &response.text).calls.into_iter();
    calls
        .map(|call| {
            let mut arguments = call.args;
            arguments.extend(call.unknown);
            (call.name, arguments)
        })
        .collect()
}
