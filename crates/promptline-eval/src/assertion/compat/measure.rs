//! Measures: edit distance, counts, n-grams in common.

use std::collections::HashMap;

use serde_json::Value;

use super::{Check, js};
use crate::assertion::Verdict;

/// In UTF-16 units, at most 5 unless a threshold says otherwise.
pub(super) fn levenshtein(check: &Check<'_>) -> Result<Verdict, String> {
    let wanted: Vec<u16> = check.text()?.encode_utf16().collect();
    let found: Vec<u16> = check.subject.text().encode_utf16().collect();
    let distance = distance(&found, &wanted);
    let threshold = check.threshold.unwrap_or(5.0);
    Ok(check.verdict(
        distance as f64 <= threshold,
        &format!("be at most {threshold} edits away; it is {distance}"),
    ))
}

pub(crate) fn distance<T: PartialEq>(one: &[T], other: &[T]) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (line, unit) in one.iter().enumerate() {
        let mut diagonal = line;
        let mut left = line + 1;
        for (slot, against) in row.iter_mut().skip(1).zip(other) {
            let best = (diagonal + usize::from(unit != against)).min(left + 1).min(*slot + 1);
            diagonal = *slot;
            *slot = best;
            left = best;
        }
        if let Some(first) = row.first_mut() {
            *first = line + 1;
        }
    }
    row.last().copied().unwrap_or_default()
}

/// A count, or a range with `min` and `max`.
pub(in crate::assertion) fn word_count<'t>(
    check: &Check<'t>,
    words: impl Fn(&'t str) -> Vec<&'t str>,
) -> Result<Verdict, String> {
    let count = words(check.subject.text()).iter().filter(|word| !word.is_empty()).count() as f64;
    let number = |value: &Value| match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => js::parse(text),
        // As JavaScript compares it.
        Value::Null => Some(0.0),
        _ => None,
    };
    let usage = || String::from("\"word-count\" takes a number, or `min` and `max`");
    match &check.value {
        Some(Value::Object(range)) => {
            let bound = |name: &str| match range.get(name) {
                Some(value) => number(value).map(Some).ok_or_else(usage),
                None => Ok(None),
            };
            let (min, max) = (bound("min")?, bound("max")?);
            if min.is_none() && max.is_none() {
                return Err(usage());
            }
            if let (Some(min), Some(max)) = (min, max)
                && min > max
            {
                return Err(format!("\"word-count\": min ({min}) is more than max ({max})"));
            }
            let inside = min.is_none_or(|min| count >= min) && max.is_none_or(|max| count <= max);
            let bounds = match (min, max) {
                (Some(min), Some(max)) => format!("from {min} to {max}"),
                (Some(min), None) => format!("at least {min}"),
                (_, max) => format!("at most {}", max.unwrap_or_default()),
            };
            Ok(check.verdict(inside, &format!("have {bounds} words; it has {count}")))
        }
        Some(value @ (Value::Number(_) | Value::String(_))) => {
            let wanted = number(value).filter(|wanted| !wanted.is_nan()).ok_or_else(usage)?;
            Ok(check.verdict(count == wanted, &format!("have {wanted} words; it has {count}")))
        }
        _ => Err(usage()),
    }
}

pub(super) fn overlap(check: &Check<'_>) -> Result<Verdict, String> {
    let text = check.subject.text();
    if check.kind == "rouge-n" {
        let reference = check.text()?.to_lowercase();
        let score = f_measure(&treebank(&text.to_lowercase())?, &treebank(&reference)?);
        return Ok(check.scored(score, check.threshold.unwrap_or(0.75)));
    }
    let usage = || format!("\"{}\" takes a string or a list of strings", check.kind);
    let references: Vec<&str> = match &check.value {
        Some(Value::String(text)) => vec![text],
        Some(Value::Array(items)) => {
            items.iter().map(Value::as_str).collect::<Option<_>>().ok_or_else(usage)?
        }
        _ => return Err(usage()),
    };
    if references.is_empty() {
        return Err(usage());
    }
    let score = match check.kind {
        "bleu" => bleu(text, &references),
        _ if text.is_empty() => {
            return Err(String::from("\"gleu\" takes an answer that is not empty"));
        }
        _ => references.iter().map(|reference| gleu(text, reference)).fold(f64::MIN, f64::max),
    };
    Ok(check.scored(score, check.threshold.unwrap_or(0.5)))
}

fn counts(words: &[String], n: usize) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for gram in words.windows(n) {
        *counts.entry(gram.join(" ")).or_insert(0) += 1;
    }
    counts
}

#[expect(clippy::iter_over_hash_type, reason = "a sum does not depend on the order")]
fn common(one: &HashMap<String, usize>, other: &HashMap<String, usize>) -> usize {
    let mut sum = 0;
    for (gram, count) in one {
        sum += (*count).min(other.get(gram).copied().unwrap_or(0));
    }
    sum
}

fn lower_words(text: &str) -> Vec<String> {
    js::words(&text.to_lowercase()).into_iter().map(str::to_owned).collect()
}

fn bleu(text: &str, references: &[&str]) -> f64 {
    if js::trim(text).is_empty() {
        return 0.0;
    }
    let words = lower_words(text);
    let references: Vec<Vec<String>> =
        references.iter().map(|reference| lower_words(reference)).collect();
    let length = words.len();
    let closest =
        references.iter().map(Vec::len).min_by_key(|len| (len.abs_diff(length), *len)).unwrap_or(0);
    let (mut total, mut orders) = (0.0, 0.0);
    for n in 1..=4.min(length) {
        let ours = counts(&words, n);
        let hits = references
            .iter()
            .map(|reference| common(&ours, &counts(reference, n)))
            .max()
            .unwrap_or(0);
        let precision = hits as f64 / (length + 1 - n) as f64;
        total += if hits == 0 { 1e-7_f64 } else { precision }.ln();
        orders += 1.0;
    }
    let brevity = if length > closest { 1.0 } else { (1.0 - closest as f64 / length as f64).exp() };
    brevity * (total / orders).exp()
}

fn gleu(text: &str, reference: &str) -> f64 {
    let words = |text: &str| -> Vec<String> {
        lower_words(text).into_iter().map(|word| word.trim_end_matches('.').to_owned()).collect()
    };
    let (ours, theirs) = (words(text), words(reference));
    if ours == theirs {
        return 1.0;
    }
    let (mut hits, mut our_total, mut their_total) = (0, 0, 0);
    for n in 1..=4 {
        hits += common(&counts(&ours, n), &counts(&theirs, n));
        our_total += (ours.len() + 1).saturating_sub(n);
        their_total += (theirs.len() + 1).saturating_sub(n);
    }
    if our_total == 0 || their_total == 0 {
        return 0.0;
    }
    (hits as f64 / our_total as f64).min(hits as f64 / their_total as f64)
}

/// ROUGE-1 with clipped counts.
fn f_measure(ours: &[String], theirs: &[String]) -> f64 {
    let hits = common(&counts(ours, 1), &counts(theirs, 1)) as f64;
    if hits == 0.0 {
        return 0.0;
    }
    let (precision, recall) = (hits / ours.len() as f64, hits / theirs.len() as f64);
    if precision == recall {
        return precision;
    }
    2.0 * precision * recall / (precision + recall)
}

/// Tokens by the conventions of the Penn Treebank, for one sentence.
fn treebank(text: &str) -> Result<Vec<String>, String> {
    const STEPS: &[(&str, &str)] = &[
        (r"\.{3}", " ... "),
        (r"[:,](?!\d)", " $0 "),
        (r"[;@#$%&]", " $0 "),
        (r"([^.])(?<!\b[A-Za-z]\.[A-Za-z])(\.)([\])}>'\s]*)$", "$1 $2$3 "),
        (r"[?!]", " $0 "),
        (r"[\][(){}<>]", " $0 "),
        (r"--", " -- "),
    ];
    const WORDS: &[(&str, &str)] = &[
        (r"([^'])' ", "$1 ' "),
        (r"'([sSmMdD]) ", " '$1 "),
        (r"('ll|'re|'ve|n't) ", " $1 "),
        (r"\b(can)(not)\b", " $1 $2 "),
        (r"\b(d)('ye)\b", " $1 $2 "),
        (r"\b(gim)(me)\b", " $1 $2 "),
        (r"\b(gon)(na)\b", " $1 $2 "),
        (r"\b(got)(ta)\b", " $1 $2 "),
        (r"\b(lem)(me)\b", " $1 $2 "),
        (r"\b(more)('n)\b", " $1 $2 "),
        (r"\b(wan)(na)(?= )", " $1 $2 "),
        (r" ('t)(is)\b", " $1 $2 "),
        (r" ('t)(was)\b", " $1 $2 "),
    ];
    let mut text = js::words(text).join(" ");
    if text.is_empty() {
        return Ok(Vec::new());
    }
    text = quotes(&text);
    for (pattern, with) in STEPS {
        text = replace(&text, pattern, with)?;
    }
    text = format!(" {text} ");
    for (pattern, with) in WORDS {
        text = replace(&text, pattern, with)?;
    }
    Ok(text.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect())
}

/// Straight quotation marks open after a blank or a bracket, and close elsewhere.
fn quotes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = None;
    for character in text.chars() {
        if character == '"' {
            let opens = before.is_none_or(|c: char| c == ' ' || matches!(c, '(' | '[' | '{' | '<'));
            out.push_str(if opens { " `` " } else { " '' " });
        } else {
            out.push(character);
        }
        before = Some(character);
    }
    out
}

fn replace(text: &str, pattern: &str, with: &str) -> Result<String, String> {
    let regex = regress::Regex::new(pattern).map_err(|error| error.to_string())?;
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for found in regex.find_iter(text) {
        out.push_str(text.get(from..found.start()).unwrap_or_default());
        let mut expanded = with.replace("$0", text.get(found.range()).unwrap_or_default());
        for group in 1..=3 {
            if let Some(range) = found.group(group) {
                expanded =
                    expanded.replace(&format!("${group}"), text.get(range).unwrap_or_default());
            }
        }
        out.push_str(&expanded);
        from = found.end();
    }
    out.push_str(text.get(from..).unwrap_or_default());
    Ok(out)
}
