//! Where verbatim text came from. A source is a name for the report: nothing is decided by it but how
//! volatile a text is.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::one_line;
use crate::text::Volatility;

/// Where verbatim text came from, in the words of the report: `rules:AGENTS.md`, `runtime:TICKET`,
/// `context:cwd`, `mcp:github`, `component:NOTES`.
#[derive(Clone)]
pub struct Source(Name);

/// Most sources are the same few; they cost nothing to make.
#[derive(Clone)]
enum Name {
    Known(&'static str),
    Made(Arc<str>),
}

impl Source {
    /// A source by its name. Line breaks and controls in it become blanks.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self(Name::Made(Arc::from(one_line(name).0.as_ref())))
    }

    /// A source that this crate names itself, on one line.
    pub(crate) const fn known(name: &'static str) -> Self {
        Self(Name::Known(name))
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Name::Known(name) => name,
            Name::Made(name) => name,
        }
    }

    /// How often what came from there changes: with the request, or with the conversation.
    pub(crate) fn volatility(&self) -> Volatility {
        match self.as_str() {
            "context:mode" => Volatility::Turn,
            _ if self.is_request() => Volatility::Turn,
            _ => Volatility::Conversation,
        }
    }

    /// It is a value that the request brought.
    pub(crate) fn is_request(&self) -> bool {
        self.as_str().starts_with("runtime:")
    }
}

impl From<&str> for Source {
    fn from(name: &str) -> Self {
        Self::new(name)
    }
}

impl From<String> for Source {
    fn from(name: String) -> Self {
        Self::new(&name)
    }
}

impl PartialEq for Source {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Source {}

impl PartialOrd for Source {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Source {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl Hash for Source {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl Serialize for Source {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Source {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Arc::deserialize(from).map(|name| Self(Name::Made(name)))
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Source").field(&self.as_str()).finish()
    }
}
