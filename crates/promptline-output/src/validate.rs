//! The verdict of the validator on a value that has been coerced, in words. Never changes a value.

use jsonschema::ValidationError;
use serde_json::Value;

use crate::coerce::{found, issue};
use crate::parsed::{Issue, IssueKind};
use crate::spec::Spec;

/// Violations that are reported.
const MOST: usize = 20;

/// Why a value does not fit, or nothing; and the work to find out.
pub(crate) fn validate(spec: &Spec, value: &Value) -> (Vec<Issue>, u64) {
    let Some(validator) = &spec.validator else { return (Vec::new(), 0) };
    let (values, depth) = extent(value);
    if validator.is_valid(value) {
        return (Vec::new(), values);
    }
    // To report what is wrong in a union, its branches are tried once more at each level.
    if values.saturating_mul(depth)
        > values.saturating_add(1 << 16).saturating_mul(spec.limits.work)
    {
        let what = "the schema forbids something in it; it is too large and too deep to say what";
        let issue = issue(IssueKind::Schema, String::new(), String::new(), found(value), what);
        return (vec![issue], 2 * values);
    }
    let issues =
        validator.iter_errors(value).take(MOST).map(|error| reported(spec, &error)).collect();
    (issues, values.saturating_mul(depth))
}

fn reported(spec: &Spec, error: &ValidationError<'_>) -> Issue {
    // The rule as the schema has it, if it is short: `maximum: 100`.
    let rule = spec.schema.pointer(error.schema_path().as_str());
    let rule = match rule {
        Some(rule) if !rule.is_object() && !rule.is_array() => {
            format!("{}: {rule}", error.kind().keyword())
        }
        _ => error.kind().keyword().to_owned(),
    };
    let path = error.instance_path().to_string();
    let what = format!("the schema forbids it: {}", error.masked_with("it"));
    issue(IssueKind::Schema, path, rule, found(error.instance()), &what)
}

/// How many values there are in a value, itself included, and how deep they lie.
fn extent(value: &Value) -> (u64, u64) {
    let (mut values, mut depth) = (0, 0);
    let mut rest = vec![(value, 1)];
    while let Some((value, level)) = rest.pop() {
        values += 1;
        depth = depth.max(level);
        match value {
            Value::Array(list) => rest.extend(list.iter().map(|value| (value, level + 1))),
            Value::Object(map) => rest.extend(map.values().map(|value| (value, level + 1))),
            _ => {}
        }
    }
    (values, depth)
}
