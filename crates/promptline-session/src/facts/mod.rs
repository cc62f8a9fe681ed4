//! What is known of the user and the case, in slots that the host declares. A fact has a source and, where it was
//! said, a quote that occurs there.

mod policy;
mod propose;
mod slot;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use policy::{Decision, FactPolicy, TrustPolicy};
pub use propose::{Outcome, Proposal};
pub use slot::{Slot, SlotKind, Slots};

use crate::TurnId;

/// Who says so; later is more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Trust {
    /// The model took it from what was said.
    Model,
    /// The user said it in so many words, or confirmed it.
    User,
    /// The host knows it: from its own records.
    Host,
}

/// A fact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Fact {
    /// What is so.
    pub value: Value,
    /// Who says so.
    pub trust: Trust,
    /// In which turn it was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<TurnId>,
    /// The words there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// How sure the source is, 0 to 1.
    #[serde(default = "certain")]
    pub confidence: f32,
    /// Since when, in milliseconds since 1970.
    #[serde(default)]
    pub at_ms: u64,
    /// It waits for [`Facts::confirm`], and is in no context until then.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub waits: bool,
    /// What it replaced, the latest first; [`MAX_HISTORY`] at most.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<Superseded>,
}

/// How many replaced values a fact keeps.
pub const MAX_HISTORY: usize = 4;

fn certain() -> f32 {
    1.0
}

/// A value that was replaced.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Superseded {
    /// The value.
    pub value: Value,
    /// Who said so.
    pub trust: Trust,
    /// In which turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<TurnId>,
    /// Until when, in milliseconds since 1970.
    #[serde(default)]
    pub until_ms: u64,
}

/// The facts of a session, one a slot, and those that wait.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Facts {
    known: BTreeMap<String, Fact>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    waiting: BTreeMap<String, Fact>,
}

impl Facts {
    /// The fact of a slot.
    #[must_use]
    pub fn get(&self, slot: &str) -> Option<&Fact> {
        self.known.get(slot)
    }

    /// The facts, by the names of their slots.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Fact)> {
        self.known.iter().map(|(name, fact)| (name.as_str(), fact))
    }

    /// Those that wait for a confirmation, by the names of their slots.
    pub fn waiting(&self) -> impl Iterator<Item = (&str, &Fact)> {
        self.waiting.iter().map(|(name, fact)| (name.as_str(), fact))
    }

    /// Whether there are none, waiting ones included.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.known.is_empty() && self.waiting.is_empty()
    }

    /// The one that waits for this slot is so: the user has said yes. Whether there was one.
    pub fn confirm(&mut self, slot: &str, at_ms: u64) -> bool {
        let Some(mut fact) = self.waiting.remove(slot) else { return false };
        fact.waits = false;
        fact.trust = fact.trust.max(Trust::User);
        fact.confidence = 1.0;
        self.replace(slot, fact, at_ms);
        true
    }

    /// The one that waits for this slot is not so. Whether there was one.
    pub fn reject(&mut self, slot: &str) -> bool {
        self.waiting.remove(slot).is_some()
    }

    /// Forgets the fact of a slot, its history included. Whether there was one.
    pub fn forget(&mut self, slot: &str) -> bool {
        self.waiting.remove(slot);
        self.known.remove(slot).is_some()
    }

    /// The values as they are now, without those that have expired.
    #[must_use]
    pub fn snapshot(&self, slots: &Slots, now_ms: u64) -> BTreeMap<String, Value> {
        let live = self.known.iter().filter(|(name, fact)| {
            let slot = slots.get(name);
            slot.is_none_or(|slot| !slot.has_expired(fact, now_ms))
        });
        live.map(|(name, fact)| (name.clone(), fact.value.clone())).collect()
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = (&str, &Fact)> {
        self.iter().chain(self.waiting())
    }

    fn replace(&mut self, slot: &str, mut fact: Fact, at_ms: u64) {
        if let Some(old) = self.known.remove(slot) {
            if old.value == fact.value {
                fact.history = old.history;
            } else {
                let (value, trust, turn) = (old.value, old.trust, old.turn);
                fact.history = vec![Superseded { value, trust, turn, until_ms: at_ms }];
                fact.history.extend(old.history.into_iter().take(MAX_HISTORY - 1));
            }
        }
        self.known.insert(slot.to_owned(), fact);
    }

    fn wait(&mut self, slot: &str, mut fact: Fact) {
        fact.waits = true;
        self.waiting.insert(slot.to_owned(), fact);
    }
}
