//! Every check on every store: alone, under tiers, and under tiers with a real Redis.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use promptline_session::conformance::{Harness, names, run};
use promptline_session::{
    Durability, Error, MemoryStore, PostgresStore, RedisCache, SealedRecords, SessionCache,
    SessionId, SessionStore, SqliteStore, Tiered,
};
use tempfile::TempDir;

use crate::servers::{database, variable};

/// What is above the record.
#[derive(Clone)]
enum Above {
    Nothing,
    Memory,
    Redis(Arc<dyn SessionCache>),
}

impl Above {
    fn name(&self) -> &'static str {
        match self {
            Self::Nothing => "alone",
            Self::Memory => "under memory",
            Self::Redis(_) => "under memory and Redis",
        }
    }

    fn over(&self, store: Arc<dyn SessionStore>) -> Arc<dyn SessionStore> {
        match self {
            Self::Nothing => store,
            Self::Memory => Arc::new(Tiered::new(store)),
            Self::Redis(cache) => Arc::new(Tiered::new(store).redis(Arc::clone(cache))),
        }
    }
}

enum Record {
    Memory(MemoryStore),
    Sqlite(TempDir),
    Postgres(String),
}

struct Case {
    record: Record,
    above: Above,
}

fn sqlite(file: PathBuf) -> Result<SqliteStore, Error> {
    SqliteStore::options().durability(Durability::Normal).readers(1).open(file)
}

#[async_trait]
impl Harness for Case {
    fn name(&self) -> String {
        let record = match self.record {
            Record::Memory(_) => "memory",
            Record::Sqlite(_) => "SQLite",
            Record::Postgres(_) => "PostgreSQL",
        };
        format!("{record} {}", self.above.name())
    }

    async fn open(&self) -> Result<Arc<dyn SessionStore>, Error> {
        let store: Arc<dyn SessionStore> = match &self.record {
            Record::Memory(store) => Arc::new(store.reopen()),
            Record::Sqlite(folder) => Arc::new(sqlite(folder.path().join("s.db"))?),
            Record::Postgres(url) => {
                Arc::new(PostgresStore::options().connections(2).connect(url).await?)
            }
        };
        Ok(self.above.over(store))
    }

    async fn spoil_turn(&self, session: &SessionId, seq: u64) -> bool {
        let seq = i64::try_from(seq).unwrap();
        match &self.record {
            Record::Memory(_) => false,
            Record::Sqlite(folder) => {
                let file = rusqlite::Connection::open(folder.path().join("s.db")).unwrap();
                let sql = "UPDATE turn SET body = x'7b22' WHERE session = ?1 AND seq = ?2";
                file.execute(sql, rusqlite::params![session.as_str(), seq]).unwrap() == 1
            }
            Record::Postgres(url) => {
                let sql =
                    "UPDATE promptline_turn SET body = '\\x7b22' WHERE session = $1 AND seq = $2";
                let client = client(url).await;
                client.execute(sql, &[&session.as_str(), &seq]).await.unwrap() == 1
            }
        }
    }

    async fn other_schemas(
        &self,
    ) -> Option<(Result<Arc<dyn SessionStore>, Error>, Arc<dyn SessionStore>)> {
        match &self.record {
            Record::Memory(_) => None,
            Record::Sqlite(folder) => {
                let newer = folder.path().join("newer.db");
                drop(sqlite(newer.clone()).unwrap());
                let file = rusqlite::Connection::open(&newer).unwrap();
                file.pragma_update(None, "user_version", 99).unwrap();
                let older = folder.path().join("older.db");
                // As version 1 left it.
                let file = rusqlite::Connection::open(&older).unwrap();
                file.execute_batch(include_str!("schema_1.sqlite.sql")).unwrap();
                let newer = sqlite(newer).map(|store| Arc::new(store) as Arc<dyn SessionStore>);
                Some((newer, Arc::new(sqlite(older).unwrap())))
            }
            Record::Postgres(url) => {
                let newer = database(url, "newer").await;
                drop(PostgresStore::connect(&newer).await.unwrap());
                client(&newer)
                    .await
                    .batch_execute("UPDATE promptline_schema SET version = 99")
                    .await
                    .unwrap();
                let older = database(url, "older").await;
                client(&older)
                    .await
                    .batch_execute(include_str!("schema_1.postgres.sql"))
                    .await
                    .unwrap();
                let newer = PostgresStore::connect(&newer).await;
                let newer = newer.map(|store| Arc::new(store) as Arc<dyn SessionStore>);
                Some((newer, Arc::new(PostgresStore::connect(&older).await.unwrap())))
            }
        }
    }

    async fn sealed(
        &self,
    ) -> Option<(Arc<dyn SessionStore>, Box<dyn Fn() -> Vec<u8> + Send + Sync>)> {
        let cipher = Arc::new(SealedRecords::new(&[7; 32]));
        match &self.record {
            Record::Sqlite(folder) => {
                let file = folder.path().join("sealed.db");
                let store = SqliteStore::options().cipher(cipher).open(&file).unwrap();
                let wal = folder.path().join("sealed.db-wal");
                let read = move || {
                    let mut bytes = std::fs::read(&file).unwrap();
                    bytes.extend(std::fs::read(&wal).unwrap_or_default());
                    bytes
                };
                Some((self.above.over(Arc::new(store)), Box::new(read)))
            }
            _ => None,
        }
    }
}

async fn client(url: &str) -> tokio_postgres::Client {
    let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

/// Prints the report; every check must have passed, but for those that this record cannot have.
async fn check(record: Record, above: Above, skipped: usize) {
    let report = run(&Case { record, above }).await;
    println!("{report}");
    assert!(report.failed.is_empty(), "{report}");
    assert_eq!(report.skipped.len(), skipped, "{report}");
    assert_eq!(report.passed.len() + skipped, 63);
}

/// A real Redis, with keys of its own.
fn redis(test: &str) -> Option<Above> {
    static CASES: AtomicUsize = AtomicUsize::new(0);
    let url = variable("PROMPTLINE_TEST_REDIS", test)?;
    let prefix =
        format!("conformance:{}:{}:", std::process::id(), CASES.fetch_add(1, Ordering::SeqCst));
    let cache = RedisCache::options().prefix(prefix).connect(&url).unwrap();
    Some(Above::Redis(Arc::new(cache)))
}

#[test]
fn there_are_63_checks_and_each_has_its_number() {
    let names = names();
    assert_eq!(names.len(), 63);
    for (at, name) in names.iter().enumerate() {
        assert!(name.starts_with(&format!("{:02} ", at + 1)), "{name}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn memory() {
    check(Record::Memory(MemoryStore::new()), Above::Nothing, 3).await;
    check(Record::Memory(MemoryStore::new()), Above::Memory, 3).await;
    if let Some(redis) = redis("memory under Redis") {
        check(Record::Memory(MemoryStore::new()), redis, 3).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_file() {
    let folder = || Record::Sqlite(tempfile::tempdir().unwrap());
    check(folder(), Above::Nothing, 0).await;
    check(folder(), Above::Memory, 0).await;
    if let Some(redis) = redis("SQLite under Redis") {
        check(folder(), redis, 0).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres() {
    let Some(server) = variable("PROMPTLINE_TEST_POSTGRES", "PostgreSQL") else { return };
    for (name, above) in [
        ("alone", Some(Above::Nothing)),
        ("under_memory", Some(Above::Memory)),
        ("under_redis", redis("PostgreSQL under Redis")),
    ] {
        let Some(above) = above else { continue };
        let url = database(&server, &format!("conformance_{name}")).await;
        check(Record::Postgres(url), above, 1).await;
    }
}
