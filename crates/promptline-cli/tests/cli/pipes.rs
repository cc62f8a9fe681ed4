//! A reader that has seen enough is no failure: `promptline … | head -c 1` ends quietly.

use std::io::{Read as _, Write as _};
use std::path::Path;

use crate::{command, project};

/// Reads one byte and goes away; gives what was said on stderr, and the exit code.
fn read_one_byte(folder: &Path, args: &[&str], stdin: &[u8]) -> (String, Option<i32>) {
    let mut child = command(folder, args).spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let output = std::thread::scope(|scope| {
        // The rest is not read, so this may fail.
        scope.spawn(move || drop(pipe.write_all(stdin)));
        let mut reader = child.stdout.take().unwrap();
        reader.read_exact(&mut [0]).unwrap();
        drop(reader);
        child.wait_with_output().unwrap()
    });
    (String::from_utf8(output.stderr).unwrap(), output.status.code())
}

// More than a pipe holds, so that the binary must notice.
const MUCH: usize = 900_000;

#[test]
fn render_ends_quietly() {
    let project = project(&[("AGENTS.md", &"x".repeat(MUCH))]);
    let args = ["render", "--model", "m", "--date", "2031-05-06"];
    assert_eq!(read_one_byte(project.path(), &args, b""), (String::new(), Some(0)));
    let args = ["render", "--model", "m", "--date", "2031-05-06", "--json"];
    assert_eq!(read_one_byte(project.path(), &args, b""), (String::new(), Some(0)));
}

#[test]
fn match_ends_quietly() {
    let project = project(&[]);
    let ids = "gpt-5\n".repeat(MUCH / 6);
    let said = read_one_byte(project.path(), &["match", "-"], ids.as_bytes());
    assert_eq!(said, (String::new(), Some(0)));
}

#[test]
fn clean_ends_quietly() {
    let project = project(&[]);
    let text = "x".repeat(MUCH);
    let said = read_one_byte(project.path(), &["clean"], text.as_bytes());
    assert_eq!(said, (String::new(), Some(0)));
}
