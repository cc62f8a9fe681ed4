//! What a prompt says of the answer, in both languages, and what is sent to providers that hold a model to a
//! schema.

use promptline_output::{Language, OutputSpec};
use serde_json::{Value, json};

/// Both texts in one file: whoever changes one reads the other.
fn both(spec: &OutputSpec) -> String {
    let [english, chinese] =
        [Language::English, Language::Chinese].map(|language| spec.constraint(language));
    format!("{english}\n\n————\n\n{chinese}\n")
}

fn spec(schema: Value) -> OutputSpec {
    OutputSpec::from_schema(schema).unwrap()
}

fn video() -> Value {
    json!({
        "title": "video_request",
        "type": "object",
        "properties": {
            "platform": {"enum": ["bilibili", "douyin", "youtube", "other", null], "description": "视频所在的平台"},
            "quality": {"enum": ["720p", "1080p", "4k", "best", null]},
            "subtitle": {"type": ["boolean", "null"], "description": "是否需要字幕"}
        },
        "required": ["platform", "quality", "subtitle"],
        "additionalProperties": false
    })
}

fn report() -> Value {
    json!({
        "title": "financial_report",
        "type": "object",
        "properties": {
            "company_name": {"type": "string", "description": "full legal name"},
            "revenue": {"type": "number", "minimum": 0, "description": "in million CNY"},
            "profit": {"type": ["number", "null"]},
            "period": {"type": "string", "pattern": "^\\d{4}(Q[1-4])?$", "examples": ["2024Q1"]},
            "audited": {"type": "boolean", "default": false}
        },
        "required": ["company_name", "revenue", "profit", "period"]
    })
}

fn nested() -> Value {
    json!({
        "type": "object",
        "properties": {
            "customer": {"type": "object", "properties": {
                "name": {"type": "string"},
                "age": {"type": ["integer", "null"], "minimum": 0, "maximum": 150},
                "address": {"type": "object", "properties": {
                    "city": {"type": "string"}, "zip": {"type": "string", "maxLength": 6}
                }, "required": ["city"]}
            }, "required": ["name", "age"]},
            "items": {"type": "array", "minItems": 1, "items": {"type": "object", "properties": {
                "sku": {"type": "string"}, "count": {"type": "integer", "exclusiveMinimum": 0}
            }, "required": ["sku", "count"]}},
            "tags": {"type": "array", "items": {"enum": ["gift", "express"]}, "maxItems": 3},
            "due": {"type": "string", "format": "date"}
        },
        "required": ["customer", "items"]
    })
}

fn union() -> Value {
    json!({
        "description": "what the assistant does next",
        "oneOf": [
            {"$ref": "#/$defs/Search"},
            {"type": "object", "title": "Answer", "properties": {
                "action": {"const": "answer"},
                "text": {"type": "string"},
                "score": {"anyOf": [{"type": "number"}, {"type": "string"}, {"type": "null"}]}
            }, "required": ["action", "text", "score"]}
        ],
        "$defs": {"Search": {"type": "object", "properties": {
            "action": {"const": "search"},
            "queries": {"type": "array", "items": {"type": "string"}}
        }, "required": ["action", "queries"]}}
    })
}

fn recursive() -> Value {
    json!({
        "$ref": "#/$defs/Node",
        "$defs": {"Node": {"type": "object", "properties": {
            "name": {"type": "string"},
            "children": {"type": "array", "items": {"$ref": "#/$defs/Node"}}
        }, "required": ["name", "children"]}}
    })
}

fn synonyms() -> OutputSpec {
    spec(json!({
        "type": "object",
        "properties": {
            "quality": {"enum": ["720p", "1080p"], "x-enum-alias": {"720p": ["标清", "SD"], "1080p": "高清"}},
            "level": {"type": "integer", "enum": [1, 2, 3]},
            "note": {"type": "string", "x-alias": "备注"}
        },
        "required": ["quality", "level"]
    }))
    .synonym("quality", "全高清", "1080p")
    .unwrap()
}

fn others() -> OutputSpec {
    spec(json!({
        "type": "object",
        "properties": {
            "scores": {"type": "object", "additionalProperties": {"type": "number"}},
            "point": {"type": "array", "prefixItems": [{"type": "number"}, {"type": "number"}]},
            "when": {"type": "string", "format": "date-time"},
            "anything": {},
            "free": {"type": "object"}
        },
        "required": ["scores", "point", "when", "anything", "free"],
        "additionalProperties": true
    }))
}

#[test]
fn the_example_fits() {
    for spec in [
        spec(video()),
        spec(report()),
        spec(nested()),
        spec(union()),
        spec(recursive()),
        synonyms(),
        others(),
        spec(json!({"type": "array", "items": report(), "minItems": 2})),
        spec(json!({"enum": ["positive", "negative", "neutral"]})),
        spec(json!({"type": "integer", "exclusiveMinimum": 10, "multipleOf": 4})),
        spec(json!({"type": "number", "maximum": 0.5})),
        OutputSpec::any(),
    ] {
        for text in [spec.constraint(Language::English), spec.constraint(Language::Chinese)] {
            let is_heading =
                |line: &&str| line.starts_with("Example") || line.starts_with("格式示例");
            let example = text.lines().skip_while(|line| !is_heading(line)).nth(1).unwrap();
            let parsed = spec.parse(example);
            assert!(parsed.fits, "{example}: {:?}", parsed.issues);
            assert!(parsed.coerced.is_empty() && parsed.unknown.is_empty(), "{example}");
        }
    }
}

#[test]
fn the_constraint_text() {
    insta::assert_snapshot!("video", both(&spec(video())));
    insta::assert_snapshot!("report", both(&spec(report())));
    insta::assert_snapshot!("nested", both(&spec(nested())));
    insta::assert_snapshot!("union", both(&spec(union())));
    insta::assert_snapshot!("recursive", both(&spec(recursive())));
    insta::assert_snapshot!("synonyms", both(&synonyms()));
    insta::assert_snapshot!("others", both(&others()));
    insta::assert_snapshot!("list", both(&spec(json!({"type": "array", "items": report()}))));
    insta::assert_snapshot!(
        "word",
        both(&spec(json!({"enum": ["positive", "negative", "neutral"]})))
    );
    insta::assert_snapshot!("any", both(&OutputSpec::any()));
}

/// What is sent, and what it does not say.
fn native(format: promptline_output::NativeFormat) -> Value {
    let unsupported: Vec<String> = format
        .unsupported
        .iter()
        .map(|one| format!("{} {}: {}", one.path, one.keyword, one.action))
        .collect();
    json!({"parameters": format.parameters, "unsupported": unsupported})
}

#[test]
fn native_parameters() {
    insta::assert_json_snapshot!(
        "openai_strict",
        native(spec(report()).openai_response_format(true))
    );
    insta::assert_json_snapshot!(
        "openai_loose",
        native(spec(report()).openai_response_format(false))
    );
    insta::assert_json_snapshot!("anthropic", native(synonyms().anthropic_tool()));
    insta::assert_json_snapshot!("gemini", native(spec(union()).gemini_generation_config()));
}

#[test]
fn what_a_strict_provider_answers_fits() {
    // Every field is there, and null stands for leaving it out.
    let answer = "{\"company_name\": \"ACME\", \"revenue\": 1, \"profit\": null, \"period\": \"2024\", \"audited\": null}";
    let parsed = spec(report()).parse(answer);
    assert_eq!(parsed.fitting().unwrap()["audited"], json!(false));
}

#[test]
fn a_schema_that_no_tool_has_is_sent_as_it_is_and_said() {
    let list = spec(json!({"type": "array", "items": {"type": "integer"}}));
    let format = list.openai_response_format(true);
    assert_eq!(format.parameters["json_schema"]["schema"], *list.schema());
    assert_eq!(format.parameters["json_schema"]["strict"], json!(false));
    assert_eq!(format.unsupported[0].keyword, "strict");
}
