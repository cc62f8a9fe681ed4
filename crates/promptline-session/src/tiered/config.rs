//! The tiers by configuration: the same program on one file, or on PostgreSQL and Redis.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Freshness, Tiered};
use crate::{Error, MemoryCache, MemoryStore, SessionStore};

/// Which tiers, and for how long a session stays in each. The idle times are business figures: how long your users
/// stay away in the middle of something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Config {
    /// The record: `sqlite:FILE`, `postgres://…`, or `memory:`.
    pub store: String,
    /// The shared cache: `redis://…`, or `redis+cluster://host:port,host:port`.
    pub redis: Option<String>,
    /// How many sessions memory holds.
    pub memory_sessions: usize,
    /// How many bytes memory holds.
    pub memory_bytes: usize,
    /// After how many seconds without use a session leaves memory. 5 minutes unless set.
    pub memory_idle_s: u64,
    /// After how many seconds without a change a session leaves Redis. 1 hour unless set.
    pub redis_idle_s: u64,
    /// How a cached session is checked before it is served.
    pub freshness: Freshness,
    /// Whether a cached session is served while the record does not answer.
    pub serve_stale: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            store: "memory:".into(),
            redis: None,
            memory_sessions: 1_000,
            memory_bytes: 64 << 20,
            memory_idle_s: 300,
            redis_idle_s: 3_600,
            freshness: Freshness::Always,
            serve_stale: false,
        }
    }
}

impl Config {
    /// This record, and memory above it.
    #[must_use]
    pub fn new(store: impl Into<String>) -> Self {
        Self { store: store.into(), ..Self::default() }
    }

    /// Sets the shared cache.
    #[must_use]
    pub fn redis(mut self, url: impl Into<String>) -> Self {
        self.redis = Some(url.into());
        self
    }

    /// Opens the tiers. A Redis that is not there is no error: it is used once it is.
    ///
    /// # Errors
    /// As [`open_store`]; [`Invalid`](crate::ErrorKind::Invalid) for an address of Redis that is none.
    pub async fn open(&self) -> Result<Tiered, Error> {
        let memory = MemoryCache::new()
            .sessions(self.memory_sessions)
            .bytes(self.memory_bytes)
            .idle(Duration::from_secs(self.memory_idle_s));
        let tiered = Tiered::new(open_store(&self.store).await?)
            .memory(memory)
            .freshness(self.freshness)
            .serve_stale(self.serve_stale);
        match &self.redis {
            None => Ok(tiered),
            Some(url) => Ok(tiered.redis(shared(url, Duration::from_secs(self.redis_idle_s))?)),
        }
    }
}

impl Tiered {
    /// Opens the record at this address, with memory above it: `sqlite:FILE`, `postgres://…`, or `memory:`.
    ///
    /// # Errors
    /// As [`open_store`].
    pub async fn open(store: &str) -> Result<Self, Error> {
        Config::new(store).open().await
    }
}

/// Opens a record by its address: `sqlite:FILE`, `postgres://…`, or `memory:`.
///
/// # Errors
/// [`Invalid`](crate::ErrorKind::Invalid) for an address that is none or needs a feature that is not compiled in;
/// [`Unavailable`](crate::ErrorKind::Unavailable) when it cannot be opened.
pub async fn open_store(url: &str) -> Result<Arc<dyn SessionStore>, Error> {
    if url == "memory:" {
        return Ok(Arc::new(MemoryStore::new()));
    }
    if let Some(file) = url.strip_prefix("sqlite:") {
        // `sqlite:///tmp/x` and `sqlite:/tmp/x` are the same file.
        let file = file.strip_prefix("//").unwrap_or(file);
        if file.is_empty() {
            return Err(Error::invalid("sqlite: needs a file, as in sqlite:sessions.db"));
        }
        #[cfg(feature = "sqlite")]
        return Ok(Arc::new(crate::SqliteStore::open(file)?));
        #[cfg(not(feature = "sqlite"))]
        return Err(without("sqlite"));
    }
    if url.starts_with("postgres://") || url.starts_with("postgresql://") {
        #[cfg(feature = "postgres")]
        return Ok(Arc::new(crate::PostgresStore::connect(url).await?));
        #[cfg(not(feature = "postgres"))]
        return Err(without("postgres"));
    }
    Err(Error::invalid("an address of a record is sqlite:FILE, postgres://… or memory:"))
}

#[cfg(feature = "redis")]
fn shared(url: &str, idle: Duration) -> Result<Arc<dyn crate::SessionCache>, Error> {
    Ok(Arc::new(crate::RedisCache::options().idle(idle).connect(url)?))
}

#[cfg(not(feature = "redis"))]
fn shared(_: &str, _: Duration) -> Result<Arc<dyn crate::SessionCache>, Error> {
    Err(without("redis"))
}

#[cfg(not(all(feature = "sqlite", feature = "postgres", feature = "redis")))]
fn without(feature: &str) -> Error {
    Error::invalid(format!(
        "this program was built without the feature `{feature}` of promptline-session"
    ))
}
