//! How long a text is in tokens. Counts are for reports and budgets; nothing that is printed depends on
//! who counts.

#[cfg(feature = "tokens")]
mod exact;
mod memo;

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

#[cfg(feature = "tokens")]
pub use exact::ExactTokens;
use memo::Memo;

/// Counts the tokens of a text. Give one to
/// [`PromptRegistryBuilder::tokens`](crate::PromptRegistryBuilder::tokens).
///
/// ```
/// use promptline::TokenCounter;
///
/// /// A model that reads character by character.
/// struct Characters;
///
/// impl TokenCounter for Characters {
///     fn name(&self) -> &str {
///         "characters"
///     }
///
///     fn count(&self, text: &str) -> usize {
///         text.chars().count()
///     }
/// }
/// # assert_eq!(Characters.count("añb"), 3);
/// ```
pub trait TokenCounter: Send + Sync {
    /// What the report calls it: the name of its vocabulary.
    fn name(&self) -> &str;

    /// The number of tokens of the text, read as plain text: what looks like a special token is none.
    /// The same text always has the same number. A counter that panics counts as [`TokenEstimate`] does.
    fn count(&self, text: &str) -> usize;

    /// Its numbers are only about right.
    fn is_estimate(&self) -> bool {
        false
    }
}

/// One token for four bytes of UTF-8, rounded up: right within a fifth for English and code, and too
/// little for most other languages. The counter of a registry that is given none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TokenEstimate;

/// The estimate for a text of so many bytes.
pub(crate) fn estimate_tokens(bytes: usize) -> usize {
    bytes.div_ceil(4)
}

impl TokenCounter for TokenEstimate {
    fn name(&self) -> &str {
        "estimate"
    }

    fn count(&self, text: &str) -> usize {
        estimate_tokens(text.len())
    }

    fn is_estimate(&self) -> bool {
        true
    }
}

/// A registry's counter, shared by its builds and their prompts.
#[derive(Clone)]
pub(crate) struct Counter {
    counter: Arc<dyn TokenCounter>,
    /// None of an estimate, which costs nothing.
    memo: Option<Arc<Memo>>,
}

impl Counter {
    pub(crate) fn new(counter: impl TokenCounter + 'static) -> Self {
        let mut made = Self { counter: Arc::new(counter), memo: None };
        made.memo = (!made.is_estimate()).then(Arc::default);
        made
    }

    pub(crate) fn name(&self) -> String {
        // A name that panics is the host's mistake, and no reason to lose a prompt.
        catch_unwind(AssertUnwindSafe(|| self.counter.name().to_owned())).unwrap_or_default()
    }

    pub(crate) fn is_estimate(&self) -> bool {
        catch_unwind(AssertUnwindSafe(|| self.counter.is_estimate())).unwrap_or(true)
    }

    pub(crate) fn count(&self, text: &str) -> usize {
        match &self.memo {
            Some(memo) => memo.of(text, || self.count_now(text)),
            None => self.count_now(text),
        }
    }

    fn count_now(&self, text: &str) -> usize {
        catch_unwind(AssertUnwindSafe(|| self.counter.count(text))).unwrap_or_else(|_| {
            tracing::warn!("the token counter panicked; its text is estimated");
            TokenEstimate.count(text)
        })
    }
}

impl Default for Counter {
    fn default() -> Self {
        Self::new(TokenEstimate)
    }
}

impl fmt::Debug for Counter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Counter").field(&self.name()).finish()
    }
}
