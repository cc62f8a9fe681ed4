//! Every kind of failure, by the bodies that providers send.

use std::fmt::Write as _;
use std::time::Duration;

use promptline_model::{
    ChatModel, ChatRequest, ContextFigures, GenaiModel, MAX_ERROR_BODY, ModelErrorKind,
};
use serde_json::json;

use crate::fake::{Fake, KEY, Piece, Play};

#[tokio::test]
async fn kinds_by_status_and_words() {
    let error = |message: &str, code: &str| json!({"error": {"message": message, "code": code}});
    let cases = [
        (
            429,
            error("Rate limit reached for requests", "rate_limit_exceeded"),
            ModelErrorKind::RateLimit,
        ),
        (
            429,
            error("You exceeded your current quota", "insufficient_quota"),
            ModelErrorKind::Quota,
        ),
        (402, error("Insufficient Balance", "invalid_request_error"), ModelErrorKind::Quota),
        (401, error("Incorrect API key provided", "invalid_api_key"), ModelErrorKind::Auth),
        (403, json!({"error": "forbidden"}), ModelErrorKind::Auth),
        (
            400,
            json!([{"error": {"message": "API key not valid.", "status": "INVALID_ARGUMENT"}}]),
            ModelErrorKind::Auth,
        ),
        (400, error("The response was filtered", "content_filter"), ModelErrorKind::ContentFilter),
        (
            400,
            json!({"error": {"code": "data_inspection_failed", "message": "Input data may contain inappropriate content."}}),
            ModelErrorKind::ContentFilter,
        ),
        (400, error("Content Exists Risk", "invalid_request_error"), ModelErrorKind::ContentFilter),
        (404, error("The model `x` does not exist", "model_not_found"), ModelErrorKind::BadRequest),
        (422, json!({"detail": "temperature must be below 2"}), ModelErrorKind::BadRequest),
        (408, json!({}), ModelErrorKind::Timeout),
        (500, error("rate_limit of the database", "internal"), ModelErrorKind::Server),
        (
            503,
            json!({"error": {"message": "Loading model", "type": "unavailable_error", "code": 503}}),
            ModelErrorKind::Server,
        ),
        (
            529,
            json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}),
            ModelErrorKind::Server,
        ),
        (307, json!({}), ModelErrorKind::Protocol),
    ];
    let fake = Fake::playing(cases.iter().map(|(status, body, _)| Play::json(*status, body))).await;
    let model = fake.client().build().unwrap();
    let mut shown = String::new();
    for (status, body, kind) in cases {
        let error = model.complete(ChatRequest::new().user("?")).await.unwrap_err();
        assert_eq!(error.kind(), kind, "{status} {body}");
        assert_eq!(error.status(), Some(status));
        let _ = writeln!(shown, "{status} {error}");
    }
    insta::assert_snapshot!(shown);
}

#[tokio::test]
async fn a_context_that_is_too_long_has_the_providers_figures() {
    let message = |text: &str| json!({"error": {"message": text, "type": "invalid_request_error"}});
    let cases = [
        (
            json!({"error": {"code": 400, "message": "the request exceeds the available context size",
            "type": "exceed_context_size_error", "n_prompt_tokens": 9030, "n_ctx": 8192}}),
            (9030, 8192),
        ),
        (
            message(
                "This model's maximum context length is 8192 tokens. However, your messages resulted in 9030 tokens.",
            ),
            (9030, 8192),
        ),
        (message("prompt is too long: 215,000 tokens > 200,000 maximum"), (215_000, 200_000)),
        (
            message(
                "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
            ),
            (1_200_000, 1_048_576),
        ),
    ];
    let fake = Fake::playing(cases.iter().map(|(body, _)| Play::json(400, body))).await;
    let model = fake.client().build().unwrap();
    for (body, (prompt, window)) in cases {
        let error = model.complete(ChatRequest::new().user("?")).await.unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::ContextLength, "{body}");
        let figures = ContextFigures::new(Some(prompt), Some(window));
        assert_eq!(error.context(), Some(figures), "{body}");
        assert!(error.to_string().contains("help: shorten the prompt"));
    }
}

#[tokio::test]
async fn bodies_are_bounded_and_keys_are_hidden() {
    let long = format!("key {KEY} is wrong. {}", "长".repeat(10_000));
    let fake = Fake::playing([
        Play::json(401, &json!({"error": {"message": long}})),
        Play::body(502, "text/html", format!("<html>{KEY}{}", "x".repeat(1_000_000))),
        Play::body(500, "text/plain", [0xff, 0xfe, b'!'].as_slice()),
    ])
    .await;
    let model = fake.client().build().unwrap();
    for _ in 0..3 {
        let error = model.complete(ChatRequest::new().user("?")).await.unwrap_err();
        let shown = format!("{error:#} {error:?} {model:?}");
        assert!(!shown.contains("0123456789abcdef"), "{shown}");
        assert!(!shown.contains("127.0.0.1"), "{shown}");
        assert!(error.body().unwrap().len() < MAX_ERROR_BODY + 40);
        assert!(error.message().len() < 800, "{}", error.message().len());
    }
}

#[tokio::test]
async fn what_is_no_answer_is_a_failure_of_the_protocol() {
    let fake = Fake::playing([
        Play::body(200, "application/json", "<html>not found</html>"),
        Play::body(200, "application/json", ""),
        Play::json(200, &json!({"choices": []})),
        Play::body(200, "application/json", b"{\"choices\": \"\xff\"}".as_slice()),
    ])
    .await;
    let model = fake.client().build().unwrap();
    for _ in 0..4 {
        let error = model.complete(ChatRequest::new().user("?")).await.unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Protocol, "{error}");
    }
    // An error under status 200.
    let fake =
        Fake::playing([Play::json(200, &json!({"error": {"message": "upstream", "code": 502}}))])
            .await;
    let error = fake.client().build().unwrap().complete(ChatRequest::new()).await.unwrap_err();
    assert_eq!((error.kind(), error.status()), (ModelErrorKind::Server, Some(502)));
}

#[tokio::test]
async fn silence_refusal_and_a_cut_are_told_apart() {
    let quick = Duration::from_millis(100);
    let fake = Fake::playing([
        Play::pieces(vec![Piece::Hang]),
        Play::pieces(vec![Piece::Bytes(b"{\"choices\":".to_vec()), Piece::Cut]),
    ])
    .await;
    let model = fake.client().with_idle_timeout(quick).build().unwrap();
    let error = model.complete(ChatRequest::new()).await.unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Timeout, "{error:?}");
    let error = model.complete(ChatRequest::new()).await.unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Network, "{error:?}");
    // Nobody listens there.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let model = GenaiModel::openai_compatible(format!("http://127.0.0.1:{port}/v1"), "m");
    let model = model.with_retry(promptline_model::RetryPolicy::none()).build().unwrap();
    let error = model.complete(ChatRequest::new()).await.unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Network);
    assert!(error.message().starts_with("the server cannot be reached"), "{error}");
    assert!(!format!("{error:?}").contains(&port.to_string()), "{error:?}");
    for address in ["", "localhost:8080", "ftp://x/v1", "not an address"] {
        let error = GenaiModel::openai_compatible(address, "m").build().unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::BadRequest, "{address}");
    }
}
