//! Pass `unions`: several schemas for one value, in the forms that a dialect has for them: `oneOf` becomes
//! `anyOf`, a branch that is null becomes `nullable`, a list of types becomes branches.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value, json};

use super::node::{ANNOTATIONS, Node, Property, Slot};
use super::walk::{Draft, Place, Walk};
use crate::native::tables::TypeLists;

/// Which types a keyword is about; others it does not concern.
#[rustfmt::skip]
const CONCERNS: [(&str, &[&str]); 24] = [
    ("minLength", &["string"]), ("maxLength", &["string"]), ("pattern", &["string"]),
    ("format", &["string", "number", "integer"]), ("minimum", &["number", "integer"]),
    ("maximum", &["number", "integer"]), ("exclusiveMinimum", &["number", "integer"]),
    ("exclusiveMaximum", &["number", "integer"]), ("multipleOf", &["number", "integer"]),
    ("items", &["array"]), ("prefixItems", &["array"]), ("contains", &["array"]),
    ("minItems", &["array"]), ("maxItems", &["array"]), ("uniqueItems", &["array"]),
    ("properties", &["object"]), ("required", &["object"]), ("additionalProperties", &["object"]),
    ("patternProperties", &["object"]), ("propertyNames", &["object"]),
    ("minProperties", &["object"]), ("maxProperties", &["object"]),
    ("propertyOrdering", &["object"]), ("dependentRequired", &["object"]),
];

impl<'a> Walk<'a> {
    /// Puts `anyOf` and `oneOf` into the form that the dialect has for them here.
    pub(super) fn sift_branches(&mut self, node: &mut Node<'a>, place: Place) {
        if place == Place::Root && self.profile.root_rules.hoists() {
            self.hoist(node, "anyOf");
            self.hoist(node, "oneOf");
        }
        if self.profile.is_whole() {
            return;
        }
        for keyword in ["anyOf", "oneOf"] {
            // A branch that stands alone may bring branches of its own.
            while self.profile.openapi && self.dissolve(node, keyword) {}
            let Some(branches) = node.branches(keyword) else { continue };
            let among = ["anyOf", "oneOf", "type", "nullable"];
            if self.profile.openapi && node.says_more_than(&among) {
                self.hoist(node, keyword);
            } else if keyword == "oneOf" {
                node.take(keyword);
                if node.has("anyOf") {
                    self.lose("oneOf", "taken out: there is an `anyOf` beside it");
                } else {
                    self.lose("oneOf", "`anyOf`: several of its branches may fit");
                    node.push("anyOf", Slot::Branches(branches));
                }
            }
        }
    }

    /// Makes branches that are null a flag, and a branch that is left alone a part of the schema around
    /// it. True when there may be more to do.
    fn dissolve(&mut self, node: &mut Node<'a>, keyword: &'a str) -> bool {
        let Some(branches) = node.branches(keyword) else { return false };
        let (null, rest): (Vec<_>, Vec<_>) = branches.into_iter().partition(|it| is_null(it));
        node.nullable |= !null.is_empty();
        let only = match (rest.as_slice(), null.first()) {
            ([only], _) => only,
            ([], Some(null)) => null,
            _ => {
                if !null.is_empty()
                    && let Some(slot) = node.get_mut(keyword)
                {
                    *slot = Slot::Branches(rest);
                }
                return false;
            }
        };
        node.take(keyword);
        if let Value::Object(map) = only {
            *node = self.absorbed(std::mem::take(node), map, true);
        }
        true
    }

    /// Takes a rule out and keeps the properties that its branches speak of, and the names that all of
    /// them require.
    fn hoist(&mut self, node: &mut Node<'a>, keyword: &str) {
        let Some(branches) = node.branches(keyword) else { return };
        node.take(keyword);
        let mut common: Option<Vec<&'a str>> = None;
        let mut joined: Vec<(&'a str, Property<'a>)> = Vec::new();
        let mut places: HashMap<&'a str, usize> = HashMap::new();
        for branch in branches {
            let own = self.expanding.len();
            let opened = match branch {
                Value::Object(map) => self.absorbed(Node::default(), map, true),
                _ => Node::default(),
            };
            self.expanding.truncate(own);
            let required: HashSet<&str> = opened.required().iter().copied().collect();
            common = Some(match common {
                None => opened.required().to_vec(),
                Some(names) => names.into_iter().filter(|name| required.contains(name)).collect(),
            });
            for (name, property) in opened.properties() {
                match places.get(name).and_then(|at| joined.get_mut(*at)) {
                    Some((_, known)) => known.join(property.clone()),
                    None => {
                        places.insert(name, joined.len());
                        joined.push((name, property.clone()));
                    }
                }
            }
        }
        // What is said beside the union holds for all of its branches.
        node.add_properties(joined, |name| {
            let name = name.escape_debug();
            self.lose(keyword, format!("of several schemas for `{name}` the first stays"));
        });
        let common = common.unwrap_or_default();
        if !common.is_empty() {
            match node.get_mut("required") {
                Some(Slot::Required(names)) => {
                    let known: HashSet<&str> = names.iter().copied().collect();
                    names.extend(common.into_iter().filter(|name| !known.contains(name)));
                }
                _ => node.push("required", Slot::Required(common)),
            }
        }
        if node.properties().is_empty()
            && let Some(Slot::Properties(_)) = node.get("properties")
            && !node.says_more_than(&["properties"])
        {
            node.take("properties");
        }
        self.lose(keyword, "taken out: the rule cannot be said here; the properties in it stay");
    }

    /// Writes a list of types as the dialect does.
    pub(super) fn split_types(&mut self, draft: &mut Draft) {
        let Some(Value::Array(names)) = draft.map.get("type") else { return };
        let mut names: Vec<String> =
            names.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        match self.profile.type_lists {
            TypeLists::Keep => return,
            TypeLists::AnyOf => {}
            TypeLists::Nullable => {
                let all = names.len();
                names.retain(|name| name != "null" || all == 1);
                draft.nullable |= names.len() < all;
            }
        }
        draft.map.shift_remove("type");
        if draft.map.contains_key("anyOf") {
            self.lose("type", "taken out: the branches beside it have types of their own");
            return;
        }
        if names.len() == 1 {
            draft.map.insert("type".to_owned(), names.remove(0).into());
            return;
        }
        let mut branches: Vec<Map<String, Value>> = names
            .iter()
            .map(|name| Map::from_iter([("type".to_owned(), name.as_str().into())]))
            .collect();
        let keywords: Vec<String> = draft.map.keys().cloned().collect();
        for keyword in keywords {
            let concerned = CONCERNS.iter().find(|(known, _)| *known == keyword);
            let Some((_, concerned)) = concerned else { continue };
            let Some(value) = draft.map.shift_remove(&keyword) else { continue };
            for (branch, _) in branches
                .iter_mut()
                .zip(&names)
                .filter(|(_, name)| concerned.contains(&name.as_str()))
            {
                branch.insert(keyword.clone(), value.clone());
            }
        }
        if let Some(Value::Array(values)) = draft.map.shift_remove("enum") {
            for (branch, name) in branches.iter_mut().zip(&names) {
                let own: Vec<Value> =
                    values.iter().filter(|value| is_of_type(value, name)).cloned().collect();
                branch.insert("enum".to_owned(), Value::Array(own));
            }
            branches.retain(|branch| {
                branch.get("enum").and_then(Value::as_array).is_none_or(|own| !own.is_empty())
            });
        }
        match branches.len() {
            1 => draft.map.extend(branches.into_iter().flatten()),
            _ => {
                let branches = branches.into_iter().map(Value::Object).collect();
                draft.map.insert("anyOf".to_owned(), Value::Array(branches));
            }
        }
    }

    /// Branches that have turned out to be null are a flag, too.
    pub(super) fn null_branches(&mut self, draft: &mut Draft) {
        if !self.profile.openapi {
            return;
        }
        if let Some(Value::Array(branches)) = draft.map.get_mut("anyOf")
            && !branches.iter().all(is_null)
        {
            let all = branches.len();
            branches.retain(|branch| !is_null(branch));
            draft.nullable |= branches.len() < all;
        }
    }

    /// Where `anyOf` must stand alone, what stands beside it goes into its branches.
    pub(super) fn stand_alone(&mut self, draft: &mut Draft) {
        if !self.profile.openapi {
            return;
        }
        let Some(Value::Array(branches)) = draft.map.shift_remove("anyOf") else { return };
        // A branch of branches is those branches.
        let mut branches: Vec<Value> = branches
            .into_iter()
            .flat_map(|mut branch| match branch.get_mut("anyOf").map(Value::take) {
                Some(Value::Array(inner)) => inner,
                _ => vec![branch],
            })
            .collect();
        let beside = std::mem::take(&mut draft.map);
        for (keyword, value) in beside {
            if keyword == "type" {
                for branch in branches.iter_mut().filter_map(Value::as_object_mut) {
                    if !branch.contains_key("type") && !branch.contains_key("anyOf") {
                        branch.insert(keyword.clone(), value.clone());
                    }
                }
            } else if ANNOTATIONS.contains(&keyword.as_str()) || keyword == "nullable" {
                // One of them is enough to say it.
                if let Some(Value::Object(first)) = branches.first_mut() {
                    match (first.get_mut(&keyword), &value) {
                        (None, _) => {
                            first.insert(keyword, value);
                        }
                        (Some(Value::String(there)), Value::String(more)) if there != more => {
                            *there = format!("{more}\n{there}");
                        }
                        (Some(_), _) => {}
                    }
                }
            } else {
                self.lose(&keyword, "taken out: nothing may stand beside `anyOf`");
            }
        }
        if let [Value::Object(only)] = branches.as_mut_slice() {
            draft.map.append(only);
        } else {
            draft.map.insert("anyOf".to_owned(), Value::Array(branches));
        }
    }
}

/// A schema that accepts null and nothing else.
fn is_null(schema: &Value) -> bool {
    let is_type =
        |name: &Value| name.as_str().is_some_and(|name| name.eq_ignore_ascii_case("null"));
    schema.get("type").is_some_and(is_type)
        || schema.get("const").is_some_and(Value::is_null)
        || schema.get("enum").is_some_and(|values| *values == json!([null]))
}

/// A value is of this JSON type.
pub(super) fn is_of_type(value: &Value, name: &str) -> bool {
    match value {
        Value::Null => name == "null",
        Value::Bool(_) => name == "boolean",
        Value::Number(number) => {
            name == "number" || (name == "integer" && (number.is_i64() || number.is_u64()))
        }
        Value::String(_) => name == "string",
        Value::Array(_) => name == "array",
        Value::Object(_) => name == "object",
    }
}

/// A union of constants and enums is one enum: models and providers read that better.
pub(super) fn joined(mut schema: Value) -> Value {
    const SAID: [&str; 5] = ["type", "enum", "const", "title", "description"];
    let Some(Value::Array(branches)) = schema.get("anyOf") else { return schema };
    let mut values: Vec<Value> = Vec::new();
    let mut seen = HashSet::new();
    let mut types: Vec<&Value> = Vec::new();
    for branch in branches {
        let Value::Object(map) = branch else { return schema };
        let own: &[Value] = match (map.get("const"), map.get("enum")) {
            (Some(value), None) => std::slice::from_ref(value),
            (None, Some(Value::Array(values))) => values,
            _ => return schema,
        };
        if map.keys().any(|keyword| !SAID.contains(&keyword.as_str())) {
            return schema;
        }
        values.extend(own.iter().filter(|value| seen.insert(value.to_string())).cloned());
        types.extend(map.get("type"));
    }
    let one_type = match types.as_slice() {
        [] => None,
        [first, more @ ..]
            if types.len() == branches.len() && more.iter().all(|it| it == first) =>
        {
            Some((*first).clone())
        }
        _ => return schema,
    };
    if let Value::Object(map) = &mut schema {
        map.shift_remove("anyOf");
        map.extend(one_type.map(|name| ("type".to_owned(), name)));
        map.insert("enum".to_owned(), Value::Array(values));
    }
    schema
}
