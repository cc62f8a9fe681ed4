//! Names that lead nowhere: components, tools, flags, conditions, variants and placeholders. Each is
//! reported with the nearest name that exists. What only a request can know is never doubted.

use std::collections::BTreeSet;

use super::parts::{Part, parts};
use super::{Mistakes, View, wrong};
use crate::condition::Condition;
use crate::model_id::ModelFamily;
use crate::placeholder::standard_names;
use crate::tool::FORMS;
use crate::variant::SWITCHES;
use promptline_diagnostic::Error;
use promptline_diagnostic::words::nearest;

/// The flags that the library's own documents name, with the old names of two of them.
const FLAGS: [&str; 12] = [
    "auto_approve",
    "browser",
    "cli",
    "compact",
    "focus_chain",
    "multi_root",
    "native_tools",
    "parallel_tools",
    "subagents",
    "task_progress",
    "web_tools",
    "yolo",
];

pub(super) fn check(view: &View<'_>, list: &mut Mistakes) {
    let known = Known::new(view);
    lists(view, &known, list);
    parts(view.pack).iter().for_each(|part| of_part(part, &known, list));
}

/// What an overlay asks for.
pub(super) fn check_part(view: &View<'_>, part: &Part<'_>, list: &mut Mistakes) {
    of_part(part, &Known::new(view), list);
}

fn of_part(part: &Part<'_>, known: &Known<'_>, list: &mut Mistakes) {
    part.each_condition(|condition| conditions(condition, known, part.file, list));
    templates(part, known, list);
}

/// Everything that can be named.
struct Known<'a> {
    components: BTreeSet<&'a str>,
    tools: BTreeSet<&'a str>,
    /// Tools by id or role.
    roles: BTreeSet<&'a str>,
    flags: BTreeSet<&'a str>,
    variants: BTreeSet<&'a str>,
    conditions: BTreeSet<&'a str>,
    placeholders: BTreeSet<&'a str>,
    vendors: BTreeSet<&'a str>,
    families: BTreeSet<&'a str>,
    lines: BTreeSet<&'a str>,
    suffixes: BTreeSet<&'a str>,
}

impl<'a> Known<'a> {
    fn new(view: &View<'a>) -> Self {
        let survey = view.survey;
        let packs = || view.builder.packs().map(|pack| pack.content());
        let variants = || packs().flat_map(|pack| pack.variants.values());
        let mut components: BTreeSet<&str> = survey.components.keys().map(String::as_str).collect();
        components.extend(variants().flat_map(|v| v.components.keys()).map(String::as_str));
        for variant in &survey.variants {
            components.extend(variant.own_components.keys().map(String::as_str));
        }
        let specs = || {
            let own = survey.variants.iter().flat_map(|variant| variant.own_tools.values());
            let read = variants().flat_map(|variant| variant.tools.values());
            survey.tools.values().chain(own).chain(read)
        };
        let tools: BTreeSet<&str> = specs().map(|spec| spec.id.as_str()).collect();
        let mut roles = tools.clone();
        roles.extend(specs().filter_map(|spec| spec.tool_role.as_deref()));
        let mut ids: BTreeSet<&str> = survey.variants.iter().map(|variant| variant.id()).collect();
        ids.extend(packs().flat_map(|pack| pack.variants.keys()).map(String::as_str));
        let mut placeholders: BTreeSet<&str> = standard_names().collect();
        placeholders.extend(FORMS.into_iter().chain(SWITCHES));
        placeholders.extend(components.iter());
        placeholders.extend(survey.sections_without.iter().map(String::as_str));
        placeholders.extend(packs().flat_map(|pack| pack.placeholders.keys()).map(String::as_str));
        placeholders
            .extend(variants().flat_map(|v| v.file.placeholders.keys()).map(String::as_str));
        for variant in &survey.variants {
            placeholders.extend(variant.placeholders.keys().map(String::as_str));
        }
        let mut flags = BTreeSet::from(FLAGS);
        flags.extend(packs().flat_map(|pack| &pack.flags).map(String::as_str));
        let models = || view.builder.tables().families();
        Self {
            vendors: models().map(ModelFamily::vendor_name).collect(),
            families: models().map(ModelFamily::name).collect(),
            lines: models().flat_map(ModelFamily::lines).collect(),
            suffixes: view.builder.tables().suffixes().collect(),
            components,
            tools,
            roles,
            flags,
            variants: ids,
            conditions: survey.conditions.keys().map(String::as_str).collect(),
            placeholders,
        }
    }
}

/// What variants list.
fn lists(view: &View<'_>, known: &Known<'_>, list: &mut Mistakes) {
    for (id, variant) in &view.pack.variants {
        let file = &variant.origin;
        for name in variant.file.components.iter().flatten() {
            if !known.components.contains(name.as_str()) {
                let message =
                    format!("the variant `{id}` lists the component `{name}`, which is not there");
                let error = wrong("unknown-component", message, file, name);
                let help = "add it under `templates/components/`, or take it out of the list";
                list.error(near(error, name, &known.components, help));
            }
        }
        for name in variant.file.tools.iter().flatten() {
            if !known.tools.contains(name.as_str()) {
                let message =
                    format!("the variant `{id}` lists the tool `{name}`, which is not there");
                let error = wrong("unknown-tool", message, file, name);
                let help = "add it under `templates/tools/`, or take it out of the list";
                list.error(near(error, name, &known.tools, help));
            }
        }
    }
    for name in &view.pack.offers {
        if !known.components.contains(name.as_str()) && !known.tools.contains(name.as_str()) {
            let message =
                format!("`offers` names `{name}`, which is neither a component nor a tool");
            let error = wrong("unknown-component", message, &view.pack.origin, name);
            let all = known.components.union(&known.tools).copied().collect();
            list.error(near(error, name, &all, "take it out of `offers`"));
        }
    }
}

fn conditions(condition: &Condition, known: &Known<'_>, file: &str, list: &mut Mistakes) {
    for name in condition.flag.iter() {
        flag(name, name, known, file, list);
    }
    for name in condition.tool.iter() {
        tool(name, name, known, file, list);
    }
    let words = [
        ("vendor", &condition.vendor, &known.vendors),
        ("family", &condition.family, &known.families),
        ("line", &condition.line, &known.lines),
        ("suffix", &condition.suffix, &known.suffixes),
    ];
    for (key, asked, words) in words {
        for name in asked.iter() {
            model_word(key, name, words, file, list);
        }
    }
    for name in condition.variant.iter() {
        if !known.variants.contains(name.as_str()) {
            let message = format!("there is no variant `{name}`");
            let error = wrong("unknown-variant", message, file, name);
            list.warning(near(error, name, &known.variants, "ask for a variant that exists"));
        }
    }
}

fn templates(part: &Part<'_>, known: &Known<'_>, list: &mut Mistakes) {
    let file = part.file;
    for name in part.in_space("flag") {
        flag(name, &format!("flag.{name}"), known, file, list);
    }
    for name in part.in_space("tool") {
        let id = name.strip_suffix(".name").unwrap_or(name);
        tool(id, &format!("tool.{name}"), known, file, list);
    }
    for name in part.in_space("is") {
        if !known.conditions.contains(name) {
            let message = format!("no condition is named `{name}`");
            let error = wrong("unknown-condition", message, file, &format!("is.{name}"));
            let help = "name it in pack.toml under [conditions]";
            list.error(near(error, name, &known.conditions, help));
        }
    }
    for name in part.templates.iter().flat_map(|template| template.outer_placeholders()) {
        let root = name.split('.').next().unwrap_or(name);
        let reserved = ["flag", "tool", "is", "mode", "params", "context"].contains(&root);
        if !reserved && !known.placeholders.contains(root) && !known.placeholders.contains(name) {
            let message = format!("nothing provides the placeholder `{name}`");
            let error = wrong("unknown-placeholder", message, file, name);
            let help = "give it a value under [placeholders]; an empty one is enough where the \
                        request brings it";
            list.warning(near(error, name, &known.placeholders, help));
        }
    }
}

fn flag(name: &str, written: &str, known: &Known<'_>, file: &str, list: &mut Mistakes) {
    if !known.flags.contains(name) {
        let message = format!("no pack declares the flag `{name}`");
        let error = wrong("unknown-flag", message, file, written);
        let help = format!("declare a flag of your own in pack.toml: `flags = [\"{name}\"]`");
        list.warning(near(error, name, &known.flags, &help));
    }
}

/// A word that ids of models are matched against. A line may be several of them.
fn model_word(key: &str, name: &str, known: &BTreeSet<&str>, file: &str, list: &mut Mistakes) {
    let lower = name.to_ascii_lowercase();
    let is_known = known.contains(lower.as_str())
        || (key == "line" && lower.split('-').all(|word| known.contains(word)));
    if !is_known {
        let message = format!("no model id is known to say the {key} `{name}`");
        let error = wrong("unknown-family", message, file, name);
        let help = "give the registry tables that know it (`ModelTables`), or fix the name";
        list.warning(near(error, &lower, known, help));
    }
}

fn tool(name: &str, written: &str, known: &Known<'_>, file: &str, list: &mut Mistakes) {
    if !known.roles.contains(name) {
        let message = format!("no tool has the id or role `{name}`");
        let error = wrong("unknown-tool", message, file, written);
        list.warning(near(error, name, &known.roles, "ask for a tool that exists, by id or role"));
    }
}

/// Says which name was meant, or else what to do.
fn near(error: Error, name: &str, known: &BTreeSet<&str>, help: &str) -> Error {
    match nearest(name, known.iter().copied()) {
        Some(near) => error.with_help(format!("did you mean `{near}`?")),
        None => error.with_help(help),
    }
}
