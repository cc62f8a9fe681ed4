//! What is sent, and what comes back.

use promptline_model::{
    CacheMark, ChatMessage, ChatModel, ChatRequest, ChatTool, FinishReason, Image, Part,
    ReasoningEffort, ResponseFormat, Role, ToolCall, ToolChoice, ToolResult,
};
use serde_json::json;

use crate::fake::{Fake, KEY, Play, answer};

#[tokio::test]
async fn a_request_says_everything() {
    let fake = Fake::playing([Play::says("ok")]).await;
    let call = ToolCall::new("c1", "files.read", json!({"path": "a.rs"}));
    let request = ChatRequest::new()
        .system_blocks([("You are ", Some(CacheMark::OneHour)), ("brief.", None)])
        .user("看图")
        .tools([ChatTool::new("files_read", "Reads.", json!({"type": "object"}))])
        .tool_name("files_read", "files.read")
        .tool_choice(ToolChoice::Tool("files.read".into()))
        .temperature(0.1)
        .top_p(0.9)
        .seed(7)
        .stop("</end>")
        .max_tokens(50)
        .logprobs(5)
        .reasoning_effort(ReasoningEffort::Low)
        .response_format(ResponseFormat::JsonObject)
        .extra("grammar", "root ::= x");
    let mut request = request;
    let image = Image::Base64 { media_type: "image/png".into(), data: "AAAA".into() };
    request.messages[1].parts.push(Part::Image(image));
    request.messages.push(ChatMessage::new(Role::Assistant, "").part(Part::ToolCall(call.clone())));
    let request = request.tool_results([ToolResult::new(&call, "fn main() {}")]);
    fake.client().build().unwrap().complete(request).await.unwrap();
    let asked = &fake.asked()[0];
    assert_eq!(asked.path, "/v1/chat/completions");
    assert_eq!(asked.headers["authorization"], format!("Bearer {KEY}"));
    insta::assert_json_snapshot!(asked.body);
}

#[tokio::test]
async fn an_answer_has_everything_apart() {
    let mut said = answer("");
    said["choices"][0]["message"] = json!({
        "content": null,
        "reasoning_content": "想一想",
        "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "files_read", "arguments": "{\"path\":\"a\"}"}},
            {"id": "c2", "type": "function", "function": {"name": "other", "arguments": "{\"path\":"}},
            {"id": "c3", "type": "function", "function": {"name": "object", "arguments": {"n": 1}}},
            {"id": "c4", "type": "function", "function": {"name": "nothing", "arguments": ""}},
        ],
    });
    said["choices"][0]["logprobs"] = json!({"content": [
        {"token": "<", "logprob": -0.5, "top_logprobs": [{"token": "<", "logprob": -0.5}, {"token": "I", "logprob": -1.0}]}
    ]});
    let fake = Fake::playing([Play::json(200, &said)]).await;
    let request = ChatRequest::new().user("?").tool_name("files_read", "files.read").keep_raw();
    let mut response = fake.client().build().unwrap().complete(request).await.unwrap();
    assert_eq!(response.raw.take().unwrap(), said);
    assert!(response.timings.total_ms.take().unwrap() > 0.0);
    insta::assert_json_snapshot!(response);
}

#[tokio::test]
async fn refusals_and_filters_are_signals() {
    let refused = json!({"choices": [{"finish_reason": "stop", "message": {"content": null, "refusal": "I can't."}}]});
    let filtered = json!({"choices": [{"finish_reason": "content_filter", "message": {"content": "half"},
        "content_filter_results": {"violence": {"filtered": true, "severity": "high"}, "hate": {"filtered": false}}}]});
    let cut = json!({"choices": [{"finish_reason": "length", "message": {"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}}]});
    let fake = Fake::playing([&refused, &filtered, &cut].map(|said| Play::json(200, said))).await;
    let model = fake.client().build().unwrap();
    let ask = || model.complete(ChatRequest::new().user("?"));
    let refused = ask().await.unwrap();
    assert_eq!(refused.refusal.as_deref(), Some("I can't."));
    assert!(refused.is_refused());
    let filtered = ask().await.unwrap();
    assert_eq!(filtered.filter.as_deref(), Some("violence"));
    assert_eq!((filtered.finish, filtered.text.as_str()), (FinishReason::ContentFilter, "half"));
    let cut = ask().await.unwrap();
    assert_eq!((cut.finish, cut.text.as_str()), (FinishReason::Length, "ab"));
    assert!(!cut.is_refused());
}
