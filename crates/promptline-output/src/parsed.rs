//! What a parse gives: data only. Every list is there even when it is empty, so that nothing is silent.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::repair::{Duplicate, Repair, Risk, Span, Truncated};

/// An answer, read. It is never an error: what could not be read is in [`issues`](Self::issues).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Parsed {
    /// The value: the whole one if [`fits`](Self::fits), else as much of it as there is.
    pub value: Option<Value>,
    /// The value is as the schema wants it. Only then is it for use.
    pub fits: bool,
    /// The answer was cut off.
    pub truncated: Option<Truncated>,
    /// What was changed to read it, in the order of the text.
    pub repairs: Vec<Repair>,
    /// Repairs over [`Limits::repairs`](crate::Limits::repairs), which are not listed.
    pub repairs_left_off: usize,
    /// Fields that the schema does not know.
    pub unknown: Vec<Unknown>,
    /// Keys that were written in another way than the schema has them.
    pub renamed: Vec<Renamed>,
    /// Values that were turned into what the schema wants.
    pub coerced: Vec<Coerced>,
    /// Keys that were there more than once.
    pub duplicates: Vec<Duplicate>,
    /// Why the value does not fit.
    pub issues: Vec<Issue>,
    /// Everything in the answer that could have been meant, in the order of the text.
    pub candidates: Vec<Considered>,
    /// The answer as it came.
    pub raw: String,
    /// Bytes looked at, counted each time: it grows in proportion to the answer.
    pub work: u64,
}

impl Parsed {
    /// The value, if it fits.
    #[must_use]
    pub fn fitting(&self) -> Option<&Value> {
        self.value.as_ref().filter(|_| self.fits)
    }

    /// The value as a Rust type, if it fits.
    ///
    /// # Errors
    /// What `serde` says, when the schema allows what the type does not.
    pub fn into<T: serde::de::DeserializeOwned>(self) -> Result<Option<T>, serde_json::Error> {
        match self.value {
            Some(value) if self.fits => serde_json::from_value(value).map(Some),
            _ => Ok(None),
        }
    }
}

/// A field that the schema does not know.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Unknown {
    /// Where, as a JSON Pointer.
    pub path: String,
    /// What the model wrote there.
    pub value: Value,
    /// It is still in the value.
    pub kept: bool,
}

/// A key that was written in another way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Renamed {
    /// Where the object is, as a JSON Pointer.
    pub path: String,
    /// The key in the answer.
    pub from: String,
    /// The key in the schema.
    pub to: String,
}

/// A value that was turned into another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Coerced {
    /// Where, as a JSON Pointer.
    pub path: String,
    /// How.
    pub how: Coercion,
    /// What it may have done to the meaning.
    pub risk: Risk,
    /// What the model wrote; null for a default. A list or object of more than 32 values is only named.
    pub before: Value,
    /// What it is now, in the same way; null for what is left out.
    pub after: Value,
}

/// A way to turn a value into what the schema wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Coercion {
    /// A string that says a boolean, or the reverse.
    Boolean,
    /// A string that says a number.
    Number,
    /// A number or boolean where text is wanted.
    Text,
    /// A string that says null, or that nothing is known.
    Null,
    /// Another way of writing an allowed value.
    Spelling,
    /// A declared synonym of an allowed value.
    Synonym,
    /// Text around an allowed value.
    Substring,
    /// JSON in a string.
    Decoded,
    /// A single value where a list is wanted.
    Wrapped,
    /// A list or object of one where a single value is wanted.
    Unwrapped,
    /// A default for what is missing, or null.
    Default,
    /// A value of an optional field that does not fit (a null where none is allowed, `"unknown"`, a value that the
    /// answer was cut off in): it is left out.
    LeftOut,
    /// Several values in the answer are the elements of the list.
    Gathered,
    /// A text with separators is the elements of the list.
    Split,
    /// An item of a list that does not fit is dropped ([`OnBadItem::Drop`](crate::OnBadItem::Drop)).
    ItemDropped,
}

/// Why a value does not fit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Issue {
    /// What sort of issue it is.
    pub kind: IssueKind,
    /// Where, as a JSON Pointer.
    pub path: String,
    /// What is expected there.
    pub expected: String,
    /// What was found.
    pub found: String,
    /// The same as a sentence.
    pub message: String,
}

/// Sorts of issues.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum IssueKind {
    /// The answer is empty.
    Empty,
    /// The answer is thinking only.
    Thinking,
    /// There is no JSON in the answer.
    NoJson,
    /// The answer was cut off.
    Truncated,
    /// A field is missing.
    Missing,
    /// A value has another type.
    Type,
    /// A value is none of those allowed.
    Enum,
    /// A value could be more than one of those allowed.
    Ambiguous,
    /// A field is not allowed.
    Unknown,
    /// Some other rule of the schema.
    Schema,
    /// A repair that is riskier than allowed.
    Risk,
    /// A limit was reached.
    Limit,
    /// The fields are wrapped in a key that the schema does not have.
    Wrapped,
    /// The host's own check refused the value.
    Rejected,
}

/// Something in the answer that could have been meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Considered {
    /// Where it is in the answer.
    pub span: Span,
    /// It fits the schema.
    pub fits: bool,
    /// It is the one that was taken.
    pub chosen: bool,
}
