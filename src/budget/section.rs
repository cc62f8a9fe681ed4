//! What a component says about its section, for a budget.

use serde::{Deserialize, Serialize};

/// What a budget may do to a section, beside the component's
/// [`priority`](crate::ComponentMeta::priority) and whether it is
/// [`required`](crate::ComponentMeta::required).
///
/// ```
/// use promptline::budget::{SectionBudget, Shrink};
/// let list = SectionBudget::new().with_shrink(Shrink::Lines).with_min(200);
/// let core = SectionBudget::new().with_pinned(true);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct SectionBudget {
    /// A budget never touches it, nor what is printed inside it.
    pub pinned: bool,
    /// How it is shortened before it is left out.
    pub shrink: Shrink,
    /// How many tokens a shortened section keeps at least, about. What it has above them goes before
    /// any section is left out. With 0 it is shortened only when its turn to be left out has come, and
    /// that is enough.
    pub min: usize,
    /// The component without which it makes no sense: when that section is left out, this one is too.
    pub keep_with: Option<String>,
}

impl SectionBudget {
    /// May be left out, is never shortened.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Says whether a budget may never touch it.
    #[must_use]
    pub fn with_pinned(mut self, pinned: bool) -> Self {
        self.pinned = pinned;
        self
    }

    /// Sets how it is shortened.
    #[must_use]
    pub fn with_shrink(mut self, shrink: Shrink) -> Self {
        self.shrink = shrink;
        self
    }

    /// Sets how many tokens a shortened section keeps at least.
    #[must_use]
    pub fn with_min(mut self, tokens: usize) -> Self {
        self.min = tokens;
        self
    }

    /// Sets the component without which it makes no sense.
    #[must_use]
    pub fn with_keep_with(mut self, id: impl Into<String>) -> Self {
        self.keep_with = Some(id.into());
        self
    }
}

/// Which part of a section goes when it is shortened. In its place comes a line that says about how
/// much went.
///
/// No way cuts through what a reader sees as one character. All but `lines` cut at the end of a line
/// where one is near, that is, costs no more than a quarter of what may stay.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Shrink {
    /// None: the section stays whole or goes.
    #[default]
    None,
    /// The beginning.
    Head,
    /// The end.
    Tail,
    /// The middle.
    Middle,
    /// Whole lines at the end; part of a line only where no whole one may stay.
    Lines,
}
