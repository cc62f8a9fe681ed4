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
        "coerced (lossless): /on \"true\" -> true",
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
    // A number that was cut off counts as missing, and this one may be.
    assert_eq!(shown["value"], json!({"on": true}));
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
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
    assert!(run.stdout.starts_with("{\"on\":true}\n"), "{}", run.stdout);
    let last = run.stdout.split_once('\n').unwrap().1;
    assert_eq!(serde_json::from_str::<Value>(last).unwrap(), json!({"on": true}));
}

#[test]
fn a_stream_is_shown_as_it_comes() {
    use std::io::{BufRead as _, BufReader, Write as _};
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_promptline"))
        .args(["parse", "--stream"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let mut answer = child.stdin.take().unwrap();
    let mut shown = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    // Each is read before the next is written: a value that is kept back would never come.
    for (piece, value) in [("[1, ", "[1]\n"), ("2, ", "[1,2]\n"), ("\"x", "[1,2,\"x\"]\n")] {
        answer.write_all(piece.as_bytes()).unwrap();
        line.clear();
        shown.read_line(&mut line).unwrap();
        assert_eq!(line, value);
    }
    drop(answer);
    assert!(child.wait().unwrap().success());
}

#[test]
fn mistakes_of_use_are_reported_and_exit_with_2() {
    let project = project(&[
        ("schema.json", SCHEMA),
        ("broken.json", "{\"type\": "),
        ("wrong.json", "{\"type\": 5}"),
        ("outside.json", "{\"$ref\": \"https://example.com/a.json\"}"),
        (
            "deep.json",
            &format!("{}{}", "{\"not\": ".repeat(130), "{}".to_owned() + &"}".repeat(130)),
        ),
    ]);
    for (args, said) in [
        (&["--schema", "broken.json"][..], "broken.json: EOF while parsing"),
        (&["--schema", "wrong.json"], "wrong.json: /type: 5 is not valid"),
        (&["--schema", "outside.json"], "outside.json: `https://example.com/a.json` lies outside"),
        (&["--schema", "deep.json"], "deep.json: "),
        (&["--schema", "absent.json"], "absent.json: it cannot be read"),
        (&["absent.txt"], "absent.txt: it cannot be read"),
        (&["--lines", "absent.txt"], "absent.txt: it cannot be read"),
        (&["--stream", "absent.txt"], "absent.txt: it cannot be read"),
        (&["--stream", "--lines"], "cannot be used with"),
    ] {
        let run = run_with(project.path(), &[&["parse"], args].concat(), b"{}");
        let mistake = run.mistake();
        assert!(mistake.contains(said), "{args:?}: {mistake}");
    }
    for args in [&["parse"][..], &["parse", "--stream"], &["parse", "--lines"]] {
        let run = run_with(project.path(), args, b"{\"raw\": \"\xff\"}");
        assert_eq!(run.code, Some(2), "{args:?}: {}", run.stderr);
    }
    let run = run_with(
        project.path(),
        &["parse", "--stream"],
        &[&b"[1, ".repeat(3_000)[..], b"\xff"].concat(),
    );
    assert!(run.stderr.contains("not UTF-8 at byte 12000"), "{}", run.stderr);
}

#[test]
fn an_answer_of_megabytes_is_read_and_its_notes_are_bounded() {
    let list = project(&[("list.json", r#"{"type": "array", "items": {"type": "integer"}}"#)]);
    let answer = format!("Here:\n[{}\"7\"]", "\"7\", ".repeat(100_000));
    let run = run_with(list.path(), &["parse", "--schema", "list.json"], answer.as_bytes());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let value: Vec<i64> = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(value.len(), 100_001);
    assert!(run.stderr.contains("coerced (lossless): /99 \"7\" -> 7\n… and 99901 more of these\n"));
    assert_eq!(run.stderr.lines().count(), 101);
    let run = run_with(list.path(), &["parse"], "[".repeat(1_000_000).as_bytes());
    assert_eq!(run.code, Some(0));
    assert!(run.stderr.contains("cut off: at byte 1000000"));
}

#[test]
fn what_does_not_fit_exits_with_1_in_every_form() {
    for args in [
        &["--schema", "schema.json"][..],
        &["--schema", "schema.json", "--json"],
        &["--schema", "schema.json", "--stream"],
    ] {
        for answer in ["", "no", "{\"on\": 7}", "{\"on\": tr"] {
            assert_eq!(parse(args, answer).code, Some(1), "{args:?} {answer}");
        }
    }
    assert_eq!(parse(&["--lines", "--schema", "schema.json"], "").code, Some(0));
}

#[test]
fn what_a_model_wrote_neither_steers_a_terminal_nor_floods_it() {
    let answer =
        format!(r#"{{"on": true, "\u001b[31mred": 1, "long": "{}"}}"#, "x".repeat(100_000));
    let run = parse(&["--schema", "schema.json"], &answer);
    assert_eq!(run.code, Some(0));
    assert!(run.stderr.contains("unknown: /\\u{1b}[31mred left out: 1\n"), "{}", run.stderr);
    assert!(run.stderr.contains("bytes; --json shows all)\n"), "{}", run.stderr);
    assert!(!run.stderr.contains('\u{1b}') && run.stderr.len() < 5_000);
    let all = parse(&["--json", "--schema", "schema.json"], &answer);
    assert!(all.stdout.len() > 100_000);
}

#[test]
fn options_say_what_is_taken() {
    let two = "First {\"on\": true}, then {\"on\": false}";
    for (pick, value) in [("first", true), ("last", false)] {
        let run = parse(&["--schema", "schema.json", "--pick", pick], two);
        assert_eq!(serde_json::from_str::<Value>(&run.stdout).unwrap(), json!({"on": value}));
    }
    let run = parse(
        &["--schema", "schema.json", "--max-risk", "lossless"],
        "{\"result\": {\"on\": true}}",
    );
    assert_eq!(run.code, Some(1));
    let list = r#"{"type": "array", "items": {"type": "string", "format": "date"}}"#;
    let project = project(&[("list.json", list)]);
    let answer = b"[\"2024-01-31\", \"soon\"]";
    let args = ["parse", "--schema", "list.json", "--assert-formats"];
    assert_eq!(run_with(project.path(), &args, answer).code, Some(1));
    let run = run_with(project.path(), &[&args[..], &["--drop-bad-items"]].concat(), answer);
    assert_eq!(serde_json::from_str::<Value>(&run.stdout).unwrap(), json!(["2024-01-31"]));
    assert!(run.stderr.contains("coerced (lossy): /1"), "{}", run.stderr);
}

#[test]
fn the_format_is_said_for_a_prompt() {
    let project = project(&[("schema.json", SCHEMA)]);
    let run = |lang| {
        run_with(project.path(), &["output", "constraint", "schema.json", "--lang", lang], b"")
    };
    assert!(run("en").quiet().ends_with("Your answer begins with { and ends with }.\n"));
    assert!(run("zh").quiet().ends_with("你的回答必须以 { 开头，以 } 结尾。\n"));
}
