//! Whether a value is already as the schema wants it, so that nothing has to be coerced and nothing copied.
//! A quick look: it may say no where coercion would change nothing, never yes where it would change something.

use serde_json::{Map, Value};

use crate::shape::{BOOL, Extra, INT, LIST, NULL, NUM, OBJ, STR, Shape, ShapeId, Shapes};

/// No shape leads to another of the same value more often.
const HOPS: u8 = 16;

/// Whether nothing has to be done to a value.
pub(crate) fn is_exact(shapes: &Shapes, value: &Value) -> bool {
    Exact { shapes, hops: HOPS, whole: false }.fits(value, 0)
}

#[derive(Clone, Copy)]
struct Exact<'s> {
    shapes: &'s Shapes,
    hops: u8,
    /// No field may be missing: in a union that is what tells the branches apart.
    whole: bool,
}

impl Exact<'_> {
    fn fits(self, value: &Value, id: ShapeId) -> bool {
        let shape = self.shapes.get(id);
        if let Some(choices) = &shape.choices {
            return choices.iter().any(|choice| choice.value == *value);
        }
        if !shape.any_of.is_empty() {
            let Some(hops) = self.hops.checked_sub(1) else { return false };
            let branch = Self { hops, whole: true, ..self };
            return shape.props.is_empty() && shape.any_of.iter().any(|&id| branch.fits(value, id));
        }
        if shape.is_any() {
            return true;
        }
        if shape.types != 0 && shape.types & type_of(value) == 0 {
            return false;
        }
        let inner = Self { hops: HOPS, ..self };
        match value {
            Value::Object(object) => inner.members(object, shape),
            Value::Array(list) => list.iter().enumerate().all(|(at, value)| {
                let item = shape.prefix.get(at).copied().or(shape.item);
                item.is_none_or(|item| inner.fits(value, item))
            }),
            _ => true,
        }
    }

    fn members(self, object: &Map<String, Value>, shape: &Shape) -> bool {
        if shape.props.is_empty() {
            return match &shape.extra {
                Extra::Unsaid | Extra::Free => true,
                Extra::Of(id) => object.values().all(|value| self.fits(value, *id)),
                Extra::Closed | Extra::Patterns(_) => object.is_empty(),
            };
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
                if prop.required || prop.default.is_some() || self.whole {
                    return false;
                }
                continue;
            };
            there += 1;
            let is_synonym = value.is_string() && !prop.synonyms.is_empty();
            if is_synonym || !self.fits(value, prop.shape) {
                return false;
            }
        }
        // What is left may be a field under another name.
        there == object.len()
    }
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
