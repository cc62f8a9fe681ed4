//! Names: which are legal, which word was probably meant, and what a name means in a JSON object.
//! A name is never a pattern and never evaluated; it is only compared.

use serde_json::{Map, Value};

/// Words that belong to the template language where a placeholder could stand.
pub(super) const RESERVED: [&str; 7] = ["this", "else", "if", "unless", "each", "with", "log"];

/// The value of `name` in one layer of values: the exact key first, then the whole name as a path
/// (`list.0` indexes a list). A JSON null provides nothing, so a null under the exact key still lets
/// the path answer.
pub(crate) fn lookup_in<'a>(values: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    if let Some(value) = get(values, name).filter(|value| !value.is_null()) {
        return Some(value);
    }
    let (first, rest) = name.split_once('.')?;
    rest.split('.').try_fold(get(values, first)?, child).filter(|value| !value.is_null())
}

/// To hash a name costs more than to compare it with a few others.
fn get<'a>(values: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    const FEW: usize = 8;
    if values.len() > FEW {
        return values.get(name);
    }
    values.iter().find(|(key, _)| *key == name).map(|(_, value)| value)
}

/// One step down: a key of an object or an index of a list. Strings have no parts.
pub(super) fn child<'a>(value: &'a Value, part: &str) -> Option<&'a Value> {
    match value {
        Value::Object(fields) => fields.get(part),
        Value::Array(items) => items.get(index(part)?),
        _ => None,
    }
}

/// `0`, `1`, `17`; not `01`, which is a name of its own.
fn index(part: &str) -> Option<usize> {
    if part.len() > 1 && part.starts_with('0') { None } else { part.parse().ok() }
}

/// What is wrong with a name: where in it, and why.
#[derive(Debug)]
pub(super) struct BadName {
    pub(super) at: usize,
    pub(super) why: String,
}

/// Checks a name: letters, digits, `_` and `-`, in parts joined by single dots.
pub(super) fn check(name: &str) -> Result<(), BadName> {
    if let Some((at, c)) = name.char_indices().find(|&(_, c)| c != '.' && !is_name_char(c)) {
        let why = format!("`{}` is not allowed in a name", c.escape_debug());
        return Err(BadName { at, why });
    }
    let mut at = 0;
    for part in name.split('.') {
        if part.is_empty() {
            return Err(BadName { at, why: "a dot must separate two parts of a name".into() });
        }
        at += part.len() + 1;
    }
    Ok(())
}

fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-') || is_mark(c)
}

/// Combining marks that are not alphabetic by themselves (Unicode 14, the Basic Multilingual Plane,
/// without the invisible variation selectors): names in Hindi, Thai or decomposed Latin need them.
fn is_mark(c: char) -> bool {
    let code = u32::from(c);
    let after = MARKS.partition_point(|&(first, _)| first <= code);
    after.checked_sub(1).and_then(|at| MARKS.get(at)).is_some_and(|&(_, last)| code <= last)
}

#[rustfmt::skip]
const MARKS: [(u32, u32); 81] = [
    (0x300, 0x362), (0x483, 0x489), (0x591, 0x5AF), (0x658, 0x658), (0x6DF, 0x6E0), (0x6EA, 0x6EC),
    (0x740, 0x74A), (0x7EB, 0x7F3), (0x7FD, 0x7FD), (0x818, 0x82D), (0x859, 0x85B), (0x898, 0x8E1),
    (0x8EA, 0x954), (0x9BC, 0x9BC), (0x9CD, 0x9CD), (0x9FE, 0x9FE), (0xA3C, 0xA3C), (0xA4D, 0xA4D),
    (0xABC, 0xABC), (0xACD, 0xACD), (0xAFD, 0xAFF), (0xB3C, 0xB3C), (0xB4D, 0xB4D), (0xB55, 0xB55),
    (0xBCD, 0xBCD), (0xC3C, 0xC3C), (0xC4D, 0xC4D), (0xCBC, 0xCBC), (0xCCD, 0xCCD), (0xD3B, 0xD3C),
    (0xD4D, 0xD4D), (0xDCA, 0xDCA), (0xE47, 0xE4E), (0xEBA, 0xEBA), (0xEC8, 0xECC), (0xF18, 0xF19),
    (0xF35, 0xF35), (0xF37, 0xF37), (0xF39, 0xF39), (0xF3E, 0xF3F), (0xF84, 0xF84), (0xF86, 0xF87),
    (0xFC6, 0xFC6), (0x1037, 0x103A), (0x135D, 0x135F), (0x1714, 0x1715), (0x1734, 0x1734),
    (0x17B4, 0x17D3), (0x17DD, 0x17DD), (0x180B, 0x180D), (0x180F, 0x180F), (0x1939, 0x193B),
    (0x1A60, 0x1A7C), (0x1A7F, 0x1A7F), (0x1AB0, 0x1ACB), (0x1B34, 0x1B44), (0x1B6B, 0x1B73),
    (0x1BAA, 0x1BF3), (0x1C37, 0x1C37), (0x1CD0, 0x1CD2), (0x1CD4, 0x1CF9), (0x1DC0, 0x1DFF),
    (0x20D0, 0x20F0), (0x2CEF, 0x2CF1), (0x2D7F, 0x2D7F), (0x302A, 0x302F), (0x3099, 0x309A),
    (0xA66F, 0xA672), (0xA67C, 0xA67D), (0xA6F0, 0xA6F1), (0xA806, 0xA806), (0xA82C, 0xA82C),
    (0xA8C4, 0xA8C4), (0xA8E0, 0xA8F1), (0xA92B, 0xA92D), (0xA953, 0xA953), (0xA9B3, 0xA9C0),
    (0xAABF, 0xAAC1), (0xAAF6, 0xAAF6), (0xABEC, 0xABED), (0xFE20, 0xFE2F),
];

/// A name of one part.
pub(super) fn is_plain(name: &str) -> bool {
    !name.contains('.') && check(name).is_ok()
}

/// A word as an error message shows it: short, without controls.
pub(super) fn shown(word: &str) -> String {
    const LONGEST: usize = 40;
    let mut shown: String =
        word.chars().take(LONGEST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if word.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    shown
}
