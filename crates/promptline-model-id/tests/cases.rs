//! Labelled model ids of public registries, by kind and field. They are read at run time from the folder that
//! `PROMPTLINE_CASES` names (else `../shared/cases` beside the workspace); the test prints a table and what is not as
//! labelled.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and this one prints its counts"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use promptline_model_id::ModelId;
use serde_json::Value;

const FIELDS: [&str; 10] = [
    "family",
    "vendor",
    "line",
    "version",
    "size",
    "date",
    "route",
    "suffix",
    "base",
    "distilled_from",
];

/// Labelled ids of one kind, for one field.
#[derive(Default)]
struct Count {
    labelled: usize,
    /// The label says something.
    said: usize,
    right: usize,
    /// Of those that say something.
    said_right: usize,
    /// We say something else, or something where there is nothing.
    wrong: usize,
    /// We say nothing where there is something.
    missed: usize,
}

/// The folder of cases; a folder that is named and absent is a failure.
fn cases_folder() -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os("PROMPTLINE_CASES") {
        let folder = PathBuf::from(folder);
        assert!(folder.is_dir(), "PROMPTLINE_CASES names {}, which is not there", folder.display());
        return Some(folder);
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/cases");
    folder.is_dir().then_some(folder)
}

#[test]
fn ids_of_public_registries_are_read_as_labelled() {
    let Some(folder) = cases_folder() else {
        println!("model_ids: the folder of cases is absent; nothing was run");
        return;
    };
    let text = fs::read_to_string(folder.join("model_ids/dev.jsonl")).expect("a file of cases");
    let mut counts: BTreeMap<(String, &str), Count> = BTreeMap::new();
    let mut faults = Vec::new();
    let mut ids = 0;
    let mut ids_right = 0;
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).expect("a case is JSON");
        let text = |key: &str| case[key].as_str().expect("a text").to_owned();
        let read = ModelId::parse(&text("provider"), &text("id"));
        let read = serde_json::to_value(read).expect("it is JSON");
        let mut right = true;
        for field in FIELDS {
            let Some(label) = case.get(field) else { continue };
            let got = &read[field];
            let is_right = match field {
                "suffix" => as_set(label) == as_set(got),
                _ => as_scored(label) == as_scored(got),
            };
            let count = counts.entry((text("kind"), field)).or_default();
            let nothing = |value: &Value| as_scored(value).is_empty();
            count.labelled += 1;
            count.said += usize::from(!nothing(label));
            count.right += usize::from(is_right);
            count.said_right += usize::from(is_right && !nothing(label));
            count.missed += usize::from(!is_right && nothing(got));
            count.wrong += usize::from(!is_right && !nothing(got));
            if !is_right {
                right = false;
                let id: String = text("id").chars().take(100).collect();
                faults.push(format!("{}: {id}: {field} is {got}, labelled {label}", text("kind")));
            }
        }
        ids += 1;
        ids_right += usize::from(right);
    }
    println!("model_ids: {ids_right} of {ids} ids as labelled in every field");
    println!(
        "{:10} {:14} {:>8} {:>8} {:>6} {:>6} {:>6}",
        "kind", "field", "labelled", "right", "%", "wrong", "missed"
    );
    for ((kind, field), count) in &counts {
        println!(
            "{kind:10} {field:14} {:>8} {:>8} {:>6.1} {:>6} {:>6}",
            count.labelled,
            count.right,
            percent(count.right, count.labelled),
            count.wrong,
            count.missed
        );
    }
    assert!(ids > 0, "the file of cases is empty");
    assert!(faults.is_empty(), "{ids_right} of {ids} ids as labelled:\n{}", faults.join("\n"));
}

fn as_set(value: &Value) -> BTreeSet<String> {
    as_scored(value).into_iter().collect()
}

/// Texts as they are, lists item by item; null and an empty list are the same.
fn as_scored(value: &Value) -> Vec<String> {
    let list = |value: &Value| -> Vec<String> {
        value
            .as_array()
            .into_iter()
            .flatten()
            .map(|item| item.as_str().unwrap().to_owned())
            .collect()
    };
    match value {
        Value::Null => Vec::new(),
        Value::Array(_) => list(value),
        other => vec![other.as_str().expect("a text").to_owned()],
    }
}

fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}
