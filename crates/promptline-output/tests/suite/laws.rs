//! What must hold for every answer: prefixes, wrappings, printing again, missing bytes, chunks.

use promptline_output::{Inside, OutputSpec, Repair, RepairKind};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{own, shared};

/// All inputs of the shared cases, and those of them that are valid JSON; a few of our own where the folder
/// is absent.
fn inputs() -> Vec<String> {
    let few = [
        "{\"a\": \"b, c: d\", \"e\": [1, 2.5, true, null, {\"f\": \"{}\"}]}",
        "```json\n{'a': 'b',}\n```",
        "[\"x\\n\\u00e9\\\"y\\\"\", -1e5]",
    ];
    let mut inputs: Vec<String> = few.into_iter().map(str::to_owned).collect();
    let text = |case: &Value, key: &str| case[key].as_str().expect("a text").to_owned();
    inputs.extend(shared("json/dev.jsonl").iter().map(|case| text(case, "input")));
    inputs.extend(own("answers.jsonl").iter().map(|case| text(case, "raw")));
    inputs.extend(own("parse.jsonl").iter().map(|case| text(case, "input")));
    inputs
}

fn valid(inputs: &[String]) -> impl Iterator<Item = (&str, Value)> {
    inputs.iter().filter_map(|text| Some((text.trim(), serde_json::from_str(text).ok()?)))
}

/// Whether a value is the beginning of another: strings and lists may be shorter, fields may be missing.
fn is_within(part: &Value, whole: &Value) -> bool {
    match (part, whole) {
        (Value::String(part), Value::String(whole)) => whole.starts_with(part.as_str()),
        (Value::Array(part), Value::Array(whole)) => {
            part.len() <= whole.len()
                && part.iter().zip(whole).all(|(part, whole)| is_within(part, whole))
        }
        (Value::Object(part), Value::Object(whole)) => part
            .iter()
            .all(|(key, value)| whole.get(key).is_some_and(|whole| is_within(value, whole))),
        _ => part == whole,
    }
}

#[test]
fn a_prefix_is_flagged_and_holds_nothing_new() {
    let any = OutputSpec::any();
    let inputs = inputs();
    for (text, whole) in valid(&inputs) {
        if text.len() > 3_000 {
            continue;
        }
        for (at, _) in text.char_indices().skip(1) {
            let prefix = &text[..at];
            if serde_json::from_str::<Value>(prefix).is_ok() {
                continue;
            }
            let parsed = any.parse(prefix);
            let cut = parsed.truncated.as_ref();
            assert!(cut.is_some(), "not flagged: {prefix:?}");
            let Some(mut value) = parsed.value.clone() else { continue };
            // A number or literal at the cut is not whole, and said to be so.
            let cut = cut.unwrap();
            if matches!(cut.inside, Inside::Number | Inside::Literal)
                && let Some(place) = value.pointer_mut(&cut.path)
            {
                *place = whole.pointer(&cut.path).cloned().unwrap_or(Value::Null);
            }
            assert!(is_within(&value, &whole), "{prefix:?} gives {value}");
        }
    }
}

#[test]
fn wrapping_changes_no_value() {
    let any = OutputSpec::any();
    let inputs = inputs();
    for (text, whole) in valid(&inputs) {
        if !(whole.is_object() || whole.is_array()) || whole == json!({}) {
            continue;
        }
        for wrapped in [
            format!("Here is the result:\n{text}\nLet me know if you need more."),
            format!("```json\n{text}\n```"),
            format!("Sure!\n\n~~~\n{text}\n~~~"),
            format!("<think>I could say {{\"no\": 1}}.</think>\n{text}"),
            format!("<json>{text}</json>"),
            format!("\u{feff}{text}"),
        ] {
            let parsed = any.parse(&wrapped);
            assert_eq!(parsed.value.as_ref(), Some(&whole), "{wrapped}");
            assert!(parsed.truncated.is_none(), "{wrapped}");
        }
    }
}

#[test]
fn printing_and_parsing_again_changes_nothing() {
    let any = OutputSpec::any();
    for text in inputs() {
        let Some(value) = any.parse(&text).value else { continue };
        let again = any.parse(&value.to_string());
        assert_eq!(again.value.as_ref(), Some(&value), "{text}");
        // A note on an escape changes nothing.
        let is_note = |one: &Repair| one.kind == RepairKind::SuspectEscape;
        assert!(again.repairs.iter().all(is_note), "{text}");
    }
}

#[test]
fn every_missing_byte_ends_well() {
    let any = OutputSpec::any();
    for text in inputs().iter().filter(|text| text.len() < 1_500) {
        for at in 0..text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes.remove(at);
            let parsed = any.parse(&String::from_utf8_lossy(&bytes));
            for repair in &parsed.repairs {
                assert!(parsed.raw.get(repair.span.start..repair.span.end).is_some(), "{repair:?}");
            }
        }
    }
}

#[test]
fn chunks_change_nothing() {
    let inputs = inputs();
    for (text, whole) in valid(&inputs).filter(|(text, _)| text.len() < 3_000) {
        for text in [text.to_owned(), format!("Here:\n```json\n{text}\n```\n")] {
            if !whole.is_object() && !whole.is_array() {
                continue;
            }
            let mut pieces = OutputSpec::any().stream();
            for c in text.chars() {
                pieces.push(c.encode_utf8(&mut [0; 4]));
                pieces.value();
            }
            assert_eq!(pieces.value(), Some(&whole), "{text:?}");
        }
    }
}

#[test]
fn what_is_final_stays() {
    let text = "Sure: {\"name\": \"Ada\", \"tags\": [\"x\", \"yz\"], \"n\": 12, \"on\": true}";
    let mut stream = OutputSpec::any().stream();
    let mut done: Vec<(String, Value)> = Vec::new();
    for c in text.chars() {
        stream.push(c.encode_utf8(&mut [0; 4]));
        for path in ["/name", "/tags/0", "/tags/1", "/tags", "/n", "/on"] {
            if stream.is_final(path) && !done.iter().any(|(known, _)| known == path) {
                done.push((
                    path.to_owned(),
                    stream.value().unwrap().pointer(path).unwrap().clone(),
                ));
            }
        }
    }
    let whole = stream.finish().value.unwrap();
    let order: Vec<&str> = done.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(order, ["/name", "/tags/0", "/tags/1", "/tags", "/n", "/on"]);
    for (path, value) in &done {
        assert_eq!(whole.pointer(path), Some(value));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_an_answer(text in "[\\{\\}\\[\\]\"',:\\\\ a1\n`#/.-]{0,60}") {
        let parsed = OutputSpec::any().parse(&text);
        for repair in &parsed.repairs {
            prop_assert!(text.get(repair.span.start..repair.span.end).is_some());
        }
        let spec = OutputSpec::from_schema(json!({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]})).unwrap();
        let parsed = spec.parse(&text);
        if parsed.fits {
            prop_assert!(parsed.value.unwrap()["a"].is_number());
        }
    }

    #[test]
    fn any_text_in_chunks(text in "[\\{\\}\\[\\]\"',:\\\\ a1\n`é]{0,40}") {
        let mut pieces = OutputSpec::any().stream();
        for c in text.chars() {
            pieces.push(c.encode_utf8(&mut [0; 4]));
            pieces.value();
        }
        prop_assert_eq!(pieces.finish().value, OutputSpec::any().parse(&text).value);
    }
}
