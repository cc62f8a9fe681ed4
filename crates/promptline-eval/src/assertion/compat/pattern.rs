//! Regular expressions as JavaScript has them without flags: UTF-16 units, ASCII classes, lookaround.

use regress::Regex;

use super::{Check, js};
use crate::assertion::Verdict;

/// A compiled expression.
pub(in crate::assertion) struct Js(Regex);

impl Js {
    pub(in crate::assertion) fn new(pattern: &str) -> Result<Self, String> {
        // Without the flag `u`, `\u{` is the letter and a brace.
        let mut spelled = String::with_capacity(pattern.len());
        let mut rest = pattern;
        while let Some(at) = rest.find('\\') {
            let (before, escape) = rest.split_at(at);
            spelled.push_str(before);
            let end = escape.char_indices().nth(2).map_or(escape.len(), |(end, _)| end);
            let (pair, after) = escape.split_at(end);
            spelled.push_str(if pair == "\\u" && after.starts_with('{') { "u" } else { pair });
            rest = after;
        }
        spelled.push_str(rest);
        Regex::new(&spelled).map(Self).map_err(|error| error.to_string())
    }

    pub(in crate::assertion) fn is_match(&self, text: &str) -> bool {
        let units: Vec<u16> = text.encode_utf16().collect();
        self.0.find_from_ucs2(&units, 0).next().is_some()
    }
}

pub(super) fn grade(check: &Check<'_>) -> Result<Verdict, String> {
    let pattern = check.text()?;
    if pattern.is_empty() {
        return Err(String::from("\"regex\" takes a string that is not empty"));
    }
    // What is no expression fails, and so does its opposite.
    let Ok(regex) = Js::new(pattern) else {
        return Ok(Verdict::of(false, || {
            format!("\"{}\" is no regular expression", js::trim(pattern))
        }));
    };
    Ok(check.verdict(regex.is_match(check.subject.text()), &format!("match \"{pattern}\"")))
}
