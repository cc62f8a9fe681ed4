//! Several values of one answer that are one list: where any JSON is right and nothing is between them, where a
//! list is wanted and each could be an element, and where each is a page of it.

use serde_json::Value;

use crate::candidates::{Candidate, Reading};
use crate::coerce::brief;
use crate::fit::{Fitted, fit};
use crate::parsed::{Coerced, Coercion, Parsed};
use crate::repair::{Log, RepairKind, Risk, Span};
use crate::shape::LIST;
use crate::spec::Spec;

/// Several values in a row, with nothing between them, are one list when any JSON is right.
pub(crate) fn several(spec: &Spec, reading: &mut Reading, text: &str) {
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

/// Several values in the answer, where a list is wanted: lists that are its pages, or records that are its
/// elements.
pub(crate) fn gather(
    spec: &Spec,
    text: &str,
    reading: &mut Reading,
    fitted: &mut Vec<Fitted>,
    parsed: &mut Parsed,
) {
    if spec.shapes.get(0).types != LIST || reading.candidates.len() < 2 {
        return;
    }
    let lists: Vec<&Candidate> = reading
        .candidates
        .iter()
        .zip(fitted.iter())
        .filter(|(candidate, one)| candidate.value.is_array() && one.fits && !candidate.commented)
        .map(|(candidate, _)| candidate)
        .collect();
    let gathered = match lists.as_slice() {
        [] => records(reading, fitted, text).map(|all| list_of(all, spec.limits.repairs)),
        // A list that is there as a list is the list.
        [_] => None,
        several => are_pages(several, text).then(|| joined(several, spec.limits.repairs)),
    };
    let Some(candidate) = gathered else { return };
    let candidate = Candidate { marked: true, ..candidate };
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

/// The values that could each be an element: each byte of the answer is in one of them at most. The one that
/// the answer ends in is one of them, though it is not whole.
fn records(reading: &Reading, fitted: &[Fitted], text: &str) -> Option<Vec<Candidate>> {
    let end = text.trim_end().len();
    let mut records: Vec<Candidate> = Vec::new();
    for (candidate, one) in reading.candidates.iter().zip(fitted) {
        let is_cut = candidate.truncated.is_some() && candidate.span.end >= end;
        let behind = records.last().is_none_or(|last| last.span.end <= candidate.span.start);
        let is_record = candidate.structured && !candidate.commented && candidate.emphasis >= 0;
        if is_record && behind && (one.fits && one.known || is_cut && candidate.log.junk == 0) {
            records.push(candidate.clone());
        }
    }
    (records.len() >= 2).then_some(records)
}

/// Whether lists are pages of one: only a label is between them, none is announced as a correction, and no
/// element is in two of them.
fn are_pages(lists: &[&Candidate], text: &str) -> bool {
    let mut seen: std::collections::HashSet<String> = std::collections::HashSet::new();
    for list in lists {
        for value in list.value.as_array().into_iter().flatten() {
            if !seen.insert(value.to_string()) {
                return false;
            }
        }
    }
    lists.windows(2).all(|pair| match pair {
        [before, behind] => {
            let gap = text.get(before.span.end..behind.span.start);
            behind.emphasis == 0 && gap.is_some_and(is_label)
        }
        _ => false,
    })
}

/// Nothing, or a few words that number what follows: `Page 2:`, `Second:`, `第二页：`.
fn is_label(gap: &str) -> bool {
    const WORDS: usize = 6;
    const NUMBERING: [&str; 18] = [
        "page",
        "part",
        "batch",
        "chunk",
        "first",
        "second",
        "third",
        "fourth",
        "next",
        "more",
        "continued",
        "then",
        "and",
        "rest",
        "页",
        "部分",
        "批",
        "第",
    ];
    let words: Vec<String> = gap
        .lines()
        .filter(|line| !line.trim_start().starts_with("```"))
        .flat_map(|line| line.split(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty() && *word != "json")
        .map(str::to_lowercase)
        .collect();
    let numbers = |word: &String| {
        word.chars().all(|c| c.is_ascii_digit()) || NUMBERING.iter().any(|one| word.contains(one))
    };
    words.is_empty() || words.len() <= WORDS && words.iter().any(numbers)
}

fn joined(pages: &[&Candidate], most: usize) -> Candidate {
    let start = pages.first().map_or(0, |one| one.span.start);
    let end = pages.last().map_or(0, |one| one.span.end);
    let mut log = Log::new(most);
    let mut truncated = None;
    let mut values: Vec<Value> = Vec::new();
    for page in pages {
        log.absorb_page(values.len(), page.log.clone());
        if let Some(mut cut) = page.truncated.clone() {
            cut.path = moved(&cut.path, values.len());
            truncated = Some(cut);
        }
        values.extend(page.value.as_array().into_iter().flatten().cloned());
    }
    let span = Span::new(start, end);
    log.note_as(RepairKind::Pages, span, "several lists", "a list", Risk::Guess);
    let value = Value::Array(values);
    Candidate { value, log, truncated, span, structured: true, ..Candidate::default() }
}

/// A path in a page as one in the whole list, where so many elements are before the page.
pub(crate) fn moved(path: &str, before: usize) -> String {
    let Some(rest) = path.strip_prefix('/') else { return path.to_owned() };
    let (index, below) = rest.split_once('/').map_or((rest, None), |(at, rest)| (at, Some(rest)));
    match (index.parse::<usize>(), below) {
        (Ok(at), Some(below)) => format!("/{}/{below}", at + before),
        (Ok(at), None) => format!("/{}", at + before),
        (Err(_), _) => path.to_owned(),
    }
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
