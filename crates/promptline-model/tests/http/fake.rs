//! A fake of a provider: plays a script, keeps what it was asked. It is no provider.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, Response, Uri};
use futures_util::stream::{self, StreamExt as _};
use promptline_model::{GenaiModel, GenaiModelBuilder, RetryPolicy};
use serde_json::{Value, json};

pub(crate) const KEY: &str = "sk-test-0123456789abcdef";

#[derive(Clone)]
pub(crate) enum Piece {
    Bytes(Vec<u8>),
    Wait(u64),
    /// The connection ends here.
    Cut,
    /// Nothing more comes, and no end.
    Hang,
}

#[derive(Clone)]
pub(crate) struct Play {
    status: u16,
    headers: Vec<(&'static str, String)>,
    pieces: Vec<Piece>,
}

impl Play {
    pub(crate) fn json(status: u16, json: &Value) -> Self {
        Self::body(status, "application/json", json.to_string())
    }

    pub(crate) fn body(status: u16, kind: &str, body: impl Into<Vec<u8>>) -> Self {
        let headers = vec![("content-type", kind.to_owned())];
        Self { status, headers, pieces: vec![Piece::Bytes(body.into())] }
    }

    pub(crate) fn says(text: &str) -> Self {
        Self::json(200, &answer(text))
    }

    pub(crate) fn header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    pub(crate) fn pieces(pieces: Vec<Piece>) -> Self {
        let headers = vec![("content-type", "text/event-stream".to_owned())];
        Self { status: 200, headers, pieces }
    }

    /// Events, and `[DONE]`.
    pub(crate) fn events(events: &[Value]) -> Self {
        let mut text: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
        text.push_str("data: [DONE]\n\n");
        Self::pieces(vec![Piece::Bytes(text.into_bytes())])
    }
}

pub(crate) fn answer(text: &str) -> Value {
    json!({
        "id": "a-1",
        "model": "fake-1-0125",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 90},
                  "completion_tokens_details": {"reasoning_tokens": 3}},
        "timings": {"prompt_ms": 12.5},
    })
}

pub(crate) fn delta(delta: Value) -> Value {
    json!({"id": "a-1", "model": "fake-1-0125", "choices": [{"index": 0, "delta": delta, "finish_reason": null}]})
}

pub(crate) fn end(reason: &str) -> Value {
    json!({"id": "a-1", "choices": [{"index": 0, "delta": {}, "finish_reason": reason}],
           "usage": {"prompt_tokens": 10, "completion_tokens": 5}})
}

#[derive(Clone)]
pub(crate) struct Asked {
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
}

#[derive(Default)]
struct Script {
    plays: VecDeque<Play>,
    asked: Vec<Asked>,
    /// Responses that are being sent.
    open: usize,
}

#[derive(Clone)]
pub(crate) struct Fake {
    pub(crate) address: String,
    script: Arc<Mutex<Script>>,
}

impl Fake {
    pub(crate) async fn playing(plays: impl IntoIterator<Item = Play>) -> Self {
        let plays = plays.into_iter().collect();
        let script = Arc::new(Mutex::new(Script { plays, ..Script::default() }));
        let app = Router::new().fallback(play).with_state(Arc::clone(&script));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self { address, script }
    }

    /// A client that tries once.
    pub(crate) fn client(&self) -> GenaiModelBuilder {
        GenaiModel::openai_compatible(format!("{}/v1", self.address), "fake-1")
            .with_key(KEY)
            .with_retry(RetryPolicy::none())
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.script.lock().unwrap().asked.clone()
    }

    pub(crate) fn open(&self) -> usize {
        self.script.lock().unwrap().open
    }
}

/// A response that is being sent.
struct Open(Arc<Mutex<Script>>);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.lock().unwrap().open -= 1;
    }
}

async fn play(
    State(script): State<Arc<Mutex<Script>>>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response<Body>, Infallible> {
    let play = {
        let mut now = script.lock().unwrap();
        let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
        now.asked.push(Asked { path: uri.to_string(), headers, body });
        now.open += 1;
        now.plays.pop_front()
    };
    let open = Open(script);
    let play = play.unwrap_or_else(|| Play::body(418, "text/plain", "the script is at its end"));
    let mut response = Response::builder().status(play.status);
    for (name, value) in &play.headers {
        response = response.header(*name, value);
    }
    let pieces = stream::iter(play.pieces).then(move |piece| {
        let _ = &open;
        async move {
            match piece {
                Piece::Bytes(bytes) => Ok(Bytes::from(bytes)),
                Piece::Wait(ms) => {
                    tokio::time::sleep(Duration::from_millis(ms)).await;
                    Ok(Bytes::new())
                }
                Piece::Cut => Err(std::io::Error::other("cut")),
                Piece::Hang => std::future::pending().await,
            }
        }
    });
    Ok(response.body(Body::from_stream(pieces)).unwrap())
}
