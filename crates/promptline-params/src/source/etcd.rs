//! Values from etcd, over its v3 JSON gateway: no protobuf, one HTTP client. The client lives in a thread of its own,
//! so that a load may be made from anywhere.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::{Changed, Loaded, Located, ParamSource, Watch};
use crate::error::{Error, ErrorKind};

/// The longest answer that is read, in bytes.
const MAX_ANSWER: usize = 64 * 1024 * 1024;
/// How long connecting and one answer may take.
const TIMEOUT: Duration = Duration::from_secs(5);
/// How long to wait before a watch that broke is made again.
const AGAIN: [u64; 5] = [20, 100, 300, 1_000, 3_000];

/// Values from etcd: the keys below a prefix, as `shop/` for `shop/free_shipping_threshold`. A value is JSON, else
/// text. What a key was in earlier revisions that etcd still has is its history.
///
/// After a broken watch all is read again, and watched from the revision after that: nothing is missed between.
#[derive(Debug, Clone)]
pub struct Etcd {
    server: Arc<Server>,
    prefix: String,
}

#[derive(Debug)]
struct Server {
    url: String,
    auth: Option<(String, String)>,
}

impl Etcd {
    /// A server and a prefix of keys.
    #[must_use]
    pub fn new(url: impl Into<String>, prefix: impl Into<String>) -> Self {
        let url = url.into().trim_end_matches('/').to_owned();
        Self { server: Arc::new(Server { url, auth: None }), prefix: prefix.into() }
    }

    /// Sets a user. The password is never shown.
    #[must_use]
    pub fn with_user(self, name: impl Into<String>, password: impl Into<String>) -> Self {
        let auth = Some((name.into(), password.into()));
        Self { server: Arc::new(Server { url: self.server.url.clone(), auth }), ..self }
    }

    /// Sets a value.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] when the server is not reached or refuses.
    pub fn set(&self, name: &str, value: &Value) -> Result<(), Error> {
        let key = format!("{}{name}", self.prefix);
        let body =
            json!({"key": STANDARD.encode(&key), "value": STANDARD.encode(value.to_string())});
        self.blocking(async |client| client.post("/v3/kv/put", &body).await.map(drop))
    }

    /// Runs in a thread, where a runtime may be made.
    fn blocking<T: Send>(
        &self,
        task: impl AsyncFnOnce(&Client) -> Result<T, Error> + Send,
    ) -> Result<T, Error> {
        let run = || {
            let runtime = runtime()?;
            runtime.block_on(async {
                let client = Client::connect(&self.server).await?;
                task(&client).await
            })
        };
        let joined = thread::scope(|scope| scope.spawn(run).join());
        joined.unwrap_or_else(|_| Err(Error::new(ErrorKind::Io, "etcd: the client panicked")))
    }
}

fn runtime() -> Result<tokio::runtime::Runtime, Error> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Error::new(ErrorKind::Io, format!("etcd: there is no runtime: {error}")))
}

impl ParamSource for Etcd {
    fn name(&self) -> String {
        // An address may hold a password.
        format!("etcd {}", self.prefix)
    }

    fn load(&self) -> Result<Loaded, Error> {
        let (prefix, name) = (&self.prefix, self.name());
        self.blocking(async |client| client.load(prefix, name).await)
    }

    fn watch(&self, changed: Changed) -> Result<Option<Watch>, Error> {
        let (stop, stopped) = oneshot::channel::<()>();
        let source = self.clone();
        let runtime = runtime()?;
        let watching = move || {
            runtime.block_on(async move {
                tokio::select! {
                    () = source.follow(&changed) => {}
                    _ = stopped => {}
                }
            });
        };
        let thread = thread::Builder::new().name("promptline-etcd".to_owned()).spawn(watching);
        thread.map_err(|error| Error::new(ErrorKind::Io, format!("etcd: no thread: {error}")))?;
        // The receiver hears when the sender is dropped.
        Ok(Some(Watch::new(stop)))
    }
}

impl Etcd {
    /// Watches for ever.
    async fn follow(&self, changed: &Changed) {
        let mut failed = 0;
        loop {
            match self.follow_once(changed, &mut failed).await {
                Ok(()) => tracing::debug!("etcd: the watch ended; it is made again"),
                Err(error) => tracing::warn!("{error}; the watch is made again"),
            }
            let wait = AGAIN.get(failed).or(AGAIN.last()).copied().unwrap_or(1_000);
            failed += 1;
            tokio::time::sleep(Duration::from_millis(wait)).await;
        }
    }

    /// Watches until the watch breaks.
    async fn follow_once(&self, changed: &Changed, failed: &mut usize) -> Result<(), Error> {
        let client = Client::connect(&self.server).await?;
        let range = client.range(&self.prefix, None).await?;
        let revision = revision(&range);
        let watch = json!({"create_request": {
            "key": STANDARD.encode(&self.prefix),
            "range_end": STANDARD.encode(end_of(&self.prefix)),
            "start_revision": (revision + 1).to_string(),
        }});
        let mut response = client.send("/v3/watch", &watch, None).await?;
        // What has changed before this revision is read by whom we wake.
        changed.notify();
        *failed = 0;
        let mut pending = Vec::new();
        while let Some(bytes) = response.chunk().await.map_err(broken)? {
            pending.extend_from_slice(&bytes);
            if pending.len() > MAX_ANSWER {
                return Err(Error::new(ErrorKind::Format, "etcd: an event is too long"));
            }
            while let Some(end) = pending.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = pending.drain(..=end).collect();
                let event: Value = serde_json::from_slice(&line).unwrap_or_default();
                if let Some(error) = event.get("error") {
                    return Err(Error::new(
                        ErrorKind::Io,
                        format!("etcd: the watch failed: {error}"),
                    ));
                }
                if event.pointer("/result/canceled").and_then(Value::as_bool) == Some(true) {
                    // Its revision has been compacted.
                    return Ok(());
                }
                if event.pointer("/result/events").is_some() {
                    changed.notify();
                }
            }
        }
        Ok(())
    }
}

fn broken(error: reqwest::Error) -> Error {
    Error::new(ErrorKind::Io, format!("etcd: the connection broke: {}", error.without_url()))
}

/// A connection to a server.
struct Client {
    http: reqwest::Client,
    url: String,
    token: Option<String>,
}

impl Client {
    async fn connect(server: &Server) -> Result<Self, Error> {
        let mut http = reqwest::Client::builder()
            .connect_timeout(TIMEOUT)
            .redirect(reqwest::redirect::Policy::none());
        if server.url.starts_with("http://") {
            // Needs no certificates, which a small machine may not have.
            http = http.tls_certs_only([]);
        }
        let http = http.build().map_err(broken)?;
        let mut client = Self { http, url: server.url.clone(), token: None };
        if let Some((name, password)) = &server.auth {
            let said = client
                .post("/v3/auth/authenticate", &json!({"name": name, "password": password}))
                .await?;
            client.token = said.get("token").and_then(Value::as_str).map(str::to_owned);
        }
        Ok(client)
    }

    async fn send(
        &self,
        path: &str,
        body: &Value,
        timeout: Option<Duration>,
    ) -> Result<reqwest::Response, Error> {
        let mut request = self.http.post(format!("{}{path}", self.url)).body(body.to_string());
        if let Some(timeout) = timeout {
            request = request.timeout(timeout);
        }
        if let Some(token) = &self.token {
            request = request.header("authorization", token);
        }
        let response = request.send().await.map_err(|error| {
            Error::new(
                ErrorKind::Io,
                format!("etcd: the server is not reached: {}", error.without_url()),
            )
        })?;
        let status = response.status();
        if status.is_success() {
            return Ok(response);
        }
        let said: Value = serde_json::from_slice(&bytes_of(response).await?).unwrap_or_default();
        let said = ["message", "error"].iter().find_map(|key| said.get(key)?.as_str());
        let said = said.unwrap_or("no reason is given");
        Err(Error::new(ErrorKind::Io, format!("etcd: the server refuses ({status}): {said}")))
    }

    async fn post(&self, path: &str, body: &Value) -> Result<Value, Error> {
        let bytes = bytes_of(self.send(path, body, Some(TIMEOUT)).await?).await?;
        serde_json::from_slice(&bytes).map_err(|error| {
            Error::new(ErrorKind::Format, format!("etcd: the answer is no JSON: {error}"))
        })
    }

    async fn range(&self, prefix: &str, revision: Option<i64>) -> Result<Value, Error> {
        let mut body =
            json!({"key": STANDARD.encode(prefix), "range_end": STANDARD.encode(end_of(prefix))});
        if let (Some(revision), Some(body)) = (revision, body.as_object_mut()) {
            body.insert("revision".to_owned(), revision.to_string().into());
        }
        self.post("/v3/kv/range", &body).await
    }

    /// All values at one revision, and of those that were changed the value before.
    async fn load(&self, prefix: &str, name: String) -> Result<Loaded, Error> {
        let range = self.range(prefix, None).await?;
        let mut loaded = Loaded::new(name);
        let mut changed = Vec::new();
        for (key, value, modified, version) in pairs(&range)? {
            let Some(param) = key.strip_prefix(prefix).filter(|param| !param.is_empty()) else {
                continue;
            };
            if version > 1 {
                changed.push(modified - 1);
            }
            let place = format!("etcd {key}");
            loaded.values.insert(param.to_owned(), Located { value: parsed(&value), place });
        }
        for revision in changed {
            // It may have been compacted; a history is what there still is.
            let Ok(before) = self.range(prefix, Some(revision)).await else { continue };
            for (key, value, ..) in pairs(&before)? {
                let Some(param) = key.strip_prefix(prefix) else { continue };
                let value = parsed(&value);
                let now = loaded.values.get(param).map(|one| &one.value);
                let list = loaded.history.entry(param.to_owned()).or_default();
                if now != Some(&value) && !list.contains(&value) {
                    list.push(value);
                }
            }
        }
        loaded.history.retain(|_, list| !list.is_empty());
        Ok(loaded)
    }
}

async fn bytes_of(mut response: reqwest::Response) -> Result<Vec<u8>, Error> {
    let mut all = Vec::new();
    while let Some(bytes) = response.chunk().await.map_err(broken)? {
        all.extend_from_slice(&bytes);
        if all.len() > MAX_ANSWER {
            return Err(Error::new(ErrorKind::Format, "etcd: the answer is too long"));
        }
    }
    Ok(all)
}

/// JSON, else text.
fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| text.into())
}

/// The first key after all that begin with a prefix; etcd's convention.
fn end_of(prefix: &str) -> Vec<u8> {
    let mut end = prefix.as_bytes().to_vec();
    while let Some(last) = end.pop() {
        if last < 0xff {
            end.push(last + 1);
            return end;
        }
    }
    // No prefix: all keys.
    vec![0]
}

fn number(value: Option<&Value>) -> i64 {
    value.and_then(Value::as_str).and_then(|number| number.parse().ok()).unwrap_or_default()
}

fn revision(range: &Value) -> i64 {
    number(range.pointer("/header/revision"))
}

/// Keys, values, the revisions of their last change, and how often they were changed.
fn pairs(range: &Value) -> Result<Vec<(String, String, i64, i64)>, Error> {
    let text = |value: Option<&Value>| -> Result<String, Error> {
        let encoded = value.and_then(Value::as_str).unwrap_or_default();
        let bytes = STANDARD.decode(encoded).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        bytes.ok_or_else(|| Error::new(ErrorKind::Format, "etcd: a key or value is not UTF-8"))
    };
    let all = range.get("kvs").and_then(Value::as_array);
    let read = |pair: &Value| {
        let modified = number(pair.get("mod_revision"));
        Ok((
            text(pair.get("key"))?,
            text(pair.get("value"))?,
            modified,
            number(pair.get("version")),
        ))
    };
    all.into_iter().flatten().map(read).collect()
}
