//! What happened in a build and why: the variant and every matcher's answer, each section, each
//! placeholder, each tool, each rules file, and every warning. Its size does not depend on the size of
//! the texts.

mod cost;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::budget::BudgetReport;
pub use crate::placeholder::Layer;
use crate::variant::VariantRef;
pub use cost::{SectionCost, Totals};
use promptline_diagnostic::Diagnostic;
use promptline_diagnostic::Id;
use promptline_tools::UnsupportedKeyword;

/// How much of a [`Report`] is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ReportLevel {
    /// All of it.
    #[default]
    Full,
    /// Only the variant and the diagnostics, without the lint `cache-order`. Nothing is counted.
    Off,
}

/// What happened in a build.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Report {
    /// The variant that was built.
    pub variant: VariantRef,
    /// Why it was chosen.
    pub reason: String,
    /// What each matcher that was asked said, in order.
    pub matchers: Vec<MatcherVerdict>,
    /// What the prompt costs; none with [`ReportLevel::Off`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub totals: Option<Totals>,
    /// The sections: the components in the order in which they ran, those that the variant has switched
    /// off, then the list of tools (`TOOLS_SECTION`) and the text of the base template (`_template`) as
    /// far as they are printed. The bytes of all of them are those of the prompt.
    pub components: Vec<ComponentReport>,
    /// Every placeholder that the templates of this build ask for, by name.
    pub placeholders: Arc<[PlaceholderReport]>,
    /// Placeholders that nothing provides, by name.
    pub unresolved: Vec<String>,
    /// Runtime placeholders and parameters (`params.…`) of the request that no template of this variant
    /// asks for, by name. A component that is written in Rust may use them all the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unused: Vec<String>,
    /// The tools that the variant lists, in order.
    pub tools: Vec<ToolReport>,
    /// The rules files, in order.
    pub rules: Vec<RulesReport>,
    /// Every diagnostic of the build.
    pub diagnostics: Vec<Diagnostic>,
    /// What the budget came to; none when the build had none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<BudgetReport>,
}

/// What a matcher said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct MatcherVerdict {
    /// The variant.
    pub variant: VariantRef,
    /// It applies.
    pub matched: bool,
    /// Why, or why not; for a matcher that failed, the error.
    pub reason: String,
    /// The matcher failed or panicked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub failed: bool,
}

/// What became of a component.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ComponentReport {
    /// Its id.
    pub id: Id,
    /// What became of it.
    pub status: ComponentStatus,
    /// Where it is written: a file of a pack, or `host`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Id>,
    /// Its condition's reason, its error, or what the budget took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Where its section is, and what it costs.
    #[serde(flatten)]
    pub cost: SectionCost,
}

/// What became of a component.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ComponentStatus {
    /// It has a section in the prompt.
    Rendered,
    /// It wrote a section that the base template does not print.
    Unprinted,
    /// The budget shortened its section, or left it out; the reason says which.
    Cut,
    /// It gave nothing, or only blanks.
    Empty,
    /// Its condition does not hold.
    Skipped,
    /// The variant has switched it off.
    Disabled,
    /// It failed or panicked.
    Failed,
    /// It is listed, but not registered.
    Unknown,
    /// An overlay has taken it out.
    Removed,
}

/// Where a placeholder's value came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PlaceholderReport {
    /// Its name.
    pub name: Id,
    /// The layer that won; none when nothing provides it.
    pub layer: Option<Layer>,
    /// The layers below that had a value too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hid: Vec<Layer>,
    /// The templates that ask for it: component ids, `TOOLS_SECTION` for the words of tools (whatever
    /// their form), or `_template`.
    pub used_in: Arc<[Id]>,
}

/// What became of a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolReport {
    /// Its id.
    pub id: Id,
    /// The name that the model sees.
    pub name: Id,
    /// What became of it.
    pub status: ToolStatus,
    /// Its condition's reason, or its error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The name that it has where it comes from, when the model sees another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renamed_from: Option<String>,
    /// What it costs in the text, in tokens; 0 where it is not in the text.
    #[serde(default)]
    pub text_tokens: usize,
    /// Its length in the provider's form, in bytes of compact JSON; 0 where it is not sent.
    #[serde(default)]
    pub native_bytes: usize,
    /// The same in tokens.
    #[serde(default)]
    pub native_tokens: usize,
    /// What the provider's form cannot say of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unsupported: Vec<UnsupportedKeyword>,
}

/// What became of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ToolStatus {
    /// The model is offered it.
    Enabled,
    /// Its condition does not hold.
    Skipped,
    /// Its condition or its words failed.
    Failed,
}

/// What became of a rules file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RulesReport {
    /// Its path.
    pub path: String,
    /// What became of it.
    pub status: RulesStatus,
    /// Its length in bytes.
    pub bytes: usize,
    /// The same in tokens, before a budget took something of it; 0 for a file that does not count.
    #[serde(default)]
    pub tokens: usize,
}

/// What became of a rules file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum RulesStatus {
    /// It counts. (Whether it is printed is the variant's choice.)
    Used,
    /// The user has switched it off.
    SwitchedOff,
    /// There is nothing in it.
    Blank,
    /// The same file came before.
    Repeated,
    /// It counts, and the budget shortened it.
    Cut,
    /// It counts, and the budget left it out.
    Dropped,
}

impl Report {
    /// A report that knows only how the variant was chosen.
    pub(crate) fn new(variant: VariantRef, reason: String, matchers: Vec<MatcherVerdict>) -> Self {
        Self {
            variant,
            reason,
            matchers,
            totals: None,
            components: Vec::new(),
            placeholders: Arc::default(),
            unresolved: Vec::new(),
            unused: Vec::new(),
            tools: Vec::new(),
            rules: Vec::new(),
            diagnostics: Vec::new(),
            budget: None,
        }
    }

    /// The diagnostics that are warnings.
    pub fn warnings(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.severity == promptline_diagnostic::Severity::Warning)
    }
}
