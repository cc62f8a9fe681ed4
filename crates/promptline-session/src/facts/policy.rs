//! Who may replace what.

use std::fmt;

use super::{Fact, Slot, Trust};

/// Decides about a proposed fact whose value, quote and trust are already in order.
pub trait FactPolicy: Send + Sync + fmt::Debug {
    /// What becomes of it, given what is known.
    fn decide(&self, slot: &Slot, known: Option<&Fact>, proposed: &Fact) -> Decision;
}

/// What becomes of a proposed fact.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Decision {
    /// It is so.
    Accept,
    /// It waits to be confirmed.
    Confirm,
    /// It is refused, and why.
    Refuse(String),
}

/// Less trust never replaces more, only the host replaces what is pinned, and what is not sure waits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TrustPolicy;

impl FactPolicy for TrustPolicy {
    fn decide(&self, slot: &Slot, known: Option<&Fact>, proposed: &Fact) -> Decision {
        if let Some(known) = known {
            if slot.pinned && proposed.trust < Trust::Host && known.value != proposed.value {
                return Decision::Refuse(
                    "the slot is pinned, and only the host replaces it".into(),
                );
            }
            if proposed.trust < known.trust {
                return Decision::Refuse("what is known is from a source of more trust".into());
            }
        }
        if proposed.confidence < slot.confirm_below || proposed.confidence.is_nan() {
            return Decision::Confirm;
        }
        Decision::Accept
    }
}
