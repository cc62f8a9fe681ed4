//! What a word without quotes is: a literal, a number, or text. A word that could be two things stays
//! text: `007` may be an article, and a schema that wants a number still gets one.

use serde_json::{Number, Value};

/// What a word is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Word {
    /// Exactly as JSON has it.
    Exact(Value),
    /// The same in another spelling: `True`, `+1`, `.5`, `0x1F`.
    Spelled(Value),
    /// Something that JSON cannot say: `NaN`, `Infinity`.
    Lost(Value),
    Text,
}

pub(crate) fn word(text: &str) -> Word {
    match text {
        "true" => return Word::Exact(Value::Bool(true)),
        "false" => return Word::Exact(Value::Bool(false)),
        "null" => return Word::Exact(Value::Null),
        "True" | "TRUE" => return Word::Spelled(Value::Bool(true)),
        "False" | "FALSE" => return Word::Spelled(Value::Bool(false)),
        "None" | "NULL" | "Null" | "undefined" | "nil" => return Word::Spelled(Value::Null),
        "NaN" | "nan" | "Infinity" | "-Infinity" | "+Infinity" | "inf" | "-inf" => {
            return Word::Lost(Value::Null);
        }
        _ => {}
    }
    if let Some(narrow) = narrow(text) {
        return match word(&narrow) {
            Word::Exact(value) => Word::Spelled(value),
            other => other,
        };
    }
    if !text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.')) {
        return Word::Text;
    }
    if let Ok(number) = serde_json::from_str::<Number>(text) {
        return Word::Exact(Value::Number(number));
    }
    loose_number(text).map_or(Word::Text, |number| Word::Spelled(Value::Number(number)))
}

/// A number in full-width digits, in plain ones.
fn narrow(text: &str) -> Option<String> {
    let narrow = |c: char| match c {
        '０'..='９' => char::from_digit(c as u32 - '０' as u32, 10),
        '．' => Some('.'),
        '－' | '−' => Some('-'),
        '＋' => Some('+'),
        _ => c.is_ascii().then_some(c),
    };
    let wide = matches!(text.chars().next()?, '０'..='９' | '－' | '−' | '＋');
    (wide && text.len() <= LONGEST).then(|| text.chars().map(narrow).collect())?
}

/// No number in another spelling is longer, in bytes.
const LONGEST: usize = 128;

/// `+1`, `.5`, `5.`, `1e`, `0xFF`, `0b101`, `1_000`, `12n`.
fn loose_number(text: &str) -> Option<Number> {
    if text.len() > LONGEST {
        return None;
    }
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let radix = match digits.get(..2) {
        Some("0x" | "0X") => 16,
        Some("0o" | "0O") => 8,
        Some("0b" | "0B") => 2,
        _ => 10,
    };
    if radix != 10 {
        let digits = digits.get(2..).filter(|digits| digits.starts_with(char::is_alphanumeric))?;
        let value = i64::from_str_radix(digits, radix).ok()?;
        return Some(Number::from(if sign == "-" { -value } else { value }));
    }
    let mut plain = digits.to_owned();
    // A big integer of JavaScript.
    if let Some(integer) = digits.strip_suffix('n')
        && integer.bytes().all(|byte| byte.is_ascii_digit())
    {
        integer.clone_into(&mut plain);
    }
    if plain.contains('_') {
        let grouped = plain.split('_').all(|part| part.bytes().all(|b| b.is_ascii_digit()))
            && !plain.starts_with('_')
            && !plain.ends_with('_');
        if !grouped {
            return None;
        }
        plain.retain(|c| c != '_');
    }
    if plain.starts_with('.') && plain.len() > 1 {
        plain.insert(0, '0');
    }
    for tail in ["e+", "E+", "e-", "E-", "e", "E"] {
        if let Some(head) = plain.strip_suffix(tail) {
            plain.truncate(head.len());
            break;
        }
    }
    if plain.ends_with('.') {
        plain.push('0');
    }
    serde_json::from_str(&format!("{sign}{plain}")).ok()
}

/// What a word at the very end of a text may still become: `tr`, `12.`, `2.5e-`.
pub(crate) fn begun(text: &str) -> Option<Value> {
    for (literal, value) in [
        ("true", Value::Bool(true)),
        ("false", Value::Bool(false)),
        ("null", Value::Null),
        ("True", Value::Bool(true)),
        ("False", Value::Bool(false)),
        ("None", Value::Null),
    ] {
        if !text.is_empty() && literal.starts_with(text) {
            return Some(value);
        }
    }
    match word(text) {
        Word::Exact(value) | Word::Spelled(value) => Some(value),
        // A number of which nothing but the sign is there.
        _ if text == "-" => None,
        _ => None,
    }
}
