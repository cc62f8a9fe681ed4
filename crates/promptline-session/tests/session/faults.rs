//! A real Redis that is killed, slow, flushed, full: commits are acknowledged, reads go on from the record.

use std::sync::Arc;
use std::time::Duration;

use promptline_session::{
    Change, MemoryStore, RedisCache, SessionCache, SessionStore, SqliteStore, Tiered, TurnQuery,
    Version,
};

use crate::servers::{Redis, variable};
use crate::{id, turn};

struct Tiers {
    tiered: Tiered,
    store: Arc<dyn SessionStore>,
    written: usize,
    _folder: tempfile::TempDir,
}

impl Tiers {
    fn over(redis: &Redis) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store: Arc<dyn SessionStore> =
            Arc::new(SqliteStore::open(folder.path().join("s.db")).unwrap());
        let cache = RedisCache::options()
            .response_timeout(Duration::from_millis(100))
            .connect(&redis.url())
            .unwrap();
        let tiered = Tiered::new(Arc::clone(&store)).without_memory().redis(Arc::new(cache));
        Self { tiered, store, written: 0, _folder: folder }
    }

    /// So many commits, each with a read before it; all must be acknowledged, and every read must be new.
    async fn write(&mut self, turns: usize) {
        for _ in 0..turns {
            let session = self.tiered.open_session(&id("s")).await.unwrap();
            assert_eq!(session.next_seq, self.written as u64 + 1, "an old session was served");
            self.written += 1;
            let change = session.append(turn(&format!("t{}", self.written), "x"));
            self.tiered.commit(&change).await.unwrap();
        }
    }

    async fn look(&self) {
        let page = self.store.turns(&id("s"), TurnQuery::Last(usize::MAX)).await.unwrap();
        assert_eq!(page.turns.len(), self.written, "acknowledged turns are lost");
        let session = self.tiered.open_session(&id("s")).await.unwrap();
        assert_eq!(*session, self.store.load(&id("s")).await.unwrap().unwrap());
    }
}

fn server(test: &str) -> Option<String> {
    variable("PROMPTLINE_TEST_REDIS_SERVER", test)
}

#[tokio::test]
async fn redis_is_not_there_at_the_start_and_comes() {
    let Some(server) = server("no Redis at the start") else { return };
    let mut redis = Redis::new(&server, &[]);
    let mut tiers = Tiers::over(&redis);
    tiers.write(20).await;
    redis.start();
    tokio::time::sleep(Duration::from_millis(1_200)).await;
    tiers.write(20).await;
    tiers.look().await;
    assert!(tiers.tiered.stats().redis.hits > 0, "it is not used: {:?}", tiers.tiered.stats());
}

#[tokio::test]
async fn redis_is_killed_again_and_again_while_turns_are_written() {
    let Some(server) = server("Redis killed") else { return };
    let mut redis = Redis::started(&server);
    let mut tiers = Tiers::over(&redis);
    for pause in [0, 3, 7, 11] {
        tiers.write(10).await;
        let (written, killed) = tokio::sync::oneshot::channel::<()>();
        // In the middle of a put or a get, whatever is under way then.
        let kill = tokio::task::spawn_blocking(move || {
            std::thread::sleep(Duration::from_millis(pause));
            redis.kill();
            drop(written);
            redis
        });
        tiers.write(30).await;
        let _ = killed.await;
        redis = kill.await.unwrap();
        tiers.write(10).await;
        redis.start();
        tokio::time::sleep(Duration::from_millis(1_100)).await;
    }
    tiers.write(10).await;
    tiers.look().await;
}

#[tokio::test]
async fn redis_is_away_for_a_while_and_comes_back_with_what_it_had() {
    let Some(server) = server("Redis away") else { return };
    let redis = Redis::started(&server);
    let mut tiers = Tiers::over(&redis);
    tiers.write(5).await;
    // It is there, and does not answer; after that it has an old session.
    redis.ask("CLIENT PAUSE 3000 ALL");
    let began = std::time::Instant::now();
    while began.elapsed() < Duration::from_millis(3_300) {
        tiers.write(5).await;
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    tiers.write(5).await;
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    tiers.write(5).await;
    tiers.look().await;
    let stats = tiers.tiered.stats();
    assert!(
        stats.redis.skipped > 0 && stats.redis.errors < 20,
        "the breaker does not work: {stats:?}"
    );
    assert!(!tiers.tiered.redis_is_out());
}

#[tokio::test]
async fn redis_is_flushed_spoiled_and_full() {
    let Some(server) = server("Redis flushed and full") else { return };
    let redis = Redis::started(&server);
    let mut tiers = Tiers::over(&redis);
    tiers.write(3).await;
    redis.ask("FLUSHALL");
    tiers.write(3).await;
    let cache = RedisCache::options().connect(&redis.url()).unwrap();
    let key = cache.key(&id("s"));
    for spoil in
        [format!("SET {key} x"), format!("HSET {key} d not-json"), format!("LPUSH {key}-x 1")]
    {
        if spoil.starts_with("SET") {
            redis.ask(&format!("DEL {key}"));
        }
        redis.ask(&spoil);
        tiers.write(2).await;
    }
    let hits = tiers.tiered.stats().redis.hits;
    tiers.write(2).await;
    assert!(tiers.tiered.stats().redis.hits > hits, "the spoiled key is never replaced");
    redis.ask("CONFIG SET maxmemory 1");
    tiers.write(10).await;
    redis.ask("CONFIG SET maxmemory 0");
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    tiers.write(3).await;
    tiers.look().await;
}

#[tokio::test]
async fn the_cache_takes_only_what_is_newer_and_forgets_by_the_servers_clock() {
    let Some(server) = server("Redis cache") else { return };
    let redis = Redis::started(&server);
    let cache =
        RedisCache::options().idle(Duration::from_millis(400)).connect(&redis.url()).unwrap();
    let store = MemoryStore::new();
    let one = {
        store
            .commit(&Change::new(id("{a}:b"), Version::NONE).append(turn("t1", "x")))
            .await
            .unwrap();
        Arc::new(store.load(&id("{a}:b")).await.unwrap().unwrap())
    };
    store.commit(&one.append(turn("t2", "x"))).await.unwrap();
    let two = Arc::new(store.load(&one.id).await.unwrap().unwrap());
    assert!(cache.get(&one.id).await.unwrap().is_none());
    assert!(cache.put_if_newer(&two).await.unwrap());
    assert!(!cache.put_if_newer(&one).await.unwrap());
    assert_eq!(cache.get(&one.id).await.unwrap().unwrap(), two);
    cache.invalidate(&one.id, Version::new(two.version.epoch, u64::MAX)).await.unwrap();
    assert!(cache.get(&one.id).await.unwrap().is_none());
    assert!(!cache.put_if_newer(&two).await.unwrap(), "a reader who is late brings it back");
    tokio::time::sleep(Duration::from_millis(600)).await;
    assert_eq!(redis.ask("DBSIZE"), ":0\r\n");
}

#[tokio::test]
async fn a_cluster_is_a_matter_of_the_address() {
    let Some(server) = server("Redis cluster") else { return };
    let mut redis = Redis::new(&server, &["--cluster-enabled", "yes", "--cluster-config-file", ""]);
    let name: &'static str =
        Box::leak(format!("/tmp/promptline-nodes-{}.conf", redis.port()).into_boxed_str());
    redis = Redis::new(&server, &["--cluster-enabled", "yes", "--cluster-config-file", name]);
    redis.start();
    redis.ask("CLUSTER ADDSLOTSRANGE 0 16383");
    for _ in 0..200 {
        if redis.ask("CLUSTER INFO").contains("cluster_state:ok") {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let url = format!("redis+cluster://127.0.0.1:{}", redis.port());
    let store: Arc<dyn SessionStore> = Arc::new(MemoryStore::new());
    let cache = RedisCache::options().connect(&url).unwrap();
    let tiered = Tiered::new(store).without_memory().redis(Arc::new(cache));
    for n in 0..20 {
        let session = tiered.open_session(&id(&format!("user:{{{n}}}"))).await.unwrap();
        tiered.commit(&session.append(turn("t", "x"))).await.unwrap();
        tiered.get(&session.id).await.unwrap().unwrap();
    }
    let stats = tiered.stats();
    assert_eq!((stats.redis.hits, stats.redis.errors), (20, 0), "{stats:?}");
    let _ = std::fs::remove_file(name);
}
