//! The run order of a variant's components, and the checks that need it.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::{near_or_listed, warn};
use crate::component::{HOST, Registered};
use crate::registry::{Place, Step};
use crate::template::Template;
use crate::variant::PromptVariant;
use promptline_diagnostic::Diagnostic;
use promptline_diagnostic::{Error, ErrorKind};

/// The ids in run order, and those that the variant has switched off.
pub(super) fn order(
    variant: &PromptVariant,
    host: &[(String, Place)],
    diagnostics: &mut Vec<Diagnostic>,
    errors: &mut Vec<Error>,
) -> (Vec<String>, Vec<String>) {
    let switched_off = |id: &str| {
        variant.component_overrides.get(id).is_some_and(|change| change.enabled == Some(false))
    };
    let listed = |id: &str| variant.components.iter().any(|listed| listed == id);
    let added = host
        .iter()
        .map(|(id, place)| Placed { id, place })
        .filter(|added| !listed(added.id) && *added.place != Place::Listed);
    let (off, mut added): (Vec<_>, Vec<_>) = added.partition(|added| switched_off(added.id));
    // By place and id, so that the order of registration does not matter.
    added.sort_by_key(|added| added.id);

    let own = variant.components.iter().filter(|id| switched_off(id)).map(String::as_str);
    let disabled: Vec<String> =
        own.chain(off.iter().map(|added| added.id)).map(str::to_owned).collect();
    let mut order = RunOrder {
        ids: variant.run_order().into_iter().map(str::to_owned).collect(),
        first: 0,
        host,
    };
    order.insert_all(added, diagnostics);
    let order = order.ids;
    check_overrides(variant, &order, &disabled, errors);
    report_unprinted(variant, host, &order, diagnostics);
    (order, disabled)
}

/// A component of the host with its place.
struct Placed<'h> {
    id: &'h str,
    place: &'h Place,
}

/// The order while components of the host are put into it.
struct RunOrder<'h> {
    ids: Vec<String>,
    /// How many are at [`Place::First`].
    first: usize,
    host: &'h [(String, Place)],
}

impl<'h> RunOrder<'h> {
    /// An anchor may be a component of the host too: it goes on until nothing moves any more.
    fn insert_all(&mut self, mut waiting: Vec<Placed<'h>>, diagnostics: &mut Vec<Diagnostic>) {
        while !waiting.is_empty() {
            let before = waiting.len();
            waiting.retain(|added| !self.insert(added));
            // Nothing could be placed: the anchors are missing, or refer to each other.
            if waiting.len() == before {
                break;
            }
        }
        for Placed { id, place } in waiting {
            let (Place::Before(anchor) | Place::After(anchor)) = place else { continue };
            let message = format!("`{id}` is last: the variant has no `{anchor}` to place it by");
            diagnostics.push(Diagnostic::info("place-unknown", message).about(id));
            self.ids.push(id.to_owned());
        }
    }

    /// `false`: its anchor is not there yet.
    fn insert(&mut self, added: &Placed<'h>) -> bool {
        let Some(at) = self.position(added.place) else { return false };
        // What goes among the first ones, or before them, moves them.
        if *added.place == Place::First || at < self.first {
            self.first += 1;
        }
        self.ids.insert(at.min(self.ids.len()), added.id.to_owned());
        true
    }

    fn position(&self, place: &Place) -> Option<usize> {
        let find = |anchor: &str| self.ids.iter().position(|id| id == anchor);
        match place {
            Place::First => Some(self.first),
            Place::Last | Place::Listed => Some(self.ids.len()),
            Place::Before(anchor) => find(anchor),
            Place::After(anchor) => find(anchor).map(|at| {
                // After those that were put after the same anchor; otherwise each would push the others
                // back, and their order would be reversed.
                let same =
                    |id: &String| self.host.iter().any(|(other, p)| other == id && p == place);
                at + 1 + self.ids.iter().skip(at + 1).take_while(|id| same(id)).count()
            }),
        }
    }
}

/// An override of a component that is not listed changes nothing.
fn check_overrides(
    variant: &PromptVariant,
    order: &[String],
    disabled: &[String],
    errors: &mut Vec<Error>,
) {
    for id in variant.component_overrides.keys() {
        if !order.contains(id) && !disabled.contains(id) {
            let error = Error::new(
                ErrorKind::Pack,
                format!("`[component.{id}]` changes a component that the variant does not list"),
            );
            let error = error.with_code("unlisted-override").about(id);
            errors.push(near_or_listed(error, id, order.iter().chain(disabled)));
        }
    }
}

/// A component of the host that a variant's own template has no place for.
fn report_unprinted(
    variant: &PromptVariant,
    host: &[(String, Place)],
    order: &[String],
    diagnostics: &mut Vec<Diagnostic>,
) {
    let Some(template) = &variant.template else { return };
    let prints = template.placeholders();
    let placed = host.iter().filter(|(_, place)| *place != Place::Listed);
    for id in placed.map(|(id, _)| id.as_str()) {
        let runs = order.iter().any(|listed| listed == id);
        if runs && !prints.iter().any(|name| name == id) {
            let message = format!("the template of this variant does not print `{id}`");
            warn(diagnostics, "component-unprinted", message, id);
        }
    }
}

/// A component sees what was built before it, and nothing else.
pub(super) fn check_forward_references(variant: &str, line: &[Step], errors: &mut Vec<Error>) {
    let places = places(line);
    for Step { id, component, .. } in line {
        let Some(component) = component else { continue };
        for name in component.placeholders() {
            let error = forward_reference(variant, &places, id, name);
            errors.extend(error.map(|error| error.in_file(component.origin())));
        }
    }
}

/// The position of each section in the pipeline.
pub(super) fn places(line: &[Step]) -> BTreeMap<&str, usize> {
    line.iter().enumerate().map(|(at, step)| (step.id.as_str(), at)).collect()
}

/// The section `id` prints `name`, which is not built before it.
pub(super) fn forward_reference(
    variant: &str,
    places: &BTreeMap<&str, usize>,
    id: &str,
    name: &str,
) -> Option<Error> {
    let error = match places.get(name)?.cmp(places.get(id)?) {
        Ordering::Less => return None,
        Ordering::Equal => Error::new(ErrorKind::Pack, format!("`{id}` prints itself"))
            .with_help(format!("take `{{{{{id}}}}}` out of its text")),
        Ordering::Greater => Error::new(
            ErrorKind::Pack,
            format!("`{id}` prints `{name}`, which the variant `{variant}` builds after it"),
        )
        .with_help(format!("list `{name}` before `{id}`: a section sees what was built before it")),
    };
    Some(error.with_code("forward-reference").about(name))
}

/// What the list builds, the template prints, and the reverse.
pub(super) fn check_template(
    template: &Template,
    line: &[Step],
    disabled: &[String],
    known: &BTreeMap<String, Arc<Registered>>,
    errors: &mut Vec<Error>,
) {
    let printed_inside = |id: &str| {
        let components = line.iter().filter_map(|step| step.component.as_ref());
        components.flat_map(|component| component.placeholders()).any(|name| name == id)
    };
    for Step { id, component, .. } in line {
        let printed = template.placeholders().iter().any(|name| *id == *name);
        let from_host = component.as_ref().is_some_and(|c| c.origin() == HOST);
        if !printed && !printed_inside(id) && !from_host {
            // It is the template that lacks something, which has no place in it.
            let error = Error::new(
                ErrorKind::Pack,
                format!("the component `{id}` is listed, but `template.md` does not print it"),
            )
            .with_code("section-mismatch")
            .with_help(format!("write `{{{{{id}}}}}` in the template, or take it out of the list"));
            errors.push(error.in_file(template.file()));
        }
    }
    for name in template.placeholders() {
        let listed = line.iter().any(|step| step.id == *name) || disabled.contains(name);
        if known.contains_key(name) && !listed {
            let error = Error::new(
                ErrorKind::Pack,
                format!("`template.md` prints `{name}`, but the variant does not list it"),
            )
            .with_code("section-mismatch")
            .about(name)
            .with_help(format!("add \"{name}\" to `components`"));
            errors.push(error.in_file(template.file()));
        }
    }
}
