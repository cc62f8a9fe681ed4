//! Whether a quote ends its string. In JSON it always does; in what models write it may be part of the
//! text. What follows decides: a comma and a key, a bracket, the end.

use super::Engine;
use super::chars::plain;
use super::look::{Found, Look};

/// Where a string or word stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Root,
    Key,
    /// A value in an object: whether a list is open around it, and whether the object is in one.
    Member {
        in_list: bool,
        of_list: bool,
    },
    /// In a list: whether an object is open around it.
    Element {
        in_object: bool,
    },
}

impl Place {
    pub(crate) fn is_list(self) -> bool {
        matches!(self, Self::Element { .. })
    }

    pub(crate) fn has_object(self) -> bool {
        matches!(self, Self::Member { .. } | Self::Key | Self::Element { in_object: true })
    }

    pub(crate) fn has_list(self) -> bool {
        matches!(self, Self::Element { .. } | Self::Member { in_list: true, .. })
    }

    pub(crate) fn in_object_of_list(self) -> bool {
        matches!(self, Self::Member { of_list: true, .. })
    }
}

impl Engine {
    pub(super) fn place(&self) -> Place {
        match self.frames.last() {
            None => Place::Root,
            Some(frame) if frame.is_list() => {
                Place::Element { in_object: self.frames.iter().any(|frame| !frame.is_list()) }
            }
            Some(_) => Place::Member {
                in_list: self.frames.iter().any(super::Frame::is_list),
                of_list: self.parent_is_list(),
            },
        }
    }
}

/// Whether a quote of so many bytes ends the string before it. `End`: the text ends first.
///
/// `first`: no other quote stands in the string before it.
pub(crate) fn closes(look: &Look<'_>, place: Place, at: usize, width: usize, first: bool) -> Found {
    let behind = at + width;
    let mut next = look.blank(behind);
    if look.is_undecided(next) {
        return Found::End;
    }
    if look.comment(next).is_some() {
        next = look.blank_and_comment(next);
    }
    let Some(c) = look.char(next) else { return Found::End };
    let c = plain(c);
    let gap = look.slice(behind, next);
    match place {
        Place::Root => Found::No,
        Place::Key => key_closes(look, c, next, gap),
        Place::Member { .. } => member_closes(look, place, c, next, gap),
        Place::Element { .. } => element_closes(look, place, at, first, c, next, gap),
    }
}

fn yes_if(condition: bool) -> Found {
    if condition { Found::Yes } else { Found::No }
}

fn key_closes(look: &Look<'_>, c: char, next: usize, gap: &str) -> Found {
    match c {
        ':' | '=' | ',' | '}' => Found::Yes,
        '"' | '\'' | '“' => yes_if(!gap.is_empty() || c != '"'),
        '{' | '[' | '-' | '0'..='9' => yes_if(!gap.is_empty()),
        _ => yes_if(
            !gap.is_empty()
                && ["true", "false", "null"].iter().any(|literal| look.starts(next, literal)),
        ),
    }
}

fn member_closes(look: &Look<'_>, place: Place, c: char, next: usize, gap: &str) -> Found {
    match c {
        ',' => {
            let comma = look.char(next).map_or(1, char::len_utf8);
            let key = look.blank(next + comma);
            if look.is_undecided(key) {
                return Found::End;
            }
            match look.char(key).map(plain) {
                None => Found::End,
                Some('}' | ',') => Found::Yes,
                Some(']') => yes_if(place.has_list()),
                Some('{') => yes_if(place.in_object_of_list()),
                Some('.') => yes_if(look.starts(key, "...")),
                _ if look.comment(key).is_some() => Found::Yes,
                _ => look.key(key),
            }
        }
        '}' => Found::Yes,
        ']' => yes_if(place.has_list()),
        '`' => yes_if(look.is_fence(next) || (!gap.is_empty() && look.starts(next, "```"))),
        '\\' => yes_if(look.byte(next + 1) == Some(b',')),
        _ => {
            // A comma may be missing, if a key follows.
            let quoted = matches!(c, '"' | '\'' | '“');
            if !quoted && !gap.contains('\n') {
                return Found::No;
            }
            match look.key(next) {
                Found::Yes => Found::Yes,
                Found::End if look.more => Found::End,
                _ => Found::No,
            }
        }
    }
}

fn element_closes(
    look: &Look<'_>,
    place: Place,
    at: usize,
    first: bool,
    c: char,
    next: usize,
    gap: &str,
) -> Found {
    match c {
        ',' => {
            let comma = look.char(next).map_or(1, char::len_utf8);
            let element = look.blank(next + comma);
            if look.is_undecided(element) {
                return Found::End;
            }
            match look.char(element).map(plain) {
                None => Found::End,
                Some('"' | '\'' | '“' | '‘' | '`' | '{' | '[' | ']' | '}' | ',' | '-' | '.') => {
                    Found::Yes
                }
                Some('0'..='9') => Found::Yes,
                _ if look.comment(element).is_some() => Found::Yes,
                _ => lone_word(look, element),
            }
        }
        ']' | ':' => Found::Yes,
        '}' => yes_if(place.has_object()),
        '{' | '[' => yes_if(!gap.is_empty()),
        '\\' => yes_if(look.byte(next + 1) == Some(b',')),
        '`' => yes_if(look.is_fence(next)),
        '"' | '\'' | '“' => {
            if gap.contains('\n') {
                return Found::Yes;
            }
            match look.stands_alone(next) {
                Found::Yes => Found::Yes,
                Found::End if look.more => Found::End,
                _ => Found::No,
            }
        }
        _ if gap.contains('\n') => Found::Yes,
        // `"65" television`: an inch mark.
        _ if look.byte(at.saturating_sub(1)).is_some_and(|byte| byte.is_ascii_digit()) => Found::No,
        '-' | '0'..='9' if !gap.is_empty() => lone_word(look, next),
        // `"a" b", …`: a comma and a quote are missing.
        c if first && !gap.is_empty() && c.is_alphanumeric() => word_and_quote(look, next),
        _ => Found::No,
    }
}

/// A word that a comma or bracket ends, with no quote before.
fn lone_word(look: &Look<'_>, from: usize) -> Found {
    word(look, from, |c| matches!(plain(c), ',' | ']'))
}

/// A word that a quote ends which in turn a comma or bracket follows.
fn word_and_quote(look: &Look<'_>, from: usize) -> Found {
    let mut i = from;
    while let Some(c) = look.char(i) {
        if c == '"' {
            let next = look.blank(i + 1);
            look.count(i - from);
            return yes_if(look.char(next).is_some_and(|c| matches!(plain(c), ',' | ']')));
        }
        if !super::chars::is_name(c) || i - from > 64 {
            break;
        }
        i += c.len_utf8();
    }
    Found::No
}

fn word(look: &Look<'_>, from: usize, ends: impl Fn(char) -> bool) -> Found {
    let mut i = from;
    while let Some(c) = look.char(i) {
        if ends(c) {
            look.count(i - from);
            return Found::Yes;
        }
        if matches!(c, '"' | '\n') || i - from > 128 {
            look.count(i - from);
            return Found::No;
        }
        i += c.len_utf8();
    }
    look.count(i - from);
    Found::End
}
