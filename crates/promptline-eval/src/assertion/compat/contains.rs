//! `contains` and its family.

use serde_json::Value;

use super::{Check, js};
use crate::assertion::Verdict;

pub(super) fn one(check: &Check<'_>) -> Result<Verdict, String> {
    let needle = match &check.value {
        Some(Value::String(text)) if !text.is_empty() => text.clone(),
        Some(number @ Value::Number(_)) => js::string(number),
        _ => {
            return Err(format!(
                "\"{}\" takes a string that is not empty, or a number",
                check.kind
            ));
        }
    };
    let found = holds(check, &needle);
    Ok(check.verdict(found, &format!("contain \"{needle}\"")))
}

pub(super) fn several(check: &Check<'_>) -> Result<Verdict, String> {
    let needles = match &check.value {
        Some(Value::String(text)) if !text.is_empty() => fields(text)?,
        Some(Value::Array(items)) => items.iter().map(js::string).collect(),
        _ => return Err(format!("\"{}\" takes a list, or a string with commas", check.kind)),
    };
    let found: Vec<bool> = needles.iter().map(|needle| holds(check, needle)).collect();
    let listed = needles.join(", ");
    Ok(if check.kind.ends_with("any") {
        check.verdict(found.contains(&true), &format!("contain one of \"{listed}\""))
    } else {
        let missing: Vec<&str> = needles
            .iter()
            .zip(&found)
            .filter(|(_, found)| !**found)
            .map(|(needle, _)| needle.as_str())
            .collect();
        check.verdict(
            missing.is_empty(),
            &format!("contain all of [{listed}]; missing: [{}]", missing.join(", ")),
        )
    })
}

fn holds(check: &Check<'_>, needle: &str) -> bool {
    let text = check.subject.text();
    match check.kind.starts_with('i') {
        true => text.to_lowercase().contains(&needle.to_lowercase()),
        false => text.contains(needle),
    }
}

/// Splits at commas; `"…"` keeps commas, `\"` is a quotation mark in it and `\\` a backslash.
fn fields(text: &str) -> Result<Vec<String>, String> {
    let mut fields = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c| c == ',' || js::is_blank(c));
        if rest.is_empty() {
            return Ok(fields);
        }
        let Some(quoted) = rest.strip_prefix('"') else {
            let end = rest.find(',').unwrap_or(rest.len());
            let (field, after) = rest.split_at(end);
            fields.push(js::trim(field).to_owned());
            rest = after;
            continue;
        };
        let mut field = String::new();
        let mut characters = quoted.char_indices().peekable();
        let mut after = None;
        while let Some((at, character)) = characters.next() {
            match character {
                '\\' if matches!(characters.peek(), Some((_, '"' | '\\'))) => {
                    field.extend(characters.next().map(|(_, escaped)| escaped));
                }
                '"' if matches!(characters.peek(), Some((_, '"'))) => {
                    field.push('"');
                    characters.next();
                }
                '"' => {
                    after = quoted.get(at + 1..);
                    break;
                }
                other => field.push(other),
            }
        }
        let after = after.ok_or("a quoted field is not closed")?;
        rest = after.trim_start_matches(js::is_blank);
        if !rest.is_empty() && !rest.starts_with(',') {
            return Err(String::from("after a quoted field comes a comma"));
        }
        fields.push(field);
    }
}
