//! Constructor calls: `Person(name='Ann', age=3)` is an object, also in lists and in each other.

use serde_json::Value;

use super::Found;
use crate::repair::Span;
use crate::tolerant::{Engine, Look};

pub(super) fn read(text: &str) -> Vec<Found> {
    let Some((start, end, plain)) = translated(text) else { return Vec::new() };
    let look = Look::new(&plain, false);
    let mut engine = Engine::new(0, false, 64, 0);
    engine.run(&look);
    if engine.pos < plain.trim_end().len() || engine.log.junk > 0 {
        return Vec::new();
    }
    let (value, _, truncated) = engine.into_value();
    let span = Span::new(start, end);
    let cut = truncated.is_some();
    let found = |value: Value| Found { value, span, format: "a constructor call", cut };
    value.map(found).into_iter().collect()
}

/// The first call, or list of calls, with braces for parentheses and without the names of the calls.
fn translated(text: &str) -> Option<(usize, usize, String)> {
    let call = first_call(text)?;
    let before = text.get(..call)?.trim_end();
    let start = if before.ends_with('[') { before.len() - 1 } else { call };
    let mut plain = String::new();
    let mut closers: Vec<char> = Vec::new();
    let mut quote = None;
    let mut escaped = false;
    let mut word = 0;
    let rest = text.get(start..)?;
    for (at, c) in rest.char_indices() {
        if let Some(open) = quote {
            plain.push(c);
            if !escaped && c == open {
                quote = None;
            }
            escaped = !escaped && c == '\\';
            continue;
        }
        match c {
            '"' | '\'' => {
                quote = Some(c);
                plain.push(c);
            }
            '(' if word > 0 => {
                plain.truncate(plain.len() - word);
                plain.push('{');
                closers.push('}');
            }
            '(' | '[' => {
                plain.push('[');
                closers.push(']');
            }
            '{' => {
                plain.push('{');
                closers.push('}');
            }
            ')' | ']' | '}' => plain.push(closers.pop()?),
            '=' => plain.push(':'),
            c => plain.push(c),
        }
        word = if c.is_alphanumeric() || matches!(c, '_' | '.') { word + c.len_utf8() } else { 0 };
        if closers.is_empty() && matches!(c, ')' | ']' | '}') {
            return Some((start, start + at + c.len_utf8(), plain));
        }
    }
    Some((start, text.len(), plain))
}

/// Where a name begins that a parenthesis and `key=` follow.
fn first_call(text: &str) -> Option<usize> {
    for (paren, _) in text.match_indices('(') {
        let before = text.get(..paren)?;
        let name = before.trim_end_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.'));
        let inner = text.get(paren + 1..)?.trim_start();
        let key =
            inner.len() - inner.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_').len();
        let sign = inner.get(key..)?.trim_start();
        let is_assigned = key > 0 && sign.starts_with('=') && !sign.starts_with("==");
        if is_assigned && name.len() < paren {
            return Some(name.len());
        }
    }
    None
}
