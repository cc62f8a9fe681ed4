//! What an answer is held to. The types have promptfoo's names; [`Mode`] says whose verdict they give.

mod compat;
mod js;
mod native;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use compat::TYPES as PROMPTFOO_TYPES;
pub(crate) use compat::distance as edit_distance;
pub use native::TYPES as NATIVE_TYPES;

/// Whose verdict an assertion gives.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Mode {
    /// Ours: Unicode-aware and linear regular expressions, real JSON, characters where words have no blanks,
    /// refusals in ten languages.
    #[default]
    Default,
    /// promptfoo's own (0.121.20), its surprises included.
    Promptfoo,
}

/// One assertion.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Assertion {
    /// Its type by promptfoo's name, `not-…` for the opposite.
    #[serde(rename = "type")]
    pub kind: String,
    /// What is expected.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    pub value: Option<Value>,
    /// The bound of a measure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threshold: Option<f64>,
    /// How much its score counts; 0 means that it never fails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
    /// A name that scores are gathered under.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metric: Option<String>,
    /// The assertions of an `assert-set`.
    #[serde(default, rename = "assert", skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<Assertion>,
}

/// `null` is a value, too: promptfoo tells it from an absent one.
fn given<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(from).map(Some)
}

impl Assertion {
    /// An assertion without a value.
    #[must_use]
    pub fn new(kind: impl Into<String>) -> Self {
        Self { kind: kind.into(), ..Self::default() }
    }

    /// Sets what is expected.
    #[must_use]
    pub fn with_value(mut self, value: impl Into<Value>) -> Self {
        self.value = Some(value.into());
        self
    }

    /// Sets the bound of a measure.
    #[must_use]
    pub fn with_threshold(mut self, threshold: f64) -> Self {
        self.threshold = Some(threshold);
        self
    }

    /// The type without `not-`, and whether it was there.
    #[must_use]
    pub fn base(&self) -> (&str, bool) {
        match self.kind.strip_prefix("not-") {
            Some(base) => (base, true),
            None => (&self.kind, false),
        }
    }
}

/// What an assertion looks at.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Subject {
    /// The answer; a string unless the provider returned something structured.
    pub output: Value,
    /// The variables that an assertion's value may name.
    pub vars: Map<String, Value>,
    /// How long the answer took, in milliseconds; unknown for a recording.
    pub latency_ms: Option<f64>,
    /// What it cost, in the currency of the price list.
    pub cost: Option<f64>,
    /// Why the answer ends, in the provider's word.
    pub finish_reason: Option<String>,
    /// The provider's refusal field.
    pub refusal: Option<String>,
    /// The provider's content filter stopped the answer.
    pub filtered: bool,
    /// Options of the text matchers in the default mode.
    pub normalize: Normalize,
    text: String,
}

/// What differences between two texts do not matter, in the default mode.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Normalize {
    /// Compatibility forms are one: `满９９` is `满99`.
    pub nfkc: bool,
    /// Blanks do not count: `满 99` is `满99`.
    pub blanks: bool,
}

impl Subject {
    /// An answer.
    #[must_use]
    pub fn new(output: impl Into<Value>) -> Self {
        let output = output.into();
        let text = match &output {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        Self { output, text, ..Self::default() }
    }

    /// Sets the variables.
    #[must_use]
    pub fn with_vars(mut self, vars: Map<String, Value>) -> Self {
        self.vars = vars;
        self
    }

    /// Sets how long it took, in milliseconds.
    #[must_use]
    pub fn with_latency_ms(mut self, latency: Option<f64>) -> Self {
        self.latency_ms = latency;
        self
    }

    /// Sets what it cost.
    #[must_use]
    pub fn with_cost(mut self, cost: Option<f64>) -> Self {
        self.cost = cost;
        self
    }

    /// Sets why the answer ends.
    #[must_use]
    pub fn with_finish_reason(mut self, reason: Option<String>) -> Self {
        self.finish_reason = reason;
        self
    }

    /// Sets the structured signals of a refusal.
    #[must_use]
    pub fn with_refusal(mut self, refusal: Option<String>, filtered: bool) -> Self {
        self.refusal = refusal;
        self.filtered = filtered;
        self
    }

    /// Sets what differences do not matter.
    #[must_use]
    pub fn with_normalize(mut self, normalize: Normalize) -> Self {
        self.normalize = normalize;
        self
    }

    /// The answer as text; JSON where it is structured.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// A verdict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Verdict {
    /// It holds.
    pub pass: bool,
    /// From 0 to 1.
    pub score: f64,
    /// Why it does not.
    pub reason: String,
}

impl Verdict {
    /// Pass or fail, with the reason of a failure.
    pub(crate) fn of(pass: bool, reason: impl FnOnce() -> String) -> Self {
        let reason = if pass { String::from("passed") } else { reason() };
        Self { pass, score: if pass { 1.0 } else { 0.0 }, reason }
    }
}

/// Gives a verdict.
///
/// # Errors
/// When the assertion itself is wrong: an unknown type, a value that the type does not take. Such a case has
/// neither passed nor failed.
pub fn grade(mode: Mode, assertion: &Assertion, subject: &Subject) -> Result<Verdict, String> {
    if assertion.kind == "assert-set" {
        return set(mode, assertion, subject);
    }
    let mut verdict = match mode {
        Mode::Promptfoo => compat::grade(assertion, subject),
        Mode::Default => native::grade(assertion, subject),
    }?;
    if assertion.weight == Some(0.0) {
        verdict.pass = true;
    }
    Ok(verdict)
}

/// A set holds when all of it does, or when its weighted score reaches its threshold.
fn set(mode: Mode, assertion: &Assertion, subject: &Subject) -> Result<Verdict, String> {
    let (mut total, mut weights, mut failed) = (0.0, 0.0, None);
    for member in &assertion.set {
        let verdict = grade(mode, member, subject)?;
        let weight = member.weight.unwrap_or(1.0);
        total += verdict.score * weight;
        weights += weight;
        if !verdict.pass && failed.is_none() {
            failed = Some(verdict.reason);
        }
    }
    let score = if weights > 0.0 { total / weights } else { 0.0 };
    let (pass, reason) = match assertion.threshold {
        Some(threshold) => {
            (score >= threshold, format!("score {score:.2} is less than {threshold}"))
        }
        None => (failed.is_none(), failed.unwrap_or_default()),
    };
    Ok(Verdict { pass, score, reason })
}
