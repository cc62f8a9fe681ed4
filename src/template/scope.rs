//! What a template can ask for while it renders. The builder's placeholder layers are one scope, a
//! flat map of values is another; the template does not know the difference.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::Value;

use super::Helpers;
use crate::text::BuiltSection;
use crate::text::{Source, Text};

/// Values by name. `Sync`, since the helpers of the `handlebars` crate must be.
pub(crate) trait Scope: Sync {
    /// The value of `name` (dots included: the scope knows how to look into layers and nested
    /// values), or `None` when nothing provides it.
    fn lookup(&self, name: &str) -> Option<Resolved<'_>>;

    /// The same for the name with this number in its template, for scopes that looked all names up
    /// beforehand.
    fn lookup_at(&self, _slot: usize, name: &str) -> Option<Resolved<'_>> {
        self.lookup(name)
    }

    /// The helpers of the host that renders.
    #[cfg_attr(not(feature = "handlebars"), allow(dead_code))]
    fn helpers(&self) -> Option<&Helpers> {
        None
    }

    /// Is called each time a name that nothing provides is needed. The answer counts only where the
    /// name was to be printed.
    fn unresolved(&self, name: &str, place: NamePlace) -> Unresolved;
}

/// Where in a template an unresolved name stood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NamePlace {
    /// `{{NAME}}`
    Print,
    /// `{{#if NAME}}`, `{{#unless NAME}}`, or an argument of a helper that decides something.
    Condition,
    /// `{{#each NAME}}`, `{{#with NAME}}`
    Loop,
    /// `{{json NAME}}`
    Json,
}

/// What to print for an unresolved name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unresolved {
    /// The placeholder as it is written.
    Keep,
    /// Nothing.
    Empty,
}

/// A value that a scope found, with what the template must know to print it.
#[derive(Debug, Clone)]
pub(crate) enum Resolved<'a> {
    /// A value that the pack's author wrote: its string prints as authored text.
    Authored(Cow<'a, Value>),
    /// The same for a string that exists already, as the name of a tool.
    Word(&'a str),
    /// A value from somewhere else.
    Data { value: Cow<'a, Value>, kind: DataKind, source: Source },
    /// Text that is ready to print.
    Text(Cow<'a, Text>),
    /// A section that was built before.
    Section(Arc<BuiltSection>),
}

/// How a string from somewhere else is printed; see [`Text`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DataKind {
    Block,
    Label,
}

impl Resolved<'_> {
    /// As Handlebars judges it: false, null, zero, the empty string and the empty list are not; a
    /// text counts when it is not blank.
    pub(crate) fn is_truthy(&self) -> bool {
        match self {
            Resolved::Authored(value) | Resolved::Data { value, .. } => is_truthy(value),
            Resolved::Word(word) => !word.is_empty(),
            Resolved::Text(text) => !text.is_blank(),
            Resolved::Section(section) => !section.text().is_blank(),
        }
    }

    /// Prints the value: strings as they are, everything else as JSON. Says whether that was nothing
    /// but text: no token, and no mark for a value that printed nothing.
    #[inline]
    pub(crate) fn print(&self, out: &mut Text) -> bool {
        match self {
            Resolved::Authored(value) => return print_authored(value, out),
            Resolved::Word(word) => return print_string(word, out),
            Resolved::Data { value, kind, source } => print_data(value, *kind, source, out),
            Resolved::Text(text) if text.is_blank() => out.push_empty(),
            Resolved::Text(text) => out.append(text),
            Resolved::Section(section) => out.push_section(section),
        }
        false
    }
}

/// Prints a value that the pack's author wrote.
#[inline]
fn print_authored(value: &Value, out: &mut Text) -> bool {
    match value {
        Value::String(text) => return print_string(text, out),
        Value::Bool(truth) => out.push_trusted(if *truth { "true" } else { "false" }),
        other => out.push_authored(other.to_string()),
    }
    true
}

/// Blanks alone print as they are, and count as empty.
#[inline]
fn print_string(text: &str, out: &mut Text) -> bool {
    out.push_authored(text);
    // Nearly every value begins with what can be seen.
    let seen = text.bytes().next().is_some_and(|first| first.is_ascii_graphic());
    let blank = !seen && text.trim_start().is_empty();
    if blank {
        out.push_empty();
    }
    !blank
}

/// Prints a value from somewhere else. Numbers and booleans cannot carry structure and print plainly.
pub(crate) fn print_data(value: &Value, kind: DataKind, source: &Source, out: &mut Text) {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => out.push_authored(value.to_string()),
        Value::String(text) => match kind {
            DataKind::Block => out.push_verbatim(text.as_str(), source.clone()),
            DataKind::Label => out.push_label(text, source.clone()),
        },
        Value::Array(_) | Value::Object(_) => out.push_verbatim(value.to_string(), source.clone()),
    }
}

/// The truth of a JSON value, as Handlebars judges it.
pub(crate) fn is_truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(truth) => *truth,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(_) => true,
    }
}
