//! Long texts are cut in the middle, with a mark that says so and where the whole is.

use crate::Wording;

/// Nothing is cut shorter than this, in tokens: the mark takes room too.
pub(crate) const SHORTEST: usize = 64;

/// A text of no more than so many tokens: as it is, or cut in the middle.
pub(crate) fn shorten_to(text: &str, tokens: usize, count: &dyn Fn(&str) -> usize) -> String {
    shorten_marked(text, tokens, count, "[… {bytes} bytes left out …]", "")
}

/// The same, with a pointer to the whole.
pub(crate) fn shorten_part(
    text: &str,
    tokens: usize,
    count: &dyn Fn(&str) -> usize,
    wording: &Wording,
    place: Option<(&str, u64)>,
) -> String {
    let whole = place.map_or(String::new(), |(turn, seq)| {
        wording.whole.replace("{turn}", turn).replace("{seq}", &seq.to_string())
    });
    shorten_marked(text, tokens, count, &wording.cut, &whole)
}

fn shorten_marked(
    text: &str,
    tokens: usize,
    count: &dyn Fn(&str) -> usize,
    cut: &str,
    whole: &str,
) -> String {
    // A token has a byte at least.
    if text.len() <= tokens || count(text) <= tokens {
        return text.to_owned();
    }
    let candidate = |kept: usize| {
        let head = text.get(..text.floor_char_boundary(kept / 3 * 2)).unwrap_or_default();
        let tail = text.get(text.ceil_char_boundary(text.len() - kept / 3)..).unwrap_or_default();
        let left_out = text.len() - head.len() - tail.len();
        let mark = cut.replace("{bytes}", &left_out.to_string());
        format!("{head}{mark}{whole}{tail}")
    };
    // Longer candidates cannot fit, whatever the vocabulary: so the search does not read the whole text again.
    let (mut low, mut high) = (0, tokens.saturating_mul(16).min(text.len()));
    if count(&candidate(low)) > tokens {
        return String::new();
    }
    while high - low > 2 {
        let middle = low + (high - low) / 2;
        if count(&candidate(middle)) <= tokens { low = middle } else { high = middle }
    }
    candidate(low)
}
