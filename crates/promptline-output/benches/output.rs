//! Parsing beside `serde_json`, in turns in one run: ratios of the best times. `llm_json` is a yardstick.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a bench prints what it measured")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use promptline_output::OutputSpec;
use serde_json::{Value, json};

/// Each measurement is made so often, in turns with its reference; the best counts.
const TURNS: usize = 15;

fn main() {
    let row = "{\"id\": 12345, \"name\": \"Ada Lovelace\", \"tags\": [\"alpha\", \"beta\"], \"score\": 0.75, \
               \"note\": \"A sentence, and another one.\", \"next\": null},\n";
    let rows = row.repeat(100_000 / row.len());
    let clean = format!("[{}]", rows.trim_end().trim_end_matches(','));
    let loose = format!("Here it is:\n```json\n[{}]\n```\nDone.", rows.replace("null}", "null,}"));
    let prose = "If {x} is set and the list [see below] holds {y, z}, then f(a) = {a | a > 0}. ";
    let prose = prose.repeat(500_000 / prose.len());
    let prose = format!("{prose}{{\"found\": true}} {prose}");
    let mega = format!("[{}]", row.repeat(1_000_000 / row.len()).trim_end().trim_end_matches(','));

    println!("{:<44} {:>10} {:>10} {:>8} {:>8}", "", "ours", "serde_json", "ratio", "goal");
    let any = OutputSpec::any();
    row_of("valid, 100 KB", ">= 0.70", || any.parse(&clean).work, || strict(&clean), false);
    row_of(
        "fenced, trailing commas, 100 KB",
        ">= 0.25",
        || any.parse(&loose).work,
        || strict(&clean),
        false,
    );
    let field = |name: &str| json!({"type": name});
    let schema = json!({"type": "array", "items": {
        "type": "object",
        "properties": {
            "id": field("integer"), "name": field("string"), "score": field("number"), "note": field("string"),
            "tags": {"type": "array", "items": field("string")}, "next": {"type": ["string", "null"]},
        },
        "required": ["id", "name", "tags", "score", "note", "next"],
    }});
    let spec = OutputSpec::from_schema(schema).unwrap();
    row_of("valid, 100 KB, a schema", "", || fits(&spec, &clean), || strict(&clean), false);
    row_of("fenced, a schema", "", || fits(&spec, &loose), || strict(&clean), false);
    // The same, and nothing is as it should be: keys in capitals, numbers as text.
    let odd = clean
        .replace("\"id\": 12345", "\"ID\": \"12345\"")
        .replace("\"score\": 0.75", "\"Score\": \"0.75\"");
    row_of("each row coerced, 100 KB", "", || fits(&spec, &odd), || strict(&clean), false);
    row_of(
        "1 MB of prose with one object",
        "<= 10",
        || any.parse(&prose).work,
        || strict(&mega),
        true,
    );
    heavy(&prose, &mega);
    // It knows no fences. What it gives is compared, since speed says nothing about a part of the value.
    let body = loose.split("json\n").nth(1).and_then(|text| text.split("\n```").next()).unwrap();
    let whole = serde_json::from_str::<Value>(&clean).unwrap();
    let theirs = llm_json::loads(body, &Default::default()).unwrap_or_default();
    let name = if theirs == whole {
        "llm_json, trailing commas, 100 KB"
    } else {
        "llm_json, trailing commas (another value)"
    };
    let llm_json = || black_box(llm_json::loads(body, &Default::default()).is_ok()) as u64;
    row_of(name, "", llm_json, || strict(&clean), false);
}

/// What costs most, beside `serde_json` on a megabyte.
fn heavy(prose: &str, mega: &str) {
    let field = |name: &str| json!({"type": name});
    let found =
        json!({"type": "object", "properties": {"found": field("boolean")}, "required": ["found"]});
    let spec = OutputSpec::from_schema(found.clone()).unwrap();
    let reference = || strict(mega);
    row_of(
        "1 MB of prose with one object, a schema",
        "30 ms",
        || fits(&spec, prose),
        reference,
        true,
    );
    let none = "{\"other\": 1} and ".repeat(1_000_000 / 17);
    row_of(
        "1 MB of candidates that do not fit",
        "80 ms",
        || spec.parse(&none).work,
        reference,
        true,
    );
    let branches: Vec<Value> = (0..300)
        .map(|at| {
            json!({"type": "object", "properties": {"kind": {"const": format!("k{at}")},
            "n": field("integer")}, "required": ["kind", "n"]})
        })
        .collect();
    let union = json!({"type": "array", "items": {"anyOf": branches}});
    let union = OutputSpec::from_schema(union).unwrap();
    let items: Vec<Value> =
        (0..500).map(|at| json!({"kind": format!("k{}", at % 300), "n": at})).collect();
    let items = Value::from(items).to_string();
    row_of("500 items of a union of 300", "60 ms", || fits(&union, &items), reference, true);
    let row = json!({"type": "object", "properties": {"id": field("integer"), "name": field("string")},
        "required": ["id", "name"]});
    let list = OutputSpec::from_schema(json!({"type": "array", "items": row})).unwrap();
    let lines = "{\"id\": 12345, \"name\": \"Ada Lovelace\"}\n".repeat(900_000 / 38);
    row_of("900 KB of NDJSON into a list", "100 ms", || fits(&list, &lines), reference, true);
}

fn fits(spec: &OutputSpec, text: &str) -> u64 {
    let parsed = spec.parse(text);
    assert!(parsed.fits);
    parsed.work
}

fn strict(text: &str) -> u64 {
    black_box(serde_json::from_str::<Value>(text).unwrap()).is_array() as u64
}

/// Speed as a share of the reference, or, of a price, time as a multiple of it.
fn row_of(name: &str, goal: &str, ours: impl Fn() -> u64, other: impl Fn() -> u64, price: bool) {
    let (mut best, mut reference) = (Duration::MAX, Duration::MAX);
    for _ in 0..TURNS {
        best = best.min(time(&ours));
        reference = reference.min(time(&other));
    }
    let (best_s, reference_s) = (best.as_secs_f64(), reference.as_secs_f64());
    let ratio = if price { best_s / reference_s } else { reference_s / best_s };
    println!(
        "{name:<44} {:>7.3} ms {:>7.3} ms {ratio:>8.2} {goal:>8}",
        best_s * 1e3,
        reference_s * 1e3
    );
}

fn time(work: impl Fn() -> u64) -> Duration {
    let start = Instant::now();
    black_box(work());
    start.elapsed()
}
