//! What a budget did, for the report.

use serde::{Deserialize, Serialize};

use promptline_diagnostic::Id;

/// What a budget came to. It is in the report of every build that has one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct BudgetReport {
    /// What prompt and native tools may cost together, in tokens: the budget without its reserve.
    pub available: usize,
    /// What the native tools cost; nothing of it can be cut.
    pub tools: usize,
    /// What the text would have cost.
    pub before: usize,
    /// What the text costs.
    pub after: usize,
    /// The sections that were cut, in the order in which they ran.
    pub cuts: Vec<SectionCut>,
}

/// What a budget took of a section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SectionCut {
    /// The section.
    pub id: Id,
    /// It is left out; else it is shortened.
    pub dropped: bool,
    /// What it would have cost in tokens, with what is printed inside it.
    pub before: usize,
    /// What is left, in tokens.
    pub after: usize,
    /// What became of rules files in it, by their source (`rules:AGENTS.md`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<RulesCut>,
}

/// What a budget took of a rules file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RulesCut {
    /// Its path.
    pub path: String,
    /// It is left out; else it is shortened.
    pub dropped: bool,
}
