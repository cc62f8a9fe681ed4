//! Pass `merge`: several schemas about one value become one, where a dialect has no `allOf` or no
//! `$ref`. What cannot be said by one schema is noted.

use std::collections::VecDeque;
use std::ptr;

use serde_json::{Map, Value};

use super::node::{ANNOTATIONS, Node, Slot};
use super::walk::{Place, Walk};
use super::{MOST_INLINED, MOST_KEYWORDS};
use crate::native::tables::Refs;

impl<'a> Walk<'a> {
    /// The schema with what its references and `allOf` mean written into it, as far as the dialect needs
    /// that. Where it holds itself, or there is too much of it, it is cut.
    pub(super) fn opened(&mut self, map: &'a Map<String, Value>, place: Place) -> Node<'a> {
        let merges = self.merges_all_of(place);
        let reference = map.get("$ref");
        let kept =
            reference.and_then(Value::as_str).is_some_and(|it| self.keeps_ref(it, map, place));
        let opens_ref = reference.is_some() && !kept;
        let opens_all_of = merges && map.contains_key("allOf");
        if !opens_ref && !opens_all_of {
            return Node::of(map);
        }
        self.absorbed(Node::default(), map, merges)
    }

    fn merges_all_of(&self, place: Place) -> bool {
        !self.profile.is_whole() || (place == Place::Root && self.profile.root_rules.hoists())
    }

    /// Takes a schema into a node, with what its references and `allOf` lead to. What is in the node
    /// already stays.
    pub(super) fn absorbed(
        &mut self,
        mut node: Node<'a>,
        map: &'a Map<String, Value>,
        merges: bool,
    ) -> Node<'a> {
        let own = self.expanding.len();
        let mut waiting = VecDeque::from([map]);
        let mut with_properties = 0_usize;
        while let Some(map) = waiting.pop_front() {
            with_properties += usize::from(map.contains_key("properties"));
            for (keyword, value) in map {
                match (keyword.as_str(), value) {
                    ("$ref", Value::String(reference)) => {
                        self.follow(&mut node, reference, own, &mut waiting);
                    }
                    ("$ref", _) => self.lose("$ref", "taken out: it is not a string"),
                    ("allOf", Value::Array(branches)) if merges => {
                        for branch in branches {
                            match branch {
                                Value::Object(branch) if self.spend(1) => waiting.push_back(branch),
                                Value::Bool(true) => {}
                                _ => self.lose("allOf", "a branch that says nothing was taken out"),
                            }
                        }
                    }
                    _ => self.take_in(&mut node, keyword, value),
                }
            }
        }
        if with_properties > 1 && node.has("additionalProperties") {
            self.lose(
                "additionalProperties",
                "it is about the properties of all merged schemas now",
            );
        }
        if node.is_empty() && node.cut.is_none() && self.expanding.len() > own {
            self.lose("$ref", "taken out: it leads back to itself, and says nothing");
        }
        node
    }

    /// Puts what a reference leads to behind what waits.
    fn follow(
        &mut self,
        node: &mut Node<'a>,
        reference: &str,
        own: usize,
        waiting: &mut VecDeque<&'a Map<String, Value>>,
    ) {
        let Some(target) = self.resolve(reference) else {
            let shown: String = reference.chars().take(100).collect();
            self.lose("$ref", format!("taken out: `{shown}` leads to nothing in the schema"));
            return;
        };
        match self.expanding.iter().position(|open| ptr::eq(*open, target)) {
            Some(at) if at < own => {
                self.holds_itself = true;
                if self.profile.strict.is_some() && self.profile.refs == Refs::Inline {
                    self.unfit("a schema in it holds itself");
                }
                self.lose("$ref", "cut: the schema holds itself, which can only be said by a name");
                node.cut = Some(is_object(target));
                return;
            }
            // The same schema twice in one merge adds nothing.
            Some(_) => return,
            None => {}
        }
        match target {
            Value::Object(map) if self.spend(shallow_weight(map)) => {
                self.expanding.push(target);
                waiting.push_back(map);
            }
            Value::Object(_) => node.cut = Some(is_object(target)),
            Value::Bool(true) => {}
            _ => self.lose("$ref", "taken out: what it leads to accepts nothing, or is no schema"),
        }
    }

    /// Counts what is written out. False when it was too much.
    pub(super) fn spend(&mut self, weight: usize) -> bool {
        let before = self.inlined;
        self.inlined = before.saturating_add(weight);
        if before <= MOST_INLINED && self.inlined > MOST_INLINED {
            let what = "cut, and all that follow: written out, the schema would be too large";
            self.lose("$ref", what);
            self.unfit("it is too large when it is written out");
        }
        self.inlined <= MOST_INLINED
    }

    /// Takes a keyword of another schema about the same value in.
    fn take_in(&mut self, node: &mut Node<'a>, keyword: &'a str, value: &'a Value) {
        if node.len() >= MOST_KEYWORDS && !node.has(keyword) {
            self.lose(keyword, "taken out: the schema has too many keywords");
            return;
        }
        let slot = Slot::of(keyword, value);
        match (node.get_mut(keyword), slot) {
            (None, Slot::Properties(more))
            | (Some(Slot::Properties(_)), Slot::Properties(more)) => {
                node.add_properties(more, |name| {
                    let name = name.escape_debug();
                    self.lose("allOf", format!("of several schemas for `{name}` the first stays"));
                });
            }
            (None, slot) => node.push(keyword, slot),
            (Some(Slot::Required(there)), Slot::Required(more)) => there.extend(more),
            (Some(Slot::Value(there)), Slot::Value(more)) if same_scalar(there, more) => {}
            _ if ANNOTATIONS.contains(&keyword) || matches!(keyword, "$defs" | "definitions") => {}
            _ => self.lose(keyword, "of several values the first stays"),
        }
    }
}

/// How much is looked at when a schema is merged.
fn shallow_weight(map: &Map<String, Value>) -> usize {
    let names =
        ["properties", "required"].iter().filter_map(|keyword| match map.get(*keyword)? {
            Value::Object(map) => Some(map.len()),
            Value::Array(items) => Some(items.len()),
            _ => None,
        });
    1 + map.len() + names.sum::<usize>()
}

/// It says that it is an object.
fn is_object(schema: &Value) -> bool {
    let named = |name: &Value| name.as_str().is_some_and(|it| it.eq_ignore_ascii_case("object"));
    schema.get("properties").is_some() || schema.get("type").is_some_and(named)
}

fn same_scalar(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Object(_), _) | (Value::Array(_), _) => ptr::eq(a, b),
        _ => a == b,
    }
}
