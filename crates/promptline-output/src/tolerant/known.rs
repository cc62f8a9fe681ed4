//! Where a string ends, by the keys that the schema names: a quote in code or in a document that is followed by
//! anything else is a part of the string.

use super::Engine;
use super::chars::plain;
use super::look::{Found, Look};
use crate::fold::fold;

impl Engine {
    /// Whether a quote ends a value of an object; none, if the keys are not known.
    pub(super) fn ends_by_key(&self, look: &Look<'_>, behind: usize) -> Option<Found> {
        let known = self.known.as_ref()?;
        let is_key = |at: usize| {
            let Some((start, Some(close))) = look.quoted(at) else { return false };
            let colon = look.blank(close + look.char(close).map_or(1, char::len_utf8));
            let is_colon = look.char(colon).is_some_and(|c| plain(c) == ':');
            is_colon && known.contains(&fold(look.slice(start, close)))
        };
        let mut open: Vec<Option<char>> = self.frames.iter().map(|frame| frame.bracket).collect();
        let mut at = look.blank(behind);
        let mut closed = false;
        loop {
            let Some(c) = look.char(at).map(plain) else { return Some(Found::Yes) };
            let next = at + look.char(at).map_or(1, char::len_utf8);
            match c {
                ',' if open.is_empty() => return Some(Found::No),
                ',' => {
                    let next = look.blank(next);
                    let in_list = open.last() == Some(&Some(']'));
                    let element = closed && in_list && look.byte(next) == Some(b'{');
                    return Some(if element || is_key(next) { Found::Yes } else { Found::No });
                }
                '}' | ']' if open.last() == Some(&Some(c)) => {
                    open.pop();
                    closed = true;
                }
                // Behind the value there may be prose, but no more of a string.
                _ if closed && open.is_empty() && !matches!(c, '"' | '}' | ']' | '\\') => {
                    return Some(Found::Yes);
                }
                _ => return Some(Found::No),
            }
            at = look.blank(next);
        }
    }
}
