//! `tool-call-f1`: the names of the tools that were called, in any shape in which calls travel.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Check, js};
use crate::assertion::Verdict;

pub(super) fn f1(check: &Check<'_>) -> Result<Verdict, String> {
    let expected: BTreeSet<String> = match &check.value {
        Some(Value::Array(items)) if !items.is_empty() => items.iter().map(js::string).collect(),
        Some(Value::String(text)) => {
            text.split(',').map(|name| js::trim(name).to_owned()).collect()
        }
        _ => return Err(String::from("\"tool-call-f1\" takes a list of tool names")),
    };
    let called = names(&check.subject.output);
    let hits = expected.intersection(&called).count() as f64;
    let precision = if called.is_empty() { 0.0 } else { hits / called.len() as f64 };
    let recall = hits / expected.len() as f64;
    let both = precision + recall;
    let score = if both > 0.0 { 2.0 * precision * recall / both } else { 0.0 };
    let threshold = check.threshold.unwrap_or(1.0);
    let list = |names: BTreeSet<String>| names.into_iter().collect::<Vec<_>>().join(", ");
    let mut verdict = Verdict::of((score >= threshold) != check.inverse, || {
        let (expected, called) = (list(expected), list(called));
        format!(
            "F1 of tool calls is {score:.3}, threshold {threshold}; expected [{expected}], called [{called}]"
        )
    });
    verdict.score = score;
    Ok(verdict)
}

/// The names of the tools that an output calls.
pub(in crate::assertion) fn names(output: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    match output {
        Value::String(text) => match serde_json::from_str::<Value>(text) {
            // A string in a string is no call.
            Ok(Value::String(_)) => {}
            Ok(parsed) => gather(&parsed, &mut found),
            Err(_) => {
                for line in
                    text.split('\n').map(js::trim).filter(|line| line.starts_with(['{', '[']))
                {
                    if let Ok(parsed) = serde_json::from_str(line) {
                        gather(&parsed, &mut found);
                    }
                }
            }
        },
        other => gather(other, &mut found),
    }
    found
}

fn gather(output: &Value, found: &mut BTreeSet<String>) {
    let mut take =
        |name: Option<&Value>| found.extend(name.and_then(Value::as_str).map(str::to_owned));
    let function = |call: &Value| {
        call.get("function").filter(|f| f.is_object()).and_then(|f| f.get("name")).cloned()
    };
    if let Some(calls) = output.get("tool_calls").and_then(Value::as_array) {
        for call in calls {
            take(function(call).as_ref());
            take(call.get("name"));
        }
    } else if output.get("type").and_then(Value::as_str) == Some("tool_use")
        && output["name"].is_string()
    {
        take(output.get("name"));
    } else if let Some(call) = output.get("functionCall").filter(|call| call.is_object()) {
        take(call.get("name"));
    } else if let Some(call) = output.get("toolCall").filter(|call| call.is_object()) {
        for call in call.get("functionCalls").and_then(Value::as_array).into_iter().flatten() {
            take(call.get("name"));
        }
    } else if let Some(blocks) = output.as_array() {
        for block in blocks {
            if let Some(call) = block.get("functionCall").filter(|call| call.is_object()) {
                take(call.get("name"));
            } else if block.get("function").is_some_and(Value::is_object) {
                take(function(block).as_ref());
            } else {
                take(block.get("name"));
            }
        }
    }
}
