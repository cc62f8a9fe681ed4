//! A check that is a program.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::run::Checked;
use crate::suite::Case;

/// So long a program may take.
const LONGEST: Duration = Duration::from_secs(60);

pub(crate) fn check(case: &Case, output: &str, folder: &Path) -> Checked {
    let verdict = run(case, output, folder);
    Checked {
        kind: String::from("exec"),
        expected: case.exec.join(" "),
        pass: verdict.is_ok(),
        reason: verdict.err().unwrap_or_default(),
        nearest: None,
    }
}

fn run(case: &Case, output: &str, folder: &Path) -> Result<(), String> {
    let (program, arguments) = case.exec.split_first().ok_or("`exec` names no program")?;
    let input =
        serde_json::json!({"case": case.id, "output": output, "vars": case.vars}).to_string();
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    if !folder.as_os_str().is_empty() {
        command.current_dir(folder);
    }
    let mut child = command.spawn().map_err(|error| format!("{program}: {error}"))?;
    let stdin = child.stdin.take();
    // A program need not read what it gets; a thread writes, so that one that never does cannot hold the run.
    std::thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(input.as_bytes())));
    let start = Instant::now();
    loop {
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(status) if status.success() => return Ok(()),
            Some(status) => return Err(format!("{program} ended with {status}")),
            None if start.elapsed() > LONGEST => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("{program} took more than {} s", LONGEST.as_secs()));
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    }
}
