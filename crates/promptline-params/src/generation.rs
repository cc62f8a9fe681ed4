//! One set of values, checked as a whole. It never changes.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::declare::{Declarations, plain};
use crate::error::{Error, ErrorKind, nearest};
use crate::source::Loaded;
use crate::value;

/// A value, and where it is from.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Param {
    /// The value.
    pub value: Value,
    /// The value as a prompt prints it.
    pub shown: Value,
    /// The source that has it: its name, or `default`.
    pub origin: String,
    /// Earlier values, declared, or seen by the source.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<Value>,
}

/// All values at one time. A build takes one generation: every value of a prompt is from it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Generation {
    number: u64,
    hash: String,
    params: BTreeMap<String, Param>,
}

impl Generation {
    /// Lays the sources over each other, later ones win, and checks what comes out.
    pub(crate) fn of(
        declared: &Declarations,
        loaded: &[&Loaded],
        number: u64,
    ) -> Result<Self, Error> {
        let mut params = BTreeMap::new();
        for one in loaded {
            for (name, at) in &one.values {
                if declared.get(name).is_none() {
                    let known = nearest(name, declared.iter().map(|(name, _)| name));
                    let help = known.map(|name| format!("; `{name}` is")).unwrap_or_default();
                    return Err(Error::new(
                        ErrorKind::Undeclared,
                        format!("{}: `{name}` is not declared{help}", at.place),
                    ));
                }
            }
        }
        for (name, declaration) in declared.iter() {
            let found = loaded.iter().rev().find_map(|one| Some((one, one.values.get(name)?)));
            let (value, origin) = match (found, &declaration.default) {
                (Some((source, at)), _) => {
                    let read = declaration.read(&at.value).map_err(|wrong| {
                        Error::new(ErrorKind::Invalid, format!("{}: `{name}` {wrong}", at.place))
                    })?;
                    (read, source.name.clone())
                }
                (None, Some(default)) => (default.clone(), "default".to_owned()),
                (None, None) => {
                    return Err(Error::new(
                        ErrorKind::Missing,
                        format!(
                            "{}:{}: `{name}` has no value: no source has it, and there is no default",
                            declared.file(),
                            declaration.place
                        ),
                    ));
                }
            };
            let mut history = declaration.history.clone();
            let seen = loaded.iter().filter_map(|one| one.history.get(name)).flatten();
            // A history is for people: what cannot be read was never valid.
            history.extend(seen.filter_map(|raw| value::of_kind(declaration.kind, raw).ok()));
            history.extend(declaration.default.clone());
            let mut earlier: Vec<Value> = Vec::new();
            for one in history {
                if one != value && !earlier.contains(&one) {
                    earlier.push(one);
                }
            }
            let shown = value::shown(declaration, &value);
            params.insert(name.to_owned(), Param { value, shown, origin, history: earlier });
        }
        Ok(Self { number, hash: hash(&params), params })
    }

    /// Counts up with every change.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// SHA-256 of all values, in hexadecimal: the same values have the same hash, wherever they are from. It belongs
    /// in a prompt's report.
    #[must_use]
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// One of them.
    #[must_use]
    pub fn param(&self, name: &str) -> Option<&Param> {
        self.params.get(name)
    }

    /// All, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Param)> {
        self.params.iter().map(|(name, one)| (name.as_str(), one))
    }

    /// What a prompt's context takes: names, and values as they are printed.
    pub fn values(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.params.iter().map(|(name, one)| (name.as_str(), &one.shown))
    }

    /// A value as a type of Rust.
    ///
    /// # Errors
    /// [`ErrorKind::Undeclared`], or [`ErrorKind::Invalid`] when the value does not fit the type.
    pub fn get<T: DeserializeOwned>(&self, name: &str) -> Result<T, Error> {
        let Some(one) = self.params.get(name) else {
            let known = nearest(name, self.params.keys().map(String::as_str));
            let help = known.map(|name| format!("; `{name}` is")).unwrap_or_default();
            let message = format!("the parameter `{name}` is not declared{help}");
            return Err(Error::new(ErrorKind::Undeclared, message));
        };
        T::deserialize(&one.value).map_err(|error| {
            let message = format!("`{name}` is {}: {error}", plain(&one.value));
            Error::new(ErrorKind::Invalid, message)
        })
    }

    /// A value as a prompt prints it.
    #[must_use]
    pub fn shown(&self, name: &str) -> Option<String> {
        self.params.get(name).map(|one| plain(&one.shown))
    }

    pub(crate) fn numbered(mut self, number: u64) -> Self {
        self.number = number;
        self
    }
}

fn hash(params: &BTreeMap<String, Param>) -> String {
    let mut hasher = Sha256::new();
    for (name, one) in params {
        // Of a string JSON says where it ends.
        hasher.update(format!("{}:{}:{}\n", Value::from(name.as_str()), one.value, one.shown));
    }
    let mut text = String::with_capacity(64);
    for byte in hasher.finalize() {
        let _ = write!(text, "{byte:02x}");
    }
    text
}
