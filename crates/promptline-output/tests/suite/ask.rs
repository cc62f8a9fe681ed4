//! The stories of the field: politeness around the JSON, a boolean as a string, an answer that is cut off, a
//! field that nobody asked for, and what happens when a model fails twice.

use promptline_model::{
    Capabilities, ChatRequest, ChatResponse, FinishReason, ModelErrorKind, ResponseFormat, Role,
    Scripted, Usage,
};
use promptline_output::{Answer, Language, Mode, OnUnknown, Outcome, OutputSpec, Risk};
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
    let error = pollster::block_on(video().ask(&model, request)).unwrap_err();
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
    let request = model.requests()[0].clone();
    assert!(request.response_format.is_some());
    assert_eq!(request.messages[0].text, "抽取下载参数。");
}

#[test]
fn only_the_fields_that_were_wrong_are_enough() {
    let model = Scripted::new()
        .says("{\"platform\": \"youtube\", \"quality\": \"8k\", \"subtitle\": true}")
        .says("{\"quality\": \"4k\"}");
    let answer = ask(&video(), &model, None);
    let right = json!({"platform": "youtube", "quality": "4k", "subtitle": true});
    assert_eq!((answer.value, answer.outcome), (Some(right), Outcome::Retried));
    assert!(answer.disagreements.is_empty());
}

#[test]
fn two_halves_are_no_whole() {
    // Whether something would have followed behind the last field, nobody knows.
    let model = Scripted::new()
        .says("{\"platform\": \"youtube\", \"quality\": \"4k\", ")
        .says("{\"platform\": \"youtube\", \"subtitle\": true, ");
    let answer = ask(&video(), &model, None);
    assert_eq!((answer.value, answer.json, answer.outcome), (None, None, Outcome::Truncated));
}

#[test]
fn where_both_do_not_go_together_the_second_counts() {
    let spec = OutputSpec::from_schema(json!({
        "type": "object",
        "properties": {"from": {"type": "integer"}, "to": {"type": "integer"}, "unit": {"enum": ["m", "km"]}},
        "required": ["from", "to", "unit"],
        "if": {"properties": {"unit": {"const": "km"}}},
        "then": {"properties": {"to": {"maximum": 10}}},
    }))
    .unwrap();
    let model = Scripted::new()
        .says("{\"from\": 1, \"to\": 2000, \"unit\": \"metres\"}")
        .says("{\"from\": 1, \"to\": 2, \"unit\": \"km\"}");
    let answer = ask(&spec, &model, None);
    assert_eq!(answer.value, Some(json!({"from": 1, "to": 2, "unit": "km"})));
    assert_eq!(answer.disagreements.len(), 1);
    assert!(!answer.disagreements[0].kept_first);
}

#[test]
fn a_default_is_nothing_that_was_said() {
    let spec = video().default("subtitle", false).unwrap();
    let model = Scripted::new()
        .says("{\"platform\": \"youtube\", \"quality\": \"8k\"}")
        .says("{\"platform\": \"youtube\", \"quality\": \"4k\", \"subtitle\": true}");
    let answer = ask(&spec, &model, None);
    assert_eq!(answer.value.unwrap()["subtitle"], json!(true));
    assert!(answer.disagreements.is_empty());
}

#[test]
fn what_is_worth_a_second_request() {
    let whole = "{\"platform\": \"youtube\", \"quality\": \"4k\", \"subtitle\": true}";
    let careful = video().max_risk(Risk::Lossless);
    for (spec, first, requests) in [
        (video(), whole, 1),
        (video(), "Sure! {'platform': youtube, quality: 4k, subtitle: yes}", 1),
        (video(), "{\"platform\": null, \"quality\": null, \"subtitle\": null, \"x\": 1}", 1),
        (video(), "", 2),
        (video(), "  \n", 2),
        (video(), "I cannot know that.", 2),
        (video(), "<think>The user wants", 2),
        (video(), &whole[..40], 2),
        (video(), &whole[..whole.len() - 1], 2),
        (video(), "{\"platform\": \"youtube\", \"quality\": \"4k\"}", 2),
        (video(), "{\"platform\": \"youtube\", \"quality\": \"4k\", \"subtitle\": 7}", 2),
        (video(), "{\"platform\": \"vimeo\", \"quality\": \"4k\", \"subtitle\": true}", 2),
        (
            video(),
            "{\"platform\": \"youtube or douyin\", \"quality\": null, \"subtitle\": true}",
            2,
        ),
        (video(), "[]", 2),
        (
            video().on_unknown(OnUnknown::Reject),
            "{\"platform\": null, \"quality\": null, \"subtitle\": null, \"x\": 1}",
            2,
        ),
        (careful, "{\"platform\": \"it is youtube\", \"quality\": \"4k\", \"subtitle\": true}", 2),
    ] {
        let model = Scripted::new().says(first).says(whole).says(whole);
        let answer = ask(&spec, &model, None);
        assert_eq!(
            model.requests().len(),
            requests,
            "{first}: {:?}",
            answer.attempts[0].parsed.issues
        );
        assert_eq!(answer.attempts.len(), requests);
        let tried = &answer.attempts[0].parsed;
        assert!(requests == 1 || !tried.issues.is_empty() || tried.truncated.is_some(), "{first}");
    }
    let filtered = ChatResponse::new("").finish(FinishReason::ContentFilter);
    let model = Scripted::new().answers(filtered).says(whole);
    assert_eq!(ask(&video(), &model, None).outcome, Outcome::Unusable);
    assert_eq!(model.requests().len(), 1);
}

#[test]
fn the_limit_of_a_cut_answer_is_raised_and_of_others_it_is_not() {
    for (first, limit, raised) in [
        ("{\"platform\": \"you", Some(20), Some(40)),
        ("{\"platform\": \"you", None, Some(4096)),
        ("no", Some(20), Some(20)),
        ("no", None, None),
    ] {
        let model = Scripted::new().says(first).says("no");
        ask(&video(), &model, limit);
        assert_eq!(model.requests()[1].max_tokens, raised, "{first}");
    }
}

#[test]
fn what_is_sent_back_is_bounded_and_never_empty() {
    let model = Scripted::new().says("").says("no");
    ask(&video(), &model, None);
    let roles: Vec<Role> = model.requests()[1].messages.iter().map(|one| one.role).collect();
    assert_eq!(roles, [Role::System, Role::User, Role::User]);

    let model = Scripted::new().says("哈".repeat(100_000)).says("no");
    ask(&video(), &model, None);
    let sent = model.requests()[1].messages[2].clone();
    assert_eq!(sent.role, Role::Assistant);
    assert!(sent.text.len() < 10_000 && sent.text.ends_with("哈…"));

    // A list in which everything is wrong has as many reasons as somebody would read.
    let list =
        OutputSpec::from_schema(json!({"type": "array", "items": {"type": "integer"}})).unwrap();
    let model = Scripted::new().says(format!("[{}\"x\"]", "\"x\", ".repeat(5_000))).says("no");
    ask(&list, &model, None);
    let message = model.requests()[1].messages.last().unwrap().text.clone();
    assert!(message.len() < 3_000 && message.contains("4989"), "{message}");
}

#[test]
fn a_model_that_was_to_be_held_to_the_schema_and_was_not_is_told_it() {
    let model = Scripted::new()
        .capabilities(Capabilities::new().json_schema())
        .says("The video is on YouTube.")
        .says("{\"platform\": \"youtube\", \"quality\": null, \"subtitle\": null}");
    let answer = ask(&video(), &model, None);
    assert_eq!(answer.outcome, Outcome::Retried);
    let retry = model.requests()[1].clone();
    assert!(retry.response_format.is_some());
    assert!(retry.messages.last().unwrap().text.contains(&video().constraint(Language::Chinese)));
}

#[test]
fn a_model_that_can_only_do_objects_is_told_the_rest() {
    let model = Scripted::new()
        .capabilities(Capabilities::new().json_object())
        .says("{\"platform\": null, \"quality\": null, \"subtitle\": null}");
    ask(&video(), &model, None);
    let request = model.requests()[0].clone();
    assert_eq!(request.response_format, Some(ResponseFormat::JsonObject));
    assert!(request.messages[0].text.contains("platform"));
}

#[test]
fn a_type_that_takes_less_than_the_schema_is_said() {
    let spec = OutputSpec::from_schema(json!({"type": "integer"})).unwrap().typed::<u8>();
    let model = Scripted::new().says("300");
    let answer: Answer<u8> =
        pollster::block_on(spec.ask(&model, ChatRequest::new().user("…"))).unwrap();
    assert_eq!((answer.value, answer.json, answer.outcome), (None, None, Outcome::Unusable));
    assert!(answer.attempts[0].parsed.issues[0].message.contains("the Rust type does not"));
    // A float that is an integer is one.
    let model = Scripted::new().says("30.0");
    let answer: Answer<u8> =
        pollster::block_on(spec.ask(&model, ChatRequest::new().user("…"))).unwrap();
    assert_eq!(answer.value, Some(30));
}

#[test]
fn a_transport_error_of_the_second_request_keeps_the_first_answer() {
    let first = ChatResponse::new("no").usage(Usage::new(50, 2));
    let model = Scripted::new().answers(first).fails(ModelErrorKind::RateLimit, "slow down");
    let request = ChatRequest::new().user("…");
    let answer = pollster::block_on(video().ask(&model, request)).unwrap();
    assert_eq!(answer.error.as_ref().unwrap().kind(), ModelErrorKind::RateLimit);
    assert_eq!((answer.attempts.len(), answer.usage), (1, Usage::new(50, 2)));
    assert_eq!((&answer.value, answer.outcome), (&None, Outcome::Unusable));
    assert!(answer.explain().contains("slow down") && answer.explain().contains("\nno\n"));
}

const WHOLE: &str = "{\"platform\": \"youtube\", \"quality\": \"4k\", \"subtitle\": true}";

#[test]
fn an_answer_that_the_provider_cut_off_is_asked_for_again_though_it_fits() {
    let cut = || ChatResponse::new(WHOLE).finish(FinishReason::Length);
    let model = Scripted::new().answers(cut()).says(WHOLE);
    assert_eq!(ask(&video(), &model, None).outcome, Outcome::Retried);
    let model = Scripted::new().answers(cut()).answers(cut());
    assert_eq!(ask(&video(), &model, None).outcome, Outcome::Truncated);
    let model = Scripted::new().answers(cut());
    let asking = video().asking().accept_cut();
    let answer = pollster::block_on(asking.send(&model, ChatRequest::new().user("…"))).unwrap();
    assert_eq!(answer.outcome, Outcome::First);
}

#[test]
fn a_check_of_the_host_is_sent_back() {
    let other = WHOLE.replace("4k", "720p");
    let model = Scripted::new().says("?").says(WHOLE).says(other.as_str());
    let asking = video().asking().attempts(3).validate(|value: &Value| {
        if value["quality"] == "4k" { Err("4k is not available".to_owned()) } else { Ok(()) }
    });
    let answer = pollster::block_on(asking.send(&model, ChatRequest::new().user("…"))).unwrap();
    assert_eq!(answer.attempts.len(), 3);
    assert!(model.requests()[2].messages.last().unwrap().text.contains("4k is not available"));
    assert_eq!(answer.outcome, Outcome::Retried);
    let message = video().retry_message(&video().parse("?"), Language::English);
    assert!(message.contains("there is no JSON in it"), "{message}");
}

#[test]
fn the_mode_is_chosen() {
    let all = Capabilities::new().json_schema().json_object();
    for (mode, schema, object) in [
        (Mode::Auto, true, false),
        (Mode::Text, false, false),
        (Mode::JsonObject, false, true),
        (Mode::JsonSchema, true, false),
    ] {
        let model = Scripted::new().capabilities(all).says(WHOLE);
        let asking = video().asking().mode(mode);
        pollster::block_on(asking.send(&model, ChatRequest::new().user("…"))).unwrap();
        let format = model.requests()[0].response_format.clone();
        let is_schema = matches!(format, Some(ResponseFormat::JsonSchema { .. }));
        let is_object = format == Some(ResponseFormat::JsonObject);
        assert_eq!((is_schema, is_object), (schema, object), "{mode:?}");
    }
}

#[test]
fn the_second_request_in_both_languages() {
    let first = "{\"platform\": \"vimeo\", \"subtitle\": [1, 2]}";
    let said = |language| {
        let model = Scripted::new().says(first).says("no");
        let request = ChatRequest::new().user("…");
        let _: Answer<Value> =
            pollster::block_on(video().ask_in(&model, request, language)).unwrap();
        model.requests()[1].messages.last().unwrap().text.clone()
    };
    insta::assert_snapshot!(said(Language::English));
    insta::assert_snapshot!(said(Language::Chinese));
}
