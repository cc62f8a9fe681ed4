//! An answer while it comes in: what is shown, and what is said to be final.

use promptline_output::{OnUnknown, OutputSpec};
use proptest::prelude::*;
use serde_json::{Value, json};

fn spec(schema: Value) -> OutputSpec {
    OutputSpec::from_schema(schema).unwrap()
}

fn movie() -> OutputSpec {
    spec(json!({
        "type": "object",
        "properties": {
            "title": {"type": "string"},
            "year": {"type": "integer"},
            "genre": {"enum": ["drama", "comedy"]},
            "cast": {"type": "array", "items": {"type": "object", "properties": {
                "name": {"type": "string"}, "age": {"type": ["integer", "null"]}
            }, "required": ["name"]}},
            "seen": {"type": "boolean", "default": false}
        },
        "required": ["title", "year"]
    }))
}

/// All values that are shown one after the other.
fn shown(spec: &OutputSpec, answer: &str) -> Vec<String> {
    let mut stream = spec.stream();
    let mut all: Vec<String> = Vec::new();
    for c in answer.chars() {
        stream.push(c.encode_utf8(&mut [0; 4]));
        let value = stream.value().map(Value::to_string).unwrap_or_default();
        if all.last() != Some(&value) {
            all.push(value);
        }
    }
    all
}

#[test]
fn fields_come_as_the_schema_wants_them() {
    let answer = "Sure: {\"Title\": \"Ran\", \"rating\": 9, \"year\": \"1,985\", \"genre\": \"DRAMA\", \
                  \"cast\": [{\"name\": \"TN\", \"age\": \"53\"}, 5]}";
    assert_eq!(
        shown(&movie(), answer),
        [
            "",
            r#"{}"#,
            r#"{"title":"R"}"#,
            r#"{"title":"Ra"}"#,
            r#"{"title":"Ran"}"#,
            r#"{"title":"Ran","year":1985}"#,
            r#"{"title":"Ran","year":1985,"genre":"drama"}"#,
            r#"{"title":"Ran","year":1985,"genre":"drama","cast":[]}"#,
            r#"{"title":"Ran","year":1985,"genre":"drama","cast":[{}]}"#,
            r#"{"title":"Ran","year":1985,"genre":"drama","cast":[{"name":"T"}]}"#,
            r#"{"title":"Ran","year":1985,"genre":"drama","cast":[{"name":"TN"}]}"#,
            r#"{"title":"Ran","year":1985,"genre":"drama","cast":[{"name":"TN","age":53}]}"#,
        ]
    );
}

#[test]
fn the_last_value_is_the_whole_one() {
    let answer = "{\"title\": \"Ran\", \"year\": 1985.0, \"x\": 1}";
    let mut stream = movie().stream();
    stream.push(answer);
    let whole = json!({"title": "Ran", "year": 1985, "seen": false});
    assert_eq!(stream.value(), Some(&whole));
    assert_eq!(stream.open_path(), None);
    assert_eq!(stream.finish().fitting(), Some(&whole));
}

#[test]
fn what_is_not_decided_is_not_shown() {
    let pets = spec(json!({"anyOf": [
        {"type": "object", "properties": {"kind": {"const": "cat"}, "n": {"type": "integer"}}, "required": ["kind", "n"]},
        {"type": "object", "properties": {"kind": {"const": "dog"}, "n": {"type": "string"}}, "required": ["kind", "n"]},
        {"type": "null"}
    ]}));
    assert_eq!(
        shown(&pets, "{\"kind\": \"dog\", \"n\": 1}"),
        ["", "{\"kind\":\"dog\",\"n\":\"1\"}"]
    );
    // A declared word may come of any text.
    let quality = spec(json!({"type": "object", "properties": {"q": {"type": "string"}}}));
    let words = quality.clone().synonym("q", "hd", "1080p").unwrap();
    assert_eq!(shown(&words, "{\"q\": \"hd\"}"), ["{}", "{\"q\":\"1080p\"}"]);
    assert_eq!(shown(&quality, "{\"q\": \"hd\"}"), ["{}", "{\"q\":\"h\"}", "{\"q\":\"hd\"}"]);
    let open = quality.on_unknown(OnUnknown::Keep);
    assert_eq!(shown(&open, "{\"z\": [\"hd\"]}").last().unwrap(), "{\"z\":[\"hd\"]}");
}

#[test]
fn what_is_final_stays() {
    let answer =
        "{\"Title\": \"Ran\", \"year\": 1985, \"cast\": [{\"name\": \"TN\"}], \"seen\": true}";
    let mut stream = movie().stream();
    let mut order = Vec::new();
    for c in answer.chars() {
        stream.push(c.encode_utf8(&mut [0; 4]));
        for path in ["/title", "/year", "/cast/0/name", "/cast/0", "/cast", "/seen", ""] {
            if stream.is_final(path) && !order.contains(&path) {
                order.push(path);
            }
        }
    }
    assert_eq!(order, ["/title", "/year", "/cast/0/name", "/cast/0", "/cast", "/seen", ""]);
}

#[test]
fn a_list_leaves_out_what_does_not_fit() {
    let list = spec(json!({"type": "array", "items": {"type": "integer"}}));
    let answer = "[1, \"x\", [2], 3.5, \"4\", 5, 6";
    assert_eq!(shown(&list, answer), ["[]", "[1]", "[1,2]", "[1,2,4]", "[1,2,4,5]"]);
}

/// Whether a value is the beginning of another.
fn is_within(part: &Value, whole: &Value) -> bool {
    match (part, whole) {
        (Value::String(part), Value::String(whole)) => whole.starts_with(part.as_str()),
        (Value::Array(part), Value::Array(whole)) => {
            part.len() <= whole.len()
                && part.iter().zip(whole).all(|(one, two)| is_within(one, two))
        }
        (Value::Object(part), Value::Object(whole)) => {
            part.iter().all(|(key, one)| whole.get(key).is_some_and(|two| is_within(one, two)))
        }
        _ => part == whole,
    }
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-99i64..99).prop_map(Value::from),
        "[a-c~/\"\\\\é]{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map("[abC/~]{1,2}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// By a schema that any JSON fits, the shown value only grows into the whole one.
    #[test]
    fn it_grows_into_the_whole(inner in value(), at in 1usize..9) {
        let any = spec(json!({"type": "object", "properties": {"v": {"$ref": "#/$defs/any"}}, "required": ["v"], "$defs": {"any": {"anyOf": [
            {"type": ["string", "number", "boolean", "null"]},
            {"type": "array", "items": {"$ref": "#/$defs/any"}},
            {"type": "object", "additionalProperties": {"$ref": "#/$defs/any"}}
        ]}}}));
        let whole = json!({ "v": inner });
        let answer = whole.to_string();
        let mut stream = any.stream();
        let mut before: Option<Value> = None;
        let chars: Vec<char> = answer.chars().collect();
        for piece in chars.chunks(at) {
            stream.push(&piece.iter().collect::<String>());
            let value = stream.value().cloned();
            if let Some(value) = &value {
                prop_assert!(is_within(value, &whole), "{value} in {whole}");
            }
            if let Some(before) = &before {
                prop_assert!(is_within(before, value.as_ref().unwrap()), "{before}");
            }
            before = value;
        }
        prop_assert_eq!(before.as_ref(), Some(&whole));
    }

    #[test]
    fn any_text_ends_well(text in "[\\{\\}\\[\\]\"',:\\\\ acst1\n`é]{0,60}") {
        let mut stream = movie().stream();
        for c in text.chars() {
            stream.push(c.encode_utf8(&mut [0; 4]));
            let open = stream.open_path();
            let value = stream.value().cloned();
            prop_assert!(value.is_none() || open.is_none() || open.unwrap().is_empty() || value.is_some());
        }
        prop_assert_eq!(stream.finish().value, movie().parse(&text).value);
    }
}

#[test]
fn braces_in_prose_do_not_hide_the_answer() {
    let schema =
        json!({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]});
    let spec = OutputSpec::from_schema(schema).unwrap();
    for answer in [
        "I use {\"x\": 1} as a note. {\"name\": \"Ann\"}",
        "See [1] and [2]. Then: {\"name\": \"Ann\"}",
        "设 {a: 1}，则结果为 {\"name\": \"Ann\"}",
        "{} is empty. {\"name\": \"Ann\"}",
    ] {
        let mut stream = spec.stream();
        for c in answer.chars() {
            stream.push(c.encode_utf8(&mut [0; 4]));
            stream.value();
        }
        assert_eq!(stream.value(), Some(&json!({"name": "Ann"})), "{answer}");
    }
}
