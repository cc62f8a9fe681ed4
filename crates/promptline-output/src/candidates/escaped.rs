//! JSON that is escaped as a whole: as if it was in a string, or in HTML. It is read without the escapes;
//! what is reported about it points at the text as it came.

use super::Reading;
use super::scan::Scan;
use crate::repair::{RepairKind, Risk, Span, short};
use crate::tolerant::{Engine, Look};

/// No document is escaped more often.
const LEVELS: usize = 3;

/// How a document is escaped.
#[derive(Debug, Clone, Copy)]
pub(super) enum Escaping {
    Backslashes,
    Entities,
}

impl Escaping {
    /// How the object or list that opens before a place is escaped, if it is.
    pub(super) fn at(look: &Look<'_>, behind_bracket: usize) -> Option<Self> {
        let next = look.escaped_blank(behind_bracket);
        // Escaped twice it is `\\\"`.
        let quote = (next..next + 8).find(|at| look.byte(*at) != Some(b'\\'))?;
        if quote > next && look.byte(quote) == Some(b'"') {
            return Some(Self::Backslashes);
        }
        let quote = ["&quot;", "&#34;", "&#x22;"].iter().any(|quote| look.starts(next, quote));
        quote.then_some(Self::Entities)
    }

    /// What the escape at the beginning of a text says, and its length.
    fn read(self, text: &str) -> Option<(char, usize)> {
        const ENTITIES: [(&str, char); 12] = [
            ("&quot;", '"'),
            ("&#34;", '"'),
            ("&#x22;", '"'),
            ("&apos;", '\''),
            ("&#39;", '\''),
            ("&#x27;", '\''),
            ("&lt;", '<'),
            ("&gt;", '>'),
            ("&nbsp;", ' '),
            ("&#10;", '\n'),
            ("&#38;", '&'),
            ("&amp;", '&'),
        ];
        match self {
            Self::Entities => ENTITIES
                .iter()
                .find(|(entity, _)| text.starts_with(entity))
                .map(|(entity, c)| (*c, entity.len())),
            Self::Backslashes => match text.as_bytes() {
                [b'\\', c @ (b'"' | b'\\' | b'/'), ..] => Some((char::from(*c), 2)),
                [b'\\', b'n', ..] => Some(('\n', 2)),
                [b'\\', b't', ..] => Some(('\t', 2)),
                [b'\\', b'r', ..] => Some(('\r', 2)),
                _ => None,
            },
        }
    }
}

/// A text without its escapes.
struct Unescaped {
    text: String,
    /// For each byte, where in the text as it came the character ends that it is of.
    ends: Vec<usize>,
}

impl Unescaped {
    fn of(text: &str, escaping: Escaping) -> Self {
        let mut plain = Self { text: String::with_capacity(text.len()), ends: Vec::new() };
        let mut at = 0;
        while let Some(rest) = text.get(at..) {
            let Some(c) = rest.chars().next() else { break };
            let (c, width) = escaping.read(rest).unwrap_or((c, c.len_utf8()));
            at += width;
            plain.text.push(c);
            plain.ends.resize(plain.text.len(), at);
        }
        plain
    }

    /// The same once more.
    fn again(&self, escaping: Escaping) -> Self {
        let mut plain = Self::of(&self.text, escaping);
        for end in &mut plain.ends {
            *end = self.raw(*end);
        }
        plain
    }

    /// The place in the text as it came.
    fn raw(&self, at: usize) -> usize {
        at.checked_sub(1).and_then(|last| self.ends.get(last)).copied().unwrap_or(0)
    }
}

impl Scan<'_, '_> {
    /// Reads JSON that is escaped. Gives where it ends.
    pub(super) fn escaped(&self, reading: &mut Reading, at: usize, escaping: Escaping) -> usize {
        let look = self.look;
        let rest = look.slice(at, look.end());
        let mut plain = Unescaped::of(rest, escaping);
        for _ in 1..LEVELS {
            let inner = Look::new(&plain.text, false);
            if Escaping::at(&inner, 1).is_none() {
                break;
            }
            plain = plain.again(escaping);
            look.count(rest.len());
        }
        let inner = Look::new(&plain.text, false);
        let mut engine = Engine::new(0, false, self.limits.depth, self.limits.repairs);
        engine.run(&inner);
        look.count(inner.work() as usize + rest.len());
        let end = at + plain.raw(engine.pos);
        for repair in &mut engine.log.repairs {
            let span =
                Span::new(at + plain.raw(repair.span.start), at + plain.raw(repair.span.end));
            repair.span = span;
            repair.before = short(look.slice(span.start, span.end));
        }
        if let Some(cut) = &mut engine.truncated {
            cut.at = look.end();
        }
        let after = plain.text.get(..engine.pos).unwrap_or_default();
        let (kind, span) = (RepairKind::EscapedDocument, Span::new(at, end));
        engine.log.note(look.text, kind, span, after, Risk::Guess);
        let before = reading.candidates.len();
        self.push(reading, engine, false);
        if let Some(candidate) = reading.candidates.get_mut(before) {
            candidate.span = span;
        }
        end
    }
}
