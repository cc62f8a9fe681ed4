//! Several values of one answer that are one list: where any JSON is right and nothing is between them,
//! and where a list is wanted and each could be an element.

use serde_json::Value;

use crate::candidates::{Candidate, Reading};
use crate::coerce::brief;
use crate::fit::{Fitted, fit};
use crate::parsed::{Coerced, Coercion, Parsed};
use crate::repair::{Log, RepairKind, Risk, Span};
use crate::shape::LIST;
use crate::spec::OutputSpec;

/// Several values in a row, with nothing between them, are one list when any JSON is right.
pub(crate) fn several(spec: &OutputSpec, reading: &mut Reading, text: &str) {
    if !spec.shapes.is_any() || !reading.only_values || reading.candidates.len() < 2 {
        return;
    }
    // What is in a comment beside them is none of them.
    let all = std::mem::take(&mut reading.candidates);
    let (commented, mut parts): (Vec<_>, Vec<_>) = all.into_iter().partition(|one| one.commented);
    reading.candidates = commented;
    if parts.len() < 2 {
        reading.candidates.append(&mut parts);
        return;
    }
    let mut list = list_of(parts, spec.limits.repairs);
    let (kind, span) = (RepairKind::SeveralValues, list.span);
    list.log.note(text, kind, span, "a list", Risk::Guess);
    reading.candidates.push(list);
}

/// Several values in the answer, where a list is wanted: each may be an element.
pub(crate) fn gather(
    spec: &OutputSpec,
    reading: &mut Reading,
    fitted: &mut Vec<Fitted>,
    parsed: &mut Parsed,
) {
    if spec.shapes.get(0).types != LIST || reading.candidates.len() < 2 {
        return;
    }
    // A list that is there as a list is the list.
    let is_list = |(candidate, one): (&Candidate, &Fitted)| candidate.value.is_array() && one.fits;
    if reading.candidates.iter().zip(fitted.iter()).any(is_list) {
        return;
    }
    let members: Vec<Candidate> = fitted
        .iter()
        .zip(&reading.candidates)
        .filter(|(one, candidate)| one.fits && candidate.structured)
        .map(|(_, candidate)| candidate.clone())
        .collect();
    if members.len() < 2 {
        return;
    }
    let candidate = Candidate { marked: true, ..list_of(members, spec.limits.repairs) };
    let mut one = fit(spec, &candidate, parsed);
    let after = one.value.clone().unwrap_or_else(|| candidate.value.clone());
    one.notes.coerced.push(Coerced {
        path: String::new(),
        how: Coercion::Gathered,
        risk: Risk::Guess,
        before: Value::Null,
        after: brief(&after),
    });
    reading.candidates.push(candidate);
    fitted.push(one);
}

fn list_of(parts: Vec<Candidate>, most: usize) -> Candidate {
    let start = parts.first().map_or(0, |one| one.span.start);
    let end = parts.last().map_or(0, |one| one.span.end);
    let mut log = Log::new(most);
    let mut truncated = None;
    let mut values = Vec::with_capacity(parts.len());
    for (at, one) in parts.into_iter().enumerate() {
        log.absorb(at, one.log);
        if let Some(mut cut) = one.truncated {
            cut.path.insert_str(0, &format!("/{at}"));
            truncated = Some(cut);
        }
        values.push(one.value);
    }
    Candidate {
        value: Value::Array(values),
        log,
        truncated,
        span: Span::new(start, end),
        structured: true,
        ..Candidate::default()
    }
}
