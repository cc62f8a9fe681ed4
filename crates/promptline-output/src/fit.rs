//! What a candidate costs against the spec, and what the validator says.

use serde_json::Value;

use crate::candidates::{Candidate, Reading};
use crate::coerce::{Cost, Fitter, Notes, found, issue};
use crate::emphasis::emphasis;
use crate::envelope::{hint, unwrapped};
use crate::exact::is_exact;
use crate::gather::gather;
use crate::known::{by_known_keys, names};
use crate::parsed::{Coerced, Coercion, Issue, IssueKind, Parsed, Renamed, Unknown};
use crate::readers::other_format;
use crate::repair::{Inside, RepairKind, Risk, Span};
use crate::salvage::salvaged;
use crate::shape::{LIST, OBJ, STR, Shapes};
use crate::spec::{OnBadItem, Spec};
use crate::spelling::{exact_digits, restore};
use crate::validate::validate;

/// A candidate against the spec.
pub(crate) struct Fitted {
    pub(crate) cost: Cost,
    /// What it was turned into; `None`: it is as it should be.
    pub(crate) value: Option<Value>,
    pub(crate) notes: Notes,
    pub(crate) fits: bool,
    /// It has something that the schema names: an object with no known key, or an empty one, says nothing.
    pub(crate) known: bool,
}

/// What is answered: the spec, the text, and how many strings deep it is.
#[derive(Clone, Copy)]
pub(crate) struct Answering<'a> {
    pub(crate) spec: &'a Spec,
    pub(crate) text: &'a str,
    pub(crate) level: u8,
}

impl Fitted {
    /// A value that is known to fit.
    pub(crate) fn whole(
        unknown: Vec<Unknown>,
        renamed: Vec<Renamed>,
        coerced: Vec<Coerced>,
    ) -> Self {
        let notes = Notes { coerced, renamed, unknown, issues: Vec::new() };
        Self { cost: Cost::default(), value: None, notes, fits: true, known: true }
    }
}

/// Fits every candidate, and adds what they hold, what several of them make, and the answer itself.
pub(crate) fn fit_all(
    answering: Answering<'_>,
    reading: &mut Reading,
    parsed: &mut Parsed,
) -> Vec<Fitted> {
    let Answering { spec, text, .. } = answering;
    let mut fitted = Vec::with_capacity(reading.candidates.len() + 2);
    for candidate in &reading.candidates {
        let mut one = fit(spec, candidate, parsed);
        // Members without braces that are there twice are those of several records.
        one.fits &= !candidate.braceless || candidate.log.duplicates.is_empty();
        fitted.push(one);
    }
    if spec.shapes.is_any() {
        return fitted;
    }
    if takes_containers(&spec.shapes) {
        read_again(answering, reading, &mut fitted, parsed);
        salvage(spec, reading, &mut fitted, parsed);
        unwrap(answering, reading, &mut fitted, parsed);
    }
    weigh(reading, &fitted, text);
    gather(spec, text, reading, &mut fitted, parsed);
    let one_fits = fitted.iter().any(|one| one.fits && one.known);
    if !one_fits || wants_text(&spec.shapes) {
        whole_text(answering, reading, &mut fitted, parsed);
    }
    if takes_containers(&spec.shapes) {
        other_formats(answering, reading, &mut fitted, parsed);
    }
    if !fitted.iter().any(|one| one.fits && one.known) {
        let hint = reading.candidates.last().and_then(|last| hint(spec, last, parsed));
        if let (Some(issue), Some(last)) = (hint, fitted.last_mut()) {
            last.notes.issues.insert(0, issue);
        }
    }
    fitted
}

/// Notes what the words around each of several values that fit say of it.
fn weigh(reading: &mut Reading, fitted: &[Fitted], text: &str) {
    if fitted.iter().filter(|one| one.fits).count() < 2 {
        return;
    }
    let mut from = reading.from;
    for (candidate, one) in reading.candidates.iter_mut().zip(fitted) {
        if candidate.span.start < from {
            continue;
        }
        if one.fits {
            candidate.emphasis = emphasis(text, candidate, from);
        }
        from = candidate.span.end;
    }
}

/// Adds what the answer is in another format, where nothing fits, or only members that lose something.
fn other_formats(
    answering: Answering<'_>,
    reading: &mut Reading,
    fitted: &mut Vec<Fitted>,
    parsed: &mut Parsed,
) {
    let loses = |candidate: &Candidate, one: &Fitted| {
        let left_out = one.notes.coerced.iter().any(|one| one.how == Coercion::LeftOut);
        candidate.braceless && (left_out || !one.notes.unknown.is_empty())
    };
    let is_good =
        |(candidate, one): (&Candidate, &Fitted)| one.fits && one.known && !loses(candidate, one);
    if reading.candidates.iter().zip(fitted.iter()).any(is_good) {
        return;
    }
    let has_json = reading.candidates.iter().any(|one| {
        let text = answering.text.get(one.span.start..);
        let is_json = one.structured && !one.braceless && one.log.junk == 0;
        one.truncated.is_some() && is_json && text.is_some_and(|text| text.contains('{'))
    });
    let found = other_format(answering, reading.from, has_json, parsed);
    let Some((candidate, one)) = found else { return };
    let lost = one.notes.unknown.len();
    if fitted.iter().any(|before| before.fits && before.notes.unknown.len() < lost) {
        return;
    }
    fitted.iter_mut().for_each(|before| before.fits = false);
    reading.candidates.push(candidate);
    fitted.push(one);
}

/// Reads candidates once more by the keys of the schema; what lies in one that fits better so is a part of it.
fn read_again(
    answering: Answering<'_>,
    reading: &mut Reading,
    fitted: &mut [Fitted],
    parsed: &mut Parsed,
) {
    const MOST: usize = 4;
    if reading.is_json {
        return;
    }
    let Some(names) = names(&answering.spec.shapes) else { return };
    let mut spans: Vec<Span> = Vec::new();
    for (candidate, one) in reading.candidates.iter_mut().zip(fitted).take(MOST) {
        let is_inside =
            |span: &Span| span.start < candidate.span.start && candidate.span.start < span.end;
        if spans.iter().any(is_inside) {
            candidate.commented = true;
            continue;
        }
        let again = by_known_keys(answering, &names, candidate, one, parsed);
        if let Some((again, fit)) = again {
            spans.push(again.span);
            *candidate = again;
            *one = fit;
        }
    }
}

/// Drops items that do not fit, where the spec says so.
fn salvage(spec: &Spec, reading: &mut Reading, fitted: &mut [Fitted], parsed: &mut Parsed) {
    if spec.on_bad_item != OnBadItem::Drop {
        return;
    }
    for (candidate, one) in reading.candidates.iter_mut().zip(fitted) {
        if one.fits {
            continue;
        }
        if let Some((kept, fit)) = salvaged(spec, candidate, one, parsed) {
            *candidate = kept;
            *one = fit;
        }
    }
}

/// Opens the wrappers of candidates that do not fit, or fit worse than what is in them.
fn unwrap(
    answering: Answering<'_>,
    reading: &mut Reading,
    fitted: &mut [Fitted],
    parsed: &mut Parsed,
) {
    for (candidate, one) in reading.candidates.iter_mut().zip(fitted) {
        // A tool call may have a name that is a field as well.
        let loses = one.notes.unknown.iter().any(|unknown| {
            let is_call =
                matches!(unknown.path.as_str(), "/arguments" | "/input" | "/parameters" | "/args");
            is_call && !unknown.kept
        });
        if one.fits && one.known && !loses {
            continue;
        }
        let Some((inner, fit)) = unwrapped(answering, candidate, parsed) else { continue };
        if one.fits && one.known && fit.cost >= one.cost {
            continue;
        }
        *candidate = inner;
        *one = fit;
    }
}

/// Adds the text of the answer where that may be what is wanted: a word of an enum, a sentence.
fn whole_text(
    answering: Answering<'_>,
    reading: &mut Reading,
    fitted: &mut Vec<Fitted>,
    parsed: &mut Parsed,
) {
    let Answering { spec, text, .. } = answering;
    let is_wanted = wants_text(&spec.shapes)
        || !takes_containers(&spec.shapes)
        || lists_choices(&spec.shapes)
        || reading.candidates.is_empty();
    if !is_wanted {
        return;
    }
    let answer = text.get(reading.from..).unwrap_or_default();
    let trimmed = answer.trim();
    let start = reading.from + (answer.len() - answer.trim_start().len());
    let span = Span::new(start, start + trimmed.len());
    let mut candidate = Candidate::text(trimmed, span);
    if !wants_text(&spec.shapes) {
        candidate.log.note(text, RepairKind::UnquotedString, span, trimmed, Risk::Guess);
    }
    let one = fit(spec, &candidate, parsed);
    let is_empty = reading.candidates.is_empty();
    if one.fits || is_empty && !trimmed.is_empty() && one.cost.misfits == 0 {
        reading.candidates.push(candidate);
        fitted.push(one);
    } else if is_empty {
        let says_why = |issue: &Issue| matches!(issue.kind, IssueKind::Ambiguous | IssueKind::Enum);
        parsed.issues.extend(one.notes.issues.into_iter().filter(says_why));
    }
}

/// A list of allowed values is right.
fn lists_choices(shapes: &Shapes) -> bool {
    let shape = shapes.get(0);
    let is_choice = |id: usize| {
        shapes.with_branches(vec![id]).into_iter().any(|id| shapes.get(id).choices.is_some())
    };
    shape.types == LIST && shape.item.is_some_and(is_choice)
}

/// Text by itself is right.
fn wants_text(shapes: &Shapes) -> bool {
    let shape = shapes.get(0);
    shape.types == STR && shape.choices.is_none()
}

/// An object or a list is right.
fn takes_containers(shapes: &Shapes) -> bool {
    let branches = shapes.with_branches(vec![0]);
    branches.into_iter().any(|id| shapes.get(id).types & (LIST | OBJ) != 0)
}

/// Fits one candidate.
pub(crate) fn fit(spec: &Spec, candidate: &Candidate, parsed: &mut Parsed) -> Fitted {
    let exact = (!spec.shapes.is_any()).then(|| exact_digits(candidate, &parsed.raw)).flatten();
    if let Some(value) = exact {
        // Read by the digits: a text gets all of them, and a number says that it has lost some.
        let candidate = Candidate { value, ..candidate.clone() };
        let mut fitted = fit_value(spec, &candidate, parsed);
        fitted.value.get_or_insert(candidate.value);
        return fitted;
    }
    fit_value(spec, candidate, parsed)
}

fn fit_value(spec: &Spec, candidate: &Candidate, parsed: &mut Parsed) -> Fitted {
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
        let (cost, mut value, mut notes, work) = fitter.root(&candidate.value, unsafe_path);
        parsed.work += work;
        restore(spec, candidate, &parsed.raw, &mut value, &mut notes);
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
    let known = is_known(&candidate.value, &notes);
    Fitted { cost, value, notes, fits, known }
}

fn is_known(value: &Value, notes: &Notes) -> bool {
    match value {
        Value::Object(map) => {
            let at_root = |one: &&Unknown| !one.kept && one.path.rfind('/') == Some(0);
            map.len() > notes.unknown.iter().filter(at_root).count()
        }
        Value::Array(list) => !list.is_empty(),
        _ => true,
    }
}

/// What is riskier than allowed, if anything is.
fn too_risky(spec: &Spec, candidate: &Candidate, notes: &Notes) -> Option<Issue> {
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
