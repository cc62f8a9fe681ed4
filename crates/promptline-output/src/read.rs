//! Reads an answer against a spec: candidates, what each costs, the choice, and the validator's word.

use serde_json::Value;

use crate::candidates::{self, Candidate, Reading};
use crate::coerce::{Cost, Fitter, Notes, issue};
use crate::parsed::{Coerced, Coercion, Considered, IssueKind, Parsed};
use crate::repair::{Inside, Repair, RepairKind, Risk, Span, Truncated};
use crate::shape::{LIST, OBJ, STR, Shapes};
use crate::spec::OutputSpec;
use crate::tolerant::{Engine, Look};

pub(crate) fn read(spec: &OutputSpec, raw: &str) -> Parsed {
    let mut end = raw.len().min(spec.limits.bytes);
    while !raw.is_char_boundary(end) {
        end -= 1;
    }
    let text = raw.get(..end).unwrap_or_default();
    let look = Look::new(text, false);
    let mut reading = candidates::read(&look, &spec.limits);
    let mut parsed = Parsed { raw: raw.to_owned(), ..Parsed::default() };
    let extra = explain(spec, &reading, text);
    let cut = reading.cut.take();
    if !reading.thinking && !text.trim().is_empty() {
        several(spec, &mut reading);
        let fitted = fit_all(spec, &mut reading, text, &mut parsed);
        choose(spec, reading, fitted, &mut parsed);
    }
    parsed.work += look.work();
    if end < raw.len() {
        parsed.truncated.get_or_insert(Truncated {
            path: String::new(),
            inside: Inside::Container,
            at: end,
        });
        parsed.issues.push(issue(
            IssueKind::Limit,
            String::new(),
            format!("at most {} bytes", spec.limits.bytes),
            format!("{} bytes", raw.len()),
            "the answer is longer than is read",
        ));
        parsed.fits = false;
    }
    if let Some(cut) = cut {
        parsed.truncated.get_or_insert(cut);
    }
    if parsed.value.is_none() {
        parsed.issues.extend(extra);
        parsed.fits = false;
    }
    parsed
}

/// Why there may be no value.
fn explain(spec: &OutputSpec, reading: &Reading, text: &str) -> Option<crate::parsed::Issue> {
    let expected = crate::coerce::expected(&spec.shapes, 0);
    let (kind, what) = if text.trim().is_empty() {
        (IssueKind::Empty, "the answer is empty")
    } else if reading.thinking {
        (IssueKind::Thinking, "the answer is thinking that has no end")
    } else if reading.exhausted {
        (IssueKind::Limit, "the answer holds too much that is almost JSON")
    } else {
        (IssueKind::NoJson, "there is no JSON in it")
    };
    Some(issue(kind, String::new(), expected, String::new(), what))
}

/// Several values in a row, with nothing between them, are one list when any JSON is right.
fn several(spec: &OutputSpec, reading: &mut Reading) {
    if !spec.shapes.is_any() || !reading.only_values || reading.candidates.len() < 2 {
        return;
    }
    let mut all = std::mem::take(&mut reading.candidates);
    let start = all.first().map_or(0, |one| one.span.start);
    let end = all.last().map_or(0, |one| one.span.end);
    let span = Span { start, end };
    let mut log = crate::repair::Log::new(spec.limits.repairs);
    let mut truncated = None;
    let mut values = Vec::with_capacity(all.len());
    for (at, mut one) in all.drain(..).enumerate() {
        log.guesses += one.log.guesses;
        log.losses += one.log.losses;
        log.left_off += one.log.left_off;
        for repair in &mut one.log.repairs {
            repair.path = format!("/{at}{}", repair.path);
        }
        for duplicate in &mut one.log.duplicates {
            duplicate.path = format!("/{at}{}", duplicate.path);
        }
        log.repairs.append(&mut one.log.repairs);
        log.duplicates.append(&mut one.log.duplicates);
        if let Some(mut cut) = one.truncated {
            cut.path = format!("/{at}{}", cut.path);
            truncated = Some(cut);
        }
        values.push(one.value);
    }
    if log.has_room(RepairKind::SeveralValues, Risk::Guess) {
        log.repairs.push(Repair {
            kind: RepairKind::SeveralValues,
            span,
            path: String::new(),
            before: format!("{} values", values.len()),
            after: "a list".to_owned(),
            risk: Risk::Guess,
        });
    }
    reading.candidates.push(Candidate {
        value: Value::Array(values),
        log,
        truncated,
        span,
        marked: false,
        structured: true,
        is_text: false,
    });
}

/// A candidate against the spec.
struct Fitted {
    cost: Cost,
    value: Value,
    notes: Notes,
    fits: bool,
}

fn fit_all(
    spec: &OutputSpec,
    reading: &mut Reading,
    text: &str,
    parsed: &mut Parsed,
) -> Vec<Fitted> {
    let mut fitted = Vec::with_capacity(reading.candidates.len() + 2);
    for candidate in &reading.candidates {
        fitted.push(fit(spec, candidate, parsed));
    }
    if spec.shapes.is_any() || fitted.iter().any(|one| one.fits) && !wants_text(&spec.shapes) {
        gather(spec, reading, &mut fitted, parsed);
        return fitted;
    }
    gather(spec, reading, &mut fitted, parsed);
    if reading.candidates.is_empty() || wants_text(&spec.shapes) || !takes_containers(&spec.shapes)
    {
        // The answer itself may be what is wanted: a word of an enum, a sentence.
        let answer = text.get(reading.from..).unwrap_or_default();
        let trimmed = answer.trim();
        let start = reading.from + (answer.len() - answer.trim_start().len());
        let span = Span::new(start, start + trimmed.len());
        let mut candidate = Candidate::text(trimmed, span);
        if !wants_text(&spec.shapes)
            && candidate.log.has_room(RepairKind::UnquotedString, Risk::Guess)
        {
            candidate.log.repairs.push(Repair {
                kind: RepairKind::UnquotedString,
                span,
                path: String::new(),
                before: crate::repair::short(trimmed),
                after: crate::repair::short(trimmed),
                risk: Risk::Guess,
            });
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

/// Several values in the answer, where a list is wanted: each may be an element.
fn gather(spec: &OutputSpec, reading: &mut Reading, fitted: &mut Vec<Fitted>, parsed: &mut Parsed) {
    let root = spec.shapes.get(0);
    if root.types != LIST || reading.candidates.len() < 2 {
        return;
    }
    // A list that is there as a list is the list.
    let is_list = |(candidate, one): (&Candidate, &Fitted)| candidate.value.is_array() && one.fits;
    if reading.candidates.iter().zip(fitted.iter()).any(is_list) {
        return;
    }
    let members: Vec<usize> = fitted
        .iter()
        .zip(&reading.candidates)
        .enumerate()
        .filter(|(_, (one, candidate))| one.fits && candidate.structured)
        .map(|(at, _)| at)
        .collect();
    if members.len() < 2 {
        return;
    }
    let mut values = Vec::new();
    let mut span = Span::default();
    let mut log = crate::repair::Log::new(spec.limits.repairs);
    let mut truncated = None;
    for (place, &at) in members.iter().enumerate() {
        let Some(candidate) = reading.candidates.get(at) else { continue };
        if place == 0 {
            span.start = candidate.span.start;
        }
        span.end = candidate.span.end;
        values.push(candidate.value.clone());
        log.guesses += candidate.log.guesses;
        log.losses += candidate.log.losses;
        log.repairs.extend(candidate.log.repairs.iter().cloned().map(|mut repair| {
            repair.path = format!("/{place}{}", repair.path);
            repair
        }));
        if let Some(cut) = &candidate.truncated {
            truncated = Some(Truncated { path: format!("/{place}{}", cut.path), ..cut.clone() });
        }
    }
    let value = Value::Array(values);
    let candidate =
        Candidate { value, log, truncated, span, marked: true, structured: true, is_text: false };
    let mut one = fit(spec, &candidate, parsed);
    one.notes.coerced.push(Coerced {
        path: String::new(),
        how: Coercion::Gathered,
        before: Value::Null,
        after: one.value.clone(),
    });
    reading.candidates.push(candidate);
    fitted.push(one);
}

fn fit(spec: &OutputSpec, candidate: &Candidate, parsed: &mut Parsed) -> Fitted {
    let unsafe_path = candidate
        .truncated
        .as_ref()
        .filter(|cut| matches!(cut.inside, Inside::Number | Inside::Literal))
        .map(|cut| cut.path.as_str());
    let fitter = Fitter::new(&spec.shapes, spec.on_unknown, candidate.is_text);
    let (cost, value, mut notes, work) = fitter.root(&candidate.value, unsafe_path);
    parsed.work += work;
    let mut fits = cost.misfits == 0;
    if fits && let Some(validator) = &spec.validator {
        parsed.work += 1;
        if !validator.is_valid(&value) {
            fits = false;
            for error in validator.iter_errors(&value).take(20) {
                let path = error.instance_path().to_string();
                let found = crate::coerce::found(error.instance());
                let what = format!("the schema forbids it: {error}");
                notes.issues.push(issue(IssueKind::Schema, path, String::new(), found, &what));
            }
        }
    }
    let riskiest = candidate.log.repairs.iter().map(|repair| repair.risk).max();
    if let Some(risk) = riskiest
        && risk > spec.max_risk
    {
        fits = false;
        let worst = candidate.log.repairs.iter().find(|repair| repair.risk > spec.max_risk);
        let found = worst.map(|repair| repair.before.clone()).unwrap_or_default();
        let path = worst.map(|repair| repair.path.clone()).unwrap_or_default();
        let what = "reading it takes a repair that is riskier than allowed";
        notes.issues.push(issue(IssueKind::Risk, path, String::new(), found, what));
    }
    Fitted { cost, value, notes, fits }
}

/// How good a candidate is; the greatest wins, the last of equals.
fn rank(spec: &OutputSpec, candidate: &Candidate, fitted: &Fitted) -> impl Ord + use<> {
    let misfits = u64::MAX - fitted.cost.misfits;
    let plain = fitted.cost.structural == 0;
    let clean = candidate.log.junk == 0 && (candidate.structured || !spec.shapes.is_any());
    let kind = if !spec.shapes.is_any() {
        0
    } else if candidate.value.is_object() {
        2
    } else {
        u8::from(candidate.value.is_array())
    };
    let sure = candidate.log.guesses + candidate.log.losses == 0;
    (
        fitted.fits,
        misfits,
        clean,
        plain,
        !candidate.is_text,
        kind,
        sure || !spec.shapes.is_any(),
        candidate.marked,
    )
}

fn choose(spec: &OutputSpec, reading: Reading, fitted: Vec<Fitted>, parsed: &mut Parsed) {
    let best = reading
        .candidates
        .iter()
        .zip(&fitted)
        .enumerate()
        .max_by(|left, right| {
            let of = |one: &(usize, (&Candidate, &Fitted))| rank(spec, one.1.0, one.1.1);
            of(left).cmp(&of(right)).then(left.0.cmp(&right.0))
        })
        .map(|(at, _)| at);
    parsed.candidates = reading
        .candidates
        .iter()
        .zip(&fitted)
        .enumerate()
        .map(|(at, (candidate, one))| Considered {
            span: candidate.span,
            fits: one.fits,
            chosen: Some(at) == best,
        })
        .collect();
    let Some(best) = best else { return };
    let Some(candidate) = reading.candidates.into_iter().nth(best) else { return };
    let Some(one) = fitted.into_iter().nth(best) else { return };
    parsed.value = Some(one.value);
    parsed.fits = one.fits;
    parsed.repairs_left_off = candidate.log.left_off;
    parsed.repairs = candidate.log.repairs;
    parsed.repairs.sort_by_key(|repair| repair.span.start);
    parsed.duplicates = candidate.log.duplicates;
    parsed.unknown = one.notes.unknown;
    parsed.renamed = one.notes.renamed;
    parsed.coerced = one.notes.coerced;
    parsed.issues.clear();
    parsed.issues.extend(one.notes.issues);
    if let Some(cut) = candidate.truncated {
        if !one.fits {
            let what = "the answer was cut off here";
            parsed.issues.push(issue(
                IssueKind::Truncated,
                cut.path.clone(),
                "the rest".to_owned(),
                String::new(),
                what,
            ));
        }
        parsed.truncated = Some(cut);
    }
}

/// The one value that a text consists of, if it takes no guess to read it.
pub(crate) fn lone(text: &str) -> Option<Value> {
    let trimmed = text.trim();
    if let Some((value, _)) = crate::strict::whole(trimmed) {
        return Some(value);
    }
    let look = Look::new(trimmed, false);
    if !candidates::viable(&look, 0) {
        return None;
    }
    let limits = crate::Limits::default();
    let mut engine = Engine::new(0, false, limits.depth, limits.repairs);
    engine.run(&look);
    let sure = engine.log.guesses + engine.log.losses == 0;
    let whole = engine.truncated.is_none() && engine.pos == trimmed.len() && sure;
    let (value, ..) = engine.into_value();
    value.filter(|_| whole)
}
