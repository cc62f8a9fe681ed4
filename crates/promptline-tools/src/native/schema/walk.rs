//! The walk itself: what is done at each schema, in which order, and where it stands. The passes are in
//! the modules beside it.

use serde_json::{Map, Value};

use super::node::{Kind, Node, Property, Slot};
use super::objects::Names;
use super::unions::joined;
use super::{DEEPEST, Found, LONGEST_STEP, Unusable, refs};
use crate::names::NameRule;
use crate::native::tables::{Profile, RootRules, Treatment, Tuples};

/// Where a schema stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// It is the schema of the arguments.
    Root,
    /// It is about the same value as the schema around it.
    Branch,
    /// Anywhere else.
    Inside,
}

#[derive(Debug)]
pub(super) struct Walk<'a> {
    pub(super) profile: &'a Profile,
    pub(super) root: &'a Value,
    property_name: Option<&'a NameRule>,
    /// Where the walk is, as a JSON Pointer into the schema that came in.
    path: String,
    /// How deep the JSON is here.
    depth: usize,
    /// Schemas that are being written out in place of a reference.
    pub(super) expanding: Vec<&'a Value>,
    pub(super) inlined: usize,
    pub(super) holds_itself: bool,
    /// Names of the properties of the schemas around, for branches that only say what is required.
    names: Vec<(Names<'a>, Place)>,
    pub(super) found: Vec<Found>,
    pub(super) not_strict: Option<String>,
    pub(super) refused_names: Vec<String>,
    unusable: Option<Unusable>,
}

/// A schema that is nearly done, with what the passes must know of it.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) map: Map<String, Value>,
    /// What is to be said in the description.
    pub(super) words: Vec<(String, Value)>,
    pub(super) nullable: bool,
    /// A schema that holds itself was cut out of it, and whether that one was an object.
    pub(super) cut: Option<bool>,
    /// `items` is a list, as drafts before 2020-12 have it.
    pub(super) old_tuple: bool,
    /// `exclusiveMinimum: true`, as the fourth draft has it, and whether it is true.
    pub(super) exclusive: Vec<(String, bool)>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(
        profile: &'a Profile,
        root: &'a Value,
        property_name: Option<&'a NameRule>,
    ) -> Self {
        Self {
            profile,
            root,
            property_name,
            path: String::new(),
            depth: 0,
            expanding: Vec::new(),
            inlined: 0,
            holds_itself: false,
            names: Vec::new(),
            found: Vec::new(),
            not_strict: None,
            refused_names: Vec::new(),
            unusable: None,
        }
    }

    /// Converts the whole schema.
    pub(super) fn root(&mut self) -> Result<Value, Unusable> {
        let root = self.root;
        let mut made = self.schema(root, Place::Root);
        if let Some(unusable) = self.unusable.take() {
            return Err(unusable);
        }
        let found = &mut self.found;
        refs::unhook(&mut made, &mut |path| {
            let what = "taken out: what it leads to was cut".to_owned();
            found.push(Found { path: path.to_owned(), keyword: "$ref".to_owned(), what });
        });
        Ok(made)
    }

    /// Converts a schema.
    pub(super) fn schema(&mut self, value: &'a Value, place: Place) -> Value {
        let map = match value {
            Value::Object(map) => map,
            Value::Bool(true) if self.profile.is_whole() => return value.clone(),
            Value::Bool(false) if self.profile.is_whole() => return value.clone(),
            Value::Bool(true) => return self.anything(),
            Value::Bool(false) => {
                self.lose("false", "taken out: that nothing is accepted cannot be said");
                return self.anything();
            }
            _ => {
                self.lose("schema", "taken out: it is neither an object nor a boolean");
                return self.anything();
            }
        };
        if self.depth >= DEEPEST {
            self.lose("schema", "cut: it is nested too deep");
            return self.anything();
        }
        // In place of a reference all counts: one that is short to say may stand for much.
        if !self.expanding.is_empty() && !self.spend(1 + map.len()) {
            return self.anything();
        }
        self.depth += 1;
        let own = self.expanding.len();
        let node = self.opened(map, place);
        let made = self.node(node, place);
        self.expanding.truncate(own);
        self.depth -= 1;
        made
    }

    /// The schema that accepts everything, or comes nearest to it.
    pub(super) fn anything(&mut self) -> Value {
        self.unfit("a part of it accepts everything");
        match self.profile.openapi {
            true => Value::Object(Map::from_iter([("type".to_owned(), "STRING".into())])),
            false => Value::Object(Map::new()),
        }
    }

    fn node(&mut self, mut node: Node<'a>, place: Place) -> Value {
        self.sift_branches(&mut node, place);
        let inner = self.enter_names(&node, place);
        let old_tuple = matches!(node.get("items"), Some(Slot::Value(Value::Array(_))));
        let (nullable, cut) = (node.nullable, node.cut);
        let mut draft = Draft { nullable, cut, old_tuple, ..Draft::default() };
        let about_same = |keyword: &str| match Kind::is_about_the_same(keyword) {
            true => Place::Branch,
            false => Place::Inside,
        };
        let required = self.required_names(&mut node, place);
        for (keyword, slot) in node.into_keywords() {
            match slot {
                Slot::Properties(properties) => {
                    let made = self.properties(properties, &required);
                    draft.map.insert("properties".to_owned(), made);
                }
                Slot::Required(_) => {
                    let names = required.order.iter().map(|name| Value::from(*name)).collect();
                    if !required.gone {
                        draft.map.insert("required".to_owned(), Value::Array(names));
                    }
                }
                Slot::Branches(branches) => {
                    let made = self.list(keyword, &branches, about_same(keyword));
                    draft.map.insert(keyword.to_owned(), made);
                }
                Slot::Value(value) => {
                    let about = about_same(keyword);
                    self.keyword(&mut draft, keyword, value, about, place);
                }
            }
        }
        if inner {
            self.names.pop();
        }
        self.finish(&mut draft, place);
        Value::Object(draft.map)
    }

    /// The names that `required` may hold here are on top from now on.
    fn enter_names(&mut self, node: &Node<'a>, place: Place) -> bool {
        let asks = node.has("required")
            || ["allOf", "anyOf", "oneOf", "if", "then", "else", "not", "dependentSchemas"]
                .iter()
                .any(|keyword| node.has(keyword));
        if !asks {
            return false;
        }
        let mut names = Names::default();
        for (name, _) in node.properties() {
            names.add(name);
        }
        self.names.push((names, place));
        true
    }

    pub(super) fn is_known_name(&self, name: &str) -> bool {
        for (names, place) in self.names.iter().rev() {
            if names.contains(name) {
                return true;
            }
            // A branch speaks of the properties around it, too.
            if *place != Place::Branch {
                break;
            }
        }
        false
    }

    /// A keyword that no pass has taken apart.
    fn keyword(
        &mut self,
        draft: &mut Draft,
        keyword: &'a str,
        value: &'a Value,
        about: Place,
        place: Place,
    ) {
        let treatment = self.profile.treatment(keyword);
        match treatment {
            Treatment::Silent => return,
            Treatment::Drop => {
                if !self.is_tuple_items(draft, keyword, value) {
                    self.drop_keyword(keyword, value);
                }
                return;
            }
            Treatment::Keep | Treatment::Noted | Treatment::Words => {}
        }
        let made = match (keyword, value) {
            ("properties", Value::Array(names)) if names.is_empty() => {
                self.lose("properties", "an empty list is taken for an empty object");
                Value::Object(Map::new())
            }
            ("properties", _) if place == Place::Root => {
                self.refuse(Unusable(
                    "`properties` in its input schema is not an object".to_owned(),
                ));
                return;
            }
            ("required", _) => {
                self.lose("required", "taken out: it is not a list of names");
                return;
            }
            ("allOf" | "anyOf" | "oneOf" | "prefixItems", branches)
                if branches.as_array().is_none_or(Vec::is_empty) =>
            {
                self.lose(keyword, "taken out: it is not a list of schemas");
                return;
            }
            ("exclusiveMinimum" | "exclusiveMaximum", Value::Bool(_)) => {
                draft.exclusive.push((keyword.to_owned(), value == &Value::Bool(true)));
                return;
            }
            ("not" | "enum", _)
                if place == Place::Root && self.profile.root_rules == RootRules::Bare =>
            {
                self.lose(keyword, "taken out: it cannot be said about all arguments");
                return;
            }
            ("items", Value::Array(items))
                if self.profile.tuples == Tuples::Prefix && !items.is_empty() =>
            {
                let made = self.value("prefixItems", value, about);
                draft.map.insert("prefixItems".to_owned(), made);
                return;
            }
            ("prefixItems", Value::Array(_)) if self.profile.tuples == Tuples::AnyPlace => {
                self.is_tuple_items(draft, keyword, value);
                return;
            }
            ("additionalItems", _) if self.profile.tuples == Tuples::AnyPlace => {
                self.lose(keyword, "taken out: there is one schema for every place");
                return;
            }
            ("additionalItems", Value::Object(_) | Value::Bool(_))
                if self.profile.tuples == Tuples::Prefix =>
            {
                // Without a list before it, it says nothing.
                if draft.old_tuple {
                    let made = self.value("items", value, about);
                    draft.map.insert("items".to_owned(), made);
                }
                return;
            }
            ("items", Value::Array(items))
                if !self.profile.is_whole()
                    || items.is_empty()
                    || self.profile.tuples == Tuples::AnyPlace =>
            {
                self.is_tuple_items(draft, "prefixItems", value);
                return;
            }
            _ => {
                let made = self.value(keyword, value, about);
                let Some(made) = self.well_formed(keyword, made) else { return };
                made
            }
        };
        if treatment == Treatment::Words {
            draft.words.push((keyword.to_owned(), made));
            return;
        }
        if treatment == Treatment::Noted {
            self.lose(keyword, "sent as it is, but the provider does not hold the model to it");
        }
        draft.map.insert(keyword.to_owned(), made);
    }

    /// Says that a keyword was taken out.
    fn drop_keyword(&mut self, keyword: &str, value: &Value) {
        // What holds anyway need not be said.
        let says_nothing =
            *value == Value::Bool(true) || value.as_object().is_some_and(Map::is_empty);
        if keyword == "additionalProperties" && says_nothing {
            return;
        }
        if keyword == "patternProperties" {
            self.unfit("the names of its properties are not known beforehand");
        }
        self.lose(keyword, "taken out: it cannot be said");
    }

    /// A list with a schema for each place: any of them for all places is the nearest that can be said.
    fn is_tuple_items(&mut self, draft: &mut Draft, keyword: &'a str, value: &'a Value) -> bool {
        let ("prefixItems", Value::Array(items)) = (keyword, value) else {
            return false;
        };
        if draft.map.contains_key("items") || items.is_empty() {
            return false;
        }
        self.lose(keyword, "every item may be any of them: places cannot be told apart");
        let made = self.step("prefixItems", |walk| walk.any_of(items.iter().collect()));
        draft.map.insert("items".to_owned(), made);
        true
    }

    /// Any of these schemas, in as few words as there are for it.
    fn any_of(&mut self, schemas: Vec<&'a Value>) -> Value {
        let mut any = Node::default();
        any.push("anyOf", Slot::Branches(schemas));
        self.depth += 1;
        let made = self.node(any, Place::Inside);
        self.depth -= 1;
        joined(made)
    }

    /// The value of a keyword, with the schemas in it converted.
    fn value(&mut self, keyword: &'a str, value: &'a Value, about: Place) -> Value {
        match (Kind::of(keyword, value), value) {
            // Here a boolean is no schema that a dialect has to be able to say.
            (Kind::Schema, Value::Bool(_)) if keyword == "additionalProperties" => value.clone(),
            (Kind::Schema, _) => self.step(keyword, |walk| walk.schema(value, about)),
            (Kind::Schemas, Value::Array(items)) => {
                let items: Vec<&Value> = items.iter().collect();
                self.list(keyword, &items, about)
            }
            (Kind::Named, Value::Object(map)) => self.step(keyword, |walk| {
                walk.depth += 1;
                let made = map.iter().map(|(name, value)| {
                    let made = walk.step(name, |walk| match value {
                        // `dependencies` may hold names instead of a schema.
                        Value::Array(_) => walk.copy(value),
                        _ => walk.schema(value, about),
                    });
                    (name.clone(), made)
                });
                let made = made.collect();
                walk.depth -= 1;
                Value::Object(made)
            }),
            _ => self.copy(value),
        }
    }

    pub(super) fn list(&mut self, keyword: &str, items: &[&'a Value], place: Place) -> Value {
        self.step(keyword, |walk| {
            walk.depth += 1;
            let convert = |(position, item): (usize, &&'a Value)| {
                walk.step(&position.to_string(), |walk| walk.schema(item, place))
            };
            let made = items.iter().enumerate().map(convert).collect();
            walk.depth -= 1;
            Value::Array(made)
        })
    }

    pub(super) fn properties(
        &mut self,
        properties: Vec<(&'a str, Property<'a>)>,
        required: &super::objects::Required<'a>,
    ) -> Value {
        self.step("properties", |walk| {
            walk.depth += 1;
            let made = properties.into_iter().map(|(name, schema)| {
                if walk.property_name.is_some_and(|rule| !rule.is_legal_property(name)) {
                    walk.refused_names.push(name.to_owned());
                }
                let made = walk.step(name, |walk| {
                    let made = match schema {
                        Property::One(schema) => walk.schema(schema, Place::Inside),
                        Property::AnyOf(schemas) => walk.any_of(schemas),
                    };
                    walk.optional(made, required.is_required(name))
                });
                (name.to_owned(), made)
            });
            let made = made.collect();
            walk.depth -= 1;
            Value::Object(made)
        })
    }

    /// JSON that is no schema, as deep as it may be.
    pub(super) fn copy(&mut self, value: &Value) -> Value {
        if crate::json::is_deeper(value, DEEPEST.saturating_sub(self.depth)) {
            self.lose("schema", "a value was taken out: it is nested too deep");
            return Value::Null;
        }
        if !self.expanding.is_empty() && !self.spend(weight(value)) {
            return Value::Null;
        }
        value.clone()
    }

    /// Goes one step down in the path.
    pub(super) fn step<T>(&mut self, key: &str, inside: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.path.len();
        match key.char_indices().nth(LONGEST_STEP).and_then(|(at, _)| key.get(..at)) {
            None => push_step(&mut self.path, key),
            Some(start) => push_step(&mut self.path, &format!("{start}…")),
        }
        let made = inside(self);
        self.path.truncate(length);
        made
    }

    /// Notes that something was changed here.
    pub(super) fn lose(&mut self, keyword: &str, what: impl Into<String>) {
        self.found.push(Found {
            path: self.path.clone(),
            keyword: keyword.to_owned(),
            what: what.into(),
        });
    }

    /// The tool cannot be offered.
    pub(super) fn refuse(&mut self, unusable: Unusable) {
        self.unusable.get_or_insert(unusable);
    }

    /// The provider cannot be held to this schema.
    pub(super) fn unfit(&mut self, why: &str) {
        if self.profile.strict.is_some() && self.not_strict.is_none() {
            self.not_strict = Some(match self.path.as_str() {
                "" => why.to_owned(),
                path => format!("{why}, at `{path}`"),
            });
        }
    }
}

/// How much a value adds when it is written again. It is not deep.
fn weight(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(weight).sum::<usize>() + 1,
        Value::Object(map) => map.values().map(weight).sum::<usize>() + 1,
        Value::String(text) => text.len() / 64 + 1,
        _ => 1,
    }
}

/// Adds a step to a JSON Pointer.
pub(super) fn push_step(path: &mut String, key: &str) {
    path.push('/');
    for c in key.chars() {
        match c {
            '~' => path.push_str("~0"),
            '/' => path.push_str("~1"),
            c => path.push(c),
        }
    }
}
