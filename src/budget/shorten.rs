//! Shortens the text of one section: whole rules files first, then a stretch of text, with a line in its
//! place that says how much went.

use std::ops::Range;

use super::borders::Flat;
use super::{RulesCut, Shrink, rules};
use crate::text::{Kept, Part, Splice, Text};

/// How often the length is guessed anew. The first guess is right where tokens are spread evenly.
const GUESSES: usize = 16;

/// A section that is shorter than it was.
#[derive(Debug)]
pub(super) struct Shortened {
    pub(super) text: Text,
    pub(super) tokens: usize,
    pub(super) rules: Vec<RulesCut>,
}

/// How short a text is wished.
#[derive(Clone, Copy)]
pub(super) struct Wish<'a> {
    pub(super) shrink: Shrink,
    /// What it may cost.
    pub(super) target: usize,
    /// What is to stay of it at least, about; this is stronger.
    pub(super) least: usize,
    pub(super) count: &'a dyn Fn(&str) -> usize,
}

/// `None` when nothing that says anything would stay.
pub(super) fn shorten(text: &Text, wish: Wish<'_>) -> Option<Shortened> {
    if wish.shrink == Shrink::None {
        return None;
    }
    let finished = text.to_string();
    let whole: Vec<Range<usize>> = text
        .placed_parts()
        .filter(|(_, part)| matches!(part, Part::Splice(Splice::Section(_))))
        .map(|(place, _)| place)
        .collect();
    let flat = Flat { text: &finished, whole: &whole };
    let files = rules::files(text, &finished);
    let (kept, rules) = match files.is_empty() {
        true => (stretches(&flat, 0..finished.len(), wish)?, Vec::new()),
        false => shorten_files(&flat, &files, wish)?,
    };
    let text = text.keep(&kept);
    let tokens = (wish.count)(&text.to_string());
    Some(Shortened { text, tokens, rules })
}

/// Whole files go from the first one on; the last one is shortened.
fn shorten_files(
    flat: &Flat<'_>,
    files: &[rules::File<'_>],
    wish: Wish<'_>,
) -> Option<(Vec<Kept>, Vec<RulesCut>)> {
    let count = wish.count;
    let (first, last) = (files.first()?, files.last()?);
    let all = count(flat.text);
    let mut gone = 0;
    let mut cuts: Vec<RulesCut> = Vec::new();
    let mut kept = vec![Kept::Stretch(0..first.range.start)];
    for (file, next) in files.iter().zip(files.iter().skip(1)) {
        gone += count(flat.get(file.range.clone()));
        cuts.push(file.cut(true));
        let words = said_of_files(cuts.len(), gone);
        if all.saturating_sub(gone) + count(&words) <= wish.target {
            kept.push(Kept::Words(words));
            kept.push(Kept::Stretch(next.range.start..flat.text.len()));
            return Some((kept, cuts));
        }
    }
    let words = if cuts.is_empty() { String::new() } else { said_of_files(cuts.len(), gone) };
    let body = count(flat.get(last.body.clone()));
    let around = all.saturating_sub(gone + body) + count(&words);
    let inside = Wish { target: wish.target.saturating_sub(around), ..wish };
    kept.push(Kept::Words(words));
    kept.push(Kept::Stretch(last.range.start..last.body.start));
    // Nothing to shorten in it: that the others went has to do.
    match stretches(flat, last.body.clone(), inside) {
        Some(stretches) => {
            kept.extend(stretches);
            cuts.push(last.cut(false));
        }
        None if cuts.is_empty() || inside.target < body && inside.target >= wish.least => {
            return None;
        }
        None => kept.push(Kept::Stretch(last.body.clone())),
    }
    kept.push(Kept::Stretch(last.body.end..flat.text.len()));
    Some((kept, cuts))
}

/// What stays of a stretch, and the words in place of the rest.
fn stretches(flat: &Flat<'_>, range: Range<usize>, wish: Wish<'_>) -> Option<Vec<Kept>> {
    let count = wish.count;
    let all = count(flat.get(range.clone()));
    let room = wish.target.saturating_sub(count(&format!("\n\n{}\n\n", said(all))) + 1);
    let room = room.max(wish.least);
    if room == 0 || room >= all {
        return None;
    }
    let share = |tokens: usize, of: usize, bytes: usize| {
        // Wide enough for any text: a text has fewer bytes than there is memory.
        let share = bytes as u128 * tokens as u128 / of.max(1) as u128;
        usize::try_from(share).unwrap_or(bytes).min(bytes)
    };
    let least = share(wish.least, all, range.len());
    let mut keep = share(room, all, range.len());
    for _ in 0..GUESSES {
        let (beginning, ending) = ends(flat, &range, wish.shrink, keep, least.min(keep));
        let left = count(flat.get(beginning.clone())) + count(flat.get(ending.clone()));
        if flat.get(beginning.clone()).trim().is_empty()
            && flat.get(ending.clone()).trim().is_empty()
        {
            return None;
        }
        if left <= room {
            let words = said(all - left);
            let before = if beginning.is_empty() { "" } else { "\n\n" };
            let behind = if ending.is_empty() { "" } else { "\n\n" };
            return Some(vec![
                Kept::Stretch(beginning),
                Kept::Words(format!("{before}{words}{behind}")),
                Kept::Stretch(ending),
            ]);
        }
        keep = share(room, left, keep).min(keep.saturating_sub(1));
    }
    None
}

/// The beginning and the ending that stay when about `keep` bytes may; `least` of them are to.
fn ends(
    flat: &Flat<'_>,
    range: &Range<usize>,
    shrink: Shrink,
    keep: usize,
    least: usize,
) -> (Range<usize>, Range<usize>) {
    let (start, end) = (range.start, range.end);
    let (none_before, none_behind) = (start..start, end..end);
    let near = |keep: usize| keep - keep / 4;
    match shrink {
        Shrink::Head => {
            let near = end - near(keep).max(least);
            (none_before, flat.start_of_ending(end - keep, near, end)..end)
        }
        Shrink::Middle => {
            let half = keep / 2;
            let middle = flat.end_of_beginning(start, start + near(half), start + half);
            let rest = keep - half;
            let ending = flat.start_of_ending(end - rest, end - near(rest), end);
            (start..middle, ending.max(middle)..end)
        }
        Shrink::Lines => {
            let near = start + near(least).max(1);
            (start..flat.end_of_beginning(start, near, start + keep), none_behind)
        }
        Shrink::None | Shrink::Tail => {
            let near = start + near(keep).max(least);
            (start..flat.end_of_beginning(start, near, start + keep), none_behind)
        }
    }
}

fn said(tokens: usize) -> String {
    format!("[Left out to fit the budget: about {tokens} tokens.]")
}

fn said_of_files(files: usize, tokens: usize) -> String {
    let files = match files {
        1 => "1 rules file".to_owned(),
        more => format!("{more} rules files"),
    };
    format!(
        "[Left out to fit the budget: {files} farther from the working directory, about {tokens} tokens.]\n\n"
    )
}
