//! The shared cases: `refusals/dev.jsonl` and `assertions/dev.jsonl`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "the helpers of a test fail as the test does, and say what they ran"
)]

use std::path::PathBuf;

use promptline_eval::refusal;
use serde_json::Value;

/// The lines of a file of shared cases; none where there are no cases at all.
fn cases(file: &str) -> Vec<Value> {
    let set = std::env::var_os("PROMPTLINE_CASES").map(PathBuf::from);
    let given = set.is_some();
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/cases");
    let file = set.unwrap_or(root).join(file);
    match std::fs::read_to_string(&file) {
        Ok(text) => text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .map(|line| serde_json::from_str(line).unwrap())
            .collect(),
        Err(error) if given => panic!("PROMPTLINE_CASES is set, but {}: {error}", file.display()),
        Err(_) => {
            println!("{} is not there: nothing to run", file.display());
            Vec::new()
        }
    }
}

/// Prints how many ran and passed, and which did not.
fn report(name: &str, ran: usize, failed: &[String]) {
    println!("{name}: {} of {ran} passed", ran - failed.len());
    assert!(failed.is_empty(), "{name}: failed:\n{}", failed.join("\n"));
}

#[test]
fn refusals() {
    let cases = cases("refusals/dev.jsonl");
    let failed: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            let found = refusal::detect_text(case["text"].as_str()?);
            let right = found.refused == case["refused"].as_bool()?;
            (!right).then(|| format!("{} {} {found:?}", case["id"], case["text"]))
        })
        .collect();
    report("refusals", cases.len(), &failed);
}

#[test]
fn assertions() {
    use promptline_eval::assertion::{Assertion, Mode, Subject, grade};
    let cases = cases("assertions/dev.jsonl");
    let failed: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            let mut assertion = Assertion::new(case["type"].as_str()?);
            assertion.value = case.get("value").cloned();
            assertion.threshold = case["threshold"].as_f64();
            assertion.weight = case["weight"].as_f64();
            let subject = Subject::new(case["output"].clone())
                .with_vars(case["vars"].as_object().cloned().unwrap_or_default())
                .with_latency_ms(case["latencyMs"].as_f64())
                .with_cost(case["cost"].as_f64())
                .with_finish_reason(case["finishReason"].as_str().map(str::to_owned));
            let found = grade(Mode::Promptfoo, &assertion, &subject);
            let right = match (&found, case["pass"].as_bool()) {
                (Ok(found), Some(pass)) => found.pass == pass,
                (Err(_), None) => case.get("error").is_some(),
                _ => false,
            };
            (!right).then(|| format!("{case}\n    {found:?}"))
        })
        .collect();
    report("assertions", cases.len(), &failed);
}
