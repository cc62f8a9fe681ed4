//! The rules of a commit, the same for every store: a store reads what the plan asks for inside of its transaction,
//! and writes what the plan says.

use std::collections::HashMap;

use crate::{Change, Committed, Error, ErrorKind, Limits, Turn, TurnId, Version};

/// What a store knows of a session before a commit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Head {
    pub(crate) version: Version,
    pub(crate) next_seq: u64,
    pub(crate) covers_through: u64,
    /// The summary was made without a model, and one that covers as much may take its place.
    pub(crate) fallback: bool,
}

/// What a store is to write.
#[derive(Debug)]
pub(crate) struct Plan<'c> {
    /// New turns with their places.
    pub(crate) turns: Vec<(u64, &'c Turn)>,
    pub(crate) next_seq: u64,
    /// The session is created by it.
    pub(crate) creates: bool,
    /// There is nothing to write.
    pub(crate) is_empty: bool,
    pub(crate) committed: Committed,
}

/// Checks that need no store, before anything else.
pub(crate) fn check(change: &Change, limits: &Limits) -> Result<(), Error> {
    limits.check_change(change)
}

/// Whether the change may go on from here: the version fits, or it only adds turns.
pub(crate) fn admit(head: Option<&Head>, change: &Change) -> Result<bool, Error> {
    let Some(head) = head else {
        return match change.expected {
            Version::NONE => Ok(false),
            _ => Err(Error::conflict(Version::NONE)),
        };
    };
    if change.expected == head.version {
        return Ok(false);
    }
    // A session that was deleted and created again is another one.
    let same = change.expected == Version::NONE || change.expected.epoch == head.version.epoch;
    if same && change.is_append_only() { Ok(true) } else { Err(Error::conflict(head.version)) }
}

/// `existing` are those of the change's turns that the session has; `epoch` is that of a new session.
pub(crate) fn plan<'c>(
    head: Option<&Head>,
    change: &'c Change,
    existing: Vec<Turn>,
    epoch: u64,
) -> Result<Plan<'c>, Error> {
    let rebased = admit(head, change)?;
    let mut next_seq = head.map_or(1, |head| head.next_seq);
    let mut known: HashMap<&TurnId, (u64, &Turn)> =
        existing.iter().map(|turn| (&turn.id, (turn.seq, turn))).collect();
    let version = head.map_or(Version::NONE, |head| head.version);
    let mut committed = Committed { rebased, ..Committed::new(version) };
    let mut turns = Vec::with_capacity(change.append.len());
    for turn in &change.append {
        match known.get(&turn.id) {
            Some((seq, first)) if first.says_as(turn) => {
                committed.seqs.push(*seq);
                committed.duplicates.push(turn.id.clone());
            }
            Some(_) => {
                let message = format!("turn {:?} exists and says something else", turn.id);
                return Err(Error::new(ErrorKind::TurnExists { turn: turn.id.clone() }, message));
            }
            None => {
                known.insert(&turn.id, (next_seq, turn));
                committed.seqs.push(next_seq);
                turns.push((next_seq, turn));
                next_seq += 1;
            }
        }
    }
    if let Some(summary) = &change.summary {
        let covered = head.map_or(0, |head| head.covers_through);
        let again = head.is_some_and(|head| head.fallback) && summary.covers_through == covered;
        if summary.covers_through <= covered && !again {
            return Err(Error::conflict(version));
        }
        if summary.covers_through >= next_seq {
            let message = format!(
                "the summary covers turn {}, and the last one is {}",
                summary.covers_through,
                next_seq - 1
            );
            return Err(Error::invalid(message));
        }
    }
    let is_empty = turns.is_empty() && change.facts.is_none() && change.summary.is_none();
    if !is_empty {
        committed.version = match head {
            Some(head) => head.version.next(),
            None => Version::new(epoch, 1),
        };
    }
    Ok(Plan { turns, next_seq, creates: head.is_none(), is_empty, committed })
}
