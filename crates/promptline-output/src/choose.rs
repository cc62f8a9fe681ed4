//! Which of the candidates is the answer: one that fits before one that does not, and of those that fit the
//! last, since models correct themselves and what is early may have been quoted.

use crate::candidates::{Candidate, Reading};
use crate::coerce::issue;
use crate::fit::Fitted;
use crate::parsed::{Considered, IssueKind, Parsed};
use crate::repair::RepairKind;
use crate::spec::{Pick, Spec};

/// How good a candidate is; the greatest wins, the last of equals.
fn rank(spec: &Spec, candidate: &Candidate, fitted: &Fitted) -> impl Ord + use<> {
    let misfits = u64::MAX - fitted.cost.misfits;
    let plain = fitted.cost.structural == 0;
    let any = spec.shapes.is_any();
    let is_aside = any && candidate.in_prose && candidate.log.has(RepairKind::UnquotedKey);
    let clean = candidate.log.junk == 0 && (candidate.structured || !any) && !is_aside;
    let kind = if !any {
        0
    } else if candidate.value.is_object() {
        2
    } else {
        u8::from(candidate.value.is_array())
    };
    let sure = candidate.log.guesses + candidate.log.losses == 0;
    (
        (fitted.fits, any || fitted.known, misfits, !candidate.commented),
        (candidate.emphasis >= 0, clean, plain, !candidate.is_text, kind, sure || !any),
        (candidate.emphasis, candidate.marked, !candidate.in_prose),
    )
}

/// The candidate that is taken, by its place.
fn picked(spec: &Spec, reading: &Reading, fitted: &[Fitted]) -> Option<usize> {
    let all = || reading.candidates.iter().zip(fitted).enumerate();
    let fits = |one: &(usize, (&Candidate, &Fitted))| one.1.1.fits && !one.1.0.commented;
    let in_fence = |one: &(usize, (&Candidate, &Fitted))| one.1.0.marked;
    let best = || {
        all()
            .max_by(|left, right| {
                let of = |one: &(usize, (&Candidate, &Fitted))| rank(spec, one.1.0, one.1.1);
                of(left).cmp(&of(right)).then(left.0.cmp(&right.0))
            })
            .map(|(at, _)| at)
    };
    match spec.pick {
        Pick::Best => best(),
        Pick::First => all().find(fits).map(|one| one.0).or_else(best),
        Pick::Last => all().rfind(fits).map(|one| one.0).or_else(best),
        Pick::Fenced => all().rfind(|one| fits(one) && in_fence(one)).map(|one| one.0),
    }
}

/// Writes down what was considered and what was chosen.
pub(crate) fn choose(spec: &Spec, reading: Reading, fitted: Vec<Fitted>, parsed: &mut Parsed) {
    let best = picked(spec, &reading, &fitted);
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
    parsed.value = Some(one.value.unwrap_or(candidate.value));
    parsed.fits = one.fits;
    parsed.repairs_left_off = candidate.log.left_off;
    parsed.repairs = candidate.log.repairs;
    parsed.repairs.sort_by_key(|repair| (repair.span.start, repair.span.end));
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
