//! Records as bytes: JSON, sealed where the host gave a cipher. Every store and the shared cache write the same.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{Error, Facts, Limits, Part, Session, SessionId, Summary, Turn};

/// Seals records before they leave the process. The feature `encrypt` has one.
pub trait Cipher: Send + Sync + fmt::Debug {
    /// The record, unreadable without the key, and bound to its place.
    ///
    /// # Errors
    /// When it cannot be sealed; nothing is written then.
    fn seal(&self, place: &Place<'_>, plain: &[u8]) -> Result<Vec<u8>, Error>;

    /// The record as it was sealed for this place.
    ///
    /// # Errors
    /// When it was not, or was changed, or the key is another one.
    fn open(&self, place: &Place<'_>, sealed: &[u8]) -> Result<Vec<u8>, Error>;
}

/// Where a record belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place<'a> {
    /// The session.
    pub session: &'a str,
    /// What it is: `turn`, `facts`, `summary`, or `cache`.
    pub record: &'a str,
    /// The sequence number of a turn, else 0.
    pub seq: u64,
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.seq {
            0 => write!(f, "the {} of session {:?}", self.record, self.session),
            seq => write!(f, "turn {seq} of session {:?}", self.session),
        }
    }
}

/// Deeper values could be written but not read: serde_json reads 128 levels, of which a turn takes a few.
const DEEPEST: usize = 100;

#[derive(Debug, Clone, Default)]
pub(crate) struct Codec {
    pub(crate) cipher: Option<Arc<dyn Cipher>>,
    pub(crate) limits: Limits,
}

/// Facts and summary as they are stored.
pub(crate) struct EncodedState {
    pub(crate) facts: Option<Vec<u8>>,
    pub(crate) summary: Option<Vec<u8>>,
}

impl Codec {
    /// A turn at its place in the session.
    pub(crate) fn turn(&self, session: &SessionId, turn: &Turn) -> Result<Vec<u8>, Error> {
        if too_deep(turn) {
            return Err(Error::invalid(format!(
                "a value in the turn has more than {DEEPEST} levels"
            )));
        }
        let json = json(turn)?;
        self.limits.check_turn(&json)?;
        self.seal(turn_place(session, turn.seq), json)
    }

    pub(crate) fn read_turn(
        &self,
        session: &SessionId,
        seq: u64,
        bytes: &[u8],
    ) -> Result<Turn, Error> {
        let place = turn_place(session, seq);
        let turn: Turn = self.read(place, bytes)?;
        if turn.seq == seq { Ok(turn) } else { Err(Error::corrupt(place.to_string())) }
    }

    pub(crate) fn state(
        &self,
        session: &SessionId,
        facts: Option<&Facts>,
        summary: Option<&Summary>,
    ) -> Result<EncodedState, Error> {
        let facts = facts.map(json).transpose()?;
        let summary = summary.map(json).transpose()?;
        let bytes = [&facts, &summary].into_iter().flatten().map(Vec::len).sum();
        self.limits.check_state(bytes)?;
        let sealed = |record, json: Option<Vec<u8>>| {
            json.map(|json| self.seal(place(session, record), json)).transpose()
        };
        Ok(EncodedState { facts: sealed("facts", facts)?, summary: sealed("summary", summary)? })
    }

    pub(crate) fn read_facts(&self, session: &SessionId, bytes: &[u8]) -> Result<Facts, Error> {
        self.read(place(session, "facts"), bytes)
    }

    pub(crate) fn read_summary(&self, session: &SessionId, bytes: &[u8]) -> Result<Summary, Error> {
        self.read(place(session, "summary"), bytes)
    }

    /// A whole session, for a shared cache.
    #[cfg(feature = "redis")]
    pub(crate) fn session(&self, session: &Session) -> Result<Vec<u8>, Error> {
        self.seal(place(&session.id, "cache"), json(session)?)
    }

    #[cfg(feature = "redis")]
    pub(crate) fn read_session(&self, id: &SessionId, bytes: &[u8]) -> Result<Session, Error> {
        let session: Session = self.read(place(id, "cache"), bytes)?;
        if session.id == *id {
            Ok(session)
        } else {
            Err(Error::corrupt(place(id, "cache").to_string()))
        }
    }

    fn seal(&self, place: Place<'_>, json: Vec<u8>) -> Result<Vec<u8>, Error> {
        match &self.cipher {
            Some(cipher) => cipher.seal(&place, &json),
            None => Ok(json),
        }
    }

    fn read<T: DeserializeOwned>(&self, place: Place<'_>, bytes: &[u8]) -> Result<T, Error> {
        let corrupt = |error: Error| Error::corrupt(place.to_string()).with_source(error);
        let read = |json: &[u8]| {
            // The words of serde_json's errors may hold what is in the record; its position does not.
            serde_json::from_slice(json).map_err(|error| {
                let (line, column) = (error.line(), error.column());
                corrupt(Error::invalid(format!("not the JSON expected, at {line}:{column}")))
            })
        };
        match &self.cipher {
            Some(cipher) => read(&cipher.open(&place, bytes).map_err(corrupt)?),
            None => read(bytes),
        }
    }
}

/// Cached sessions are checked like any other record, but nothing depends on them.
#[cfg(not(feature = "redis"))]
const _: fn(&Session) = |_| {};

fn place<'a>(session: &'a SessionId, record: &'a str) -> Place<'a> {
    Place { session: session.as_str(), record, seq: 0 }
}

fn turn_place(session: &SessionId, seq: u64) -> Place<'_> {
    Place { session: session.as_str(), record: "turn", seq }
}

fn json<T: Serialize>(value: &T) -> Result<Vec<u8>, Error> {
    serde_json::to_vec(value)
        .map_err(|error| Error::invalid("a value cannot be written as JSON").with_source(error))
}

fn too_deep(turn: &Turn) -> bool {
    let parts = turn.messages.iter().flat_map(|message| &message.parts);
    let values = parts.flat_map(|part| {
        let (own, extra) = match part {
            Part::ToolCall { args, extra, .. } => (Some(args), Some(extra)),
            Part::Text { extra, .. } | Part::ToolResult { extra, .. } => (None, Some(extra)),
            Part::Other(value) => (Some(value), None),
        };
        own.into_iter().chain(extra.into_iter().flat_map(serde_json::Map::values))
    });
    let kept = turn.messages.iter().flat_map(|message| message.extra.values());
    values.chain(kept).chain(turn.extra.values()).any(|value| is_deeper(value, DEEPEST))
}

/// Whether a value has more levels; without recursion.
pub(crate) fn is_deeper(value: &Value, levels: usize) -> bool {
    let mut open = vec![(value, 1)];
    while let Some((value, level)) = open.pop() {
        if level > levels {
            return true;
        }
        match value {
            Value::Array(items) => open.extend(items.iter().map(|item| (item, level + 1))),
            Value::Object(fields) => open.extend(fields.values().map(|field| (field, level + 1))),
            _ => {}
        }
    }
    false
}
