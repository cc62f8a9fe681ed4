//! When a session is compacted, and how much of it.

use crate::{Session, Turn};

/// When a session is compacted. Whatever the policy: the cut is in front of a turn that begins with a message of the
/// user, and the last turns are kept as they are.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum CompactionPolicy {
    /// When more than so many turns are kept, or their tokens pass this share of the budget. The prefix of the
    /// requests stays the same in between, so the provider's cache holds. The default: 12 turns, 0.8.
    HighWater {
        /// How many turns may be kept.
        turns: usize,
        /// Which share of the budget they may have.
        share: f64,
    },
    /// After every so many turns.
    EveryN(usize),
    /// Only when the session has been idle, by [`Compactor::sweep`](crate::Compactor::sweep): the policy of seed 003.
    OnDemotion,
}

impl Default for CompactionPolicy {
    fn default() -> Self {
        Self::HighWater { turns: 12, share: 0.8 }
    }
}

impl CompactionPolicy {
    /// Whether it is time. `tokens` are those of the session's turns, `budget` what there is for the context.
    pub(crate) fn is_due(
        self,
        session: &Session,
        keep: usize,
        tokens: impl FnOnce() -> usize,
        budget: Option<usize>,
    ) -> bool {
        let kept = session.turns.iter().filter(|turn| turn.opens()).count();
        if kept <= keep {
            return false;
        }
        match self {
            Self::HighWater { turns, share } => {
                #[expect(
                    clippy::cast_precision_loss,
                    reason = "tokens are no more than a float can count"
                )]
                let full = |budget: usize| tokens() as f64 >= share * budget as f64;
                kept > turns.max(keep) || budget.is_some_and(full)
            }
            Self::EveryN(turns) => kept >= keep + turns.max(1),
            Self::OnDemotion => false,
        }
    }
}

/// The last sequence number in front of the turns that are kept; `None` when nothing is to be cut.
pub(crate) fn cut<'t>(
    turns: impl DoubleEndedIterator<Item = &'t Turn>,
    keep: usize,
) -> Option<u64> {
    let first = match keep {
        0 => return turns.map(|turn| turn.seq).next_back(),
        keep => turns.rev().filter(|turn| turn.opens()).nth(keep - 1)?,
    };
    first.seq.checked_sub(1)
}
