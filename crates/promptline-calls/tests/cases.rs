//! Answers of models and what is to be read in them, whole and in every chunking. The cases are those of
//! `tests/cases` and the shared ones, where these are there.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "that is how a test fails"
)]

mod support;

use std::collections::BTreeMap;
use std::sync::Arc;

use promptline_calls::{CallGrammar, CallParser, Dialect, Dialects, Event, Options, Parsed};
use serde_json::{Map, Value, json};
use support::{cases, feed, shared};

/// Formats that are told apart and never read.
const FOREIGN: [&str; 6] = ["deepseek", "kimi", "mistral", "llama3-json", "pythonic", "harmony"];

/// A test for each format that is read, so that a filter finds it.
macro_rules! formats {
    ($($test:ident: $format:literal)*) => {
        /// No format is left out.
        const READ: &[&str] = &[$($format),*];

        $(#[test]
        fn $test() {
            run(&[$format], check);
        })*
    };
}

formats! {
    cline_xml: "cline-xml"
    qwen_xml: "qwen-xml"
    hermes: "hermes"
    glm: "glm"
    invoke: "invoke"
}

#[test]
fn foreign_formats() {
    run(&FOREIGN, foreign);
}

#[test]
fn every_case_has_a_format_that_is_run() {
    for case in shared::all_cases("toolcalls") {
        let format = case["format"].as_str().expect("a format");
        assert!(READ.contains(&format) || FOREIGN.contains(&format), "{format}");
    }
}

/// What is contested is a matter of taste: it is shown, and no fault.
fn run(formats: &[&str], fault: impl Fn(&Value) -> Option<String>) {
    let all = shared::all_cases("toolcalls");
    for contested in [true, false] {
        let kind = if contested { " (contested)" } else { "" };
        let chosen = all.iter().filter(|case| {
            formats.contains(&case["format"].as_str().expect("a format"))
                && (case["contested"] == json!(true)) == contested
        });
        let name = format!("toolcalls {}{kind}", formats.join(", "));
        let chosen: Vec<_> = chosen.collect();
        if !(contested && chosen.is_empty()) {
            let tally = shared::judge(&name, chosen, &fault);
            if !contested {
                tally.assert_right();
            }
        }
    }
}

/// A format that is not read: nothing vanishes, nothing is executed, and it is said what it is.
fn foreign(case: &Value) -> Option<String> {
    let input = cases::text(&case["input"], 1);
    let options = Options::new().dialects(Dialects::AUTO);
    let parsed = in_pieces(&case["tools"], &options, [input.as_str()]);
    if parsed.text != input || !parsed.calls.is_empty() {
        return Some(format!("it is not text: {:?}, {:?}", parsed.text, parsed.calls));
    }
    // What holds no call, or no mark by which it could be told, has nothing to be said about.
    let has_calls = case["expected"]["calls"].as_array().is_some_and(|calls| !calls.is_empty());
    let named = parsed.diagnostics.iter().any(|found| {
        found.code == "suspected-call" && found.subject.as_deref() == case["format"].as_str()
    });
    (has_calls && !named).then(|| format!("not named: {:?}", parsed.diagnostics))
}

fn check(case: &Value) -> Option<String> {
    // Large cases are small ones with a count: in pieces they are read smaller too.
    let whole = cases::text(&case["input"], 1);
    let large = whole.len() > 1 << 16;
    let mut fault = compare(case, 1, "whole", &[whole.as_str()]);
    if large {
        fault = fault.or_else(|| compare(case, 1, "999 characters", &cases::pieces(&whole, 999)));
    }
    let divisor = if large { 100 } else { 1 };
    let text = cases::text(&case["input"], divisor);
    for size in [1, 3, 20] {
        let name = format!("{size} characters");
        fault = fault.or_else(|| compare(case, divisor, &name, &cases::pieces(&text, size)));
    }
    if let Some(cuts) = case["chunks"].as_array() {
        let cuts = cuts.iter().map(|cut| usize::try_from(cut.as_u64().unwrap()).unwrap());
        let pieces = cases::cut(&text, cuts);
        fault = fault.or_else(|| compare(case, divisor, "the case's chunks", &pieces));
    }
    for seed in 0..20 {
        let pieces = cases::random_pieces(&text, seed);
        fault = fault.or_else(|| compare(case, divisor, &format!("random cuts {seed}"), &pieces));
    }
    fault.or_else(|| partials(case))
}

fn compare(case: &Value, divisor: u64, name: &str, pieces: &[&str]) -> Option<String> {
    let parsed = in_pieces(&case["tools"], &options(case), pieces.iter().copied());
    let want_text = cases::text(&case["expected"]["text"], divisor);
    let want = cases::calls(&case["expected"]["calls"], divisor);
    if parsed.text != want_text {
        return Some(format!(
            "{name}: text {:?}, right is {:?}",
            brief(&parsed.text),
            brief(&want_text)
        ));
    }
    let got = Value::Array(parsed.calls.iter().map(shape).collect());
    if got != want {
        return Some(format!(
            "{name}: got {}, right is {}",
            brief(&got.to_string()),
            brief(&want.to_string())
        ));
    }
    feed::covers(&parsed, pieces.iter().map(|piece| piece.len()).sum())
        .map(|fault| format!("{name}: {fault}"))
}

/// A call as the cases write it: what is not there is left out.
fn shape(call: &promptline_calls::Call) -> Value {
    let mut shape = Map::new();
    shape.insert("name".into(), json!(call.name));
    shape.insert("args".into(), json!(call.args));
    shape.insert("complete".into(), json!(call.complete()));
    if call.repaired() {
        shape.insert("repaired".into(), json!(true));
    }
    if call.junk {
        shape.insert("junk".into(), json!(true));
    }
    if !call.unknown.is_empty() {
        shape.insert("unknown".into(), json!(call.unknown));
    }
    if !call.duplicates.is_empty() {
        shape.insert("duplicates".into(), json!(call.duplicates));
    }
    Value::Object(shape)
}

fn options(case: &Value) -> Options {
    let dialect: Dialect = case["format"].as_str().unwrap().parse().expect("a dialect");
    Options::new().dialects(dialect)
}

fn in_pieces<'a>(
    tools: &Value,
    options: &Options,
    pieces: impl IntoIterator<Item = &'a str>,
) -> Parsed {
    let mut parsed = Parsed::default();
    let mut parser = CallParser::new(Arc::new(cases::grammar(tools)), options.clone());
    for piece in pieces {
        parser.push(piece, &mut |event| parsed.take(&event));
    }
    parser.finish(&mut |event| parsed.take(&event));
    parsed
}

/// What may be shown when so many bytes have come.
fn partials(case: &Value) -> Option<String> {
    let text = cases::text(&case["input"], 1);
    for partial in case["partials"].as_array().into_iter().flatten() {
        let after = usize::try_from(partial["after"].as_u64().unwrap()).unwrap();
        let grammar: Arc<CallGrammar> = Arc::new(cases::grammar(&case["tools"]));
        let mut parser = CallParser::new(grammar, options(case));
        let mut shown = String::new();
        let mut args: Vec<(String, BTreeMap<String, String>)> = Vec::new();
        let mut param = String::new();
        parser.push(&text[..after], &mut |event| match event {
            Event::Text { text, .. } => shown.push_str(text),
            Event::CallStart { name, .. } => args.push((name.to_owned(), BTreeMap::new())),
            Event::ParamStart { name, .. } => name.clone_into(&mut param),
            Event::ParamDelta { text, .. } => {
                args.last_mut().unwrap().1.entry(param.clone()).or_default().push_str(text);
            }
            _ => {}
        });
        let within =
            partial["text_is_prefix_of"].as_str().is_none_or(|all| all.starts_with(&shown));
        let reaches = partial["text_has_prefix"].as_str().is_none_or(|all| shown.starts_with(all));
        let want = partial["calls"].as_array().unwrap();
        let calls = want.len() == args.len()
            && want.iter().zip(&args).all(|(want, (name, args))| {
                want["name"] == json!(name)
                    && args.iter().all(|(param, value)| {
                        want["args_prefix_of"][param]
                            .as_str()
                            .is_some_and(|all| all.starts_with(value))
                    })
            });
        if !(within && reaches && calls) {
            return Some(format!("after {after} bytes: {shown:?}, {args:?}"));
        }
    }
    None
}

fn brief(text: &str) -> String {
    if text.chars().count() <= 600 {
        return text.to_owned();
    }
    let start: String = text.chars().take(300).collect();
    format!("{start}… ({} bytes)", text.len())
}
