//! What a host chooses: which ways of writing a call are read, and where a call does not count.

use std::fmt;
use std::str::FromStr;

use crate::format::CallFormat;
use serde::{Deserialize, Serialize};

/// A way of writing tool calls in text, named after who writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Dialect {
    /// `<tool><param>value</param></tool>`, as promptline's own tool section teaches it.
    Xml,
    /// `<function=tool><parameter=param>value</parameter></function>`: Qwen3-Coder and its relatives.
    Qwen,
    /// `<tool_call>{"name": …, "arguments": {…}}</tool_call>`: Hermes, Qwen 2.5 and 3.
    Hermes,
    /// `<tool_call>tool<arg_key>param</arg_key><arg_value>value</arg_value></tool_call>`: GLM.
    Glm,
    /// `<invoke name="tool"><parameter name="param">value</parameter></invoke>`: MiniMax M2, and what
    /// models trained by Anthropic fall back to.
    Invoke,
}

impl Dialect {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Xml, Self::Qwen, Self::Hermes, Self::Glm, Self::Invoke];

    /// Its name: `xml`, `qwen`, `hermes`, `glm`, `invoke`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Xml => "xml",
            Self::Qwen => "qwen",
            Self::Hermes => "hermes",
            Self::Glm => "glm",
            Self::Invoke => "invoke",
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Dialect {
    type Err = UnknownDialect;

    /// Reads a name; `cline-xml` and `qwen-xml` are other names of the first two.
    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let name = match name {
            "cline-xml" => "xml",
            "qwen-xml" => "qwen",
            name => name,
        };
        let known = Self::ALL.into_iter().find(|dialect| dialect.as_str() == name);
        known.ok_or_else(|| UnknownDialect(name.to_owned()))
    }
}

/// A name that no dialect has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownDialect(String);

impl fmt::Display for UnknownDialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Dialect::ALL.map(Dialect::as_str).join(", ");
        write!(f, "there is no dialect `{}`; there are {names}", self.0.escape_debug())
    }
}

impl std::error::Error for UnknownDialect {}

/// A set of dialects. [`Dialect::Xml`] is always in it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Dialects(u8);

impl Dialects {
    /// Only what promptline's own tool section teaches.
    pub const XML: Self = Self(1 << Dialect::Xml as u8);
    /// Every dialect: for a host that does not know what its models fall back to.
    pub const AUTO: Self = Self(0b1_1111);

    /// These and this one, or these and those.
    #[must_use]
    pub fn with(self, more: impl Into<Self>) -> Self {
        Self(self.0 | more.into().0)
    }

    /// It is in the set.
    #[must_use]
    pub fn has(self, dialect: Dialect) -> bool {
        self.0 & 1 << dialect as u8 != 0
    }
}

impl Default for Dialects {
    fn default() -> Self {
        Self::XML
    }
}

impl From<Dialect> for Dialects {
    fn from(dialect: Dialect) -> Self {
        Self(Self::XML.0 | 1 << dialect as u8)
    }
}

impl<D: Into<Dialects>> FromIterator<D> for Dialects {
    fn from_iter<I: IntoIterator<Item = D>>(dialects: I) -> Self {
        dialects.into_iter().fold(Self::XML, Self::with)
    }
}

impl fmt::Debug for Dialects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(Dialect::ALL.iter().filter(|dialect| self.has(**dialect))).finish()
    }
}

/// What a call is that stands in code or in a model's thinking.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Handling {
    /// Text: an example or a thought, not an act. It is counted and reported, never executed.
    #[default]
    Text,
    /// A call like any other.
    Call,
}

/// How an answer is read.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    /// The ways of writing a call that count. [`Dialects::XML`] by default.
    pub dialects: Dialects,
    /// Calls in code fences and code spans. [`Handling::Text`] by default.
    pub code: Handling,
    /// Calls in `<thinking>`, `<think>`, `<reasoning>`, `<thought>` and `<seed:think>`. [`Handling::Text`] by default.
    pub thinking: Handling,
    /// The bytes that one call may take, tags included, and so about what a parser keeps in memory at
    /// most. A longer one ends there, incomplete, and what follows is text. 16 MiB by default.
    pub max_call_bytes: usize,
    /// Formats beside the dialects, in the order in which they are tried.
    pub formats: Vec<CallFormat>,
}

impl Options {
    /// The defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the dialects.
    #[must_use]
    pub fn dialects(mut self, dialects: impl Into<Dialects>) -> Self {
        self.dialects = dialects.into();
        self
    }

    /// Sets what calls in code fences and code spans are.
    #[must_use]
    pub fn code(mut self, code: Handling) -> Self {
        self.code = code;
        self
    }

    /// Sets what calls in thinking are.
    #[must_use]
    pub fn thinking(mut self, thinking: Handling) -> Self {
        self.thinking = thinking;
        self
    }

    /// Adds a format.
    #[must_use]
    pub fn format(mut self, format: CallFormat) -> Self {
        self.formats.push(format);
        self
    }

    /// Sets the bytes that one call may take.
    #[must_use]
    pub fn max_call_bytes(mut self, bytes: usize) -> Self {
        self.max_call_bytes = bytes;
        self
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            dialects: Dialects::XML,
            code: Handling::Text,
            thinking: Handling::Text,
            max_call_bytes: 16 << 20,
            formats: Vec::new(),
        }
    }
}
