//! What a build knows while its components run.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use crate::condition::ConditionCx;
use crate::context::PromptContext;
use crate::placeholder::{Layers, Scoped, UnresolvedPolicy};
use crate::prompt::{BuiltSection, TEMPLATE_SECTION};
use crate::template::scope::{Place, Unresolved};
use crate::tool::EnabledTools;
use promptline_diagnostic::Diagnostic;

pub(crate) struct BuildState<'a> {
    pub(super) layers: &'a Layers<'a>,
    pub(super) context: &'a PromptContext,
    pub(super) variant: &'a str,
    /// The sections built so far, in order; `TOOLS_SECTION` first.
    pub(super) sections: Vec<Arc<BuiltSection>>,
    pub(super) notes: &'a Notes,
}

/// What there is to tell, collected by everybody who takes part.
#[derive(Debug)]
pub(crate) struct Notes {
    policy: UnresolvedPolicy,
    diagnostics: Mutex<Vec<Diagnostic>>,
    /// Name, and who asked for it; a template may ask for any number of them.
    unresolved: Mutex<BTreeSet<(String, String)>>,
}

impl Notes {
    pub(crate) fn new(policy: UnresolvedPolicy) -> Self {
        Self { policy, diagnostics: Mutex::default(), unresolved: Mutex::default() }
    }

    pub(crate) fn report(&self, diagnostic: Diagnostic) {
        // A poisoned lock means that a component panicked while it reported; the list is whole.
        let mut diagnostics = self.diagnostics.lock().unwrap_or_else(|lock| lock.into_inner());
        tracing::debug!(code = diagnostic.code, "{}", diagnostic.message);
        diagnostics.push(diagnostic);
    }

    pub(crate) fn unresolved(&self, name: &str, place: Place, user: &str) -> Unresolved {
        let mut unresolved = self.unresolved.lock().unwrap_or_else(|lock| lock.into_inner());
        unresolved.insert((name.to_owned(), user.to_owned()));
        match (self.policy, place) {
            (UnresolvedPolicy::Keep | UnresolvedPolicy::Error, Place::Print) => Unresolved::Keep,
            _ => Unresolved::Empty,
        }
    }

    /// How much there is to tell by now, for [`forget_since`](Self::forget_since).
    pub(crate) fn told(&self) -> usize {
        self.diagnostics.lock().unwrap_or_else(|lock| lock.into_inner()).len()
    }

    /// Takes back what was told since then: it will be told again.
    pub(crate) fn forget_since(&self, told: usize) {
        self.diagnostics.lock().unwrap_or_else(|lock| lock.into_inner()).truncate(told);
    }

    pub(crate) fn take(&self) -> (Vec<Diagnostic>, BTreeSet<(String, String)>) {
        (taken(&self.diagnostics), taken(&self.unresolved))
    }
}

fn taken<T: Default>(list: &Mutex<T>) -> T {
    std::mem::take(&mut *list.lock().unwrap_or_else(|lock| lock.into_inner()))
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

    pub(super) fn base_scope(&self) -> Scoped<'_> {
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
