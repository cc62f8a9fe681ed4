//! Cases from files: those of the crate, and the shared ones that are only read at run time.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// The folder of shared cases: `PROMPTLINE_CASES`, which must then exist, else `../shared/cases` beside the
/// workspace, which may be absent.
pub(crate) fn shared_folder() -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os("PROMPTLINE_CASES") {
        let folder = PathBuf::from(folder);
        assert!(folder.is_dir(), "PROMPTLINE_CASES is {}, which does not exist", folder.display());
        return Some(folder);
    }
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let workspace = folders.find(|folder| folder.join("Cargo.lock").is_file())?;
    let folder = workspace.join("../shared/cases");
    folder.is_dir().then_some(folder)
}

/// A shared file of cases; none, said on stdout, where the folder is absent.
pub(crate) fn shared(file: &str) -> Vec<Value> {
    match shared_folder() {
        Some(folder) => read(&folder.join(file)),
        None => {
            println!("{file}: the folder of shared cases is absent; nothing was run");
            Vec::new()
        }
    }
}

/// A file of cases of the crate.
pub(crate) fn own(file: &str) -> Vec<Value> {
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(file))
}

/// The shared file, or the copy of it that the crate has.
pub(crate) fn shared_or_own(shared_file: &str, own_file: &str) -> Vec<Value> {
    match shared_folder() {
        Some(folder) => read(&folder.join(shared_file)),
        None => own(own_file),
    }
}

fn read(file: &Path) -> Vec<Value> {
    let text =
        fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let cases: Vec<Value> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| serde_json::from_str(line).expect("a case is JSON"))
        .collect();
    assert!(!cases.is_empty(), "{} has no cases", file.display());
    cases
}
