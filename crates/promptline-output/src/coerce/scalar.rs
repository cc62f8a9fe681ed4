//! Strings, numbers, booleans and null, one read as another where the schema wants that. What a text does not
//! say, it is not made to say.

use serde_json::{Number, Value};
use unicode_normalization::UnicodeNormalization as _;

use super::number::{Said, integral, number, number_in};
use crate::parsed::Coercion;
use crate::repair::Risk;
use crate::shape::{BOOL, INT, LIST, NULL, NUM, OBJ, STR};

/// What a value is turned into.
#[derive(Debug)]
pub(super) struct Becomes {
    pub(super) how: Coercion,
    pub(super) risk: Risk,
    pub(super) value: Value,
}

impl Becomes {
    pub(super) fn new(how: Coercion, risk: Risk, value: impl Into<Value>) -> Self {
        Self { how, risk, value: value.into() }
    }
}

/// How a scalar is read as one of these types: as it is, or as another value. `prose` looks for the value in
/// a sentence as well.
pub(super) fn read(value: &Value, types: u8, prose: bool) -> Option<Option<Becomes>> {
    let own = type_of(value);
    if let Some(null) = null_in_words(value, types) {
        return Some(Some(null));
    }
    if types == 0 || types & own != 0 {
        return Some(written_as_integer(value, types));
    }
    // A null that is not written is the last.
    [INT, NUM, BOOL, STR, NULL]
        .into_iter()
        .filter(|wanted| types & wanted != 0)
        .find_map(|wanted| coerced(value, wanted, prose))
        .map(Some)
}

/// A text that programming languages write null as, where both a text and null are allowed.
fn null_in_words(value: &Value, types: u8) -> Option<Becomes> {
    let text = value.as_str().filter(|_| types & NULL != 0 && types & STR != 0)?;
    is_null_word(text).then(|| Becomes::new(Coercion::Null, Risk::Guess, Value::Null))
}

/// Null as programming languages write it.
pub(crate) fn is_null_word(text: &str) -> bool {
    matches!(text, "null" | "NULL" | "None" | "nil" | "undefined")
}

/// The integer 3 is sometimes written 3.0, which no integer type of a program takes.
fn written_as_integer(value: &Value, types: u8) -> Option<Becomes> {
    let Value::Number(number) = value else { return None };
    if types & NUM != 0 || types & INT == 0 || !number.is_f64() {
        return None;
    }
    let whole = integral(number).filter(|whole| !whole.is_f64())?;
    Some(Becomes::new(Coercion::Number, Risk::Lossless, whole))
}

fn coerced(value: &Value, wanted: u8, prose: bool) -> Option<Becomes> {
    match (wanted, value) {
        (STR, Value::Bool(value)) => {
            Some(Becomes::new(Coercion::Text, Risk::Lossless, value.to_string()))
        }
        // How a float was written is not known any more: 1.10 is 1.1.
        (STR, Value::Number(number)) => {
            let risk = if number.is_f64() { Risk::Guess } else { Risk::Lossless };
            Some(Becomes::new(Coercion::Text, risk, number.to_string()))
        }
        (BOOL, Value::Number(number)) => {
            let said = match number.as_f64() {
                Some(1.0) => true,
                Some(0.0) => false,
                _ => return None,
            };
            Some(Becomes::new(Coercion::Boolean, Risk::Lossless, said))
        }
        (BOOL, Value::String(text)) => match boolean(text) {
            Some(said) => Some(Becomes::new(Coercion::Boolean, Risk::Lossless, said)),
            None if prose => {
                boolean_in(text).map(|said| Becomes::new(Coercion::Boolean, Risk::Guess, said))
            }
            None => None,
        },
        (INT | NUM, Value::String(text)) => {
            let Said { number, risk } = match number(text) {
                None if prose => number_in(text)?,
                said => said?,
            };
            let number: Number = if wanted == INT { integral(&number)? } else { number };
            Some(Becomes::new(Coercion::Number, risk, number))
        }
        (NULL, Value::String(text)) => {
            Some(Becomes::new(Coercion::Null, nothing(text)?, Value::Null))
        }
        _ => None,
    }
}

pub(super) fn type_of(value: &Value) -> u8 {
    match value {
        Value::Null => NULL,
        Value::Bool(_) => BOOL,
        Value::Number(number) if integral(number).is_some() => INT | NUM,
        Value::Number(_) => NUM,
        Value::String(_) => STR,
        Value::Array(_) => LIST,
        Value::Object(_) => OBJ,
    }
}

/// A boolean in words.
fn boolean(text: &str) -> Option<bool> {
    let word = word(text)?;
    match word.trim_matches(['"', '\'', '.', '!', '。', '！']) {
        "true" | "yes" | "y" | "on" | "是" | "有" | "对" | "真" => Some(true),
        "false" | "no" | "n" | "off" | "否" | "无" | "不" | "没有" | "假" => Some(false),
        _ => None,
    }
}

/// The one boolean that is named in a sentence.
fn boolean_in(text: &str) -> Option<bool> {
    let mut found = None;
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        let value = match word.to_lowercase().as_str() {
            "true" => true,
            "false" => false,
            // `it is not true`, `that isn't false`
            "not" | "never" | "t" => return None,
            _ => continue,
        };
        if found.is_some_and(|before| before != value) {
            return None;
        }
        found = Some(value);
    }
    found
}

/// Words for null, and how sure they are.
pub(super) fn nothing(text: &str) -> Option<Risk> {
    match word(text)?.as_str() {
        "null" | "none" | "nil" => Some(Risk::Lossless),
        "" | "n/a" | "na" | "-" | "--" | "—" | "unknown" | "无" | "未知" | "不详" | "暂无" => {
            Some(Risk::Guess)
        }
        _ => None,
    }
}

/// A text that says that there is no value.
pub(super) fn says_nothing(text: &str) -> bool {
    const WORDS: [&str; 20] = [
        "tbd",
        "tba",
        "?",
        "...",
        "…",
        "not specified",
        "not provided",
        "not available",
        "not given",
        "not applicable",
        "not stated",
        "not mentioned",
        "unspecified",
        "undefined",
        "missing",
        "未提供",
        "未提及",
        "未说明",
        "没有",
        "不明",
    ];
    nothing(text).is_some() || word(text).is_some_and(|word| WORDS.contains(&word.as_str()))
}

/// A short text in lower case, full-width letters as others.
fn word(text: &str) -> Option<String> {
    let text = text.trim();
    (text.len() <= 32).then(|| text.nfkc().flat_map(char::to_lowercase).collect())
}

/// Whether two values are the same; `1` and `1.0` are.
pub(super) fn same(left: &Value, right: &Value) -> bool {
    let mut rest = vec![(left, right)];
    while let Some(pair) = rest.pop() {
        match pair {
            (Value::Number(left), Value::Number(right)) => {
                let floats = left.is_f64() || right.is_f64();
                if left != right && !(floats && left.as_f64() == right.as_f64()) {
                    return false;
                }
            }
            (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
                rest.extend(left.iter().zip(right));
            }
            (Value::Object(left), Value::Object(right)) if left.len() == right.len() => {
                for (key, value) in left {
                    let Some(other) = right.get(key) else { return false };
                    rest.push((value, other));
                }
            }
            (left, right) if left == right => {}
            _ => return false,
        }
    }
    true
}

pub(super) fn is_scalar(value: &Value) -> bool {
    !value.is_array() && !value.is_object()
}

/// The one value in a list, or of an object of one, that can be read in this way. What else is in the list is
/// lost.
pub(super) fn in_container(
    value: &Value,
    read: impl Fn(&Value) -> Option<(Value, Risk)>,
) -> Option<Becomes> {
    const MOST: usize = 16;
    let (values, outer): (Vec<&Value>, Risk) = match value {
        Value::Array(list) if list.len() > MOST => return None,
        Value::Array(list) => {
            let risk = if list.len() == 1 { Risk::Lossless } else { Risk::Lossy };
            (list.iter().collect(), risk)
        }
        Value::Object(object) if object.len() == 1 => (object.values().collect(), Risk::Guess),
        _ => return None,
    };
    let scalars = values.into_iter().filter(|inner| is_scalar(inner));
    let mut read = scalars.filter_map(read);
    let (value, inner) = read.next()?;
    read.next().is_none().then(|| Becomes::new(Coercion::Unwrapped, outer.max(inner), value))
}
