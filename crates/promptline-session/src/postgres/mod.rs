//! The record on a PostgreSQL server.

mod commit;
mod read;
mod schema;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use deadpool_postgres::{Manager, ManagerConfig, Object, Pool, RecyclingMethod, Runtime, Timeouts};
use tokio_postgres::NoTls;

use crate::codec::Codec;
use crate::{
    Change, Cipher, Committed, Error, ErrorKind, Limits, ListQuery, Session, SessionId,
    SessionInfo, SessionStore, TurnPage, TurnQuery, Version,
};

/// How a server is used. See [`PostgresStore::options`].
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct PostgresOptions {
    connections: usize,
    timeout: Duration,
    codec: Codec,
}

impl Default for PostgresOptions {
    fn default() -> Self {
        Self { connections: 8, timeout: Duration::from_secs(5), codec: Codec::default() }
    }
}

impl PostgresOptions {
    /// Sets how many connections there are at most. 8 unless set.
    #[must_use]
    pub fn connections(mut self, connections: usize) -> Self {
        self.connections = connections.max(1);
        self
    }

    /// Sets how long a connection and an answer may take. 5 s unless set.
    #[must_use]
    pub fn timeout(mut self, wait: Duration) -> Self {
        self.timeout = wait;
        self
    }

    /// Sets the limits.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.codec.limits = limits;
        self
    }

    /// Seals every turn, summary and set of facts.
    #[must_use]
    pub fn cipher(mut self, cipher: Arc<dyn Cipher>) -> Self {
        self.codec.cipher = Some(cipher);
        self
    }

    /// Connects without TLS, and brings the tables up to date. For TLS, give a pool of your own to
    /// [`with_pool`](Self::with_pool).
    ///
    /// # Errors
    /// [`Invalid`](ErrorKind::Invalid) for an address that is none; [`Unavailable`](ErrorKind::Unavailable);
    /// [`NewerSchema`](ErrorKind::NewerSchema) when a newer version of this crate made the tables.
    pub async fn connect(self, url: &str) -> Result<PostgresStore, Error> {
        let mut config: tokio_postgres::Config = url.parse().map_err(|_| {
            // The parser's words quote the address, and a password is in it.
            Error::invalid(
                "this is no address of a PostgreSQL; write postgres://user:password@host/database",
            )
        })?;
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(self.timeout);
        }
        let recycling = ManagerConfig { recycling_method: RecyclingMethod::Fast };
        let manager = Manager::from_config(config, NoTls, recycling);
        let timeouts = Timeouts {
            wait: Some(self.timeout),
            create: Some(self.timeout),
            recycle: Some(self.timeout),
        };
        let pool = Pool::builder(manager)
            .max_size(self.connections)
            .timeouts(timeouts)
            .runtime(Runtime::Tokio1)
            .build()
            .map_err(|error| Error::invalid("no pool of connections").with_source(error))?;
        let mut store = self.with_pool(pool).await?;
        store.own = true;
        Ok(store)
    }

    /// Uses a pool of the host, which the host closes, and brings the tables up to date.
    ///
    /// # Errors
    /// As [`connect`](Self::connect).
    pub async fn with_pool(self, pool: Pool) -> Result<PostgresStore, Error> {
        let store = PostgresStore { pool, own: false, timeout: self.timeout, codec: self.codec };
        let mut client = store.client().await?;
        schema::migrate(&mut client).await?;
        drop(client);
        Ok(store)
    }
}

/// The record on a PostgreSQL server: two tables, `promptline_session` and `promptline_turn`, in the first schema of
/// the search path.
#[derive(Debug, Clone)]
pub struct PostgresStore {
    pool: Pool,
    /// It is ours to close.
    own: bool,
    timeout: Duration,
    codec: Codec,
}

impl PostgresStore {
    /// Connects without TLS, and brings the tables up to date.
    ///
    /// # Errors
    /// As [`PostgresOptions::connect`].
    pub async fn connect(url: &str) -> Result<Self, Error> {
        Self::options().connect(url).await
    }

    /// How to use it otherwise.
    #[must_use]
    pub fn options() -> PostgresOptions {
        PostgresOptions::default()
    }

    async fn client(&self) -> Result<Object, Error> {
        if self.own && self.pool.is_closed() {
            return Err(Error::new(ErrorKind::Closed, "the store is closed"));
        }
        self.pool.get().await.map_err(|error| {
            Error::unavailable("PostgreSQL cannot be reached").with_source(error.to_string())
        })
    }

    /// Never waits for longer than was said. A connection that did not answer is closed.
    async fn within<T>(
        &self,
        client: Object,
        answer: impl AsyncFnOnce(&mut Object) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut client = Guard(Some(client));
        let Some(connection) = client.0.as_mut() else {
            return Err(Error::unavailable("no connection"));
        };
        let answered = tokio::time::timeout(self.timeout, answer(connection)).await;
        match answered {
            Ok(answer) => {
                // Back to the pool.
                drop(client.0.take());
                answer
            }
            Err(_) => {
                Err(Error::unavailable("PostgreSQL did not answer in time").with_unknown_outcome())
            }
        }
    }
}

/// A connection in use. When the caller goes away in the middle of a transaction, it is closed rather than given to
/// the next one: the server undoes what was not committed, and frees its locks.
struct Guard(Option<Object>);

impl Drop for Guard {
    fn drop(&mut self) {
        if let Some(client) = self.0.take() {
            drop(Object::take(client));
        }
    }
}

/// An error of the server by its code: its words may quote a record. Those of the client do not.
fn failed(error: tokio_postgres::Error) -> Error {
    let what = error.code().map_or_else(|| error.to_string(), |code| code.code().to_owned());
    Error::unavailable(format!("PostgreSQL does not answer: {what}"))
}

/// The server's integers are signed.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

#[async_trait]
impl SessionStore for PostgresStore {
    async fn load(&self, id: &SessionId) -> Result<Option<Session>, Error> {
        let client = self.client().await?;
        self.within(client, async |client: &mut Object| read::load(client, &self.codec, id).await)
            .await
    }

    async fn version(&self, id: &SessionId) -> Result<Version, Error> {
        let client = self.client().await?;
        self.within(client, async |client: &mut Object| read::version(client, id).await).await
    }

    async fn commit(&self, change: &Change) -> Result<Committed, Error> {
        crate::rules::check(change, &self.codec.limits)?;
        let client = self.client().await?;
        let commit = async |client: &mut Object| commit::commit(client, &self.codec, change).await;
        self.within(client, commit).await
    }

    async fn turns(&self, id: &SessionId, query: TurnQuery) -> Result<TurnPage, Error> {
        let client = self.client().await?;
        let turns = async |client: &mut Object| read::turns(client, &self.codec, id, query).await;
        self.within(client, turns).await
    }

    async fn list(&self, query: &ListQuery) -> Result<Vec<SessionInfo>, Error> {
        let client = self.client().await?;
        self.within(client, async |client: &mut Object| read::list(client, query).await).await
    }

    async fn delete(&self, id: &SessionId) -> Result<bool, Error> {
        let client = self.client().await?;
        self.within(client, async |client: &mut Object| commit::delete(client, id).await).await
    }

    async fn fork(
        &self,
        source: &SessionId,
        target: &SessionId,
        through: u64,
    ) -> Result<Version, Error> {
        let client = self.client().await?;
        let fork = async |client: &mut Object| {
            commit::fork(client, &self.codec, source, target, through).await
        };
        self.within(client, fork).await
    }

    async fn close(&self) -> Result<(), Error> {
        if self.own {
            self.pool.close();
        }
        Ok(())
    }
}
