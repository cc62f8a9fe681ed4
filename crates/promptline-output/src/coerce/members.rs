//! The fields of an object: found by name, by alias, or by a name that is the same but for its spelling.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::{Cost, Fitter, found, keeps_unknown};
use crate::fold::fold;
use crate::parsed::{Coercion, IssueKind, Renamed, Unknown};
use crate::repair::step;
use crate::shape::{Extra, Prop, Shape};
use crate::spec::OnUnknown;

impl Fitter<'_> {
    pub(super) fn fit_members(
        &mut self,
        object: &Map<String, Value>,
        shape: &Shape,
    ) -> (Cost, Value) {
        let mut cost = Cost::default();
        let mut fitted = Map::new();
        let fields = fields(object, &shape.props);
        let mut there = vec![false; shape.props.len()];
        for (key, value) in object {
            if let Some(place) = fields.get(key.as_str()).and_then(|&at| there.get_mut(at)) {
                *place = true;
            }
            match fields.get(key.as_str()).and_then(|&at| shape.props.get(at)) {
                Some(prop) => {
                    let (child, value) = self.fit_field(key, value, prop);
                    cost = cost.plus(child);
                    if !self.dry {
                        fitted.insert(prop.name.clone(), value);
                    }
                }
                None => cost = cost.plus(self.fit_extra(key, value, shape, &mut fitted)),
            }
        }
        for (prop, there) in shape.props.iter().zip(there) {
            if !there {
                cost = cost.plus(self.fit_missing(prop, &mut fitted));
            }
        }
        (cost, Value::Object(fitted))
    }

    fn fit_field(&mut self, key: &str, value: &Value, prop: &Prop) -> (Cost, Value) {
        let mut cost = Cost::default();
        if key != prop.name {
            cost = Cost::of(1);
            if !self.dry {
                self.notes.renamed.push(Renamed {
                    path: self.path.clone(),
                    from: key.to_owned(),
                    to: prop.name.clone(),
                });
            }
        }
        let before = self.enter(&prop.name);
        let meant = synonym(value, prop);
        let (child, value) = match meant {
            Some(meant) => {
                self.coerced(Coercion::Synonym, value, meant);
                (Cost::of(1), meant.clone())
            }
            None => self.fit(value, prop.shape),
        };
        self.path.truncate(before);
        (cost.plus(child.of_child()), value)
    }

    fn fit_extra(
        &mut self,
        key: &str,
        value: &Value,
        shape: &Shape,
        fitted: &mut Map<String, Value>,
    ) -> Cost {
        let of = match &shape.extra {
            Extra::Of(id) => Some(*id),
            Extra::Patterns(patterns) => {
                patterns.iter().find(|(pattern, _)| pattern.matches(key)).map(|(_, id)| *id)
            }
            _ => None,
        };
        if let Some(id) = of {
            let before = self.enter(key);
            let (child, value) = self.fit(value, id);
            self.path.truncate(before);
            if !self.dry {
                fitted.insert(key.to_owned(), value);
            }
            return child.of_child();
        }
        if keeps_unknown(shape) {
            if !self.dry {
                fitted.insert(key.to_owned(), value.clone());
            }
            return Cost::default();
        }
        let rejected = self.on_unknown == OnUnknown::Reject;
        let kept = self.on_unknown == OnUnknown::Keep && shape.extra != Extra::Closed;
        if !self.dry {
            let mut path = self.path.clone();
            step(&mut path, key);
            self.notes.unknown.push(Unknown { path: path.clone(), value: value.clone(), kept });
            if kept {
                fitted.insert(key.to_owned(), value.clone());
            }
            if rejected {
                let what = "this field is not in the schema; leave it out";
                let issue = super::issue(
                    IssueKind::Unknown,
                    path,
                    "no such field".into(),
                    found(value),
                    what,
                );
                self.notes.issues.push(issue);
            }
        }
        if rejected { Cost::MISFIT } else { Cost::of(1) }
    }

    fn fit_missing(&mut self, prop: &Prop, fitted: &mut Map<String, Value>) -> Cost {
        if let Some(default) = &prop.default {
            let before = self.enter(&prop.name);
            self.coerced(Coercion::Default, &Value::Null, default);
            self.path.truncate(before);
            if !self.dry {
                fitted.insert(prop.name.clone(), default.clone());
            }
            return Cost::of(1);
        }
        if !prop.required {
            return Cost::of(1);
        }
        let before = self.enter(&prop.name);
        let expected = super::expected(self.shapes, prop.shape);
        let what = format!("this field is missing; expected {expected}");
        self.issue(IssueKind::Missing, expected, String::new(), &what);
        self.path.truncate(before);
        Cost::MISFIT
    }
}

/// What a declared synonym of a value means.
fn synonym<'p>(value: &Value, prop: &'p Prop) -> Option<&'p Value> {
    if prop.synonyms.is_empty() {
        return None;
    }
    let Value::String(text) = value else { return None };
    let folded = fold(text);
    let said = |said: &str| said == text.trim() || (!folded.is_empty() && fold(said) == folded);
    prop.synonyms.iter().find(|(one, _)| said(one)).map(|(_, meant)| meant)
}

/// Which field each key is, by its place in the list of fields.
fn fields<'o>(object: &'o Map<String, Value>, props: &[Prop]) -> HashMap<&'o str, usize> {
    let mut fields = HashMap::new();
    let mut open: Vec<usize> = Vec::new();
    for (at, prop) in props.iter().enumerate() {
        let names = std::iter::once(&prop.name).chain(&prop.aliases);
        let exact = names.filter_map(|name| object.get_key_value(name)).next();
        match exact {
            Some((key, _)) if !fields.contains_key(key.as_str()) => {
                fields.insert(key.as_str(), at);
            }
            _ => open.push(at),
        }
    }
    if open.is_empty() || fields.len() == object.len() {
        return fields;
    }
    // The keys that are left, by their folded form; one that two keys share is nobody's.
    let mut folded: HashMap<String, Option<&str>> = HashMap::new();
    for key in object.keys().filter(|key| !fields.contains_key(key.as_str())) {
        folded.entry(fold(key)).and_modify(|shared| *shared = None).or_insert(Some(key.as_str()));
    }
    let mut wanted: HashMap<&str, Option<usize>> = HashMap::new();
    for at in open {
        let Some(prop) = props.get(at) else { continue };
        for name in std::iter::once(&prop.name).chain(&prop.aliases) {
            if let Some(Some(key)) = folded.get(&fold(name)) {
                wanted
                    .entry(key)
                    .and_modify(|shared| {
                        if *shared != Some(at) {
                            *shared = None;
                        }
                    })
                    .or_insert(Some(at));
            }
        }
    }
    for key in object.keys() {
        if let Some(Some(at)) = wanted.get(key.as_str())
            && !fields.values().any(|taken| taken == at)
        {
            fields.insert(key.as_str(), *at);
        }
    }
    fields
}
