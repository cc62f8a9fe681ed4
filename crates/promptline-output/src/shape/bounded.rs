//! Refuses schemas that a reader could not follow: too deep, or too many that judge one value after each
//! other. What follows, and the validator, may then go as deep as a schema does.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::compile::{list, object, target};
use crate::error::{Error, ErrorKind};

/// Schemas in schemas, as deep as `serde_json` reads them.
const DEPTH: usize = 128;

/// How many schemas may lead to each other (`$ref`, `allOf`, …) before one looks into the value. The
/// validator calls itself for each, at every level of the value: twice as many, a hundred levels deep, just
/// fit into the 2 MB of stack that a thread has.
const CHAIN: usize = 32;

pub(super) fn bounded(root: &Value) -> Result<(), Error> {
    let mut rest = vec![(root, 0)];
    let mut chains = Chains { root, longest: HashMap::new() };
    while let Some((value, depth)) = rest.pop() {
        if depth > DEPTH {
            return Err(refused(format!(
                "it is more than {DEPTH} levels deep; use `$defs` and `$ref`"
            )));
        }
        match value {
            Value::Array(list) => rest.extend(list.iter().map(|value| (value, depth + 1))),
            Value::Object(map) => {
                rest.extend(map.values().map(|value| (value, depth + 1)));
                chains.check(value)?;
            }
            _ => {}
        }
    }
    Ok(())
}

struct Chains<'s> {
    root: &'s Value,
    /// By the address of a schema, the longest chain that it begins; 0 while it is being looked at, so that
    /// a circle ends.
    longest: HashMap<usize, usize>,
}

/// A schema whose chains are being followed.
struct Open<'s> {
    schema: &'s Value,
    next: std::vec::IntoIter<&'s Value>,
    longest: usize,
}

impl<'s> Chains<'s> {
    fn check(&mut self, schema: &'s Value) -> Result<(), Error> {
        let mut open: Vec<Open<'_>> = self.open(schema).into_iter().collect();
        while let Some(top) = open.last_mut() {
            if let Some(next) = top.next.next() {
                match self.longest.get(&address(next)) {
                    Some(known) => top.longest = top.longest.max(*known),
                    None => open.extend(self.open(next)),
                }
                continue;
            }
            let length = top.longest + 1;
            if length > CHAIN {
                return Err(refused(format!(
                    "more than {CHAIN} of its schemas lead to each other by `$ref`, `allOf` and the like \
                     before one says what a value is; refer to the last one"
                )));
            }
            self.longest.insert(address(top.schema), length);
            open.pop();
            if let Some(before) = open.last_mut() {
                before.longest = before.longest.max(length);
            }
        }
        Ok(())
    }

    /// `None`: it is known.
    fn open(&mut self, schema: &'s Value) -> Option<Open<'s>> {
        if self.longest.contains_key(&address(schema)) {
            return None;
        }
        self.longest.insert(address(schema), 0);
        let next = schema.as_object().map(|map| self.beside(map)).unwrap_or_default();
        Some(Open { schema, next: next.into_iter(), longest: 0 })
    }

    /// The schemas that judge the same value.
    fn beside(&self, map: &'s Map<String, Value>) -> Vec<&'s Value> {
        let of_lists = ["allOf", "anyOf", "oneOf"].into_iter().flat_map(|key| list(map, key));
        let alone = ["not", "if", "then", "else"].into_iter().filter_map(|key| map.get(key));
        let by_field = object(map, "dependentSchemas").map(|(_, schema)| schema);
        let reference = map.get("$ref").and_then(Value::as_str);
        let referred = reference.and_then(|reference| target(self.root, reference));
        of_lists.chain(alone).chain(by_field).chain(referred).collect()
    }
}

fn address(schema: &Value) -> usize {
    std::ptr::from_ref(schema) as usize
}

fn refused(said: String) -> Error {
    Error::new(ErrorKind::Schema, said)
}
