//! A program as a model: real programs.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "that is how a test fails, and says what it measured"
)]

use std::time::{Duration, Instant};

use pollster::block_on;
use promptline_model::{ChatModel, ChatRequest, Exec, ModelErrorKind};

fn sh(script: &str) -> Exec {
    Exec::new("sh").with_argument("-c").with_argument(script).with_timeout(Duration::from_secs(20))
}

#[test]
fn a_request_goes_in_and_an_answer_comes_out() {
    let ask = || ChatRequest::new().user("帮我下载B站视频").temperature(0.1);
    // What comes in is the request.
    let echoed = block_on(sh("cat").complete(ask())).unwrap();
    let back: ChatRequest = serde_json::from_str(&echoed.text).unwrap();
    assert_eq!(back, ask());
    let answer = r#"echo '{"text": "好", "usage": {"input": 3, "output": 1}, "finish": "length"}'"#;
    let answer = block_on(sh(answer).complete(ask())).unwrap();
    assert_eq!((answer.text.as_str(), answer.usage.input), ("好", 3));
    // Other JSON is what the model said.
    let answer = block_on(sh(r#"echo '{"platform": "bilibili"}'"#).complete(ask())).unwrap();
    assert_eq!(answer.text, r#"{"platform": "bilibili"}"#);
    // A program that reads nothing, and more than a pipe holds.
    let long = ChatRequest::new().user("x".repeat(1_000_000));
    assert_eq!(block_on(sh("echo ok").complete(long.clone())).unwrap().text, "ok");
    assert!(block_on(sh("cat").complete(long)).unwrap().text.len() > 1_000_000);
}

#[test]
fn failures_say_what_the_program_said() {
    let ask = |script: &str| block_on(sh(script).complete(ChatRequest::new())).unwrap_err();
    let error =
        ask("yes 0123456789 | head -c 1000000 >&2; echo the end sk-abcdefghijklmnop >&2; exit 3");
    assert!(error.message().contains("exit status: 3"), "{error}");
    assert!(error.message().ends_with("the end [redacted]"), "{error}");
    assert!(error.message().len() < 5_000);
    assert_eq!(ask("printf '\\377'").kind(), ModelErrorKind::Protocol);
    assert_eq!(ask(r#"echo '{"text": 3}'"#).kind(), ModelErrorKind::Protocol);
    let missing = Exec::new("/there/is/no/such/program");
    let error = block_on(missing.complete(ChatRequest::new())).unwrap_err();
    assert!(error.message().contains("cannot be started"), "{error}");
}

#[test]
fn when_time_is_up_the_whole_group_ends() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pid");
    let script = format!("sleep 1000 & echo $! > '{}'; sleep 1000", file.display());
    let program = sh(&script).with_timeout(Duration::from_millis(300));
    let error = block_on(program.complete(ChatRequest::new())).unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Timeout);
    assert!(error.message().contains("0.3 s"), "{error}");
    let pid = std::fs::read_to_string(&file).unwrap();
    ends(pid.trim());
}

#[test]
fn a_child_that_keeps_the_outputs_open_holds_nothing_up() {
    let answer = block_on(sh("sleep 1000 & echo done").complete(ChatRequest::new())).unwrap();
    assert_eq!(answer.text, "done");
}

/// Waits for a process to be gone, or a zombie.
fn ends(pid: &str) {
    let since = Instant::now();
    loop {
        let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        if state.is_empty() || state.contains(") Z") {
            return;
        }
        assert!(since.elapsed() < Duration::from_secs(20), "{state}");
        std::thread::sleep(Duration::from_millis(5));
    }
}
