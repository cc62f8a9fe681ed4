//! Providers with an API of their own, through genai, against the fake.

use promptline_model::{
    CacheMark, ChatModel, ChatRequest, ChatTool, Chunk, FinishReason, GenaiModel, ModelErrorKind,
    RetryPolicy,
};
use serde_json::json;

use crate::fake::{Fake, KEY, Piece, Play};

fn claude(fake: &Fake) -> GenaiModel {
    let builder = GenaiModel::provider("anthropic", "claude-sonnet-4-5").unwrap();
    let builder = builder.with_base_url(format!("{}/v1", fake.address)).with_key(KEY);
    builder.with_retry(RetryPolicy::none()).build().unwrap()
}

#[tokio::test]
async fn anthropic_gets_blocks_marks_and_tools() {
    let said = json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5-20250929",
        "content": [{"type": "text", "text": "好"}, {"type": "tool_use", "id": "t1", "name": "files_read", "input": {"path": "a"}}],
        "stop_reason": "tool_use",
        "usage": {"input_tokens": 10, "cache_read_input_tokens": 1000, "cache_creation_input_tokens": 5, "output_tokens": 4},
    });
    let fake = Fake::playing([Play::json(200, &said)]).await;
    let request = ChatRequest::new()
        .system_blocks([("stable", Some(CacheMark::OneHour)), ("volatile", None)])
        .user("?")
        .tools([ChatTool::new("files_read", "Reads.", json!({"type": "object"}))])
        .tool_name("files_read", "files.read")
        .seed(1)
        .max_tokens(10);
    let response = claude(&fake).complete(request).await.unwrap();
    assert_eq!((response.text.as_str(), response.finish), ("好", FinishReason::ToolCalls));
    assert_eq!(response.tool_calls[0].name, "files.read");
    assert_eq!((response.usage.cached, response.usage.cache_written), (1000, 5));
    assert_eq!(response.unsent, ["seed: the provider has no such parameter"]);
    let asked = &fake.asked()[0];
    assert_eq!(asked.headers["x-api-key"], KEY);
    let body = &asked.body;
    assert_eq!(body["system"][0]["text"], "stable");
    assert_eq!(body["system"][0]["cache_control"]["ttl"], "1h");
    assert_eq!(body["system"][1]["text"], "volatile");
    assert_eq!(body["tools"][0]["name"], "files_read");
}

#[tokio::test]
async fn streams_and_failures_are_read_alike() {
    let event = |name: &str, data: serde_json::Value| format!("event: {name}\ndata: {data}\n\n");
    let text: String = [
        event("message_start", json!({"type": "message_start", "message": {"id": "m", "usage": {"input_tokens": 9, "output_tokens": 1}}})),
        event("content_block_start", json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}})),
        event("content_block_delta", json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "你"}})),
        event("content_block_delta", json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "好"}})),
        event("content_block_stop", json!({"type": "content_block_stop", "index": 0})),
        event("message_delta", json!({"type": "message_delta", "delta": {"stop_reason": "max_tokens"}, "usage": {"output_tokens": 2}})),
        event("message_stop", json!({"type": "message_stop"})),
    ]
    .concat();
    let overloaded =
        json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}});
    let wrong = json!({"type": "error", "error": {"type": "authentication_error", "message": format!("invalid x-api-key {KEY}")}});
    let fake = Fake::playing([
        Play::pieces(vec![Piece::Bytes(text.into_bytes())]),
        Play::json(529, &overloaded),
        Play::json(401, &wrong),
    ])
    .await;
    let model = claude(&fake);
    let mut stream = model.stream(ChatRequest::new().user("?")).await.unwrap();
    assert_eq!(stream.next().await.unwrap().unwrap(), Chunk::Text("你".into()));
    let answer = stream.collect().await.unwrap();
    assert_eq!((answer.text.as_str(), answer.finish), ("你好", FinishReason::Length));
    let error = model.stream(ChatRequest::new().user("?")).await.unwrap_err();
    assert_eq!((error.kind(), error.status()), (ModelErrorKind::Server, Some(529)));
    let error = model.complete(ChatRequest::new().user("?")).await.unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Auth);
    assert!(!format!("{error:#}{error:?}").contains(KEY));
}

#[test]
fn providers_that_are_not_known_and_keys_that_are_not_there() {
    let error = GenaiModel::provider("acme", "m").unwrap_err();
    assert!(error.message().contains("anthropic"), "{error}");
    // No test sets this variable.
    let error = GenaiModel::provider("fireworks", "m").unwrap().build().unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Auth);
    assert!(error.message().contains("set FIREWORKS_API_KEY"), "{error}");
}
