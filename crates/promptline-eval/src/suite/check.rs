//! What is wrong with a suite before it is run, with file, line and column.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use serde_json::Value;

use super::place::line_column;
use super::{Case, RefusalRule, Suite};
use crate::assertion::{self, Assertion, Mode, NATIVE_TYPES, PROMPTFOO_TYPES, Subject};

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Severity {
    /// For information.
    Note,
    /// It runs, but not as its author thinks.
    Warning,
    /// It cannot be run.
    Error,
}

/// Something about a suite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// The file.
    pub file: String,
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// How bad it is.
    pub severity: Severity,
    /// A name for programs.
    pub code: &'static str,
    /// What is wrong and what to do.
    pub message: String,
}

impl Finding {
    pub(crate) fn error(
        file: &str,
        line: usize,
        column: usize,
        code: &'static str,
        message: String,
    ) -> Self {
        Self { file: file.to_owned(), line, column, severity: Severity::Error, code, message }
    }

    pub(crate) fn note(
        file: &str,
        line: usize,
        column: usize,
        code: &'static str,
        message: String,
    ) -> Self {
        Self { severity: Severity::Note, ..Self::error(file, line, column, code, message) }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, severity, code, message } = self;
        let severity = match severity {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        write!(to, "{file}:{line}:{column}: {severity}[{code}]: {message}")
    }
}

impl Suite {
    /// Everything that is wrong with it or odd about it, by place.
    #[must_use]
    pub fn check(&self) -> Vec<Finding> {
        let mut found = self.notes.clone();
        let mut ids: BTreeMap<&str, usize> = BTreeMap::new();
        for (index, case) in self.cases.iter().enumerate() {
            let mut add = |severity, code, needle: &str, message: String| {
                found.push(self.finding(index, severity, code, needle, message));
            };
            if let Some(first) = ids.insert(&case.id, index) {
                let first = self.finding(first, Severity::Error, "", &case.id, String::new());
                let message =
                    format!("the id \"{}\" is there twice; first in line {}", case.id, first.line);
                add(Severity::Error, "duplicate-id", &case.id, message);
            }
            case_findings(self, case, &mut add);
        }
        if self.cases.is_empty() {
            let file = self.sources.keys().next_back().cloned().unwrap_or_default();
            found.push(Finding::error(
                &file,
                1,
                1,
                "no-cases",
                String::from("the suite has no cases"),
            ));
        }
        self.parameters(&mut found);
        found.sort_by(|a, b| (&a.file, a.line, a.column).cmp(&(&b.file, b.line, b.column)));
        found
    }

    /// A finding at a text within a case, or where the case begins.
    fn finding(
        &self,
        case: usize,
        severity: Severity,
        code: &'static str,
        needle: &str,
        message: String,
    ) -> Finding {
        let Some(place) = self.places.get(case) else {
            return Finding { severity, ..Finding::error(&self.name, 1, 1, code, message) };
        };
        let text = self.sources.get(&place.file).map(String::as_str).unwrap_or_default();
        let inside = text.get(place.start..place.end).unwrap_or_default();
        let at = if needle.is_empty() { 0 } else { inside.find(needle).unwrap_or(0) };
        let (line, column) = line_column(text, place.start + at);
        Finding { severity, ..Finding::error(&place.file, line, column, code, message) }
    }

    /// Parameters that the prompt does not use, and places in it that have none.
    fn parameters(&self, found: &mut Vec<Finding>) {
        let prompt = match crate::prompt::read(self) {
            Ok(Some(prompt)) => prompt,
            Ok(None) => return,
            Err(message) => {
                let file = self.sources.keys().next_back().cloned().unwrap_or_default();
                found.push(Finding::error(&file, 1, 1, "prompt", message));
                return;
            }
        };
        let file = prompt
            .file
            .unwrap_or_else(|| self.sources.keys().next_back().cloned().unwrap_or_default());
        for name in crate::prompt::unused(&prompt.template, &prompt.params) {
            let message = format!("the parameter `{name}` is not used in the prompt");
            let finding = Finding::error(&file, 1, 1, "unused-parameter", message);
            found.push(Finding { severity: Severity::Warning, ..finding });
        }
        for (name, value) in &prompt.params {
            let text = value.to_string();
            if !value.is_number() {
                continue;
            }
            for (at, _) in prompt.template.match_indices(&text) {
                let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit() || c == '.');
                let before =
                    prompt.template.get(..at).and_then(|before| before.chars().next_back());
                let after =
                    prompt.template.get(at + text.len()..).and_then(|after| after.chars().next());
                if !digit(before) && !after.is_some_and(|c| c.is_ascii_digit()) {
                    let (line, column) = line_column(&prompt.template, at);
                    let message = format!(
                        "{text} is the value of the parameter `{name}`; write {{{{{name}}}}} instead of it"
                    );
                    let finding = Finding::error(&file, line, column, "literal-parameter", message);
                    found.push(Finding { severity: Severity::Warning, ..finding });
                }
            }
        }
        for (name, at) in crate::prompt::placeholders(&prompt.template) {
            if !prompt.params.contains_key(&name) {
                let (line, column) = line_column(&prompt.template, at);
                let message = format!("the prompt uses the parameter `{name}`, which has no value");
                found.push(Finding::error(&file, line, column, "missing-parameter", message));
            }
        }
    }
}

fn case_findings(
    suite: &Suite,
    case: &Case,
    add: &mut impl FnMut(Severity, &'static str, &str, String),
) {
    use Severity::{Error, Warning};
    let id = &case.id;
    if case.question().trim().is_empty() {
        add(Error, "no-question", id, format!("\"{id}\" asks nothing; give `query` or `messages`"));
    }
    if case.query.is_some() && !case.messages.is_empty() {
        add(Error, "two-questions", id, format!("\"{id}\" has both `query` and `messages`"));
    }
    for message in &case.messages {
        if !matches!(message.role.as_str(), "user" | "assistant" | "system") {
            add(Error, "role", &message.role, format!("unknown role \"{}\"", message.role));
        }
    }
    let lists =
        [("must_contain", &case.must_contain), ("must_not_contain", &case.must_not_contain)];
    for (name, texts) in lists {
        if texts.iter().any(|text| text.trim().is_empty()) {
            add(
                Error,
                "empty-needle",
                name,
                format!("`{name}` of \"{id}\" has an empty text: every answer contains it"),
            );
        }
    }
    for group in &case.any_of {
        if group.is_empty() || group.iter().any(|text| text.trim().is_empty()) {
            add(
                Error,
                "empty-needle",
                "any_of",
                format!("`any_of` of \"{id}\" has an empty group or text"),
            );
        }
    }
    for wanted in &case.must_contain {
        for banned in case.must_not_contain.iter().filter(|banned| !banned.trim().is_empty()) {
            if wanted.to_lowercase().contains(&banned.to_lowercase()) {
                let message =
                    format!("no answer can contain \"{wanted}\" and not contain \"{banned}\"");
                add(Error, "contradiction", "must_not_contain", message);
            }
        }
    }
    if case.refusal == Some(RefusalRule::Expect) && case.refusal_max.is_some() {
        add(
            Error,
            "contradiction",
            "refusal_max",
            format!("\"{id}\" expects a refusal and limits refusals"),
        );
    }
    if case.refusal_max.is_some_and(|max| !(0.0..=1.0).contains(&max)) {
        add(Error, "range", "refusal_max", String::from("`refusal_max` is a share from 0 to 1"));
    }
    if case.weight.is_some_and(|weight| !(weight.is_finite() && weight >= 0.0)) {
        add(Error, "range", "weight", String::from("`weight` is 0 or more"));
    }
    if case.repeat == Some(0) {
        add(Error, "range", "repeat", String::from("`repeat` is 1 or more"));
    }
    let all = case.all_assertions();
    if all.is_empty()
        && case.tool_calls.is_none()
        && case.exec.is_empty()
        && case.refusal_max.is_none()
    {
        add(Warning, "no-expectation", id, format!("\"{id}\" expects nothing: it always passes"));
    }
    // What the lists make is right by itself, but for the patterns.
    let mut pending: Vec<&Assertion> =
        all.iter().filter(|one| one.kind == "regex").chain(&case.assertions).collect();
    while let Some(one) = pending.pop() {
        pending.extend(&one.set);
        let (base, _) = one.base();
        let known = PROMPTFOO_TYPES.contains(&base)
            || (suite.mode == Mode::Default && NATIVE_TYPES.contains(&base));
        if !known {
            let near = PROMPTFOO_TYPES.iter().min_by_key(|known| distance(known, base));
            let near = near.filter(|known| distance(known, base) <= 3);
            let help = near.map_or_else(
                || {
                    String::from(
                        "it needs a model, a program or a network; use `exec`, or promptfoo itself",
                    )
                },
                |near| format!("did you mean \"{near}\"?"),
            );
            add(
                Error,
                "unknown-type",
                &one.kind,
                format!("unknown assertion type \"{}\"\nhelp: {help}", one.kind),
            );
        } else if base != "assert-set" && !matches!(base, "latency" | "cost") {
            // A value that the type does not take shows on any answer.
            let subject = Subject::new("x").with_vars(case.vars.clone());
            if let Err(error) = assertion::grade(suite.mode, one, &subject) {
                let needle = one.value.as_ref().and_then(Value::as_str).unwrap_or(&one.kind);
                add(Error, "value", needle, error);
            }
        }
    }
}

fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    assertion::edit_distance(&one, &other)
}
