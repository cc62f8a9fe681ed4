//! What a pack has and nothing uses. Only the pack that is checked is blamed, but whatever any pack of
//! the stack asks for counts as used.

use std::collections::BTreeSet;

use super::parts::{Part, parts};
use super::{Mistakes, View, wrong};
use crate::component::SectionWriter as _;

pub(super) fn check(view: &View<'_>, list: &mut Mistakes) {
    let packs: Vec<_> = view.builder.packs().map(|pack| pack.content()).collect();
    let used = Used::new(packs.iter().flat_map(|pack| parts(pack)));
    let mut listed: BTreeSet<&str> = view.pack.offers.iter().map(String::as_str).collect();
    for variant in packs.iter().flat_map(|pack| pack.variants.values()) {
        let lists = [&variant.file.components, &variant.file.tools];
        listed.extend(lists.into_iter().flatten().flatten().map(String::as_str));
    }
    for variant in &view.survey.variants {
        listed.extend(variant.component_ids().iter().chain(variant.tool_ids()).map(String::as_str));
    }
    let pack = view.pack;
    let add = "list it in a variant, or in `offers` of pack.toml when it is for other packs";
    let mut report = |code, what: &str, id: &str, file: &str, help: &str| {
        let message = format!("nothing uses the {what} `{id}`");
        list.warning(wrong(code, message, file, id).with_help(help));
    };
    let own = pack.variants.values().flat_map(|variant| &variant.components);
    for (id, component) in pack.components.iter().chain(own) {
        if !listed.contains(id.as_str()) {
            report("unused-component", "component", id, component.origin(), add);
        }
    }
    let own = pack.variants.values().flat_map(|variant| &variant.tools);
    for (id, spec) in pack.tools.iter().chain(own) {
        if !listed.contains(id.as_str()) {
            report("unused-tool", "tool", id, spec.origin.as_deref().unwrap_or(&pack.origin), add);
        }
    }
    for id in pack.conditions.keys().filter(|id| !used.conditions.contains(*id)) {
        let help = "ask for it with `{ is = … }` or `{{#if is.…}}`, or take it out";
        report("unused-condition", "condition", id, &pack.origin, help);
    }
    for id in pack.flags.iter().filter(|id| !used.flags.contains(*id)) {
        let help = "ask for it with `{ flag = … }` or `{{#if flag.…}}`, or take it out";
        report("unused-flag", "flag", id, &pack.origin, help);
    }
    let help = "print it in a template, or take it out";
    for id in pack.placeholders.keys().filter(|id| !used.prints(id)) {
        report("unused-placeholder", "placeholder", id, &pack.origin, help);
    }
    for variant in pack.variants.values() {
        for id in variant.file.placeholders.keys().filter(|id| !used.prints(id)) {
            report("unused-placeholder", "placeholder", id, &variant.origin, help);
        }
    }
    for id in pack.partials.names() {
        if let Some((file, _)) = pack.partials.calls(id).filter(|_| !printed(view, &used, id)) {
            report(
                "unused-partial",
                "partial",
                id,
                file,
                "print it with `{{> …}}`, or take it out",
            );
        }
    }
}

/// A template prints the partial, itself or through others.
fn printed(view: &View<'_>, used: &Used, id: &str) -> bool {
    let mut todo: Vec<&str> = used.partials.iter().map(String::as_str).collect();
    let mut seen = BTreeSet::new();
    while let Some(name) = todo.pop() {
        if name == id {
            return true;
        }
        if seen.insert(name) {
            todo.extend(view.pack.partials.calls(name).into_iter().flat_map(|(_, calls)| calls));
        }
    }
    false
}

/// Every name that files ask for.
#[derive(Default)]
struct Used {
    conditions: BTreeSet<String>,
    flags: BTreeSet<String>,
    names: BTreeSet<String>,
    partials: BTreeSet<String>,
}

impl Used {
    fn new<'a>(parts: impl Iterator<Item = Part<'a>>) -> Self {
        let mut used = Self::default();
        for part in parts {
            part.each_condition(|condition| {
                used.conditions.extend(condition.is.iter().cloned());
                used.flags.extend(condition.flag.iter().cloned());
            });
            used.conditions.extend(part.in_space("is").map(str::to_owned));
            used.flags.extend(part.in_space("flag").map(str::to_owned));
            for template in &part.templates {
                used.partials.extend(template.partials().map(str::to_owned));
                // A path below a placeholder uses it.
                let names = template.placeholders().iter();
                used.names.extend(names.flat_map(|name| {
                    let root = name.split('.').next().unwrap_or(name);
                    [root.to_owned(), name.clone()]
                }));
            }
        }
        used
    }

    fn prints(&self, name: &str) -> bool {
        self.names.contains(name)
    }
}
