//! One of several allowed values, however it is written: exactly, by a synonym, in another case, in a
//! sentence. What could be two of them is none.

use serde_json::Value;

use super::scalar::{nothing, same};
use crate::fold::{fold, words};
use crate::parsed::Coercion;
use crate::repair::Risk;
use crate::shape::Choice;

/// What was found.
#[derive(Debug)]
pub(super) enum Chosen<'c> {
    Exact,
    /// In other words: how, how sure, and at what cost.
    One(&'c Choice, Coercion, Risk, u64),
    /// It could be these.
    Several(Vec<&'c str>),
    None,
}

pub(super) fn choose<'c>(value: &Value, choices: &'c [Choice]) -> Chosen<'c> {
    if choices.iter().any(|choice| same(&choice.value, value)) {
        return Chosen::Exact;
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
        return Chosen::One(choice, Coercion::Synonym, Risk::Lossless, 1);
    }
    if let Some(choice) = choices.iter().find(|choice| choice.name == trimmed) {
        return Chosen::One(choice, Coercion::Spelling, Risk::Lossless, 1);
    }
    if trimmed.len() > LONGEST {
        return Chosen::None;
    }
    let folded = fold(trimmed);
    let alike: Vec<&Choice> = choices
        .iter()
        .filter(|_| !folded.is_empty())
        .filter(|choice| names(choice).any(|name| fold(name) == folded))
        .collect();
    match alike.as_slice() {
        [] if value.is_string() => {}
        [] => return Chosen::None,
        [one] => return Chosen::One(one, Coercion::Spelling, Risk::Lossless, 1),
        several => return Chosen::Several(several.iter().map(|one| one.name.as_str()).collect()),
    }
    match in_sentence(trimmed, choices) {
        Chosen::None => match choices.iter().find(|choice| choice.value.is_null()) {
            Some(null) if nothing(trimmed).is_some() => {
                Chosen::One(null, Coercion::Null, Risk::Guess, 1)
            }
            _ => Chosen::None,
        },
        chosen => chosen,
    }
}

/// A text that is longer is no sentence about a value.
const LONGEST: usize = 4096;

fn names(choice: &Choice) -> impl Iterator<Item = &str> {
    // Literals of JSON are not looked for in words.
    let own = choice.value.is_string().then_some(choice.name.as_str());
    own.into_iter().chain(choice.synonyms.iter().map(String::as_str))
}

/// The one allowed value that a sentence names as a word; a name that is part of a longer one which is
/// there does not count. Of several, the one that is not denied: `not positive; it is negative`.
fn in_sentence<'c>(text: &str, choices: &'c [Choice]) -> Chosen<'c> {
    let text = words(text);
    let named = named(&text, choices);
    match named.as_slice() {
        [] => Chosen::None,
        [one] if one.denied => Chosen::None,
        [one] => Chosen::One(one.choice, Coercion::Substring, Risk::Guess, 2),
        [before @ .., last]
            if !last.denied
                && before.iter().all(|one| one.denied)
                && before.last().is_some_and(|one| contrasts(&text, one.end, last.start)) =>
        {
            Chosen::One(last.choice, Coercion::Substring, Risk::Guess, 2)
        }
        several => Chosen::Several(several.iter().map(|one| one.choice.name.as_str()).collect()),
    }
}

/// Whether what is between two names says that the second one is meant: `not a; it is b`, `不是 a，而是 b`.
fn contrasts(text: &str, from: usize, to: usize) -> bool {
    const WORDS: [&str; 8] = [" is ", " was ", " but ", " instead ", " s ", "而是", "是", "应为"];
    let between = text.get(from..to).unwrap_or_default();
    WORDS.iter().any(|word| between.contains(word)) && !between.contains(" or ")
}

/// Every allowed value that a text names; none if it denies one.
pub(super) fn all_named<'c>(text: &str, choices: &'c [Choice]) -> Option<Vec<&'c Choice>> {
    if text.len() > LONGEST {
        return None;
    }
    let named = named(&words(text), choices);
    let is_denied = named.iter().any(|one| one.denied);
    (!is_denied).then(|| named.into_iter().map(|one| one.choice).collect())
}

/// An allowed value that a text names: where first, and whether one of its mentions is denied.
struct Named<'c> {
    choice: &'c Choice,
    start: usize,
    end: usize,
    denied: bool,
}

/// The allowed values that a text names, in its order.
fn named<'c>(text: &str, choices: &'c [Choice]) -> Vec<Named<'c>> {
    let mut found: Vec<(usize, usize, &'c Choice)> = Vec::new();
    for choice in choices {
        for name in names(choice) {
            let name = words(name);
            let name = name.trim();
            if name.is_empty() {
                continue;
            }
            for (start, _) in text.match_indices(name) {
                let end = start + name.len();
                if is_word(text, start, end) {
                    found.push((start, end, choice));
                }
            }
        }
    }
    // The longer of two at one place first: what ends before the furthest end so far is in another.
    found.sort_by_key(|(start, end, _)| (*start, usize::MAX - end));
    let mut named: Vec<Named<'c>> = Vec::new();
    let mut furthest = 0;
    let mut last = (0, 0);
    for (start, end, choice) in found {
        if end < furthest || end == furthest && (start, end) != last {
            continue;
        }
        (furthest, last) = (end, (start, end));
        let denied = is_denied(text, start);
        match named.iter_mut().find(|before| before.choice.name == choice.name) {
            Some(before) => before.denied |= denied,
            None => named.push(Named { choice, start, end, denied }),
        }
    }
    named
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

/// Words that say the opposite of what follows.
const DENIALS: [&str; 16] = [
    " not",
    " neither",
    " nor",
    " isn t",
    " rather than",
    " never",
    " non",
    "n t",
    " without",
    " than",
    "不",
    "不是",
    "非",
    "没有",
    "无",
    "并非",
];

/// Whether a name is what the sentence says it is not.
fn is_denied(text: &str, start: usize) -> bool {
    let before = text.get(..start).unwrap_or_default().trim_end_matches([' ', '-']);
    DENIALS.iter().any(|denial| before.ends_with(denial) || before == denial.trim_start())
}
