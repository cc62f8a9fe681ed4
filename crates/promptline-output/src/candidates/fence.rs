//! Code fences: what they are of, and bodies that are a literal, a number or a quoted string.

use super::scan::Scan;
use super::{Candidate, Reading};
use crate::repair::{RepairKind, Risk, Span};
use crate::strict;
use crate::tolerant::{Look, plain};

/// A code fence that is open.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fence {
    /// Its marks; as many close it.
    pub(super) length: usize,
    /// By its label it may be JSON, and is no code in some language.
    pub(super) is_json: bool,
}

impl Fence {
    /// The fence whose label begins here.
    pub(super) fn of(look: &Look<'_>, label: usize, length: usize) -> Self {
        const MOST: usize = 32;
        let bytes = look.text.as_bytes().get(label..).unwrap_or_default();
        let label: String = bytes
            .iter()
            .take(MOST)
            .take_while(|b| b.is_ascii_alphanumeric())
            .map(|b| char::from(b.to_ascii_lowercase()))
            .collect();
        let plain = matches!(label.as_str(), "" | "text" | "txt" | "plaintext" | "output");
        Self { length, is_json: plain || label.contains("json") }
    }
}

impl Scan<'_, '_> {
    /// The body of a code fence that is a literal, a number or a quoted string. Gives where to go on.
    pub(super) fn fenced_scalar(&self, reading: &mut Reading, at: usize, mark: char) -> usize {
        const MOST: usize = 512;
        let look = self.look;
        let mut body = at;
        while look
            .byte(body)
            .is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'+' | b'-'))
        {
            body += 1;
        }
        if look.blank(body) == body && look.char(body).is_some_and(|c| c != '{' && c != '[') {
            body = at;
        }
        let body = look.blank(body);
        if look.char(body).is_none_or(|c| matches!(plain(c), '{' | '[')) {
            return body;
        }
        let mut to = body.saturating_add(MOST).min(look.end());
        while !look.text.is_char_boundary(to) {
            to -= 1;
        }
        let window = look.slice(body, to);
        look.count(window.len());
        let fence = mark.to_string().repeat(3);
        if let Some(end) = window.find(&fence) {
            let text = window.get(..end).unwrap_or_default().trim_end();
            let span = Span::new(body, body + text.len());
            if let Some((value, _)) = strict::whole(text) {
                reading.candidates.push(Candidate::strict(value, span, true));
            } else if !text.contains('\n') && text.split_whitespace().count() == 1 {
                let mut candidate = Candidate::text(text, span);
                let (kind, risk) = (RepairKind::UnquotedString, Risk::Guess);
                candidate.log.note(look.text, kind, span, text, risk);
                candidate.marked = true;
                reading.candidates.push(candidate);
            }
        }
        body
    }
}

pub(super) fn run_of(look: &Look<'_>, at: usize, c: char) -> usize {
    let mut end = at;
    while look.char(end) == Some(c) {
        end += 1;
    }
    end
}
