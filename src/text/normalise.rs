//! What happens to text on its way in. Each function borrows when there is nothing to do.

use std::borrow::Cow;
use std::ops::Range;

use super::marks::strip_noncharacters;

/// What loading a file does to its text: a leading byte order mark goes, CRLF becomes LF, and
/// noncharacters (which promptline uses itself) are removed. A byte order mark further inside, and a
/// lone CR, stay.
#[must_use]
pub fn normalise(text: &str) -> Cow<'_, str> {
    match strip_noncharacters(text) {
        (Cow::Borrowed(text), _) => unify_line_ends(text),
        (Cow::Owned(text), _) => Cow::Owned(unify_line_ends(&text).into_owned()),
    }
}

/// Without a leading byte order mark, and with LF for CRLF.
pub(crate) fn unify_line_ends(text: &str) -> Cow<'_, str> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    if memchr::memmem::find(text.as_bytes(), b"\r\n").is_some() {
        Cow::Owned(text.replace("\r\n", "\n"))
    } else {
        Cow::Borrowed(text)
    }
}

/// The text without the blank lines at its ends; blanks in the first and last line that say something
/// stay. Empty for a blank text.
pub(crate) fn trim_blank_lines(text: &str) -> Range<usize> {
    let body = text.trim_end();
    if body.is_empty() {
        return 0..0;
    }
    // Of the blanks behind the last word, those of its own line stay.
    let tail = text.get(body.len()..).unwrap_or_default();
    let end = body.len() + tail.find(['\n', '\r']).unwrap_or(tail.len());
    let head = body.len() - body.trim_start().len();
    let start = text
        .get(..head)
        .and_then(|blank| blank.rfind(['\n', '\r']))
        .map_or(0, |line_break| line_break + 1);
    start..end
}

/// Indents by two blanks every line that starts like the structure of a tool list; the first one only
/// when it is at the start of a line. Line breaks come out as LF. The count says how many lines
/// were indented.
pub(crate) fn indent_structure(text: &str, line_start: bool) -> (Cow<'_, str>, usize) {
    // One line that does not start here has no start of its own; most descriptions are that.
    if !line_start && memchr::memchr2(b'\n', b'\r', text.as_bytes()).is_none() {
        return (Cow::Borrowed(text), 0);
    }
    const STRUCTURE: [&str; 7] = ["#", "- ", "<", "====", "Description:", "Parameters:", "Usage:"];
    let text = if text.contains('\r') {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Cow::Borrowed(text)
    };
    let reads_as_structure = |line: &str| STRUCTURE.iter().any(|start| line.starts_with(start));
    let count = text
        .split('\n')
        .skip(usize::from(!line_start))
        .filter(|line| reads_as_structure(line))
        .count();
    if count == 0 {
        return (text, 0);
    }
    let mut indented = String::with_capacity(text.len() + 2 * count);
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            indented.push('\n');
        }
        if (number > 0 || line_start) && reads_as_structure(line) {
            indented.push_str("  ");
        }
        indented.push_str(line);
    }
    (Cow::Owned(indented), count)
}
