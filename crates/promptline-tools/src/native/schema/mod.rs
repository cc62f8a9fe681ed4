//! A JSON Schema in a dialect: one walk over the whole schema, which stays as it is but for what the
//! dialect's profile does not allow. Whatever is changed is noted; depth and size of the result are
//! bounded, whatever comes in.

mod merge;
mod node;
mod objects;
mod plain;
mod refs;
mod scalars;
#[cfg(test)]
mod tests;
mod unions;
mod walk;
mod wellformed;
mod words;

use std::sync::Arc;

use serde_json::{Value, json};

use super::tables::Profile;
use crate::names::NameRule;
use walk::Walk;

/// How deep the JSON of a result may be: it is read back by parsers that stop at 128, and stands a few
/// levels deep in a request.
const DEEPEST: usize = 115;
/// How many keywords and values may come from following references and merging, in one tool. More is a
/// schema that grows as it is written out.
const MOST_INLINED: usize = 20_000;
/// How many keywords a merged schema may have.
const MOST_KEYWORDS: usize = 1_000;
/// Bytes of a name that are shown in a path.
const LONGEST_STEP: usize = 200;

/// A schema in a dialect, and what was done to it.
#[derive(Debug)]
pub(super) struct Converted {
    pub(super) schema: Arc<Value>,
    pub(super) found: Vec<Found>,
    /// Why the provider cannot be held to it, where that was asked for.
    pub(super) not_strict: Option<String>,
    /// Names of properties that the provider refuses.
    pub(super) refused_names: Vec<String>,
}

/// Something that was changed.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) path: String,
    pub(super) keyword: String,
    pub(super) what: String,
}

/// Why a tool cannot be offered.
#[derive(Debug)]
pub(super) struct Unusable(pub(super) String);

/// Converts a schema of arguments, which is an object at its root.
pub(super) fn convert(
    schema: &Arc<Value>,
    profile: &Profile,
    property_name: Option<&NameRule>,
) -> Result<Converted, Unusable> {
    let whole = Converted {
        schema: Arc::clone(schema),
        found: Vec::new(),
        not_strict: None,
        refused_names: Vec::new(),
    };
    if plain::is_plain(schema, profile, property_name) {
        return Ok(whole);
    }
    // A tool that says nothing about its arguments takes none.
    let nothing = json!({"type": "object"});
    let root = match schema.as_ref() {
        Value::Null | Value::Bool(true) => &nothing,
        Value::Object(_) => schema.as_ref(),
        _ => return Err(Unusable("its input schema is not an object".to_owned())),
    };
    let mut walk = Walk::new(profile, root, property_name);
    let made = walk.root()?;
    let Walk { found, not_strict, refused_names, .. } = walk;
    Ok(Converted { schema: Arc::new(made), found, not_strict, refused_names })
}
