//! When a request is made again.

use std::time::Duration;

use promptline_model::{ChatModel, ChatRequest, Chunk, ModelErrorKind, RetryPolicy};
use serde_json::json;

use crate::fake::{Fake, Piece, Play, delta, end};

fn policy() -> RetryPolicy {
    RetryPolicy::default().with_attempts(3).with_base(Duration::from_millis(2))
}

#[tokio::test]
async fn where_it_helps_and_the_answer_says_how_often() {
    let busy = || Play::json(503, &json!({"error": "busy"}));
    let slow = || Play::json(429, &json!({"error": "slow down"})).header("retry-after-ms", "20");
    let fake = Fake::playing([busy(), slow(), Play::says("third")]).await;
    let model = fake.client().with_retry(policy()).build().unwrap();
    let response = model.complete(ChatRequest::new().user("?")).await.unwrap();
    assert_eq!((response.text.as_str(), response.attempts), ("third", 3));
    assert!(response.timings.total_ms.unwrap() >= 20.0, "the provider's wait is kept");
    let bodies: Vec<_> = fake.asked().into_iter().map(|asked| asked.body).collect();
    assert!(bodies.iter().all(|body| *body == bodies[0]));

    let fake = Fake::playing([busy(), busy(), busy(), Play::says("never")]).await;
    let model = fake.client().with_retry(policy()).build().unwrap();
    let error = model.complete(ChatRequest::new()).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ModelErrorKind::Server, 3));
}

#[tokio::test]
async fn not_where_it_does_not() {
    for (status, code) in [
        (400, "bad"),
        (401, "invalid_api_key"),
        (429, "insufficient_quota"),
        (400, "context_length_exceeded"),
        (400, "content_filter"),
    ] {
        let fake = Fake::playing([Play::json(status, &json!({"error": {"code": code}}))]).await;
        let model = fake.client().with_retry(policy()).build().unwrap();
        let error = model.complete(ChatRequest::new()).await.unwrap_err();
        assert_eq!((error.attempts(), fake.asked().len()), (1, 1), "{code}");
    }
    // A wait that is longer than there is time.
    let play = Play::json(429, &json!({})).header("retry-after", "3600");
    let fake = Fake::playing([play]).await;
    let model = fake.client().with_retry(policy()).build().unwrap();
    let error = model.complete(ChatRequest::new()).await.unwrap_err();
    assert_eq!(error.retry_after(), Some(Duration::from_secs(3600)));
    assert_eq!(fake.asked().len(), 1);
}

#[tokio::test]
async fn a_stream_only_until_it_has_begun() {
    let whole = Play::events(&[delta(json!({"content": "ok"})), end("stop")]);
    let broken = Play::pieces(vec![
        Piece::Bytes(format!("data: {}\n\n", delta(json!({"content": "half"}))).into_bytes()),
        Piece::Wait(20),
        Piece::Cut,
    ]);
    let fake = Fake::playing([Play::json(503, &json!({})), whole, broken]).await;
    let model = fake.client().with_retry(policy()).build().unwrap();
    let answer = model.stream(ChatRequest::new()).await.unwrap().collect().await.unwrap();
    assert_eq!((answer.text.as_str(), answer.attempts), ("ok", 2));
    let mut stream = model.stream(ChatRequest::new()).await.unwrap();
    assert_eq!(stream.next().await.unwrap().unwrap(), Chunk::Text("half".into()));
    let error = stream.next().await.unwrap().unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Network);
    assert_eq!(error.partial().unwrap().text, "half");
    assert!(stream.next().await.is_none());
    assert_eq!(fake.asked().len(), 3);
}
