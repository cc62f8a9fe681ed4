//! Schemas that need no walk: most of those that servers send. The walk would leave such a schema as it
//! is, which a property test holds it to.

use serde_json::{Map, Value};

use super::DEEPEST;
use super::scalars::TYPES;
use crate::names::NameRule;
use crate::native::tables::{Profile, Treatment};

/// The dialect takes the schema as it is, and that is plain to see.
pub(super) fn is_plain(
    schema: &Value,
    profile: &Profile,
    property_name: Option<&NameRule>,
) -> bool {
    let Value::Object(map) = schema else { return false };
    profile.is_whole()
        && map.get("type").is_some_and(|name| name == "object")
        && (!profile.root_properties || map.contains_key("properties"))
        && !map.contains_key("enum")
        && Plain { profile, property_name }.schema(map, 1)
}

struct Plain<'a> {
    profile: &'a Profile,
    property_name: Option<&'a NameRule>,
}

impl Plain<'_> {
    fn schema(&self, map: &Map<String, Value>, depth: usize) -> bool {
        depth < DEEPEST
            && map.iter().all(|(keyword, value)| match (keyword.as_str(), value) {
                ("type", Value::String(name)) => {
                    TYPES.contains(&name.as_str()) && (name != "array" || self.says_items(map))
                }
                ("description" | "title" | "$schema", Value::String(_)) => true,
                ("properties", Value::Object(properties)) => {
                    properties.iter().all(|(name, schema)| {
                        self.property_name.is_none_or(|rule| rule.is_legal_property(name))
                            && self.inside(schema, depth + 2)
                    })
                }
                ("required", Value::Array(names)) => {
                    let properties = map.get("properties").and_then(Value::as_object);
                    are_names(names, properties)
                }
                ("items", Value::Object(_)) => self.inside(value, depth + 1),
                ("additionalProperties", Value::Object(_)) => self.inside(value, depth + 1),
                ("additionalProperties", Value::Bool(_)) => true,
                ("enum", Value::Array(values)) => values.iter().all(is_scalar),
                ("default", value) => is_scalar(value),
                ("minimum" | "maximum", value) => value.is_number(),
                ("minItems" | "maxItems", value) => value.is_u64(),
                ("format", Value::String(_)) => true,
                ("minLength" | "maxLength", value) => value.is_u64() && self.keeps(keyword),
                ("pattern", Value::String(_)) => self.keeps(keyword),
                _ => false,
            })
    }

    fn inside(&self, schema: &Value, depth: usize) -> bool {
        schema.as_object().is_some_and(|map| self.schema(map, depth))
    }

    fn keeps(&self, keyword: &str) -> bool {
        self.profile.treatment(keyword) == Treatment::Keep
    }

    fn says_items(&self, map: &Map<String, Value>) -> bool {
        !self.profile.items_needed || map.contains_key("items")
    }
}

/// Names that there are, each once. Long lists are left to the walk, which does not compare each with
/// each.
fn are_names(names: &[Value], properties: Option<&Map<String, Value>>) -> bool {
    names.len() <= 16
        && names.iter().enumerate().all(|(at, name)| {
            let before = names.get(..at).unwrap_or_default();
            let known = |name: &str| properties.is_some_and(|known| known.contains_key(name));
            name.as_str().is_some_and(known) && !before.contains(name)
        })
}

fn is_scalar(value: &Value) -> bool {
    !value.is_array() && !value.is_object()
}
