//! Reading suites and reports, and what needs nothing else: `check` and `grade`.

use std::fs;
use std::path::Path;

use promptline_eval::assertion::{self, Assertion, Mode, Subject};
use promptline_eval::suite::{self, Finding, Severity, Suite};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::INVALID;
use super::args::{CheckArgs, GradeArgs};
use crate::output::{Failure, Output};

pub(super) fn text(file: &Path) -> Result<String, Failure> {
    if file == Path::new("-") {
        return crate::clean::stdin();
    }
    fs::read_to_string(file)
        .map_err(|error| Failure::Said(format!("{}: it cannot be read: {error}", file.display())))
}

pub(super) fn json<T: DeserializeOwned>(file: &Path) -> Result<T, Failure> {
    serde_json::from_str(&text(file)?)
        .map_err(|error| Failure::Said(format!("{}: {error}", file.display())))
}

pub(super) fn write(file: &Path, text: &str) -> Result<(), Failure> {
    fs::write(file, text).map_err(|error| {
        Failure::Said(format!("{}: it cannot be written: {error}", file.display()))
    })
}

/// A suite without errors; its findings go to stderr.
pub(super) fn suite(file: &Path) -> Result<Suite, Failure> {
    let suite = suite::load(file).map_err(|findings| invalid(&findings))?;
    let findings = suite.check();
    if findings.iter().any(|finding| finding.severity == Severity::Error) {
        return Err(invalid(&findings));
    }
    note(&findings);
    Ok(suite)
}

fn note(findings: &[Finding]) {
    for finding in findings {
        Output::note(&format!("{finding}\n"));
    }
}

fn invalid(findings: &[Finding]) -> Failure {
    note(findings);
    Failure::Code(INVALID)
}

pub(super) fn check(args: &CheckArgs, output: &mut Output) -> Result<(), Failure> {
    let findings = match suite::load(&args.suite) {
        Ok(suite) => suite.check(),
        Err(findings) => findings,
    };
    if args.json {
        output.json(&findings)?;
    } else {
        for finding in &findings {
            output.line(crate::output::harmless(&finding.to_string()))?;
        }
    }
    let least = if args.strict { Severity::Warning } else { Severity::Error };
    if findings.iter().any(|finding| finding.severity >= least) {
        Err(Failure::Code(INVALID))
    } else {
        Ok(())
    }
}

pub(super) fn grade(args: &GradeArgs, output: &mut Output) -> Result<(), Failure> {
    let mode = if args.compat.is_some() { Mode::Promptfoo } else { Mode::Default };
    for (number, line) in
        text(&args.file)?.lines().enumerate().filter(|(_, line)| !line.trim().is_empty())
    {
        let wrong = |error: String| {
            Failure::Said(format!("{}:{}: {error}", args.file.display(), number + 1))
        };
        let case: Value = serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
        let field = |name: &str| case.get(name).unwrap_or(&Value::Null);
        let mut assertion = Assertion::new(
            field("type").as_str().ok_or_else(|| wrong("it has no `type`".to_owned()))?,
        );
        assertion.value = case.get("value").cloned();
        assertion.threshold = field("threshold").as_f64();
        assertion.weight = field("weight").as_f64();
        let subject = Subject::new(field("output").clone())
            .with_vars(field("vars").as_object().cloned().unwrap_or_default())
            .with_latency_ms(field("latencyMs").as_f64())
            .with_cost(field("cost").as_f64())
            .with_finish_reason(field("finishReason").as_str().map(str::to_owned));
        let verdict = match assertion::grade(mode, &assertion, &subject) {
            Ok(verdict) => {
                json!({"pass": verdict.pass, "score": verdict.score, "reason": verdict.reason})
            }
            Err(error) => json!({"error": error}),
        };
        output.line(verdict)?;
    }
    Ok(())
}
