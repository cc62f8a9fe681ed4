//! One value out of one answer or two: field by field, what was valid first is kept. Never a value that is
//! less than whole.

use serde_json::{Map, Value};

use crate::answer::{Attempt, Disagreement};
use crate::parsed::{Coerced, Coercion, IssueKind, Parsed};
use crate::repair::step;
use crate::spec::Spec;

/// The value that the answers come to, and where they disagree.
pub(super) fn merged(spec: &Spec, attempts: &[Attempt]) -> (Option<Value>, Vec<Disagreement>) {
    let usable = |one: &Attempt| one.parsed.value.clone().filter(|_| one.usable());
    match attempts {
        [only] => (usable(only), Vec::new()),
        [.., first, second] => {
            let new = usable(second);
            // Of two that are cut off it is unknown what is missing at the end.
            let whole = !(first.is_cut() && second.is_cut()) || second.usable();
            // Of one that the host has refused nothing is kept.
            let is_refused =
                first.parsed.issues.iter().any(|issue| issue.kind == IssueKind::Rejected);
            let both = both(&first.parsed, &second.parsed).filter(|_| whole && !is_refused);
            match both {
                Some((value, disagreements)) if fits(spec, &value) => (Some(value), disagreements),
                Some((_, disagreements)) => {
                    let taken = |one| Disagreement { kept_first: false, ..one };
                    (new, disagreements.into_iter().map(taken).collect())
                }
                None => (new, Vec::new()),
            }
        }
        _ => (None, Vec::new()),
    }
}

fn fits(spec: &Spec, value: &Value) -> bool {
    spec.validator.as_ref().is_none_or(|validator| validator.is_valid(value))
}

/// The fields of two objects; where both have one, that of the first.
fn both(first: &Parsed, second: &Parsed) -> Option<(Value, Vec<Disagreement>)> {
    let (Some(Value::Object(old)), Some(Value::Object(new))) = (&first.value, &second.value) else {
        return None;
    };
    let mut merged = Map::new();
    let mut disagreements = Vec::new();
    for key in new.keys().chain(old.keys().filter(|key| !new.contains_key(*key))) {
        let mut path = String::new();
        step(&mut path, key);
        let before = old.get(key).map(|value| (said(first, &path), value));
        let now = new.get(key).map(|value| (said(second, &path), value));
        if let (Some((Said::Valid, first)), Some((Said::Valid, second))) = (before, now)
            && first != second
        {
            let (first, second) = (first.clone(), second.clone());
            disagreements.push(Disagreement { path, first, second, kept_first: true });
        }
        // Of two that say the same the first.
        let best = [now, before].into_iter().flatten().max_by_key(|(said, _)| *said);
        if let Some((Said::Valid | Said::Default, value)) = best {
            merged.insert(key.clone(), value.clone());
        }
    }
    Some((Value::Object(merged), disagreements))
}

/// How much the value of a field says. Ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Said {
    /// Something is wrong with it, or the answer was cut off in it.
    Wrong,
    /// The model has not written it.
    Default,
    Valid,
}

fn said(parsed: &Parsed, path: &str) -> Said {
    let in_field = |other: &str| {
        other == path || other.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'))
    };
    let cut = parsed.truncated.as_ref().is_some_and(|cut| in_field(&cut.path));
    if cut || parsed.issues.iter().any(|issue| in_field(&issue.path)) {
        return Said::Wrong;
    }
    let filled = |one: &Coerced| one.how == Coercion::Default && one.path == path;
    if parsed.coerced.iter().any(filled) { Said::Default } else { Said::Valid }
}
