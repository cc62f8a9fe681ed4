//! Replaces the logic lane when the feature `handlebars` is off: there are no such templates.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::printer::Printer;
use super::scope::Scope;
use super::tree::Unit;
use promptline_diagnostic::Error;

/// What cannot be made.
pub(super) enum Logic {}

impl Logic {
    pub(super) fn new(
        unit: &Unit,
        _: BTreeMap<String, Arc<Unit>>,
        _: Helpers,
    ) -> Result<Self, Error> {
        Err(unit.file.error(
            unit.logic.unwrap_or_default(),
            "a template with loops, partials or helpers",
            "it needs the Cargo feature `handlebars` of promptline",
        ))
    }

    pub(super) fn compile(&self, _: &Unit) {
        match *self {}
    }

    pub(super) fn host_helpers<'u>(&'u self, _: &'u Unit) -> std::iter::Empty<&'u str> {
        match *self {}
    }

    pub(super) fn render<'s>(
        &'s self,
        _: &'s Unit,
        _: &'s dyn Scope,
    ) -> Result<Printer<'s>, Error> {
        match *self {}
    }
}

/// No helpers of a host.
#[derive(Debug, Clone, Default)]
pub(crate) struct Helpers(());

impl Helpers {
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::empty()
    }

    pub(crate) fn has(&self, _: &str) -> bool {
        false
    }
}
