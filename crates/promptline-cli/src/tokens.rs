//! Who counts tokens. A registry that has a counter of its own keeps it unless the command line names
//! another.

use promptline::{
    PromptRegistryBuilder,
    tokens::{ExactTokens, TokenEstimate},
};

use crate::args::{Counter, TokensArgs};

impl TokensArgs {
    /// The registry with the counter that was asked for.
    pub(crate) fn of(&self, registry: PromptRegistryBuilder) -> PromptRegistryBuilder {
        match self.tokens {
            None => registry,
            Some(Counter::Estimate) => registry.tokens(TokenEstimate),
            Some(Counter::O200k) => registry.tokens(ExactTokens::o200k()),
            Some(Counter::Cl100k) => registry.tokens(ExactTokens::cl100k()),
        }
    }
}

/// Before a number of tokens that is only about right.
pub(crate) fn about(estimate: bool) -> &'static str {
    if estimate { "about " } else { "" }
}
