//! What a host can choose about a build.

use serde::{Deserialize, Serialize};

use crate::budget::Budget;
pub use crate::notes::UnresolvedPolicy;
use crate::report::ReportLevel;
use crate::tool::McpForm;
use promptline_tools::Dialect;

/// How a build behaves. The registry holds the options of builds that bring none of their own.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct BuildOptions {
    /// What becomes of a placeholder that nothing provides.
    pub unresolved: UnresolvedPolicy,
    /// What becomes of characters that a reader cannot see.
    pub invisible: InvisiblePolicy,
    /// How much of the report is written.
    pub report: ReportLevel,
    /// The dialect of native tools, whatever the provider usually speaks.
    pub dialect: Option<Dialect>,
    /// Ask the provider to hold the model to the schemas of native tools
    /// ([`NativeOptions::strict`](crate::tools::NativeOptions::strict)).
    pub strict: bool,
    /// How tools of MCP servers are offered, whatever the variant says.
    pub mcp_form: Option<McpForm>,
    /// Offer only the tools that fit the context's mode: in `plan` those that change nothing
    /// (`annotations.read_only`; of an MCP server's tools, those that it says so of), in any other mode
    /// all but the tool with the role `plan`. Without a mode nothing is filtered. Off, because tools are
    /// the first part of what a provider caches.
    pub filter_by_mode: bool,
    /// Hash what the prompt was built from, and its text.
    pub fingerprint: bool,
    /// Look for contradictions in what the pack's author wrote ([codes](crate::docs::codes)
    /// `heading-twice`, `invisible-character`, `large-section`, `over-budget`, `parameter-number`,
    /// `tool-not-enabled`, `xml-with-native`); they are warnings in a full report. Off: it reads the whole prompt once more,
    /// which takes longer than a warm build.
    pub lint: bool,
    /// How many tokens the prompt may cost with its native tools; unlimited unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<Budget>,
}

impl BuildOptions {
    /// The defaults: keep unresolved placeholders, report invisible characters, a full report, no
    /// fingerprint.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets what becomes of a placeholder that nothing provides.
    #[must_use]
    pub fn with_unresolved(mut self, policy: UnresolvedPolicy) -> Self {
        self.unresolved = policy;
        self
    }

    /// Sets what becomes of characters that a reader cannot see.
    #[must_use]
    pub fn with_invisible(mut self, policy: InvisiblePolicy) -> Self {
        self.invisible = policy;
        self
    }

    /// Sets how much of the report is written.
    #[must_use]
    pub fn with_report(mut self, level: ReportLevel) -> Self {
        self.report = level;
        self
    }

    /// Sets the dialect of native tools, whatever the provider usually speaks.
    #[must_use]
    pub fn with_dialect(mut self, dialect: Dialect) -> Self {
        self.dialect = Some(dialect);
        self
    }

    /// Asks the provider to hold the model to the schemas of native tools.
    #[must_use]
    pub fn with_strict(mut self, wanted: bool) -> Self {
        self.strict = wanted;
        self
    }

    /// Sets how tools of MCP servers are offered, whatever the variant says.
    #[must_use]
    pub fn with_mcp_form(mut self, form: McpForm) -> Self {
        self.mcp_form = Some(form);
        self
    }

    /// Asks for only those tools that fit the context's mode.
    #[must_use]
    pub fn with_filter_by_mode(mut self, wanted: bool) -> Self {
        self.filter_by_mode = wanted;
        self
    }

    /// Asks for the fingerprint.
    #[must_use]
    pub fn with_fingerprint(mut self, wanted: bool) -> Self {
        self.fingerprint = wanted;
        self
    }

    /// Asks for lints of the text.
    #[must_use]
    pub fn with_lint(mut self, wanted: bool) -> Self {
        self.lint = wanted;
        self
    }

    /// Sets how many tokens the prompt may cost with its native tools.
    #[must_use]
    pub fn with_budget(mut self, budget: Budget) -> Self {
        self.budget = Some(budget);
        self
    }
}

/// What becomes of characters in verbatim text that a reader cannot see: tag characters outside flag
/// emoji, controls of the writing direction, stray zero-width characters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum InvisiblePolicy {
    /// They stay, and are reported with place and class.
    #[default]
    Report,
    /// Tag characters and direction controls go; all are reported.
    Strip,
}
