//! Answers in pieces, whole and broken.

use std::time::Duration;

use promptline_model::{
    ChatModel, ChatRequest, ChatResponse, Chunk, FinishReason, ModelError, ModelErrorKind,
};
use serde_json::{Value, json};

use crate::fake::{Fake, Piece, Play, delta, end};

async fn answer(play: Play) -> Result<ChatResponse, ModelError> {
    let fake = Fake::playing([play]).await;
    let client = fake.client().with_idle_timeout(Duration::from_millis(500));
    let request = ChatRequest::new().user("?").tool_name("files_read", "files.read");
    client.build().unwrap().stream(request).await?.collect().await
}

fn events() -> Vec<Value> {
    vec![
        delta(json!({"role": "assistant", "content": null})),
        delta(json!({"reasoning_content": "想"})),
        delta(json!({"content": "限"})),
        delta(json!({"content": "时 \u{1F9D1}\u{200D}\u{1F680}"})),
        delta(
            json!({"tool_calls": [{"index": 0, "id": "c1", "function": {"name": "files_read", "arguments": ""}}]}),
        ),
        delta(json!({"tool_calls": [{"index": 0, "function": {"arguments": "{\"path\":"}}]})),
        delta(
            json!({"tool_calls": [{"index": 1, "id": "c2", "function": {"name": "stop", "arguments": "{}"}}]}),
        ),
        delta(json!({"tool_calls": [{"index": 0, "function": {"arguments": "\"a\"}"}}]})),
        end("tool_calls"),
    ]
}

#[tokio::test]
async fn pieces_make_the_whole_however_they_are_cut() {
    let text: String = events().iter().map(|event| format!("data: {event}\n\n")).collect();
    let text = format!(": keep-alive\n\n{text}data: [DONE]\n\n");
    let mut first: Option<ChatResponse> = None;
    for size in [1, 7, 64, text.len()] {
        let pieces = text.as_bytes().chunks(size).map(|bytes| Piece::Bytes(bytes.to_vec()));
        let mut response = answer(Play::pieces(pieces.collect())).await.unwrap();
        assert!(response.timings.first_token_ms.is_some());
        response.timings = Default::default();
        assert_eq!(response.text, "限时 \u{1F9D1}\u{200D}\u{1F680}");
        assert_eq!(response.reasoning, "想");
        assert_eq!(response.finish, FinishReason::ToolCalls);
        assert_eq!(response.tool_calls[0].name, "files.read");
        assert_eq!(response.tool_calls[0].arguments, json!({"path": "a"}));
        assert_eq!((response.tool_calls.len(), response.usage.output), (2, 5));
        assert_eq!(*first.get_or_insert(response.clone()), response);
    }
}

#[tokio::test]
async fn chunks_come_as_they_arrive_and_a_dropped_stream_ends_the_request() {
    let piece =
        |text: &str| Piece::Bytes(format!("data: {}\n\n", delta(json!({"content": text}))).into());
    let fake = Fake::playing([Play::pieces(vec![piece("one"), piece("two"), Piece::Hang])]).await;
    let mut stream = fake.client().build().unwrap().stream(ChatRequest::new()).await.unwrap();
    assert_eq!(stream.next().await.unwrap().unwrap(), Chunk::Text("one".into()));
    assert_eq!(stream.next().await.unwrap().unwrap(), Chunk::Text("two".into()));
    assert_eq!(fake.open(), 1);
    drop(stream);
    // The server sees it; how soon is up to the system.
    while fake.open() > 0 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_line_of_ten_megabytes_is_a_line() {
    let long = "长".repeat(3_500_000);
    let response = answer(Play::events(&[delta(json!({"content": long})), end("stop")])).await;
    assert_eq!(response.unwrap().text.len(), 10_500_000);
}

#[tokio::test]
async fn broken_streams_are_errors_with_what_had_come() {
    let half = || Piece::Bytes(format!("data: {}\n\n", delta(json!({"content": "half"}))).into());
    let raw = |bytes: &[u8]| Piece::Bytes(bytes.to_vec());
    let other = json!({"id": "b-2", "choices": [{"index": 0, "delta": {"content": "x"}}]});
    let second = json!({"id": "a-1", "choices": [{"index": 1, "delta": {"content": "x"}}]});
    let many =
        delta(json!({"tool_calls": [{"index": 4_000_000_000_u32, "function": {"name": "x"}}]}));
    let cases = [
        ("slow", vec![half(), Piece::Hang], ModelErrorKind::Timeout),
        ("cut", vec![half(), Piece::Wait(20), Piece::Cut], ModelErrorKind::Network),
        ("ends early", vec![half()], ModelErrorKind::Network),
        ("ends early, says done", vec![half(), raw(b"data: [DONE]\n\n")], ModelErrorKind::Network),
        ("not UTF-8", vec![half(), raw(b"data: {\"a\": \"\xc3\x28\"}\n\n")], ModelErrorKind::Protocol),
        ("not JSON", vec![half(), raw(b"data: {\"choices\": [}\n\n")], ModelErrorKind::Protocol),
        ("two answers", vec![half(), raw(format!("data: {other}\n\n").as_bytes())], ModelErrorKind::Protocol),
        ("two choices", vec![half(), raw(format!("data: {second}\n\n").as_bytes())], ModelErrorKind::Protocol),
        ("a call far out", vec![half(), raw(format!("data: {many}\n\n").as_bytes())], ModelErrorKind::Protocol),
        ("an error", vec![half(), raw(b"data: {\"error\": {\"message\": \"Overloaded\", \"type\": \"overloaded_error\"}}\n\n")], ModelErrorKind::Server),
    ];
    for (what, pieces, kind) in cases {
        let error = answer(Play::pieces(pieces)).await.unwrap_err();
        assert_eq!(error.kind(), kind, "{what}: {error}");
        assert_eq!(error.partial().unwrap().text, "half", "{what}");
    }
    let error = answer(Play::pieces(vec![])).await.unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Network);
    // No end of line at the end, and servers that leave the index of a call out.
    let call =
        delta(json!({"tool_calls": [{"id": "c", "function": {"name": "x", "arguments": "{}"}}]}));
    let text = format!("data:{call}\n\ndata: {}", end("stop"));
    let response = answer(Play::pieces(vec![raw(text.as_bytes())])).await.unwrap();
    assert_eq!((response.tool_calls.len(), response.finish), (1, FinishReason::ToolCalls));
}

#[tokio::test]
async fn raw_events_come_when_they_are_asked_for() {
    let fake = Fake::playing([Play::events(&[delta(json!({"content": "a"})), end("stop")])]).await;
    let model = fake.client().build().unwrap();
    let answer =
        model.stream(ChatRequest::new().keep_raw()).await.unwrap().collect().await.unwrap();
    assert_eq!(answer.raw.unwrap().as_array().unwrap().len(), 2);
}
