//! The forms that the text of one section can have: whole, with fewer rules files, with a stretch of text
//! gone and a line in its place that says how much. Which form is taken is decided elsewhere.

use std::ops::Range;

use super::borders::Flat;
use super::marks::Marks;
use super::rules::{self, File};
use super::{RulesCut, Shrink};
use crate::text::{Kept, Part, Splice, Text};

/// How many forms are looked at before the best one so far is taken, and after how many of them the middle
/// is taken instead of a guess. Halving finds the best form of a text of a gigabyte.
const LOOKS: usize = 64;
const GUESSES: usize = 16;
/// How far from a guess the next one is, in bytes; further each time.
const STEP: usize = 32;

/// What a section may look like.
#[derive(Debug, Clone)]
pub(super) struct Form {
    pub(super) text: Text,
    /// What it costs, by its parts.
    pub(super) tokens: usize,
    /// What of that was there before.
    pub(super) left: usize,
    pub(super) rules: Vec<RulesCut>,
    size: usize,
    cut: Cut,
}

impl Form {
    pub(super) fn is_same_cut(&self, other: &Self) -> bool {
        self.cut == other.cut
    }

    pub(super) fn is_whole(&self) -> bool {
        self.cut == Cut::Nothing
    }
}

/// What stays.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Cut {
    Nothing,
    /// So many rules files went.
    Files(usize),
    /// These went, and of the next one, or of all where there are none, this beginning and this ending stay.
    Body(usize, Range<usize>, Range<usize>),
}

/// By how much `tokens` are more than there may be; none or less is right.
pub(super) fn excess(tokens: usize, most: usize) -> i64 {
    let wide = |tokens| i64::try_from(tokens).unwrap_or(i64::MAX);
    wide(tokens) - wide(most)
}

/// Makes every form of a text.
pub(super) struct Cutter<'a> {
    text: &'a Text,
    finished: String,
    whole: Vec<Range<usize>>,
    files: Vec<File<'a>>,
    /// What the files cost, each with those before it.
    costs: Vec<usize>,
    shrink: Shrink,
    /// What is to stay at least, about, in bytes of the last file or of all.
    least: usize,
    all: usize,
    count: &'a dyn Fn(&str) -> usize,
    marks: &'a Marks,
}

impl<'a> Cutter<'a> {
    /// `least`: what is to stay at least, about, in tokens; `all`: what the text costs. `None`: it has no
    /// other form.
    pub(super) fn new(
        text: &'a Text,
        all: usize,
        (shrink, least): (Shrink, usize),
        count: &'a dyn Fn(&str) -> usize,
        marks: &'a Marks,
    ) -> Option<Self> {
        if shrink == Shrink::None {
            return None;
        }
        let finished = text.to_string();
        let whole = text
            .placed_parts()
            .filter(|(_, part)| matches!(part, Part::Splice(Splice::Section(_))))
            .map(|(place, _)| place)
            .collect();
        let files = rules::files(text, &finished);
        let costs = match files.as_slice() {
            // What is around it is short.
            [File { range, .. }] => {
                let around = [finished.get(..range.start), finished.get(range.end..)];
                vec![
                    around
                        .into_iter()
                        .flatten()
                        .fold(all, |all, part| all.saturating_sub(count(part))),
                ]
            }
            files => {
                let of = |file: &File<'_>| finished.get(file.range.clone()).map_or(0, count);
                let sum = |sum: &mut usize, file| {
                    *sum += of(file);
                    Some(*sum)
                };
                files.iter().scan(0, sum).collect()
            }
        };
        let mut cutter =
            Self { text, finished, whole, files, costs, shrink, least: 0, all, count, marks };
        let last = cutter.files.len().saturating_sub(1);
        cutter.least = share(cutter.body(last).len(), least, cutter.body_cost(last));
        Some(cutter)
    }

    /// The largest form that is right: `excess` says by how many tokens a form is too large. It is called
    /// about forms that are larger than `from`, which is right, and about ever closer ones until one is as
    /// `near` as that.
    pub(super) fn largest(
        &self,
        from: Option<Form>,
        near: i64,
        mut excess: impl FnMut(&Form) -> i64,
    ) -> Option<Form> {
        let whole = self.whole_form();
        let mut above = excess(&whole);
        if above <= 0 {
            return Some(whole);
        }
        let (mut low, mut high) = (0, whole.size);
        let mut below = above.saturating_sub(self::excess(whole.tokens, 0)).min(0);
        if let Some(from) = &from {
            (low, below) = (from.size, excess(from).min(0));
        }
        let mut best = from;
        let (mut step, mut up) = (STEP, false);
        for look in 0..LOOKS {
            if high - low <= 1 {
                break;
            }
            let guess =
                low + share(high - low, unsigned(-below), unsigned(above.saturating_sub(below)));
            // A guess that is too low is followed by one that is rather too high, and the other way round.
            let size = match look {
                0 => guess,
                _ if look > GUESSES || high - low <= step => low + (high - low) / 2,
                _ if up => guess.max(low + step),
                _ => guess.min(high - step),
            };
            let size = size.clamp(low + 1, high - 1);
            // Where lines end, many sizes are one form. Where nothing stays, there is none.
            let cut =
                self.cut(size).filter(|cut| best.as_ref().is_none_or(|best| best.cut != *cut));
            let form = cut.map(|cut| self.form(size, cut));
            let over = form.as_ref().map_or(below, &mut excess);
            step = if up == (over <= 0) { step.saturating_mul(4) } else { STEP };
            up = over <= 0;
            if up {
                (low, below) = (size, over);
                best = form.or(best);
                if over.saturating_add(near) >= 0 && best.is_some() {
                    break;
                }
            } else {
                (high, above) = (size, over);
            }
        }
        best
    }

    /// The size of the whole text: the bytes of what can be cut.
    fn size(&self) -> usize {
        match self.files.is_empty() {
            true => self.finished.len(),
            false => self.files.iter().map(|file| file.body.len()).sum(),
        }
    }

    /// What can be cut: of a file what it says, or all where there are none.
    fn body(&self, file: usize) -> Range<usize> {
        self.files.get(file).map_or(0..self.finished.len(), |file| file.body.clone())
    }

    fn body_cost(&self, file: usize) -> usize {
        let Some(File { range, body, .. }) = self.files.get(file) else { return self.all };
        let before = file.checked_sub(1).and_then(|before| self.costs.get(before));
        let cost = self.costs.get(file).map_or(0, |cost| cost - before.unwrap_or(&0));
        let around = [range.start..body.start, body.end..range.end];
        around.iter().fold(cost, |cost, part| cost.saturating_sub((self.count)(self.get(part))))
    }

    fn whole_form(&self) -> Form {
        let (all, text, size) = (self.all, self.text.clone(), self.size());
        Form { text, tokens: all, left: all, rules: Vec::new(), size, cut: Cut::Nothing }
    }

    /// Files go from the first one on; of the one that is next a part stays. `None` when nothing that says
    /// anything would stay.
    fn cut(&self, size: usize) -> Option<Cut> {
        let mut keep = size;
        let mut next = self.files.len().saturating_sub(1);
        while next > 0 && keep >= self.body(next).len() {
            keep -= self.body(next).len();
            next -= 1;
        }
        if keep >= self.body(next).len() {
            return Some(Cut::Nothing);
        }
        let (beginning, ending) = self.ends(next, keep);
        let says = |range: &Range<usize>| !self.get(range).trim().is_empty();
        if says(&beginning) || says(&ending) {
            return Some(Cut::Body(next, beginning, ending));
        }
        (next + 1 < self.files.len()).then_some(Cut::Files(next + 1))
    }

    fn form(&self, size: usize, cut: Cut) -> Form {
        let (gone, body) = match &cut {
            Cut::Nothing => return self.whole_form(),
            Cut::Files(gone) => (*gone, None),
            Cut::Body(gone, beginning, ending) => (*gone, Some((beginning, ending))),
        };
        let mut kept = Vec::new();
        let mut left = self.all;
        let mut words = 0;
        let mut rules: Vec<RulesCut> =
            self.files.iter().take(gone).map(|file| file.cut(true)).collect();
        let mut start = 0;
        if let Some(cost) = gone.checked_sub(1).and_then(|last| self.costs.get(last)) {
            let first = self.files.first().map_or(0, |file| file.range.start);
            let said = format!("{}\n\n", self.marks.rules(gone, *cost));
            start = self.files.get(gone).map_or(first, |file| file.range.start);
            left = left.saturating_sub(*cost);
            words += (self.count)(&said);
            kept.extend([Kept::Stretch(0..first), Kept::Words(said)]);
        }
        if let Some((beginning, ending)) = body {
            let stays = (self.count)(self.get(beginning)) + (self.count)(self.get(ending));
            let lost = self.body_cost(gone).saturating_sub(stays);
            let before = if beginning.is_empty() { "" } else { "\n\n" };
            let behind = if ending.is_empty() { "" } else { "\n\n" };
            let said = format!("{before}{}{behind}", self.marks.text(lost));
            left = left.saturating_sub(lost);
            words += (self.count)(&said);
            kept.extend([Kept::Stretch(start..beginning.end), Kept::Words(said)]);
            start = ending.start;
            rules.extend(self.files.get(gone).map(|file| file.cut(false)));
        }
        kept.push(Kept::Stretch(start..self.finished.len()));
        let text = self.text.keep(&kept);
        Form { text, tokens: left.saturating_add(words), left, rules, size, cut }
    }

    /// The beginning and the ending of a file, or of all, that stay when about `keep` bytes of it may.
    fn ends(&self, file: usize, keep: usize) -> (Range<usize>, Range<usize>) {
        let flat = Flat { text: &self.finished, whole: &self.whole };
        let (start, end) = (self.body(file).start, self.body(file).end);
        let (none_before, none_behind) = (start..start, end..end);
        let near = |keep: usize| keep - keep / 4;
        // Beside a file that is whole there is no least.
        let least = if file + 1 < self.files.len() { 0 } else { self.least.min(keep) };
        match self.shrink {
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

    fn get(&self, range: &Range<usize>) -> &str {
        self.finished.get(range.clone()).unwrap_or_default()
    }
}

/// So many of `all` as `part` is of `of`; not more than all.
fn share(all: usize, part: usize, of: usize) -> usize {
    // Wide enough for any text: a text has fewer bytes than there is memory.
    let share = all as u128 * part as u128 / of.max(1) as u128;
    usize::try_from(share).unwrap_or(all).min(all)
}

fn unsigned(tokens: i64) -> usize {
    usize::try_from(tokens.max(0)).unwrap_or(usize::MAX)
}
