//! The JSON of a `hermes` call: where it ends while it comes in, and what it says when it has mistakes
//! that models make. Goes over the text once, without recursion.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;

use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

/// Finds the end of a JSON object, byte by byte.
#[derive(Debug, Clone, Default)]
pub(crate) struct JsonEnd {
    depth: usize,
    /// The quote of the string that we are in.
    quote: Option<u8>,
    escaped: bool,
    /// The first key is in single quotes, so strings are.
    single: Option<bool>,
    /// The object has ended; asked again, the answer is the same.
    ended: bool,
}

/// What a stretch of JSON came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scanned {
    /// The object ends before this byte.
    End(usize),
    /// A `<` outside of strings, at this byte.
    Tag(usize),
    /// It goes on.
    Open,
}

impl JsonEnd {
    /// Goes on with what comes next. Where it stopped, it goes on from, end and tag included.
    pub(crate) fn scan(&mut self, text: &[u8]) -> Scanned {
        if self.ended {
            return Scanned::End(0);
        }
        for (at, &byte) in text.iter().enumerate() {
            if let Some(quote) = self.quote {
                if self.escaped {
                    self.escaped = false;
                } else if byte == b'\\' {
                    self.escaped = true;
                } else if byte == quote {
                    self.quote = None;
                }
                continue;
            }
            match byte {
                b'"' | b'\'' => {
                    let single = *self.single.get_or_insert(byte == b'\'');
                    if byte == b'"' || single {
                        self.quote = Some(byte);
                    }
                }
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        self.ended = true;
                        return Scanned::End(at + 1);
                    }
                }
                b'<' => return Scanned::Tag(at),
                _ => {}
            }
        }
        Scanned::Open
    }
}

/// The JSON objects in a stretch of an answer: one, several one after the other, or those of a list. What is
/// between them is blanks and commas; otherwise it is no list of calls.
pub(crate) fn objects(text: &str) -> Option<Vec<Range<usize>>> {
    let inside = text.trim_start().strip_prefix('[').unwrap_or(text.trim_start());
    let mut at = text.len() - inside.len();
    let mut found = Vec::new();
    loop {
        let rest = text.get(at..)?;
        at += rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',').len();
        let rest = text.get(at..)?;
        if rest.is_empty() || (rest.starts_with(']') && !found.is_empty()) {
            return Some(found).filter(|found| !found.is_empty());
        }
        if !rest.starts_with('{') {
            return None;
        }
        let start = at;
        let mut end = JsonEnd::default();
        at = loop {
            match end.scan(text.as_bytes().get(at..)?) {
                Scanned::End(length) => break at + length,
                Scanned::Tag(tag) => at += tag + 1,
                Scanned::Open => break text.len(),
            }
        };
        found.push(start..at);
    }
}

/// The keys under which models write the arguments of a call.
const ARGUMENTS: [&str; 4] = ["arguments", "parameters", "args", "input"];

/// A call in JSON.
#[derive(Debug)]
pub(crate) struct JsonCall {
    pub(crate) name: String,
    /// All other members, in order; a key may be there twice.
    members: Vec<(String, Box<RawValue>)>,
    /// The JSON had to be repaired.
    pub(crate) mended: bool,
}

/// Reads a call; `None` if it has no name.
pub(crate) fn read(text: &str) -> Option<JsonCall> {
    let (Pairs(mut raw), mut mended) = read_pairs::<Box<RawValue>>(text)?;
    let named =
        |(key, value): &(String, Box<RawValue>)| key == "name" && value.get().starts_with('"');
    if !raw.iter().any(named) {
        // As providers write calls: `{"type": "function", "function": {"name": …, "arguments": …}}`.
        let at = raw.iter().position(|(key, _)| key == "function")?;
        let (Pairs(inner), inner_mended) = read_pairs::<Box<RawValue>>(raw.get(at)?.1.get())?;
        raw.splice(at..=at, inner);
        mended |= inner_mended;
    }
    let at = raw.iter().rposition(|(key, _)| key == "name")?;
    let name = serde_json::from_str(raw.remove(at).1.get()).ok()?;
    Some(JsonCall { name, members: raw, mended })
}

impl JsonCall {
    /// The arguments, in order, and whether they had to be repaired. They are what is under one of the keys
    /// for arguments, as an object or as JSON in a string; every member beside them is an argument too. `declared`:
    /// the tool has a parameter of this name. `None` where a value is nested too deep to be read.
    pub(crate) fn arguments(
        self,
        declared: impl Fn(&str) -> bool,
    ) -> Option<(Vec<(String, Value)>, bool)> {
        let mut members = self.members;
        let mut mended = self.mended;
        let found = ARGUMENTS.iter().find_map(|key| {
            let at = members.iter().rposition(|(other, _)| other == key)?;
            let (inner, inner_mended) = pairs_of(members.get(at)?.1.get())?;
            // A parameter of the tool that has the name of such a key.
            let is_param = declared(key) && !inner.iter().any(|(name, _)| declared(name));
            (!is_param).then_some((at, inner, inner_mended))
        });
        let mut inside = Vec::new();
        if let Some((at, inner, inner_mended)) = found {
            members.remove(at);
            inside = inner;
            mended |= inner_mended;
        }
        let mut read = Vec::with_capacity(members.len() + inside.len());
        for (key, value) in members {
            let value = match serde_json::from_str(value.get()).ok()? {
                // That there are no arguments is nothing that could get lost.
                Value::Null if ARGUMENTS.contains(&key.as_str()) && !declared(&key) => continue,
                value => value,
            };
            read.push((key, value));
        }
        read.append(&mut inside);
        Some((read, mended))
    }
}

/// The members of an object, which may be written as a string of JSON, as some models do.
fn pairs_of(json: &str) -> Option<(Vec<(String, Value)>, bool)> {
    if let Some((Pairs(pairs), mended)) = read_pairs(json) {
        return Some((pairs, mended));
    }
    let inner: String = serde_json::from_str(json).ok()?;
    if inner.trim().is_empty() {
        return Some((Vec::new(), false));
    }
    let (Pairs(pairs), mended) = read_pairs(&inner)?;
    Some((pairs, mended))
}

/// The members of an object, in order, with those that are there twice.
struct Pairs<T>(Vec<(String, T)>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Pairs<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Members<T> {
            type Value = Pairs<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(Members(PhantomData))
    }
}

/// An object in strict JSON, else with its mistakes mended.
fn read_pairs<T: DeserializeOwned>(text: &str) -> Option<(Pairs<T>, bool)> {
    if !text.trim_start().starts_with('{') {
        return None;
    }
    if let Ok(pairs) = serde_json::from_str(text) {
        return Some((pairs, false));
    }
    serde_json::from_str(&mend(text)).ok().map(|pairs| (pairs, true))
}

/// A value in strict JSON, else with its mistakes mended.
pub(crate) fn read_value(text: &str) -> Option<(Value, bool)> {
    if let Ok(value) = serde_json::from_str(text) {
        return Some((value, false));
    }
    serde_json::from_str(&mend(text)).ok().map(|value| (value, true))
}

/// Where in an object or a list we are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    List,
    Key,
    Colon,
    Value,
}

/// Writes JSON again: single quotes, Python's words, raw control characters, commas too many; what is
/// open at the end is closed, and a key without a value goes.
fn mend(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut open: Vec<Place> = Vec::new();
    // The length up to which the output is whole, if the rest turns out to be the start of a member.
    let mut whole = 0;
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        match character {
            '{' | '[' => {
                comma(&mut out, whole, &open);
                out.push(character);
                open.push(if character == '{' { Place::Key } else { Place::List });
                whole = out.len();
            }
            '}' | ']' => {
                let Some(place) = open.pop() else { break };
                let place = if place == Place::List { ']' } else { '}' };
                out.truncate(whole);
                out.push(place);
                whole = out.len();
                if open.is_empty() {
                    return out;
                }
                value_done(&mut open);
            }
            ':' => {
                if let Some(place) = open.last_mut().filter(|place| **place == Place::Colon) {
                    *place = Place::Value;
                    out.push(':');
                }
            }
            // Written when something follows.
            ',' => {
                if let Some(place) = open.last_mut().filter(|place| **place == Place::Colon) {
                    // A key without a value.
                    out.truncate(whole);
                    *place = Place::Key;
                }
            }
            '"' | '\'' => {
                comma(&mut out, whole, &open);
                let closed = string(&mut out, character, &mut rest);
                let is_key = open.last() == Some(&Place::Key);
                if !is_key {
                    whole = out.len();
                    value_done(&mut open);
                } else if closed && let Some(place) = open.last_mut() {
                    *place = Place::Colon;
                }
            }
            character if character.is_whitespace() => {}
            character => {
                let mut word = String::from(character);
                while let Some(next) = rest
                    .next_if(|next| next.is_alphanumeric() || matches!(next, '.' | '-' | '+' | '_'))
                {
                    word.push(next);
                }
                if open.last().is_none_or(|place| !matches!(place, Place::List | Place::Value)) {
                    continue;
                }
                if let Some(value) = plain(&word) {
                    comma(&mut out, whole, &open);
                    out.push_str(&value);
                    whole = out.len();
                    value_done(&mut open);
                }
            }
        }
    }
    out.truncate(whole);
    while let Some(place) = open.pop() {
        out.push(if place == Place::List { ']' } else { '}' });
    }
    out
}

/// Something was written that is a member's value.
fn value_done(open: &mut [Place]) {
    if let Some(place) = open.last_mut().filter(|place| **place == Place::Value) {
        *place = Place::Key;
    }
}

/// A comma before the next member, if one stands before it.
fn comma(out: &mut String, whole: usize, open: &[Place]) {
    let first = out.ends_with(['{', '[']);
    let member = open.last().is_some_and(|place| matches!(place, Place::List | Place::Key));
    if member && !first && out.len() == whole && !out.is_empty() {
        out.push(',');
    }
}

/// A string in either kind of quotes; answers whether it was closed.
fn string(
    out: &mut String,
    quote: char,
    rest: &mut std::iter::Peekable<std::str::Chars<'_>>,
) -> bool {
    out.push('"');
    let mut closed = false;
    // The first half of a character that is escaped in two.
    let mut high = None;
    while let Some(character) = rest.next() {
        if high.is_some() && (character != '\\' || rest.peek() != Some(&'u')) {
            high = None;
            out.push(char::REPLACEMENT_CHARACTER);
        }
        match character {
            '\\' => match rest.next() {
                Some('\'') => out.push('\''),
                Some(escaped @ ('"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't')) => {
                    out.extend(['\\', escaped]);
                }
                Some('u') => unicode(out, &mut high, rest),
                Some(other) => out.extend(['\\', '\\', other]),
                None => break,
            },
            character if character == quote => {
                closed = true;
                break;
            }
            '"' => out.push_str("\\\""),
            character if character.is_control() => {
                out.push_str(&format!("\\u{:04x}", u32::from(character)));
            }
            character => out.push(character),
        }
    }
    out.push('"');
    closed
}

/// The four digits behind `\u`; what is no character becomes U+FFFD.
fn unicode(
    out: &mut String,
    high: &mut Option<u32>,
    rest: &mut std::iter::Peekable<std::str::Chars<'_>>,
) {
    let mut digits = String::new();
    while digits.len() < 4
        && let Some(digit) = rest.next_if(char::is_ascii_hexdigit)
    {
        digits.push(digit);
    }
    let code = u32::from_str_radix(&digits, 16).ok().filter(|_| digits.len() == 4);
    let before = high.take();
    match (before, code) {
        (None, Some(code @ 0xD800..0xDC00)) => *high = Some(code),
        (Some(before), Some(code @ 0xDC00..0xE000)) => {
            let whole = 0x1_0000 + ((before - 0xD800) << 10) + (code - 0xDC00);
            out.push(char::from_u32(whole).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        (before, Some(code)) => {
            out.extend(before.map(|_| char::REPLACEMENT_CHARACTER));
            let shown = match code {
                0xD800..0xE000 => 0xFFFD,
                code => code,
            };
            out.push_str(&format!("\\u{shown:04x}"));
        }
        // Cut off: nothing was said yet.
        (_, None) => {}
    }
}

/// A number or a word, in JSON.
fn plain(word: &str) -> Option<String> {
    match word {
        "true" | "True" => Some("true".to_owned()),
        "false" | "False" => Some("false".to_owned()),
        "null" | "None" => Some("null".to_owned()),
        word => serde_json::from_str::<serde_json::Number>(word).ok().map(|_| word.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::{mend, read};

    macro_rules! mended {
        ($($name:ident: $text:expr => $want:expr;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(mend($text), $want);
                serde_json::from_str::<serde_json::Value>($want).unwrap();
            }
        )*};
    }

    mended! {
        it_stays: r#"{"a":[1,"b",{"c":null}]}"# => r#"{"a":[1,"b",{"c":null}]}"#;
        single_quotes: "{'a': 'it\\'s \"b\"'}" => r#"{"a":"it's \"b\""}"#;
        words_of_python: "{'a': True, 'b': None, 'c': [False]}" => r#"{"a":true,"b":null,"c":[false]}"#;
        commas_too_many: r#"{"a": [1,,2,], "b": 1,,}"# => r#"{"a":[1,2],"b":1}"#;
        commas_too_few: r#"{"a": [1 2] "b": 1}"# => r#"{"a":[1,2],"b":1}"#;
        raw_line_breaks: "{\"a\": \"b\nc\"}" => r#"{"a":"b\u000ac"}"#;
        cut_in_a_string: r#"{"a": "b"# => r#"{"a":"b"}"#;
        cut_in_a_key: r#"{"a": 1, "b"# => r#"{"a":1}"#;
        cut_behind_a_key: r#"{"a": 1, "b":"# => r#"{"a":1}"#;
        cut_in_a_list: r#"{"a": [1, {"b": 2"# => r#"{"a":[1,{"b":2}]}"#;
        a_brace_too_few: r#"{"a": {"b": 1}"# => r#"{"a":{"b":1}}"#;
        two_halves: r#"{"a": "\ud83d\ude42", 'b': "\ud83d"}"# => "{\"a\":\"\u{1F642}\",\"b\":\"\u{FFFD}\"}";
        an_unknown_escape: r#"{"a": "\d",}"# => r#"{"a":"\\d"}"#;
        a_key_without_a_value: r#"{"a", "b": 1}"# => r#"{"b":1}"#;
    }

    #[test]
    fn keys_that_are_there_twice() {
        let call = read(r#"{"name": "f", "arguments": {"a": 1, "a": 2}}"#).unwrap();
        assert_eq!(call.arguments(|_| true).unwrap().0.len(), 2);
    }

    #[test]
    fn deep_nesting_is_no_call() {
        let deep = format!("{{\"name\": \"f\", \"arguments\": {}", "[".repeat(100_000));
        assert!(read(&deep).is_none_or(|call| call.arguments(|_| true).is_none()));
        let mended = mend(&deep);
        assert_eq!(mended.matches(']').count(), 100_000);
    }
}
