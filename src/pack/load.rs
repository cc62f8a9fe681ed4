//! From files to a pack. Every file is read, every template parsed; what refers to another pack is
//! checked when the registry is built.

use std::collections::BTreeMap;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::files::Files;
use super::manifest::{check_variant_list, read_pack_file};
use super::{Pack, PackContent, PackVariant};
use crate::component::{
    Component as _, SectionWriter as _, TemplateComponent, read_component_file,
};
use crate::template::{Partials, Template};
use crate::text::normalise;
use crate::tool::{ToolSpec, read_tool_file};
use crate::variant::read_variant_file;
use promptline_diagnostic::TomlText;
use promptline_diagnostic::{Error, ErrorKind, keep};

pub(super) const PACK_FILE: &str = "variants/pack.toml";

/// Reads a pack. `eager`: templates with logic are compiled now and not at first use.
pub(super) fn load(files: &dyn Files, eager: bool) -> Result<Pack, Error> {
    let mut errors = Vec::new();
    let pack = collect(files, eager, &mut errors);
    errors.into_iter().next().map_or(Ok(pack), Err)
}

/// The same, going on after a mistake: all of them are reported, and what comes back is good enough to be
/// checked further.
pub(super) fn collect(files: &dyn Files, eager: bool, errors: &mut Vec<Error>) -> Pack {
    let reader = Reader { files, eager };
    let mut content = PackContent { hash: hash_of(files), ..PackContent::default() };
    let manifest = reader.read(PACK_FILE);
    let listed = reader.manifest(manifest.as_ref(), &mut content, errors);
    let paths = files.paths();
    content.partials = reader.partials(&paths, errors);
    let others = reader.sort_in(&paths, &mut content, errors);
    report_missing(files, &mut content, errors);
    report_strays(files, &content, others, errors);
    match &manifest {
        Some((shown, source)) if listed => {
            check_variant_list(&content, TomlText::file(shown, source), errors);
        }
        // Without a list the variants are looked at all the same.
        _ => content.variant_order = content.variants.keys().cloned().collect(),
    }
    // Only the registry knows which helpers the host has.
    let unknown = errors.extract_if(.., |error| error.code() == "unknown-helper");
    content.unknown_helpers = unknown.collect();
    Pack(Arc::new(content))
}

/// A file in a variant's folder that has a place only if the variant names it.
struct Other {
    variant: String,
    /// Its path in that folder.
    file: String,
    path: String,
}

/// Folders of variants without the file that makes them one.
fn report_missing(files: &dyn Files, content: &mut PackContent, errors: &mut Vec<Error>) {
    for (id, variant) in &mut content.variants {
        if variant.origin.is_empty() {
            variant.unread = true;
            errors.push(
                Error::new(ErrorKind::Pack, format!("the variant `{id}` has no variant.toml"))
                    .with_code("missing-file")
                    .with_help("write one: `schema = 1`, and `components` or `extends`")
                    .in_file(files.shown(&format!("variants/{id}"))),
            );
        }
    }
}

/// Files that no variant names.
fn report_strays(
    files: &dyn Files,
    content: &PackContent,
    others: Vec<Other>,
    errors: &mut Vec<Error>,
) {
    for Other { variant, file, path } in others {
        let named = content.variants.get(&variant).is_some_and(|variant| {
            let mut changes = variant.file.component.values();
            variant.unread || changes.any(|change| change.template.as_deref() == Some(&file))
        });
        if !named {
            errors.push(stray(&files.shown(&path)));
        }
    }
}

/// Texts for people may lie beside the files of a pack: `README.md`, `LICENSE-MIT`. They are not read,
/// whatever folder they are in.
pub(crate) fn is_document(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split(['.', '-']).next().unwrap_or(name);
    ["README", "LICENSE", "NOTICE", "CHANGELOG"].contains(&stem) && !name.ends_with(".toml")
}

fn stray(shown: &str) -> Error {
    Error::new(ErrorKind::Pack, "this file has no place in a pack")
        .with_code("stray-file")
        .with_help(
            "components are templates/components/*.md, partials templates/partials/*.md, tools \
             templates/tools/*.toml; a variant's folder holds variant.toml, template.md, \
             components/*.md, tools/*.toml",
        )
        .in_file(shown)
}

struct Reader<'a> {
    files: &'a dyn Files,
    eager: bool,
}

impl Reader<'_> {
    /// What to call the file, and its normalised text.
    fn read(&self, path: &str) -> Option<(String, String)> {
        let text = self.files.get(path)?;
        Some((self.files.shown(path), normalise(&text).into_owned()))
    }

    fn must_read(&self, path: &str) -> Result<(String, String), Error> {
        self.read(path).ok_or_else(|| {
            Error::new(ErrorKind::Io, "the file cannot be read").in_file(self.files.shown(path))
        })
    }

    /// Takes what `pack.toml` says; `false` when it cannot be read.
    fn manifest(
        &self,
        file: Option<&(String, String)>,
        content: &mut PackContent,
        errors: &mut Vec<Error>,
    ) -> bool {
        content.origin = self.files.shown(PACK_FILE);
        let Some((shown, source)) = file else {
            errors.push(
                Error::new(ErrorKind::Pack, "the pack has no `variants/pack.toml`")
                    .with_code("missing-file")
                    .with_help(
                        "a pack's root holds `templates/` and `variants/`; write `schema = 1`, \
                         `name`, `variants`",
                    )
                    .in_file(content.origin.as_str()),
            );
            return false;
        };
        let Some(read) = read_pack_file(TomlText::file(shown, source), errors) else {
            return false;
        };
        content.name = read.name;
        content.description = read.description;
        content.placeholders = read.placeholders;
        content.conditions = read.conditions;
        content.variant_order = read.variants;
        content.sections = read.sections;
        content.flags = read.flags;
        content.offers = read.offers;
        content.lints = read.lints;
        content.truncation_notice = read.truncation_notice;
        true
    }

    /// Reads each file for what its place says that it is; those of variants that have none come back.
    fn sort_in(
        &self,
        paths: &[String],
        content: &mut PackContent,
        errors: &mut Vec<Error>,
    ) -> Vec<Other> {
        let partials = content.partials.clone();
        let mut others = Vec::new();
        for path in paths.iter().filter(|path| !is_document(path)) {
            let parts: Vec<&str> = path.split('/').collect();
            match parts.as_slice() {
                ["templates", "components", name] if name.ends_with(".md") => {
                    self.component(path, &partials, &mut content.components, errors);
                }
                ["templates", "partials", name] if name.ends_with(".md") => {}
                ["templates", "tools", name] if name.ends_with(".toml") => {
                    self.tool(path, &partials, &mut content.tools, errors);
                }
                ["variants", "pack.toml"] => {}
                ["variants", id, rest @ ..] if !rest.is_empty() => {
                    let variant = content.variants.entry((*id).to_owned()).or_default();
                    if !self.variant(path, rest, &partials, variant, errors) {
                        let (variant, file) = (id.to_string(), rest.join("/"));
                        others.push(Other { variant, file, path: path.clone() });
                    }
                }
                _ => errors.push(stray(&self.files.shown(path))),
            }
        }
        others
    }

    fn partials(&self, paths: &[String], errors: &mut Vec<Error>) -> Partials {
        let mut sources = Vec::new();
        for path in paths.iter().filter(|path| !is_document(path)) {
            let name = path
                .strip_prefix("templates/partials/")
                .and_then(|name| name.strip_suffix(".md"))
                .filter(|name| !name.contains('/'));
            if let Some(name) = name
                && let Some((shown, source)) = keep(errors, self.must_read(path))
            {
                sources.push((name.to_owned(), shown, source));
            }
        }
        Partials::collect(sources, errors)
    }

    fn compiled(&self, template: &Template, errors: &mut Vec<Error>) {
        if self.eager {
            keep(errors, template.compile());
        }
    }

    fn component(
        &self,
        path: &str,
        partials: &Partials,
        into: &mut BTreeMap<String, Arc<TemplateComponent>>,
        errors: &mut Vec<Error>,
    ) {
        let Some((shown, source)) = keep(errors, self.must_read(path)) else { return };
        let read = read_component_file(&shown, &source, partials, errors);
        let Some(component) = read.or_else(|| TemplateComponent::unread(&shown, id_in(&source)?))
        else {
            return;
        };
        self.compiled(component.template(), errors);
        let id = component.id().to_owned();
        if let Some(other) = into.insert(id.clone(), Arc::new(component)) {
            errors.push(twice("component", &id, other.origin()).in_file(shown));
        }
    }

    fn tool(
        &self,
        path: &str,
        partials: &Partials,
        into: &mut BTreeMap<String, Arc<ToolSpec>>,
        errors: &mut Vec<Error>,
    ) {
        let Some((shown, source)) = keep(errors, self.must_read(path)) else { return };
        let read = read_tool_file(&shown, &source, partials, errors);
        // What cannot be read can still be referred to.
        let Some(spec) = read.or_else(|| Some(ToolSpec::new(id_in(&source)?))) else { return };
        let id = spec.id.to_string();
        if let Some(other) = into.insert(id.clone(), Arc::new(spec)) {
            let other = other.origin.as_deref().unwrap_or(path);
            errors.push(twice("tool", &id, other).in_file(shown));
        }
    }

    /// Takes a file of a variant's folder; `false` when it has no place of its own there.
    fn variant(
        &self,
        path: &str,
        rest: &[&str],
        partials: &Partials,
        variant: &mut PackVariant,
        errors: &mut Vec<Error>,
    ) -> bool {
        match rest {
            ["variant.toml"] => {
                let Some((shown, source)) = keep(errors, self.must_read(path)) else {
                    return true;
                };
                match read_variant_file(&shown, &source, errors) {
                    Some(file) => variant.file = file,
                    None => variant.unread = true,
                }
                let toml = TomlText::file(&shown, &source);
                self.override_files(path, toml, partials, variant, errors);
                variant.origin = shown;
            }
            ["template.md"] => {
                let Some((shown, source)) = keep(errors, self.must_read(path)) else {
                    return true;
                };
                match Template::collect(&shown, &source, partials, errors, |error| error) {
                    Some(template) => {
                        self.compiled(&template, errors);
                        variant.template = Some(template);
                    }
                    None => variant.unread = true,
                }
            }
            ["components", name] if name.ends_with(".md") => {
                self.component(path, partials, &mut variant.components, errors);
            }
            ["tools", name] if name.ends_with(".toml") => {
                self.tool(path, partials, &mut variant.tools, errors);
            }
            _ => return false,
        }
        true
    }

    /// `[component.X] template = "file.md"` names a file that is only a template.
    fn override_files(
        &self,
        path: &str,
        toml: TomlText<'_>,
        partials: &Partials,
        variant: &mut PackVariant,
        errors: &mut Vec<Error>,
    ) {
        let folder = path.strip_suffix("variant.toml").unwrap_or(path);
        for (id, change) in &variant.file.component {
            let Some(name) = &change.template else {
                continue;
            };
            let inner = format!("{folder}{name}");
            let Some((shown, source)) = self.read(&inner) else {
                let error = Error::new(
                    ErrorKind::Pack,
                    format!("`[component.{id}]` names the file `{name}`, which is not there"),
                )
                .with_code("missing-file")
                .with_help(format!("add it, as {}", self.files.shown(&inner)));
                errors.push(toml.blame(error, &["component", id, "template"]));
                continue;
            };
            let Some(component) = read_component_file(&shown, &source, partials, errors) else {
                continue;
            };
            self.compiled(component.template(), errors);
            if component.id() != id {
                errors.push(
                    Error::new(
                        ErrorKind::Pack,
                        format!(
                            "`[component.{id}]` names a file of the component `{}`",
                            component.id()
                        ),
                    )
                    .with_code("wrong-id")
                    .about(component.id())
                    .with_help(format!("write `id = \"{id}\"` in its front matter"))
                    .in_file(shown),
                );
                continue;
            }
            variant.components.insert(id.clone(), Arc::new(component));
        }
    }
}

/// The id that a file gives which cannot be read otherwise.
fn id_in(source: &str) -> Option<String> {
    let line = source.lines().find_map(|line| line.trim_start().strip_prefix("id"))?;
    let value = line.trim_start().strip_prefix('=')?;
    value.split('"').nth(1).map(str::to_owned)
}

fn twice(what: &str, id: &str, other: &str) -> Error {
    Error::new(ErrorKind::Pack, format!("the {what} `{id}` is there twice"))
        .with_code("duplicate-id")
        .about(id)
        .with_help(format!("the other one is in {other}"))
}

/// Of all files: path, length, bytes.
fn hash_of(files: &dyn Files) -> String {
    let mut hash = Sha256::new();
    for path in files.paths() {
        let text = files.get(&path).unwrap_or_default();
        hash.update(path.as_bytes());
        hash.update([0]);
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text.as_bytes());
    }
    crate::fingerprint::hex(&hash.finalize())
}
