//! A session as it is loaded, and a change to it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Facts, SessionId, Summary, Turn, TurnId, Version};

/// A session as it was at one version: what the context of the next request is built from. It holds the turns that
/// the summary does not cover (the newest of them, where they are many: [`Limits::loaded_turns`](crate::Limits)); all
/// turns are at [`SessionStore::turns`](crate::SessionStore::turns).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Session {
    /// Which session.
    pub id: SessionId,
    /// Which state of it.
    pub version: Version,
    /// The sequence number that the next turn gets: turns have the numbers from 1 on, without gaps.
    pub next_seq: u64,
    /// What is known, slot by slot.
    #[serde(default)]
    pub facts: Facts,
    /// What came before the turns that are here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<Summary>,
    /// The turns behind the summary, oldest first.
    #[serde(default)]
    pub turns: Vec<Arc<Turn>>,
    /// Records of turns that cannot be read; the others are there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub corrupt: Vec<String>,
    /// When it was created, in milliseconds since 1970, by the store's clock.
    #[serde(default)]
    pub created_ms: u64,
    /// When it was last changed, in milliseconds since 1970, by the store's clock.
    #[serde(default)]
    pub updated_ms: u64,
}

impl Session {
    /// A session that does not exist yet.
    #[must_use]
    pub fn new(id: SessionId) -> Self {
        Self {
            id,
            version: Version::NONE,
            next_seq: 1,
            facts: Facts::default(),
            summary: None,
            turns: Vec::new(),
            corrupt: Vec::new(),
            created_ms: 0,
            updated_ms: 0,
        }
    }

    /// Up to which turn the summary covers; 0 without one.
    #[must_use]
    pub fn covered_through(&self) -> u64 {
        self.summary.as_ref().map_or(0, |summary| summary.covers_through)
    }

    /// A change that adds a turn.
    #[must_use]
    pub fn append(&self, turn: Turn) -> Change {
        Change::to(self).append(turn)
    }

    /// What it takes in memory, in bytes, about.
    #[must_use]
    pub fn weight(&self) -> usize {
        crate::weight::of_session(self)
    }
}

/// A change to a session: one transaction.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Change {
    /// Which session.
    pub session: SessionId,
    /// The version that it was made for.
    pub expected: Version,
    /// Turns to add, in order.
    pub append: Vec<Turn>,
    /// All facts, when they change.
    pub facts: Option<Facts>,
    /// A new summary.
    pub summary: Option<Summary>,
    /// Whether it must find the version that it was made for, even if it only adds turns.
    pub exact: bool,
}

impl Change {
    /// A change to the session at its version.
    #[must_use]
    pub fn to(session: &Session) -> Self {
        Self::new(session.id.clone(), session.version)
    }

    /// A change to a session at a version. For one that does not exist, [`Version::NONE`].
    #[must_use]
    pub fn new(session: SessionId, expected: Version) -> Self {
        Self { session, expected, append: Vec::new(), facts: None, summary: None, exact: false }
    }

    /// Adds a turn.
    #[must_use]
    pub fn append(mut self, turn: Turn) -> Self {
        self.append.push(turn);
        self
    }

    /// Sets the facts: all of them, as they are to be.
    #[must_use]
    pub fn facts(mut self, facts: Facts) -> Self {
        self.facts = Some(facts);
        self
    }

    /// Sets the summary.
    #[must_use]
    pub fn summary(mut self, summary: Summary) -> Self {
        self.summary = Some(summary);
        self
    }

    /// Asks for a conflict, rather than a rebase, when someone else committed first.
    #[must_use]
    pub fn exact(mut self) -> Self {
        self.exact = true;
        self
    }

    /// Whether it only adds turns: then it goes behind whatever was committed in the meantime.
    #[must_use]
    pub fn is_append_only(&self) -> bool {
        self.facts.is_none() && self.summary.is_none() && !self.exact
    }
}

/// What a commit did.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Committed {
    /// The version that the session has now.
    pub version: Version,
    /// The sequence numbers of the turns, in the order of the change; those of duplicates are from the first time.
    pub seqs: Vec<u64>,
    /// The turns that were there already.
    pub duplicates: Vec<TurnId>,
    /// Whether the change went behind commits that it had not seen.
    pub rebased: bool,
    /// When it happened, in milliseconds since 1970, by the store's clock.
    pub at_ms: u64,
}

impl Committed {
    /// What a commit did; for stores.
    #[must_use]
    pub fn new(version: Version) -> Self {
        let (seqs, duplicates) = (Vec::new(), Vec::new());
        Self { version, seqs, duplicates, rebased: false, at_ms: 0 }
    }
}

/// Which turns of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TurnQuery {
    /// The last so many.
    Last(usize),
    /// Those behind a sequence number, so many at most.
    After {
        /// The sequence number.
        seq: u64,
        /// How many at most.
        limit: usize,
    },
}

/// Turns of a session, oldest first.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct TurnPage {
    /// The turns that can be read.
    pub turns: Vec<Arc<Turn>>,
    /// The records that cannot: session and sequence number.
    pub corrupt: Vec<String>,
    /// The last sequence number that was looked at, corrupt ones included; where the next page begins.
    pub through: u64,
}

/// Which sessions.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListQuery {
    /// Behind this id, by the order of its bytes.
    pub after: Option<SessionId>,
    /// How many at most.
    pub limit: usize,
    /// Only ids that begin so.
    pub prefix: Option<String>,
    /// Only those that were last changed before this moment, in milliseconds since 1970.
    pub idle_since_ms: Option<u64>,
}

impl ListQuery {
    /// The first so many sessions.
    #[must_use]
    pub fn first(limit: usize) -> Self {
        Self { after: None, limit, prefix: None, idle_since_ms: None }
    }

    /// Those behind this id.
    #[must_use]
    pub fn after(mut self, id: SessionId) -> Self {
        self.after = Some(id);
        self
    }

    /// Only ids that begin so.
    #[must_use]
    pub fn prefix(mut self, prefix: impl Into<String>) -> Self {
        self.prefix = Some(prefix.into());
        self
    }

    /// Only those that were last changed before this moment, in milliseconds since 1970.
    #[must_use]
    pub fn idle_since_ms(mut self, ms: u64) -> Self {
        self.idle_since_ms = Some(ms);
        self
    }
}

/// A session in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SessionInfo {
    /// Which session.
    pub id: SessionId,
    /// Its version.
    pub version: Version,
    /// How many turns it has.
    pub turns: u64,
    /// Up to which turn a summary covers it.
    pub covered_through: u64,
    /// When it was created, in milliseconds since 1970.
    pub created_ms: u64,
    /// When it was last changed, in milliseconds since 1970.
    pub updated_ms: u64,
}

impl SessionInfo {
    /// A session in a list; for stores.
    #[must_use]
    pub fn new(id: SessionId, version: Version, turns: u64) -> Self {
        Self { id, version, turns, covered_through: 0, created_ms: 0, updated_ms: 0 }
    }
}
