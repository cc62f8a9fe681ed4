//! Two runs side by side: cases, answers, prompts, and which changed sentence goes with which failure.

use std::collections::BTreeSet;

use serde::Serialize;
use similar::{ChangeTag, TextDiff};

use crate::run::{Run, Status};

/// What differs between two runs.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Difference {
    /// Sentences of the prompt that changed.
    pub sentences: Vec<Sentence>,
    /// Cases that came out differently, or whose answers differ.
    pub cases: Vec<CaseDifference>,
    /// The models, when they differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub models: Option<(String, String)>,
}

/// A changed sentence.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Sentence {
    /// As it was; empty when it is new.
    pub before: String,
    /// As it is; empty when it is gone.
    pub after: String,
    /// Newly failing cases that share words with the change, the nearest first. All of them when it is the only
    /// change.
    pub failures: Vec<String>,
}

/// A case on both sides.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CaseDifference {
    /// The case.
    pub id: String,
    /// How it came out before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Status>,
    /// How it comes out now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Status>,
    /// The first answer before.
    pub answer_before: String,
    /// The first answer now.
    pub answer_after: String,
    /// What is expected and does not hold now.
    pub failing: Vec<String>,
}

impl CaseDifference {
    /// Passed and fails.
    #[must_use]
    pub fn newly_failing(&self) -> bool {
        self.before == Some(Status::Pass) && self.after == Some(Status::Fail)
    }
}

/// Compares two runs.
#[must_use]
pub fn diff(base: &Run, new: &Run) -> Difference {
    let (before, after) = (base.by_case(), new.by_case());
    let ids: BTreeSet<&str> = before.keys().chain(after.keys()).copied().collect();
    let mut cases = Vec::new();
    for id in ids {
        let (old, now) = (before.get(id), after.get(id));
        let answer = |rows: Option<&Vec<&crate::run::Row>>| {
            rows.and_then(|rows| rows.first()).map(|row| row.answer.clone()).unwrap_or_default()
        };
        let status = |rows: Option<&Vec<&crate::run::Row>>| rows.map(|rows| Status::of(rows));
        let found = CaseDifference {
            id: id.to_owned(),
            before: status(old),
            after: status(now),
            answer_before: answer(old),
            answer_after: answer(now),
            failing: now
                .and_then(|rows| rows.iter().find(|row| !row.pass))
                .map(|row| {
                    row.checks
                        .iter()
                        .filter(|check| !check.pass)
                        .map(|check| check.reason.clone())
                        .collect()
                })
                .unwrap_or_default(),
        };
        if found.before != found.after || found.answer_before != found.answer_after {
            cases.push(found);
        }
    }
    cases.sort_by_key(|case| (!case.newly_failing(), case.before == case.after));
    let mut sentences = sentences(&base.prompt.text, &new.prompt.text);
    attribute(&mut sentences, &cases);
    let models = (base.model != new.model).then(|| (base.model.clone(), new.model.clone()));
    Difference { sentences, cases, models }
}

fn sentences(before: &str, after: &str) -> Vec<Sentence> {
    let (old, new) = (split(before), split(after));
    let diff = TextDiff::from_slices(&old, &new);
    let mut found = Vec::new();
    let mut open = Sentence::default();
    for change in diff.iter_all_changes() {
        let text = change.value().trim();
        match change.tag() {
            ChangeTag::Equal => {
                if open != Sentence::default() {
                    found.push(std::mem::take(&mut open));
                }
            }
            ChangeTag::Delete if text.is_empty() => {}
            ChangeTag::Insert if text.is_empty() => {}
            ChangeTag::Delete => {
                if !open.before.is_empty() || !open.after.is_empty() {
                    found.push(std::mem::take(&mut open));
                }
                text.clone_into(&mut open.before);
            }
            ChangeTag::Insert => {
                if !open.after.is_empty() {
                    found.push(std::mem::take(&mut open));
                }
                text.clone_into(&mut open.after);
            }
        }
    }
    if open != Sentence::default() {
        found.push(open);
    }
    found
}

/// Sentences with what ends them; commas of Chinese do not.
fn split(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let blank_follows = characters.peek().is_none_or(|(_, next)| next.is_whitespace());
        let ends = matches!(character, '\n' | '。' | '！' | '？' | '；')
            || (matches!(character, '.' | '!' | '?') && blank_follows);
        if ends {
            let end = at + character.len_utf8();
            found.extend(text.get(start..end));
            start = end;
        }
    }
    if start < text.len() {
        found.extend(text.get(start..));
    }
    found
}

fn attribute(sentences: &mut [Sentence], cases: &[CaseDifference]) {
    let failing: Vec<&CaseDifference> = cases.iter().filter(|case| case.newly_failing()).collect();
    let alone = sentences.len() == 1;
    for sentence in sentences.iter_mut() {
        let words = pairs(&format!("{} {}", sentence.before, sentence.after));
        let mut scored: Vec<(usize, &str)> = failing
            .iter()
            .map(|case| {
                let text = format!(
                    "{} {} {} {}",
                    case.id,
                    case.answer_before,
                    case.answer_after,
                    case.failing.join(" ")
                );
                (words.intersection(&pairs(&text)).count(), case.id.as_str())
            })
            .filter(|(score, _)| alone || *score >= 2)
            .collect();
        scored.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(b.1)));
        sentence.failures = scored.into_iter().map(|(_, id)| id.to_owned()).collect();
    }
}

fn pairs(text: &str) -> BTreeSet<String> {
    let characters: Vec<char> = text.chars().flat_map(char::to_lowercase).collect();
    let pair =
        |pair: &[char]| pair.iter().all(|c| c.is_alphanumeric()).then(|| pair.iter().collect());
    // Three letters of a script with letters say as much as two characters of one without.
    let latin = characters.windows(3).filter(|w| w.iter().all(char::is_ascii));
    let other = characters.windows(2).filter(|w| w.iter().any(|c| !c.is_ascii()));
    latin.chain(other).filter_map(pair).collect()
}
