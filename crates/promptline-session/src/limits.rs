//! Limits that hold before anything is written.

use crate::{Change, Error};

/// How large things may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// A turn, in bytes of its JSON. 16 MiB unless set.
    pub turn_bytes: usize,
    /// Turns in a change. 1,000 unless set.
    pub change_turns: usize,
    /// Facts and summary together, in bytes of their JSON. 1 MiB unless set.
    pub state_bytes: usize,
    /// How many turns behind the summary a loaded session holds at most: the newest. 256 unless set.
    pub loaded_turns: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { turn_bytes: 16 << 20, change_turns: 1_000, state_bytes: 1 << 20, loaded_turns: 256 }
    }
}

impl Limits {
    /// The limits that hold unless set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets how large a turn may be, in bytes of its JSON.
    #[must_use]
    pub fn turn_bytes(mut self, bytes: usize) -> Self {
        self.turn_bytes = bytes;
        self
    }

    /// Sets how many turns a change may have.
    #[must_use]
    pub fn change_turns(mut self, turns: usize) -> Self {
        self.change_turns = turns;
        self
    }

    /// Sets how large facts and summary may be, in bytes of their JSON.
    #[must_use]
    pub fn state_bytes(mut self, bytes: usize) -> Self {
        self.state_bytes = bytes;
        self
    }

    /// Sets how many turns behind the summary a loaded session holds at most.
    #[must_use]
    pub fn loaded_turns(mut self, turns: usize) -> Self {
        self.loaded_turns = turns.max(1);
        self
    }

    /// Of a turn.
    pub(crate) fn check_turn(&self, json: &[u8]) -> Result<(), Error> {
        check("the bytes of a turn", json.len(), self.turn_bytes)
    }

    /// Of facts and summary.
    pub(crate) fn check_state(&self, bytes: usize) -> Result<(), Error> {
        check("the bytes of facts and summary", bytes, self.state_bytes)
    }

    pub(crate) fn check_change(&self, change: &Change) -> Result<(), Error> {
        check("the turns of a change", change.append.len(), self.change_turns)
    }
}

fn check(what: &str, size: usize, limit: usize) -> Result<(), Error> {
    if size > limit { Err(Error::too_large(what, size, limit)) } else { Ok(()) }
}
