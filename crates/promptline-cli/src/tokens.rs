//! Who counts tokens. A registry that has a counter of its own keeps it unless the command line names
//! another.

use promptline::PromptRegistryBuilder;
#[cfg(feature = "tokens")]
use promptline::tokens::ExactTokens;
use promptline::tokens::TokenEstimate;

use crate::args::{Counter, TokensArgs};
use crate::output::Failure;

impl TokensArgs {
    /// The registry with the counter that was asked for.
    pub(crate) fn of(
        &self,
        registry: PromptRegistryBuilder,
    ) -> Result<PromptRegistryBuilder, Failure> {
        Ok(match self.tokens {
            None => registry,
            Some(Counter::Estimate) => registry.tokens(TokenEstimate),
            #[cfg(feature = "tokens")]
            Some(Counter::O200k) => registry.tokens(ExactTokens::o200k()),
            #[cfg(feature = "tokens")]
            Some(Counter::Cl100k) => registry.tokens(ExactTokens::cl100k()),
            #[cfg(not(feature = "tokens"))]
            Some(Counter::O200k | Counter::Cl100k) => {
                return Err(Failure::Said(crate::features::EXACT_TOKENS.absent()));
            }
        })
    }
}

/// Before a number of tokens that is only about right.
pub(crate) fn about(estimate: bool) -> &'static str {
    if estimate { "about " } else { "" }
}
