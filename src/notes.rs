//! What a build has to report: diagnostics, and names that nothing provides. Shared by everything that takes
//! part in it.

use std::collections::BTreeSet;
use std::sync::Mutex;

use promptline_diagnostic::Diagnostic;
use serde::{Deserialize, Serialize};

/// What a build has to report, collected by everything that takes part in it.
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

    /// Records a name that nothing provides, and says what becomes of it.
    pub(crate) fn unresolved(&self, name: &str, user: &str) -> UnresolvedPolicy {
        let mut unresolved = self.unresolved.lock().unwrap_or_else(|lock| lock.into_inner());
        unresolved.insert((name.to_owned(), user.to_owned()));
        self.policy
    }

    /// How much has been reported by now, for [`forget_since`](Self::forget_since).
    pub(crate) fn reported(&self) -> usize {
        self.diagnostics.lock().unwrap_or_else(|lock| lock.into_inner()).len()
    }

    /// Takes back what was reported since then: it will be reported again.
    pub(crate) fn forget_since(&self, reported: usize) {
        self.diagnostics.lock().unwrap_or_else(|lock| lock.into_inner()).truncate(reported);
    }

    pub(crate) fn take(&self) -> (Vec<Diagnostic>, BTreeSet<(String, String)>) {
        (taken(&self.diagnostics), taken(&self.unresolved))
    }
}

fn taken<T: Default>(list: &Mutex<T>) -> T {
    std::mem::take(&mut *list.lock().unwrap_or_else(|lock| lock.into_inner()))
}

/// What becomes of a placeholder that nothing provides.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum UnresolvedPolicy {
    /// It stays in the text as it is written, and is reported.
    #[default]
    Keep,
    /// It prints nothing, and is reported.
    Empty,
    /// The build fails, naming all of them.
    Error,
}
