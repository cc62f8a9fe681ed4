//! XML elements: an element with elements in it is an object, one that is there several times is a list.
//! `<parameter name="x">` is the field `x`.

use serde_json::{Map, Value};

use super::Found;
use crate::repair::Span;

/// Elements in elements.
const DEPTH: usize = 32;

/// An element that is open.
struct Open<'t> {
    tag: &'t str,
    /// The field that it is.
    name: String,
    fields: Map<String, Value>,
    text: String,
}

pub(super) fn read(text: &str) -> Vec<Found> {
    let Some(start) = text.find('<') else { return Vec::new() };
    let mut open: Vec<Open<'_>> = vec![Open::root()];
    let mut at = start;
    let mut end = start;
    let mut elements = 0_usize;
    while let Some(rest) = text.get(at..) {
        let Some(next) = rest.find('<') else { break };
        if open.len() > 1
            && let Some(top) = open.last_mut()
        {
            top.text.push_str(rest.get(..next).unwrap_or_default());
        }
        at += next;
        let rest = text.get(at..).unwrap_or_default();
        if let Some(data) = rest.strip_prefix("<![CDATA[") {
            let Some(close) = data.find("]]>") else { break };
            if let Some(top) = open.last_mut() {
                top.text.push_str(data.get(..close).unwrap_or_default());
            }
            at += 9 + close + 3;
            continue;
        }
        let Some(close) = rest.find('>') else { break };
        let tag = rest.get(1..close).unwrap_or_default();
        at += close + 1;
        if let Some(name) = tag.strip_prefix('/') {
            // A closing tag closes what it names, and nothing else.
            let Some(index) = open.iter().rposition(|one| one.tag == name.trim()) else { continue };
            if index == 0 || index + 1 != open.len() {
                return Vec::new();
            }
            if let Some(done) = open.pop() {
                done.close(&mut open);
            }
            end = at;
        } else if let Some(one) = Open::of(tag) {
            elements += 1;
            if open.len() > DEPTH {
                return Vec::new();
            }
            open.push(one);
            if tag.ends_with('/')
                && let Some(done) = open.pop()
            {
                done.close(&mut open);
                end = at;
            }
        }
    }
    if elements == 0 {
        return Vec::new();
    }
    let cut = open.len() > 1;
    let span = Span::new(start, if cut { text.len() } else { end });
    while open.len() > 1 {
        // An element that is open may hold whole ones; its text is not whole.
        let Some(mut unclosed) = open.pop() else { break };
        if unclosed.fields.is_empty() {
            continue;
        }
        unclosed.text.clear();
        unclosed.close(&mut open);
    }
    let fields = open.pop().map(|root| root.fields).unwrap_or_default();
    vec![Found { value: Value::Object(fields), span, format: "XML", cut }]
}

impl<'t> Open<'t> {
    fn root() -> Self {
        Self { tag: "", name: String::new(), fields: Map::new(), text: String::new() }
    }

    /// The element that a tag opens; none, if it is no tag.
    fn of(tag: &'t str) -> Option<Self> {
        let inner = tag.trim_end_matches('/').trim();
        let name = inner.split(|c: char| c.is_whitespace() || c == '=').next()?;
        let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':'));
        if !is_name || inner.len() > 256 {
            return None;
        }
        let mut fields = Map::new();
        for (key, value) in attributes(inner.get(name.len()..).unwrap_or_default()) {
            fields.insert(key.to_owned(), Value::from(value));
        }
        let named = fields.len() == 1 && matches!(name, "parameter" | "field" | "param" | "arg");
        let field = named.then(|| fields.shift_remove("name")).flatten();
        let field = field.as_ref().and_then(Value::as_str).unwrap_or(name).to_owned();
        Some(Self { tag: name, name: field, fields, text: String::new() })
    }

    /// Puts the element into the one that it is in.
    fn close(self, open: &mut [Self]) {
        let Some(outer) = open.last_mut() else { return };
        let text = unescaped(self.text.trim());
        let value = match (self.fields.is_empty(), text.is_empty()) {
            (true, false) => Value::from(text),
            (true, true) => Value::from(""),
            (false, _) => Value::Object(self.fields),
        };
        match outer.fields.get_mut(&self.name) {
            None => {
                outer.fields.insert(self.name, value);
            }
            Some(Value::Array(list)) => list.push(value),
            Some(before) => *before = Value::Array(vec![before.take(), value]),
        }
    }
}

/// `key="value"` and `key='value'`.
fn attributes(text: &str) -> Vec<(&str, &str)> {
    let mut all = Vec::new();
    let mut rest = text.trim_start();
    while let Some((key, behind)) = rest.split_once('=') {
        let behind = behind.trim_start();
        let Some(quote) = behind.chars().next().filter(|c| matches!(c, '"' | '\'')) else { break };
        let Some((value, after)) = behind.get(1..).and_then(|text| text.split_once(quote)) else {
            break;
        };
        all.push((key.trim(), value));
        rest = after.trim_start();
    }
    all
}

fn unescaped(text: &str) -> String {
    if !text.contains('&') {
        return text.to_owned();
    }
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&apos;", "'")
        .replace("&#39;", "'")
        .replace("&amp;", "&")
}
