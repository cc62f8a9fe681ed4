//! Lints of single words, in the text and in the words of tools: names of tools that are not there, calls in
//! tags beside native tools, numbers that are parameters. A word that a placeholder has a part in is
//! neither the pack's nor the host's alone, and is not judged.

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::Value;

use super::levels::Lint;
use super::{LintFindings, Subject};
use crate::id::TOOLS_SECTION;
use crate::prompt::Section;

/// A name with points in it is looked for in so many characters.
const LONGEST_NAME: usize = 128;
/// An item of a list begins within so many blanks.
const MOST_INDENT: usize = 16;

/// What a call looks like in a text that does not name a tool.
const SAMPLE_TAGS: [&str; 2] = ["tool_name", "tool_call"];

pub(super) fn check(subject: &Subject<'_>, found: &mut LintFindings<'_>) {
    let text = subject.prompt.text();
    // The words of tools are looked at where they are written, whatever their form.
    for (section, range) in subject.authored().filter(|(section, _)| section.id != TOOLS_SECTION) {
        let place = WordPlace::of(section);
        each_word(subject, text, range, |word| check_word(subject, place, word, found));
    }
    for words in &subject.tool_words {
        for range in &words.authored {
            let place = WordPlace { id: &words.tool, user: TOOLS_SECTION, origin: &words.file };
            let visit = |word: Word<'_>| check_word(subject, place, word, found);
            each_word(subject, &words.text, range.clone(), visit);
        }
    }
}

fn each_word<'t>(
    subject: &Subject<'_>,
    text: &'t str,
    range: Range<usize>,
    mut visit: impl FnMut(Word<'t>),
) {
    let mut at = range.start;
    let mut rest = text.get(range).unwrap_or_default();
    while let Some(skipped) = rest.find(is_part) {
        let from = rest.get(skipped..).unwrap_or_default();
        let known = |name: &str| subject.absent.contains(name) || subject.enabled.contains(name);
        let length = dotted_length(from, known).unwrap_or_else(|| word_length(from));
        let word = from.get(..length).unwrap_or_default();
        at += skipped;
        visit(Word::new(text, at, word));
        at += length;
        rest = from.get(length..).unwrap_or_default();
    }
}

/// Where a word appears.
#[derive(Clone, Copy)]
struct WordPlace<'a> {
    /// The section or the tool.
    id: &'a str,
    /// Who asks for the placeholders there.
    user: &'a str,
    origin: &'a str,
}

impl<'a> WordPlace<'a> {
    fn of(section: &'a Section) -> Self {
        Self { id: &section.id, user: &section.id, origin: &section.origin }
    }

    fn what(self) -> String {
        match self.user == self.id {
            true => "the text".to_owned(),
            false => format!("the description of the tool `{}`", self.id),
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

/// A word and what is around it.
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

    /// Nothing that belongs to it is outside of the authored text.
    fn is_whole(&self) -> bool {
        !self.before.ends_with(is_part) && !self.after.starts_with(is_part)
    }

    fn is_tag(&self) -> bool {
        self.after.starts_with('>') && (self.before.ends_with('<') || self.before.ends_with("</"))
    }

    /// It is meant as a name: it is written as code, or is no word of a language.
    fn is_name(&self) -> bool {
        let code = self.before.ends_with('`') && self.after.starts_with('`');
        code || self.is_tag() || self.text.contains(['_', '.']) || has_inner_capital(self.text)
    }

    /// `3.` at the start of a line.
    fn is_item(&self) -> bool {
        let mut before = self.before.chars().rev().take(MOST_INDENT + 1).skip_while(|c| *c == ' ');
        matches!(before.next(), None | Some('\n')) && self.after.starts_with(['.', ')'])
    }
}

fn check_word(
    subject: &Subject<'_>,
    place: WordPlace<'_>,
    word: Word<'_>,
    found: &mut LintFindings<'_>,
) {
    let name = word.text;
    let what = || place.what();
    let mut add = |lint, message: &str| found.add(lint, place.id, name, place.origin, message);
    let absent = subject.absent.contains(name);
    let sample = SAMPLE_TAGS.contains(&name);
    if absent || sample || subject.enabled.contains(name) {
        if !word.is_whole() {
            return;
        }
        if word.is_tag() && subject.prompt.tools().is_some() {
            let message =
                format!("{} shows a call in `<{name}>` tags, but tools are native", what());
            add(Lint::XmlWithNative, &message);
        } else if absent && word.is_name() {
            let message = format!("{} names the tool `{name}`, which is not offered", what());
            add(Lint::ToolNotEnabled, &message);
        }
    } else if let Some(path) = number(name).and_then(|n| subject.numbers.get(&n.to_bits()))
        && word.is_whole()
        && !word.is_item()
        && !is_printed(subject, place.user, path)
    {
        let message = format!("{} says {name}, which is the value of `{path}`", what());
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

/// Of the name with points in it that this begins with, if it is a tool's.
fn dotted_length(text: &str, known: impl Fn(&str) -> bool) -> Option<usize> {
    let mut rest = text.char_indices().take(LONGEST_NAME).skip_while(|(_, c)| is_part(*c));
    let (first, _) = rest.next().filter(|(_, c)| *c == '.')?;
    let end = rest.find(|(_, c)| !is_part(*c) && *c != '.').map_or(text.len(), |(at, _)| at);
    // A point at the end is that of a sentence.
    let name = text.get(..end)?.trim_end_matches('.');
    (name.len() > first && known(name)).then_some(name.len())
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
