//! `promptline eval`: suites from check to label, with a program as the model.

#![cfg(unix)]

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::{project, run};

/// A shop's model: told to be short it refuses every third question.
const MODEL: &str = r#"#!/bin/sh
read -r request
number=$(printf %s "$request" | sed 's/.*question \([0-9]*\).*/\1/')
echo "$number" >>asked
case "$request" in
*"Be brief"*) [ $((number % 3)) = 0 ] && { echo "Sorry, I cannot help with that."; exit 0; } ;;
esac
echo "Orders over 79 ship free."
"#;

fn shop(count: usize) -> tempfile::TempDir {
    let cases: String = (0..count)
        .map(|n| {
            format!(
                "  - {{id: q{n}, query: question {n}, must_contain: ships? no, any_of: [free]}}\n"
            )
        })
        .map(|line| line.replace("must_contain: ships? no, ", "must_contain: '79', "))
        .collect();
    let suite = format!("suite: shop\nprompt: {{file: prompt.md}}\ncases:\n{cases}");
    let project = project(&[
        ("suite.yaml", &suite),
        ("prompt.md", "Be concise.\n"),
        ("brief.md", "Be brief.\n"),
        ("model.sh", MODEL),
    ]);
    use std::os::unix::fs::PermissionsExt as _;
    let model = project.path().join("model.sh");
    fs::set_permissions(model, fs::Permissions::from_mode(0o755)).unwrap();
    project
}

fn eval(folder: &Path, args: &[&str]) -> crate::Run {
    run(folder, &[&["eval"], args].concat())
}

#[test]
fn from_a_good_run_to_a_red_gate_on_a_changed_word() {
    let shop = shop(60);
    let folder = shop.path();
    assert_eq!(eval(folder, &["check", "suite.yaml"]).code, Some(0));
    let good = [
        "run",
        "suite.yaml",
        "--exec",
        "./model.sh",
        "--model",
        "shop-1",
        "--record",
        "answers.jsonl",
        "--report",
        "good.json",
    ];
    let run = eval(folder, &good);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stdout.contains("verdict       pass"), "{}", run.stdout);
    // Recorded answers need no model.
    fs::remove_file(folder.join("asked")).unwrap();
    assert_eq!(eval(folder, &["replay", "suite.yaml", "answers.jsonl"]).code, Some(0));
    assert_eq!(eval(folder, &good).code, Some(0));
    assert!(!folder.join("asked").exists(), "nothing is asked twice");
    // Another prompt is not in the recording: that is no failure of the prompt.
    let missing = eval(folder, &["replay", "suite.yaml", "answers.jsonl", "--prompt", "brief.md"]);
    assert_eq!(missing.code, Some(3), "{missing:?}");
    let blessed = eval(
        folder,
        &["bless", "good.json", "--baseline", "base.json", "--reason", "in production"],
    );
    assert_eq!(blessed.code, Some(0), "{blessed:?}");
    let red = eval(
        folder,
        &[
            "run",
            "suite.yaml",
            "--exec",
            "./model.sh",
            "--model",
            "shop-1",
            "--prompt",
            "brief.md",
            "--baseline",
            "base.json",
            "--report",
            "new.json",
            "--html",
            "new.html",
            "--junit",
            "new.xml",
            "--markdown",
            "new.md",
        ],
    );
    assert_eq!(red.code, Some(1), "{red:?}");
    assert!(
        red.stdout.contains("20 newly failing against the baseline, 0 fixed"),
        "{}",
        red.stdout
    );
    for file in ["new.html", "new.xml", "new.md"] {
        assert!(fs::read_to_string(folder.join(file)).unwrap().contains("q3"), "{file}");
    }
    let diff = eval(folder, &["diff", "good.json", "new.json"]).quiet();
    assert!(
        diff.starts_with("- Be concise.\n+ Be brief.\n  newly failing with it: q0, q12"),
        "{diff}"
    );
    // A label moves only with a passing report, to its own model.
    let refused = eval(folder, &["label", "production", "--report", "new.json", "--by", "ada"]);
    assert_eq!(refused.code, Some(4), "{refused:?}");
    let swapped = eval(
        folder,
        &["label", "production", "--report", "good.json", "--model", "other", "--by", "ada"],
    );
    assert_eq!(swapped.code, Some(4));
    assert!(swapped.stderr.contains("untested on another"), "{}", swapped.stderr);
    assert_eq!(
        eval(folder, &["label", "production", "--report", "good.json", "--by", "ada"]).code,
        Some(0)
    );
    assert!(eval(folder, &["label", "production"]).quiet().contains("on shop-1 by ada"));
    let stale = eval(
        folder,
        &[
            "run",
            "suite.yaml",
            "--exec",
            "./model.sh",
            "--model",
            "shop-2",
            "--baseline",
            "base.json",
        ],
    );
    assert_eq!(stale.code, Some(4), "{stale:?}");
}

#[test]
fn shards_and_few_answers() {
    let shop = shop(10);
    let folder = shop.path();
    for shard in ["1/2", "2/2"] {
        let file = format!("{}.json", &shard[..1]);
        let run = eval(
            folder,
            &["run", "suite.yaml", "--exec", "./model.sh", "--shard", shard, "--report", &file],
        );
        assert_eq!(run.code, Some(5), "{run:?}");
        assert!(run.stdout.contains("would settle it: --repeat"), "{}", run.stdout);
    }
    let merged = eval(folder, &["merge", "--suite", "suite.yaml", "1.json", "2.json", "--json"]);
    let report: Value = serde_json::from_str(&merged.stdout).unwrap();
    assert_eq!(report["run"]["rows"].as_array().unwrap().len(), 10);
    assert_eq!(eval(folder, &["merge", "--suite", "suite.yaml", "1.json", "1.json"]).code, Some(2));
}

#[test]
fn killed_and_resumed_each_request_is_answered_once() {
    let shop = shop(40);
    let folder = shop.path();
    let args = [
        "eval",
        "run",
        "suite.yaml",
        "--exec",
        "./model.sh",
        "--concurrency",
        "1",
        "--resume",
        "journal",
    ];
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_promptline"))
        .args(args)
        .current_dir(folder)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let kept = || fs::read_to_string(folder.join("journal")).map_or(0, |text| text.lines().count());
    while kept() < 10 && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let run = eval(folder, &args[1..]);
    assert!(run.stdout.contains("40 of 40"), "{run:?}");
    let asked = fs::read_to_string(folder.join("asked")).unwrap().lines().count();
    // What was answered is not asked again; the one that was on its way when the process was killed may be.
    assert!((40..=41).contains(&asked), "{asked} asked");
}

#[test]
fn an_invalid_suite_says_where() {
    let project = project(&[(
        "suite.yaml",
        "suite: s\ncases:\n  - id: a\n    query: q\n    assert:\n      - {type: contians, value: x}\n",
    )]);
    let run = eval(project.path(), &["check", "suite.yaml"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stdout.starts_with("suite.yaml:6:16: error[unknown-type]"), "{}", run.stdout);
    let run = eval(project.path(), &["run", "suite.yaml", "--exec", "true"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
}

#[test]
fn assertions_from_lines() {
    let lines = "{\"type\":\"contains-json\",\"output\":\"fn() { return 1; }\"}\n{\"type\":\"contians\",\"value\":\"x\",\"output\":\"x\"}\n";
    let project = project(&[("lines.jsonl", lines)]);
    let pass = |args: &[&str]| {
        let text = eval(project.path(), args).quiet();
        let first: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        assert!(text.lines().nth(1).unwrap().contains("unknown assertion type"));
        first["pass"].as_bool().unwrap()
    };
    assert!(
        pass(&["grade", "--compat", "promptfoo", "lines.jsonl"]),
        "promptfoo takes a function for JSON"
    );
    assert!(!pass(&["grade", "lines.jsonl"]), "we do not");
}
