//! The measures of sessions: ratios between two things that are measured in turns, in one run. Redis and PostgreSQL
//! are measured where `scripts/servers` has started them.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::indexing_slicing,
    reason = "a bench prints, and may fail"
)]

use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};

use promptline_session::{
    Change, Durability, Freshness, MemoryCache, MemoryStore, PostgresStore, RedisCache, Session,
    SessionCache, SessionId, SessionStore, SqliteStore, Tiered, Turn, TurnId, Version,
};

fn id(name: &str) -> SessionId {
    SessionId::new(name).unwrap()
}

/// About 1 KiB.
fn turn(n: usize) -> Turn {
    let text = "What the user said, and what came of it. ".repeat(12);
    Turn::new(TurnId::new(format!("t{n}")).unwrap()).user(text.as_str()).assistant(text)
}

/// A session of 4 KiB.
async fn session() -> Arc<Session> {
    let store = MemoryStore::new();
    let mut change = Change::new(id("bench"), Version::NONE);
    for n in 0..4 {
        change = change.append(turn(n));
    }
    store.commit(&change).await.unwrap();
    Arc::new(store.load(&id("bench")).await.unwrap().unwrap())
}

/// Median and 99th percentile, in microseconds.
#[derive(Clone, Copy)]
struct Times(f64, f64);

fn times(mut all: Vec<Duration>) -> Times {
    all.sort_unstable();
    let at = |share: usize| all[(all.len() * share / 100).min(all.len() - 1)].as_secs_f64() * 1e6;
    Times(at(50), at(99))
}

/// Both in turns, so that a busy machine is busy for both.
async fn both<A, B>(
    rounds: usize,
    mut ours: impl FnMut(usize) -> A,
    mut raw: impl FnMut(usize) -> B,
) -> (Times, Times)
where
    A: Future<Output = ()>,
    B: Future<Output = ()>,
{
    let (mut one, mut other) = (Vec::new(), Vec::new());
    for round in 0..rounds + rounds / 10 {
        let began = Instant::now();
        ours(round).await;
        let middle = Instant::now();
        raw(round).await;
        if round >= rounds / 10 {
            one.push(middle - began);
            other.push(middle.elapsed());
        }
    }
    (times(one), times(other))
}

fn ratio(what: &str, (ours, raw): (Times, Times), goal: f64) {
    let (p50, p99) = (ours.0 / raw.0, ours.1 / raw.1);
    println!(
        "{what:44} {:9.1} us {:9.1} us   x{p50:.2} (goal {goal}), p99 x{p99:.2}",
        ours.0, raw.0
    );
}

async fn memory() {
    let session = session().await;
    let cache = MemoryCache::new();
    cache.put_if_newer(&session).await.unwrap();
    let store = Arc::new(MemoryStore::new());
    let tiered = Tiered::new(store).freshness(Freshness::Exclusive);
    tiered.commit(&Change::new(id("bench"), Version::NONE).append(turn(1))).await.unwrap();
    const N: u32 = 200_000;
    let began = Instant::now();
    for _ in 0..N {
        std::hint::black_box(cache.get(&session.id).await.unwrap());
    }
    let cached = began.elapsed() / N;
    let began = Instant::now();
    for _ in 0..N {
        std::hint::black_box(tiered.get(&session.id).await.unwrap());
    }
    let through = began.elapsed() / N;
    println!(
        "{:44} {:9.2} us (goal 2), through the tiers {:.2} us",
        "memory get",
        cached.as_secs_f64() * 1e6,
        through.as_secs_f64() * 1e6
    );
}

async fn sqlite(durability: Durability, rounds: usize) {
    let folder = tempfile::tempdir().unwrap();
    let store =
        SqliteStore::options().durability(durability).open(folder.path().join("ours.db")).unwrap();
    let raw = rusqlite::Connection::open(folder.path().join("raw.db")).unwrap();
    raw.pragma_update(None, "journal_mode", "WAL").unwrap();
    raw.pragma_update(
        None,
        "synchronous",
        if durability == Durability::Full { "FULL" } else { "NORMAL" },
    )
    .unwrap();
    raw.execute_batch(
        "CREATE TABLE s (id TEXT PRIMARY KEY, ver INTEGER, seq INTEGER);
        CREATE TABLE t (id TEXT, seq INTEGER, turn TEXT, body BLOB, PRIMARY KEY (id, seq));
        CREATE UNIQUE INDEX t_by ON t (id, turn); INSERT INTO s VALUES ('bench', 0, 0)",
    )
    .unwrap();
    let version = std::cell::Cell::new(Version::NONE);
    let measured = both(
        rounds,
        |n| {
            let change = Change::new(id("bench"), version.get()).append(turn(n));
            let (store, version) = (&store, &version);
            async move { version.set(store.commit(&change).await.unwrap().version) }
        },
        |n| {
            let (raw, n) = (&raw, i64::try_from(n).unwrap());
            async move {
                let body = serde_json::to_vec(&turn(0)).unwrap();
                raw.execute_batch("BEGIN IMMEDIATE").unwrap();
                let mut update = raw
                    .prepare_cached(
                        "UPDATE s SET ver = ver + 1, seq = ?1 WHERE id = 'bench' AND ver = ?1",
                    )
                    .unwrap();
                assert_eq!(update.execute([n]).unwrap(), 1);
                let mut insert =
                    raw.prepare_cached("INSERT INTO t VALUES ('bench', ?1, ?2, ?3)").unwrap();
                insert.execute(rusqlite::params![n, format!("t{n}"), body]).unwrap();
                raw.execute_batch("COMMIT").unwrap();
            }
        },
    )
    .await;
    ratio(&format!("SQLite commit, {durability:?}, a raw transaction"), measured, 1.3);
    store.close().await.unwrap();
}

async fn redis(url: &str) {
    let session = session().await;
    let bytes = serde_json::to_vec(&*session).unwrap();
    let cache = RedisCache::options().connect(url).unwrap();
    let client = redis::Client::open(url).unwrap();
    let raw = redis::aio::ConnectionManager::new(client).await.unwrap();
    cache.put_if_newer(&session).await.unwrap();
    let _: () =
        redis::cmd("SET").arg("raw").arg(&bytes).query_async(&mut raw.clone()).await.unwrap();
    let measured = both(
        3_000,
        |_| {
            let (cache, id) = (&cache, &session.id);
            async move { drop(cache.get(id).await.unwrap().unwrap()) }
        },
        |_| {
            let mut raw = raw.clone();
            async move {
                let got: Vec<u8> =
                    redis::cmd("GET").arg("raw").query_async(&mut raw).await.unwrap();
                std::hint::black_box(got);
            }
        },
    )
    .await;
    ratio("Redis get, a raw GET of the same bytes", measured, 1.3);
    let measured = both(
        3_000,
        |n| {
            let cache = &cache;
            let mut newer = Session::clone(&session);
            newer.version = Version::new(1, n as u64 + 2);
            let newer = Arc::new(newer);
            async move { assert!(cache.put_if_newer(&newer).await.unwrap()) }
        },
        |_| {
            let (mut raw, bytes) = (raw.clone(), &bytes);
            async move {
                let _: () = redis::cmd("SET")
                    .arg("raw")
                    .arg(bytes)
                    .arg("PX")
                    .arg(3_600_000)
                    .query_async(&mut raw)
                    .await
                    .unwrap();
            }
        },
    )
    .await;
    ratio("Redis put, a raw SET of the same bytes", measured, 2.0);
}

async fn dead_redis() {
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(SqliteStore::open(folder.path().join("s.db")).unwrap());
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let cache = RedisCache::options().connect(&format!("redis://127.0.0.1:{free}")).unwrap();
    let tiered =
        Tiered::new(Arc::<SqliteStore>::clone(&store)).without_memory().redis(Arc::new(cache));
    tiered.commit(&Change::new(id("bench"), Version::NONE).append(turn(1))).await.unwrap();
    while !tiered.redis_is_out() {
        tiered.get(&id("bench")).await.unwrap();
    }
    let (ours, raw) = both(
        3_000,
        |_| {
            let tiered = &tiered;
            async move { drop(tiered.get(&id("bench")).await.unwrap()) }
        },
        |_| {
            let store = &store;
            async move { drop(store.load(&id("bench")).await.unwrap()) }
        },
    )
    .await;
    println!(
        "{:44} {:9.1} us {:9.1} us   +{:.2} ms (goal + 5 ms)",
        "p99 of a get with a dead Redis, the record's",
        ours.1,
        raw.1,
        (ours.1 - raw.1) / 1e3
    );
}

async fn postgres(url: &str) {
    let store = PostgresStore::connect(url).await.unwrap();
    let (raw, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    raw.batch_execute(
        "DROP TABLE IF EXISTS raw_t, raw_s;
        CREATE TABLE raw_s (id text PRIMARY KEY, ver bigint, seq bigint);
        CREATE TABLE raw_t (id text, seq bigint, turn text, body bytea, PRIMARY KEY (id, seq), UNIQUE (id, turn));
        INSERT INTO raw_s VALUES ('bench', 0, 0)",
    )
    .await
    .unwrap();
    let update = raw
        .prepare("UPDATE raw_s SET ver = ver + 1, seq = $1 WHERE id = 'bench' AND ver = $1")
        .await
        .unwrap();
    let insert = raw.prepare("INSERT INTO raw_t VALUES ('bench', $1, $2, $3)").await.unwrap();
    store.delete(&id("bench")).await.unwrap();
    let version = std::cell::Cell::new(Version::NONE);
    let measured = both(
        500,
        |n| {
            let change = Change::new(id("bench"), version.get()).append(turn(n));
            let (store, version) = (&store, &version);
            async move { version.set(store.commit(&change).await.unwrap().version) }
        },
        |n| {
            let (raw, update, insert, n) = (&raw, &update, &insert, i64::try_from(n).unwrap());
            async move {
                let body = serde_json::to_vec(&turn(0)).unwrap();
                raw.batch_execute("BEGIN").await.unwrap();
                assert_eq!(raw.execute(update, &[&n]).await.unwrap(), 1);
                raw.execute(insert, &[&n, &format!("t{n}"), &body]).await.unwrap();
                raw.batch_execute("COMMIT").await.unwrap();
            }
        },
    )
    .await;
    ratio("PostgreSQL commit, a raw transaction", measured, 1.3);
}

fn main() {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    println!("{:44} {:>12} {:>12}   p50", "sessions of 4 KiB, turns of 1 KiB", "ours", "raw");
    runtime.block_on(async {
        memory().await;
        sqlite(Durability::Full, 300).await;
        sqlite(Durability::Normal, 3_000).await;
        dead_redis().await;
        match std::env::var("PROMPTLINE_TEST_REDIS") {
            Ok(url) => redis(&url).await,
            Err(_) => println!("Redis: not measured, PROMPTLINE_TEST_REDIS is not set"),
        }
        match std::env::var("PROMPTLINE_TEST_POSTGRES") {
            Ok(url) => postgres(&url).await,
            Err(_) => println!("PostgreSQL: not measured, PROMPTLINE_TEST_POSTGRES is not set"),
        }
    });
}
