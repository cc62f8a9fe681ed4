//! `variant.toml`. Everything is optional, so that a variant that extends another says only what
//! differs.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{ComponentOverride, ToolForm, ToolOverride};
use crate::condition::{Condition, Site};
use crate::context::Schema1;
use crate::error::{Error, ErrorKind};
use crate::format::TomlText;
use crate::template::{Partials, Template};

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct VariantFile {
    pub(crate) schema: Option<Schema1>,
    pub(crate) version: Option<u32>,
    pub(crate) description: Option<String>,
    pub(crate) extends: Option<String>,
    pub(crate) when: Option<Condition>,
    pub(crate) components: Option<Vec<String>>,
    pub(crate) tools: Option<Vec<String>>,
    pub(crate) tool_form: Option<ToolForm>,
    pub(crate) labels: BTreeMap<String, u32>,
    pub(crate) tags: Vec<String>,
    pub(crate) placeholders: Map<String, Value>,
    pub(crate) component: BTreeMap<String, ComponentOverride>,
    pub(crate) tool: BTreeMap<String, ToolOverride>,
}

/// Reads a `variant.toml`. `source` is normalised.
pub(crate) fn read_variant_file(file: &str, source: &str) -> Result<VariantFile, Error> {
    let toml = TomlText::file(file, source);
    let read: VariantFile = toml.read(ErrorKind::Pack)?;
    if read.schema.is_none() {
        return Err(Error::new(ErrorKind::Pack, "the key `schema` is missing")
            .with_help("write `schema = 1` first")
            .at(file, source, 0));
    }
    if let Some(condition) = &read.when {
        condition.check(Site::Matcher).map_err(|error| toml.blame(error, &["when"]))?;
    }
    for (key, list) in [("components", &read.components), ("tools", &read.tools)] {
        let mut seen = std::collections::BTreeSet::new();
        let mut ids = list.iter().flatten().enumerate();
        if let Some((position, id)) = ids.find(|(_, id)| !seen.insert(*id)) {
            let error = Error::new(ErrorKind::Pack, format!("`{id}` is in `{key}` twice"))
                .with_help("take one of the two out");
            return Err(toml.blame(error, &[key, &position.to_string()]));
        }
    }
    for (id, change) in &read.tool {
        let Some(words) = &change.description else {
            continue;
        };
        Template::parse_named(file, words, &Partials::default())
            .map_err(|error| toml.blame_inside(error, &["tool", id, "description"], words))?;
    }
    Ok(read)
}
