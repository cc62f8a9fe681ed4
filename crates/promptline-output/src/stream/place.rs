//! What a field of an answer is by the schema, before its value is known.

use serde_json::{Map, Value};

use crate::coerce::{Member, members};
use crate::shape::{LIST, STR, ShapeId, Shapes};
use crate::spec::{OnUnknown, Spec};

/// The shape of which nothing is said; no shape has this id.
const ANY: ShapeId = ShapeId::MAX;

/// Branches of branches that are looked at.
const MOST: usize = 256;

/// Where a child belongs, and how it is read.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) name: String,
    pub(super) shape: ShapeId,
    /// Some words for its values are declared: what it says is known when it is whole.
    pub(super) has_words: bool,
    /// What its value is declared to mean.
    pub(super) meant: Option<Value>,
}

impl Place {
    pub(super) fn root() -> Self {
        Self::of(String::new(), 0)
    }

    fn of(name: String, shape: ShapeId) -> Self {
        Self { name, shape, has_words: false, meant: None }
    }
}

/// The place of one child of a list or an object, if it has one.
pub(super) fn place(spec: &Spec, shape: ShapeId, token: &str, value: &Value) -> Option<Place> {
    let shape = spec.shapes.get(shape);
    if shape.types == LIST {
        let at = token.parse::<usize>().ok()?;
        let item = shape.prefix.get(at).copied().or(shape.item);
        return Some(Place::of(token.to_owned(), item.unwrap_or(ANY)));
    }
    // Whether it is this field does not depend on the others, as long as it is the only one of its name.
    let value = if value.is_string() { value.clone() } else { Value::Null };
    let object: Map<String, Value> = [(token.to_owned(), value)].into_iter().collect();
    let member = members(&object, shape, spec.on_unknown).entries.into_iter().next()?;
    match member {
        Member::Field(at) | Member::LeftOut(at) => {
            let prop = shape.props.get(at)?;
            let has_words = !prop.synonyms.is_empty();
            Some(Place { has_words, ..Place::of(prop.name.clone(), prop.shape) })
        }
        Member::Meant(at, meant) => {
            let prop = shape.props.get(at)?;
            Some(Place { meant: Some(meant), ..Place::of(prop.name.clone(), prop.shape) })
        }
        Member::Extra(id) => Some(Place::of(token.to_owned(), id)),
        Member::Free | Member::Unknown(OnUnknown::Keep) => Some(Place::of(token.to_owned(), ANY)),
        Member::Unknown(_) => None,
    }
}

/// The one shape of this type that a shape can be.
pub(super) fn opens(shapes: &Shapes, id: ShapeId, wanted: u8) -> Option<ShapeId> {
    let mut found = None;
    for id in branches(shapes, id) {
        let shape = shapes.get(id);
        if shape.choices.is_some() || !shape.is_any() && shape.types != wanted {
            continue;
        }
        if found.is_some() {
            return None;
        }
        found = Some(id);
    }
    found
}

/// Whether text is what it says, and neither a word for something else nor one of several values.
pub(super) fn takes_text(shapes: &Shapes, id: ShapeId) -> bool {
    let branches = branches(shapes, id);
    let mut shapes = branches.iter().map(|&id| shapes.get(id));
    shapes.clone().all(|shape| shape.choices.is_none())
        && shapes.any(|shape| shape.is_any() || shape.types & STR != 0)
}

/// The shapes that a shape can be, without those that only lead to others.
fn branches(shapes: &Shapes, id: ShapeId) -> Vec<ShapeId> {
    let mut ids = vec![id];
    let mut at = 0;
    while let Some(&id) = ids.get(at) {
        for branch in &shapes.get(id).any_of {
            if ids.len() < MOST && !ids.contains(branch) {
                ids.push(*branch);
            }
        }
        at += 1;
    }
    ids.retain(|&id| shapes.get(id).any_of.is_empty());
    ids
}
