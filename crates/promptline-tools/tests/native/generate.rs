//! Schemas and instances for the laws. `meaningful` schemas are well-formed, and never hold themselves,
//! so that they can be asked about instances; `wild` ones are anything that somebody might send.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Map, Value, json};

const NAMES: [&str; 5] = ["a", "b", "c", "d", "long name"];
const DEFINITIONS: [&str; 3] = ["A", "B", "C"];

fn merged(parts: Vec<Value>) -> Value {
    let maps = parts.into_iter().filter_map(|part| match part {
        Value::Object(map) => Some(map),
        _ => None,
    });
    Value::Object(maps.flatten().collect())
}

/// With some annotations, or none.
fn annotated(schema: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    let words = option::weighted(0.3, select(vec!["Words.", "", "- a list\n# and more"]));
    (schema, words).prop_map(|(schema, words)| match words {
        Some(words) => merged(vec![json!({ "description": words }), schema]),
        None => schema,
    })
}

fn string() -> impl Strategy<Value = Value> {
    let more = prop_oneof![
        4 => Just(json!({})),
        1 => Just(json!({"minLength": 2})),
        1 => Just(json!({"maxLength": 1})),
        1 => Just(json!({"enum": ["x", "yy"]})),
        1 => Just(json!({"pattern": "^x"})),
    ];
    more.prop_map(|more| merged(vec![json!({"type": "string"}), more]))
}

fn number() -> impl Strategy<Value = Value> {
    let more = prop_oneof![
        4 => Just(json!({})),
        1 => (-3..3_i64).prop_map(|low| json!({ "minimum": low })),
        1 => (-3..3_i64).prop_map(|high| json!({ "maximum": high })),
        1 => Just(json!({"exclusiveMinimum": 0})),
        1 => Just(json!({"multipleOf": 2})),
        1 => Just(json!({"enum": [0, 1, 2]})),
    ];
    (select(vec!["integer", "number"]), more)
        .prop_map(|(name, more)| merged(vec![json!({ "type": name }), more]))
}

fn leaf() -> impl Strategy<Value = Value> {
    annotated(prop_oneof![
        4 => string(),
        4 => number(),
        2 => Just(json!({"type": "boolean"})),
        1 => Just(json!({"type": "null"})),
        1 => Just(json!({"const": "x"})),
        1 => Just(json!({"const": 1})),
        1 => Just(json!({"type": ["string", "null"]})),
        1 => Just(json!({"type": ["string", "integer"], "minLength": 2, "minimum": 1})),
        1 => Just(json!({"type": ["string", "null"], "enum": ["x", null]})),
        1 => Just(json!({})),
        1 => Just(json!({"type": "array"})),
        1 => Just(json!({"type": "object"})),
    ])
}

fn object(inner: impl Strategy<Value = Value> + Clone) -> impl Strategy<Value = Value> {
    let additional = prop_oneof![
        5 => Just(None),
        1 => Just(Some(json!(false))),
        1 => Just(Some(json!(true))),
        1 => inner.clone().prop_map(Some),
    ];
    subsequence(NAMES.to_vec(), 0..4)
        .prop_flat_map(move |names| {
            let count = names.len();
            let required = subsequence(names.clone(), 0..=count);
            (Just(names), vec(inner.clone(), count), required)
        })
        .prop_map(|(names, schemas, required)| {
            let names = names.into_iter().map(str::to_owned);
            let properties: Map<String, Value> = names.zip(schemas).collect();
            let mut schema = json!({"type": "object", "properties": properties});
            if !required.is_empty() {
                schema["required"] = json!(required);
            }
            schema
        })
        .prop_flat_map(move |schema| (Just(schema), additional.clone()))
        .prop_map(|(schema, additional)| match additional {
            Some(additional) => merged(vec![schema, json!({ "additionalProperties": additional })]),
            None => schema,
        })
}

fn tree(
    leaf: impl Strategy<Value = Value> + Clone + 'static,
) -> impl Strategy<Value = Value> + Clone {
    leaf.prop_recursive(3, 16, 4, |inner| {
        annotated(prop_oneof![
            4 => object(inner.clone()),
            2 => inner.clone().prop_map(|items| json!({"type": "array", "items": items})),
            1 => inner.clone().prop_map(|one| json!({"anyOf": [one, {"type": "null"}]})),
            1 => vec(inner.clone(), 1..3).prop_map(|all| json!({ "anyOf": all })),
            1 => vec(inner.clone(), 1..3).prop_map(|all| json!({ "oneOf": all })),
            1 => vec(inner.clone(), 1..3).prop_map(|all| json!({ "allOf": all })),
            1 => vec(inner, 1..3).prop_map(|all| json!({"type": "array", "prefixItems": all})),
        ])
    })
}

fn arguments(inner: impl Strategy<Value = Value> + Clone) -> impl Strategy<Value = Value> {
    let rules = prop_oneof![
        6 => Just(json!({})),
        1 => Just(json!({"oneOf": [{"required": ["a"]}, {"required": ["b"]}]})),
        1 => Just(json!({"anyOf": [{"$ref": "#/$defs/A"}, {"required": ["b"]}]})),
        1 => Just(json!({"allOf": [{"$ref": "#/$defs/B"}]})),
        1 => Just(json!({"$schema": "https://json-schema.org/draft/2020-12/schema"})),
    ];
    (object(inner.clone()), vec(inner, DEFINITIONS.len()), rules).prop_map(
        |(schema, definitions, rules)| {
            let names = DEFINITIONS.into_iter().map(str::to_owned);
            let definitions: Map<String, Value> = names.zip(definitions).collect();
            merged(vec![schema, rules, json!({ "$defs": definitions })])
        },
    )
}

/// Schemas of arguments that are well-formed and can be asked about instances.
pub(crate) fn meaningful() -> impl Strategy<Value = Value> {
    let reference = select(DEFINITIONS.to_vec());
    let reference = reference.prop_map(|name| json!({"$ref": format!("#/$defs/{name}")}));
    // What is defined refers to nothing: nothing holds itself.
    let plain = tree(leaf().boxed());
    let with_references = tree(prop_oneof![4 => leaf(), 1 => annotated(reference)].boxed());
    (arguments(plain), object(with_references)).prop_map(|(whole, uses)| {
        let mut whole = whole;
        whole["properties"]["uses"] = uses;
        whole
    })
}

/// What stands in schemas that nobody checked.
fn junk() -> impl Strategy<Value = Value> {
    let any = select(vec![
        json!(null),
        json!(true),
        json!(false),
        json!(7),
        json!("text"),
        json!([]),
        json!([null, 1, "a"]),
        json!({}),
        json!({"$ref": "#"}),
        json!({"$ref": "#/$defs/A"}),
        json!({"$ref": "#/$defs/A", "description": "Beside it."}),
        json!({"$ref": "#/properties/a"}),
        json!({"$ref": "#/nowhere"}),
        json!({"$ref": "https://example.org/schema.json"}),
        json!({"type": "STRING", "nullable": true}),
        json!({"type": "text"}),
        json!({"type": []}),
        json!({"type": ["object", "file", "null"]}),
        json!({"not": {"type": "null"}, "if": {}, "then": {"required": ["a"]}}),
        json!({"patternProperties": {"^x": {"type": "string"}}, "type": "object"}),
        json!({"items": [{"type": "string"}, {"$ref": "#/$defs/B"}]}),
        json!({"enum": [{"a": 1}, [], "x", null]}),
        json!({"enum": []}),
        json!({"required": true}),
        json!({"required": ["a", "a", "zz", 3]}),
        json!({"properties": []}),
        json!({"properties": {"a": "string"}}),
        json!({"exclusiveMinimum": true, "minimum": 1, "type": "integer"}),
        json!({"format": "uri", "type": "string"}),
        json!({"default": {"deep": [[[[1]]]]}, "x-order": 1}),
        json!({"dependencies": {"a": ["b"], "b": {"required": ["c"]}}}),
        json!({"allOf": [{"$ref": "#/$defs/A"}, {"allOf": [{"$ref": "#/$defs/C"}]}]}),
    ]);
    prop_oneof![3 => any, 1 => leaf()]
}

/// Anything.
pub(crate) fn wild() -> impl Strategy<Value = Value> {
    let broken = (meaningful(), vec((any::<prop::sample::Index>(), junk()), 0..6)).prop_map(
        |(mut schema, breaks)| {
            for (at, junk) in breaks {
                let mut places = Vec::new();
                pointers(&schema, &mut String::new(), &mut places);
                let place = at.get(&places).clone();
                if let Some(value) = schema.pointer_mut(&place) {
                    *value = junk;
                }
            }
            schema
        },
    );
    prop_oneof![8 => broken, 1 => junk()]
}

/// Where something stands, but for the root.
fn pointers(value: &Value, path: &mut String, places: &mut Vec<String>) {
    let inside: Vec<(String, &Value)> = match value {
        Value::Object(map) => map.iter().map(|(key, value)| (key.clone(), value)).collect(),
        Value::Array(items) => {
            items.iter().enumerate().map(|(at, value)| (at.to_string(), value)).collect()
        }
        _ => Vec::new(),
    };
    for (key, value) in inside {
        let length = path.len();
        path.push('/');
        path.push_str(&key.replace('~', "~0").replace('/', "~1"));
        places.push(path.clone());
        pointers(value, path, places);
        path.truncate(length);
    }
}

/// Instances that are near what the schemas are about.
pub(crate) fn instance() -> impl Strategy<Value = Value> {
    let scalar = select(vec![
        json!(null),
        json!(true),
        json!(-1),
        json!(0),
        json!(1),
        json!(2),
        json!(1.5),
        json!(""),
        json!("x"),
        json!("yy"),
        json!("zzz"),
    ]);
    scalar.prop_recursive(3, 12, 4, |inner| {
        let names = subsequence(vec!["a", "b", "c", "d", "long name", "uses", "other"], 0..5);
        let object = names.prop_flat_map({
            let inner = inner.clone();
            move |names| {
                let count = names.len();
                (Just(names), vec(inner.clone(), count))
            }
        });
        prop_oneof![
            3 => object.prop_map(|(names, values)| {
                names.into_iter().map(str::to_owned).zip(values).collect::<Map<_, _>>().into()
            }),
            1 => vec(inner, 0..3).prop_map(Value::Array),
        ]
    })
}

/// Instances of objects, for a schema of arguments: some of them are valid.
pub(crate) fn instances() -> impl Strategy<Value = Vec<Value>> {
    vec(instance(), 12)
}
