//! Why a value does not fit, in words that a model can act on. Bounded: a schema of a thousand allowed values
//! makes no page of each mistake.

use serde_json::Value;

use crate::parsed::{Issue, IssueKind};
use crate::repair::short;
use crate::shape::{BOOL, INT, LIST, NULL, NUM, OBJ, STR, ShapeId, Shapes};

/// Allowed values that are named.
const CHOICES: usize = 40;

/// An issue with its sentence.
pub(crate) fn issue(
    kind: IssueKind,
    path: String,
    expected: String,
    found: String,
    what: &str,
) -> Issue {
    let place = if path.is_empty() { "the answer".to_owned() } else { format!("`{path}`") };
    let message = if found.is_empty() {
        format!("{place}: {what}")
    } else {
        format!("{place}: {what}; found {found}")
    };
    Issue { kind, path, expected, found, message }
}

/// A value in a sentence.
pub(crate) fn found(value: &Value) -> String {
    match value {
        Value::Object(_) => "an object".to_owned(),
        Value::Array(list) => format!("a list of {}", list.len()),
        other => short(&other.to_string()),
    }
}

/// What a shape wants, in a few words.
pub(crate) fn expected(shapes: &Shapes, id: ShapeId) -> String {
    let mut parts = Vec::new();
    // Branches of branches; each shape once.
    let mut ids = vec![id];
    let mut at = 0;
    while let Some(&id) = ids.get(at) {
        at += 1;
        let shape = shapes.get(id);
        if let Some(choices) = &shape.choices {
            parts.extend(choices.iter().map(|choice| choice.value.to_string()));
        } else if shape.any_of.is_empty() {
            parts.extend(types(shape.types));
        }
        for branch in &shape.any_of {
            if parts.len() <= CHOICES && !ids.contains(branch) {
                ids.push(*branch);
            }
        }
    }
    let mut said: Vec<String> = Vec::new();
    for part in parts {
        if said.len() >= CHOICES {
            said.push("…".to_owned());
            break;
        }
        if !said.contains(&part) {
            said.push(part);
        }
    }
    said.join(" | ")
}

fn types(types: u8) -> Vec<String> {
    let names = [
        (STR, "string"),
        (INT, "integer"),
        (NUM, "number"),
        (BOOL, "boolean"),
        (LIST, "list"),
        (OBJ, "object"),
        (NULL, "null"),
    ];
    let said: Vec<String> = names
        .iter()
        .filter(|(bit, _)| types & bit != 0)
        .map(|(_, name)| (*name).to_owned())
        .collect();
    if said.is_empty() { vec!["any value".to_owned()] } else { said }
}
