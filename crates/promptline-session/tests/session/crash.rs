//! `kill -9` of a process that writes: every turn that it said was committed is there, and no cache hides it.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use promptline_session::{
    Change, Config, Durability, MemoryCache, RedisCache, SessionStore, SqliteStore, Tiered,
    TurnQuery, open_store,
};

use crate::servers::{database, variable};
use crate::{id, turn};

async fn tiers(store: &str, redis: Option<&str>) -> Tiered {
    let store: Arc<dyn SessionStore> = match store.strip_prefix("sqlite:") {
        // Loss of power is not what is tested.
        Some(file) => {
            Arc::new(SqliteStore::options().durability(Durability::Normal).open(file).unwrap())
        }
        None => open_store(store).await.unwrap(),
    };
    let tiered = Tiered::new(store).memory(MemoryCache::new());
    match redis {
        Some(url) => {
            tiered.redis(Arc::new(RedisCache::options().prefix("crash:").connect(url).unwrap()))
        }
        None => tiered,
    }
}

/// The process that is killed; nothing when it is run by itself.
#[tokio::test]
async fn child() {
    let Ok(store) = std::env::var("PROMPTLINE_TEST_CRASH_STORE") else { return };
    let redis = std::env::var("PROMPTLINE_TEST_REDIS").ok();
    let round = std::env::var("PROMPTLINE_TEST_CRASH_ROUND").unwrap();
    let tiered = tiers(&store, redis.as_deref()).await;
    let id = id("crash");
    for n in 0.. {
        let session = tiered.open_session(&id).await.unwrap();
        let name = format!("{round}.{n}");
        tiered.commit(&Change::to(&session).append(turn(&name, "x"))).await.unwrap();
        println!("ack {name}");
        std::io::stdout().flush().unwrap();
    }
}

async fn kill(store: &str, rounds: usize) {
    let redis = std::env::var("PROMPTLINE_TEST_REDIS").ok();
    let mut acknowledged = Vec::new();
    let mut random = 88_172_645_463_325_252_u64;
    for round in 0..rounds {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["crash::child", "--exact", "--nocapture"])
            .env("PROMPTLINE_TEST_CRASH_STORE", store)
            .env("PROMPTLINE_TEST_CRASH_ROUND", round.to_string())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut read = |lines: &mut dyn Iterator<Item = std::io::Result<String>>| {
            for line in lines.map_while(Result::ok) {
                // The line may begin with what the test runner says.
                let Some((_, name)) = line.split_once("ack ") else { continue };
                acknowledged.push(name.to_owned());
                return true;
            }
            false
        };
        assert!(read(&mut lines), "round {round}: the child ended before its first commit");
        for _ in 0..3 {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
        }
        std::thread::sleep(Duration::from_micros(random % 20_000));
        child.kill().unwrap();
        child.wait().unwrap();
        // The last line may be cut; then it was not said.
        while read(&mut lines) {}
    }
    let tiered = tiers(store, redis.as_deref()).await;
    let session = tiered.open_session(&id("crash")).await.unwrap();
    let record = tiered.turns(&id("crash"), TurnQuery::Last(usize::MAX)).await.unwrap();
    assert_eq!(session.next_seq, record.through + 1, "a cache hides what was committed");
    let there: std::collections::HashSet<&str> =
        record.turns.iter().map(|turn| turn.id.as_str()).collect();
    let lost: Vec<&String> =
        acknowledged.iter().filter(|name| !there.contains(name.as_str())).collect();
    assert!(lost.is_empty(), "{} of {} are lost: {lost:?}", lost.len(), acknowledged.len());
    assert!(record.corrupt.is_empty());
    println!(
        "{rounds} kills: {} of {} acknowledged turns are there",
        acknowledged.len(),
        acknowledged.len()
    );
}

#[tokio::test]
async fn sqlite_200_times() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("s.db");
    kill(&format!("sqlite:{}", file.display()), 200).await;
    let check = rusqlite::Connection::open(file).unwrap();
    let check: String =
        check.pragma_query_value(None, "integrity_check", |row| row.get(0)).unwrap();
    assert_eq!(check, "ok");
}

#[tokio::test]
async fn postgres_50_times() {
    let Some(server) = variable("PROMPTLINE_TEST_POSTGRES", "kill -9 on PostgreSQL") else {
        return;
    };
    kill(&database(&server, "crash").await, 50).await;
}

/// The tiers by configuration alone.
#[tokio::test]
async fn the_same_program_by_configuration() {
    let folder = tempfile::tempdir().unwrap();
    let mut stores = vec![Config::new(format!("sqlite:{}", folder.path().join("s.db").display()))];
    let redis = variable("PROMPTLINE_TEST_REDIS", "Redis by configuration");
    if let (Some(server), Some(redis)) =
        (variable("PROMPTLINE_TEST_POSTGRES", "PostgreSQL by configuration"), redis)
    {
        stores.push(Config::new(database(&server, "configured").await).redis(redis));
    }
    for config in stores {
        let read: Config = serde_json::from_str(&serde_json::to_string(&config).unwrap()).unwrap();
        assert_eq!(read, config);
        let (one, two) = (config.open().await.unwrap(), config.open().await.unwrap());
        let session = one.open_session(&id("s")).await.unwrap();
        one.commit(&session.append(turn("t1", "a"))).await.unwrap();
        let seen = two.open_session(&id("s")).await.unwrap();
        two.commit(&seen.append(turn("t2", "b"))).await.unwrap();
        assert_eq!(one.get(&id("s")).await.unwrap().unwrap().turns.len(), 2);
    }
}
