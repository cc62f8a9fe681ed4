//! Text in three quotes, as Python and Markdown have it: no quote inside of it ends it, and it loses what all
//! its lines are indented by.

use super::chars::plain;
use super::look::Look;
use super::string::Open;
use super::{Engine, State, Step};
use crate::repair::{RepairKind, Risk};

impl Engine {
    pub(super) fn in_block(
        &mut self,
        look: &Look<'_>,
        mut open: Box<Open>,
        mark: u8,
        count: usize,
    ) -> Step {
        let mark = char::from(mark).to_string().repeat(count);
        let rest = look.text.as_bytes().get(open.at..).unwrap_or_default();
        let found = memchr::memmem::find(rest, mark.as_bytes());
        look.count(found.unwrap_or(rest.len()) + count);
        let Some(found) = found else {
            // The mark itself may be cut.
            open.at = look.end().saturating_sub(count - 1).max(open.start);
            while !look.text.is_char_boundary(open.at) {
                open.at -= 1;
            }
            self.pos = open.at;
            self.state = State::String(open);
            return if look.more { Step::Wait } else { Step::End };
        };
        let end = open.at + found;
        let text = block(look.slice(open.start, end), mark.starts_with('`'));
        self.repair(look, RepairKind::Quote, open.token, end + count, &text, Risk::Lossless);
        self.pos = end + count;
        self.take_string(open.is_key, text);
        Step::Go
    }
}

/// The text of a block in three quotes: without the lines of the quotes and what all its lines are
/// indented by. Behind backticks the rest of the line says what language it is.
pub(super) fn block(text: &str, code: bool) -> String {
    let text = match text.split_once('\n') {
        Some((first, rest)) if code || first.trim().is_empty() => rest,
        _ => text,
    };
    if !text.contains('\n') {
        return text.trim_end_matches('\n').to_owned();
    }
    let text = text.trim_end();
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let indent = lines().map(|line| line.len() - line.trim_start_matches([' ', '\t']).len()).min();
    let indent = indent.unwrap_or(0);
    let mut dedented = String::with_capacity(text.len());
    for (at, line) in text.lines().enumerate() {
        if at > 0 {
            dedented.push('\n');
        }
        if !line.trim().is_empty() {
            dedented.push_str(line.get(indent..).unwrap_or(""));
        }
    }
    dedented
}

/// Three straight quotes, of one byte each.
pub(super) fn is_triple(look: &Look<'_>, at: usize, c: char) -> bool {
    (0..3).all(|n| look.char(at + n) == Some(c))
}

/// Two straight quotes before a word, and two behind it: `""word""`.
pub(super) fn is_doubled(look: &Look<'_>, at: usize, c: char) -> bool {
    if look.char(at + 1) != Some(c) || !look.char(at + 2).is_some_and(char::is_alphanumeric) {
        return false;
    }
    let Some((_, Some(close))) = look.quoted(at + 1) else { return false };
    let behind = look.blank(close + 2);
    look.char(close + 1) == Some(c)
        && look.char(behind).is_some_and(|c| matches!(plain(c), ':' | ',' | '}' | ']'))
}
