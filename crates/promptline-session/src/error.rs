//! The one error of the crate. Its words never hold what users or models said.

use std::error::Error as StdError;
use std::fmt;

use crate::{TurnId, Version};

/// What went wrong. See [`kind`](Self::kind).
pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    message: String,
    unknown: bool,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

/// Kinds of errors.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Someone else committed first; nothing was written. Load the session, apply the change to what is there now,
    /// and commit again.
    Conflict {
        /// The version that the session has now; [`Version::NONE`] when it does not exist.
        current: Version,
    },
    /// A turn with this id exists and says something else; nothing was written. To try again does not help.
    TurnExists {
        /// The turn.
        turn: TurnId,
    },
    /// The store cannot be reached, or does not answer in time. Try again later, with the same turn ids.
    Unavailable,
    /// A record cannot be read.
    Corrupt {
        /// Which record: never what is in it.
        record: String,
    },
    /// Something is larger than a limit; nothing was written.
    TooLarge {
        /// The limit, in bytes or in pieces, as the message says.
        limit: usize,
    },
    /// The context cannot be made to fit into the budget.
    OverBudget {
        /// What the parts that cannot be left out cost, in tokens.
        needed: usize,
        /// What there is, in tokens.
        budget: usize,
    },
    /// A value is wrong: an id, an address, a declaration of a slot, a proposed fact.
    Invalid,
    /// The store was written by a newer version of this crate.
    NewerSchema {
        /// The schema that was found.
        found: u32,
        /// The newest one that this version reads.
        known: u32,
    },
    /// The store is closed.
    Closed,
    /// The summarizer failed.
    Summarizer,
}

impl Error {
    /// An error; for stores, caches and summarizers of a host.
    #[must_use]
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self(Box::new(Inner { kind, message: message.into(), unknown: false, source: None }))
    }

    /// Adds the cause.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.0.source = Some(source.into());
        self
    }

    /// Says that the commit may have happened: the connection was cut before its answer came.
    #[must_use]
    pub fn with_unknown_outcome(mut self) -> Self {
        self.0.unknown = true;
        self
    }

    /// What kind of error it is.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// Whether the commit may have happened all the same. Commit again with the same turn ids: a turn that is there
    /// already stays one turn.
    #[must_use]
    pub fn may_have_committed(&self) -> bool {
        self.0.unknown
    }

    /// Whether someone else committed first.
    #[must_use]
    pub fn is_conflict(&self) -> bool {
        matches!(self.0.kind, ErrorKind::Conflict { .. })
    }

    pub(crate) fn conflict(current: Version) -> Self {
        let message = match current {
            Version::NONE => "the session does not exist (any more)".to_owned(),
            current => format!("the session has changed: its version is {current} now"),
        };
        Self::new(ErrorKind::Conflict { current }, message)
    }

    pub(crate) fn unavailable(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Unavailable, message)
    }

    pub(crate) fn corrupt(record: impl Into<String>) -> Self {
        let record = record.into();
        Self::new(ErrorKind::Corrupt { record: record.clone() }, format!("{record} cannot be read"))
    }

    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Invalid, message)
    }

    pub(crate) fn too_large(what: &str, size: usize, limit: usize) -> Self {
        let message = format!("{what}: {size}, and the limit is {limit}");
        Self::new(ErrorKind::TooLarge { limit }, message)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)?;
        if f.alternate() {
            let mut cause = self.source();
            while let Some(error) = cause {
                write!(f, ": {error}")?;
                cause = error.source();
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = &self.0;
        f.debug_struct("Error")
            .field("kind", &inner.kind)
            .field("message", &inner.message)
            .field("may_have_committed", &inner.unknown)
            .field("source", &inner.source)
            .finish()
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.source.as_ref().map(|source| &**source as &(dyn StdError + 'static))
    }
}
