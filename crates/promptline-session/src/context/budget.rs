//! What a request may cost.

/// What a request may cost, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ContextBudget {
    /// The model's window, or what a host wants to spend of it.
    pub total: usize,
    /// What of it is for the answer.
    pub reserve: usize,
    /// The longest part of a kept message; a longer one is shortened. An eighth of what there is, unless set.
    pub part: Option<usize>,
}

impl ContextBudget {
    /// So many tokens, nothing of it for the answer.
    #[must_use]
    pub fn new(total: usize) -> Self {
        Self { total, reserve: 0, part: None }
    }

    /// Keeps so many tokens for the answer.
    #[must_use]
    pub fn reserve(mut self, tokens: usize) -> Self {
        self.reserve = tokens;
        self
    }

    /// Sets the longest part of a kept message.
    #[must_use]
    pub fn part(mut self, tokens: usize) -> Self {
        self.part = Some(tokens);
        self
    }

    /// What there is for the request.
    #[must_use]
    pub fn available(&self) -> usize {
        self.total.saturating_sub(self.reserve)
    }

    pub(crate) fn longest_part(&self) -> usize {
        self.part.unwrap_or(self.available() / 8).max(super::shorten::SHORTEST)
    }
}
