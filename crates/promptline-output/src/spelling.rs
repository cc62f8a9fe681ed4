//! Numbers as they are written: `1.10` where a text is wanted, and integers of more digits than a number holds.
//! The value of an answer has only what they come to, so the answer is read once more where that matters.

use serde_json::Value;

use crate::candidates::Candidate;
use crate::coerce::{Fitter, Notes};
use crate::parsed::Coercion;
use crate::repair::Risk;
use crate::spec::Spec;
use crate::tolerant::{Engine, Look};

/// Integers of fewer digits are exact.
const EXACT: usize = 19;

/// The candidate with each number that its value does not hold exactly as the text that was written; none, if
/// there is no such number.
pub(crate) fn exact_digits(candidate: &Candidate, raw: &str) -> Option<Value> {
    if candidate.is_text {
        return None;
    }
    let text = raw.get(candidate.span.start..candidate.span.end)?;
    let mut run = 0;
    let is_long = text.bytes().any(|byte| {
        run = if byte.is_ascii_digit() { run + 1 } else { 0 };
        run > EXACT
    });
    if !is_long {
        return None;
    }
    let spelled = spelled(candidate, raw, true)?;
    (spelled != candidate.value).then_some(spelled)
}

/// Gives texts that were made of numbers as the numbers were written.
pub(crate) fn restore(
    spec: &Spec,
    candidate: &Candidate,
    raw: &str,
    fitted: &mut Value,
    notes: &mut Notes,
) {
    let from_float = |at: &usize| {
        notes.coerced.get(*at).is_some_and(|one| one.how == Coercion::Text && one.before.is_f64())
    };
    let places: Vec<usize> = (0..notes.coerced.len()).filter(from_float).collect();
    if places.is_empty() || candidate.is_text {
        return;
    }
    let Some(spelled) = spelled(candidate, raw, false) else { return };
    let fitter = Fitter::new(&spec.shapes, spec.on_unknown, false);
    let (_, exact, ..) = fitter.root(&spelled, None);
    for at in places {
        let Some(note) = notes.coerced.get_mut(at) else { continue };
        let (Some(place), Some(Value::String(text))) =
            (fitted.pointer_mut(&note.path), exact.pointer(&note.path))
        else {
            continue;
        };
        *place = Value::from(text.as_str());
        note.after = Value::from(text.as_str());
        note.risk = Risk::Lossless;
    }
}

/// The value with numbers as texts where they are written otherwise than JSON prints them.
fn spelled(candidate: &Candidate, raw: &str, only_long: bool) -> Option<Value> {
    let part = raw.get(..candidate.span.end)?;
    let look = Look::new(part, false);
    let mut engine = Engine::new(candidate.span.start, false, 128, 0).spelling(only_long);
    engine.run(&look);
    engine.into_value().0
}
