//! A schema while it is converted: keywords in order, borrowed from the schema that came in. Schemas are
//! merged here without copying what is in them.

use std::collections::HashMap;
use std::ptr;

use serde_json::{Map, Value};

/// A schema object.
#[derive(Debug, Default, Clone)]
pub(super) struct Node<'a> {
    keywords: Vec<(&'a str, Slot<'a>)>,
    /// Null goes too, whatever the types say.
    pub(super) nullable: bool,
    /// A schema that holds itself was cut out of it, and whether that one was an object.
    pub(super) cut: Option<bool>,
    /// The properties by name, once schemas were merged.
    by_name: Option<HashMap<&'a str, Property<'a>>>,
}

/// What a keyword holds.
#[derive(Debug, Clone)]
pub(super) enum Slot<'a> {
    Value(&'a Value),
    /// `properties`, perhaps of several schemas.
    Properties(Vec<(&'a str, Property<'a>)>),
    /// `required`, perhaps of several schemas.
    Required(Vec<&'a str>),
    /// `anyOf` whose branches were sifted.
    Branches(Vec<&'a Value>),
}

/// The schema of a property.
#[derive(Debug, Clone)]
pub(super) enum Property<'a> {
    One(&'a Value),
    /// Any of these: branches of a union that was taken apart speak of the property, each in its own way.
    AnyOf(Vec<&'a Value>),
}

impl<'a> Property<'a> {
    /// The schema, where there is one.
    fn is(&self, schema: &Self) -> bool {
        matches!((self, schema), (Self::One(a), Self::One(b)) if ptr::eq(*a, *b))
    }

    /// Takes what another branch says of the property. What is said already adds nothing.
    pub(super) fn join(&mut self, more: Self) {
        let all = match self {
            Self::AnyOf(all) => all,
            Self::One(first) => {
                let first = *first;
                *self = Self::AnyOf(vec![first]);
                return self.join(more);
            }
        };
        let mut add = |schema: &'a Value| {
            // Many branches are not compared each with each.
            let compared = all.iter().take(32);
            if !compared.into_iter().any(|known| *known == schema) {
                all.push(schema);
            }
        };
        match more {
            Self::One(schema) => add(schema),
            Self::AnyOf(more) => more.into_iter().for_each(add),
        }
        if let [only] = all.as_slice() {
            *self = Self::One(only);
        }
    }
}

/// What a schema says of itself that changes nothing it accepts. Of two such words the first counts.
pub(super) const ANNOTATIONS: [&str; 12] = [
    "title",
    "description",
    "default",
    "example",
    "examples",
    "$comment",
    "$schema",
    "$id",
    "deprecated",
    "readOnly",
    "writeOnly",
    "propertyOrdering",
];

impl<'a> Node<'a> {
    /// A schema as it is.
    pub(super) fn of(map: &'a Map<String, Value>) -> Self {
        let mut node = Self::default();
        node.keywords.reserve(map.len());
        for (keyword, value) in map {
            node.keywords.push((keyword, Slot::of(keyword, value)));
        }
        node
    }

    pub(super) fn into_keywords(self) -> Vec<(&'a str, Slot<'a>)> {
        self.keywords
    }

    pub(super) fn get(&self, keyword: &str) -> Option<&Slot<'a>> {
        self.keywords.iter().find(|(known, _)| *known == keyword).map(|(_, slot)| slot)
    }

    pub(super) fn get_mut(&mut self, keyword: &str) -> Option<&mut Slot<'a>> {
        self.keywords.iter_mut().find(|(known, _)| *known == keyword).map(|(_, slot)| slot)
    }

    pub(super) fn has(&self, keyword: &str) -> bool {
        self.get(keyword).is_some()
    }

    pub(super) fn push(&mut self, keyword: &'a str, slot: Slot<'a>) {
        self.keywords.push((keyword, slot));
    }

    pub(super) fn take(&mut self, keyword: &str) -> Option<Slot<'a>> {
        let at = self.keywords.iter().position(|(known, _)| *known == keyword)?;
        Some(self.keywords.remove(at).1)
    }

    /// How many keywords there are.
    pub(super) fn len(&self) -> usize {
        self.keywords.len()
    }

    /// There is nothing in it.
    pub(super) fn is_empty(&self) -> bool {
        self.keywords.is_empty()
    }

    /// Something other than these keywords and annotations is said.
    pub(super) fn says_more_than(&self, keywords: &[&str]) -> bool {
        let said = |known: &str| keywords.contains(&known) || ANNOTATIONS.contains(&known);
        self.keywords.iter().any(|(known, _)| !said(known))
    }

    /// The branches of `anyOf` or `oneOf`.
    pub(super) fn branches(&self, keyword: &str) -> Option<Vec<&'a Value>> {
        let branches = match self.get(keyword)? {
            Slot::Branches(branches) => branches.clone(),
            Slot::Value(Value::Array(branches)) => branches.iter().collect(),
            _ => return None,
        };
        // A list of none is no union: it is told as what it is.
        Some(branches).filter(|branches: &Vec<&Value>| !branches.is_empty())
    }

    pub(super) fn properties(&self) -> &[(&'a str, Property<'a>)] {
        match self.get("properties") {
            Some(Slot::Properties(properties)) => properties,
            _ => &[],
        }
    }

    /// Adds properties behind those that are there. Of two with one name the first stays; `differ` hears
    /// about the other, unless it is the same schema.
    pub(super) fn add_properties(
        &mut self,
        more: Vec<(&'a str, Property<'a>)>,
        mut differ: impl FnMut(&'a str),
    ) {
        if !self.has("properties") {
            self.push("properties", Slot::Properties(Vec::new()));
        }
        let mut by_name =
            self.by_name.take().unwrap_or_else(|| self.properties().iter().cloned().collect());
        if let Some(Slot::Properties(there)) = self.get_mut("properties") {
            for (name, schema) in more {
                match by_name.get(name) {
                    None => {
                        by_name.insert(name, schema.clone());
                        there.push((name, schema));
                    }
                    Some(first) if first.is(&schema) => {}
                    Some(_) => differ(name),
                }
            }
        }
        self.by_name = Some(by_name);
    }

    pub(super) fn required(&self) -> &[&'a str] {
        match self.get("required") {
            Some(Slot::Required(names)) => names,
            _ => &[],
        }
    }
}

impl<'a> Slot<'a> {
    /// Well-formed `properties` and `required` are taken apart; all else is for the walk to judge.
    pub(super) fn of(keyword: &str, value: &'a Value) -> Self {
        match (keyword, value) {
            ("properties", Value::Object(properties)) => Self::Properties(
                properties.iter().map(|(name, of)| (name.as_str(), Property::One(of))).collect(),
            ),
            ("required", Value::Array(names)) if names.iter().all(Value::is_string) => {
                Self::Required(names.iter().filter_map(Value::as_str).collect())
            }
            _ => Self::Value(value),
        }
    }
}

/// How the value of a keyword is read (JSON Schema 2020-12, and what older drafts had).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A schema.
    Schema,
    /// A list of schemas.
    Schemas,
    /// Schemas by name.
    Named,
    /// JSON that is no schema.
    Data,
}

impl Kind {
    pub(super) fn of(keyword: &str, value: &Value) -> Self {
        match keyword {
            "items" | "additionalItems" if value.is_array() => Self::Schemas,
            "items"
            | "additionalItems"
            | "additionalProperties"
            | "not"
            | "if"
            | "then"
            | "else"
            | "contains"
            | "propertyNames"
            | "unevaluatedItems"
            | "unevaluatedProperties"
            | "contentSchema" => Self::Schema,
            "allOf" | "anyOf" | "oneOf" | "prefixItems" => Self::Schemas,
            "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas"
            | "dependencies" => Self::Named,
            _ => Self::Data,
        }
    }

    /// The schemas under this keyword are about the same value as the schema around them.
    pub(super) fn is_about_the_same(keyword: &str) -> bool {
        matches!(
            keyword,
            "allOf"
                | "anyOf"
                | "oneOf"
                | "not"
                | "if"
                | "then"
                | "else"
                | "dependentSchemas"
                | "dependencies"
        )
    }
}
