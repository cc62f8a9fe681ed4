//! promptfoo: suites out and in, and its verdicts beside ours.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use crate::assertion::{Assertion, PROMPTFOO_TYPES};
use crate::error::{Error, ErrorKind};
use crate::prompt::Prompt;
use crate::run::Run;
use crate::suite::{RefusalRule, Suite};

/// The environment in which promptfoo (0.121) makes no request of its own and reads nothing from ours.
pub const OFFLINE: &[(&str, &str)] = &[
    ("PROMPTFOO_DISABLE_TELEMETRY", "1"),
    ("PROMPTFOO_DISABLE_UPDATE", "1"),
    ("PROMPTFOO_DISABLE_REMOTE_GENERATION", "true"),
    ("PROMPTFOO_DISABLE_REDTEAM_REMOTE_GENERATION", "true"),
    ("PROMPTFOO_DISABLE_SHARING", "1"),
    ("PROMPTFOO_CACHE_ENABLED", "false"),
    ("PROMPTFOO_DISABLE_TEMPLATE_ENV_VARS", "true"),
    ("HTTPS_PROXY", "http://127.0.0.1:9"),
    ("HTTP_PROXY", "http://127.0.0.1:9"),
    ("NO_PROXY", "127.0.0.1,localhost"),
    ("NO_COLOR", "1"),
];

/// A suite for promptfoo: its configuration, and the prompt as a file of its own.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Export {
    /// `promptfooconfig.json`, which it reads as it reads YAML.
    pub config: Value,
    /// `prompt.json`: a chat with the system text in a raw block.
    pub prompt: Value,
    /// What it cannot say, one line each.
    pub losses: Vec<String>,
}

/// Writes a suite for promptfoo, such that the model is sent the same bytes. The cases' lists become the types of
/// the same meaning; what only we have is listed.
#[must_use]
pub fn export(suite: &Suite, prompt: &Prompt, providers: &Value) -> Export {
    let mut losses = Vec::new();
    let mut chat = Vec::new();
    if !prompt.text.is_empty() {
        chat.push(json!({"role": "system", "content": raw(&prompt.text)}));
    }
    chat.push(json!({"role": "user", "content": "{{q}}"}));
    let mut tests = Vec::new();
    for case in &suite.cases {
        let mut lost = |what: &str| losses.push(format!("{}: {what}", case.id));
        if !case.messages.is_empty() {
            lost("conversations of several messages are left out");
            continue;
        }
        if case.tool_calls.is_some() {
            lost("`tool_calls` are not exported");
        }
        if !case.exec.is_empty() {
            lost("`exec` is not exported");
        }
        let mut asserts = Vec::new();
        for one in case.all_assertions() {
            match assertion(&one) {
                Some(one) => asserts.push(one),
                None => lost(&format!("`{}` is not a type of promptfoo", one.kind)),
            }
        }
        if matches!(case.refusal, Some(RefusalRule::Expect | RefusalRule::Forbid)) {
            lost("promptfoo's `is-refusal` knows English only");
        }
        let mut vars = case.vars.clone();
        vars.insert(String::from("q"), Value::from(case.question()));
        tests.push(json!({
            "description": case.id, "vars": vars, "assert": asserts, "metadata": {"id": case.id},
        }));
    }
    let config = json!({
        "description": suite.name, "prompts": ["file://prompt.json"], "providers": providers, "tests": tests,
    });
    Export { config, prompt: Value::Array(chat), losses }
}

fn assertion(one: &Assertion) -> Option<Value> {
    let (base, _) = one.base();
    if !PROMPTFOO_TYPES.contains(&base) {
        return None;
    }
    let mut written = Map::new();
    written.insert(String::from("type"), Value::from(one.kind.as_str()));
    if let Some(value) = &one.value {
        written.insert(String::from("value"), escaped(value));
    }
    for (name, number) in [("threshold", one.threshold), ("weight", one.weight)] {
        if let Some(number) = number {
            written.insert(String::from(name), json!(number));
        }
    }
    if let Some(metric) = &one.metric {
        written.insert(String::from("metric"), Value::from(metric.as_str()));
    }
    if !one.set.is_empty() {
        let set: Option<Vec<Value>> = one.set.iter().map(assertion).collect();
        written.insert(String::from("assert"), Value::Array(set?));
    }
    Some(Value::Object(written))
}

fn escaped(value: &Value) -> Value {
    match value {
        Value::String(text) if ["{{", "{%", "{#"].iter().any(|mark| text.contains(mark)) => {
            Value::String(raw(text))
        }
        Value::Array(items) => Value::Array(items.iter().map(escaped).collect()),
        other => other.clone(),
    }
}

/// A text that nunjucks leaves as it is: in a raw block, split where it would end one.
fn raw(text: &str) -> String {
    if !["{{", "{%", "{#", "}}", "%}", "#}"].iter().any(|mark| text.contains(mark)) {
        return text.to_owned();
    }
    let mut out = String::from("{% raw %}");
    let mut rest = text;
    while let Some(at) = rest.find("{%") {
        let (before, after) = rest.split_at(at);
        out.push_str(before);
        let word = after.get(2..).unwrap_or_default().trim_start_matches('-').trim_start();
        if word.starts_with("endraw") {
            // The mark itself comes from an expression between two raw blocks.
            out.push_str("{% endraw %}{{ '{%' }}{% raw %}");
        } else {
            out.push_str("{%");
        }
        rest = after.get(2..).unwrap_or_default();
    }
    out.push_str(rest);
    out.push_str("{% endraw %}");
    out
}

/// A suite in our YAML from a configuration of promptfoo, and what could not be taken over.
///
/// # Errors
/// [`ErrorKind::File`] when it is no configuration.
pub fn import(text: &str) -> Result<(String, Vec<String>), Error> {
    let broken = |error: String| Error::new(ErrorKind::File, error);
    let config: Value = serde_saphyr::from_str(text).map_err(|error| broken(error.to_string()))?;
    let tests = config.get("tests").and_then(Value::as_array).ok_or_else(|| {
        broken(String::from("it has no list of `tests`; tests in files of their own are not read"))
    })?;
    let mut losses = Vec::new();
    let name = config.get("description").and_then(Value::as_str).unwrap_or("imported");
    let quoted = |value: &Value| value.to_string();
    let mut yaml = format!("suite: {}\ncompat: promptfoo\n", quoted(&Value::from(name)));
    match config.get("prompts").and_then(Value::as_array).map(Vec::as_slice) {
        Some([Value::String(one)]) if !one.contains("://") => {
            let _ = writeln!(yaml, "prompt:\n  text: {}", quoted(&Value::from(one.as_str())));
            losses.push(String::from("the prompt is the system prompt here, and each test's question follows it: look at it"));
        }
        _ => losses.push(String::from("`prompts` are not one text: write `prompt:` yourself")),
    }
    for key in [
        "providers",
        "defaultTest",
        "scenarios",
        "transform",
        "env",
        "outputPath",
        "evaluateOptions",
    ] {
        if config.get(key).is_some() {
            losses.push(format!("`{key}` is not taken over"));
        }
    }
    yaml.push_str("cases:\n");
    for (index, test) in tests.iter().enumerate() {
        let id = test
            .get("description")
            .and_then(Value::as_str)
            .map_or_else(|| format!("test-{}", index + 1), str::to_owned);
        let vars = test.get("vars").and_then(Value::as_object).cloned().unwrap_or_default();
        let known = ["q", "query", "question", "input", "message", "prompt", "text"];
        let name = known.iter().copied().find(|name| vars.get(*name).is_some_and(Value::is_string));
        let only = vars.iter().find(|(_, value)| value.is_string()).map(|(name, _)| name.as_str());
        let query = name.or(only).and_then(|name| vars.get(name));
        let Some(query) = query else {
            losses.push(format!("{id}: it has no question among its variables"));
            continue;
        };
        let _ = writeln!(
            yaml,
            "  - id: {}\n    query: {}",
            quoted(&Value::from(id.as_str())),
            quoted(query)
        );
        let rest: Map<String, Value> = vars
            .iter()
            .filter(|(_, value)| *value != query)
            .map(|(k, v)| (k.clone(), v.clone()))
            .collect();
        if !rest.is_empty() {
            let _ = writeln!(yaml, "    vars: {}", Value::Object(rest));
        }
        let (mut kept, given) =
            (Vec::new(), test.get("assert").and_then(Value::as_array).cloned().unwrap_or_default());
        for one in given {
            match serde_json::from_value::<Assertion>(one.clone()) {
                Ok(read) if PROMPTFOO_TYPES.contains(&read.base().0) => kept.push(one),
                Ok(read) => losses.push(format!(
                    "{id}: the type `{}` needs a model, a program or a network",
                    read.kind
                )),
                Err(error) => losses.push(format!("{id}: {error}")),
            }
        }
        if !kept.is_empty() {
            let _ = writeln!(yaml, "    assert: {}", Value::Array(kept));
        }
    }
    Ok((yaml, losses))
}

/// promptfoo's verdicts by case, from the file that its `-o` writes, beside ours: one line for each assertion on
/// which they differ. The number of compared assertions comes first.
///
/// # Errors
/// [`ErrorKind::Promptfoo`] when the file has no results.
pub fn cross_check(results: &Value, run: &Run) -> Result<(usize, Vec<String>), Error> {
    let rows = results.pointer("/results/results").and_then(Value::as_array);
    let rows =
        rows.ok_or_else(|| Error::new(ErrorKind::Promptfoo, "the file has no `results.results`"))?;
    let ours: BTreeMap<&str, &crate::run::Row> =
        run.rows.iter().map(|row| (row.case.as_str(), row)).collect();
    let (mut compared, mut differing) = (0, Vec::new());
    for row in rows {
        let id =
            row.pointer("/testCase/metadata/id").or_else(|| row.pointer("/testCase/description"));
        let Some(id) = id.and_then(Value::as_str) else { continue };
        let Some(ours) = ours.get(id) else {
            differing.push(format!("{id}: only promptfoo has it"));
            continue;
        };
        let theirs = row.pointer("/response/output").map(|output| match output {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        });
        if theirs.as_deref().is_some_and(|text| text != ours.answer) {
            differing
                .push(format!("{id}: the answers differ, so their verdicts cannot be compared"));
            continue;
        }
        let graded = row.pointer("/gradingResult/componentResults").and_then(Value::as_array);
        for theirs in graded.into_iter().flatten() {
            let kind =
                theirs.pointer("/assertion/type").and_then(Value::as_str).unwrap_or_default();
            let value = theirs.pointer("/assertion/value");
            let expected = |check: &&crate::run::Checked| {
                let text = value
                    .map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned));
                check.kind == kind
                    && text
                        .is_none_or(|text| text == check.expected || text == raw(&check.expected))
            };
            let Some(check) = ours.checks.iter().find(expected) else {
                differing.push(format!("{id}: {kind}: only promptfoo has it"));
                continue;
            };
            compared += 1;
            let pass = theirs.get("pass").and_then(Value::as_bool).unwrap_or(false);
            if pass != check.pass {
                differing.push(format!(
                    "{id}: {kind} {}: promptfoo says {pass}, we say {}",
                    check.expected, check.pass
                ));
            }
        }
    }
    Ok((compared, differing))
}
