//! The lint of headings: two with the same words under the same heading split what belongs together, and a
//! reference to one of them is a guess.

use std::collections::BTreeSet;

use super::levels::Lint;
use super::{LintFindings, Subject};

/// So much of a heading is quoted, in characters.
const MOST_SHOWN: usize = 80;

pub(super) fn check(subject: &Subject<'_>, found: &mut LintFindings<'_>) {
    let text = subject.prompt.text();
    let mut seen: BTreeSet<(usize, usize, String)> = BTreeSet::new();
    // The headings that are open, outermost first: level, and which one it is.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut fence: Option<char> = None;
    let mut last = None;
    for (section, range) in subject.authored() {
        // An open fence ends with its section.
        if last.replace(section.range.start) != Some(section.range.start) {
            fence = None;
        }
        for start in line_starts(text, range) {
            let from = text.get(start..).unwrap_or_default();
            let line = from.split('\n').next().unwrap_or_default().trim_end();
            let mark = line.trim_start().chars().next().filter(|c| matches!(c, '`' | '~'));
            if let Some(mark) =
                mark.filter(|m| line.trim_start().starts_with(&m.to_string().repeat(3)))
            {
                fence = match fence {
                    None => Some(mark),
                    Some(by) if by == mark => None,
                    Some(by) => Some(by),
                };
                continue;
            }
            let Some((level, words)) = heading(line).filter(|_| fence.is_none()) else { continue };
            open.retain(|(outer, _)| *outer < level);
            let parent = open.last().map_or(usize::MAX, |(_, at)| *at);
            open.push((level, start));
            if !seen.insert((parent, level, words.to_lowercase())) {
                let shown: String = words.chars().take(MOST_SHOWN).collect();
                let message = format!("the heading `{shown}` is there twice");
                found.add(Lint::HeadingTwice, "", &shown, &section.origin, &message);
            }
        }
    }
}

/// Where lines begin in a range.
fn line_starts(text: &str, range: std::ops::Range<usize>) -> impl Iterator<Item = usize> {
    let part = text.get(range.clone()).unwrap_or_default();
    let first =
        text.get(..range.start).is_none_or(|before| before.is_empty() || before.ends_with('\n'));
    let inner = memchr::memchr_iter(b'\n', part.as_bytes()).map(move |at| range.start + at + 1);
    let end = range.end;
    first.then_some(range.start).into_iter().chain(inner).filter(move |start| *start < end)
}

/// The level and the words of a heading of Markdown.
fn heading(line: &str) -> Option<(usize, &str)> {
    let words = line.trim_start_matches('#');
    let level = line.len() - words.len();
    let is_heading = (1..=6).contains(&level) && words.starts_with(' ') && !words.trim().is_empty();
    is_heading.then(|| (level, words.trim()))
}
