//! From packs and a host's additions to variants that are ready to be built. All that can be wrong
//! without a context is found here.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use once_cell::sync::OnceCell;
use serde_json::{Map, Value};

use super::builder::PromptRegistryBuilder;
use super::{Assembled, Inner, Place, PromptRegistry, Step};
use crate::budget::TruncationNotice;
use crate::cleanup::Level;
use crate::component::Registered;
use crate::component::{Changes, DeclaresLess, HOST, SectionWriter, TemplateComponent, Volatile};
use crate::condition::{Condition, Site, check_named, check_names, families};
use crate::lint::{LintLevels, Lints};
use crate::overlay::Plan;
use crate::pack::usual_sections;
use crate::template::{Template, hint};
use crate::text::BuiltSection;
use crate::tool::ToolSpec;
use crate::variant::PromptVariant;
use promptline_diagnostic::Diagnostic;
use promptline_diagnostic::Id;
use promptline_diagnostic::words::{listed, nearest};
use promptline_diagnostic::{Error, ErrorKind, keep};

mod line;
mod merge;
mod overlays;
mod toolbox;

pub(super) fn assemble(builder: PromptRegistryBuilder) -> Result<PromptRegistry, Error> {
    let mut errors = Vec::new();
    let (shelf, assembled) = assemble_all(&builder, &mut errors);
    if let Some(first) = errors.into_iter().next() {
        let packs = builder.packs.iter().map(|pack| pack.content());
        let placed = packs.fold(first, |error, pack| pack.texts.placed(error));
        let overlays = builder.overlays.iter().map(|overlay| overlay.content());
        return Err(overlays.fold(placed, |error, overlay| overlay.texts().placed(error)));
    }
    let hash = hash(&builder, &assembled);
    let matchers = assembled.iter().filter_map(|assembled| assembled.variant.when.condition());
    let families = families(matchers, &shelf.conditions);
    Ok(PromptRegistry {
        inner: Arc::new(Inner {
            lints: shelf.lints(),
            variants: assembled,
            conditions: shelf.conditions,
            options: builder.options.clone(),
            models: builder.models.clone(),
            counter: builder.counter.clone(),
            helpers: builder.helpers.clone(),
            families,
            hash,
        }),
        recipe: Arc::new(builder),
    })
}

/// What a check looks at: everything that variants can take, and the variants, as far as they are
/// good.
pub(crate) struct Survey {
    pub(crate) variants: Vec<PromptVariant>,
    pub(crate) components: BTreeMap<String, Arc<Registered>>,
    pub(crate) tools: BTreeMap<String, Arc<ToolSpec>>,
    pub(crate) conditions: BTreeMap<String, Condition>,
    /// Sections that are empty without a component.
    pub(crate) sections_without: BTreeSet<String>,
    /// Who writes which section, once for each variant.
    pub(crate) sections: Vec<Arc<Registered>>,
    /// Components that say to change less often than they do, without overlays.
    pub(crate) declare_less: BTreeSet<DeclaresLess>,
}

/// Assembles as `build` does, and reports every mistake.
pub(crate) fn survey(builder: &PromptRegistryBuilder, errors: &mut Vec<Error>) -> Survey {
    let (shelf, assembled) = assemble_all(builder, errors);
    let mut components = shelf.components;
    components.extend(shelf.replacements);
    let steps = assembled.iter().flat_map(|assembled| &assembled.pipeline);
    let declare_less = assembled.iter().flat_map(|assembled| &assembled.declare_less);
    Survey {
        declare_less: declare_less.cloned().collect(),
        sections: steps.filter_map(|step| step.component.clone()).collect(),
        variants: assembled.into_iter().map(|assembled| assembled.variant).collect(),
        components,
        tools: shelf.tools.all(),
        conditions: shelf.conditions,
        sections_without: shelf.sections,
    }
}

/// Goes on after a mistake: all of them are reported, in the order in which they are found.
fn assemble_all<'b>(
    builder: &'b PromptRegistryBuilder,
    errors: &mut Vec<Error>,
) -> (Shelf<'b>, Vec<Assembled>) {
    for pack in &builder.packs {
        if let Some(broken) = &pack.content().broken {
            errors.push(Error::new(ErrorKind::Pack, broken.clone()));
        }
    }
    check_helpers(builder, errors);
    let shelf = Shelf::new(builder, errors);
    let mut assembled = Vec::new();
    let variants = merge::variants(builder, errors);
    let plan = overlays::plan(&shelf, &variants, errors);
    for variant in variants {
        let place = match variant.origin.as_str() {
            "host" => format!("variant `{}`", variant.id),
            file => file.to_owned(),
        };
        let mut own = Vec::new();
        assembled.extend(shelf.assemble(variant, &plan, &mut own));
        errors.extend(own.into_iter().map(|error| error.in_file(&*place)));
    }
    check_compact(&assembled, errors);
    (shelf, assembled)
}

/// Helpers that templates of packs call are registered.
fn check_helpers(builder: &PromptRegistryBuilder, errors: &mut Vec<Error>) {
    errors.extend(builder.bad_helpers.iter().map(|error| error.without_source()));
    for error in builder.packs.iter().flat_map(|pack| &pack.content().unknown_helpers) {
        let name = error.word().unwrap_or_default();
        if !builder.helpers.has(name) {
            let block = error.message().contains("block");
            let help = hint(name, block, &builder.helpers);
            errors.push(error.without_source().with_help(help));
        }
    }
}

/// What is built where a variant does not fit a budget has to exist.
fn check_compact(assembled: &[Assembled], errors: &mut Vec<Error>) {
    let ids: Vec<String> = assembled.iter().map(|made| made.variant.id.to_string()).collect();
    for variant in assembled.iter().map(|made| &made.variant) {
        if let Some(id) = variant.compact.as_ref().filter(|id| !ids.contains(id)) {
            errors.push(unknown("variant", id, ids.iter()).in_file(variant.origin.as_str()));
        }
    }
}

/// Everything that variants take from, by id: packs merged, the later one wins, and the host's.
struct Shelf<'b> {
    builder: &'b PromptRegistryBuilder,
    components: BTreeMap<String, Arc<Registered>>,
    replacements: BTreeMap<String, Arc<Registered>>,
    /// The host's components with their places.
    placed: Vec<(String, Place)>,
    conditions: BTreeMap<String, Condition>,
    placeholders: Map<String, Value>,
    /// Sections that are empty without a component.
    sections: BTreeSet<String>,
    truncation_notice: TruncationNotice,
    tools: toolbox::Toolbox<'b>,
}

impl<'b> Shelf<'b> {
    fn new(builder: &'b PromptRegistryBuilder, errors: &mut Vec<Error>) -> Self {
        let mut components: BTreeMap<String, Arc<Registered>> = BTreeMap::new();
        let mut conditions = BTreeMap::new();
        let mut placeholders = Map::new();
        let mut sections: BTreeSet<String> = BTreeSet::new();
        let mut truncation_notice = TruncationNotice::new();
        for pack in builder.packs.iter().map(|pack| pack.content()) {
            for (id, component) in &pack.components {
                components.insert(id.clone(), Arc::new(Registered::new(shared(component))));
            }
            conditions.extend(pack.conditions.clone());
            placeholders.extend(pack.placeholders.clone());
            sections.extend(pack.sections.iter().cloned());
            truncation_notice = pack.truncation_notice.over(&truncation_notice);
        }
        if sections.is_empty() {
            sections.extend(usual_sections().iter().cloned());
        }
        for (name, error) in check_named(&conditions) {
            let mut packs = builder.packs.iter().rev().map(|pack| pack.content());
            errors.push(match packs.find(|pack| pack.conditions.contains_key(name)) {
                Some(pack) => error.in_file(&pack.origin),
                None => error,
            });
        }
        let mut placed = Vec::new();
        for (component, place) in &builder.components {
            let Some(component) = keep(errors, Registered::of_host(component)) else { continue };
            let id = component.id().to_owned();
            if !crate::component::is_section_id(&id) {
                errors.push(
                    Error::new(
                        ErrorKind::Pack,
                        format!("`{}` cannot be the id of a component", id.escape_debug()),
                    )
                    .with_code("bad-name")
                    .with_help("an id is a placeholder name without dots, as `TICKETS_SECTION`"),
                );
            } else if components.insert(id.clone(), Arc::new(component)).is_some() {
                errors.push(
                    duplicate("component", &id)
                        .with_help("call `replace_component` to put another in its place"),
                );
            } else {
                placed.push((id, place.clone()));
            }
        }
        let mut replacements = BTreeMap::new();
        for component in &builder.replacements {
            let Some(component) = keep(errors, Registered::of_host(component)) else { continue };
            let id = component.id().to_owned();
            if !components.contains_key(&id) {
                errors.push(unknown("component", &id, components.keys()));
            } else if replacements.insert(id.clone(), Arc::new(component)).is_some() {
                errors.push(duplicate("replacement of the component", &id));
            }
        }
        let tools = toolbox::Toolbox::new(builder, errors);
        let shelf = Self {
            builder,
            components,
            replacements,
            placed,
            conditions,
            placeholders,
            sections,
            truncation_notice,
            tools,
        };
        for component in shelf.components.values() {
            shelf.check_component(component.as_ref(), errors);
        }
        shelf
    }

    /// Which lints are reported, and what they know of tools.
    fn lints(&self) -> Lints {
        let mut levels = LintLevels::default();
        self.builder.packs.iter().for_each(|pack| levels.extend(&pack.content().lints));
        let tools = self.tools.all().into_values().map(|spec| spec.name.to_string()).collect();
        Lints { levels, tools }
    }

    fn check_component(&self, component: &Registered, errors: &mut Vec<Error>) {
        let condition = component.when().condition();
        let checked = check_condition(condition, &self.conditions);
        keep(errors, checked.map_err(|error| error.in_file(component.origin())));
    }

    fn assemble(
        &self,
        variant: PromptVariant,
        plan: &Plan,
        errors: &mut Vec<Error>,
    ) -> Option<Assembled> {
        let mut diagnostics = Vec::new();
        keep(errors, check_condition(variant.when.condition(), &self.conditions));
        if let Some(condition) = variant.when.condition() {
            keep(errors, condition.check(Site::Matcher));
        }
        let (order, disabled) = line::order(&variant, &self.placed, &mut diagnostics, errors);
        let tools = self.tools.of(&variant, &self.conditions, &mut diagnostics, errors);
        let volatile = Volatile { named: &self.conditions, tools: &tools };
        let line: Vec<Step> =
            order.iter().map(|id| step(id, self.component(&variant, id), &volatile)).collect();
        for component in line.iter().filter_map(|step| step.component.as_ref()) {
            self.check_component(component.as_ref(), errors);
            if let Some(id) = &component.meta().budget.keep_with
                && self.component(&variant, id).is_none()
            {
                let error = unknown("component", id, self.components.keys());
                errors.push(error.in_file(component.origin()));
            }
        }
        line::check_forward_references(&variant.id, &line, errors);
        let base = match &variant.template {
            Some(template) => {
                if variant.origin != "host" {
                    line::check_template(template, &line, &disabled, &self.components, errors);
                }
                template.clone()
            }
            None => keep(errors, base_template(&order))?,
        };
        let base_origin = match &variant.template {
            Some(template) if variant.origin != "host" => Id::from(template.file()),
            _ => variant.origin.clone(),
        };
        let declare_less = declare_less(&line, &volatile);
        let line = overlays::lay_over(line, plan, &variant.id, &volatile, errors);
        let mut placeholders = self.placeholders.clone();
        placeholders.extend(variant.placeholders.clone());
        Some(Assembled {
            truncation_notice: variant.truncation_notice.over(&self.truncation_notice),
            known_sections: self.known_sections(&order, &disabled),
            disabled: disabled.iter().map(|id| Id::from(id.as_str())).collect(),
            switches: variant.traits.switches(),
            pipeline: line,
            base_names: volatile.base(&base),
            tools_change: volatile.each_tool(),
            declare_less,
            base,
            base_origin,
            placeholders,
            tools,
            asked: OnceCell::new(),
            placeholder_reports: OnceCell::new(),
            diagnostics,
            variant,
        })
    }

    /// What the variant lists, and what the packs declare.
    fn known_sections(&self, order: &[String], disabled: &[String]) -> Vec<Id> {
        let listed = order.iter().chain(disabled);
        let is_listed = |id: &&String| listed.clone().any(|listed| listed == *id);
        let declared = self.sections.iter().filter(|id| !is_listed(id));
        listed.clone().chain(declared).map(|id| Id::from(id.as_str())).collect()
    }

    /// The host's replacement, else the variant's own, else the shared one.
    fn component(&self, variant: &PromptVariant, id: &str) -> Option<Arc<Registered>> {
        self.replacements
            .get(id)
            .or_else(|| variant.own_components.get(id))
            .or_else(|| self.components.get(id))
            .cloned()
    }
}

/// A component of a pack, as a registry holds it.
fn shared(component: &Arc<TemplateComponent>) -> Arc<dyn SectionWriter> {
    Arc::<TemplateComponent>::clone(component)
}

/// Which files declare to change less often than what they ask for. A host knows its own components.
fn declare_less(line: &[Step], volatile: &Volatile<'_>) -> Vec<DeclaresLess> {
    let files = line.iter().filter(|step| step.origin != HOST);
    let components = files.filter_map(|step| step.component.as_deref());
    components.filter_map(|component| volatile.declares_less(component)).collect()
}

/// A place on the line, with the section where it is the same in every prompt.
fn step(id: &str, component: Option<Arc<Registered>>, volatile: &Volatile<'_>) -> Step {
    let origin = Id::from(component.as_ref().map_or("", |component| component.origin()));
    let id = Id::from(id);
    let of = |component: &Arc<Registered>| volatile.component(component.as_ref());
    let changes = component.as_ref().map(of).unwrap_or_default();
    let built = component.as_deref().and_then(|component| built(&id, component, &origin, changes));
    Step { id, component, origin, edits: None, built, changes }
}

/// A section that is the same in every prompt.
fn built(
    id: &Id,
    component: &Registered,
    origin: &Id,
    changes: Changes,
) -> Option<Arc<BuiltSection>> {
    let text = component.fixed_text()?;
    // What came from elsewhere is looked at in each build, by the options of that build.
    if text.has_verbatim() {
        return None;
    }
    let text = text.clone().cleaned(Level::Section);
    let volatility = component.volatility().unwrap_or_default().max(changes.presence);
    Some(Arc::new(BuiltSection::new(id.clone(), text, origin.clone(), volatility)))
}

/// Without `template.md`: the sections, joined by `====`.
fn base_template(order: &[String]) -> Result<Template, Error> {
    let source: Vec<String> = order.iter().map(|id| format!("{{{{{id}}}}}")).collect();
    Template::parse(&source.join("\n\n====\n\n"))
}

fn check_condition(
    condition: Option<&Condition>,
    named: &BTreeMap<String, Condition>,
) -> Result<(), Error> {
    let Some(condition) = condition else {
        return Ok(());
    };
    condition.check(Site::Anywhere)?;
    check_names(condition, named)
}

fn duplicate(what: &str, id: &str) -> Error {
    Error::new(ErrorKind::Duplicate, format!("the {what} `{}` is there twice", id.escape_debug()))
        .about(id)
}

fn unknown<'a>(what: &str, id: &str, known: impl Iterator<Item = &'a String> + Clone) -> Error {
    let error = Error::new(ErrorKind::Pack, format!("there is no {what} `{}`", id.escape_debug()))
        .with_code(match what {
            "component" => "unknown-component",
            "tool" => "unknown-tool",
            _ => "unknown-variant",
        })
        .about(id);
    near_or_listed(error, id, known)
}

/// Says which of the names was meant, or what there is.
fn near_or_listed<'a>(
    error: Error,
    id: &str,
    known: impl Iterator<Item = &'a String> + Clone,
) -> Error {
    let known = known.map(String::as_str);
    match nearest(id, known.clone()) {
        Some(near) => error.with_help(format!("did you mean `{near}`?")),
        None if known.clone().next().is_none() => error.with_help("there are none"),
        None => error.with_help(format!("there are {}", listed(known))),
    }
}

/// What the fingerprint knows of a registry: the files of its packs, and the host's additions, its
/// components by id. Where a pack's folder is does not count.
fn hash(builder: &PromptRegistryBuilder, assembled: &[Assembled]) -> String {
    use sha2::{Digest, Sha256};
    let mut hash = Sha256::new();
    let mut add = |part: &str| {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    };
    for pack in &builder.packs {
        add(pack.hash());
    }
    for overlay in &builder.overlays {
        add(overlay.hash());
    }
    if let Some(models) = builder.models.own() {
        add(&format!("{models:?}"));
    }
    builder.helpers.names().for_each(&mut add);
    for assembled in assembled {
        let variant = &assembled.variant;
        add(&format!("{:?}", (&variant.id, variant.version, &variant.when, variant.tool_form)));
        add(&format!("{:?}", (variant.dialect, variant.mcp_form, &variant.traits)));
        add(variant.compact.as_deref().unwrap_or_default());
        add(&format!("{:?}", assembled.truncation_notice));
        add(assembled.base.source());
        add(&format!("{:?}", assembled.placeholders));
        add(&format!("{:?}", assembled.disabled));
        for step in &assembled.pipeline {
            add(&format!("{} {}", step.id, step.origin == "host"));
        }
        for offered in &assembled.tools {
            offered.spec.each_word(&mut add);
        }
    }
    crate::fingerprint::hex(&hash.finalize())
}

/// A warning about a variant, known when the registry is built.
fn warn(diagnostics: &mut Vec<Diagnostic>, code: &str, message: String, subject: &str) {
    diagnostics.push(Diagnostic::warning(code, message).about(subject));
}

fn repeated(ids: &[String]) -> Option<&String> {
    let mut seen = BTreeSet::new();
    ids.iter().find(|id| !seen.insert(*id))
}
