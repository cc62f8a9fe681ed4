//! `promptline parse`: the value, what is said about it, and when it is a failure.

use serde_json::{Value, json};

use crate::{project, run_with};

const SCHEMA: &str = r#"{"type": "object", "properties": {"on": {"type": "boolean"}, "n": {"type": "integer"}}, "required": ["on"]}"#;

fn parse(args: &[&str], answer: &str) -> crate::Run {
    let project = project(&[("schema.json", SCHEMA)]);
    run_with(project.path(), &[&["parse"], args].concat(), answer.as_bytes())
}

#[test]
fn the_value_goes_to_stdout_and_the_rest_to_stderr() {
    let run =
        parse(&["--schema", "schema.json"], "Sure:\n```json\n{'on': \"true\", \"x\": 1,}\n```");
    assert_eq!(run.code, Some(0));
    assert_eq!(serde_json::from_str::<Value>(&run.stdout).unwrap(), json!({"on": true}));
    for said in [
        "repaired (lossless): extra-comma",
        "coerced: /on \"true\" -> true",
        "unknown: /x left out: 1",
    ] {
        assert!(run.stderr.contains(said), "{}", run.stderr);
    }
    // Valid JSON has nothing to be said about.
    assert_eq!(parse(&[], "[1, 2]").quiet().split_whitespace().collect::<String>(), "[1,2]");
}

#[test]
fn what_does_not_fit_is_no_value() {
    let run = parse(&["--schema", "schema.json"], "{\"n\": 1}");
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""));
    assert!(run.stderr.contains("issue: `/on`: this field is missing"), "{}", run.stderr);
    let run = parse(&["--schema", "absent.json"], "{}");
    assert!(run.mistake().contains("absent.json"));
}

#[test]
fn everything_in_one_object() {
    let run = parse(&["--json", "--schema", "schema.json"], "{\"on\": true, \"n\": 1");
    let shown: Value = serde_json::from_str(&run.stdout).unwrap();
    let keys: Vec<&str> = shown.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        [
            "value",
            "fits",
            "truncated",
            "repairs",
            "unknown",
            "renamed",
            "coerced",
            "duplicates",
            "issues"
        ]
    );
    assert_eq!(shown["truncated"]["inside"], "number");
    assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""));
}

#[test]
fn lines_in_and_out() {
    let lines = "{\"raw\": \"{\\\"on\\\": true}\", \"id\": 1}\n\n{\"raw\": \"no\"}\n";
    let run = parse(&["--lines", "--schema", "schema.json"], lines);
    let shown: Vec<Value> =
        run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((shown[0]["fits"].clone(), shown[1]["fits"].clone()), (json!(true), json!(false)));
    assert_eq!((run.code, shown.len(), run.stderr.as_str()), (Some(1), 2, ""));
    let mistake = parse(&["--lines"], "{\"raw\": 1}\n").mistake();
    assert!(mistake.contains("-:1: it has no `raw`"), "{mistake}");
}

#[test]
fn a_stream_ends_with_the_value() {
    let run = parse(&["--stream", "--schema", "schema.json"], "{\"on\": \"yes\"}");
    assert_eq!(run.code, Some(0));
    assert!(run.stdout.starts_with("{\"on\":\"yes\"}\n"), "{}", run.stdout);
    let last = run.stdout.split_once('\n').unwrap().1;
    assert_eq!(serde_json::from_str::<Value>(last).unwrap(), json!({"on": true}));
}
