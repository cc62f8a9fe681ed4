//! What a candidate costs against the spec, and what the validator says.

use serde_json::Value;

use crate::candidates::{Candidate, Reading};
use crate::coerce::{Cost, Fitter, Notes, found, issue};
use crate::exact::is_exact;
use crate::gather::gather;
use crate::parsed::{Issue, IssueKind, Parsed};
use crate::repair::{Inside, RepairKind, Risk, Span};
use crate::shape::{LIST, OBJ, STR, Shapes};
use crate::spec::OutputSpec;
use crate::validate::validate;

/// A candidate against the spec.
pub(crate) struct Fitted {
    pub(crate) cost: Cost,
    /// What it was turned into; `None`: it is as it should be.
    pub(crate) value: Option<Value>,
    pub(crate) notes: Notes,
    pub(crate) fits: bool,
}

/// Fits every candidate, and adds those that several of them make, or the answer itself.
pub(crate) fn fit_all(
    spec: &OutputSpec,
    reading: &mut Reading,
    text: &str,
    parsed: &mut Parsed,
) -> Vec<Fitted> {
    let mut fitted = Vec::with_capacity(reading.candidates.len() + 2);
    for candidate in &reading.candidates {
        fitted.push(fit(spec, candidate, parsed));
    }
    let one_fits = fitted.iter().any(|one| one.fits);
    gather(spec, reading, &mut fitted, parsed);
    if spec.shapes.is_any() || one_fits && !wants_text(&spec.shapes) {
        return fitted;
    }
    if reading.candidates.is_empty() || wants_text(&spec.shapes) || !takes_containers(&spec.shapes)
    {
        // The answer itself may be what is wanted: a word of an enum, a sentence.
        let answer = text.get(reading.from..).unwrap_or_default();
        let trimmed = answer.trim();
        let start = reading.from + (answer.len() - answer.trim_start().len());
        let span = Span::new(start, start + trimmed.len());
        let mut candidate = Candidate::text(trimmed, span);
        if !wants_text(&spec.shapes) {
            candidate.log.note(text, RepairKind::UnquotedString, span, trimmed, Risk::Guess);
        }
        let one = fit(spec, &candidate, parsed);
        if one.fits || reading.candidates.is_empty() && !trimmed.is_empty() && one.cost.misfits == 0
        {
            reading.candidates.push(candidate);
            fitted.push(one);
        } else if reading.candidates.is_empty() {
            parsed.issues.extend(
                one.notes
                    .issues
                    .into_iter()
                    .filter(|issue| matches!(issue.kind, IssueKind::Ambiguous | IssueKind::Enum)),
            );
        }
    }
    fitted
}

/// Text by itself is right.
fn wants_text(shapes: &Shapes) -> bool {
    let shape = shapes.get(0);
    shape.types == STR && shape.choices.is_none()
}

/// An object or a list is right.
fn takes_containers(shapes: &Shapes) -> bool {
    let mut ids = vec![0];
    let mut at = 0;
    // Branches of branches; each shape is looked at once.
    while let Some(&id) = ids.get(at) {
        let shape = shapes.get(id);
        if shape.types & (LIST | OBJ) != 0 {
            return true;
        }
        for branch in &shape.any_of {
            if !ids.contains(branch) {
                ids.push(*branch);
            }
        }
        at += 1;
    }
    false
}

/// Fits one candidate.
pub(crate) fn fit(spec: &OutputSpec, candidate: &Candidate, parsed: &mut Parsed) -> Fitted {
    let unsafe_path = candidate
        .truncated
        .as_ref()
        .filter(|cut| matches!(cut.inside, Inside::Number | Inside::Literal))
        .map(|cut| cut.path.as_str());
    let as_it_is = unsafe_path.is_none() && is_exact(&spec.shapes, &candidate.value);
    let (cost, value, mut notes) = if as_it_is {
        parsed.work += 1;
        (Cost::default(), None, Notes::default())
    } else {
        let fitter = Fitter::new(&spec.shapes, spec.on_unknown, candidate.is_text);
        let (cost, value, notes, work) = fitter.root(&candidate.value, unsafe_path);
        parsed.work += work;
        (cost, Some(value), notes)
    };
    let mut fits = cost.misfits == 0;
    if fits {
        let (issues, work) = validate(spec, value.as_ref().unwrap_or(&candidate.value));
        parsed.work += work;
        fits = issues.is_empty();
        notes.issues.extend(issues);
    }
    if let Some(issue) = too_risky(spec, candidate, &notes) {
        fits = false;
        notes.issues.push(issue);
    }
    Fitted { cost, value, notes, fits }
}

/// What is riskier than allowed, if anything is.
fn too_risky(spec: &OutputSpec, candidate: &Candidate, notes: &Notes) -> Option<Issue> {
    let log = &candidate.log;
    // Repairs that are not listed count as well.
    let repaired = match (log.losses, log.guesses) {
        (0, 0) => Risk::Lossless,
        (0, _) => Risk::Guess,
        _ => Risk::Lossy,
    };
    if repaired.max(notes.risk()) <= spec.max_risk {
        return None;
    }
    let repair = log.repairs.iter().find(|repair| repair.risk > spec.max_risk);
    let coercion = notes.riskiest().filter(|one| one.risk > spec.max_risk);
    let (path, found) = match (repair, coercion) {
        (Some(repair), _) => (repair.path.clone(), repair.before.clone()),
        (None, Some(one)) => (one.path.clone(), found(&one.before)),
        (None, None) => (String::new(), String::new()),
    };
    let what = "reading it takes a repair or a coercion that is riskier than allowed";
    Some(issue(IssueKind::Risk, path, String::new(), found, what))
}
