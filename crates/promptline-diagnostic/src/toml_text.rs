//! TOML files whose mistakes have a place: every wrong key is reported at once, with line, column and the
//! nearest known name.

use std::collections::BTreeSet;
use std::ops::Range;

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use crate::words::nearest;
use crate::{Error, ErrorKind};

/// A TOML text in a file of a pack: the whole file, or its front matter.
#[derive(Debug, Clone, Copy)]
pub struct TomlText<'a> {
    file: &'a str,
    /// The whole file, and where the TOML is in it.
    whole: &'a str,
    toml: &'a str,
    skip: usize,
}

impl<'a> TomlText<'a> {
    /// A file that is all TOML.
    pub fn file(file: &'a str, source: &'a str) -> Self {
        Self::part(file, source, source, 0)
    }

    /// The part of a file that starts at `skip`.
    pub fn part(file: &'a str, whole: &'a str, toml: &'a str, skip: usize) -> Self {
        Self { file, whole, toml, skip }
    }

    /// Reads it; errors have line, column and the nearest name. Mistakes are reported key by key. What is
    /// left without unknown keys is read all the same; a value that cannot be read may be anything, so
    /// that nothing comes back.
    pub fn read<T: DeserializeOwned>(&self, kind: ErrorKind, errors: &mut Vec<Error>) -> Option<T> {
        // Nearly always all is well: the way with a copy of the table is only for mistakes.
        let first = match toml::from_str(self.toml) {
            Ok(read) => return Some(read),
            Err(error) => error,
        };
        let Ok(mut table) = DeTable::parse(self.toml) else {
            errors.push(self.explained(kind, &first, None));
            return None;
        };
        const MOST: usize = 50;
        let mut unread = BTreeSet::new();
        for _ in 0..MOST {
            let error = match T::deserialize(toml::Deserializer::from(table.clone())) {
                Ok(read) => return Some(read).filter(|_| unread.is_empty()),
                Err(error) => error,
            };
            let explained = self.explained(kind, &error, Some(table.get_ref()));
            let span = error.span();
            let start = span.as_ref().map_or(0, |span| span.start);
            let missing = missing_key(explained.message()).map(|key| (start, key.to_owned()));
            let code = explained.code();
            // What is missing may only be what was taken out here.
            if missing.as_ref().is_none_or(|missing| !unread.contains(missing)) {
                errors.push(explained);
            }
            if code == "unknown-key" {
                cut_key(table.get_mut(), &span?).then_some(())?;
            } else if missing.is_some() && start == table.span().start {
                return None; // There is nothing that could be taken out.
            } else {
                unread.insert(cut_around(&mut table, span?.start)?);
            }
        }
        None
    }

    /// An error of the TOML reader in our words, at its place.
    fn explained(
        &self,
        kind: ErrorKind,
        error: &toml::de::Error,
        table: Option<&DeTable<'_>>,
    ) -> Error {
        let span = error.span().unwrap_or(0..0);
        let explained = with_nearest_name(Error::new(kind, in_our_words(error.message().trim())));
        let missing = missing_key(explained.message());
        let code = match table {
            None => "bad-toml",
            Some(_) if missing.is_some() => "missing-key",
            Some(_) if explained.message().starts_with("unknown key ") => "unknown-key",
            Some(table) if in_condition(table, span.start, false) == Some(true) => "bad-condition",
            Some(_) => "bad-value",
        };
        let explained = match missing {
            Some("schema") => explained.with_help("write `schema = 1` first"),
            Some(key) => {
                let help = format!("write `{key} = …`");
                explained.with_help(help)
            }
            None => explained,
        };
        let explained = explained.with_code(code);
        let span = self.skip + span.start..self.skip + span.end;
        // What is missing is nowhere: the table around it is too much to underline.
        match code {
            "missing-key" => explained.at(self.file, self.whole, span.start),
            _ => explained.at_range(self.file, self.whole, span),
        }
    }

    /// Gives an error that was found after reading its place: the key at the end of `path`, or the
    /// item where the path ends with a number. The TOML is read once more for it, so that what is
    /// right costs nothing.
    pub fn blame(&self, error: Error, path: &[&str]) -> Error {
        let key = find(self.toml, path).map_or(0..0, |(key, _)| key);
        error.at_range(self.file, self.whole, self.skip + key.start..self.skip + key.end)
    }

    /// The same for an error inside of a string with this `text`. Where the string is written without
    /// escapes the place in it can be shown, else the place of the string.
    pub fn blame_inside(&self, error: Error, path: &[&str], text: &str) -> Error {
        let string = find(self.toml, path).map_or(0..0, |(_, value)| value);
        let written = self.toml.get(string.clone()).unwrap_or_default();
        let start = self.skip + string.start;
        match written.find(text) {
            Some(at) => error.shifted(self.file, self.whole, start + at),
            None => error.at(self.file, self.whole, start),
        }
    }
}

/// The key that an error in our words misses.
fn missing_key(message: &str) -> Option<&str> {
    message.strip_prefix("the key `")?.strip_suffix("` is missing")
}

/// Takes the value out that `at` is in: an item of a list or of a table, or else the value of a key.
/// Says which key of the table that starts where.
fn cut_around(table: &mut Spanned<DeTable<'_>>, at: usize) -> Option<(usize, String)> {
    let around = |(key, value): Entry<'_, '_>| key.span().contains(&at) || holds(value, at);
    let start = table.span().start;
    let table = table.get_mut();
    let key = table.iter().find(|entry| around(*entry))?.0.clone();
    let value = table.get_mut(&key)?;
    let inner_start = value.span().start;
    match value.get_mut() {
        DeValue::Array(items) if items.iter().any(|item| holds(item, at)) => {
            let mut kept = DeArray::new();
            items.iter().filter(|item| !holds(item, at)).for_each(|item| kept.push(item.clone()));
            *items = kept;
        }
        DeValue::Table(inner) if inner.iter().any(around) => {
            let key = inner.iter().find(|entry| around(*entry))?.0.clone();
            inner.remove(&key);
            return Some((inner_start, key.into_inner().into_owned()));
        }
        _ => drop(table.remove(&key)),
    }
    Some((start, key.into_inner().into_owned()))
}

fn holds(value: &Spanned<DeValue<'_>>, at: usize) -> bool {
    value.span().contains(&at)
        || match value.get_ref() {
            DeValue::Table(table) => {
                table.iter().any(|(key, value)| key.span().contains(&at) || holds(value, at))
            }
            DeValue::Array(items) => items.iter().any(|item| holds(item, at)),
            _ => false,
        }
}

/// Takes the key at `span` out, with its value.
fn cut_key(table: &mut DeTable<'_>, span: &Range<usize>) -> bool {
    let key = table.keys().find(|key| key.span() == *span).cloned();
    if let Some(key) = key {
        return table.remove(&key).is_some();
    }
    table.iter_mut().any(|(_, value)| cut_inside(value.get_mut(), span))
}

fn cut_inside(value: &mut DeValue<'_>, span: &Range<usize>) -> bool {
    match value {
        DeValue::Table(table) => cut_key(table, span),
        DeValue::Array(items) => items.iter_mut().any(|item| cut_inside(item.get_mut(), span)),
        _ => false,
    }
}

/// What is at `at` belongs to a condition; `None` when nothing of this table is there.
fn in_condition(table: &DeTable<'_>, at: usize, inside: bool) -> Option<bool> {
    table.iter().find_map(|(key, value)| {
        let inside = inside || matches!(key.get_ref().as_ref(), "when" | "conditions");
        let here = key.span().contains(&at).then_some(inside);
        here.or_else(|| value_in_condition(value, at, inside))
    })
}

fn value_in_condition(value: &Spanned<DeValue<'_>>, at: usize, inside: bool) -> Option<bool> {
    let deeper = match value.get_ref() {
        DeValue::Table(table) => in_condition(table, at, inside),
        DeValue::Array(items) => items.iter().find_map(|item| value_in_condition(item, at, inside)),
        _ => None,
    };
    deeper.or_else(|| value.span().contains(&at).then_some(inside))
}

/// Where a key (or an item of a list) and its value are.
fn find(toml: &str, path: &[&str]) -> Option<(Range<usize>, Range<usize>)> {
    let root = DeTable::parse(toml).ok()?;
    let (last, outer) = path.split_last()?;
    let mut table = Some(root.get_ref());
    let mut list = None;
    for step in outer {
        let value = match (table, list) {
            (Some(table), _) => entry(table, step)?.1,
            (None, Some(list)) => item(list, step)?,
            (None, None) => return None,
        };
        table = value.get_ref().as_table();
        list = value.get_ref().as_array();
    }
    if let Some(table) = table {
        let (key, value) = entry(table, last)?;
        return Some((key.span(), value.span()));
    }
    let value = item(list?, last)?;
    Some((value.span(), value.span()))
}

type Entry<'t, 'i> = (&'t Spanned<std::borrow::Cow<'i, str>>, &'t Spanned<DeValue<'i>>);

fn entry<'t, 'i>(table: &'t DeTable<'i>, key: &str) -> Option<Entry<'t, 'i>> {
    table.iter().find(|(name, _)| name.get_ref() == key)
}

fn item<'t, 'i>(list: &'t DeArray<'i>, position: &str) -> Option<&'t Spanned<DeValue<'i>>> {
    list.get(position.parse::<usize>().ok()?)
}

/// Serde's words are those of Rust; the author of a pack knows keys, lists and tables.
fn in_our_words(message: &str) -> String {
    let message =
        match message.strip_prefix("missing field ").and_then(|rest| rest.split('`').nth(1)) {
            Some(key) => return format!("the key `{key}` is missing"),
            None => message.replacen("unknown field ", "unknown key ", 1).replacen(
                "unknown variant ",
                "unknown value ",
                1,
            ),
        };
    match message.rsplit_once(", expected ") {
        Some((what, "a sequence")) => format!("{what}, expected a list"),
        Some((what, wanted)) if wanted == "a map" || wanted.starts_with("struct ") => {
            format!("{what}, expected a table")
        }
        _ => message,
    }
}

/// Serde says "unknown field `x`, expected one of `a`, `b`" (or we, "unknown key"); this adds which of
/// them was meant.
pub fn with_nearest_name(error: Error) -> Error {
    let message = error.message();
    let unknown = ["field", "variant", "key", "value"];
    if !unknown
        .iter()
        .any(|what| message.strip_prefix("unknown ").is_some_and(|rest| rest.starts_with(what)))
    {
        return error;
    }
    let mut names = message.split('`').skip(1).step_by(2);
    let Some(unknown) = names.next() else {
        return error;
    };
    match nearest(unknown, names) {
        Some(name) => {
            let help = format!("did you mean `{name}`?");
            error.with_help(help)
        }
        None => error,
    }
}
