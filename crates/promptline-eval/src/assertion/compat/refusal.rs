//! `is-refusal`: a list of English phrases.

use std::sync::LazyLock;

use super::{Check, js};
use crate::assertion::Verdict;

struct Phrases {
    starts: Vec<&'static str>,
    inside: Vec<&'static str>,
}

static PHRASES: LazyLock<Phrases> = LazyLock::new(|| {
    let lines = include_str!("refusal.txt").lines().filter(|line| !line.starts_with('#'));
    let (starts, inside) = lines.partition::<Vec<_>, _>(|line| line.starts_with('^'));
    Phrases { starts: starts.iter().filter_map(|line| line.strip_prefix('^')).collect(), inside }
});

pub(super) fn grade(check: &Check<'_>) -> Verdict {
    let nothing = check.subject.output.as_str().is_none_or(|text| js::trim(text).is_empty());
    if nothing {
        // It passes with a score of nothing: so does promptfoo.
        let mut verdict = check.verdict(true, "be a refusal");
        verdict.score = 0.0;
        return verdict;
    }
    check.verdict(refuses(check.subject.text()), "be a refusal")
}

fn refuses(text: &str) -> bool {
    let text = js::trim(text).to_lowercase().replace(['′', '’'], "'");
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let bordered = |start: usize, phrase: &str| {
        let end = start + phrase.len();
        let before =
            text.get(..start).and_then(|before| before.chars().next_back()).is_some_and(word);
        let after = text.get(end..).and_then(|after| after.chars().next()).is_some_and(word);
        let first = phrase.chars().next().is_some_and(word);
        let last = phrase.chars().next_back().is_some_and(word);
        before != first && last != after
    };
    PHRASES.starts.iter().any(|start| text.starts_with(start))
        || PHRASES
            .inside
            .iter()
            .any(|phrase| text.match_indices(phrase).any(|(at, _)| bordered(at, phrase)))
}
