//! Items of lists that do not fit are dropped, where the spec says so: the rest of the list is kept, and what was
//! dropped is reported.

use serde_json::Value;

use crate::candidates::Candidate;
use crate::coerce::brief;
use crate::fit::{Fitted, fit};
use crate::parsed::{Coerced, Coercion, Parsed};
use crate::repair::Risk;
use crate::spec::Spec;

/// Rounds: an item that is fixed in one place may be wrong in another.
const ROUNDS: usize = 4;

/// The candidate without the items that its issues are about, and how that fits; none, if it does not.
pub(crate) fn salvaged(
    spec: &Spec,
    candidate: &Candidate,
    fitted: &Fitted,
    parsed: &mut Parsed,
) -> Option<(Candidate, Fitted)> {
    let mut candidate = candidate.clone();
    let mut paths: Vec<String> =
        fitted.notes.issues.iter().map(|issue| issue.path.clone()).collect();
    let mut dropped: Vec<Coerced> = Vec::new();
    for _ in 0..ROUNDS {
        let mut items: Vec<(String, usize)> = Vec::new();
        for path in &paths {
            let item = item(&candidate.value, path)?;
            if !items.contains(&item) {
                items.push(item);
            }
        }
        // From the end, so that places before stay what they are.
        items.sort_by(|left, right| (&left.0, left.1).cmp(&(&right.0, right.1)).reverse());
        for (list, at) in items {
            let Value::Array(all) = candidate.value.pointer_mut(&list)? else { return None };
            if at >= all.len() {
                return None;
            }
            let item = all.remove(at);
            dropped.push(Coerced {
                path: format!("{list}/{at}"),
                how: Coercion::ItemDropped,
                risk: Risk::Lossy,
                before: brief(&item),
                after: Value::Null,
            });
        }
        let mut one = fit(spec, &candidate, parsed);
        if one.fits {
            dropped.reverse();
            one.notes.coerced.extend(dropped);
            one.value = Some(one.value.unwrap_or_else(|| candidate.value.clone()));
            return Some((candidate, one));
        }
        paths = one.notes.issues.iter().map(|issue| issue.path.clone()).collect();
        if paths.is_empty() {
            return None;
        }
    }
    None
}

/// The innermost item of a list on a path: the path of the list, and its place in it.
fn item(value: &Value, path: &str) -> Option<(String, usize)> {
    let mut ends: Vec<usize> = path.match_indices('/').map(|(at, _)| at).collect();
    ends.push(path.len());
    for pair in ends.windows(2).rev() {
        let [start, end] = pair else { continue };
        let at = path.get(start + 1..*end)?.parse::<usize>().ok();
        let list = path.get(..*start)?;
        if let (Some(at), Some(Value::Array(_))) = (at, value.pointer(list)) {
            return Some((list.to_owned(), at));
        }
    }
    None
}
