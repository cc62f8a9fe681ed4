//! Answers and what is to be read in them, from the shared cases. The target prints a table by family, and
//! the cases that came out otherwise.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and this one prints its counts"
)]

#[path = "../../../tests/support/mod.rs"]
mod support;

use std::collections::BTreeMap;
use std::process::ExitCode;

use promptline_output::{OutputSpec, Parsed, Risk};
use serde_json::{Value, json};
use support::{cases_folder, read_cases};

/// What is asked of each family, in percent of its uncontested cases.
const GOALS: [(&str, f64); 6] = [
    ("issue", 100.0),
    ("baml", 95.0),
    ("vercel-ai", 97.0),
    ("langchain", 97.0),
    ("json_repair", 95.0),
    ("jsonrepair", 95.0),
];

#[derive(Default)]
struct Tally {
    right: usize,
    count: usize,
    contested_right: usize,
    contested: usize,
    faults: Vec<String>,
}

fn main() -> ExitCode {
    let Some(folder) = cases_folder() else {
        println!("json: the folder of cases is absent; nothing was run");
        return ExitCode::SUCCESS;
    };
    let verbose = std::env::var_os("PROMPTLINE_VERBOSE").is_some();
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let mut silent = Vec::new();
    let mut uncut = Vec::new();
    let mut unstrict = Vec::new();
    let mut ordered = Vec::new();
    for case in read_cases(&folder, "json/dev.jsonl") {
        let id = case["id"].as_str().expect("an id").to_owned();
        let family = id.split('/').next().expect("a family").to_owned();
        let input = case["input"].as_str().expect("an input");
        let read = Read::of(&case, input);
        let right = read.is_right(&case);
        let tally = tallies.entry(family).or_default();
        let contested = case["contested"] == json!(true);
        if contested {
            tally.contested += 1;
            tally.contested_right += usize::from(right);
        } else if takes_the_first(&case, &read) && !right {
            ordered.push(id.clone());
        } else {
            tally.count += 1;
            tally.right += usize::from(right);
        }
        if !right && (!contested || verbose) && !ordered.contains(&id) {
            tally.faults.push(format!(
                "{id}{}: got {} fits={}, right is {}{}",
                if contested { " (contested)" } else { "" },
                brief(&read.value().to_string()),
                read.parsed.fits,
                if case["expect_error"] == json!(true) { "an error: " } else { "" },
                brief(&case["expected"].to_string()),
            ));
        }
        if !right && !contested && !ordered.contains(&id) && read.is_silent() {
            silent.push(id.clone());
        }
        if case["strict_eof"] == json!(true) && read.parsed.truncated.is_none() {
            uncut.push(id.clone());
        }
        if case["strict_json"] == json!(true) && case.get("schema").is_none() {
            let strict: Value = serde_json::from_str(input).expect("it is valid JSON");
            if read.parsed.value.as_ref() != Some(&strict) || !read.parsed.repairs.is_empty() {
                unstrict.push(id.clone());
            }
        }
    }
    let mut good = true;
    println!("{:<14} {:>5} {:>5} {:>7} {:>7}   contested", "json", "cases", "right", "%", "goal");
    for (family, goal) in GOALS {
        let Some(tally) = tallies.get(family) else { continue };
        let percent = 100.0 * tally.right as f64 / tally.count.max(1) as f64;
        good &= percent >= goal;
        println!(
            "{family:<14} {:>5} {:>5} {percent:>7.1} {goal:>7.1}   {} of {}",
            tally.count, tally.right, tally.contested_right, tally.contested
        );
        for fault in &tally.faults {
            println!("  {fault}");
        }
    }
    let mut list = |name: &str, ids: &[String], most: usize| {
        println!("{name}: {} {}", ids.len(), ids.join(" "));
        good &= ids.len() <= most;
    };
    list("of two fits the first is expected, and we take the last", &ordered, usize::MAX);
    list("valid JSON that is not returned as it is", &unstrict, 0);
    list("cut off and not flagged", &uncut, 0);
    list("silently wrong", &silent, 3);
    good &= answers(&folder);
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Answers of small models: an object is in nearly all of them.
fn answers(folder: &std::path::Path) -> bool {
    let mut objects = 0;
    let mut count = 0;
    let mut without = Vec::new();
    for case in read_cases(folder, "answers/dev.jsonl") {
        let parsed = OutputSpec::any().parse(case["raw"].as_str().expect("an answer"));
        if !case["model"].as_str().expect("a model").contains("qwen") {
            continue;
        }
        count += 1;
        let is_object = match &parsed.value {
            Some(Value::Object(object)) => !object.is_empty(),
            // A list of objects was asked for in some.
            Some(Value::Array(list)) => list.iter().any(Value::is_object),
            _ => false,
        };
        if is_object {
            objects += 1;
        } else {
            without.push(case["n"].to_string());
        }
    }
    println!(
        "answers of Qwen with an object: {objects} of {count}; without: {}",
        without.join(" ")
    );
    objects * 100 >= count * 80
}

struct Read {
    parsed: Parsed,
    /// The value of a stream that has not ended.
    partial: Option<Option<Value>>,
}

impl Read {
    fn of(case: &Value, input: &str) -> Self {
        let spec = match case.get("schema") {
            Some(schema) => OutputSpec::from_schema(schema.clone()).expect("a schema"),
            None => OutputSpec::any(),
        };
        let parsed = spec.parse(input);
        let partial =
            (case["mode"] == json!("partial") && case.get("schema").is_none()).then(|| {
                let mut stream = spec.stream();
                stream.push(input);
                stream.value().cloned()
            });
        Self { parsed, partial }
    }

    fn value(&self) -> Value {
        match &self.partial {
            Some(partial) => partial.clone().unwrap_or(Value::Null),
            None => self.parsed.value.clone().unwrap_or(Value::Null),
        }
    }

    fn is_right(&self, case: &Value) -> bool {
        if case["any_result"] == json!(true) {
            return true;
        }
        if case["truncated"] == json!(true) && self.parsed.truncated.is_none() {
            return false;
        }
        if case["expect_error"] == json!(true) {
            return !self.parsed.fits;
        }
        same(&self.value(), &case["expected"])
    }

    /// A value that is not what was meant, and nothing that says so.
    fn is_silent(&self) -> bool {
        self.parsed.fits
            && self.parsed.truncated.is_none()
            && self.parsed.repairs.iter().all(|repair| repair.risk == Risk::Lossless)
    }
}

/// Of several values that fit, the first is expected: there we differ on purpose.
fn takes_the_first(case: &Value, read: &Read) -> bool {
    let fitting: Vec<_> = read.parsed.candidates.iter().filter(|one| one.fits).collect();
    if fitting.len() < 2 {
        return false;
    }
    let input = case["input"].as_str().expect("an input");
    fitting.iter().any(|one| {
        let spec =
            OutputSpec::from_schema(case["schema"].clone()).unwrap_or_else(|_| OutputSpec::any());
        let alone = spec.parse(&input[one.span.start..one.span.end]);
        !one.chosen && same(&alone.value.unwrap_or(Value::Null), &case["expected"])
    })
}

/// Numbers are compared by value, and a null is the same as a field that is not there.
fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left.as_f64() == right.as_f64(),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len()
                && left.iter().zip(right).all(|(left, right)| same(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            let covers = |one: &serde_json::Map<String, Value>,
                          other: &serde_json::Map<String, Value>| {
                one.iter().all(|(key, value)| match other.get(key) {
                    Some(found) => same(value, found),
                    None => value.is_null(),
                })
            };
            covers(left, right) && covers(right, left)
        }
        _ => left == right,
    }
}

fn brief(text: &str) -> String {
    text.chars().take(230).collect()
}
