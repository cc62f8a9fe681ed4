//! Labelled model ids of public registries, by kind and field: a table, what is not as labelled, and the
//! goals.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "that is how a test fails"
)]

/// A link to the file of the workspace, which a package holds as a file.
mod support;

use std::collections::{BTreeMap, BTreeSet};

use promptline_model_id::ModelId;
use serde_json::Value;

use support::{all_cases, say};

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

#[test]
fn ids_are_read_as_labelled() {
    let mut counts: BTreeMap<(String, &str), Count> = BTreeMap::new();
    let mut faults = Vec::new();
    let mut ids = 0;
    let mut ids_right = 0;
    for case in all_cases("model_ids") {
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
    say(&format!("model_ids: {ids_right} of {ids} ids as labelled in every field"));
    say(&format!(
        "{:10} {:14} {:>8} {:>8} {:>6} {:>6} {:>6}",
        "kind", "field", "labelled", "right", "%", "wrong", "missed"
    ));
    for ((kind, field), count) in &counts {
        say(&format!(
            "{kind:10} {field:14} {:>8} {:>8} {:>6.1} {:>6} {:>6}",
            count.labelled,
            count.right,
            percent(count.right, count.labelled),
            count.wrong,
            count.missed
        ));
    }
    faults.iter().for_each(|fault| say(&format!("  {fault}")));

    let of = |kind: &str, field: &'static str| &counts[&(kind.to_owned(), field)];
    let (plain, version) = (of("plain", "family"), of("plain", "version"));
    let distill = of("distill", "family");
    let goals = [
        ("plain: wrong family <= 0.5 %", percent(plain.wrong, plain.labelled) <= 0.5),
        ("plain: missed family <= 1 %", percent(plain.missed, plain.labelled) <= 1.0),
        ("plain: version >= 98 %", percent(version.said_right, version.said) >= 98.0),
        ("distill: family >= 90 %", percent(distill.right, distill.labelled) >= 90.0),
    ];
    for (goal, reached) in goals {
        say(&format!("{goal}: {}", if reached { "reached" } else { "NOT reached" }));
    }
    assert!(goals.iter().all(|(_, reached)| *reached), "a goal is not reached");
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
