//! Which changes a section has: overlays in their order, each change in the order of its file. What can
//! be wrong without a context is found here, once for a registry.

use std::collections::{BTreeMap, BTreeSet};

use super::drift::Drift;
use super::edit::{Edit, Edits, Said, cleaned};
use super::file::Op;
use super::{Overlay, OverlayContent, SectionChange, Words};
use crate::component::Registered;
use crate::condition::{Condition, check_names};
use crate::id::TOOLS_SECTION;
use crate::template::{Partials, Template};
use crate::text::Text;
use promptline_diagnostic::Id;
use promptline_diagnostic::words::nearest;
use promptline_diagnostic::{Error, ErrorKind, keep};

/// What overlays change.
pub(crate) struct Ground<'a> {
    /// The ids of all sections.
    pub(crate) sections: BTreeSet<&'a str>,
    /// Those that some pack marks as required.
    pub(crate) required: BTreeSet<&'a str>,
    pub(crate) conditions: &'a BTreeMap<String, Condition>,
    /// The partials of the packs, the highest first.
    pub(crate) partials: Vec<Partials>,
}

/// A change with the overlay that it is of.
#[derive(Debug)]
struct OverlayStep {
    overlay: Overlay,
    change: usize,
    edit: Edit,
}

/// The changes of all sections.
#[derive(Debug, Default)]
pub(crate) struct Plan(BTreeMap<String, Vec<OverlayStep>>);

impl Plan {
    pub(crate) fn new(overlays: &[Overlay], ground: &Ground<'_>, errors: &mut Vec<Error>) -> Self {
        let mut plan: BTreeMap<String, Vec<OverlayStep>> = BTreeMap::new();
        for overlay in overlays {
            let content = overlay.content();
            for (at, change) in content.sections.iter().enumerate() {
                ground.check(content, at, change, errors);
                let edit = ground.edit(content, at, change, errors);
                let steps = plan.entry(change.id.clone()).or_default();
                steps.push(OverlayStep { overlay: overlay.clone(), change: at, edit });
            }
        }
        Self(plan)
    }

    /// The changes of one section of a variant; none where no overlay speaks of it.
    pub(crate) fn edits(&self, component: &Registered) -> Option<Edits> {
        let steps = self.0.get(component.id())?;
        let edit = |step: &OverlayStep| {
            let drift = Drift::of(step.overlay.content(), step.change, component);
            Edit { drift, ..step.edit.clone() }
        };
        Some(Edits::new(steps.iter().map(edit).collect()))
    }
}

impl Ground<'_> {
    fn check(
        &self,
        overlay: &OverlayContent,
        at: usize,
        change: &SectionChange,
        errors: &mut Vec<Error>,
    ) {
        let id = change.id.as_str();
        if !self.sections.contains(id) {
            let shown = id.escape_debug();
            let error = Error::new(ErrorKind::Pack, format!("there is no section `{shown}`"))
                .with_code("unknown-component");
            let error = match nearest(id, self.sections.iter().copied()) {
                _ if id == TOOLS_SECTION => error.with_help(
                    "it is made of the tools: a pack changes their words, a variant takes them out",
                ),
                Some(near) => error.with_help(format!("did you mean `{near}`?")),
                None => {
                    let known = promptline_diagnostic::words::listed(self.sections.iter().copied());
                    error.with_help(format!("sections are {known}"))
                }
            };
            errors.push(overlay.blame(error, at, "id"));
        }
        if change.op == Op::Remove && self.required.contains(id) && !change.acknowledge {
            let message = format!("`{id}` is required: the prompt makes no sense without it");
            let error = Error::new(ErrorKind::Pack, message)
                .with_code("required-section")
                .with_help("where it is meant, add `acknowledge = true`");
            errors.push(overlay.blame(error, at, "op"));
        }
        if let Some(condition) = &change.when {
            let checked = check_names(condition, self.conditions);
            keep(errors, checked.map_err(|error| overlay.blame(error, at, "when")));
        }
    }

    fn edit(
        &self,
        overlay: &OverlayContent,
        at: usize,
        change: &SectionChange,
        errors: &mut Vec<Error>,
    ) -> Edit {
        let mut said = |words: &Words| {
            if !change.template {
                return Some(Said::Literal(cleaned(Text::authored(&words.text))));
            }
            let read = self.template(&words.file, &words.text);
            let place = ["section", &at.to_string(), words.key];
            keep(
                errors,
                read.map(Said::Template).map_err(|error| match words.key {
                    "file" => error,
                    _ => overlay.toml().blame_inside(error, &place, &words.text),
                }),
            )
        };
        let mut words = |keys: &[&str]| {
            let words = change.words.iter().find(|words| keys.contains(&words.key));
            words.and_then(&mut said)
        };
        let (before, behind) = match change.op {
            Op::Wrap => (words(&["before"]), words(&["after"])),
            Op::Append => (None, words(&["file", "text"])),
            _ => (words(&["file", "text"]), None),
        };
        let origin = change.words.first().map_or(overlay.origin.as_str(), |words| &words.file);
        Edit {
            op: change.op,
            when: change.when.clone().into(),
            before,
            behind,
            origin: Id::from(origin),
            overlay: Id::from(overlay.origin.as_str()),
            drift: None,
        }
    }

    /// The template sees the partials of the highest pack that has all that it prints.
    fn template(&self, file: &str, text: &str) -> Result<Template, Error> {
        let mut packs = self.partials.iter();
        let first = packs.next().cloned().unwrap_or_default();
        Template::parse_named(file, text, &first).or_else(|error| {
            let mut read = packs.map(|partials| Template::parse_named(file, text, partials));
            read.find_map(Result::ok).ok_or(error)
        })
    }
}
