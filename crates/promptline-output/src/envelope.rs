//! Values that are wrapped: in one key (`result`, `data`, the schema's title), in a tool call (`arguments`,
//! `input`), in a string. What is inside counts where it fits better than the whole does.

use serde_json::Value;

use crate::candidates::Candidate;
use crate::coerce::issue;
use crate::fit::{Answering, Fitted, fit};
use crate::parsed::{Issue, IssueKind, Parsed, Unknown};
use crate::read::{LEVELS, read_at};
use crate::repair::{RepairKind, Risk, step};
use crate::spec::Spec;

/// Wrappers in wrappers that are opened.
const DEPTH: usize = 5;
/// Objects with more keys are no wrappers.
const KEYS: usize = 12;
/// Values that are tried in all.
const TRIED: usize = 24;

/// Keys that say of what they hold that it is no answer.
const NO_ANSWER: [&str; 6] = ["error", "errors", "exception", "example", "examples", "schema"];

/// Keys of tool calls and of answers: they come before any other key.
const USUAL: [&str; 16] = [
    "answer",
    "result",
    "results",
    "output",
    "response",
    "data",
    "arguments",
    "input",
    "parameters",
    "parameter",
    "args",
    "content",
    "items",
    "value",
    "json",
    "final_answer",
];

/// A value inside of the candidate, with what was around it.
struct Inner<'v> {
    value: &'v Value,
    path: String,
    depth: usize,
    /// The last key is one of the usual ones.
    is_usual: bool,
    /// What is beside it and around it.
    beside: Vec<Unknown>,
}

/// The value in the wrappers of a candidate that fits, with how it fits.
pub(crate) fn unwrapped(
    answering: Answering<'_>,
    candidate: &Candidate,
    parsed: &mut Parsed,
) -> Option<(Candidate, Fitted)> {
    let root = Inner {
        value: &candidate.value,
        path: String::new(),
        depth: 0,
        is_usual: false,
        beside: Vec::new(),
    };
    let mut level = vec![root];
    let mut tried = 0;
    for _ in 0..=DEPTH {
        let mut found: Vec<(bool, Candidate, Fitted)> = Vec::new();
        let mut below = Vec::new();
        for inner in level {
            tried += 1;
            if tried > TRIED {
                return None;
            }
            let opened = match inner.value {
                Value::String(text) => in_string(answering, candidate, text, &inner.path, parsed),
                Value::Object(_) | Value::Array(_) if inner.depth > 0 => {
                    let opened = opened(candidate, &inner);
                    let fitted = fit(answering.spec, &opened, parsed);
                    Some((opened, fitted))
                }
                _ => None,
            };
            match opened {
                Some((opened, mut fitted))
                    if fitted.fits && (fitted.known || opened.value.is_array()) =>
                {
                    fitted.notes.unknown.extend(inner.beside.iter().cloned());
                    found.push((inner.is_usual, opened, fitted));
                }
                _ => below.extend(inside(&inner)),
            }
        }
        let usual = found.iter().filter(|one| one.0).count();
        match (usual, found.len()) {
            (_, 0) => level = below,
            (1, _) => return found.into_iter().find(|one| one.0).map(|(_, one, fit)| (one, fit)),
            (_, 1) => return found.pop().map(|(_, one, fit)| (one, fit)),
            // It could be each of them.
            _ => return None,
        }
        if level.is_empty() {
            return None;
        }
    }
    None
}

/// The containers and texts in a wrapper.
fn inside<'v>(outer: &Inner<'v>) -> Vec<Inner<'v>> {
    let holds = |value: &Value| match value {
        Value::String(text) => text.contains(['{', '[']),
        Value::Object(map) => !map.is_empty(),
        Value::Array(_) => true,
        _ => false,
    };
    let below = |key: &str, value: &'v Value| {
        let mut path = outer.path.clone();
        step(&mut path, key);
        Inner {
            value,
            path,
            depth: outer.depth + 1,
            is_usual: USUAL.contains(&key.to_ascii_lowercase().as_str()),
            beside: outer.beside.clone(),
        }
    };
    match outer.value {
        Value::Object(map) if map.len() <= KEYS => map
            .iter()
            .filter(|(key, value)| {
                holds(value) && !NO_ANSWER.contains(&key.to_ascii_lowercase().as_str())
            })
            .map(|(key, value)| {
                let mut inner = below(key, value);
                for (other, value) in map.iter().filter(|(other, _)| *other != key) {
                    let mut path = outer.path.clone();
                    step(&mut path, other);
                    inner.beside.push(Unknown { path, value: value.clone(), kept: false });
                }
                inner
            })
            .collect(),
        Value::Array(list) => match list.as_slice() {
            [only] if holds(only) => vec![below("0", only)],
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// The candidate without its wrapper: repairs have paths in the value that is left.
fn opened(candidate: &Candidate, inner: &Inner<'_>) -> Candidate {
    let mut opened = candidate.clone();
    opened.value = inner.value.clone();
    let strip = |path: &mut String| {
        if let Some(rest) = path.strip_prefix(&inner.path) {
            *path = rest.to_owned();
        }
    };
    opened.log.repairs.iter_mut().for_each(|repair| strip(&mut repair.path));
    opened.log.duplicates.iter_mut().for_each(|one| strip(&mut one.path));
    if let Some(cut) = &mut opened.truncated {
        strip(&mut cut.path);
    }
    note(&mut opened, &inner.path);
    opened
}

fn note(opened: &mut Candidate, path: &str) {
    opened.log.note_as(RepairKind::Envelope, opened.span, path, "", Risk::Guess);
}

/// Says of a value that does not fit, and whose only key holds the fields, that it is wrapped.
pub(crate) fn hint(spec: &Spec, candidate: &Candidate, parsed: &mut Parsed) -> Option<Issue> {
    let map = candidate.value.as_object().filter(|map| map.len() == 1)?;
    let (key, value) = map.iter().next().filter(|(_, value)| value.is_object())?;
    let inner = Candidate { value: value.clone(), ..Candidate::default() };
    let is_known = fit(spec, &inner, parsed).known;
    let mut path = String::new();
    step(&mut path, key);
    let what = format!("the fields are wrapped in `{key}`; write them at the root");
    is_known.then(|| issue(IssueKind::Wrapped, path, String::new(), String::new(), &what))
}

/// The answer in a string: JSON, or a text with a code fence.
fn in_string(
    answering: Answering<'_>,
    candidate: &Candidate,
    text: &str,
    path: &str,
    parsed: &mut Parsed,
) -> Option<(Candidate, Fitted)> {
    if answering.level >= LEVELS || candidate.is_text || !text.contains(['{', '[']) {
        return None;
    }
    let inner = read_at(answering.spec, text, answering.level + 1);
    parsed.work += inner.work + text.len() as u64;
    if !inner.fits {
        return None;
    }
    let mut opened = candidate.clone();
    opened.value = inner.value?;
    for mut repair in inner.repairs {
        repair.span = opened.span;
        match repair.risk {
            Risk::Lossless => {}
            Risk::Guess => opened.log.guesses += 1,
            Risk::Lossy => opened.log.losses += 1,
        }
        opened.log.repairs.push(repair);
    }
    opened.log.duplicates = inner.duplicates;
    opened.truncated = opened.truncated.or(inner.truncated);
    note(&mut opened, if path.is_empty() { "a string" } else { path });
    let fitted = Fitted::whole(inner.unknown, inner.renamed, inner.coerced);
    Some((opened, fitted))
}
