//! Reads an answer against a spec, step by step: the view, the candidates, what each costs, the choice.

use serde_json::Value;

use crate::candidates::{Reading, candidates, members, viable};
use crate::choose::choose;
use crate::coerce::issue;
use crate::ending::{ending, opening};
use crate::fit::{Answering, fit_all};
use crate::gather::several;
use crate::limits::Limits;
use crate::parsed::{Issue, IssueKind, Parsed};
use crate::repair::{Inside, Repair, RepairKind, Risk, Span, Truncated};
use crate::spec::Spec;
use crate::strict;
use crate::tolerant::escape::latex;
use crate::tolerant::{Engine, Look};
use crate::view::{View, view};

/// Answers in strings of answers are read so deep.
pub(crate) const LEVELS: u8 = 2;

pub(crate) fn read(spec: &Spec, raw: &str) -> Parsed {
    read_at(spec, raw, 0)
}

/// Reads an answer that is in a string of another one, `level` strings deep.
pub(crate) fn read_at(spec: &Spec, raw: &str, level: u8) -> Parsed {
    let clipped = raw.get(..raw.floor_char_boundary(spec.limits.bytes)).unwrap_or_default();
    let mut parsed = Parsed { raw: raw.to_owned(), ..Parsed::default() };
    let (text, mut reading) = seen(spec, clipped, &mut parsed.work);
    let extra = explain(spec, &reading, text);
    let reading_is_json = reading.is_json;
    let cut = reading.cut.take().or_else(|| cut_at_end(&reading, text));
    if !reading.thinking && !text.trim().is_empty() {
        several(spec, &mut reading, text);
        let fitted = fit_all(Answering { spec, text, level }, &mut reading, &mut parsed);
        choose(spec, reading, fitted, &mut parsed);
    }
    if reading_is_json {
        suspects(text, &mut parsed);
    }
    if clipped.len() < raw.len() {
        parsed.truncated.get_or_insert(Truncated {
            path: String::new(),
            inside: Inside::Container,
            at: clipped.len(),
        });
        parsed.issues.push(issue(
            IssueKind::Limit,
            String::new(),
            format!("at most {} bytes", spec.limits.bytes),
            format!("{} bytes", raw.len()),
            "the answer is longer than the limit",
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

/// The text of the answer up to its end, and what is in it. A mark that ends answers does not in a string.
fn seen<'t>(spec: &Spec, text: &'t str, work: &mut u64) -> (&'t str, Reading) {
    let look = Look::new(text, false);
    let view = view(&look);
    let end = match view {
        View::Text(from) => ending(text, opening(text, from)),
        _ => None,
    };
    if let Some(part) = end.and_then(|end| text.get(..end)) {
        let look = Look::new(part, false);
        let reading = reading(spec, &look, view);
        *work += look.work();
        let in_string = |cut: &Truncated| matches!(cut.inside, Inside::String | Inside::Key);
        let last = reading.candidates.last().and_then(|one| one.truncated.as_ref());
        if !last.is_some_and(in_string) {
            return (part, reading);
        }
        let look = Look::new(text, false);
        let view = self::view(&look);
        let reading = self::reading(spec, &look, view);
        *work += look.work();
        return (text, reading);
    }
    let reading = reading(spec, &look, view);
    *work += look.work();
    (text, reading)
}

fn reading(spec: &Spec, look: &Look<'_>, view: View) -> Reading {
    let view = match view {
        View::Text(from) => View::Text(opening(look.text, from)),
        view => view,
    };
    let is_json = matches!(view, View::Json(_));
    let mut reading = candidates(look, view, &spec.limits);
    reading.is_json = is_json;
    if !spec.shapes.is_any() && !is_json && !reading.thinking {
        members(look, &mut reading, &spec.limits);
    }
    reading
}

/// The answer ends inside of a value, whichever value is chosen in it.
fn cut_at_end(reading: &Reading, text: &str) -> Option<Truncated> {
    let last = reading.candidates.iter().max_by_key(|one| one.span.end)?;
    let in_key = last.truncated.as_ref().is_some_and(|cut| cut.inside == Inside::Key);
    let begins = last.structured || in_key || last.span.end - last.span.start <= 2;
    let is_value = begins && last.log.junk == 0 && !last.braceless;
    let is_last = last.span.end >= text.trim_end().len();
    let cut = last.truncated.clone().filter(|_| is_value && is_last)?;
    // Of the value that is chosen, it may be no part.
    Some(Truncated { path: String::new(), ..cut })
}

/// Notes escapes of valid JSON that were probably meant as backslashes: `\f` of `\frac`, `\t` of `C:\temp`.
fn suspects(text: &str, parsed: &mut Parsed) {
    const MOST: usize = 8;
    let bytes = text.as_bytes();
    let mut from = 0;
    let mut count = 0;
    while let Some(found) = memchr::memchr(b'\\', bytes.get(from..).unwrap_or_default()) {
        let at = from + found;
        from = at + 2;
        let rest = text.get(at + 1..).unwrap_or_default();
        let is_letter = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphabetic);
        let never = rest.starts_with(['f', 'b']) && is_letter(bytes.get(at + 2));
        let before = text.get(at.saturating_sub(3)..at).unwrap_or_default().as_bytes();
        let is_path = matches!(before, [b'"', drive, b':'] if drive.is_ascii_alphabetic())
            && rest.starts_with(['f', 'b', 'n', 't', 'r']);
        if !(never || is_path || latex(rest)) {
            continue;
        }
        count += 1;
        if count > MOST {
            return;
        }
        let end = text.floor_char_boundary(at + 2);
        let before = text.get(at..end).unwrap_or_default().to_owned();
        let (kind, span) = (RepairKind::SuspectEscape, Span::new(at, end));
        let (path, after, risk) = (String::new(), before.clone(), Risk::Guess);
        parsed.repairs.push(Repair { kind, span, path, before, after, risk });
    }
}

/// Why there may be no value.
fn explain(spec: &Spec, reading: &Reading, text: &str) -> Option<Issue> {
    let expected = crate::coerce::expected(&spec.shapes, 0);
    let (kind, what) = if text.trim().is_empty() {
        (IssueKind::Empty, "the answer is empty")
    } else if reading.thinking {
        (IssueKind::Thinking, "the answer consists of thinking that has no end")
    } else if reading.exhausted {
        (IssueKind::Limit, "the answer holds too much that is almost JSON")
    } else {
        (IssueKind::NoJson, "there is no JSON in it")
    };
    Some(issue(kind, String::new(), expected, String::new(), what))
}

/// The one value that a text consists of, if it takes no guess to read it.
pub(crate) fn lone(text: &str) -> Option<Value> {
    let trimmed = text.trim();
    if let Some((value, _)) = strict::whole(trimmed) {
        return Some(value);
    }
    let look = Look::new(trimmed, false);
    if !viable(&look, 0) {
        return None;
    }
    let limits = Limits::default();
    let mut engine = Engine::new(0, false, limits.depth, limits.repairs);
    engine.run(&look);
    let sure = engine.log.guesses + engine.log.losses == 0;
    let whole = engine.truncated.is_none() && engine.pos == trimmed.len() && sure;
    let (value, ..) = engine.into_value();
    value.filter(|_| whole)
}
