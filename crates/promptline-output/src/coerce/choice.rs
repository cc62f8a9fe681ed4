//! One of several allowed values, however it is written: exactly, by a synonym, in another case, in a
//! sentence. What could be two of them is none.

use serde_json::Value;

use super::scalar::same;
use crate::fold::{fold, words};
use crate::parsed::Coercion;
use crate::shape::Choice;

/// What was found.
#[derive(Debug)]
pub(crate) enum Chosen<'c> {
    One(&'c Choice, Option<Coercion>, u64),
    /// It could be these.
    Several(Vec<&'c str>),
    None,
}

pub(crate) fn choose<'c>(value: &Value, choices: &'c [Choice]) -> Chosen<'c> {
    if let Some(choice) = choices.iter().find(|choice| same(&choice.value, value)) {
        return Chosen::One(choice, None, 0);
    }
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(_) | Value::Bool(_) | Value::Null => value.to_string(),
        _ => return Chosen::None,
    };
    let trimmed = text.trim();
    let by_synonym =
        choices.iter().find(|choice| choice.synonyms.iter().any(|synonym| synonym == trimmed));
    if let Some(choice) = by_synonym {
        return Chosen::One(choice, Some(Coercion::Synonym), 1);
    }
    if let Some(choice) = choices.iter().find(|choice| choice.name == trimmed) {
        return Chosen::One(choice, Some(Coercion::Spelling), 1);
    }
    let folded = fold(trimmed);
    if folded.is_empty() {
        return Chosen::None;
    }
    let alike: Vec<&Choice> =
        choices.iter().filter(|choice| names(choice).any(|name| fold(name) == folded)).collect();
    match alike.as_slice() {
        [] => {}
        [one] => return Chosen::One(one, Some(Coercion::Spelling), 1),
        several => return Chosen::Several(several.iter().map(|one| one.name.as_str()).collect()),
    }
    if !value.is_string() {
        return Chosen::None;
    }
    in_sentence(trimmed, choices)
}

fn names(choice: &Choice) -> impl Iterator<Item = &str> {
    // Literals of JSON are not looked for in words.
    let own = choice.value.is_string().then_some(choice.name.as_str());
    own.into_iter().chain(choice.synonyms.iter().map(String::as_str))
}

/// The one allowed value that a sentence names as a word; a name that is part of a longer one which is
/// there does not count.
fn in_sentence<'c>(text: &str, choices: &'c [Choice]) -> Chosen<'c> {
    const MOST: usize = 4096;
    if text.len() > MOST {
        return Chosen::None;
    }
    let text = words(text);
    let mut found: Vec<(usize, usize, &Choice)> = Vec::new();
    for choice in choices {
        for name in names(choice) {
            let name = words(name);
            let name = name.trim();
            if name.is_empty() {
                continue;
            }
            for (start, _) in text.match_indices(name) {
                let end = start + name.len();
                if is_word(&text, start, end) {
                    found.push((start, end, choice));
                }
            }
        }
    }
    let inside = |one: &(usize, usize, &Choice)| {
        found
            .iter()
            .any(|other| other.0 <= one.0 && one.1 <= other.1 && other.1 - other.0 > one.1 - one.0)
    };
    let mut named: Vec<&Choice> = Vec::new();
    for one in found.iter().filter(|one| !inside(one)) {
        if !named.iter().any(|before| before.name == one.2.name) {
            named.push(one.2);
        }
    }
    match named.as_slice() {
        [] => Chosen::None,
        [one] => Chosen::One(one, Some(Coercion::Substring), 2),
        several => Chosen::Several(several.iter().map(|one| one.name.as_str()).collect()),
    }
}

/// Latin letters go on in a word; Chinese ones do not.
fn is_word(text: &str, start: usize, end: usize) -> bool {
    let joins = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let before = text.get(..start).and_then(|text| text.chars().next_back());
    let behind = text.get(end..).and_then(|text| text.chars().next());
    let first = text.get(start..).and_then(|text| text.chars().next());
    let last = text.get(..end).and_then(|text| text.chars().next_back());
    let goes_on_before = before.is_some_and(joins) && first.is_some_and(joins);
    let goes_on_behind = behind.is_some_and(joins) && last.is_some_and(joins);
    !goes_on_before && !goes_on_behind
}
