//! The tools of a variant: its list, its own specs before the shared ones, its overrides, and the
//! host's changes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{PromptRegistryBuilder, duplicate, near_or_listed, unknown, warn};
use crate::condition::{Condition, check_names};
use crate::template::{Partials, Template};
use crate::tool::ToolForm;
use crate::tool::{Offered, ToolSet, ToolSpec, ToolText};
use crate::variant::{PromptVariant, ToolOverride};
use promptline_diagnostic::Diagnostic;
use promptline_diagnostic::Id;
use promptline_diagnostic::{Error, ErrorKind, keep};

/// An error in what a tool depends on.
fn about_tool(spec: &ToolSpec, id: &str, error: &Error) -> Error {
    let about = Error::new(error.kind(), format!("tool `{id}`: {}", error.message()))
        .with_code(error.code())
        .about(error.word().unwrap_or(id));
    let about = match &spec.origin {
        Some(file) => about.in_file(&**file),
        None => about,
    };
    match error.help() {
        Some(help) => about.with_help(help),
        None => about,
    }
}

pub(super) struct Toolbox<'b> {
    shared: BTreeMap<String, Arc<ToolSpec>>,
    added: BTreeMap<String, Arc<ToolSpec>>,
    replaced: BTreeMap<String, Arc<ToolSpec>>,
    host: &'b ToolSet,
    /// What the words of an override may use: the host's helpers.
    partials: Partials,
}

impl<'b> Toolbox<'b> {
    pub(super) fn new(builder: &'b PromptRegistryBuilder, errors: &mut Vec<Error>) -> Self {
        let host = &builder.tools;
        let mut shared = BTreeMap::new();
        let mut known: BTreeSet<String> = BTreeSet::new();
        for pack in builder.packs.iter().map(|pack| pack.content()) {
            shared.extend(pack.tools.iter().map(|(id, spec)| (id.clone(), Arc::clone(spec))));
            known.extend(pack.variants.values().flat_map(|variant| variant.tools.keys().cloned()));
        }
        for (variant, _) in &builder.variants {
            known.extend(variant.own_tools.keys().cloned());
        }
        known.extend(shared.keys().cloned());
        let mut added = BTreeMap::new();
        for spec in &host.added {
            keep(errors, spec.check());
            if known.contains(&*spec.id) || added.contains_key(&*spec.id) {
                errors.push(
                    duplicate("tool", &spec.id)
                        .with_help("call `ToolSet::replace` to put another in its place"),
                );
                continue;
            }
            added.insert(spec.id.to_string(), Arc::new(spec.clone()));
        }
        let mut replaced = BTreeMap::new();
        for spec in &host.replaced {
            keep(errors, spec.check());
            if !known.contains(&*spec.id) {
                errors.push(unknown("tool", &spec.id, known.iter()));
            } else if replaced.insert(spec.id.to_string(), Arc::new(spec.clone())).is_some() {
                errors.push(duplicate("replacement of the tool", &spec.id));
            }
        }
        known.extend(added.keys().cloned());
        for id in host.removed.iter().chain(host.renamed.keys()) {
            if !known.contains(id) {
                errors.push(unknown("tool", id, known.iter()));
            }
        }
        let mut partials = Partials::default();
        partials.set_helpers(builder.helpers.clone());
        Self { shared, added, replaced, host, partials }
    }

    /// Every spec that is not a variant's own, by id.
    pub(super) fn all(&self) -> BTreeMap<String, Arc<ToolSpec>> {
        let mut all = self.shared.clone();
        all.extend(self.added.clone());
        all.extend(self.replaced.clone());
        all
    }

    /// The tools that a variant lists, in order, then what the host added, by id.
    pub(super) fn of(
        &self,
        variant: &PromptVariant,
        conditions: &BTreeMap<String, Condition>,
        diagnostics: &mut Vec<Diagnostic>,
        errors: &mut Vec<Error>,
    ) -> Vec<Offered> {
        for id in variant.tool_overrides.keys() {
            if !variant.tools.contains(id) {
                let error = Error::new(
                    ErrorKind::Pack,
                    format!("`[tool.{id}]` changes a tool that the variant does not list"),
                );
                let error = error.with_code("unlisted-override").about(id);
                errors.push(near_or_listed(error, id, variant.tools.iter()));
            }
        }
        let mut offered: Vec<Offered> = Vec::new();
        let mut names: BTreeMap<String, String> = BTreeMap::new();
        let listed = variant.tool_order();
        let behind = self.added.keys().map(String::as_str);
        for id in listed.iter().copied().chain(behind) {
            if self.host.removed.contains(id) || offered.iter().any(|other| other.spec.id == id) {
                continue;
            }
            let from_host = self.added.contains_key(id) || self.replaced.contains_key(id);
            if self.host.only && !from_host {
                continue;
            }
            let Some(spec) = self.spec(variant, id) else {
                let message = format!(
                    "the variant lists the tool `{id}`, for which there is no spec in it or in the \
                     shared tools"
                );
                warn(diagnostics, "tool-unknown", message, id);
                continue;
            };
            let change = variant.tool_overrides.get(id);
            let Some(spec) = keep(errors, self.changed(spec, change, &variant.origin)) else {
                continue;
            };
            keep(errors, spec.check());
            for condition in spec.conditions() {
                let checked = check_names(condition, conditions);
                keep(errors, checked.map_err(|error| about_tool(&spec, id, &error)));
            }
            if let Some(other) = names.insert(spec.name.to_string(), id.to_owned()) {
                let error = Error::new(
                    ErrorKind::Duplicate,
                    format!("the tools `{other}` and `{id}` have the same name `{}`", spec.name),
                )
                .about(id)
                .with_help(
                    "give one of them another `name` in its file or under [tool.ID], or rename or \
                     remove one with a `ToolSet`",
                );
                errors.push(error);
            }
            // Only this form has no words for a whole schema.
            let passed_over =
                if variant.tool_form == ToolForm::Xml { spec.passed_over() } else { Vec::new() };
            for what in passed_over {
                let message = format!("the tool `{id}` is shown without a part: {what}");
                warn(diagnostics, "tool-schema", message, id);
            }
            offered.push(Offered { spec });
        }
        offered
    }

    /// The host's, else the variant's own, else the shared one: never another variant's wording.
    fn spec(&self, variant: &PromptVariant, id: &str) -> Option<Arc<ToolSpec>> {
        self.replaced
            .get(id)
            .or_else(|| self.added.get(id))
            .or_else(|| variant.own_tools.get(id))
            .or_else(|| self.shared.get(id))
            .cloned()
    }

    fn changed(
        &self,
        spec: Arc<ToolSpec>,
        change: Option<&ToolOverride>,
        origin: &str,
    ) -> Result<Arc<ToolSpec>, Error> {
        let name =
            self.host.renamed.get(&*spec.id).or(change.and_then(|change| change.name.as_ref()));
        let description = change.and_then(|change| change.description.as_deref());
        if name.is_none() && description.is_none() {
            return Ok(spec);
        }
        let mut spec = ToolSpec::clone(&spec);
        if let Some(name) = name {
            spec.name = Id::from(name.as_str());
        }
        if let Some(description) = description {
            let template = Template::parse_named(origin, description, &self.partials)?;
            spec.description = ToolText::Template(template);
        }
        Ok(Arc::new(spec))
    }
}
