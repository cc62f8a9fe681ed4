//! The result: what to send, what a provider may cache of it, and what was done to make it fit.

use serde::Serialize;

use crate::{Message, Turn, TurnId};

/// The context of a request.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Assembled {
    /// The system part. The same bytes for every turn of a conversation.
    pub system: Vec<SystemBlock>,
    /// The messages, oldest first, in the form of this crate. See [`Form`](crate::Form) for those of providers.
    pub messages: Vec<Message>,
    /// A system message behind the messages, for [`Placement::TrailingSystemMessage`](crate::Placement).
    pub trailing_system: Option<String>,
    /// Where a provider is asked to cache what is in front.
    pub marks: Vec<Mark>,
    /// Where the part is that is not sent again: nothing in front of it changes until the next compaction.
    pub tail: Option<TailPlace>,
    /// A hash of everything in front of the kept turns: system part, tools, notes. Changes with a compaction only.
    pub prefix_hash: String,
    /// The hash of the reminder, when it is to be seen again in later requests.
    pub reminder: Option<String>,
    /// What was counted, left out, shortened and repaired.
    pub report: ContextReport,
    /// What the host gave as input, as it is to be stored.
    pub(crate) input: Vec<Message>,
}

impl Assembled {
    /// The turn that this request begins, to be committed: the input, without anything that was added to it. The host
    /// adds what the model says.
    #[must_use]
    pub fn turn(&self, id: TurnId) -> Turn {
        let mut turn = Turn::new(id);
        turn.messages.clone_from(&self.input);
        turn.reminder.clone_from(&self.reminder);
        turn
    }
}

/// A block of the system part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SystemBlock {
    /// The text.
    pub text: String,
}

/// Where a provider is asked to cache what is in front.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub enum Mark {
    /// Behind the system part.
    System,
    /// Behind a part of a message.
    Part {
        /// Which message.
        message: usize,
        /// Which part of it.
        part: usize,
    },
}

/// Where the tail is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub enum TailPlace {
    /// From this part of the last message on.
    Part {
        /// Which message.
        message: usize,
        /// Which part of it.
        part: usize,
    },
    /// The system message behind the messages.
    System,
}

/// What was done.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ContextReport {
    /// What it costs, by the counter of the host.
    pub tokens: TokenShares,
    /// The sequence numbers of the kept turns that are in it.
    pub kept: Vec<u64>,
    /// Those of turns that are neither in it nor in the summary, because there is no room: compact the session.
    pub left_out: Vec<u64>,
    /// Texts that were cut.
    pub shortened: Vec<Shortened>,
    /// Calls and results that were put in order.
    pub repaired: Vec<Repair>,
    /// Texts of others that looked like a block of this crate, and no longer do.
    pub neutralised: usize,
    /// What a host should know: a placement that the provider may not take, a reminder that is too long.
    pub notes: Vec<String>,
}

/// What the parts of a context cost, in tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct TokenShares {
    /// Native tools.
    pub tools: usize,
    /// The system part.
    pub system: usize,
    /// Summary and facts.
    pub notes: usize,
    /// Kept turns.
    pub turns: usize,
    /// The input of this request.
    pub input: usize,
    /// The tail.
    pub tail: usize,
}

impl TokenShares {
    /// All of it.
    #[must_use]
    pub fn total(&self) -> usize {
        self.tools + self.system + self.notes + self.turns + self.input + self.tail
    }
}

/// A text that was cut.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Shortened {
    /// The turn; `None` for the input of this request.
    pub seq: Option<u64>,
    /// How long it was, in bytes.
    pub bytes: usize,
    /// How long it is now.
    pub kept: usize,
}

/// A call or a result that was put in order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub enum Repair {
    /// A call without a result got one that says so.
    DanglingCall(String),
    /// A result without a call, or the second one of a call, was left out.
    OrphanResult(String),
}
