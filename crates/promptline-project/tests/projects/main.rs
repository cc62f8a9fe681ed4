//! What each host reads of one project that has every file of every host: in the root, in `web` (the working
//! directory), in `web/deep` (where the request touches a file) and in the user's home. A file a host; what it lists is
//! what that host's documentation says is read, in that order.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "that is how a test fails"
)]

use std::fs;
use std::path::Path;

use promptline_project::{Host, Project, ReadOptions};
use tempfile::TempDir;

mod alternatives;
mod everything;

/// A project and a home with these files; each says its own name.
fn lay_out(files: &[&str]) -> TempDir {
    let root = tempfile::tempdir().unwrap();
    for file in files {
        write(root.path(), file, &format!("text of {file}\n"));
    }
    fs::create_dir_all(root.path().join("project/.git")).unwrap();
    fs::create_dir_all(root.path().join("project/web")).unwrap();
    root
}

fn write(root: &Path, file: &str, text: &str) {
    let path = root.join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// The rules that a host reads in `project/web`.
fn read(root: &TempDir, options: &ReadOptions) -> Vec<String> {
    let project = Project::read_with(root.path().join("project/web"), options).unwrap();
    project.rules.into_iter().map(|file| file.path).collect()
}

fn of(host: &str) -> ReadOptions {
    match host {
        "shared" => ReadOptions::new(),
        host => ReadOptions::new().with_host(host.parse::<Host>().unwrap()),
    }
}
