//! Summaries: an index over turns that stay where they are. Made in the background, never inside of a commit.

mod compactor;
mod fallback;
mod model;
mod policy;

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use compactor::{Compaction, Compactor, CompactorCounts};
pub use fallback::fallback_summary;
pub use model::ModelSummarizer;
pub use policy::CompactionPolicy;

use crate::{Error, Facts, Proposal, Slots, Turn};

/// What came before the turns that are kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Summary {
    /// What happened.
    pub text: String,
    /// The last turn that it covers: it covers all from the first on. The turns behind it are kept as they are.
    pub covers_through: u64,
    /// The facts as they were when it was made. They stand beside it in the context; what changed since then is said
    /// at the end of the context.
    #[serde(default)]
    pub facts: BTreeMap<String, Value>,
    /// It was made without a model, from this turn on, and a model is to try again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fallback_from: Option<u64>,
    /// When it was made, in milliseconds since 1970.
    #[serde(default)]
    pub at_ms: u64,
}

impl Summary {
    /// A summary of the turns up to this one.
    #[must_use]
    pub fn new(text: impl Into<String>, covers_through: u64) -> Self {
        let text = text.into();
        Self { text, covers_through, facts: BTreeMap::new(), fallback_from: None, at_ms: 0 }
    }

    /// Sets the facts that stand beside it.
    #[must_use]
    pub fn facts(mut self, facts: BTreeMap<String, Value>) -> Self {
        self.facts = facts;
        self
    }
}

/// What is to be summarized.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct SummaryRequest {
    /// The summary so far.
    pub previous: Option<String>,
    /// The turns that it is to cover beyond that, oldest first; without reminders.
    pub turns: Vec<Arc<Turn>>,
    /// What is known.
    pub facts: Facts,
    /// What the host wants to know.
    pub slots: Slots,
    /// The longest summary, in tokens.
    pub max_tokens: usize,
}

/// A summary as it comes from a summarizer, with the facts that it found on the way.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct SummaryDraft {
    /// What happened.
    pub text: String,
    /// What it takes to be so. Proposals only: a quote that does not occur is refused.
    pub facts: Vec<Proposal>,
}

impl SummaryDraft {
    /// A summary without facts.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), facts: Vec::new() }
    }

    /// Adds a fact.
    #[must_use]
    pub fn fact(mut self, fact: Proposal) -> Self {
        self.facts.push(fact);
        self
    }
}

/// Makes summaries.
#[async_trait]
pub trait Summarizer: Send + Sync {
    /// A summary that takes the place of the previous one and the turns.
    ///
    /// # Errors
    /// Any: a deterministic summary stands in, and it is asked again later.
    async fn summarize(&self, request: &SummaryRequest) -> Result<SummaryDraft, Error>;
}
