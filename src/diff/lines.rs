//! Two texts line by line, for people. It shows what a terminal would hide: carriage returns, blanks at
//! the end of a changed line, control characters, a last line without a newline.

use std::borrow::Cow;

use similar::{Algorithm, ChangeTag, TextDiff};

/// The hunks of a unified diff, each line ended by a newline; empty when the texts are equal. Of two
/// texts that both end without a newline, nothing is said about that: most prompts do.
pub(crate) fn unified(before: &str, after: &str) -> String {
    let open = |text: &str| text.is_empty() || !text.ends_with('\n');
    let (before, after) = if open(before) && open(after) {
        (closed(before), closed(after))
    } else {
        (Cow::Borrowed(before), Cow::Borrowed(after))
    };
    let (before, after) = (before.as_ref(), after.as_ref());
    let diff = TextDiff::configure().algorithm(Algorithm::Histogram).diff_lines(before, after);
    let mut shown = String::new();
    for hunk in diff.unified_diff().context_radius(3).iter_hunks() {
        shown.push_str(hunk.header().to_string().trim_end());
        shown.push('\n');
        for change in hunk.iter_changes() {
            let changed = change.tag() != ChangeTag::Equal;
            shown.push(match change.tag() {
                ChangeTag::Equal => ' ',
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
            });
            push_visible(&mut shown, change.value(), changed);
            if change.missing_newline() {
                shown.push_str("\\ no newline at the end\n");
            }
        }
    }
    shown
}

fn closed(text: &str) -> Cow<'_, str> {
    if text.is_empty() { Cow::Borrowed(text) } else { Cow::Owned(format!("{text}\n")) }
}

/// A line with its hidden characters shown: `␍` for a carriage return, `·` for a blank at the end of a
/// changed line, `\u{…}` for everything else that has no form.
fn push_visible(shown: &mut String, line: &str, changed: bool) {
    let line = line.strip_suffix('\n').unwrap_or(line);
    let kept = match line.trim_end_matches([' ', '\r']) {
        kept if changed => kept,
        _ => line,
    };
    for c in kept.chars() {
        match c {
            '\t' => shown.push(c),
            '\r' => shown.push('␍'),
            '\u{200B}'..='\u{200F}'
            | '\u{202A}'..='\u{202E}'
            | '\u{2066}'..='\u{2069}'
            | '\u{FEFF}'
            | '\u{E0000}'..='\u{E007F}' => shown.extend(c.escape_unicode()),
            c if c.is_control() => shown.extend(c.escape_unicode()),
            c => shown.push(c),
        }
    }
    let end = line.get(kept.len()..).unwrap_or_default();
    shown.extend(end.chars().map(|c| if c == '\r' { '␍' } else { '·' }));
    shown.push('\n');
}

#[cfg(test)]
mod tests {
    use super::unified;

    fn check(before: &str, after: &str, expected: &str) {
        assert_eq!(unified(before, after), expected, "{before:?} {after:?}");
    }

    #[test]
    fn what_a_terminal_hides_is_shown() {
        check("a\n", "a\n", "");
        check("", "a\n", "@@ -0,0 +1 @@\n+a\n");
        check("a\n", "a\r\n", "@@ -1 +1 @@\n-a\n+a␍\n");
        check("a\n", "a  \n", "@@ -1 +1 @@\n-a\n+a··\n");
        check("a\n", "a", "@@ -1 +1 @@\n-a\n+a\n\\ no newline at the end\n");
        check("a\n", "\u{202E}a\n", "@@ -1 +1 @@\n-a\n+\\u{202e}a\n");
        check("a", "b", "@@ -1 +1 @@\n-a\n+b\n");
        check("a", "a\nb", "@@ -1 +1,2 @@\n a\n+b\n");
        check("", "b", "@@ -0,0 +1 @@\n+b\n");
        check("a\n", "a\n\n", "@@ -1 +1,2 @@\n a\n+\n");
        check("x  \na\n", "x  \nb\n", "@@ -1,2 +1,2 @@\n x  \n-a\n+b\n");
    }
}
