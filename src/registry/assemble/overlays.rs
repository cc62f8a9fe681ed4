//! Overlays on the line: after everything that packs say has been checked without them, so that a
//! mistake of an overlay is never reported as one of a pack.

use std::collections::BTreeSet;

use super::{Shelf, built, line};
use crate::component::Volatile;
use crate::overlay::{Ground, Plan};
use crate::registry::Step;
use crate::variant::PromptVariant;
use promptline_diagnostic::Error;

/// Every overlay, checked against what there is to be changed.
pub(super) fn plan(shelf: &Shelf<'_>, variants: &[PromptVariant], errors: &mut Vec<Error>) -> Plan {
    let builder = shelf.builder;
    if builder.overlays.is_empty() {
        return Plan::default();
    }
    let mut sections: BTreeSet<&str> = shelf.components.keys().map(String::as_str).collect();
    for variant in variants {
        sections.extend(variant.components.iter().map(String::as_str));
        sections.extend(variant.own_components.keys().map(String::as_str));
    }
    let own = variants.iter().flat_map(|variant| &variant.own_components);
    let all = shelf.components.iter().chain(&shelf.replacements).chain(own);
    let required = all.filter(|(_, component)| component.required());
    let partials = builder.packs.iter().rev().map(|pack| {
        let mut partials = pack.content().partials.clone();
        partials.set_helpers(builder.helpers.clone());
        partials
    });
    let ground = Ground {
        required: required.map(|(id, _)| id.as_str()).collect(),
        sections,
        conditions: &shelf.conditions,
        partials: partials.collect(),
    };
    Plan::new(&builder.overlays, &ground, errors)
}

/// The line with its overlays.
pub(super) fn lay_over(
    mut line: Vec<Step>,
    plan: &Plan,
    variant: &str,
    volatile: &Volatile<'_>,
    errors: &mut Vec<Error>,
) -> Vec<Step> {
    for step in &mut line {
        let Some(component) = &step.component else { continue };
        let Some(edits) = plan.edits(component.as_ref()) else { continue };
        let component = edits.over(component.clone(), volatile);
        let origin = match edits.always().and_then(|applied| applied.origin) {
            Some(origin) => origin,
            None => &step.origin,
        };
        step.changes = volatile.component(component.as_ref());
        step.built = built(&step.id, component.as_ref(), origin, step.changes);
        step.component = Some(component);
        step.edits = Some(edits);
    }
    let places = line::places(&line);
    for step in &line {
        for (name, file) in step.edits.iter().flat_map(|edits| edits.asked()) {
            let error = line::forward_reference(variant, &places, &step.id, name);
            errors.extend(error.map(|error| error.in_file(file)));
        }
    }
    line
}
