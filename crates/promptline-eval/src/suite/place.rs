//! Where something is in a file.

/// A place: a file's name and a byte in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) file: String,
    /// From 0.
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// Line and column of a byte, both from 1; a column is a character.
pub(crate) fn line_column(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..text.floor_char_boundary(at)).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}

/// The byte at a line and column, both from 1.
pub(crate) fn byte_at(text: &str, line: usize, column: usize) -> usize {
    let mut at = 0;
    for (number, content) in text.split_inclusive('\n').enumerate() {
        if number + 1 == line {
            let inside = content.char_indices().nth(column.saturating_sub(1));
            return at + inside.map_or(content.len(), |(offset, _)| offset);
        }
        at += content.len();
    }
    text.len()
}
