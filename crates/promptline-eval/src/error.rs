//! Why something of the crate failed.

use std::fmt;

/// A failure, in words and by kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: String,
}

/// Kinds of failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A journal is of another run, or cannot be read or written.
    Journal,
    /// Runs, reports or versions that do not belong together.
    Mismatch,
    /// A label may not be moved: there is no report that allows it.
    Unvalidated,
    /// A file cannot be read, written or understood.
    File,
    /// promptfoo is not there, or failed.
    Promptfoo,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    /// What kind of failure it is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
