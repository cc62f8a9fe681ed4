//! What a build knows while its components run.

use std::sync::Arc;

use crate::condition::ConditionCx;
use crate::context::PromptContext;
use crate::id::TEMPLATE_SECTION;
use crate::notes::Notes;
use crate::placeholder::{Layers, Scoped};
use crate::text::BuiltSection;
use crate::tool::EnabledTools;
use promptline_diagnostic::Diagnostic;

pub(crate) struct BuildState<'a> {
    pub(crate) layers: &'a Layers<'a>,
    pub(crate) context: &'a PromptContext,
    pub(crate) variant: &'a str,
    /// The sections built so far, in order; `TOOLS_SECTION` first.
    pub(crate) sections: Vec<Arc<BuiltSection>>,
    pub(crate) notes: &'a Notes,
}

impl<'a> BuildState<'a> {
    pub(crate) fn context(&self) -> &'a PromptContext {
        self.context
    }

    pub(crate) fn variant_id(&self) -> &'a str {
        self.variant
    }

    pub(crate) fn tools(&self) -> &'a EnabledTools {
        self.layers.tools
    }

    pub(crate) fn conditions(&self) -> &'a ConditionCx<'a> {
        self.layers.conditions
    }

    pub(crate) fn section(&self, id: &str) -> Option<&Arc<BuiltSection>> {
        self.sections.iter().find(|section| *section.id() == id)
    }

    pub(crate) fn report(&self, diagnostic: Diagnostic) {
        self.notes.report(diagnostic);
    }

    /// What a template sees that belongs to this component.
    pub(crate) fn scope<'s>(&'s self, user: &'s str) -> Scoped<'s> {
        Scoped {
            layers: self.layers,
            sections: &self.sections,
            user,
            values: None,
            unresolved: self.notes,
        }
    }

    pub(crate) fn base_scope(&self) -> Scoped<'_> {
        self.scope(TEMPLATE_SECTION)
    }
}

impl std::fmt::Debug for BuildState<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BuildState")
            .field("variant", &self.variant)
            .field("sections", &self.sections.iter().map(|s| s.id()).collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}
