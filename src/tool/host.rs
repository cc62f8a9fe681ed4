//! What a host changes about the tools, for all variants at once.

use std::collections::{BTreeMap, BTreeSet};

use super::ToolSpec;

/// Tools that a host adds, replaces, renames or removes. Mistakes (a tool added that exists, one
/// renamed that does not) are errors when the registry is built.
///
/// ```
/// use promptline::{Param, ToolSet, ToolSpec};
/// let tools = ToolSet::new()
///     .add(
///         ToolSpec::new("create_ticket")
///             .with_description("Open a ticket in the tracker.")
///             .with_param(Param::required("title", "One line that says what is wrong.")),
///     )
///     .rename("execute_command", "run_in_terminal")
///     .remove("browser_action");
/// ```
#[derive(Debug, Clone, Default)]
pub struct ToolSet {
    pub(crate) added: Vec<ToolSpec>,
    pub(crate) replaced: Vec<ToolSpec>,
    pub(crate) renamed: BTreeMap<String, String>,
    pub(crate) removed: BTreeSet<String>,
    pub(crate) only: bool,
}

impl ToolSet {
    /// No change.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a tool to every variant. Added tools come behind those of the variant, by id.
    #[must_use]
    #[expect(clippy::should_implement_trait, reason = "tool sets are not added with `+`")]
    pub fn add(mut self, spec: ToolSpec) -> Self {
        self.added.push(spec);
        self
    }

    /// Takes this spec instead of the one with the same id, wherever a variant lists it.
    #[must_use]
    pub fn replace(mut self, spec: ToolSpec) -> Self {
        self.replaced.push(spec);
        self
    }

    /// Gives a tool another name for the model; its id stays.
    #[must_use]
    pub fn rename(mut self, id: impl Into<String>, name: impl Into<String>) -> Self {
        self.renamed.insert(id.into(), name.into());
        self
    }

    /// Takes a tool away from every variant.
    #[must_use]
    pub fn remove(mut self, id: impl Into<String>) -> Self {
        self.removed.insert(id.into());
        self
    }

    /// Takes every tool of the packs away: only what this set adds is offered.
    #[must_use]
    pub fn only(mut self) -> Self {
        self.only = true;
        self
    }

    pub(crate) fn merge(&mut self, other: Self) {
        self.added.extend(other.added);
        self.replaced.extend(other.replaced);
        self.renamed.extend(other.renamed);
        self.removed.extend(other.removed);
        self.only |= other.only;
    }
}
