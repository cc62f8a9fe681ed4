//! The part of an answer that is nearest to a text that is not in it, for people who look at a failure.

use std::collections::HashMap;
use std::ops::Range;

/// The window of the needle's length with the most pairs of characters in common. None where nothing is near.
/// Linear in the text.
pub(crate) fn find(text: &str, needle: &str) -> Option<Range<usize>> {
    const LONGEST: usize = 100_000;
    let text = text.get(..text.floor_char_boundary(LONGEST)).unwrap_or(text);
    let characters: Vec<(usize, char)> =
        text.char_indices().filter_map(|(at, c)| Some((at, c.to_lowercase().next()?))).collect();
    let needle: Vec<char> = needle.chars().filter_map(|c| c.to_lowercase().next()).collect();
    let window = needle.len().max(2);
    let mut wanted: HashMap<(char, char), i32> = HashMap::new();
    for pair in needle.windows(2) {
        if let [a, b] = pair {
            *wanted.entry((*a, *b)).or_insert(0) += 1;
        }
    }
    let pair = |at: usize| Some((characters.get(at)?.1, characters.get(at + 1)?.1));
    let (mut have, mut best): (i32, Option<(i32, usize)>) = (0, None);
    // What is left of each wanted pair: a pair counts as long as some are left.
    for end in 0..characters.len().saturating_sub(1) {
        if let Some(left) = pair(end).and_then(|pair| wanted.get_mut(&pair)) {
            have += i32::from(*left > 0);
            *left -= 1;
        }
        if end + 2 > window {
            let start = end + 2 - window;
            if let Some(left) = start.checked_sub(1).and_then(pair).and_then(|pair| wanted.get_mut(&pair)) {
                *left += 1;
                have -= i32::from(*left > 0);
            }
        }
        let start = (end + 2).saturating_sub(window);
        if best.is_none_or(|(most, _)| have > most) {
            best = Some((have, start));
        }
    }
    let (most, start) = best?;
    if most < 1 || most * 3 < i32::try_from(window).ok()? - 1 {
        return None;
    }
    let from = characters.get(start)?.0;
    let to = characters.get(start + window).map_or(text.len(), |(at, _)| *at);
    Some(from..to)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_nearest_part() {
        let near = |text: &'static str, needle| super::find(text, needle).map(|range| &text[range]);
        assert_eq!(near("目前全场满99元包邮哦", "满79包邮"), Some("满99元包"));
        assert_eq!(near("Our policy: 15 days return", "7 days"), Some("5 days"));
        assert_eq!(near("nothing alike", "满79"), None);
        assert_eq!(near("", "x"), None);
    }
}
