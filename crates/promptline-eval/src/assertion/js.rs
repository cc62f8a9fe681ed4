//! What JavaScript does where Rust does something else.

use serde_json::Value;

/// JavaScript's blanks: Unicode's, and the byte order mark, but not U+0085.
pub(super) fn is_blank(character: char) -> bool {
    character == '\u{feff}' || (character.is_whitespace() && character != '\u{85}')
}

pub(super) fn trim(text: &str) -> &str {
    text.trim_matches(is_blank)
}

/// `text.trim().split(/\s+/)`: an empty text has one empty word.
pub(super) fn words(text: &str) -> Vec<&str> {
    let text = trim(text);
    if text.is_empty() {
        return vec![""];
    }
    text.split(is_blank).filter(|word| !word.is_empty()).collect()
}

/// `String(value)`.
pub(super) fn string(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => self::number(number.as_f64().unwrap_or_default()),
        Value::Array(items) => {
            let item = |item: &Value| if item.is_null() { String::new() } else { string(item) };
            items.iter().map(item).collect::<Vec<_>>().join(",")
        }
        Value::Object(_) => String::from("[object Object]"),
        other => other.to_string(),
    }
}

/// A number as JavaScript writes it: the shortest digits, an exponent from 1e21 on and below 1e-6.
pub(super) fn number(number: f64) -> String {
    let size = number.abs();
    if number == 0.0 {
        return String::from("0");
    }
    if !(1e-6..1e21).contains(&size) {
        let text = format!("{number:e}");
        return match text.split_once('e') {
            Some((digits, exponent)) if !exponent.starts_with('-') => {
                format!("{digits}e+{exponent}")
            }
            _ => text,
        };
    }
    format!("{number}")
}

/// `Number(text)`; none is NaN.
pub(super) fn parse(text: &str) -> Option<f64> {
    let text = trim(text);
    if text.is_empty() {
        return Some(0.0);
    }
    let radix = |digits: &str, radix| u64::from_str_radix(digits, radix).ok().map(|n| n as f64);
    match text.get(..2) {
        Some("0x" | "0X") => return radix(text.get(2..)?, 16),
        Some("0b" | "0B") => return radix(text.get(2..)?, 2),
        Some("0o" | "0O") => return radix(text.get(2..)?, 8),
        _ => {}
    }
    match text.trim_start_matches(['+', '-']) {
        "Infinity" => {
            return Some(if text.starts_with('-') { f64::NEG_INFINITY } else { f64::INFINITY });
        }
        rest if rest.starts_with(|c: char| c.is_ascii_digit() || c == '.') => {}
        _ => return None,
    }
    text.parse().ok()
}

/// `Boolean(value)`.
pub(super) fn truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(number) => number.as_f64().is_some_and(|number| number != 0.0),
        Value::String(text) => !text.is_empty(),
        _ => true,
    }
}

/// Whether `JSON.parse` takes it. serde_json refuses lone surrogates, large numbers and deep nesting.
pub(super) fn is_json(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut at = 0;
    let blank = |at: &mut usize| {
        while matches!(bytes.get(*at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            *at += 1;
        }
    };
    let mut open: Vec<u8> = Vec::new();
    loop {
        blank(&mut at);
        // A value begins.
        match bytes.get(at) {
            Some(b'{') => {
                at += 1;
                blank(&mut at);
                if bytes.get(at) == Some(&b'}') {
                    at += 1;
                } else {
                    open.push(b'{');
                    if !key(bytes, &mut at, &blank) {
                        return false;
                    }
                    continue;
                }
            }
            Some(b'[') => {
                at += 1;
                blank(&mut at);
                if bytes.get(at) == Some(&b']') {
                    at += 1;
                } else {
                    open.push(b'[');
                    continue;
                }
            }
            _ => {
                if !scalar(bytes, &mut at) {
                    return false;
                }
            }
        }
        // A value has ended.
        loop {
            blank(&mut at);
            match (open.last(), bytes.get(at)) {
                (None, None) => return true,
                (Some(b'['), Some(b',')) => {
                    at += 1;
                    break;
                }
                (Some(b'{'), Some(b',')) => {
                    at += 1;
                    blank(&mut at);
                    if !key(bytes, &mut at, &blank) {
                        return false;
                    }
                    break;
                }
                (Some(b'['), Some(b']')) | (Some(b'{'), Some(b'}')) => {
                    at += 1;
                    open.pop();
                }
                _ => return false,
            }
        }
    }
}

fn key(bytes: &[u8], at: &mut usize, blank: &impl Fn(&mut usize)) -> bool {
    if bytes.get(*at) != Some(&b'"') || !scalar(bytes, at) {
        return false;
    }
    blank(at);
    let colon = bytes.get(*at) == Some(&b':');
    *at += 1;
    colon
}

fn scalar(bytes: &[u8], at: &mut usize) -> bool {
    let rest = bytes.get(*at..).unwrap_or_default();
    for word in [&b"true"[..], b"false", b"null"] {
        if rest.starts_with(word) {
            *at += word.len();
            return true;
        }
    }
    if rest.first() == Some(&b'"') {
        *at += 1;
        loop {
            match bytes.get(*at) {
                Some(b'"') => {
                    *at += 1;
                    return true;
                }
                Some(b'\\') => match bytes.get(*at + 1) {
                    Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => *at += 2,
                    Some(b'u') => {
                        let digits = bytes.get(*at + 2..*at + 6);
                        if !digits.is_some_and(|d| d.iter().all(u8::is_ascii_hexdigit)) {
                            return false;
                        }
                        *at += 6;
                    }
                    _ => return false,
                },
                Some(byte) if *byte >= 0x20 => *at += 1,
                _ => return false,
            }
        }
    }
    let digits = |at: &mut usize| {
        let start = *at;
        while bytes.get(*at).is_some_and(u8::is_ascii_digit) {
            *at += 1;
        }
        *at > start
    };
    if bytes.get(*at) == Some(&b'-') {
        *at += 1;
    }
    if bytes.get(*at) == Some(&b'0') {
        *at += 1;
    } else if !digits(at) {
        return false;
    }
    if bytes.get(*at) == Some(&b'.') {
        *at += 1;
        if !digits(at) {
            return false;
        }
    }
    if matches!(bytes.get(*at), Some(b'e' | b'E')) {
        *at += 1;
        if matches!(bytes.get(*at), Some(b'+' | b'-')) {
            *at += 1;
        }
        return digits(at);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_as_javascript_reads_it() {
        for text in [
            "123",
            " [1, {\"a\": [] , \"b\":{}}] ",
            "\"\\ud800\"",
            "1e400",
            "-0.5E+3",
            "null",
            "\"\u{7f}\"",
        ] {
            assert!(is_json(text), "{text}");
        }
        for text in [
            "",
            "\u{feff}1",
            "01",
            "{a:1}",
            "[1,]",
            "{\"a\":1,}",
            "'a'",
            "1.",
            "+1",
            "\"\n\"",
            "[1}",
            "1 2",
            "nul",
        ] {
            assert!(!is_json(text), "{text}");
        }
        assert!(is_json(&("[".repeat(100_000) + &"]".repeat(100_000))));
    }

    #[test]
    fn numbers_as_javascript_writes_them() {
        let pairs = [
            (99.0, "99"),
            (0.1, "0.1"),
            (1e21, "1e+21"),
            (1e-7, "1e-7"),
            (-0.0, "0"),
            (123456789.5, "123456789.5"),
        ];
        for (number, text) in pairs {
            assert_eq!(super::number(number), text);
        }
        assert_eq!(parse(" 0x10 "), Some(16.0));
        assert_eq!(parse(""), Some(0.0));
        assert_eq!(parse("inf"), None);
        assert_eq!(parse("5 "), Some(5.0));
    }
}
