//! `ask`, with programs as models and recordings: nothing here needs a network.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::{Run, run, run_with};

const CONTEXT: &str = r#"{"model": {"provider": "", "id": "m"}, "variant": "generic", "cwd": "/repo", "date": "2026-12-01"}"#;

/// A folder with a context, and a program that answers with this.
fn folder(answer: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("cx.json"), CONTEXT).unwrap();
    fs::write(folder.path().join("answer"), answer).unwrap();
    program(folder.path(), "model", "cat > request.json; cat answer");
    folder
}

fn program(folder: &Path, name: &str, script: &str) {
    let file = folder.join(name);
    fs::write(&file, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
}

fn ask(folder: &TempDir, more: &[&str]) -> Run {
    let mut args = vec!["ask", "--context", "cx.json", "--exec", "./model"];
    args.extend(more);
    run(folder.path(), &args)
}

const READ: &str = "I look.\n<read_file>\n<path>src/main.rs</path>\n</read_file>\n";

#[test]
fn an_answer_and_its_calls_are_shown() {
    let folder = folder(READ);
    let shown = ask(&folder, &["Read src/main.rs", "--mode", "act"]).quiet();
    assert_eq!(shown, "I look.\ncall: read_file {\"path\":\"src/main.rs\"}\n");
    let request: Value =
        serde_json::from_slice(&fs::read(folder.path().join("request.json")).unwrap()).unwrap();
    let user = &request["messages"][1]["text"];
    assert_eq!(
        user,
        "Read src/main.rs\n\n<environment>\nMode: act\nWorking directory: /repo\n</environment>"
    );
    assert!(request["messages"][0]["text"].as_str().unwrap().contains("read_file"));
    // What was expected is there, and is not.
    let right = "read_file={\"path\": \"src/main.rs\"}";
    assert_eq!(ask(&folder, &["?", "--expect", right]).code, Some(0));
    assert_eq!(ask(&folder, &["?", "--expect", "write_to_file"]).code, Some(1));
    // What is cut off is no call to execute.
    fs::write(folder.path().join("answer"), "<read_file>\n<path>src/ma").unwrap();
    let run = ask(&folder, &["?"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stdout.contains("(incomplete)"), "{}", run.stdout);
}

#[test]
fn repeats_are_counted() {
    let folder = folder(READ);
    program(
        folder.path(),
        "model",
        "cat > /dev/null; n=$(cat n 2>/dev/null || echo 0); echo $((n + 1)) > n\n\
         case $n in 0) echo 'No.' ;; 1) echo '<read_file><path>b</path></read_file>' ;; *) cat answer ;; esac",
    );
    let run =
        ask(&folder, &["?", "--repeat", "3", "--expect", "read_file={\"path\": \"src/main.rs\"}"]);
    insta::assert_snapshot!(run.quiet());
}

#[test]
fn a_value_by_a_schema_is_asked_for_once_more() {
    let folder = folder("");
    fs::write(
        folder.path().join("schema.json"),
        r#"{"type": "object", "properties": {"days": {"type": "integer"}}, "required": ["days"]}"#,
    )
    .unwrap();
    program(
        folder.path(),
        "model",
        "cat > /dev/null; if [ -e n ]; then echo '{\"days\": 15}'; else touch n; echo 'Fifteen days.'; fi",
    );
    assert_eq!(ask(&folder, &["?", "--schema", "schema.json"]).quiet(), "{\n  \"days\": 15\n}\n");
    program(folder.path(), "model", "cat > /dev/null; echo 'No.'");
    let run = ask(&folder, &["?", "--schema", "schema.json"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""));
    assert!(run.stderr.contains("issue: "), "{}", run.stderr);
}

#[test]
fn a_conversation_runs_tools_and_is_the_same_when_it_is_replayed() {
    let folder = folder("");
    program(
        folder.path(),
        "model",
        "if grep -q 'fn main' ; then echo 'It is empty.'; else cat answer; fi",
    );
    fs::write(folder.path().join("answer"), READ).unwrap();
    program(folder.path(), "tool", "read call; echo \"$call\" > call.json; echo 'fn main() {}'");
    let talk = |more: &[&str]| {
        let mut args =
            vec!["ask", "--context", "cx.json", "--chat", "--tool-exec", "./tool", "--json"];
        args.extend(more);
        run_with(folder.path(), &args, b"What is in src/main.rs?\n").quiet()
    };
    let live = talk(&["--exec", "./model", "--record", "talk.jsonl"]);
    let call = fs::read_to_string(folder.path().join("call.json")).unwrap();
    assert_eq!(call, "{\"name\":\"read_file\",\"args\":{\"path\":\"src/main.rs\"}}\n");
    let said: Value = serde_json::from_str(&live).unwrap();
    assert_eq!(said["answers"][0]["calls"][0]["name"], "read_file");
    assert_eq!(said["answers"][1]["text"], "It is empty.");
    assert_eq!(talk(&["--replay", "talk.jsonl"]), live);
    // By hand: the result comes from stdin.
    let typed = run_with(
        folder.path(),
        &["ask", "--context", "cx.json", "--chat", "--exec", "./model"],
        b"What is in src/main.rs?\nfn main() {}\n",
    );
    assert!(typed.quiet().ends_with("It is empty.\n"));
    // A request that was not recorded.
    let missing =
        run(folder.path(), &["ask", "--context", "cx.json", "--replay", "talk.jsonl", "Other?"]);
    let said = missing.mistake();
    assert!(said.contains("the nearest recorded one differs in:\n  "), "{said}");
    assert!(said.contains("now \"Other?"), "{said}");
}

#[test]
fn what_is_not_reached_is_another_exit_code() {
    let folder = folder("");
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let url = format!("http://127.0.0.1:{port}/v1");
    let run = run(folder.path(), &["ask", "--context", "cx.json", "--base-url", &url, "?"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(3), ""));
    assert!(run.stderr.starts_with("error: the server cannot be reached"), "{}", run.stderr);
    let nowhere = crate::run(folder.path(), &["ask", "--context", "cx.json", "?"]).mistake();
    assert!(nowhere.contains("no server is given to ask"), "{nowhere}");
}

#[test]
fn a_probe_says_how_likely_a_call_is() {
    let folder = folder(
        r#"{"text": "<", "logprobs": [{"token": "<", "logprob": -0.6931471805599453,
            "top": [["<", -0.6931471805599453], ["<read", -1.3862943611198906], ["I", -2.0], ["<b", -3.0]]}]}"#,
    );
    let shown = ask(&folder, &["?", "--probe", "first-token"]).quiet();
    insta::assert_snapshot!(shown);
    fs::write(folder.path().join("answer"), "no figures").unwrap();
    let said = ask(&folder, &["?", "--probe", "first-token"]).mistake();
    assert!(said.contains("the server gives no probabilities"), "{said}");
}
