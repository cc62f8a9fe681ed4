//! A section between its component and the prompt.

use once_cell::sync::OnceCell;

use super::{Text, Volatility};
use crate::tokens::Counter;
use promptline_diagnostic::Id;

/// A section as a component left it: cleaned, not yet spliced.
#[derive(Debug)]
pub(crate) struct BuiltSection {
    id: Id,
    text: Text,
    len: usize,
    origin: Id,
    volatility: Volatility,
    /// Its length in tokens, once it has been counted. A section that is the same in every prompt is
    /// counted once.
    tokens: OnceCell<usize>,
}

impl BuiltSection {
    pub(crate) fn new(id: Id, text: Text, origin: Id, volatility: Volatility) -> Self {
        Self { id, len: text.len(), text, origin, volatility, tokens: OnceCell::new() }
    }

    pub(crate) fn id(&self) -> &Id {
        &self.id
    }

    pub(crate) fn text(&self) -> &Text {
        &self.text
    }

    /// The length of the finished text; saturates.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The length of the finished text in tokens. One registry has one counter.
    pub(crate) fn tokens(&self, counter: &Counter, text: &str) -> usize {
        *self.tokens.get_or_init(|| counter.count(text))
    }

    pub(crate) fn origin(&self) -> &Id {
        &self.origin
    }

    pub(crate) fn volatility(&self) -> Volatility {
        self.volatility
    }
}
