//! Values that are read once more by the keys of the schema: code and documents in a string, whose quotes are not
//! escaped. The string ends where a key follows that the schema names, or where the value does.

use std::collections::HashSet;
use std::rc::Rc;

use crate::candidates::Candidate;
use crate::fit::{Answering, Fitted, fit};
use crate::fold::fold;
use crate::parsed::Parsed;
use crate::repair::{RepairKind, Risk, Span};
use crate::shape::Shapes;
use crate::tolerant::{Engine, Look};

/// Schemas of more names are not read by them.
const NAMES: usize = 4096;

/// The names of all fields, folded.
pub(crate) fn names(shapes: &Shapes) -> Option<Rc<HashSet<String>>> {
    let props = shapes.0.iter().flat_map(|shape| &shape.props);
    let names = props.flat_map(|prop| std::iter::once(&prop.name).chain(&prop.aliases));
    let names: HashSet<String> = names.take(NAMES + 1).map(|name| fold(name)).collect();
    (!names.is_empty() && names.len() <= NAMES).then(|| Rc::new(names))
}

/// The candidate as it reads by the keys of the schema, if it fits better so.
pub(crate) fn by_known_keys(
    answering: Answering<'_>,
    names: &Rc<HashSet<String>>,
    candidate: &Candidate,
    fitted: &Fitted,
    parsed: &mut Parsed,
) -> Option<(Candidate, Fitted)> {
    let Answering { spec, text, .. } = answering;
    let has_quotes = candidate.log.repairs.iter().any(|repair| {
        matches!(
            repair.kind,
            RepairKind::InnerQuote
                | RepairKind::MissingComma
                | RepairKind::MissingClosingQuote
                | RepairKind::MissingOpeningQuote
                | RepairKind::UnquotedKey
                | RepairKind::Junk
                | RepairKind::WrongBracket
        )
    });
    let is_bad = !fitted.fits || !fitted.notes.unknown.is_empty() || candidate.log.junk > 0;
    let starts = text.get(candidate.span.start..).is_some_and(|text| text.starts_with(['{', '[']));
    if !(has_quotes || candidate.truncated.is_some()) || !is_bad || !starts {
        return None;
    }
    let look = Look::new(text, false);
    let limits = &spec.limits;
    let mut engine =
        Engine::new(candidate.span.start, candidate.marked, limits.depth, limits.repairs)
            .known(Rc::clone(names));
    engine.run(&look);
    parsed.work += look.work();
    let span = Span::new(candidate.span.start, engine.pos);
    let (value, mut log, truncated) = engine.into_value();
    log.note_as(RepairKind::KnownKey, span, "", "", Risk::Guess);
    let again = Candidate { value: value?, log, truncated, span, ..candidate.clone() };
    let one = fit(spec, &again, parsed);
    let is_better = one.fits
        && one.known
        && (!fitted.fits || one.notes.unknown.len() < fitted.notes.unknown.len());
    is_better.then_some((again, one))
}
