//! What it costs to read a value in a way. The numbers are those of the table in the README; never a guess
//! about what was meant.

/// What it costs to read a value in a way. The first number decides.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cost {
    /// Places where the value is not as wanted.
    pub(crate) misfits: u64,
    /// Values that were wrapped, unwrapped or decoded.
    pub(crate) structural: u64,
    /// Fields that are left out.
    lost: u64,
    penalty: u64,
}

impl Cost {
    pub(crate) const MISFIT: Self = Self { misfits: 1, structural: 0, lost: 0, penalty: 0 };

    pub(super) const LOST: Self = Self { misfits: 0, structural: 0, lost: 1, penalty: 1 };

    pub(super) fn of(penalty: u64) -> Self {
        Self { penalty, ..Self::default() }
    }

    pub(super) fn structural(penalty: u64) -> Self {
        Self { penalty, structural: 1, ..Self::default() }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            misfits: self.misfits.saturating_add(other.misfits),
            structural: self.structural.saturating_add(other.structural),
            lost: self.lost.saturating_add(other.lost),
            penalty: self.penalty.saturating_add(other.penalty),
        }
    }

    /// The cost of a child, to its parent.
    pub(super) fn of_child(self) -> Self {
        Self { penalty: self.penalty.saturating_mul(10), ..self }
    }
}
