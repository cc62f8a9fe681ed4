//! Answers that were cut off, by a schema: what is not whole counts as missing, and never as a value.

use promptline_output::{Coercion, IssueKind, OutputSpec, Risk};
use serde_json::{Value, json};

fn spec(required: Value) -> OutputSpec {
    let schema = json!({
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "price": {"type": "number"},
            "sold": {"type": "boolean"},
            "sizes": {"type": "array", "items": {"type": "integer"}},
            "seller": {"type": "object", "properties": {"id": {"type": "integer"}}},
            "either": {"anyOf": [{"type": "integer"}, {"type": "boolean"}]},
        },
        "required": required,
    });
    OutputSpec::from_schema(schema).unwrap()
}

#[test]
fn what_may_be_left_out_is_left_out() {
    for (answer, value, path) in [
        (r#"{"name": "a", "price": 12"#, json!({"name": "a"}), "/price"),
        (r#"{"name": "a", "price": -"#, json!({"name": "a"}), "/price"),
        (r#"{"name": "a", "sold": tr"#, json!({"name": "a"}), "/sold"),
        (r#"{"name": "a", "either": 1"#, json!({"name": "a"}), "/either"),
        (r#"{"name": "a", "seller": {"id": 7"#, json!({"name": "a", "seller": {}}), "/seller/id"),
    ] {
        let parsed = spec(json!(["name"])).parse(answer);
        assert!(parsed.fits, "{answer}: {:?}", parsed.issues);
        assert_eq!(parsed.value, Some(value), "{answer}");
        assert_eq!(parsed.truncated.as_ref().unwrap().path, path, "{answer}");
        if !answer.ends_with('-') {
            let left_out = parsed.coerced.iter().find(|one| one.how == Coercion::LeftOut).unwrap();
            assert_eq!((left_out.path.as_str(), left_out.risk), (path, Risk::Lossy), "{answer}");
        }
    }
}

#[test]
fn what_is_wanted_is_missing() {
    let parsed = spec(json!(["name", "price"])).parse(r#"{"name": "a", "price": 12"#);
    assert!(!parsed.fits);
    let issue = &parsed.issues[0];
    assert_eq!((issue.kind, issue.path.as_str()), (IssueKind::Truncated, "/price"));
    // A list without its last element is another list: what is there is shown, and does not fit.
    let parsed = spec(json!([])).parse(r#"{"sizes": [1, 2, 3"#);
    assert!(!parsed.fits);
    assert_eq!(parsed.value, Some(json!({"sizes": [1, 2, 3]})));
    assert_eq!(parsed.issues[0].path, "/sizes/2");
}

#[test]
fn what_is_left_out_is_lost() {
    let careful = spec(json!(["name"])).max_risk(Risk::Guess);
    assert!(!careful.parse(r#"{"name": "a", "price": 12"#).fits);
    assert!(careful.parse(r#"{"name": "a", "price": 12,"#).fits);
}

/// A prefix gives nothing that the whole does not hold.
#[test]
fn every_prefix_is_within_the_whole() {
    let whole = json!({
        "name": "a b", "price": 12.5, "sold": false, "sizes": [10, 200], "seller": {"id": 31}, "either": 45,
    });
    let text = whole.to_string();
    for at in 1..text.len() {
        let parsed = spec(json!([])).parse(&text[..at]);
        assert!(parsed.truncated.is_some(), "{}", &text[..at]);
        if !parsed.fits {
            assert!(parsed.truncated.unwrap().path.starts_with("/sizes/"), "{}", &text[..at]);
            continue;
        }
        let value = parsed.value.unwrap();
        for (key, value) in value.as_object().unwrap() {
            let inside = match (value, &whole[key]) {
                (Value::String(part), Value::String(all)) => all.starts_with(part.as_str()),
                (Value::Array(part), Value::Array(all)) => all.starts_with(part),
                (Value::Object(part), all) => part.is_empty() || value == all,
                (value, all) => value == all,
            };
            assert!(inside, "{}: {key} is {value}", &text[..at]);
        }
    }
}
