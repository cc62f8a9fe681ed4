//! Numbers as people write them: with separators, a currency, a percent sign. What could be two numbers is a
//! guess, and what has a unit (`3万`, `1.5k`) is none.

use serde_json::Number;

use crate::repair::Risk;

/// A number in a text.
#[derive(Debug, PartialEq)]
pub(super) struct Said {
    pub(super) number: Number,
    pub(super) risk: Risk,
}

/// Texts that are longer are no numbers, unless JSON says so.
const LONGEST: usize = 96;

const SIGNS: [char; 8] = ['$', '€', '£', '¥', '₹', '₩', '元', ' '];
const CODES: [&str; 16] = [
    "USD",
    "EUR",
    "GBP",
    "CNY",
    "RMB",
    "JPY",
    "HKD",
    "INR",
    "KRW",
    "CHF",
    "人民币",
    "美元",
    "欧元",
    "英镑",
    "日元",
    "港元",
];

/// Words that say of a number that it is not exact.
const HEDGES: [&str; 15] = [
    "about",
    "approximately",
    "approx.",
    "approx",
    "around",
    "roughly",
    "circa",
    "ca.",
    "nearly",
    "almost",
    "~",
    "≈",
    "大约",
    "大概",
    "约",
];

/// The number that a text consists of. `about 5` is 5, as a guess.
pub(super) fn number(text: &str) -> Option<Said> {
    let text = text.trim();
    let lower = text.get(..16.min(text.len())).unwrap_or(text).to_lowercase();
    let hedge = HEDGES.iter().find(|hedge| lower.starts_with(**hedge));
    let hedged = hedge.and_then(|hedge| text.get(hedge.len()..));
    let hedged = hedged.or_else(|| text.strip_suffix("左右"));
    match hedged {
        Some(rest) => exact(rest).map(|said| Said { risk: Risk::Guess, ..said }),
        None => exact(text),
    }
}

fn exact(text: &str) -> Option<Said> {
    let text = text.trim();
    if let Ok(number) = text.parse::<Number>() {
        // More digits than a float has are not all in it.
        let digits = text.bytes().filter(u8::is_ascii_digit).count();
        let risk = if number.is_f64() && digits > 17 { Risk::Guess } else { Risk::Lossless };
        return Some(Said { number, risk });
    }
    if text.len() > LONGEST {
        return None;
    }
    let text: String = text.chars().map(plain).collect();
    let (text, percent) = match text.strip_suffix('%') {
        Some(rest) => (rest.trim_end(), true),
        None => (text.as_str(), false),
    };
    let (negative, rest) = sign(text);
    let bare = without_currency(rest);
    let currency = bare.len() < rest.len();
    // `$-5`; `+-5` is nothing.
    let (negative, bare) = match sign(bare) {
        (true, rest) if currency && !negative => (true, rest),
        _ => (negative, bare),
    };
    let (plain, ambiguous) = without_separators(bare)?;
    let number = parse(&plain, negative)?;
    let risk = if percent || currency || ambiguous { Risk::Guess } else { Risk::Lossless };
    Some(Said { number, risk })
}

/// Words behind a number that make it another one.
const MULTIPLIERS: [&str; 24] = [
    "万",
    "亿",
    "千",
    "百",
    "兆",
    "k",
    "m",
    "b",
    "bn",
    "hundred",
    "thousand",
    "million",
    "billion",
    "trillion",
    "lakh",
    "crore",
    "dozen",
    "mio",
    "mrd",
    "tausend",
    "million.",
    "millions",
    "thousands",
    "billions",
];

/// The one number in a sentence. One with a multiplier (`3 万`, `2 million`), or in brackets as a citation, is
/// not taken for what it is without that.
pub(super) fn number_in(text: &str) -> Option<Said> {
    let text = &without_citations(text);
    let mut found = None;
    let mut words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut before = words.next();
    for word in words {
        let is_multiplier = MULTIPLIERS
            .iter()
            .any(|one| word.to_lowercase() == *one || !one.is_ascii() && word.starts_with(one));
        if is_multiplier && before.is_some_and(|word| word.ends_with(|c: char| c.is_ascii_digit()))
        {
            return None;
        }
        before = Some(word);
    }
    let of_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '-' | '+');
    for word in text.split(|c: char| !of_number(c) && !c.is_alphabetic()) {
        let word = word.trim_end_matches(['.', ',']);
        if !word.contains(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let said = number(word)?;
        if found.is_some() {
            return None;
        }
        found = Some(Said { risk: Risk::Guess, ..said });
    }
    found
}

/// A sentence without `[1]`.
fn without_citations(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('[') {
        plain.push_str(before);
        let inner = behind.split_once(']').filter(|(number, _)| {
            (1..=3).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit())
        });
        match inner {
            Some((_, after)) => rest = after,
            None => {
                plain.push('[');
                rest = behind;
            }
        }
    }
    plain.push_str(rest);
    plain
}

/// An integer, if the number is one: 3.0 is 3. Floats that are too great to be sure of their last digit stay
/// what they are.
pub(super) fn integral(number: &Number) -> Option<Number> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if number.is_i64() || number.is_u64() {
        return Some(number.clone());
    }
    let value = number.as_f64()?;
    if value.fract() != 0.0 {
        return None;
    }
    Some(if value.abs() <= EXACT { Number::from(value as i64) } else { number.clone() })
}

/// Full-width characters and odd blanks, as they are in ASCII.
fn plain(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        '￥' => '¥',
        '−' => '-',
        '’' => '\'',
        c if c.is_whitespace() => ' ',
        c => c,
    }
}

fn sign(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

/// Takes one currency off, in front or behind.
fn without_currency(text: &str) -> &str {
    let rest = text.trim_matches(SIGNS);
    let code = CODES
        .iter()
        .find_map(|code| rest.strip_suffix(code).or_else(|| rest.strip_prefix(code)))
        .unwrap_or(rest);
    code.trim_matches(SIGNS)
}

/// The number with a point for decimals and nothing between its digits, and whether it could be another one.
fn without_separators(text: &str) -> Option<(String, bool)> {
    if !text.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let count = |separator: char| text.matches(separator).count();
    let (commas, points) = (count(','), count('.'));
    let mut others = ['_', '\'', ' '].into_iter().filter(|&separator| count(separator) > 0);
    let other = others.next();
    if others.next().is_some() {
        return None;
    }
    let (between, decimal) = match (other, commas, points) {
        (None, 0, 0 | 1) => return Some((text.to_owned(), false)),
        (Some(other), 0, 0 | 1) => (other, '.'),
        (Some(other), 1, 0) => (other, ','),
        // 1,234 is most likely a thousand; 0,234 and 1,23 are not.
        (None, 1, 0) => {
            let (whole, part) = text.split_once(',')?;
            let thousand = part.len() == 3 && grouped(text, ',').is_some();
            if !thousand {
                return decimals(whole.to_owned(), part).map(|text| (text, false));
            }
            return Some((text.replace(',', ""), true));
        }
        (None, _, 0) => (',', '.'),
        (None, 0, _) => ('.', ','),
        (None, _, 1) if text.rfind(',') < text.find('.') => (',', '.'),
        (None, 1, _) if text.rfind('.') < text.find(',') => ('.', ','),
        _ => return None,
    };
    match text.split_once(decimal) {
        Some((whole, part)) => decimals(grouped(whole, between)?, part).map(|text| (text, false)),
        None => grouped(text, between).map(|text| (text, false)),
    }
}

/// The digits of groups: of three, of two and three as in India, or of any length between underscores.
fn grouped(text: &str, separator: char) -> Option<String> {
    let groups: Vec<&str> = text.split(separator).collect();
    let digits = |group: &&str| !group.is_empty() && group.bytes().all(|b| b.is_ascii_digit());
    if !groups.iter().all(digits) {
        return None;
    }
    let [first, middle @ .., last] = groups.as_slice() else { return Some(text.to_owned()) };
    let threes = first.len() <= 3 && middle.iter().chain([last]).all(|group| group.len() == 3);
    let indian = separator == ','
        && first.len() <= 2
        && last.len() == 3
        && middle.iter().all(|group| group.len() == 2);
    let right = separator == '_' || (threes || indian) && !first.starts_with('0');
    right.then(|| groups.concat())
}

fn decimals(whole: String, part: &str) -> Option<String> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    (digits(&whole) && digits(part)).then(|| format!("{whole}.{part}"))
}

/// Leading zeros, `.5` and `5.` as well.
fn parse(text: &str, negative: bool) -> Option<Number> {
    let digits = text.trim_start_matches('0');
    let zero = if digits.starts_with(|c: char| c.is_ascii_digit()) { "" } else { "0" };
    let tail = if digits.ends_with('.') { "0" } else { "" };
    let sign = if negative { "-" } else { "" };
    format!("{sign}{zero}{digits}{tail}").parse().ok()
}
