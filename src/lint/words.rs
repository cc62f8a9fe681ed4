//! Lints of single words: names of tools that are not there, calls in tags beside native tools, numbers
//! that are parameters. A word that a placeholder has a part in is nobody's.

use std::collections::BTreeMap;

use serde_json::Value;

use super::levels::Lint;
use super::{Found, Subject};
use crate::prompt::Section;

/// An item of a list begins within so many blanks.
const MOST_INDENT: usize = 16;

pub(super) fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let text = subject.prompt.text();
    for (section, range) in subject.authored() {
        let start = range.start;
        let mut rest = text.get(range).unwrap_or_default();
        let mut at = start;
        while let Some(skipped) = rest.find(is_part) {
            let from = rest.get(skipped..).unwrap_or_default();
            let length = word_length(from);
            let word = from.get(..length).unwrap_or_default();
            at += skipped;
            check_word(subject, section, Word::new(text, at, word), found);
            at += length;
            rest = from.get(length..).unwrap_or_default();
        }
    }
}

/// The numbers among parameters, by their bits, with the first path that has them. Of 0 and 1 every text
/// is full.
pub(super) fn numbers(params: &BTreeMap<String, Value>) -> BTreeMap<u64, String> {
    let mut numbers = BTreeMap::new();
    let mut todo: Vec<(String, &Value)> =
        params.iter().rev().map(|(name, value)| (format!("params.{name}"), value)).collect();
    while let Some((path, value)) = todo.pop() {
        match value {
            Value::Number(number) => {
                let number = number.as_f64().filter(|n| ![0.0, 1.0].contains(n));
                if let Some(number) = number {
                    numbers.entry(number.to_bits()).or_insert(path);
                }
            }
            Value::Array(items) => {
                let items = items.iter().enumerate().rev();
                todo.extend(items.map(|(at, item)| (format!("{path}.{at}"), item)));
            }
            Value::Object(fields) => {
                let fields = fields.iter().rev();
                todo.extend(fields.map(|(name, item)| (format!("{path}.{name}"), item)));
            }
            Value::Null | Value::Bool(_) | Value::String(_) => {}
        }
    }
    numbers
}

/// A word and what stands around it.
struct Word<'a> {
    text: &'a str,
    before: &'a str,
    after: &'a str,
}

impl<'a> Word<'a> {
    fn new(all: &'a str, at: usize, text: &'a str) -> Self {
        let before = all.get(..at).unwrap_or_default();
        let after = all.get(at + text.len()..).unwrap_or_default();
        Self { text, before, after }
    }

    /// Nothing that belongs to it stands outside of the authored text.
    fn is_whole(&self) -> bool {
        !self.before.ends_with(is_part) && !self.after.starts_with(is_part)
    }

    fn is_tag(&self) -> bool {
        self.after.starts_with('>') && (self.before.ends_with('<') || self.before.ends_with("</"))
    }

    /// It is meant as a name: it is written as code, or is no word of a language.
    fn is_name(&self) -> bool {
        let code = self.before.ends_with('`') && self.after.starts_with('`');
        code || self.is_tag() || self.text.contains('_') || has_inner_capital(self.text)
    }

    /// `3.` at the start of a line.
    fn is_item(&self) -> bool {
        let mut before = self.before.chars().rev().take(MOST_INDENT + 1).skip_while(|c| *c == ' ');
        matches!(before.next(), None | Some('\n')) && self.after.starts_with(['.', ')'])
    }
}

fn check_word(subject: &Subject<'_>, section: &Section, word: Word<'_>, found: &mut Found<'_>) {
    let name = word.text;
    let (id, origin) = (section.id.as_str(), section.origin.as_str());
    let mut add = |lint, message: &str| found.add(lint, id, name, origin, message);
    let absent = subject.absent.contains(name);
    if absent || subject.enabled.contains(name) {
        if !word.is_whole() {
            return;
        }
        if word.is_tag() && subject.prompt.tools().is_some() {
            let message = format!("the text shows a call in `<{name}>` tags, but tools are native");
            add(Lint::XmlWithNative, &message);
        } else if absent && word.is_name() {
            let message = format!("the text names the tool `{name}`, which is not offered");
            add(Lint::ToolNotEnabled, &message);
        }
    } else if let Some(path) = number(name).and_then(|n| subject.numbers.get(&n.to_bits()))
        && word.is_whole()
        && !word.is_item()
        && !is_printed(subject, id, path)
    {
        let message = format!("the text says {name}, which is the value of `{path}`");
        add(Lint::ParameterNumber, &message);
    }
}

/// The section asks for the parameter, or for something that it is in.
fn is_printed(subject: &Subject<'_>, section: &str, path: &str) -> bool {
    let ends = path.match_indices('.').map(|(at, _)| at).chain([path.len()]);
    ends.filter_map(|end| path.get(..end)).any(|path| subject.printed.contains(&(section, path)))
}

/// `40`, `0.5`, `1,000`.
fn number(word: &str) -> Option<f64> {
    let digits = |word: &str| word.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b','));
    let short = word.len() <= 32 && word.starts_with(|c: char| c.is_ascii_digit());
    if short && digits(word) { word.replace(',', "").parse().ok() } else { None }
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-')
}

fn has_inner_capital(word: &str) -> bool {
    let lower_then_upper = |pair: &[u8]| match pair {
        [a, b] => a.is_ascii_lowercase() && b.is_ascii_uppercase(),
        _ => false,
    };
    word.as_bytes().windows(2).any(lower_then_upper)
}

/// Of the word that this begins with; a point or comma between two digits is inside.
fn word_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let mut length = text.len();
    for (at, c) in text.char_indices() {
        let inside = matches!(c, '.' | ',') && at > 0 && digit(at - 1) && digit(at + 1);
        if !is_part(c) && !inside {
            length = at;
            break;
        }
    }
    length
}
