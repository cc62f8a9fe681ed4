//! The texts of a pack's files, kept for one thing: a mistake that is found when all files are read is
//! reported with its place as well. It never reads a format: the word that the mistake is about is looked
//! for, in quotes first, then by itself.

use std::collections::BTreeMap;
use std::fmt;

use crate::text::normalise;
use promptline_diagnostic::Error;

/// Texts as they are stored, by the names that messages call the files.
#[derive(Clone, Default)]
pub(crate) struct Texts(BTreeMap<String, String>);

impl Texts {
    pub(crate) fn new(texts: impl Iterator<Item = (String, String)>) -> Self {
        Self(texts.collect())
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(file, text)| (file.as_str(), text.as_str()))
    }

    /// It is one of these files.
    pub(crate) fn has(&self, file: &str) -> bool {
        self.0.contains_key(file)
    }

    /// The error with its place, where the file is one of these, the word is known, and the place is
    /// not.
    pub(crate) fn placed(&self, error: Error) -> Error {
        if error.line_column().is_some() {
            return error;
        }
        let Some(file) = error.file().map(str::to_owned) else { return error };
        let Some(word) = error.word().map(str::to_owned) else { return error };
        let Some(text) = self.0.get(&file) else { return error };
        let text = normalise(text);
        match place_of(&text, &word) {
            Some(at) => error.at_range(&file, &text, at..at + word.len()),
            None => error,
        }
    }
}

impl fmt::Debug for Texts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
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
