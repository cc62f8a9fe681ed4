//! The shared cases, for tests that read them at run time. The tests of the other crates use this file too.

#![allow(dead_code, reason = "each test target uses its own part")]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// The folder of cases: `PROMPTLINE_CASES`, which must then be there, else `../shared/cases` beside
/// the workspace, which may be absent.
pub(crate) fn cases_folder() -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os("PROMPTLINE_CASES") {
        let folder = PathBuf::from(folder);
        let shown = folder.display();
        assert!(folder.is_dir(), "PROMPTLINE_CASES names {shown}, which is not there");
        return Some(folder);
    }
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let workspace = folders.find(|folder| folder.join("Cargo.lock").is_file())?;
    let folder = workspace.join("../shared/cases");
    folder.is_dir().then_some(folder)
}

/// The lines of a file of cases.
pub(crate) fn read_cases(folder: &Path, file: &str) -> Vec<Value> {
    let file = folder.join(file);
    let text =
        fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    text.lines().map(|line| serde_json::from_str(line).expect("a case is JSON")).collect()
}
