//! Where an object or list seems to begin. In prose most braces and brackets are neither.

use super::escaped::Escaping;
use crate::tolerant::{Found, Look, plain};

/// The first place between two that could be JSON.
pub(crate) fn first(look: &Look<'_>, from: usize, to: usize) -> Option<usize> {
    let bytes = look.text.as_bytes().get(..to)?;
    let mut at = from;
    loop {
        let rest = bytes.get(at..)?;
        let Some(found) = memchr::memchr3(b'{', b'[', 0xef, rest) else {
            look.count(rest.len());
            return None;
        };
        look.count(found + 1);
        at += found;
        if viable(look, at) {
            return Some(at);
        }
        at += 1;
    }
}

/// Whether an object or a list seems to begin here.
pub(crate) fn viable(look: &Look<'_>, at: usize) -> bool {
    let Some(c) = look.char(at).filter(|c| matches!(plain(*c), '{' | '[')) else { return false };
    let next = look.blank_and_comment(look.escaped_blank(at + c.len_utf8()));
    let Some(first) = look.char(next) else { return true };
    let first_plain = plain(first);
    let name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    match plain(c) {
        '{' => match first_plain {
            '}' | ',' | '…' => true,
            '"' | '\'' | '`' | '“' | '‘' | '＂' | '「' => !look.starts(next, "```"),
            '.' => look.starts(next, "..."),
            '\\' | '&' => Escaping::at(look, at + c.len_utf8()).is_some(),
            // `{:a => 1}`
            ':' => look.opens_line(at) && look.char(next + 1).is_some_and(char::is_alphabetic),
            _ => {
                name(first)
                    && (look.bare_key(next) != Found::No
                        || look.opens_line(at) && look.odd_key(next))
            }
        },
        // A task `[ ]`, a link `[text](address)` and a footnote `[^1]` are none.
        '[' => match first_plain {
            '"' | '\'' | '`' | '“' | '‘' | '{' | '[' | ']' | ',' | '-' | '.' | '…' | '＂'
            | '「' => true,
            '\\' | '&' => Escaping::at(look, at + c.len_utf8()).is_some(),
            c => c.is_alphanumeric() || matches!(c, '_' | '+' | '/'),
        },
        _ => false,
    }
}
