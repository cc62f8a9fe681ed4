//! Cases from files: inputs with the right answers. Some are in `tests/cases` of a package; where the folder
//! of shared cases is there, those in it are run too. The tests of the other crates use this file as well.

#![allow(dead_code, reason = "each test target uses its own part")]

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use serde_json::Value;

/// The folder of shared cases: `PROMPTLINE_CASES`, which must then be there, else `../shared/cases` beside
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
    read_lines(&folder.join(file)).iter().map(|line| parsed(line)).collect()
}

/// The cases of one kind: those of this package, `tests/cases/<kind>.jsonl`, and the shared ones that are
/// not among them.
pub(crate) fn all_cases(kind: &str) -> Vec<Value> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/cases/{kind}.jsonl"));
    let mut lines = read_lines(&own);
    match cases_folder() {
        Some(folder) => {
            let own: BTreeSet<String> = lines.iter().cloned().collect();
            let shared = read_lines(&folder.join(kind).join("dev.jsonl"));
            lines.extend(shared.into_iter().filter(|line| !own.contains(line)));
        }
        None => say(&format!("{kind}: no shared cases here, only those of the package")),
    }
    lines.iter().map(|line| parsed(line)).collect()
}

fn read_lines(file: &Path) -> Vec<String> {
    let text =
        fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    text.lines().map(str::to_owned).collect()
}

fn parsed(line: &str) -> Value {
    serde_json::from_str(line).expect("a case is JSON")
}

/// What came of some cases.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) count: usize,
    /// The id of each case that came out otherwise, and how.
    pub(crate) faults: Vec<String>,
}

/// Judges each case: none is right, else how it came out otherwise. A panic is the fault of its case, and
/// the others are judged all the same. Prints how many are right, and which are not.
pub(crate) fn judge<'c>(
    name: &str,
    cases: impl IntoIterator<Item = &'c Value>,
    fault: impl Fn(&Value) -> Option<String>,
) -> Tally {
    let mut tally = Tally::default();
    for case in cases {
        tally.count += 1;
        let fault = catch_unwind(AssertUnwindSafe(|| fault(case))).unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            Some(format!("panics: {}", text.unwrap_or_default()))
        });
        let id = case["id"].as_str().unwrap_or_default();
        tally.faults.extend(fault.map(|fault| format!("{id}: {fault}")));
    }
    say(&format!("{name}: {} of {} right", tally.count - tally.faults.len(), tally.count));
    tally.faults.iter().for_each(|fault| say(&format!("  {fault}")));
    tally
}

impl Tally {
    /// Fails unless there were cases and each came out right.
    pub(crate) fn assert_right(&self) {
        assert!(self.count > 0, "no case was run");
        assert!(self.faults.is_empty(), "{} cases came out otherwise", self.faults.len());
    }
}

/// Prints a line, of tests that pass too: the harness keeps back only what is printed by macros.
pub(crate) fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
