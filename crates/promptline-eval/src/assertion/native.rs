//! Our own verdicts. The types that have nothing to improve are promptfoo's.

use regex::Regex;
use serde_json::Value;
use unicode_normalization::UnicodeNormalization as _;

use super::compat::{self, Js, tool_names};
use super::{Assertion, Subject, Verdict, js};
use crate::refusal;

/// The types of the default mode that promptfoo 0.121.20 does not have, without `not-`.
pub const TYPES: &[&str] = &["ends-with", "character-count", "any-of", "tool-calls"];

pub(super) fn grade(assertion: &Assertion, subject: &Subject) -> Result<Verdict, String> {
    let (kind, inverse) = assertion.base();
    let verdict = |holds: bool, expected: String| {
        let not = if inverse { "not " } else { "" };
        Verdict::of(holds != inverse, || format!("expected the answer to {not}{expected}"))
    };
    let normal = |text: &str| normal(text, subject);
    let text = subject.text();
    match kind {
        "contains" | "icontains" | "starts-with" | "ends-with" => {
            let needle = match &assertion.value {
                Some(value @ (Value::String(_) | Value::Number(_))) => js::string(value),
                _ => return Err(format!("\"{kind}\" takes a text")),
            };
            if needle.is_empty() {
                return Err(format!("\"{kind}\" takes a text that is not empty"));
            }
            let (text, wanted) = match kind {
                "icontains" => (caseless(&normal(text)), caseless(&normal(&needle))),
                _ => (normal(text), normal(&needle)),
            };
            let holds = match kind {
                "starts-with" => text.starts_with(&wanted),
                "ends-with" => text.ends_with(&wanted),
                _ => text.contains(&wanted),
            };
            Ok(verdict(
                holds,
                format!("{} \"{needle}\"", kind.trim_start_matches('i').replace('-', " ")),
            ))
        }
        "contains-any" | "icontains-any" | "contains-all" | "icontains-all" | "any-of" => {
            let needles: Vec<String> = match &assertion.value {
                Some(Value::Array(items)) if !items.is_empty() => {
                    items.iter().map(js::string).collect()
                }
                // Lists in one string are split by `|`: commas belong to texts.
                Some(Value::String(text)) if !text.is_empty() => {
                    text.split('|').map(|s| s.trim().to_owned()).collect()
                }
                _ => return Err(format!("\"{kind}\" takes a list that is not empty")),
            };
            if needles.iter().any(String::is_empty) {
                return Err(format!("\"{kind}\": an empty text is in every answer"));
            }
            let fold = |text: &str| {
                if kind.starts_with('i') { caseless(&normal(text)) } else { normal(text) }
            };
            let text = fold(text);
            let missing: Vec<&str> = needles
                .iter()
                .filter(|needle| !text.contains(&fold(needle)))
                .map(String::as_str)
                .collect();
            let listed = needles.join(" | ");
            Ok(match kind {
                // `not-contains-all` is none of them here: that is what its readers take it for.
                "contains-all" | "icontains-all" if inverse => {
                    Verdict::of(missing.len() == needles.len(), || {
                        format!("expected the answer to contain none of: {listed}")
                    })
                }
                "contains-all" | "icontains-all" => verdict(
                    missing.is_empty(),
                    format!("contain all of: {listed}; missing: {}", missing.join(" | ")),
                ),
                _ => verdict(missing.len() < needles.len(), format!("contain one of: {listed}")),
            })
        }
        "regex" => {
            let pattern = assertion.value.as_ref().and_then(Value::as_str).unwrap_or_default();
            if pattern.is_empty() {
                return Err(String::from("\"regex\" takes a pattern"));
            }
            let holds = match Regex::new(pattern) {
                Ok(regex) => regex.is_match(&normal(text)),
                // Lookaround and backreferences are JavaScript's.
                Err(error) => Js::new(pattern)
                    .map_err(|_| format!("\"{pattern}\": {error}"))?
                    .is_match(&normal(text)),
            };
            Ok(verdict(holds, format!("match \"{pattern}\"")))
        }
        "contains-json" => {
            let spec = promptline_output::OutputSpec::any();
            let spec = match &assertion.value {
                Some(schema @ Value::Object(_)) => {
                    promptline_output::OutputSpec::from_schema(schema.clone())
                        .map_err(|error| error.to_string())?
                }
                None | Some(Value::Null) => spec,
                _ => return Err(String::from("\"contains-json\" takes a schema, or nothing")),
            };
            let parsed = spec.parse(text);
            let value = parsed.value.as_ref().filter(|value| value.is_object() || value.is_array());
            let holds = parsed.fits && parsed.truncated.is_none() && value.is_some();
            let issues: Vec<String> =
                parsed.issues.iter().map(|issue| issue.message.clone()).collect();
            Ok(verdict(holds, format!("contain JSON that fits: {}", issues.join("; "))))
        }
        "word-count" => {
            let value = assertion.value.clone();
            let check =
                compat::Check { kind, inverse, value, threshold: assertion.threshold, subject };
            compat::word_count(&check, words)
        }
        "character-count" => {
            let count = text.chars().count();
            let bound = |name: &str| assertion.value.as_ref()?.get(name)?.as_u64();
            let (min, max) = match assertion.value.as_ref().and_then(Value::as_u64) {
                Some(exact) => (Some(exact), Some(exact)),
                None => (bound("min"), bound("max")),
            };
            if min.is_none() && max.is_none() {
                return Err(String::from("\"character-count\" takes a number, or `min` and `max`"));
            }
            let count_u64 = count as u64;
            let holds =
                min.is_none_or(|min| count_u64 >= min) && max.is_none_or(|max| count_u64 <= max);
            Ok(verdict(holds, format!("have the right number of characters; it has {count}")))
        }
        "levenshtein" => {
            let wanted = assertion
                .value
                .as_ref()
                .and_then(Value::as_str)
                .ok_or("\"levenshtein\" takes a text")?;
            let (one, other): (Vec<char>, Vec<char>) =
                (normal(text).chars().collect(), normal(wanted).chars().collect());
            if one.len().saturating_mul(other.len()) > 100_000_000 {
                return Err(String::from("\"levenshtein\": the texts are too long to compare"));
            }
            let distance = compat::distance(&one, &other);
            let threshold = assertion.threshold.unwrap_or(5.0);
            Ok(verdict(
                distance as f64 <= threshold,
                format!("be at most {threshold} edits away; it is {distance}"),
            ))
        }
        "is-refusal" => {
            let answer = refusal::Answer::new(text)
                .with_refusal(subject.refusal.as_deref())
                .with_filtered(subject.filtered)
                .with_tool_calls(
                    !subject.output.is_string() && !tool_names(&subject.output).is_empty(),
                );
            let found = refusal::detect(&answer);
            let rule = found
                .rule
                .unwrap_or_else(|| found.kind.map_or("none", |kind| kind.name()).to_owned());
            Ok(verdict(found.refused, format!("be a refusal ({rule})")))
        }
        _ => compat::grade(assertion, subject),
    }
}

fn normal(text: &str, subject: &Subject) -> String {
    let mut text: String =
        if subject.normalize.nfkc { text.nfkc().collect() } else { text.nfc().collect() };
    if subject.normalize.blanks {
        text.retain(|c| !c.is_whitespace());
    }
    text
}

fn caseless(text: &str) -> String {
    // Upper and then lower: ß is SS is ss.
    text.to_uppercase().to_lowercase()
}

/// Words between blanks; of scripts that have none, every character is one.
fn words(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for word in text.split_whitespace() {
        let mut start = 0;
        for (at, character) in word.char_indices() {
            let alone = matches!(character, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}');
            if alone {
                found.push(word.get(start..at).unwrap_or_default());
                start = at + character.len_utf8();
                found.push(word.get(at..start).unwrap_or_default());
            }
        }
        found.push(word.get(start..).unwrap_or_default());
    }
    found.retain(|word| word.chars().any(char::is_alphanumeric));
    found
}
