//! The part of an answer that is nearest to a text that is not in it, for people who look at a failure.

use std::collections::HashMap;
use std::ops::Range;

/// The window of the needle's length with the most characters in common, the first of several. None where not even
/// half of them are. Linear in the text.
pub(crate) fn find(text: &str, needle: &str) -> Option<Range<usize>> {
    const LONGEST: usize = 100_000;
    let text = text.get(..text.floor_char_boundary(LONGEST)).unwrap_or(text);
    let characters: Vec<(usize, char)> =
        text.char_indices().filter_map(|(at, c)| Some((at, c.to_lowercase().next()?))).collect();
    // How many of each wanted character are not in the window yet.
    let mut left: HashMap<char, i64> = HashMap::new();
    let mut window = 0;
    for character in needle.chars().filter_map(|c| c.to_lowercase().next()) {
        *left.entry(character).or_insert(0) += 1;
        window += 1;
    }
    let (mut have, mut best) = (0, (0, 0));
    for (end, (_, character)) in characters.iter().enumerate() {
        if let Some(count) = left.get_mut(character) {
            have += usize::from(*count > 0);
            *count -= 1;
        }
        let gone = end.checked_sub(window).and_then(|at| characters.get(at));
        if let Some(count) = gone.and_then(|(_, character)| left.get_mut(character)) {
            *count += 1;
            have -= usize::from(*count > 0);
        }
        if have > best.0 {
            best = (have, (end + 1).saturating_sub(window));
        }
    }
    let (most, start) = best;
    if most == 0 || most * 2 < window {
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
