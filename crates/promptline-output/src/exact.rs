//! Whether a value is already as the schema wants it, so that nothing has to be coerced and nothing copied.
//! A quick look, once at each value: it may say no where coercion would change nothing, never yes where it
//! would change something.

use serde_json::{Map, Value};

use crate::coerce::is_null_word;
use crate::shape::{BOOL, INT, LIST, NULL, NUM, OBJ, Rest, STR, Shape, ShapeId, Shapes};

/// Shapes that only lead to others are followed so far.
const HOPS: usize = 16;

/// Whether nothing has to be done to a value.
pub(crate) fn is_exact(shapes: &Shapes, value: &Value) -> bool {
    let mut rest = vec![(value, 0)];
    while let Some((value, id)) = rest.pop() {
        // Where null is allowed as well, `"None"` may mean it.
        if value.as_str().is_some_and(is_null_word) {
            return false;
        }
        let Some(shape) = the_one(shapes, value, id) else { return false };
        let exact = match value {
            Value::Object(object) => members(object, shape, &mut rest),
            Value::Array(list) => {
                let of =
                    |(at, value)| Some((value, *shape.prefix.get(at).or(shape.item.as_ref())?));
                rest.extend(list.iter().enumerate().filter_map(of));
                true
            }
            _ => true,
        };
        if !exact {
            return false;
        }
    }
    true
}

/// The shape by which a value is right as it is, as far as it can be decided without looking into it. Of a list
/// or an object only one may be in question.
fn the_one<'s>(shapes: &'s Shapes, value: &Value, id: ShapeId) -> Option<&'s Shape> {
    let shape = follow(shapes, id)?;
    if shape.any_of.is_empty() {
        return takes(shape, value).then_some(shape);
    }
    let scalar = !value.is_array() && !value.is_object();
    let mut found = None;
    for &branch in &shape.any_of {
        let branch = follow(shapes, branch)?;
        if !branch.any_of.is_empty() {
            return None;
        }
        if takes(branch, value) {
            if scalar {
                return Some(branch);
            }
            if found.replace(branch).is_some() {
                return None;
            }
        }
    }
    found
}

/// A shape that only leads to another is that one.
fn follow(shapes: &Shapes, id: ShapeId) -> Option<&Shape> {
    let mut shape = shapes.get(id);
    for _ in 0..HOPS {
        match shape.any_of.as_slice() {
            [only] => shape = shapes.get(*only),
            _ => return Some(shape),
        }
    }
    None
}

fn takes(shape: &Shape, value: &Value) -> bool {
    match &shape.choices {
        Some(choices) => choices.iter().any(|choice| choice.value == *value),
        None => shape.types == 0 || shape.types & type_of(value) != 0,
    }
}

/// Whether every key is a field by its own name and nothing has to be filled in; adds the values.
fn members<'v>(
    object: &'v Map<String, Value>,
    shape: &Shape,
    rest: &mut Vec<(&'v Value, ShapeId)>,
) -> bool {
    if shape.choices.is_some() || shape.is_any() {
        return true;
    }
    if shape.props.is_empty() {
        if !shape.extra.patterns.is_empty() {
            return object.is_empty();
        }
        match shape.extra.rest {
            Rest::Unsaid | Rest::Free => {}
            Rest::Of(id) => rest.extend(object.values().map(|value| (value, id))),
            Rest::Closed => return object.is_empty(),
        }
        return true;
    }
    let mut there = 0;
    let mut in_order = object.iter();
    for prop in &shape.props {
        // Models write the fields in the order of the schema.
        let value = match in_order.next() {
            Some((key, value)) if *key == prop.name => Some(value),
            _ => object.get(&prop.name),
        };
        let Some(value) = value else {
            if prop.required || prop.default.is_some() {
                return false;
            }
            continue;
        };
        there += 1;
        if value.is_string() && !prop.synonyms.is_empty() {
            return false;
        }
        rest.push((value, prop.shape));
    }
    // What is left may be a field under another name.
    there == object.len()
}

fn type_of(value: &Value) -> u8 {
    match value {
        Value::Null => NULL,
        Value::Bool(_) => BOOL,
        Value::Number(number) if number.is_i64() || number.is_u64() => INT | NUM,
        Value::Number(_) => NUM,
        Value::String(_) => STR,
        Value::Array(_) => LIST,
        Value::Object(_) => OBJ,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::coerce::Fitter;
    use crate::spec::OnUnknown;

    fn schemas() -> Vec<Value> {
        let fields = json!({"a": {"type": "integer"}, "b": {"type": ["string", "null"]}});
        vec![
            json!({"type": "object", "properties": fields, "required": ["a"]}),
            json!({"type": "object", "properties": fields, "additionalProperties": false}),
            json!({"type": "object", "properties": {"a": {"default": 1}, "b": {"enum": ["x", 1, null]}}}),
            json!({"type": "object", "additionalProperties": {"type": "number"}}),
            json!({"type": "array", "items": {"type": "object", "properties": fields}}),
            json!({"anyOf": [{"type": "object", "properties": fields}, {"type": "array", "items": {"type": "string"}}, {"type": "boolean"}]}),
            json!({"$ref": "#/$defs/t", "$defs": {"t": {"type": "object", "properties": {"a": {"$ref": "#/$defs/t"}, "b": {"type": "string"}}}}}),
            json!({"$ref": "#/$defs/t", "$defs": {"t": {"$ref": "#/$defs/t"}}}),
            json!({"prefixItems": [{"type": "integer"}, {"type": "string"}]}),
            json!({"type": ["integer", "array"], "items": {"const": 1}}),
        ]
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            (-1i64..3).prop_map(Value::from),
            Just(json!(1.0)),
            "[xy1]{0,2}".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
                proptest::collection::vec(("[abA]", inner), 0..3)
                    .prop_map(|all| Value::Object(all.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_is_exact_would_not_be_changed(value in value(), at in 0usize..10) {
            let shapes = Shapes::of(&schemas()[at]).unwrap();
            if is_exact(&shapes, &value) {
                let fitter = Fitter::new(&shapes, OnUnknown::Reject, false);
                let (cost, fitted, notes, _) = fitter.root(&value, None);
                prop_assert_eq!(fitted.to_string(), value.to_string());
                prop_assert_eq!((cost.misfits, cost.structural), (0, 0));
                prop_assert!(notes.coerced.is_empty() && notes.unknown.is_empty() && notes.renamed.is_empty());
            }
        }
    }
}
