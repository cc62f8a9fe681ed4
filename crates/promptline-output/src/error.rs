//! Errors: a schema or an option that cannot be used, and, where a typed value is asked for, an answer that
//! has none.

use std::fmt;

use crate::parsed::Parsed;

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

/// An answer that has no value of the wanted type. Its text shows the answer and every reason.
#[derive(Debug)]
pub struct ParseError {
    parsed: Box<Parsed>,
    source: Option<serde_json::Error>,
}

impl ParseError {
    pub(crate) fn new(parsed: Parsed, source: Option<serde_json::Error>) -> Self {
        Self { parsed: Box::new(parsed), source }
    }

    /// The answer as it was read.
    #[must_use]
    pub fn parsed(&self) -> &Parsed {
        &self.parsed
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the answer cannot be used:")?;
        if let Some(cut) = &self.parsed.truncated {
            write!(formatter, "\n- it is cut off at byte {}", cut.at)?;
        }
        for issue in &self.parsed.issues {
            write!(formatter, "\n- {}", issue.message)?;
        }
        if let Some(error) = &self.source {
            write!(formatter, "\n- the schema allows it, but the Rust type does not: {error}")?;
        }
        write!(formatter, "\nThe answer:\n{}", crate::repair::shorter(&self.parsed.raw, 4096))
    }
}

impl std::error::Error for ParseError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(|error| error as _)
    }
}
