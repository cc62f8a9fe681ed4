//! 46 to 63: what happens when something fails. Caches, stores and clocks fail on purpose here; the tests of this
//! crate do the same with real servers.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use super::{
    CacheFault, Checked, Cx, Failure, FaultyCache, FaultyStore, ensure, fill, loaded, table, turn,
};
use crate::{
    Change, Compaction, Compactor, Error, ErrorKind, Freshness, ManualClock, MemoryCache,
    SessionCache, SessionId, SessionStore, Summarizer, SummaryDraft, SummaryRequest, Tiered,
    TurnQuery, Version,
};

table! {
    "46 the shared cache is down at the start" => down_at_start,
    "47 the shared cache fails in a put" => down_in_put,
    "48 the shared cache fails in a get" => down_in_get,
    "49 the shared cache goes away and comes back" => back_again,
    "50 a shared cache that does not answer is left alone" => left_alone,
    "51 the shared cache forgets everything" => flushed,
    "52 the shared cache has a value of another type" => wrong_type,
    "53 the shared cache is full" => full,
    "54 the record is down: nothing is acknowledged" => store_down,
    "55 the answer of a commit is lost: a retry is one turn" => answer_lost,
    "56 two writers lose nothing" => two_writers,
    "57 eight handles lose nothing" => eight_handles,
    "58 a writer that ends in the middle loses nothing acknowledged" => crash,
    "59 a commit that the caches missed is not hidden by them" => behind_the_cache,
    "60 clocks that are an hour off change nothing" => clocks,
    "61 memory stays below its bound" => memory_bound,
    "62 a summarizer that hangs does not hold up a commit" => hanging_summarizer,
    "63 a restart forgets no compaction" => restart,
}

fn with_cache(store: Arc<dyn SessionStore>, fault: CacheFault) -> (Tiered, Arc<FaultyCache>) {
    let cache = Arc::new(FaultyCache::new(fault));
    let shared: Arc<dyn SessionCache> = Arc::<FaultyCache>::clone(&cache);
    (Tiered::new(store).without_memory().redis(shared), cache)
}

/// Commits and reads through tiers whose cache fails so, and looks at the record in the end.
async fn in_spite_of(cx: &Cx<'_>, fault: CacheFault) -> Checked {
    let (store, id) = (cx.open().await?, cx.id("s")?);
    let (tiered, cache) = with_cache(Arc::clone(&store), CacheFault::None);
    fill(&tiered, &id, 3).await?;
    cache.set(fault);
    for n in 4..=12 {
        let session = loaded(&tiered, &id).await?;
        ensure!(session.next_seq == n, "before {n}: {}", session.next_seq);
        tiered.commit(&Change::to(&session).append(turn(&format!("t{n}"), "x")?)).await?;
    }
    cache.set(CacheFault::None);
    ensure!(loaded(&tiered, &id).await? == loaded(&*store, &id).await?, "not what the record has");
    ensure!(store.turns(&id, TurnQuery::Last(99)).await?.turns.len() == 12, "turns are missing");
    Ok(())
}

async fn down_at_start(cx: Cx<'_>) -> Checked {
    let (store, id) = (cx.open().await?, cx.id("s")?);
    let (tiered, _) = with_cache(store, CacheFault::Down);
    let session = fill(&tiered, &id, 3).await?;
    ensure!(session.turns.len() == 3, "{} turns", session.turns.len());
    ensure!(tiered.stats().redis.errors > 0, "it was not asked");
    Ok(())
}

async fn down_in_put(cx: Cx<'_>) -> Checked {
    in_spite_of(&cx, CacheFault::Put).await
}

async fn down_in_get(cx: Cx<'_>) -> Checked {
    in_spite_of(&cx, CacheFault::Get).await
}

async fn back_again(cx: Cx<'_>) -> Checked {
    let (store, id) = (cx.open().await?, cx.id("s")?);
    let clock = Arc::new(ManualClock::new(1));
    let (tiered, cache) = with_cache(store, CacheFault::None);
    let tiered = tiered.clock(Arc::<ManualClock>::clone(&clock));
    fill(&tiered, &id, 2).await?;
    cache.set(CacheFault::Down);
    for n in 3..=20 {
        let session = loaded(&tiered, &id).await?;
        tiered.commit(&Change::to(&session).append(turn(&format!("t{n}"), "x")?)).await?;
    }
    cache.set(CacheFault::None);
    clock.advance(Duration::from_secs(60));
    // What it has is from before; it must not be served.
    ensure!(loaded(&tiered, &id).await?.turns.len() == 20, "an old session");
    let before = tiered.stats().redis.hits;
    loaded(&tiered, &id).await?;
    ensure!(tiered.stats().redis.hits == before + 1, "it is not used again");
    Ok(())
}

async fn left_alone(cx: Cx<'_>) -> Checked {
    let (store, id) = (cx.open().await?, cx.id("s")?);
    let clock = Arc::new(ManualClock::new(1));
    let (tiered, cache) = with_cache(store, CacheFault::Down);
    let tiered = tiered.clock(Arc::<ManualClock>::clone(&clock));
    fill(&tiered, &id, 5).await?;
    let asked = cache.asked();
    for _ in 0..50 {
        loaded(&tiered, &id).await?;
    }
    ensure!(
        cache.asked() == asked && tiered.redis_is_out(),
        "asked {} times",
        cache.asked() - asked
    );
    clock.advance(Duration::from_secs(2));
    loaded(&tiered, &id).await?;
    ensure!(cache.asked() > asked, "it is never asked again");
    Ok(())
}

async fn flushed(cx: Cx<'_>) -> Checked {
    let (store, id) = (cx.open().await?, cx.id("s")?);
    let (tiered, cache) = with_cache(store, CacheFault::None);
    let before = fill(&tiered, &id, 3).await?;
    cache.invalidate(&id, Version::NONE).await?;
    ensure!(loaded(&tiered, &id).await? == before, "another session");
    Ok(())
}

async fn wrong_type(cx: Cx<'_>) -> Checked {
    in_spite_of(&cx, CacheFault::WrongType).await
}

async fn full(cx: Cx<'_>) -> Checked {
    in_spite_of(&cx, CacheFault::Full).await
}

async fn store_down(cx: Cx<'_>) -> Checked {
    let id = cx.id("s")?;
    let store = Arc::new(FaultyStore::new(cx.open().await?));
    let tiered = Tiered::new(Arc::<FaultyStore>::clone(&store) as _).serve_stale(true);
    let before = fill(&tiered, &id, 2).await?;
    store.set_down(true);
    let error = tiered.commit(&Change::to(&before).append(turn("t3", "x")?)).await.err();
    let kind = error.as_ref().map(|error| error.kind().clone());
    ensure!(kind == Some(ErrorKind::Unavailable), "{kind:?}");
    // What was there is still there to be read, by hosts that want it, and marked.
    let tiered_again = Tiered::new(Arc::<FaultyStore>::clone(&store) as _).serve_stale(true);
    store.set_down(false);
    tiered_again.get(&id).await?;
    store.set_down(true);
    let stale = tiered_again.lookup(&id).await?;
    ensure!(stale.is_some_and(|found| found.stale && *found.session == before), "not served");
    let strict = tiered_again.clone().serve_stale(false);
    ensure!(strict.lookup(&id).await.is_err(), "served although the host does not want it");
    store.set_down(false);
    ensure!(loaded(&tiered, &id).await? == before, "it has changed");
    Ok(())
}

async fn answer_lost(cx: Cx<'_>) -> Checked {
    let id = cx.id("s")?;
    for freshness in [Freshness::Always, Freshness::Exclusive] {
        let store = Arc::new(FaultyStore::new(cx.open().await?));
        let tiered = Tiered::new(Arc::<FaultyStore>::clone(&store) as _).freshness(freshness);
        let before = fill(&tiered, &id, 1).await?;
        store.lose_next_answer();
        let change = Change::to(&before).append(turn("lost", "x")?);
        let error = tiered.commit(&change).await.err();
        ensure!(error.is_some_and(|error| error.may_have_committed()), "the outcome was known");
        ensure!(loaded(&tiered, &id).await?.turns.len() == 2, "{freshness:?}: an old session");
        let done = tiered.commit(&change).await?;
        ensure!(done.duplicates.len() == 1, "{done:?}");
        ensure!(loaded(&tiered, &id).await?.turns.len() == 2, "two turns of one");
        tiered.delete(&id).await?;
    }
    Ok(())
}

/// Writers take turns with each other at every await.
async fn writers(cx: &Cx<'_>, id: &SessionId, writers: usize, each: usize) -> Checked {
    let mut tasks = Vec::new();
    for writer in 0..writers {
        let (store, id) = (cx.open().await?, id.clone());
        tasks.push(tokio::spawn(async move {
            for n in 0..each {
                // Each has seen only its own commits.
                let change = Change::new(id.clone(), store.version(&id).await?);
                tokio::task::yield_now().await;
                store.commit(&change.append(turn(&format!("{writer}-{n}"), "x")?)).await?;
            }
            Ok::<_, Error>(())
        }));
    }
    for task in tasks {
        task.await.map_err(|error| Failure::Failed(error.to_string()))??;
    }
    let page = cx.open().await?.turns(id, TurnQuery::Last(usize::MAX)).await?;
    let names: BTreeSet<&str> = page.turns.iter().map(|turn| turn.id.as_str()).collect();
    ensure!(
        names.len() == writers * each && page.turns.len() == names.len(),
        "{} turns",
        names.len()
    );
    for writer in 0..writers {
        let own = page
            .turns
            .iter()
            .filter_map(|turn| turn.id.as_str().strip_prefix(&format!("{writer}-")));
        let own: Vec<usize> = own.filter_map(|n| n.parse().ok()).collect();
        ensure!(own == (0..each).collect::<Vec<_>>(), "writer {writer} is out of order");
    }
    Ok(())
}

async fn two_writers(cx: Cx<'_>) -> Checked {
    writers(&cx, &cx.id("s")?, 2, 40).await
}

async fn eight_handles(cx: Cx<'_>) -> Checked {
    writers(&cx, &cx.id("s")?, 8, 10).await
}

async fn crash(cx: Cx<'_>) -> Checked {
    let id = cx.id("s")?;
    let mut acknowledged = Vec::new();
    for n in 0..10 {
        let store = cx.open().await?;
        let name = format!("t{n}");
        let change = Change::new(id.clone(), store.version(&id).await?).append(turn(&name, "x")?);
        store.commit(&change).await?;
        acknowledged.push(name);
        // A second one is under way when the handle goes.
        let other = Change::new(id.clone(), Version::NONE).append(turn(&format!("cut{n}"), "x")?);
        let mut commit = store.commit(&other);
        std::future::poll_fn(|task| {
            let _ = commit.as_mut().poll(task);
            std::task::Poll::Ready(())
        })
        .await;
        drop(commit);
        drop(store);
        let page = cx.open().await?.turns(&id, TurnQuery::Last(usize::MAX)).await?;
        let there: BTreeSet<&str> = page.turns.iter().map(|turn| turn.id.as_str()).collect();
        ensure!(acknowledged.iter().all(|name| there.contains(name.as_str())), "after {n}");
    }
    Ok(())
}

async fn behind_the_cache(cx: Cx<'_>) -> Checked {
    let (store, id) = (cx.open().await?, cx.id("s")?);
    let cache: Arc<dyn SessionCache> = Arc::new(MemoryCache::new());
    let tiered = Tiered::new(Arc::clone(&store)).redis(Arc::clone(&cache));
    let before = fill(&tiered, &id, 2).await?;
    // Another worker commits and ends before it tells the cache.
    cx.open().await?.commit(&Change::to(&before).append(turn("t3", "x")?)).await?;
    let again = Tiered::new(Arc::clone(&store)).redis(cache);
    ensure!(loaded(&again, &id).await?.turns.len() == 3, "the shared cache's old session");
    ensure!(loaded(&tiered, &id).await?.turns.len() == 3, "memory's old session");
    ensure!(again.stats().redis.stale == 1, "{:?}", again.stats());
    Ok(())
}

async fn clocks(cx: Cx<'_>) -> Checked {
    const HOUR: u64 = 3_600_000;
    let (store, id) = (cx.open().await?, cx.id("s")?);
    let clock = Arc::new(ManualClock::new(1_000 * HOUR));
    let cache =
        MemoryCache::new().clock(Arc::<ManualClock>::clone(&clock)).idle(Duration::from_secs(300));
    let tiered =
        Tiered::new(Arc::clone(&store)).memory(cache).clock(Arc::<ManualClock>::clone(&clock));
    fill(&tiered, &id, 2).await?;
    for wall in [999 * HOUR, 1_001 * HOUR, 0] {
        clock.set_wall_ms(wall);
        let session = loaded(&tiered, &id).await?;
        let name = format!("at {wall}");
        let text = turn(&name, "x")?.at_ms(wall);
        tiered.commit(&Change::to(&session).append(text)).await?;
        let last = store.turns(&id, TurnQuery::Last(1)).await?.turns;
        ensure!(last.iter().all(|turn| turn.id.as_str() == name), "out of order");
    }
    let stats = tiered.stats();
    ensure!(stats.memory.misses <= 2, "memory lost it by the wall clock: {stats:?}");
    clock.advance(Duration::from_secs(301));
    loaded(&tiered, &id).await?;
    ensure!(tiered.stats().store.hits == stats.store.hits + 1, "it never goes");
    Ok(())
}

async fn memory_bound(cx: Cx<'_>) -> Checked {
    let store = cx.open().await?;
    let cache = Arc::new(MemoryCache::new().bytes(100_000).sessions(20));
    for n in 0..60 {
        let id = cx.id(&n.to_string())?;
        store
            .commit(&Change::new(id.clone(), Version::NONE).append(turn("t", &"x".repeat(5_000))?))
            .await?;
        cache.put_if_newer(&Arc::new(loaded(&*store, &id).await?)).await?;
        let (sessions, bytes) = cache.size();
        ensure!(sessions <= 20 && bytes <= 100_000, "{sessions} sessions, {bytes} bytes");
    }
    ensure!(
        cache.evicted() > 0 && cache.get(&cx.id("59")?).await?.is_some(),
        "the newest one is gone"
    );
    Ok(())
}

struct Hangs;

#[async_trait]
impl Summarizer for Hangs {
    async fn summarize(&self, _: &SummaryRequest) -> Result<SummaryDraft, Error> {
        std::future::pending().await
    }
}

async fn hanging_summarizer(cx: Cx<'_>) -> Checked {
    let (store, id) = (cx.open().await?, cx.id("s")?);
    let compactor = Compactor::new(Arc::clone(&store))
        .summarizer(Arc::new(Hangs))
        .timeout(Duration::from_millis(200));
    for n in 0..20 {
        let change = Change::new(id.clone(), store.version(&id).await?);
        store.commit(&change.append(turn(&n.to_string(), "x")?)).await?;
        compactor.notify(&id);
    }
    let session = loaded(&*store, &id).await?;
    ensure!(session.next_seq == 21, "{}", session.next_seq);
    compactor.wait_idle().await;
    let counts = compactor.counts();
    ensure!(counts.calls >= 1 && counts.fallbacks == counts.calls, "{counts:?}");
    ensure!(loaded(&*store, &id).await?.summary.is_some(), "nothing stood in");
    Ok(())
}

async fn restart(cx: Cx<'_>) -> Checked {
    let id = cx.id("s")?;
    fill(&*cx.open().await?, &id, 8).await?;
    // Nothing was told to the one that is there after the restart.
    let store = cx.open().await?;
    let clock = Arc::new(ManualClock::new(u64::MAX / 4));
    let compactor = Compactor::new(Arc::clone(&store)).clock(clock);
    ensure!(compactor.compact(&id).await? == Compaction::NotDue, "it was due already");
    let compacted = compactor.sweep(Duration::from_secs(3_600)).await?;
    ensure!(compacted >= 1, "nothing was found");
    let session = loaded(&*store, &id).await?;
    ensure!(session.covered_through() == 5 && session.turns.len() == 3, "{session:?}");
    Ok(())
}
