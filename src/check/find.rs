//! Finds the place of a mistake in a file by the word that it is about. It never reads a format: the
//! word in quotes is taken first, then the word by itself.

use std::collections::BTreeMap;

use crate::error::Error;
use crate::text::normalise;

/// The error with its place, where the file and the word are known and the place is not.
pub(super) fn placed(error: Error, texts: &BTreeMap<String, String>) -> Error {
    if error.line_column().is_some() {
        return error;
    }
    let Some(file) = error.file().map(str::to_owned) else { return error };
    let Some(word) = error.word().map(str::to_owned) else { return error };
    let Some(text) = texts.get(&file) else { return error };
    let text = normalise(text);
    match place_of(&text, &word) {
        Some(at) => error.at_range(&file, &text, at..at + word.len()),
        None => error,
    }
}

fn place_of(text: &str, word: &str) -> Option<usize> {
    if word.is_empty() {
        return None;
    }
    let quoted = text.find(&format!("\"{word}\"")).map(|at| at + 1);
    quoted.or_else(|| {
        text.match_indices(word).map(|(at, _)| at).find(|&at| {
            let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
            let before = text.get(..at).and_then(|before| before.chars().next_back());
            let after = text.get(at + word.len()..).and_then(|after| after.chars().next());
            !before.is_some_and(part) && !after.is_some_and(part)
        })
    })
}
