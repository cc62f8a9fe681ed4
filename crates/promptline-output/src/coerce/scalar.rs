//! What a text says, when the schema wants something else than text.

use serde_json::{Number, Value};

/// A boolean in words.
pub(crate) fn boolean(text: &str) -> Option<bool> {
    match text.trim().trim_matches(['"', '\'', '.', '!']).to_lowercase().as_str() {
        "true" | "yes" | "y" | "on" | "是" | "有" | "对" => Some(true),
        "false" | "no" | "n" | "off" | "否" | "无" | "不" | "没有" => Some(false),
        _ => None,
    }
}

/// The one boolean that is named in a sentence.
pub(crate) fn boolean_in(text: &str) -> Option<bool> {
    let mut found = None;
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        let value = match word.to_lowercase().as_str() {
            "true" => true,
            "false" => false,
            _ => continue,
        };
        if found.is_some_and(|before| before != value) {
            return None;
        }
        found = Some(value);
    }
    found
}

/// A number as people write it: with separators, a currency or a percent sign. What could be two numbers
/// is none.
pub(crate) fn number(text: &str) -> Option<Number> {
    let text = text.trim();
    let text = text.strip_suffix(['%', '％']).unwrap_or(text).trim_end();
    let currency =
        |c: char| matches!(c, '$' | '€' | '£' | '¥' | '￥' | '₹' | '元' | ' ' | '\u{a0}');
    let (sign, rest) = match text.strip_prefix(['-', '−']) {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let rest = rest.trim_matches(currency);
    let (sign, rest) = match rest.strip_prefix('-') {
        Some(inner) if sign.is_empty() => ("-", inner),
        _ => (sign, rest),
    };
    let rest = ["USD", "EUR", "CNY", "RMB"]
        .iter()
        .find_map(|code| rest.strip_suffix(code).or_else(|| rest.strip_prefix(code)))
        .unwrap_or(rest)
        .trim_matches(currency);
    if !rest.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let plain = without_separators(rest)?;
    parse(&format!("{sign}{plain}"))
}

fn parse(text: &str) -> Option<Number> {
    if let Ok(number) = text.parse::<Number>() {
        return Some(number);
    }
    // Leading zeros, `.5`, `5.`.
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text),
    };
    let digits = digits.trim_start_matches('0');
    let zero = if digits.starts_with(|c: char| c.is_ascii_digit()) { "" } else { "0" };
    let tail = if digits.ends_with('.') { "0" } else { "" };
    format!("{sign}{zero}{digits}{tail}").parse().ok()
}

fn without_separators(text: &str) -> Option<String> {
    let commas = text.matches(',').count();
    let points = text.matches('.').count();
    let grouped = |separator: char| {
        let whole = text.split(|c| c != separator && matches!(c, ',' | '.')).next().unwrap_or(text);
        let mut groups = whole.split(separator);
        let first = groups.next().unwrap_or_default();
        (1..=3).contains(&first.len()) && groups.all(|group| group.len() == 3)
    };
    let plain: String = match (commas, points) {
        (0, 0 | 1) => text.chars().filter(|c| !matches!(c, '_' | '\'' | ' ')).collect(),
        // 1,234 and 1,234,567.8
        (_, 0) if grouped(',') => text.replace(',', ""),
        // 1234,5
        (1, 0) => text.replace(',', "."),
        (_, 1) if text.rfind(',') < text.find('.') && grouped(',') => text.replace(',', ""),
        // 1.234,5 and 1.234.567,8
        (1, _) if text.rfind('.') < text.find(',') && grouped('.') => {
            text.replace('.', "").replace(',', ".")
        }
        // 1.234.567
        (0, _) if grouped('.') => text.replace('.', ""),
        _ => return None,
    };
    Some(plain)
}

/// The one number in a sentence.
pub(crate) fn number_in(text: &str) -> Option<Number> {
    let mut found = None;
    let of_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '-' | '+');
    for word in text.split(|c: char| !of_number(c) && !c.is_alphabetic()) {
        let word = word.trim_end_matches(['.', ',']);
        if !word.contains(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let value = number(word)?;
        if found.is_some() {
            return None;
        }
        found = Some(value);
    }
    found
}

/// An integer, if the number is one.
pub(crate) fn integral(number: &Number) -> Option<Number> {
    if number.is_i64() || number.is_u64() {
        return Some(number.clone());
    }
    let value = number.as_f64()?;
    const EXACT: f64 = 9_007_199_254_740_992.0;
    (value.fract() == 0.0 && value.abs() <= EXACT).then(|| Number::from(value as i64))
}

/// Whether two values are the same; `1` and `1.0` are.
pub(crate) fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => {
            left == right || left.as_f64() == right.as_f64()
        }
        _ => left == right,
    }
}
