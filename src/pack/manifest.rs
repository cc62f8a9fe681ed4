//! `pack.toml`: what it holds, and that its list of variants is that of the folder.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::{Map, Value};

use super::PackContent;
use crate::budget::TruncationNotice;
use crate::condition::{Condition, Site};
use crate::context::Schema1;
use crate::lint::LintLevels;
use crate::table;
use promptline_diagnostic::{Error, ErrorKind, keep};
use promptline_diagnostic::{TomlText, words::nearest};

/// A pack of prompt files.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PackFile {
    /// The version of the format.
    #[expect(dead_code, reason = "reading it is the check")]
    schema: Schema1,
    /// The name of the pack.
    pub(super) name: String,
    /// What it is for.
    #[serde(default)]
    pub(super) description: String,
    /// All its variants, in the order in which they are matched; `generic` is always last.
    #[serde(default)]
    pub(super) variants: Vec<String>,
    /// Sections that its templates may print without listing them: without a component they are empty.
    #[serde(default)]
    pub(super) sections: Vec<String>,
    /// Flags of the host that its files ask for, beside the standard ones.
    #[serde(default)]
    pub(super) flags: Vec<String>,
    /// Components and tools that no variant lists: they are for packs that build on this one.
    #[serde(default)]
    pub(super) offers: Vec<String>,
    /// The lowest layer of placeholders, for every variant; strings are authored text.
    #[serde(default)]
    pub(super) placeholders: Map<String, Value>,
    /// Conditions by name, for `is`.
    #[serde(default, deserialize_with = "table::named")]
    pub(super) conditions: BTreeMap<String, Condition>,
    /// Lints that are not reported, by name: `heading-twice = "allow"`.
    #[serde(default)]
    pub(super) lints: LintLevels,
    /// The lines that stand where a budget took something; English unless given.
    #[serde(default, deserialize_with = "table::one")]
    pub(super) truncation_notice: TruncationNotice,
}

/// Reads a `pack.toml`. Reading goes on after a mistake where it can.
pub(super) fn read_pack_file(toml: TomlText<'_>, errors: &mut Vec<Error>) -> Option<PackFile> {
    let read: PackFile = toml.read(ErrorKind::Pack, errors)?;
    for (name, condition) in &read.conditions {
        let checked = condition.check(Site::Matcher);
        keep(errors, checked.map_err(|error| toml.blame(error, &["conditions", name])));
    }
    read.truncation_notice.check(toml, errors);
    Some(read)
}

/// Every variant is listed, once, and is there.
pub(super) fn check_variant_list(
    content: &PackContent,
    toml: TomlText<'_>,
    errors: &mut Vec<Error>,
) {
    let mut seen = BTreeSet::new();
    for (position, id) in content.variant_order.iter().enumerate() {
        let error = if !seen.insert(id) {
            Error::new(ErrorKind::Pack, format!("`{id}` is in `variants` twice"))
                .with_code("listed-twice")
                .with_help("take one of the two out")
        } else if !content.variants.contains_key(id) {
            let error = Error::new(ErrorKind::Pack, format!("there is no variant `{id}`"))
                .with_code("unknown-variant");
            match nearest(id, content.variants.keys().map(String::as_str)) {
                Some(near) => error.with_help(format!("did you mean `{near}`?")),
                None => error.with_help(format!("add `variants/{id}/variant.toml`")),
            }
        } else {
            continue;
        };
        errors.push(toml.blame(error, &["variants", &position.to_string()]));
    }
    for id in content.variants.keys().filter(|id| !seen.contains(id)) {
        let error = Error::new(
            ErrorKind::Pack,
            format!("the variant `{id}` is not in `variants`, so it could never be chosen"),
        )
        .with_code("unlisted-variant")
        .with_help("list it in the order in which variants are to be matched");
        errors.push(toml.blame(error, &["variants"]));
    }
}
