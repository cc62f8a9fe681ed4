//! The variants of all packs and of the host, in the order in which they are matched.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{PromptRegistryBuilder, duplicate, unknown};
use crate::component::Registered;
use crate::condition::When;
use crate::pack::PackVariant;
use crate::registry::Place;
use crate::variant::PromptVariant;
use promptline_diagnostic::{Error, ErrorKind, keep};

/// No variant extends one that extends one … more often than this.
const MOST_BASES: usize = 16;

pub(super) fn variants(
    builder: &PromptRegistryBuilder,
    errors: &mut Vec<Error>,
) -> Vec<PromptVariant> {
    let mut ordered: Vec<PromptVariant> = Vec::new();
    let mut circles = BTreeSet::new();
    // The variants of a later pack are matched first.
    for (position, pack) in builder.packs.iter().enumerate().rev() {
        for id in &pack.content().variant_order {
            if !ordered.iter().any(|variant| variant.id == *id) {
                ordered
                    .extend(keep(errors, resolved(builder, position, id, &mut circles)).flatten());
            }
        }
    }
    // Those that come first keep the order of their calls; the others are placed among all.
    let (first, placed): (Vec<_>, Vec<_>) =
        builder.variants.iter().partition(|(_, place)| *place == Place::First);
    for (position, (variant, _)) in first.into_iter().enumerate() {
        insert(&mut ordered, position, variant, errors);
    }
    for (variant, place) in placed {
        let find = |id: &str| ordered.iter().position(|other| other.id == id);
        let at = match place {
            Place::Before(id) => find(id),
            Place::After(id) => find(id).map(|at| at + 1),
            Place::First | Place::Last | Place::Listed => None,
        };
        let at = at.unwrap_or(ordered.len());
        insert(&mut ordered, at, variant, errors);
    }
    for variant in &builder.replaced_variants {
        check_of_host(variant, errors);
        let same_id = |other: &PromptVariant| other.id == variant.id;
        let same = |other: &PromptVariant| same_id(other) && other.version == variant.version;
        let at = ordered.iter().position(same);
        let at = at.or_else(|| ordered.iter().position(same_id));
        match at.and_then(|at| ordered.get_mut(at)) {
            Some(place) => *place = variant.clone(),
            None => {
                let known: Vec<String> = ordered.iter().map(|other| other.id.to_string()).collect();
                errors.push(unknown("variant", &variant.id, known.iter()));
            }
        }
    }
    for variant in &mut ordered {
        for component in std::mem::take(&mut variant.host_components) {
            if let Some(component) = keep(errors, Registered::of_host(&component)) {
                variant.own_components.insert(component.id().to_owned(), Arc::new(component));
            }
        }
    }
    // Whatever the order in which packs and host gave them: a host that adds version 2 means it to win.
    // Higher versions of an id are matched first; `generic` is always last.
    let mut sorted: Vec<PromptVariant> = Vec::with_capacity(ordered.len());
    for variant in ordered {
        let newer =
            |other: &PromptVariant| other.id == variant.id && other.version < variant.version;
        let at = sorted.iter().position(newer).unwrap_or(sorted.len());
        sorted.insert(at, variant);
    }
    let (generic, mut others): (Vec<_>, Vec<_>) =
        sorted.into_iter().partition(|variant| variant.id == "generic");
    others.extend(generic);
    others
}

fn insert(
    ordered: &mut Vec<PromptVariant>,
    at: usize,
    variant: &PromptVariant,
    errors: &mut Vec<Error>,
) {
    check_of_host(variant, errors);
    let twin = |other: &PromptVariant| other.id == variant.id && other.version == variant.version;
    if ordered.iter().any(twin) {
        errors.push(
            duplicate("variant", &variant.id)
                .with_help("call `replace_variant`, or give it another version"),
        );
        return;
    }
    ordered.insert(at.min(ordered.len()), variant.clone());
}

fn check_of_host(variant: &PromptVariant, errors: &mut Vec<Error>) {
    for (what, list) in [("components", &variant.components), ("tools", &variant.tools)] {
        if let Some(id) = super::repeated(list) {
            let message = format!("the variant `{}` lists `{id}` twice in its {what}", variant.id);
            errors.push(Error::new(ErrorKind::Duplicate, message).with_code("listed-twice"));
        }
    }
    errors.extend(variant.truncation_notice.mistakes("host").into_iter().map(|(.., error)| error));
}

/// A variant of a pack with all that it takes from those that it extends; `None` when one of them
/// could not be read, which is reported already.
fn resolved(
    builder: &PromptRegistryBuilder,
    pack: usize,
    id: &str,
    circles: &mut BTreeSet<String>,
) -> Result<Option<PromptVariant>, Error> {
    let mut chain: Vec<(&str, &PackVariant)> = Vec::new();
    let mut next = find(builder, pack, id);
    while let Some((at, id, variant)) = next {
        if let Some(start) = chain.iter().position(|(_, seen)| std::ptr::eq(*seen, variant)) {
            // Each variant of the cycle leads around it; the first one reports it.
            let known = circles.contains(&variant.origin);
            circles.extend(chain.iter().skip(start).map(|(_, seen)| seen.origin.clone()));
            if known {
                return Ok(None);
            }
            let base = variant.file.extends.as_deref().unwrap_or(id);
            let circle = chain.iter().skip(start).map(|(id, _)| *id).chain([id]);
            return Err(Error::new(
                ErrorKind::Pack,
                format!("`extends` forms a cycle: {}", circle.collect::<Vec<_>>().join(" -> ")),
            )
            .with_code("extends-cycle")
            .about(base)
            .with_help("take one of these `extends` out")
            .in_file(&variant.origin));
        }
        if variant.unread {
            return Ok(None);
        }
        chain.push((id, variant));
        if chain.len() > MOST_BASES {
            let names: Vec<_> = chain.iter().take(4).map(|(id, _)| *id).collect();
            return Err(Error::new(
                ErrorKind::Pack,
                format!(
                    "more than {MOST_BASES} variants extend each other: {} -> …",
                    names.join(" -> ")
                ),
            )
            .with_code("extends-cycle")
            .about(chain.last().map_or(id, |(id, _)| *id))
            .with_help("extend a base of theirs directly")
            .in_file(&variant.origin));
        }
        let Some(base) = &variant.file.extends else {
            break;
        };
        // A variant that extends its own id means the one of an earlier pack.
        let found = if base == id {
            at.checked_sub(1).and_then(|below| find(builder, below, base))
        } else {
            find(builder, builder.packs.len().saturating_sub(1), base)
        };
        if found.is_none() && base == id {
            return Err(Error::new(
                ErrorKind::Pack,
                format!("`{id}` extends itself, and no earlier pack has a variant of this name"),
            )
            .with_code("extends-cycle")
            .about(id)
            .with_help("take `extends` out, or add the pack that it changes before this one")
            .in_file(&variant.origin));
        }
        if found.is_none() {
            let known: Vec<String> = builder
                .packs
                .iter()
                .flat_map(|pack| pack.content().variants.keys().cloned())
                .collect();
            return Err(unknown("variant", base, known.iter()).in_file(&variant.origin));
        }
        next = found;
    }
    let mut made = PromptVariant::new(id);
    for (_, variant) in chain.iter().rev() {
        lay_over(&mut made, variant);
    }
    if let Some((_, own)) = chain.first() {
        // What a version is called is its own business.
        made.version = own.file.version.unwrap_or(1);
        made.labels = own.file.labels.clone();
        made.tags = own.file.tags.clone();
        made.origin = own.origin.as_str().into();
    }
    Ok(Some(made))
}

fn find<'b>(
    builder: &'b PromptRegistryBuilder,
    upto: usize,
    id: &str,
) -> Option<(usize, &'b str, &'b PackVariant)> {
    let packs = builder.packs.iter().enumerate().take(upto + 1);
    packs.rev().find_map(|(at, pack)| {
        pack.content().variants.get_key_value(id).map(|(id, variant)| (at, id.as_str(), variant))
    })
}

fn lay_over(made: &mut PromptVariant, variant: &PackVariant) {
    let file = &variant.file;
    if let Some(description) = &file.description {
        made.description.clone_from(description);
    }
    if let Some(when) = &file.when {
        made.when = When::from(when.clone());
    }
    if let Some(components) = &file.components {
        made.components.clone_from(components);
    }
    if let Some(tools) = &file.tools {
        made.tools.clone_from(tools);
    }
    if let Some(form) = file.tool_form {
        made.tool_form = form;
    }
    if let Some(dialect) = file.dialect {
        made.dialect = dialect;
    }
    made.mcp_form = file.mcp_form.or(made.mcp_form);
    made.compact = file.compact.clone().or(made.compact.take());
    made.truncation_notice = file.truncation_notice.over(&made.truncation_notice);
    made.traits = file.traits.over(&made.traits);
    if let Some(template) = &variant.template {
        made.template = Some(template.clone());
    }
    made.placeholders.extend(file.placeholders.clone());
    for (id, change) in &file.component {
        let over = made.component_overrides.entry(id.clone()).or_default();
        over.enabled = change.enabled.or(over.enabled);
        over.order = change.order.or(over.order);
        over.template = change.template.clone().or(over.template.take());
    }
    for (id, change) in &file.tool {
        let over = made.tool_overrides.entry(id.clone()).or_default();
        over.enabled = change.enabled.or(over.enabled);
        over.order = change.order.or(over.order);
        over.name = change.name.clone().or(over.name.take());
        over.description = change.description.clone().or(over.description.take());
    }
    for (id, component) in &variant.components {
        made.own_components.insert(id.clone(), Arc::new(Registered::new(super::shared(component))));
    }
    made.own_tools.extend(variant.tools.iter().map(|(id, spec)| (id.clone(), Arc::clone(spec))));
}
