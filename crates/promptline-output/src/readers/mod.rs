//! Answers in other formats than JSON: Markdown tables, XML elements, constructor calls, YAML, TOML, and JSON with
//! marks before every line. Each has a small reader, asked last and only by a schema; what it reads counts if
//! it fits, as a guess.

mod block;
mod call;
mod marks;
mod table;
mod xml;

use serde_json::Value;

use crate::candidates::Candidate;
use crate::envelope::unwrapped;
use crate::fit::{Answering, Fitted, fit};
use crate::parsed::Parsed;
use crate::read::{LEVELS, read_at};
use crate::repair::{Inside, Log, RepairKind, Risk, Span, Truncated};

/// A value in another format.
struct Found {
    value: Value,
    span: Span,
    format: &'static str,
    /// It has no end.
    cut: bool,
}

/// Longer answers are not read in other formats.
const LONGEST: usize = 1 << 20;

/// The value of an answer in another format, if one fits and no other reading gives another. In one that
/// `has_json`, only marks before every line are looked for.
pub(crate) fn other_format(
    answering: Answering<'_>,
    from: usize,
    has_json: bool,
    parsed: &mut Parsed,
) -> Option<(Candidate, Fitted)> {
    let Answering { text, level, .. } = answering;
    let answer = text.get(from..).filter(|answer| answer.len() <= LONGEST)?;
    if level < LEVELS
        && let Some(found) = without_marks(answering, answer, from, parsed)
    {
        return Some(found);
    }
    if has_json {
        return None;
    }
    parsed.work += 4 * answer.len() as u64;
    let mut fitting: Option<(Candidate, Fitted)> = None;
    for reader in [table::read, xml::read, call::read, block::read] {
        for mut found in reader(answer) {
            found.span = Span::new(found.span.start + from, found.span.end + from);
            let Some((candidate, one)) = fitted(answering, found, parsed) else { continue };
            match &fitting {
                None => fitting = Some((candidate, one)),
                Some((first, fit)) => {
                    let value = |candidate: &Candidate, one: &Fitted| {
                        one.value.clone().unwrap_or_else(|| candidate.value.clone())
                    };
                    if value(first, fit) != value(&candidate, &one) {
                        // It can be read in two ways.
                        return None;
                    }
                }
            }
        }
        if fitting.is_some() {
            break;
        }
    }
    fitting
}

fn fitted(
    answering: Answering<'_>,
    found: Found,
    parsed: &mut Parsed,
) -> Option<(Candidate, Fitted)> {
    let mut log = Log::new(answering.spec.limits.repairs);
    let written = answering.text.get(found.span.start..found.span.end).unwrap_or_default();
    let before = format!("{}: {written}", found.format);
    log.note_as(RepairKind::OtherFormat, found.span, &before, "JSON", Risk::Guess);
    let (path, inside, at) = (String::new(), Inside::Container, answering.text.len());
    let truncated = found.cut.then_some(Truncated { path, inside, at });
    let (value, span) = (found.value, found.span);
    let candidate =
        Candidate { value, log, truncated, span, structured: true, ..Candidate::default() };
    let one = fit(answering.spec, &candidate, parsed);
    if one.fits && one.known {
        return Some((candidate, one));
    }
    unwrapped(answering, &candidate, parsed)
}

/// The answer without marks before every line, or terminal colors.
fn without_marks(
    answering: Answering<'_>,
    answer: &str,
    from: usize,
    parsed: &mut Parsed,
) -> Option<(Candidate, Fitted)> {
    let (plain, what) = marks::removed(answer)?;
    let inner = read_at(answering.spec, &plain, answering.level + 1);
    parsed.work += inner.work + answer.len() as u64;
    if !inner.fits {
        return None;
    }
    let span = Span::new(from, answering.text.trim_end().len());
    let mut log = Log::new(answering.spec.limits.repairs);
    log.note_as(RepairKind::LineMarks, span, what, "", Risk::Guess);
    for mut repair in inner.repairs {
        repair.span = span;
        if log.has_room(repair.kind, repair.risk) {
            log.repairs.push(repair);
        }
    }
    let truncated = inner.truncated.map(|cut| Truncated { at: answering.text.len(), ..cut });
    let candidate = Candidate {
        value: inner.value?,
        log,
        truncated,
        span,
        structured: true,
        ..Candidate::default()
    };
    let fitted = Fitted::whole(inner.unknown, inner.renamed, inner.coerced);
    Some((candidate, fitted))
}

/// A text without the quotes or Markdown marks around it.
fn bare(text: &str) -> &str {
    let text = text.trim();
    for mark in ["**", "__", "`", "\"", "'"] {
        let inner = text.strip_prefix(mark).and_then(|rest| rest.strip_suffix(mark));
        if let Some(inner) = inner.filter(|inner| !inner.is_empty() && !inner.contains(mark)) {
            return inner.trim();
        }
    }
    text
}
