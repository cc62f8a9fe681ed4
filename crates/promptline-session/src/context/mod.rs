//! The context of the next request, built from a session: a system part that never changes, notes that change only
//! with a compaction, kept turns that are only appended to, and the constraints once more as the very last thing.

mod assemble;
mod assembled;
mod bill;
mod blocks;
mod budget;
mod forms;
mod prompt;
mod reminder;
mod repair;
mod rounds;
mod shorten;
mod size;

pub use assemble::{ContextBuilder, Input, Placement, Reminders};
pub use assembled::{
    Assembled, ContextReport, Mark, Repair, Shortened, SystemBlock, TailPlace, TokenShares,
};
pub use bill::{Bill, CostMeter, Prices};
pub use budget::ContextBudget;
pub use forms::Form;
pub use prompt::SystemPrompt;
pub use reminder::without_reminders;
pub(crate) use shorten::shorten_to;
pub(crate) use size::turn_text;
