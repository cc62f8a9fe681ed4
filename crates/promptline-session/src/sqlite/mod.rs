//! The record in one SQLite file.

mod commit;
mod read;
mod schema;
mod worker;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use rusqlite::Connection;

use crate::codec::Codec;
use crate::{
    Change, Cipher, Clock, Committed, Error, Limits, ListQuery, Session, SessionId, SessionInfo,
    SessionStore, SystemClock, TurnPage, TurnQuery, Version,
};
use worker::{Readers, Writer};

/// What an acknowledged commit survives.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Durability {
    /// Loss of power too: every commit waits for the disk (`synchronous = FULL`), some milliseconds. Commits that
    /// wait at the same time share one wait.
    #[default]
    Full,
    /// The end of the process, by `kill -9` too, but not loss of power: the last commits may then be missing, never
    /// half of one (`synchronous = NORMAL`). Some ten microseconds.
    Normal,
}

/// How a file is opened. See [`SqliteStore::options`].
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct SqliteOptions {
    durability: Durability,
    busy: Duration,
    readers: usize,
    codec: Codec,
    clock: Arc<dyn Clock>,
}

impl Default for SqliteOptions {
    fn default() -> Self {
        Self {
            durability: Durability::Full,
            busy: Duration::from_secs(10),
            readers: 2,
            codec: Codec::default(),
            clock: Arc::new(SystemClock::new()),
        }
    }
}

impl SqliteOptions {
    /// Sets what an acknowledged commit survives.
    #[must_use]
    pub fn durability(mut self, durability: Durability) -> Self {
        self.durability = durability;
        self
    }

    /// Sets how long a commit waits for other processes that write to the file. 10 s unless set.
    #[must_use]
    pub fn busy_timeout(mut self, wait: Duration) -> Self {
        self.busy = wait;
        self
    }

    /// Sets how many threads read. 2 unless set.
    #[must_use]
    pub fn readers(mut self, threads: usize) -> Self {
        self.readers = threads.max(1);
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

    /// Sets the clock.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Opens the file, and creates it when it is not there. Blocks for a moment.
    ///
    /// # Errors
    /// [`Unavailable`](crate::ErrorKind::Unavailable) when it cannot be opened;
    /// [`NewerSchema`](crate::ErrorKind::NewerSchema) when a newer version of this crate wrote it.
    pub fn open(self, file: impl AsRef<Path>) -> Result<SqliteStore, Error> {
        let file = file.as_ref();
        let connect = || -> Result<Connection, Error> {
            let connection = Connection::open(file).map_err(|error| cannot_open(file, error))?;
            self.prepare(&connection).map_err(|error| cannot_open(file, error))?;
            Ok(connection)
        };
        let mut connection = connect()?;
        schema::migrate(&mut connection)?;
        let readers = (0..self.readers).map(|_| connect()).collect::<Result<Vec<_>, _>>()?;
        Ok(SqliteStore {
            writer: Arc::new(Writer::start(
                connection,
                self.codec.clone(),
                Arc::clone(&self.clock),
            )?),
            readers: Arc::new(Readers::start(readers)?),
            codec: self.codec,
        })
    }

    fn prepare(&self, connection: &Connection) -> rusqlite::Result<()> {
        connection.busy_timeout(self.busy)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        let synchronous = match self.durability {
            Durability::Full => "FULL",
            Durability::Normal => "NORMAL",
        };
        connection.pragma_update(None, "synchronous", synchronous)?;
        connection.set_prepared_statement_cache_capacity(32);
        Ok(())
    }
}

/// The record in one SQLite file (in WAL mode, with `-wal` and `-shm` beside it). Several processes may have it open.
/// One thread writes, in the order of the calls; commits that wait together are one transaction on the disk.
#[derive(Debug, Clone)]
pub struct SqliteStore {
    writer: Arc<Writer>,
    readers: Arc<Readers>,
    codec: Codec,
}

impl SqliteStore {
    /// Opens the file, and creates it when it is not there.
    ///
    /// # Errors
    /// As [`SqliteOptions::open`].
    pub fn open(file: impl AsRef<Path>) -> Result<Self, Error> {
        Self::options().open(file)
    }

    /// How to open it otherwise.
    #[must_use]
    pub fn options() -> SqliteOptions {
        SqliteOptions::default()
    }
}

fn cannot_open(file: &Path, error: rusqlite::Error) -> Error {
    Error::unavailable(format!("{} cannot be opened", file.display())).with_source(error)
}

/// An error of SQLite in our words.
fn failed(error: rusqlite::Error) -> Error {
    Error::unavailable("the SQLite file does not answer").with_source(error)
}

#[async_trait]
impl SessionStore for SqliteStore {
    async fn load(&self, id: &SessionId) -> Result<Option<Session>, Error> {
        let (id, codec) = (id.clone(), self.codec.clone());
        self.readers.run(move |connection| read::load(connection, &codec, id)).await
    }

    async fn version(&self, id: &SessionId) -> Result<Version, Error> {
        let id = id.clone();
        self.readers.run(move |connection| read::version(connection, &id)).await
    }

    async fn commit(&self, change: &Change) -> Result<Committed, Error> {
        crate::rules::check(change, &self.codec.limits)?;
        let change = change.clone();
        self.writer.run(move |writing| commit::commit(writing, &change)).await
    }

    async fn turns(&self, id: &SessionId, query: TurnQuery) -> Result<TurnPage, Error> {
        let (id, codec) = (id.clone(), self.codec.clone());
        self.readers.run(move |connection| read::turns(connection, &codec, &id, query)).await
    }

    async fn list(&self, query: &ListQuery) -> Result<Vec<SessionInfo>, Error> {
        let query = query.clone();
        self.readers.run(move |connection| read::list(connection, &query)).await
    }

    async fn delete(&self, id: &SessionId) -> Result<bool, Error> {
        let id = id.clone();
        self.writer.run(move |writing| commit::delete(writing, &id)).await
    }

    async fn fork(
        &self,
        source: &SessionId,
        target: &SessionId,
        through: u64,
    ) -> Result<Version, Error> {
        let (source, target) = (source.clone(), target.clone());
        self.writer.run(move |writing| commit::fork(writing, &source, &target, through)).await
    }

    async fn close(&self) -> Result<(), Error> {
        self.writer.close().await;
        self.readers.close().await;
        Ok(())
    }
}
