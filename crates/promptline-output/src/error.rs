//! The one error of this crate: a schema or an option that cannot be used. Answers of models are never
//! errors.

use std::fmt;

/// Why a spec could not be made.
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    message: String,
}

/// What sort of thing is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The schema is no valid JSON Schema, or refers to something outside of itself.
    Schema,
    /// An option names a field that the schema does not have.
    Field,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    /// What sort of thing is wrong.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
