//! Names of sessions and turns, and versions of sessions.

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Error, ErrorKind};

/// The longest id, in bytes.
pub const MAX_ID_BYTES: usize = 256;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $what:literal) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(Arc<str>);

        impl $name {
            /// An id: 1 to [`MAX_ID_BYTES`] bytes, without control characters.
            ///
            /// # Errors
            /// [`ErrorKind::Invalid`] when it is empty, too long, or holds a control character.
            pub fn new(id: impl Into<Arc<str>>) -> Result<Self, Error> {
                let id = id.into();
                let wrong = match () {
                    () if id.is_empty() => "is empty",
                    () if id.len() > MAX_ID_BYTES => "has more than 256 bytes",
                    () if id.contains(char::is_control) => "holds a control character",
                    () => return Ok(Self(id)),
                };
                Err(Error::new(ErrorKind::Invalid, format!(concat!("the ", $what, " id {}"), wrong)))
            }

            /// The id.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.0, f)
            }
        }

        impl Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = Error;

            fn try_from(id: String) -> Result<Self, Error> {
                Self::new(id)
            }
        }

        impl TryFrom<&str> for $name {
            type Error = Error;

            fn try_from(id: &str) -> Result<Self, Error> {
                Self::new(id)
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.0.as_ref().to_owned()
            }
        }
    };
}

id! {
    /// Which session. Any characters but control characters: `user:42`, `{a}/b%`, `工单-7`.
    SessionId, "session"
}

id! {
    /// Which turn of a session. The host gives it (the id of the request or message), and gives the same one again
    /// when it tries again: that is how a retry stays one turn.
    TurnId, "turn"
}

/// Which state of a session. Every commit that changes something makes a larger one. A session that was deleted and
/// created again has a new epoch, so no version ever comes twice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Version {
    /// Which creation of the session, by the store's count; larger is later.
    pub epoch: u64,
    /// Which commit since then, from 1.
    pub number: u64,
}

impl Version {
    /// No session: what the first commit expects.
    pub const NONE: Self = Self { epoch: 0, number: 0 };

    /// A version; for stores and caches.
    #[must_use]
    pub const fn new(epoch: u64, number: u64) -> Self {
        Self { epoch, number }
    }

    /// The one after it.
    #[must_use]
    pub const fn next(self) -> Self {
        Self { epoch: self.epoch, number: self.number.saturating_add(1) }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.epoch, self.number)
    }
}

impl fmt::Debug for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
