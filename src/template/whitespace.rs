//! Whitespace control, for both lanes, as Handlebars has it: `~` takes all whitespace beside a tag,
//! and a block tag, comment or partial that is alone on its line takes the line with it. Raw
//! blocks are never touched.

use super::token::{Token, TokenKind};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trim {
    Nothing,
    /// The blanks before, or the blanks and the line break behind.
    Line,
    All,
}

/// Trims the texts beside tags.
pub(super) fn control(source: &str, tokens: &mut [Token]) {
    for at in 0..tokens.len() {
        let Some(tag) = tokens.get(at) else { continue };
        let (before, behind) = judge(source, tag);
        if let Some(text) = at.checked_sub(1).and_then(|at| tokens.get_mut(at)) {
            trim_end(source, text, before);
        }
        if let Some(text) = tokens.get_mut(at + 1) {
            trim_start(source, text, behind);
        }
    }
}

fn judge(source: &str, tag: &Token) -> (Trim, Trim) {
    let takes_line = !matches!(tag.kind, TokenKind::Text | TokenKind::Raw | TokenKind::Print)
        && is_standalone(source, tag);
    let trim = |all, line| match (all, line) {
        (true, _) => Trim::All,
        (false, true) => Trim::Line,
        (false, false) => Trim::Nothing,
    };
    // The blanks before a partial stay, once: an indented partial is not indented line by line.
    let before = trim(tag.trim_left, takes_line && tag.kind != TokenKind::Partial);
    (before, trim(tag.trim_right, takes_line))
}

/// Nothing but blanks is beside the tag on its line. Looks at the source itself, so what other
/// tags trimmed does not count.
fn is_standalone(source: &str, tag: &Token) -> bool {
    let before = source.get(..tag.span.start).unwrap_or_default();
    let behind = source.get(tag.span.end..).unwrap_or_default();
    let before = before.trim_end_matches(is_blank);
    let behind = behind.trim_start_matches(is_blank);
    (before.is_empty() || before.ends_with('\n')) && (behind.is_empty() || behind.starts_with('\n'))
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t')
}

fn trim_end(source: &str, text: &mut Token, trim: Trim) {
    if text.kind == TokenKind::Text {
        let left = source.get(text.span.clone()).unwrap_or_default();
        let left = match trim {
            Trim::Nothing => left,
            Trim::Line => left.trim_end_matches(is_blank),
            Trim::All => left.trim_end(),
        };
        text.span.end = text.span.start + left.len();
    }
}

fn trim_start(source: &str, text: &mut Token, trim: Trim) {
    if text.kind == TokenKind::Text {
        let left = source.get(text.span.clone()).unwrap_or_default();
        let left = match trim {
            Trim::Nothing => left,
            Trim::Line => {
                let left = left.trim_start_matches(is_blank);
                left.strip_prefix('\n').unwrap_or(left)
            }
            Trim::All => left.trim_start(),
        };
        text.span.start = text.span.end - left.len();
    }
}
