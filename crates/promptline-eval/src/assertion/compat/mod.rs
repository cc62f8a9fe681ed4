//! promptfoo's verdicts (0.121.20), type by type. Its own text is not here: the rules were learned from its
//! documentation, its results and its behaviour, and the shared cases hold both together.

mod contains;
mod html;
mod json;
mod measure;
mod pattern;
mod refusal;
mod template;
mod tools;
mod xml;

use serde_json::Value;

use super::{Assertion, Subject, Verdict, js};

pub(crate) use measure::distance;
pub(super) use measure::word_count;
pub(super) use pattern::Js;
pub(super) use tools::names as tool_names;

/// The deterministic types that are done natively, without `not-`.
pub const TYPES: &[&str] = &[
    "assert-set",
    "bleu",
    "contains",
    "contains-all",
    "contains-any",
    "contains-html",
    "contains-json",
    "contains-xml",
    "cost",
    "equals",
    "finish-reason",
    "gleu",
    "icontains",
    "icontains-all",
    "icontains-any",
    "is-html",
    "is-json",
    "is-refusal",
    "is-xml",
    "latency",
    "levenshtein",
    "regex",
    "rouge-n",
    "starts-with",
    "tool-call-f1",
    "word-count",
];

/// An assertion with its value rendered.
pub(super) struct Check<'a> {
    pub(super) kind: &'a str,
    pub(super) inverse: bool,
    pub(super) value: Option<Value>,
    pub(super) threshold: Option<f64>,
    pub(super) subject: &'a Subject,
}

impl Check<'_> {
    /// The value as text, which most types want and some must not be empty.
    pub(super) fn text(&self) -> Result<&str, String> {
        match &self.value {
            Some(Value::String(text)) => Ok(text),
            _ => Err(format!("\"{}\" takes a string", self.kind)),
        }
    }

    pub(super) fn verdict(&self, holds: bool, expected: &str) -> Verdict {
        let not = if self.inverse { "not " } else { "" };
        Verdict::of(holds != self.inverse, || format!("expected the answer to {not}{expected}"))
    }

    /// For measures between 0 and 1: the opposite has the opposite score.
    pub(super) fn scored(&self, score: f64, threshold: f64) -> Verdict {
        let pass = (score >= threshold) != self.inverse;
        let side = if self.inverse { "greater" } else { "less" };
        let mut verdict = Verdict::of(pass, || {
            format!("{} score {score:.4} is {side} than threshold {threshold}", self.kind)
        });
        verdict.score = if self.inverse { 1.0 - score } else { score };
        verdict
    }
}

pub(super) fn grade(assertion: &Assertion, subject: &Subject) -> Result<Verdict, String> {
    let (kind, inverse) = assertion.base();
    let value = match &assertion.value {
        Some(value) => Some(template::rendered(value, &subject.vars)?),
        None => None,
    };
    let check = Check { kind, inverse, value, threshold: assertion.threshold, subject };
    match kind {
        "contains" | "icontains" => contains::one(&check),
        "contains-any" | "icontains-any" | "contains-all" | "icontains-all" => {
            contains::several(&check)
        }
        "starts-with" => {
            let start = check.text().ok().filter(|text| !text.is_empty());
            let start = start.ok_or("\"starts-with\" takes a string that is not empty")?;
            Ok(check.verdict(subject.text().starts_with(start), &format!("start with \"{start}\"")))
        }
        "equals" => equals(&check),
        "regex" => pattern::grade(&check),
        "is-json" => json::whole(&check),
        "contains-json" => json::inside(&check),
        "is-xml" | "contains-xml" => xml::grade(&check),
        "is-html" => Ok(check.verdict(html::is(subject.text()), "be HTML")),
        "contains-html" => Ok(check.verdict(html::inside(subject.text()), "contain HTML")),
        "levenshtein" => measure::levenshtein(&check),
        "word-count" => measure::word_count(&check, js::words),
        "bleu" | "gleu" | "rouge-n" => measure::overlap(&check),
        "latency" => {
            let threshold =
                check.threshold.ok_or("\"latency\" takes a threshold in milliseconds")?;
            let latency =
                subject.latency_ms.ok_or("the answer has no latency: it comes from a recording")?;
            Ok(check.verdict(
                latency <= threshold,
                &format!("take at most {threshold} ms; it took {latency}"),
            ))
        }
        "cost" => {
            let threshold = check.threshold.ok_or("\"cost\" takes a threshold")?;
            let cost = subject.cost.ok_or("what the answer cost is not known")?;
            Ok(check
                .verdict(cost <= threshold, &format!("cost at most {threshold}; it cost {cost}")))
        }
        "finish-reason" => {
            let wanted = check.text()?;
            let found = subject.finish_reason.as_deref().filter(|reason| !reason.is_empty());
            let same = found.is_some_and(|found| found.to_lowercase() == wanted.to_lowercase());
            let found = found.unwrap_or("none");
            Ok(check.verdict(same, &format!("end with \"{wanted}\"; it ended with \"{found}\"")))
        }
        "is-refusal" => Ok(refusal::grade(&check)),
        "tool-call-f1" => tools::f1(&check),
        _ => Err(format!("unknown assertion type \"{}\"", assertion.kind)),
    }
}

fn equals(check: &Check<'_>) -> Result<Verdict, String> {
    let text = check.subject.text();
    let (same, wanted) = match &check.value {
        Some(value @ (Value::Object(_) | Value::Array(_) | Value::Null)) => {
            let same =
                serde_json::from_str::<Value>(text).is_ok_and(|found| json::same(value, &found));
            (same, value.to_string())
        }
        Some(value) => (js::string(value) == text, js::string(value)),
        None => (text == "undefined", String::from("undefined")),
    };
    Ok(check.verdict(same, &format!("equal {wanted}")))
}
