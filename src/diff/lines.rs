//! Two texts line by line, for people. It shows what a terminal would hide: carriage returns, blanks at
//! the end of a changed line, control characters, a last line without a newline.

use similar::{Algorithm, ChangeTag, TextDiff};

/// The hunks of a unified diff, each line ended by a newline; empty when the texts are equal.
pub(crate) fn unified(before: &str, after: &str) -> String {
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
        check("a\n", "a\n\n", "@@ -1 +1,2 @@\n a\n+\n");
        check("x  \na\n", "x  \nb\n", "@@ -1,2 +1,2 @@\n x  \n-a\n+b\n");
    }
}
