//! Slots: what a host wants to know, declared once.

use std::time::Duration;

use serde_json::Value;

use super::{Fact, Trust};
use crate::Error;

/// Something that the host wants to know.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Slot {
    /// Its name: letters, digits, `_`, `-` and `.`, 64 bytes at most.
    pub name: String,
    /// What it is, in words for the model.
    pub about: String,
    /// What its value is.
    pub kind: SlotKind,
    /// The largest value, in bytes of its JSON. 512 unless set.
    pub max_bytes: usize,
    /// The least trust that a fact needs. [`Trust::Model`] unless set.
    pub trust: Trust,
    /// Below this confidence a fact waits to be confirmed. 0.6 unless set.
    pub confirm_below: f32,
    /// Only the host replaces it, once it is there.
    pub pinned: bool,
    /// After this time it is no longer so. Never unless set.
    pub expires: Option<Duration>,
}

/// What the value of a slot is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SlotKind {
    /// Text.
    Text,
    /// A number.
    Number,
    /// Yes or no.
    Bool,
    /// Texts, so many at most.
    List(usize),
    /// One of these texts.
    Choice(Vec<String>),
}

impl Slot {
    /// A slot for text.
    #[must_use]
    pub fn new(name: impl Into<String>, about: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            about: about.into(),
            kind: SlotKind::Text,
            max_bytes: 512,
            trust: Trust::Model,
            confirm_below: 0.6,
            pinned: false,
            expires: None,
        }
    }

    /// Sets what its value is.
    #[must_use]
    pub fn kind(mut self, kind: SlotKind) -> Self {
        self.kind = kind;
        self
    }

    /// Sets the largest value, in bytes of its JSON.
    #[must_use]
    pub fn max_bytes(mut self, bytes: usize) -> Self {
        self.max_bytes = bytes;
        self
    }

    /// Sets the least trust that a fact needs.
    #[must_use]
    pub fn trust(mut self, trust: Trust) -> Self {
        self.trust = trust;
        self
    }

    /// Sets below which confidence a fact waits to be confirmed.
    #[must_use]
    pub fn confirm_below(mut self, confidence: f32) -> Self {
        self.confirm_below = confidence;
        self
    }

    /// Lets only the host replace it.
    #[must_use]
    pub fn pinned(mut self) -> Self {
        self.pinned = true;
        self
    }

    /// Sets after which time it is no longer so.
    #[must_use]
    pub fn expires(mut self, after: Duration) -> Self {
        self.expires = Some(after);
        self
    }

    pub(crate) fn has_expired(&self, fact: &Fact, now_ms: u64) -> bool {
        let Some(after) = self.expires else { return false };
        let after = u64::try_from(after.as_millis()).unwrap_or(u64::MAX);
        now_ms > fact.at_ms.saturating_add(after)
    }

    /// Why the value is none for this slot.
    pub(crate) fn refuses(&self, value: &Value) -> Option<String> {
        let fits = match (&self.kind, value) {
            (SlotKind::Text, Value::String(text)) => !text.trim().is_empty(),
            (SlotKind::Number, Value::Number(_)) | (SlotKind::Bool, Value::Bool(_)) => true,
            (SlotKind::List(most), Value::Array(items)) => {
                items.len() <= *most && items.iter().all(Value::is_string)
            }
            (SlotKind::Choice(choices), Value::String(text)) => choices.contains(text),
            _ => false,
        };
        if !fits {
            return Some(format!("it is not {}", self.kind));
        }
        let bytes = serde_json::to_vec(value).map_or(usize::MAX, |json| json.len());
        (bytes > self.max_bytes)
            .then(|| format!("it has {bytes} bytes, and {} are allowed", self.max_bytes))
    }
}

impl std::fmt::Display for SlotKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text => f.write_str("text"),
            Self::Number => f.write_str("a number"),
            Self::Bool => f.write_str("true or false"),
            Self::List(most) => write!(f, "a list of at most {most} texts"),
            Self::Choice(choices) => write!(f, "one of {}", choices.join(", ")),
        }
    }
}

/// The slots that a host has declared.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Slots(Vec<Slot>);

impl Slots {
    /// How many slots there may be.
    pub const MOST: usize = 64;

    /// Slots.
    ///
    /// # Errors
    /// [`Invalid`](crate::ErrorKind::Invalid) for a name that is not one or comes twice;
    /// [`TooLarge`](crate::ErrorKind::TooLarge) for more than [`Slots::MOST`].
    pub fn new(slots: impl IntoIterator<Item = Slot>) -> Result<Self, Error> {
        let mut known: Vec<Slot> = Vec::new();
        for slot in slots {
            let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
            if slot.name.is_empty() || slot.name.len() > 64 || !slot.name.chars().all(is_name) {
                let message = format!(
                    "{:?} is no name for a slot: letters, digits, _, - and . (64 bytes)",
                    slot.name
                );
                return Err(Error::invalid(message));
            }
            if known.iter().any(|other| other.name == slot.name) {
                return Err(Error::invalid(format!("the slot {:?} is declared twice", slot.name)));
            }
            known.push(slot);
        }
        if known.len() > Self::MOST {
            return Err(Error::too_large("slots", known.len(), Self::MOST));
        }
        Ok(Self(known))
    }

    /// A slot by its name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Slot> {
        self.0.iter().find(|slot| slot.name == name)
    }

    /// The slots, as declared.
    pub fn iter(&self) -> impl Iterator<Item = &Slot> {
        self.0.iter()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
