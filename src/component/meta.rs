//! What a registry has to know about a component beside its text.

use crate::budget::{SectionBudget, Shrink};
use crate::condition::When;
use crate::text::{Text, Volatility};

/// When a component is rendered, how often its text changes, and what a budget may do to it. A registry reads
/// it once, when it is built.
///
/// ```
/// use promptline::{Condition, Volatility, component::ComponentMeta};
/// let meta = ComponentMeta::new()
///     .with_when(Condition::flag("tracker"))
///     .with_volatility(Volatility::Conversation)
///     .with_priority(80);
/// assert!(!meta.required);
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ComponentMeta {
    /// When it is rendered at all; always unless given.
    pub when: When,
    /// How often its text changes. Unless given, a template's follows from what it asks for, and other code
    /// is taken to change with the conversation.
    pub volatility: Option<Volatility>,
    /// How long a budget keeps its section: 0 goes first, 100 last; 50 unless given.
    pub priority: u8,
    /// The prompt makes no sense without it: a build that lacks it warns, and a budget leaves it out only
    /// when nothing else is left.
    pub required: bool,
    /// What else a budget may do to its section. Unless given, it may be left out and is not shortened.
    pub budget: SectionBudget,
    /// Its text, when it is the same in every prompt. Then it is not rendered: the section is built once,
    /// with the registry.
    pub fixed_text: Option<Text>,
}

impl Default for ComponentMeta {
    fn default() -> Self {
        Self {
            when: When::Always,
            volatility: None,
            priority: 50,
            required: false,
            budget: SectionBudget::new(),
            fixed_text: None,
        }
    }
}

impl ComponentMeta {
    /// Always asked, of middle priority, not required.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets when it is rendered.
    #[must_use]
    pub fn with_when(mut self, when: impl Into<When>) -> Self {
        self.when = when.into();
        self
    }

    /// Declares how often its text changes.
    #[must_use]
    pub fn with_volatility(mut self, volatility: Volatility) -> Self {
        self.volatility = Some(volatility);
        self
    }

    /// Sets how long a budget keeps its section, from 0 (goes first) to 100.
    #[must_use]
    pub fn with_priority(mut self, priority: u8) -> Self {
        self.priority = priority;
        self
    }

    /// Says whether the prompt makes no sense without it.
    #[must_use]
    pub fn with_required(mut self, required: bool) -> Self {
        self.required = required;
        self
    }

    /// Says whether a budget may never touch its section.
    #[must_use]
    pub fn with_pinned(mut self, pinned: bool) -> Self {
        self.budget.pinned = pinned;
        self
    }

    /// Sets how a budget shortens its section.
    #[must_use]
    pub fn with_shrink(mut self, shrink: Shrink) -> Self {
        self.budget.shrink = shrink;
        self
    }

    /// Sets everything that a budget may do to its section.
    #[must_use]
    pub fn with_budget(mut self, budget: SectionBudget) -> Self {
        self.budget = budget;
        self
    }

    /// Sets the text that is the same in every prompt.
    #[must_use]
    pub fn with_fixed_text(mut self, text: impl Into<Text>) -> Self {
        self.fixed_text = Some(text.into());
        self
    }
}
