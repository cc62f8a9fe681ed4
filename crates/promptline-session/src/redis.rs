//! The cache that several workers share: one hash a session, with its version and its bytes. Never the only copy.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use ::redis::aio::{ConnectionLike, ConnectionManager, ConnectionManagerConfig};
use ::redis::{Client, RedisError, Script, ToRedisArgs};
use async_trait::async_trait;
use tokio::time::timeout;

use crate::codec::Codec;
use crate::{Cipher, Error, Session, SessionCache, SessionId, Version};

/// Sets version and bytes unless the hash has as new a version; a key of another type is replaced. `ARGV`: version,
/// bytes, life in milliseconds. Versions are compared as text of one width: numbers of Lua are not wide enough.
const PUT: &str = r"
local v = redis.pcall('HGET', KEYS[1], 'v')
if type(v) == 'table' then redis.call('DEL', KEYS[1]) v = false end
if v and v > ARGV[1] then return 0 end
local new = not v or v < ARGV[1]
if new then
  if ARGV[2] == '' then
    redis.call('DEL', KEYS[1])
    redis.call('HSET', KEYS[1], 'v', ARGV[1])
  else
    redis.call('HSET', KEYS[1], 'v', ARGV[1], 'd', ARGV[2])
  end
elseif ARGV[2] == '' then
  redis.call('HDEL', KEYS[1], 'd')
end
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return new and 1 or 0
";

/// How a Redis is reached. See [`RedisCache::options`].
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RedisOptions {
    idle: Duration,
    connect: Duration,
    respond: Duration,
    prefix: String,
    codec: Codec,
}

impl Default for RedisOptions {
    fn default() -> Self {
        Self {
            idle: Duration::from_secs(3_600),
            connect: Duration::from_millis(500),
            respond: Duration::from_millis(250),
            prefix: "promptline:session:".into(),
            codec: Codec::default(),
        }
    }
}

impl RedisOptions {
    /// Sets how long after its last change a session stays, by the server's clock. 1 hour unless set.
    #[must_use]
    pub fn idle(mut self, idle: Duration) -> Self {
        self.idle = idle;
        self
    }

    /// Sets how long a connection may take. 500 ms unless set.
    #[must_use]
    pub fn connect_timeout(mut self, wait: Duration) -> Self {
        self.connect = wait;
        self
    }

    /// Sets how long an answer may take. 250 ms unless set.
    #[must_use]
    pub fn response_timeout(mut self, wait: Duration) -> Self {
        self.respond = wait;
        self
    }

    /// Sets what every key begins with: another one for another application.
    #[must_use]
    pub fn prefix(mut self, prefix: impl Into<String>) -> Self {
        self.prefix = prefix.into();
        self
    }

    /// Seals every session.
    #[must_use]
    pub fn cipher(mut self, cipher: Arc<dyn Cipher>) -> Self {
        self.codec.cipher = Some(cipher);
        self
    }

    /// A cache at this address: `redis://…`, or `redis+cluster://host:port,host:port` (feature `redis-cluster`).
    /// Connects when it is first asked, and again when the connection is lost. Needs a Tokio runtime.
    ///
    /// # Errors
    /// [`Invalid`](crate::ErrorKind::Invalid) for an address that is none.
    pub fn connect(self, url: &str) -> Result<RedisCache, Error> {
        let server = self.server(url)?;
        Ok(RedisCache { server, script: Arc::new(Script::new(PUT)), options: self })
    }

    fn server(&self, url: &str) -> Result<Server, Error> {
        if let Some(nodes) = url.strip_prefix("redis+cluster://") {
            return self.cluster(nodes);
        }
        let config = ConnectionManagerConfig::new()
            .set_number_of_retries(0)
            .set_max_delay(Duration::from_millis(100))
            .set_connection_timeout(Some(self.connect))
            .set_response_timeout(Some(self.respond));
        let client = Client::open(url).map_err(not_an_address)?;
        ConnectionManager::new_lazy_with_config(client, config)
            .map(|manager| Server::One(Box::new(manager)))
            .map_err(not_an_address)
    }

    #[cfg(feature = "redis-cluster")]
    fn cluster(&self, nodes: &str) -> Result<Server, Error> {
        let nodes = nodes.split(',').map(|node| format!("redis://{node}"));
        let client = ::redis::cluster::ClusterClientBuilder::new(nodes)
            .connection_timeout(self.connect)
            .response_timeout(self.respond)
            .retries(1)
            .build()
            .map_err(not_an_address)?;
        Ok(Server::Cluster { client: Arc::new(client), connection: Arc::default() })
    }

    #[cfg(not(feature = "redis-cluster"))]
    #[expect(clippy::unused_self, reason = "the other build needs it")]
    fn cluster(&self, _: &str) -> Result<Server, Error> {
        Err(Error::invalid("this program was built without the feature `redis-cluster`"))
    }
}

/// A cache that several workers share.
#[derive(Clone)]
pub struct RedisCache {
    server: Server,
    script: Arc<Script>,
    options: RedisOptions,
}

#[derive(Clone)]
enum Server {
    One(Box<ConnectionManager>),
    #[cfg(feature = "redis-cluster")]
    Cluster {
        client: Arc<::redis::cluster::ClusterClient>,
        connection: Arc<tokio::sync::OnceCell<::redis::cluster_async::ClusterConnection>>,
    },
}

impl fmt::Debug for RedisCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisCache").field("idle", &self.options.idle).finish_non_exhaustive()
    }
}

impl RedisCache {
    /// How to reach a Redis.
    #[must_use]
    pub fn options() -> RedisOptions {
        RedisOptions::default()
    }

    /// The key of a session. What is in braces decides where a cluster keeps it.
    #[must_use]
    pub fn key(&self, id: &SessionId) -> String {
        format!("{}{{{id}}}", self.options.prefix)
    }

    /// Asks the server, and never waits for longer than was said.
    async fn ask<T, F>(&self, ask: impl Fn(Connection) -> F + Send) -> Result<T, Error>
    where
        F: Future<Output = Result<T, RedisError>> + Send,
    {
        let most = self.options.connect + self.options.respond;
        let answer = async {
            match ask(self.connection().await?).await {
                // A connection that was lost is told once; then there is a new one, if there is a server.
                Err(error) if error.is_io_error() && !error.is_timeout() => {
                    ask(self.connection().await?).await
                }
                answer => answer,
            }
        };
        match timeout(most, answer).await {
            Ok(answer) => answer.map_err(failed),
            Err(_) => Err(Error::unavailable("Redis did not answer in time")),
        }
    }

    async fn connection(&self) -> Result<Connection, RedisError> {
        match &self.server {
            Server::One(manager) => Ok(Connection::One(manager.clone())),
            #[cfg(feature = "redis-cluster")]
            Server::Cluster { client, connection } => {
                let connect = || client.get_async_connection();
                connection.get_or_try_init(connect).await.cloned().map(Connection::Cluster)
            }
        }
    }

    async fn put(&self, id: &SessionId, version: Version, bytes: &[u8]) -> Result<bool, Error> {
        let life = u64::try_from(self.options.idle.as_millis()).unwrap_or(u64::MAX).max(1);
        let (script, key) = (Arc::clone(&self.script), self.key(id));
        let mut call = script.prepare_invoke();
        call.key(key).arg(in_order(version)).arg(bytes).arg(life);
        let call = &call;
        self.ask(move |mut connection| async move { call.invoke_async(&mut connection).await })
            .await
    }
}

/// A version as text of one width.
fn in_order(version: Version) -> impl ToRedisArgs {
    format!("{:016x}{:016x}", version.epoch, version.number)
}

fn not_an_address(error: RedisError) -> Error {
    Error::invalid("this is no address of a Redis; write redis://host:port").with_source(error)
}

fn failed(error: RedisError) -> Error {
    // Redis' own words may quote a command.
    let what = error.code().map_or_else(|| error.category().to_owned(), str::to_owned);
    match error.code() {
        Some("WRONGTYPE") => Error::corrupt("a key of the cache is of another type; it"),
        _ => Error::unavailable(format!("Redis does not answer: {what}")),
    }
}

/// One server or a cluster.
#[derive(Clone)]
enum Connection {
    One(Box<ConnectionManager>),
    #[cfg(feature = "redis-cluster")]
    Cluster(::redis::cluster_async::ClusterConnection),
}

impl ConnectionLike for Connection {
    fn req_packed_command<'a>(
        &'a mut self,
        cmd: &'a ::redis::Cmd,
    ) -> ::redis::RedisFuture<'a, ::redis::Value> {
        match self {
            Self::One(connection) => connection.req_packed_command(cmd),
            #[cfg(feature = "redis-cluster")]
            Self::Cluster(connection) => connection.req_packed_command(cmd),
        }
    }

    fn req_packed_commands<'a>(
        &'a mut self,
        cmd: &'a ::redis::Pipeline,
        offset: usize,
        count: usize,
    ) -> ::redis::RedisFuture<'a, Vec<::redis::Value>> {
        match self {
            Self::One(connection) => connection.req_packed_commands(cmd, offset, count),
            #[cfg(feature = "redis-cluster")]
            Self::Cluster(connection) => connection.req_packed_commands(cmd, offset, count),
        }
    }

    fn get_db(&self) -> i64 {
        match self {
            Self::One(connection) => connection.get_db(),
            #[cfg(feature = "redis-cluster")]
            Self::Cluster(connection) => connection.get_db(),
        }
    }
}

#[async_trait]
impl SessionCache for RedisCache {
    async fn get(&self, id: &SessionId) -> Result<Option<Arc<Session>>, Error> {
        let key = self.key(id);
        let key = &key;
        let read = move |mut connection: Connection| async move {
            ::redis::cmd("HGET").arg(key).arg("d").query_async(&mut connection).await
        };
        let bytes: Option<Vec<u8>> = self.ask(read).await?;
        bytes.map(|bytes| self.options.codec.read_session(id, &bytes).map(Arc::new)).transpose()
    }

    async fn put_if_newer(&self, session: &Arc<Session>) -> Result<bool, Error> {
        let bytes = self.options.codec.session(session)?;
        self.put(&session.id, session.version, &bytes).await
    }

    async fn invalidate(&self, id: &SessionId, through: Version) -> Result<(), Error> {
        self.put(id, through, &[]).await.map(|_| ())
    }
}
