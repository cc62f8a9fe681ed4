//! Names in messages: the nearest known one, lists that stay short, and any text on one line.

use std::borrow::Cow;

/// The name most like `wanted`, when one is near enough to be meant.
pub fn nearest<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Edit distance is quadratic in the length; a name of this size is not a typo.
    const LONGEST: usize = 100;
    if wanted.len() > LONGEST {
        return None;
    }
    let folded = wanted.to_lowercase();
    names
        .into_iter()
        .filter(|name| name.len() <= LONGEST)
        .map(|name| (strsim::damerau_levenshtein(&folded, &name.to_lowercase()), name))
        .filter(|(distance, _)| *distance <= 1 + wanted.chars().count() / 4)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// A text on one line: every line break or control becomes a blank (CRLF one); the count says how
/// many.
pub fn one_line(text: &str) -> (Cow<'_, str>, usize) {
    let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    if !text.contains(breaks) {
        return (Cow::Borrowed(text), 0);
    }
    let mut count = 0;
    let line = text
        .replace("\r\n", "\n")
        .chars()
        .map(|c| {
            let bad = breaks(c);
            count += usize::from(bad);
            if bad { ' ' } else { c }
        })
        .collect();
    (Cow::Owned(line), count)
}

/// "`a`, `b` and `c`", for messages.
pub fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    const SHOWN: usize = 12;
    let names: Vec<_> = names.into_iter().collect();
    let mut text =
        names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN {
        text.push_str(&format!(" and {} more", names.len() - SHOWN));
    }
    if text.is_empty() { "none".to_owned() } else { text }
}
