//! Makes a prompt fit into so many tokens: shortens and leaves out sections, the least important first,
//! and says what it did. It must never touch what is pinned, cut through a character, or take anything
//! without a line in the report.

mod borders;
mod fit;
mod marks;
mod plan;
mod printed;
mod report;
mod rules;
mod section;
mod shorten;

use std::fmt;

use serde::{Deserialize, Serialize};

pub(crate) use fit::{Fit, Fitted, Rendered, fit};
pub use marks::TruncationNotice;
pub(crate) use plan::Said;
pub use report::{BudgetReport, RulesCut, SectionCut};
pub use section::{SectionBudget, Shrink};

/// How many tokens a prompt may cost, native tools included.
///
/// Tokens are those of [`Prompt::tokens`](crate::Prompt::tokens): the registry's
/// [`TokenCounter`](crate::TokenCounter) counts section by section. Unless it is given one that is an
/// estimate, one for four bytes of UTF-8.
///
/// What happens when a prompt costs more, in this order, until it fits:
///
/// 1. Sections with a [`shrink`](SectionBudget::shrink) and a [`min`](SectionBudget::min) are shortened
///    down to that minimum, lowest priority first.
/// 2. Sections are left out, lowest priority first (of equals the one that ran later). One with a
///    `shrink` and no `min` is shortened instead, where that is enough. Whatever is
///    [kept with](SectionBudget::keep_with) a section goes with it.
/// 3. The variant's `compact` is built in its place, when it names one.
/// 4. `required` sections are left out.
/// 5. Room that is left goes back to what was shortened, the most important section first. What was left
///    out stays out.
///
/// In place of what was cut comes a line that says so, in the language of the prompt ([`TruncationNotice`]).
///
/// Never touched are pinned sections, what is printed inside them, what they are printed inside of or
/// kept with, the list of tools, and what the base template says itself. When that alone costs too much,
/// the build fails with [`ErrorKind::Budget`](crate::ErrorKind::Budget), and the error's source is a
/// [`BudgetExceeded`].
///
/// Rules files that are printed by `USER_RULES` are shortened as files: those farthest from the working
/// directory (the first ones) go first, and the next one is shortened.
///
/// A prompt that fits is the prompt that there would be without a budget, byte for byte.
///
/// ```
/// use promptline::{Budget, BuildOptions, Pack, PromptContext, PromptRegistry, RulesFile};
/// # fn main() -> Result<(), promptline::Error> {
/// let registry = PromptRegistry::builder().pack(Pack::builtin()).build()?;
/// let cx = PromptContext::new("anthropic", "claude-sonnet-4-5")
///     .with_rules(RulesFile::new("AGENTS.md", "Use tabs.\n".repeat(10_000)));
/// let options = BuildOptions::new().with_budget(Budget::tokens(8_000).with_reserve(1_000));
/// let prompt = registry.build_blocking_with(&cx, &options)?;
/// assert!(prompt.text().len() <= 4 * 7_000);
/// let report = prompt.report().budget.as_ref().expect("there is a budget");
/// assert_eq!(report.cuts[0].id, "USER_INSTRUCTIONS_SECTION");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Budget {
    /// All there is, in tokens.
    pub tokens: usize,
    /// What of it is kept free for other things, as the conversation.
    #[serde(default)]
    pub reserve: usize,
}

impl Budget {
    /// So many tokens for the prompt and its native tools.
    #[must_use]
    pub fn tokens(tokens: usize) -> Self {
        Self { tokens, reserve: 0 }
    }

    /// Keeps so many of them free.
    #[must_use]
    pub fn with_reserve(mut self, tokens: usize) -> Self {
        self.reserve = tokens;
        self
    }

    /// What prompt and native tools may cost.
    #[must_use]
    pub fn available(&self) -> usize {
        self.tokens.saturating_sub(self.reserve)
    }
}

/// Why a prompt does not fit: the source of an error of kind
/// [`ErrorKind::Budget`](crate::ErrorKind::Budget). All figures are tokens.
///
/// ```
/// use std::error::Error as _;
/// use promptline::{Budget, BuildOptions, Pack, PromptContext, PromptRegistry, budget::BudgetExceeded};
/// # fn main() -> Result<(), promptline::Error> {
/// let registry = PromptRegistry::builder().pack(Pack::builtin()).build()?;
/// let cx = PromptContext::new("anthropic", "claude-sonnet-4-5");
/// let options = BuildOptions::new().with_budget(Budget::tokens(10));
/// let error = registry.build_blocking_with(&cx, &options).unwrap_err();
/// let why: &BudgetExceeded = error.source().and_then(|why| why.downcast_ref()).unwrap();
/// assert!(why.available == 10 && why.least > 10);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BudgetExceeded {
    /// What prompt and native tools may cost.
    pub available: usize,
    /// What they cost at least.
    pub least: usize,
    /// What the sections cost that may not be touched.
    pub pinned: usize,
    /// What the native tools cost.
    pub tools: usize,
}

impl fmt::Display for BudgetExceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { available, least, pinned, tools } = self;
        write!(
            f,
            "at least {least} tokens for {available} (pinned sections: {pinned}, native tools: {tools})"
        )
    }
}

impl std::error::Error for BudgetExceeded {}
