//! The real binary, in projects of its own: what it prints, where, and with which exit code.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "that is how a test fails"
)]

#[cfg(feature = "ask")]
mod ask;
mod cache;
mod calls;
mod check;
mod clean;
mod detected;
mod diff;
#[cfg(feature = "eval")]
mod eval;
mod explain;
mod features;
mod gate;
mod matching;
mod mistakes;
mod new;
mod overlay;
mod params;
#[cfg(feature = "parse")]
mod parse;
mod pipes;
mod render;
mod request;
mod rules_of;
mod schema;
#[cfg(feature = "session")]
mod session;
mod snapshot;
#[cfg(feature = "tokens")]
mod tokens;
mod tools;

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// What a run left behind.
#[derive(Debug)]
struct Run {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Run {
    /// The result of a run that went well and had nothing else to say.
    fn quiet(self) -> String {
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""));
        self.stdout
    }

    /// What a run said that ended with a mistake; stdout stays empty.
    fn mistake(self) -> String {
        assert_eq!((self.code, self.stdout.as_str()), (Some(2), ""), "{}", self.stderr);
        self.stderr
    }
}

/// The binary in a folder, on a machine that is the same everywhere. (Tests give the date.)
fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_promptline"));
    command
        .args(args)
        .current_dir(folder)
        .env("HOME", "/home/ada")
        .env("SHELL", "/bin/bash")
        .env("TZ", "Etc/UTC")
        .env("RUST_BACKTRACE", "0")
        .env_remove("COLUMNS")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn run(folder: &Path, args: &[&str]) -> Run {
    run_with(folder, args, b"")
}

fn run_with(folder: &Path, args: &[&str], stdin: &[u8]) -> Run {
    let mut child = command(folder, args).spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let output = std::thread::scope(|scope| {
        // Whether everything is read is the binary's business.
        scope.spawn(move || drop(pipe.write_all(stdin)));
        child.wait_with_output().unwrap()
    });
    Run {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A project that is a repository, so that nothing outside of it is looked at.
fn project(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join(".git")).unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// The files of a pack in `pack/` whose only variant prints this template.
fn pack(template: &str) -> [(&'static str, String); 3] {
    [
        (
            "pack/variants/pack.toml",
            "schema = 1\nname = \"mine\"\nvariants = [\"mine\"]\n".to_owned(),
        ),
        ("pack/variants/mine/variant.toml", "schema = 1\ncomponents = []\n".to_owned()),
        ("pack/variants/mine/template.md", template.to_owned()),
    ]
}

fn project_with_pack(template: &str, files: &[(&str, &str)]) -> TempDir {
    let pack = pack(template);
    let pack: Vec<(&str, &str)> = pack.iter().map(|(path, text)| (*path, text.as_str())).collect();
    project(&[&pack, files].concat())
}
