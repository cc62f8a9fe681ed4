//! From files to a pack. Every file is read, every template parsed; what refers to another pack is
//! checked when the registry is built.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::files::Files;
use super::{Pack, PackContent, PackVariant};
use crate::component::{Component as _, TemplateComponent, read_component_file};
use crate::condition::{Condition, Site};
use crate::context::Schema1;
use crate::error::{Error, ErrorKind};
use crate::format::{TomlText, nearest};
use crate::template::{Partials, Template};
use crate::text::normalise;
use crate::tool::{ToolSpec, read_tool_file};
use crate::variant::read_variant_file;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PackFile {
    #[expect(dead_code, reason = "reading it is the check")]
    schema: Schema1,
    name: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    variants: Vec<String>,
    #[serde(default)]
    placeholders: Map<String, Value>,
    #[serde(default)]
    conditions: BTreeMap<String, Condition>,
}

const PACK_FILE: &str = "variants/pack.toml";

/// Reads a pack. `eager`: templates with logic are compiled now and not at first use.
pub(super) fn load(files: &dyn Files, eager: bool) -> Result<Pack, Error> {
    let reader = Reader { files, eager };
    let (shown, source) = reader.read(PACK_FILE).ok_or_else(|| {
        Error::new(ErrorKind::Pack, "the pack has no `variants/pack.toml`")
            .with_help("a pack's root holds `templates/` and `variants/`; write `schema = 1`, `name`, `variants`")
            .in_file(files.shown(PACK_FILE))
    })?;
    let toml = TomlText::file(&shown, &source);
    let pack: PackFile = toml.read(ErrorKind::Pack)?;
    for (name, condition) in &pack.conditions {
        condition.check(Site::Matcher).map_err(|error| toml.blame(error, &["conditions", name]))?;
    }

    let mut content = PackContent {
        name: pack.name,
        description: pack.description,
        placeholders: pack.placeholders,
        conditions: pack.conditions,
        variant_order: pack.variants,
        origin: shown.clone(),
        hash: hash_of(files),
        ..PackContent::default()
    };
    let paths = files.paths();
    let partials = reader.partials(&paths)?;
    // Files in a variant's folder that have a place only if the variant names them.
    let mut others = Vec::new();
    for path in paths.iter().filter(|path| !is_document(path)) {
        let parts: Vec<&str> = path.split('/').collect();
        match parts.as_slice() {
            ["templates", "components", name] if name.ends_with(".md") => {
                reader.component(path, &partials, &mut content.components)?;
            }
            ["templates", "partials", name] if name.ends_with(".md") => {}
            ["templates", "tools", name] if name.ends_with(".toml") => {
                reader.tool(path, &partials, &mut content.tools)?;
            }
            ["variants", "pack.toml"] => {}
            ["variants", id, rest @ ..] if !rest.is_empty() => {
                let variant = content.variants.entry((*id).to_owned()).or_default();
                if !reader.variant(path, rest, &partials, variant)? {
                    others.push((id.to_string(), rest.join("/"), path.clone()));
                }
            }
            _ => return Err(stray(&files.shown(path))),
        }
    }
    for (id, variant) in &content.variants {
        if variant.origin.is_empty() {
            return Err(Error::new(
                ErrorKind::Pack,
                format!("the variant `{id}` has no variant.toml"),
            )
            .with_help("write one: `schema = 1`, and `components` or `extends`")
            .in_file(files.shown(&format!("variants/{id}"))));
        }
    }
    for (id, file, path) in others {
        let named = content.variants.get(&id).is_some_and(|variant| {
            variant.file.component.values().any(|c| c.template.as_deref() == Some(&file))
        });
        if !named {
            return Err(stray(&files.shown(&path)));
        }
    }
    check_variant_list(&content, toml)?;
    Ok(Pack(Arc::new(content)))
}

fn check_variant_list(content: &PackContent, toml: TomlText<'_>) -> Result<(), Error> {
    let mut seen = std::collections::BTreeSet::new();
    for (position, id) in content.variant_order.iter().enumerate() {
        let error = if !seen.insert(id) {
            Error::new(ErrorKind::Pack, format!("`{id}` is in `variants` twice"))
                .with_help("take one of the two out")
        } else if !content.variants.contains_key(id) {
            let error = Error::new(ErrorKind::Pack, format!("there is no variant `{id}`"));
            match nearest(id, content.variants.keys().map(String::as_str)) {
                Some(near) => error.with_help(format!("did you mean `{near}`?")),
                None => error.with_help(format!("add `variants/{id}/variant.toml`")),
            }
        } else {
            continue;
        };
        return Err(toml.blame(error, &["variants", &position.to_string()]));
    }
    match content.variants.keys().find(|id| !seen.contains(id)) {
        None => Ok(()),
        Some(id) => {
            let error = Error::new(
                ErrorKind::Pack,
                format!("the variant `{id}` is not in `variants`, so it could never be chosen"),
            )
            .with_help("list it in the order in which variants are to be asked");
            Err(toml.blame(error, &["variants"]))
        }
    }
}

/// Texts for people may lie beside the files of a pack: `README.md`, `LICENSE-MIT`. They are not read,
/// whatever folder they are in.
fn is_document(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split(['.', '-']).next().unwrap_or(name);
    ["README", "LICENSE", "NOTICE", "CHANGELOG"].contains(&stem) && !name.ends_with(".toml")
}

fn stray(shown: &str) -> Error {
    Error::new(ErrorKind::Pack, "this file has no place in a pack")
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

    fn partials(&self, paths: &[String]) -> Result<Partials, Error> {
        let mut sources = Vec::new();
        for path in paths.iter().filter(|path| !is_document(path)) {
            let name = path
                .strip_prefix("templates/partials/")
                .and_then(|name| name.strip_suffix(".md"))
                .filter(|name| !name.contains('/'));
            if let Some(name) = name {
                let (shown, source) = self.must_read(path)?;
                sources.push((name.to_owned(), shown, source));
            }
        }
        Partials::from_files(sources)
    }

    fn compiled(&self, template: &Template) -> Result<(), Error> {
        if self.eager { template.compile() } else { Ok(()) }
    }

    fn component(
        &self,
        path: &str,
        partials: &Partials,
        into: &mut BTreeMap<String, Arc<TemplateComponent>>,
    ) -> Result<(), Error> {
        let (shown, source) = self.must_read(path)?;
        let component = read_component_file(&shown, &source, partials)?;
        self.compiled(component.template())?;
        let id = component.id().to_owned();
        match into.insert(id.clone(), Arc::new(component)) {
            None => Ok(()),
            Some(other) => Err(twice("component", &id, other.origin()).in_file(shown)),
        }
    }

    fn tool(
        &self,
        path: &str,
        partials: &Partials,
        into: &mut BTreeMap<String, Arc<ToolSpec>>,
    ) -> Result<(), Error> {
        let (shown, source) = self.must_read(path)?;
        let spec = read_tool_file(&shown, &source, partials)?;
        let id = spec.id.clone();
        match into.insert(id.clone(), Arc::new(spec)) {
            None => Ok(()),
            Some(_) => {
                Err(twice("tool", &id, &self.other_tool(path, &id, partials)).in_file(shown))
            }
        }
    }

    /// Which file of the same folder has this tool too; for the message.
    fn other_tool(&self, path: &str, id: &str, partials: &Partials) -> String {
        let folder = |path: &str| path.rsplit_once('/').map(|(folder, _)| folder.to_owned());
        let paths = self.files.paths();
        let mut others =
            paths.iter().filter(|other| *other != path && folder(other) == folder(path));
        let has_it = |other: &&String| {
            self.read(other)
                .and_then(|(shown, source)| read_tool_file(&shown, &source, partials).ok())
                .is_some_and(|spec| spec.id == id)
        };
        others.find(has_it).map_or_else(|| path.to_owned(), |other| self.files.shown(other))
    }

    /// Takes a file of a variant's folder; `false` when it has no place of its own there.
    fn variant(
        &self,
        path: &str,
        rest: &[&str],
        partials: &Partials,
        variant: &mut PackVariant,
    ) -> Result<bool, Error> {
        match rest {
            ["variant.toml"] => {
                let (shown, source) = self.must_read(path)?;
                variant.file = read_variant_file(&shown, &source)?;
                let toml = TomlText::file(&shown, &source);
                self.override_files(path, toml, partials, variant)?;
                variant.origin = shown;
            }
            ["template.md"] => {
                let (shown, source) = self.must_read(path)?;
                let template = Template::parse_named(&shown, &source, partials)?;
                self.compiled(&template)?;
                variant.template = Some(template);
            }
            ["components", name] if name.ends_with(".md") => {
                self.component(path, partials, &mut variant.components)?;
            }
            ["tools", name] if name.ends_with(".toml") => {
                self.tool(path, partials, &mut variant.tools)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// `[component.X] template = "file.md"` names a file that is only a template.
    fn override_files(
        &self,
        path: &str,
        toml: TomlText<'_>,
        partials: &Partials,
        variant: &mut PackVariant,
    ) -> Result<(), Error> {
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
                .with_help(format!("add it, as {}", self.files.shown(&inner)));
                return Err(toml.blame(error, &["component", id, "template"]));
            };
            let component = read_component_file(&shown, &source, partials)?;
            self.compiled(component.template())?;
            if component.id() != id {
                return Err(Error::new(
                    ErrorKind::Pack,
                    format!(
                        "`[component.{id}]` names a file of the component `{}`",
                        component.id()
                    ),
                )
                .with_help(format!("write `id = \"{id}\"` in its front matter"))
                .in_file(shown));
            }
            variant.components.insert(id.clone(), Arc::new(component));
        }
        Ok(())
    }
}

fn twice(what: &str, id: &str, other: &str) -> Error {
    Error::new(ErrorKind::Pack, format!("the {what} `{id}` is there twice"))
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
