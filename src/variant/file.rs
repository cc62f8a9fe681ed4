//! `variant.toml`. Everything is optional, so that a variant that extends another says only what
//! differs.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{ComponentOverride, ToolOverride, Traits};
use crate::budget::TruncationNotice;
use crate::condition::{Condition, Site};
use crate::context::Schema1;
use crate::table;
use crate::template::{Partials, Template};
use crate::tool::{McpForm, TextForm, ToolForm};
use promptline_diagnostic::TomlText;
use promptline_diagnostic::{Error, ErrorKind, keep};

/// A variant: when it applies, and what its prompt is made of.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(extend("required" = ["schema"])))]
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct VariantFile {
    /// The version of the format.
    pub(crate) schema: Option<Schema1>,
    /// The version of the variant; 1 unless given.
    pub(crate) version: Option<u32>,
    /// What it is for.
    pub(crate) description: Option<String>,
    /// Takes what is not given here from that variant; its own id means the one of an earlier pack.
    pub(crate) extends: Option<String>,
    /// When it applies; always unless given.
    #[serde(deserialize_with = "table::some")]
    pub(crate) when: Option<Condition>,
    /// The components in the order in which they run.
    pub(crate) components: Option<Vec<String>>,
    /// The tools in the order in which they are shown.
    pub(crate) tools: Option<Vec<String>>,
    /// How tools are offered; `xml` unless given.
    pub(crate) tool_form: Option<ToolForm>,
    /// The form of tools in the prompt where `tool_form` is `either`; `xml` unless given.
    pub(crate) dialect: Option<TextForm>,
    /// How the tools of MCP servers are offered; `first-class` beside native tools, else `listed`.
    pub(crate) mcp_form: Option<McpForm>,
    /// The variant that is built instead where this one does not fit a budget.
    pub(crate) compact: Option<String>,
    /// The lines that stand where a budget took something, over those of the pack.
    #[serde(deserialize_with = "table::one")]
    pub(crate) truncation_notice: TruncationNotice,
    /// What the family is like: switches for templates, and metadata.
    #[serde(deserialize_with = "table::one")]
    pub(crate) traits: Traits,
    /// Metadata, as `production = 3`.
    pub(crate) labels: BTreeMap<String, u32>,
    /// Metadata.
    pub(crate) tags: Vec<String>,
    /// Placeholders of the lowest layer, over those of the pack; strings are authored text.
    pub(crate) placeholders: Map<String, Value>,
    /// Changes of listed components, by id.
    #[serde(deserialize_with = "table::named")]
    pub(crate) component: BTreeMap<String, ComponentOverride>,
    /// Changes of listed tools, by id.
    #[serde(deserialize_with = "table::named")]
    pub(crate) tool: BTreeMap<String, ToolOverride>,
}

/// Reads a `variant.toml`. `source` is normalised. Reading goes on after a mistake where it can.
pub(crate) fn read_variant_file(
    file: &str,
    source: &str,
    errors: &mut Vec<Error>,
) -> Option<VariantFile> {
    let toml = TomlText::file(file, source);
    let read: VariantFile = toml.read(ErrorKind::Pack, errors)?;
    if read.schema.is_none() {
        let error = Error::new(ErrorKind::Pack, "the key `schema` is missing");
        let error = error.with_code("missing-key").with_help("write `schema = 1` first");
        errors.push(error.at(file, source, 0));
    }
    if let Some(condition) = &read.when {
        let checked = condition.check(Site::Matcher);
        keep(errors, checked.map_err(|error| toml.blame(error, &["when"])));
    }
    for (key, list) in [("components", &read.components), ("tools", &read.tools)] {
        let mut seen = std::collections::BTreeSet::new();
        for (position, id) in list.iter().flatten().enumerate() {
            if !seen.insert(id) {
                let error = Error::new(ErrorKind::Pack, format!("`{id}` is in `{key}` twice"))
                    .with_code("listed-twice")
                    .with_help("take one of the two out");
                errors.push(toml.blame(error, &[key, &position.to_string()]));
            }
        }
    }
    for (id, change) in &read.tool {
        let Some(words) = &change.description else {
            continue;
        };
        let path = ["tool", id, "description"];
        let placed = |error| toml.blame_inside(error, &path, words);
        Template::collect(file, words, &Partials::open(), errors, placed);
    }
    read.truncation_notice.check(toml, errors);
    Some(read)
}
