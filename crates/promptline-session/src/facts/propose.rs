//! A fact on its way into a slot.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Decision, Fact, FactPolicy, Facts, Slots, Trust};
use crate::{Part, Role, Turn, TurnId};

/// A fact that someone proposes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Proposal {
    /// For which slot.
    pub slot: String,
    /// What is so.
    pub value: Value,
    /// Who says so.
    pub trust: Trust,
    /// In which turn it was said.
    pub turn: Option<TurnId>,
    /// The words there.
    pub quote: Option<String>,
    /// How sure the source is, 0 to 1.
    pub confidence: f32,
}

impl Proposal {
    /// Something that the host knows.
    #[must_use]
    pub fn host(slot: impl Into<String>, value: impl Into<Value>) -> Self {
        let (slot, value) = (slot.into(), value.into());
        Self { slot, value, trust: Trust::Host, turn: None, quote: None, confidence: 1.0 }
    }

    /// Something that was said in a turn, in these words. From the user ([`Trust::User`]): the words are in a message
    /// of the user.
    #[must_use]
    pub fn quoted(
        trust: Trust,
        slot: impl Into<String>,
        value: impl Into<Value>,
        turn: TurnId,
        quote: impl Into<String>,
    ) -> Self {
        let (slot, value) = (slot.into(), value.into());
        Self { slot, value, trust, turn: Some(turn), quote: Some(quote.into()), confidence: 1.0 }
    }

    /// Sets how sure the source is, 0 to 1.
    #[must_use]
    pub fn confidence(mut self, confidence: f32) -> Self {
        self.confidence = confidence;
        self
    }
}

/// What became of a proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// It is so now.
    Accepted,
    /// It was so already.
    Known,
    /// It waits to be confirmed.
    Waiting,
    /// It was refused, and why.
    Refused(String),
}

/// The longest quote that is kept, in bytes.
const LONGEST_QUOTE: usize = 1_024;

impl Facts {
    /// Puts a proposal into its slot, if it may be there. Everything but the host's own needs a quote that occurs in
    /// the turn, word for word (runs of white space count as one): what nobody said is no fact.
    pub fn propose(
        &mut self,
        slots: &Slots,
        policy: &dyn FactPolicy,
        turns: &[impl AsRef<Turn>],
        proposal: Proposal,
        now_ms: u64,
    ) -> Outcome {
        let refuse = |why: &str| Outcome::Refused(why.to_owned());
        let Some(slot) = slots.get(&proposal.slot) else {
            return refuse("no such slot is declared");
        };
        if proposal.trust < slot.trust {
            return refuse("the slot needs a source of more trust");
        }
        if let Some(why) = slot.refuses(&proposal.value) {
            return Outcome::Refused(why);
        }
        if proposal.trust < Trust::Host {
            let (Some(id), Some(quote)) = (&proposal.turn, &proposal.quote) else {
                return refuse("it has no quote");
            };
            if quote.len() > LONGEST_QUOTE {
                return refuse("its quote has more than 1,024 bytes");
            }
            let Some(turn) = turns.iter().map(AsRef::as_ref).find(|turn| turn.id == *id) else {
                return refuse("its turn is not at hand");
            };
            if !occurs(quote, turn, proposal.trust) {
                return refuse("its quote does not occur in the turn");
            }
        }
        let fact = Fact {
            value: proposal.value,
            trust: proposal.trust,
            turn: proposal.turn,
            quote: proposal.quote,
            confidence: if proposal.confidence.is_nan() {
                0.0
            } else {
                proposal.confidence.clamp(0.0, 1.0)
            },
            at_ms: now_ms,
            waits: false,
            history: Vec::new(),
        };
        let known = self.known.get(&slot.name).filter(|known| !slot.has_expired(known, now_ms));
        match policy.decide(slot, known, &fact) {
            Decision::Refuse(why) => Outcome::Refused(why),
            Decision::Confirm => {
                if known.is_some_and(|known| known.value == fact.value) {
                    return Outcome::Known;
                }
                self.wait(&slot.name, fact);
                Outcome::Waiting
            }
            Decision::Accept => {
                let again = known.is_some_and(|known| {
                    known.value == fact.value && known.trust >= fact.trust && slot.expires.is_none()
                });
                if again {
                    return Outcome::Known;
                }
                self.waiting.remove(&slot.name);
                self.replace(&slot.name, fact, now_ms);
                Outcome::Accepted
            }
        }
    }
}

fn occurs(quote: &str, turn: &Turn, trust: Trust) -> bool {
    let quote = crate::context::without_reminders(quote);
    let wanted = squeezed(&quote);
    if wanted.is_empty() {
        return false;
    }
    let of_user = |role| trust < Trust::User || role == Role::User;
    let spoken = turn.messages.iter().filter(|message| of_user(message.role));
    spoken.flat_map(|message| &message.parts).any(|part| match part {
        Part::Text { text, .. } | Part::ToolResult { text, .. } => {
            squeezed(&crate::context::without_reminders(text)).contains(&wanted)
        }
        _ => false,
    })
}

/// Runs of white space as one blank.
fn squeezed(text: &str) -> String {
    let mut squeezed = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !squeezed.is_empty() {
            squeezed.push(' ');
        }
        squeezed.push_str(word);
    }
    squeezed
}
