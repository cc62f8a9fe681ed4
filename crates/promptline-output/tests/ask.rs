//! The stories of the field: politeness around the JSON, a boolean as a string, an answer that is cut off, a
//! field that nobody asked for, and what happens when a model fails twice.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

use promptline_model::{
    Capabilities, ChatRequest, ChatResponse, FinishReason, ModelErrorKind, Scripted, Usage,
};
use promptline_output::{Answer, Language, Outcome, OutputSpec};
use serde_json::{Value, json};

fn video() -> OutputSpec {
    OutputSpec::from_schema(json!({
        "type": "object",
        "properties": {
            "platform": {"enum": ["bilibili", "douyin", "youtube", "other", null]},
            "quality": {"enum": ["720p", "1080p", "4k", "best", null]},
            "subtitle": {"type": ["boolean", "null"]}
        },
        "required": ["platform", "quality", "subtitle"]
    }))
    .unwrap()
    .synonym("quality", "高清", "1080p")
    .unwrap()
}

fn ask(spec: &OutputSpec, model: &Scripted, limit: Option<u32>) -> Answer<Value> {
    let mut request =
        ChatRequest::new().system("抽取下载参数。").user("帮我下载B站视频，高清，带字幕");
    request.max_tokens = limit;
    pollster::block_on(spec.ask_in(model, request, Language::Chinese)).unwrap()
}

#[test]
fn politeness_costs_no_second_request() {
    let model = Scripted::new().says(
        "好的，根据您的描述，我整理出以下信息：\n```json\n{\n\"platform\": \"bilibili\",\n\"quality\": \"高清\",\n\"subtitle\": true\n}\n希望这对你有帮助！",
    );
    let answer = ask(&video(), &model, None);
    let right = json!({"platform": "bilibili", "quality": "1080p", "subtitle": true});
    assert_eq!(answer.value, Some(right));
    assert_eq!(answer.outcome, Outcome::First);
    assert_eq!(model.requests().len(), 1);
    // The constraint follows what the host wrote.
    let system = &model.requests()[0].messages[0].text;
    assert!(system.starts_with("抽取下载参数。"));
    assert!(system.contains("信息不足时填 null，不要猜测。"));
}

#[test]
fn a_boolean_in_a_string_is_a_boolean() {
    let model = Scripted::new()
        .says("{\"platform\": \"bilibili\", \"quality\": \"1080p\", \"subtitle\": \"false\"}");
    let answer = ask(&video(), &model, None);
    assert_eq!(answer.value.unwrap()["subtitle"], json!(false));
    assert_eq!(answer.attempts[0].parsed.coerced.len(), 1);
    assert_eq!(model.requests().len(), 1);
}

#[test]
fn an_answer_that_is_cut_is_asked_for_again_with_more_room() {
    let cut = ChatResponse::new("{\"platform\": \"bilibili\", \"quality\": \"1080p\", \"subt")
        .finish(FinishReason::Length)
        .usage(Usage::new(50, 20));
    let whole = ChatResponse::new(
        "{\"platform\": \"youtube\", \"quality\": \"1080p\", \"subtitle\": true}",
    )
    .usage(Usage::new(90, 25));
    let model = Scripted::new().answers(cut).answers(whole);
    let answer = ask(&video(), &model, Some(20));
    assert_eq!(answer.outcome, Outcome::Retried);
    assert_eq!(answer.usage, Usage::new(140, 45));
    let second = &model.requests()[1];
    assert_eq!(second.max_tokens, Some(40));
    assert!(second.messages.last().unwrap().text.contains("截断"));
    // What was valid first is kept, and that the answers disagree is said.
    assert_eq!(answer.value.unwrap()["platform"], json!("bilibili"));
    assert_eq!(answer.disagreements.len(), 1);
    assert_eq!(answer.disagreements[0].second, json!("youtube"));
}

#[test]
fn the_second_request_names_the_fields() {
    let model = Scripted::new()
        .says("{\"platform\": \"kuaishou\", \"quality\": \"1080p\"}")
        .says("{\"platform\": \"other\", \"quality\": \"1080p\", \"subtitle\": null}");
    let answer = ask(&video(), &model, None);
    assert_eq!(answer.value.unwrap()["platform"], json!("other"));
    let retry = model.requests()[1].messages.last().unwrap().text.clone();
    assert!(retry.contains("platform") && retry.contains("subtitle"), "{retry}");
}

#[test]
fn two_failures_are_no_value_and_no_error() {
    let model = Scripted::new().says("").says("抱歉，我不能。");
    let answer = ask(&video(), &model, None);
    assert_eq!(answer.value, None);
    assert_eq!(answer.outcome, Outcome::Unusable);
    assert_eq!(answer.attempts.len(), 2);

    let half = "{\"platform\": \"bilibili\", \"quality\": \"10";
    let model = Scripted::new().says(half).says(half);
    let answer = ask(&video(), &model, None);
    assert_eq!((answer.value, answer.outcome), (None, Outcome::Truncated));
}

#[test]
fn a_transport_error_is_an_error_and_not_asked_again() {
    let model = Scripted::new().fails(ModelErrorKind::Timeout, "no answer in 30 s");
    let request = ChatRequest::new().user("…");
    let error = pollster::block_on(video().ask::<Value>(&model, request)).unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Timeout);
    assert_eq!(model.requests().len(), 1);
}

#[test]
fn a_field_that_nobody_asked_for_does_not_reach_the_database() {
    let report = OutputSpec::from_schema(json!({
        "type": "object",
        "properties": {
            "company_name": {"type": "string"},
            "revenue": {"type": "number"},
            "profit": {"type": "number"},
            "period": {"type": "string"}
        },
        "required": ["company_name", "revenue", "profit", "period"]
    }))
    .unwrap();
    let model = Scripted::new().says(
        "{\"companyName\": \"ACME\", \"revenue\": \"1,234.5\", \"profit\": 12, \"period\": \"2024Q1\", \"risk_score\": 0.87}",
    );
    let answer: Answer<Value> =
        pollster::block_on(report.ask(&model, ChatRequest::new().user("…"))).unwrap();
    let right =
        json!({"company_name": "ACME", "revenue": 1234.5, "profit": 12, "period": "2024Q1"});
    assert_eq!(answer.value, Some(right));
    let parsed = &answer.attempts[0].parsed;
    assert_eq!(parsed.unknown[0].path, "/risk_score");
    assert_eq!(parsed.unknown[0].value, json!(0.87));
    assert_eq!(parsed.renamed[0].from, "companyName");
}

#[test]
fn a_model_that_can_is_held_to_the_schema() {
    let model = Scripted::new()
        .capabilities(Capabilities::new().json_schema())
        .says("{\"platform\": null, \"quality\": null, \"subtitle\": null}");
    let answer = ask(&video(), &model, None);
    assert_eq!(answer.outcome, Outcome::First);
    let request = &model.requests()[0];
    assert!(request.response_format.is_some());
    assert_eq!(request.messages[0].text, "抽取下载参数。");
}
