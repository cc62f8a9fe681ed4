//! Exact counts by vocabularies that OpenAI has published, embedded in the program: nothing is read or
//! downloaded. Other makers' models count differently; for them these are estimates too.

use std::fmt;

use once_cell::sync::OnceCell;
use tiktoken::CoreBpe;

use super::TokenCounter;

/// Counts by a vocabulary of OpenAI's.
///
/// ```
/// use promptline::{TokenCounter, tokens::ExactTokens};
/// assert_eq!(ExactTokens::o200k().count("Use tabs."), 3);
/// assert_eq!(ExactTokens::cl100k().count(&" ".repeat(100_000)), 782);
/// ```
#[derive(Clone, Copy)]
pub struct ExactTokens {
    name: &'static str,
    vocabulary: fn() -> &'static CoreBpe,
}

impl ExactTokens {
    /// `o200k_base`: GPT-4o and what came after it.
    #[must_use]
    pub fn o200k() -> Self {
        // By function and not by the crate's look-up by name, so that a program holds only the
        // vocabularies that it asks for.
        static O200K: OnceCell<CoreBpe> = OnceCell::new();
        let vocabulary = || O200K.get_or_init(tiktoken::encoding::o200k_base);
        Self { name: "o200k_base", vocabulary }
    }

    /// `cl100k_base`: GPT-4 and GPT-3.5.
    #[must_use]
    pub fn cl100k() -> Self {
        static CL100K: OnceCell<CoreBpe> = OnceCell::new();
        let vocabulary = || CL100K.get_or_init(tiktoken::encoding::cl100k_base);
        Self { name: "cl100k_base", vocabulary }
    }
}

impl TokenCounter for ExactTokens {
    fn name(&self) -> &str {
        self.name
    }

    /// The first count of a vocabulary reads it, which takes about a tenth of a second.
    fn count(&self, text: &str) -> usize {
        (self.vocabulary)().count(text)
    }
}

impl fmt::Debug for ExactTokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ExactTokens").field(&self.name).finish()
    }
}
