//! Escapes in strings, those that JSON knows and those that only other languages know. A backslash that
//! escapes nothing stays what it is.

use super::Engine;
use super::look::Look;
use super::string::Open;
use crate::repair::{RepairKind, Risk};

/// How an escape goes on.
enum Escape {
    /// So many bytes are this character.
    Is(usize, char),
    /// The same, and JSON does not know it.
    Odd(usize, char, Risk),
    /// The backslash is a backslash.
    Literal,
    /// So many bytes say nothing: a line that goes on.
    Nothing(usize),
    /// The text ends in it.
    Cut,
}

impl Engine {
    /// Reads an escape; false: the text ends in it.
    pub(super) fn escape(&mut self, look: &Look<'_>, open: &mut Open, at: usize) -> bool {
        let escape = match escape_at(look, at) {
            Escape::Is(2, c) if c.is_control() && is_meant_literally(look, open, at) => {
                Escape::Literal
            }
            escape => escape,
        };
        let (width, c) = match escape {
            Escape::Nothing(width) => {
                self.repair(look, RepairKind::Escape, at, at + width, "", Risk::Lossless);
                open.flush(look, at);
                open.raw_from = at + width;
                open.at = open.raw_from;
                return true;
            }
            Escape::Cut => {
                open.at = at;
                return false;
            }
            Escape::Literal => {
                let next = look.char(at + 1).map_or(0, char::len_utf8);
                self.repair(look, RepairKind::Escape, at, at + 1 + next, "\\\\", Risk::Guess);
                open.at = at + 1;
                return true;
            }
            Escape::Is(width, c) => (width, c),
            Escape::Odd(width, c, risk) => {
                let mut text = [0; 4];
                let text = c.encode_utf8(&mut text);
                self.repair(look, RepairKind::Escape, at, at + width, text, risk);
                (width, c)
            }
        };
        open.flush(look, at);
        open.buffer.push(c);
        open.raw_from = at + width;
        open.at = open.raw_from;
        true
    }
}

/// Whether an escape of a control character was meant as a backslash and a letter: in a path of Windows that
/// has single backslashes, and in a command of LaTeX.
fn is_meant_literally(look: &Look<'_>, open: &Open, at: usize) -> bool {
    let start = look.slice(open.start, look.end().min(open.start + 4)).as_bytes();
    let is_path = matches!(start, [drive, b':', b'\\', name, ..]
        if drive.is_ascii_alphabetic() && !matches!(name, b'\\' | b'"'));
    is_path || latex(look.slice(at + 1, look.end()))
}

/// Commands of LaTeX that begin like an escape.
const LATEX: [&str; 52] = [
    "frac",
    "forall",
    "flat",
    "frown",
    "begin",
    "beta",
    "bar",
    "bf",
    "big",
    "bigg",
    "binom",
    "bmod",
    "boldsymbol",
    "bot",
    "boxed",
    "bullet",
    "nabla",
    "neg",
    "neq",
    "neqq",
    "newcommand",
    "newline",
    "nexists",
    "nmid",
    "nonumber",
    "not",
    "notin",
    "nparallel",
    "nsubseteq",
    "tan",
    "tanh",
    "tau",
    "text",
    "textbf",
    "textit",
    "textrm",
    "texttt",
    "tfrac",
    "therefore",
    "theta",
    "thetasym",
    "tilde",
    "times",
    "top",
    "triangle",
    "rangle",
    "rceil",
    "rfloor",
    "rho",
    "right",
    "rightarrow",
    "rvert",
];

/// Whether a command of LaTeX begins here, behind its backslash.
pub(crate) fn latex(text: &str) -> bool {
    let name = text.bytes().take(16).take_while(u8::is_ascii_alphabetic).count();
    text.get(..name).is_some_and(|name| LATEX.contains(&name))
}

fn escape_at(look: &Look<'_>, at: usize) -> Escape {
    let Some(c) = look.char(at + 1) else { return Escape::Cut };
    match c {
        '"' | '\\' | '/' => Escape::Is(2, c),
        'n' => Escape::Is(2, '\n'),
        't' => Escape::Is(2, '\t'),
        'r' => Escape::Is(2, '\r'),
        'b' => Escape::Is(2, '\u{8}'),
        'f' => Escape::Is(2, '\u{c}'),
        // JavaScript and Python go on with the string in the next line.
        '\n' => Escape::Nothing(2),
        '\'' | '`' => Escape::Odd(2, c, Risk::Lossless),
        // Markdown escapes it in names; nothing else does.
        '_' => Escape::Odd(2, c, Risk::Guess),
        'u' if look.byte(at + 2) == Some(b'{') => braced(look, at),
        'u' => unicode(look, at),
        'x' => match hex(look, at + 2, 2) {
            Some(code) => {
                char::from_u32(code).map_or(Escape::Literal, |c| Escape::Odd(4, c, Risk::Lossless))
            }
            None => Escape::Literal,
        },
        _ => Escape::Literal,
    }
}

/// `\u{1F600}`, as JavaScript and Rust have it.
fn braced(look: &Look<'_>, at: usize) -> Escape {
    const MOST: usize = 6;
    let digits = look.slice(at + 3, look.end());
    let Some(end) = digits.bytes().take(MOST + 1).position(|byte| byte == b'}') else {
        let cut = digits.len() <= MOST && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        return if cut { Escape::Cut } else { Escape::Literal };
    };
    let c = hex(look, at + 3, end).and_then(char::from_u32);
    c.map_or(Escape::Literal, |c| Escape::Odd(end + 4, c, Risk::Lossless))
}

fn hex(look: &Look<'_>, at: usize, digits: usize) -> Option<u32> {
    let text = look.slice(at, at + digits);
    let right = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    right.then(|| u32::from_str_radix(text, 16).ok())?
}

fn unicode(look: &Look<'_>, at: usize) -> Escape {
    let Some(code) = hex(look, at + 2, 4) else {
        let rest = look.slice(at + 2, look.end());
        let cut = rest.len() < 4 && rest.bytes().all(|byte| byte.is_ascii_hexdigit());
        return if cut { Escape::Cut } else { Escape::Literal };
    };
    if let Some(c) = char::from_u32(code) {
        return Escape::Is(6, c);
    }
    if (0xd800..0xdc00).contains(&code) {
        let behind = look.slice(at + 6, look.end());
        if behind.len() < 6 && ("\\u".starts_with(behind) || behind.starts_with("\\u")) {
            return Escape::Cut;
        }
        if behind.starts_with("\\u")
            && let Some(low) = hex(look, at + 8, 4)
            && (0xdc00..0xe000).contains(&low)
        {
            let code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
            if let Some(c) = char::from_u32(code) {
                return Escape::Is(12, c);
            }
        }
    }
    Escape::Odd(6, '\u{fffd}', Risk::Lossy)
}
