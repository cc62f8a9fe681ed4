//! YAML, TOML and Markdown lists, as far as models write them: mappings by indentation, lists with bullets or
//! numbers, `key = value` with `[sections]`. Where a line is none of these, nothing is read.

use serde_json::{Map, Value};

use super::{Found, bare};
use crate::read::lone;
use crate::repair::Span;
use crate::tolerant::scalar::{self, Word};

/// Blocks in blocks.
const DEPTH: usize = 16;
/// Bytes of a key, and its words.
const KEY: usize = 64;
const WORDS: usize = 4;

#[derive(Debug, Clone, Copy)]
struct Line<'t> {
    indent: usize,
    text: &'t str,
    /// A blank line is before it.
    apart: bool,
}

pub(super) fn read(text: &str) -> Vec<Found> {
    let (start, body) = body(text);
    let mut lines = lines(body);
    // What is before the first member or item, and a paragraph behind the last one, is prose.
    let Some(first) = lines.iter().position(|line| is_structured(line.text)) else {
        return Vec::new();
    };
    lines.drain(..first);
    // A heading over a list is no member: `People:`.
    if let [heading, next, ..] = lines.as_slice()
        && heading.text.ends_with([':', '：'])
        && item(next.text).is_some()
        && next.apart
    {
        lines.remove(0);
    }
    let prose = lines.iter().position(|line| line.apart && !is_structured(line.text));
    lines.truncate(prose.unwrap_or(lines.len()));
    let mut reader = Reader { lines: &lines, at: 0 };
    let Some(value) = reader.records() else { return Vec::new() };
    if reader.at < lines.len() || !(value.is_object() || value.is_array()) {
        return Vec::new();
    }
    let span = Span::new(start, start + body.trim_end().len());
    vec![Found { value, span, format: "YAML", cut: false }]
}

/// What is in the one code fence of a text, or all of it.
fn body(text: &str) -> (usize, &str) {
    let mut fences = text.match_indices("```").map(|(at, _)| at);
    match (fences.next(), fences.next(), fences.next()) {
        (Some(open), close, None) => {
            let line = text.get(open..).and_then(|rest| rest.find('\n'));
            let start = line.map_or(text.len(), |line| open + line + 1);
            let end = close.unwrap_or(text.len()).max(start);
            (start, text.get(start..end).unwrap_or_default())
        }
        _ => (0, text),
    }
}

fn lines(text: &str) -> Vec<Line<'_>> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    let mut apart = false;
    for line in text.lines() {
        let trimmed = line.trim();
        let is_comment = trimmed.starts_with("# ") && !lines.is_empty();
        if trimmed.is_empty() || matches!(trimmed, "---" | "...") || is_comment {
            apart |= trimmed.is_empty();
            continue;
        }
        let indent = line.len() - line.trim_start().len();
        lines.push(Line { indent, text: trimmed, apart });
        apart = false;
    }
    lines
}

fn is_structured(text: &str) -> bool {
    item(text).is_some() || member(text).is_some() || section(text).is_some()
}

/// The text of an item: `- Ann`, `2. Bob`.
fn item(text: &str) -> Option<&str> {
    let bullet = text.strip_prefix(['-', '*', '•', '+']);
    let digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let number =
        (digits.len() < text.len()).then(|| digits.strip_prefix(['.', ')', '、'])).flatten();
    let rest = bullet.or(number)?;
    (rest.is_empty() || rest.starts_with([' ', '\t']) || text.contains('、')).then(|| rest.trim())
}

/// The key and the value of a member: `name: Ann`, `**Name:** Ann`, `name = "Ann"`.
fn member(text: &str) -> Option<(&str, &str)> {
    let at = text.find([':', '：', '=']).filter(|at| *at <= KEY + 4)?;
    let (key, rest) = (text.get(..at)?, text.get(at..)?);
    let sign = rest.chars().next()?;
    let value = rest.get(sign.len_utf8()..)?;
    if sign == '=' && value.starts_with('=') {
        return None;
    }
    let value = value.strip_prefix('>').filter(|_| sign == '=').unwrap_or(value);
    // `http://…` and `12:30` have no blank behind the colon.
    let is_apart = value.is_empty() || sign != ':' || value.starts_with([' ', '\t', '*', '_']);
    // A key in quotes is one of JSON.
    if key.trim_start().starts_with('"') {
        return None;
    }
    // `**Name:** Ann`
    let value = value.strip_prefix("**").unwrap_or(value).trim();
    let key = bare(key.trim().trim_start_matches("**").trim_end_matches("**"));
    let is_key = !key.is_empty()
        && key.split_whitespace().count() <= WORDS
        && !key.contains(['"', '{', '[', ',', '.', '。', '，', '(', '<']);
    (is_apart && is_key).then_some((key, value))
}

/// The name of a section of TOML, and whether it is one of several.
fn section(text: &str) -> Option<(&str, bool)> {
    let inner = text.strip_prefix('[')?.strip_suffix(']')?;
    let (name, several) = match inner.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
        Some(name) => (name, true),
        None => (inner, false),
    };
    let is_name = !name.is_empty()
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
        && !name.chars().all(|c| c.is_ascii_digit());
    is_name.then_some((name, several))
}

struct Reader<'l, 't> {
    lines: &'l [Line<'t>],
    at: usize,
}

impl<'t> Reader<'_, 't> {
    fn line(&self) -> Option<Line<'t>> {
        self.lines.get(self.at).copied()
    }

    /// The whole: a block, records of the same keys one after the other, or sections.
    fn records(&mut self) -> Option<Value> {
        if self.lines.iter().any(|line| section(line.text).is_some()) {
            return self.sections();
        }
        let mut records = Vec::new();
        while let Some(line) = self.line() {
            records.push(self.block(line.indent, 0)?);
        }
        if records.len() > 1 && !records.iter().all(Value::is_object) {
            return None;
        }
        if records.len() == 1 { records.pop() } else { Some(Value::Array(records)) }
    }

    fn sections(&mut self) -> Option<Value> {
        let mut root = Map::new();
        let mut name: Option<(&str, bool)> = None;
        while let Some(line) = self.line() {
            if let Some(found) = section(line.text) {
                name = Some(found);
                self.at += 1;
                continue;
            }
            let Value::Object(fields) = self.block(line.indent, 0)? else { return None };
            match name {
                None => root.extend(fields),
                Some((name, false)) => {
                    root.insert(name.to_owned(), Value::Object(fields));
                }
                Some((name, true)) => {
                    let list = root.entry(name).or_insert_with(|| Value::Array(Vec::new()));
                    list.as_array_mut()?.push(Value::Object(fields));
                }
            }
        }
        Some(Value::Object(root))
    }

    /// The block whose lines have this indentation.
    fn block(&mut self, indent: usize, depth: usize) -> Option<Value> {
        if depth > DEPTH {
            return None;
        }
        let line = self.line()?;
        match item(line.text) {
            Some(_) => self.list(indent, depth),
            None => self.mapping(indent, depth, None).map(Value::Object),
        }
    }

    fn list(&mut self, indent: usize, depth: usize) -> Option<Value> {
        let mut items = Vec::new();
        while let Some(line) = self.line().filter(|line| line.indent == indent) {
            let Some(text) = item(line.text) else { break };
            self.at += 1;
            let below = self.line().filter(|next| next.indent > indent);
            let value = match (member(text), below) {
                (Some(first), _) => {
                    let below = below.map_or(indent + 2, |line| line.indent);
                    Value::Object(self.mapping(below, depth + 1, Some(first))?)
                }
                (None, Some(below)) if text.is_empty() => self.block(below.indent, depth + 1)?,
                // `- **Ann**` over the fields of Ann would lose the name.
                (None, Some(_)) => return None,
                (None, None) => scalar(text),
            };
            items.push(value);
        }
        let all_members = items.iter().all(|item| item.as_object().is_some_and(|o| o.len() == 1));
        let mut keys: Vec<&String> =
            items.iter().filter_map(|item| item.as_object()?.keys().next()).collect();
        keys.sort_unstable();
        keys.dedup();
        if items.len() > 1 && all_members && keys.len() == items.len() {
            // `- Name: Ann` and `- Age: 3` are the members of one.
            let members = items.into_iter().filter_map(|item| match item {
                Value::Object(map) => map.into_iter().next(),
                _ => None,
            });
            return Some(Value::Object(members.collect()));
        }
        Some(Value::Array(items))
    }

    /// The members of one mapping, the first of which may be behind a bullet; a key that is there twice ends it.
    fn mapping(
        &mut self,
        indent: usize,
        depth: usize,
        first: Option<(&str, &str)>,
    ) -> Option<Map<String, Value>> {
        let mut fields = Map::new();
        if let Some((key, value)) = first {
            let value = self.value(value, indent, depth)?;
            fields.insert(key.to_owned(), value);
        }
        while let Some(line) = self.line().filter(|line| line.indent == indent) {
            if item(line.text).is_some() || section(line.text).is_some() {
                break;
            }
            let (key, value) = member(line.text)?;
            if fields.contains_key(key) {
                break;
            }
            self.at += 1;
            let value = self.value(value, indent + 1, depth)?;
            fields.insert(key.to_owned(), value);
        }
        (!fields.is_empty()).then_some(fields)
    }

    /// The value of a member: in its line, or in the lines below it from this indentation on.
    fn value(&mut self, text: &str, least: usize, depth: usize) -> Option<Value> {
        let below = self.line().filter(|next| {
            next.indent >= least || next.indent + 1 == least && item(next.text).is_some()
        });
        let folded = matches!(text, ">" | ">-" | ">+");
        if matches!(text, "|" | "|-" | "|+") || folded {
            let mut parts = Vec::new();
            while let Some(line) = self.line().filter(|line| line.indent >= least) {
                parts.push(line.text);
                self.at += 1;
            }
            return Some(Value::from(parts.join(if folded { " " } else { "\n" })));
        }
        match below {
            Some(below) if text.is_empty() => self.block(below.indent, depth + 1),
            _ if text.is_empty() => Some(Value::Null),
            _ => Some(scalar(text)),
        }
    }
}

/// A literal, a number, a list in brackets, or text.
fn scalar(text: &str) -> Value {
    if text.starts_with(['[', '{', '"'])
        && let Some(value) = lone(text)
    {
        return value;
    }
    // A comment behind a value.
    let text = text.split_once(" #").map_or(text, |(value, _)| value).trim();
    let text = text.trim_end_matches(',');
    let inner = bare(text);
    if inner.len() < text.len() {
        return Value::from(inner);
    }
    match scalar::word(text) {
        Word::Exact(value) => value,
        Word::Spelled(value) if !value.is_number() => value,
        _ => Value::from(text),
    }
}
