//! `params.toml`: which parameters there are, and what each may be.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use toml::Spanned;

use crate::error::{Error, ErrorKind, nearest};
use crate::place::Place;
use crate::value;

/// What a parameter is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ParamType {
    /// A whole number.
    Integer,
    /// A number.
    Decimal,
    /// An amount; its currency is the unit, as `CNY`.
    Money,
    /// A share in hundredths: 15 is 15 %.
    Percent,
    /// Text.
    Text,
    /// A day, `2026-12-01`.
    Date,
    /// A length of time: a number with `s`, `min`, `h`, `d` or `w`, as `7d`.
    Duration,
    /// One of several words.
    Enum,
    /// Several texts.
    List,
}

/// What is declared about one parameter.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Declaration {
    /// What it is.
    #[serde(rename = "type")]
    pub kind: ParamType,
    /// Its least value: of a number, a date or a duration; of text and lists the least length.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<Value>,
    /// Its greatest, likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<Value>,
    /// Of an enum the words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
    /// What it is counted in, as `CNY`, `days`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// What it is where no source has it. Without one a source must have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// What it means.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Which language or locale it is printed for, as `zh`, `de`. Without one a value is printed as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locale: Option<String>,
    /// How it is printed, with `{}` for the value; what its locale says unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// How many decimals are printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decimals: Option<u8>,
    /// Values that it had earlier: no text may still say one of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<Value>,
    /// Where it is declared.
    #[serde(skip)]
    pub place: Place,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    schema: Option<Spanned<u32>>,
    #[serde(default)]
    params: BTreeMap<Spanned<String>, Raw>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    #[serde(rename = "type")]
    kind: ParamType,
    min: Option<toml::Value>,
    max: Option<toml::Value>,
    #[serde(default)]
    values: Vec<String>,
    unit: Option<String>,
    default: Option<toml::Value>,
    description: Option<String>,
    #[serde(alias = "language")]
    locale: Option<String>,
    format: Option<String>,
    decimals: Option<u8>,
    #[serde(default)]
    history: Vec<toml::Value>,
}

/// The parameters that there are.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Declarations {
    file: String,
    params: BTreeMap<String, Declaration>,
}

impl Declarations {
    /// Reads a file, `params.toml` in a pack.
    ///
    /// # Errors
    /// As [`parse`](Self::parse), and [`ErrorKind::Io`].
    pub fn from_file(file: impl AsRef<Path>) -> Result<Self, Error> {
        let shown = file.as_ref().display().to_string();
        let text = std::fs::read_to_string(file).map_err(|error| {
            Error::new(ErrorKind::Io, format!("{shown}: the file cannot be read: {error}"))
                .with_source(error)
        })?;
        Self::parse(&shown, &text)
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// With the place: [`ErrorKind::Format`] for what is no TOML or has an unknown key,
    /// [`ErrorKind::Declaration`] for what contradicts itself.
    pub fn parse(file: &str, text: &str) -> Result<Self, Error> {
        let read: File = toml::from_str(text).map_err(|error| {
            let place = Place::of(text, error.span().unwrap_or(0..0));
            let message = error.message().trim_end();
            Error::new(ErrorKind::Format, format!("{file}:{place}: {message}"))
        })?;
        if let Some(schema) = read.schema.filter(|schema| *schema.get_ref() != 1) {
            let place = Place::of(text, schema.span());
            let message =
                format!("{file}:{place}: this is schema {}; 1 is known", schema.get_ref());
            return Err(Error::new(ErrorKind::Format, message));
        }
        let mut params = BTreeMap::new();
        for (name, raw) in read.params {
            let place = Place::of(text, name.span());
            let name = name.into_inner();
            let one = Declaration::new(&name, raw, place).map_err(|wrong| {
                Error::new(ErrorKind::Declaration, format!("{file}:{place}: `{name}`: {wrong}"))
            })?;
            params.insert(name, one);
        }
        Ok(Self { file: file.to_owned(), params })
    }

    /// The file that they are from.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// What is declared about a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Declaration> {
        self.params.get(name)
    }

    /// A value for a parameter, from JSON or from text, checked.
    ///
    /// # Errors
    /// [`ErrorKind::Undeclared`] and [`ErrorKind::Invalid`].
    pub fn value(&self, name: &str, raw: &Value) -> Result<Value, Error> {
        let Some(declared) = self.get(name) else {
            let known = nearest(name, self.params.keys().map(String::as_str));
            let help = known.map(|name| format!("; `{name}` is")).unwrap_or_default();
            let message = format!("the parameter `{name}` is not declared{help}");
            return Err(Error::new(ErrorKind::Undeclared, message));
        };
        let wrong = |wrong| Error::new(ErrorKind::Invalid, format!("`{name}` {wrong}"));
        declared.read(raw).map_err(wrong)
    }

    /// All, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Declaration)> {
        self.params.iter().map(|(name, one)| (name.as_str(), one))
    }

    /// There are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.params.is_empty()
    }

    /// Adds those of another pack; the later one wins by name.
    #[must_use]
    pub fn over(mut self, later: Self) -> Self {
        self.params.extend(later.params);
        Self { file: later.file, params: self.params }
    }
}

impl Declaration {
    fn new(name: &str, raw: Raw, place: Place) -> Result<Self, String> {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        if name.is_empty() || !name.chars().all(is_part) {
            return Err("a name is made of letters, digits, `_` and `-`".to_owned());
        }
        let mut one = Self {
            kind: raw.kind,
            min: None,
            max: None,
            values: raw.values,
            unit: raw.unit,
            default: None,
            description: raw.description,
            locale: raw.locale,
            format: raw.format,
            decimals: raw.decimals,
            history: Vec::new(),
            place,
        };
        if (one.kind == ParamType::Enum) == one.values.is_empty() {
            return Err(
                "`values` lists the words of an enum, and belongs to an enum only".to_owned()
            );
        }
        if one.kind == ParamType::Money && one.unit.is_none() {
            return Err("money needs a `unit`, its currency, as \"CNY\"".to_owned());
        }
        if one.format.as_ref().is_some_and(|format| !format.contains("{}")) {
            return Err("`format` needs a `{}`, where the value stands".to_owned());
        }
        let limit = |limit: Option<toml::Value>, what: &str| -> Result<Option<Value>, String> {
            let Some(limit) = limit else { return Ok(None) };
            let kind = match one.kind {
                ParamType::Enum => return Err(format!("an enum has no `{what}`")),
                ParamType::Text | ParamType::List => ParamType::Integer,
                kind => kind,
            };
            let read = value::of_kind(kind, &value::from_toml(limit));
            read.map(Some).map_err(|wrong| format!("`{what}` {wrong}"))
        };
        let (min, max) = (limit(raw.min, "min")?, limit(raw.max, "max")?);
        if let (Some(min), Some(max)) = (&min, &max)
            && value::rank(one.kind, min) > value::rank(one.kind, max)
        {
            return Err(format!("`min` is {min} and `max` is {max}: nothing lies between"));
        }
        (one.min, one.max) = (min, max);
        one.default = match raw.default {
            Some(default) => Some(
                one.read(&value::from_toml(default))
                    .map_err(|wrong| format!("`default` {wrong}"))?,
            ),
            None => None,
        };
        for earlier in raw.history {
            // What it was may be out of today's range.
            let read = value::of_kind(one.kind, &value::from_toml(earlier));
            one.history.push(read.map_err(|wrong| format!("`history` {wrong}"))?);
        }
        Ok(one)
    }

    /// A value of this parameter, from JSON or from text; what is wrong with it, in words that follow a name.
    pub(crate) fn read(&self, raw: &Value) -> Result<Value, String> {
        let value = value::of_kind(self.kind, raw)?;
        if self.kind == ParamType::Enum {
            let word = value.as_str().unwrap_or_default();
            if !self.values.iter().any(|known| known == word) {
                return Err(format!("is \"{word}\"; it is one of {}", self.values.join(", ")));
            }
        }
        let rank = value::rank(self.kind, &value);
        let of = |limit: &Value| value::limit_rank(self.kind, limit);
        let (below, above) = (
            self.min.as_ref().filter(|min| rank < of(min)),
            self.max.as_ref().filter(|max| rank > of(max)),
        );
        let what = match self.kind {
            ParamType::Text => "is a text of other length: its characters are",
            ParamType::List => "is a list of other length: its items are",
            _ => "is out of its range: it is",
        };
        match (below, above) {
            (Some(min), _) => Err(format!("{what} at least {}, not {}", plain(min), plain(&value))),
            (_, Some(max)) => Err(format!("{what} at most {}, not {}", plain(max), plain(&value))),
            _ => Ok(value),
        }
    }
}

/// A value as people write it.
pub(crate) fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
