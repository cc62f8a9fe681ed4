//! 5,000 sessions of 20 turns under a cap of 64 MiB: what the process grows by, as the operating system sees it. In a
//! program of its own, since other tests use memory too.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "that is how a test fails")]

use std::sync::Arc;

use promptline_session::{
    Change, Durability, Freshness, MemoryCache, SessionId, SessionStore, SqliteStore, Tiered, Turn,
    TurnId, Version,
};

/// The resident memory of the process, in bytes; `None` where it cannot be seen.
fn resident() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: usize = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kib << 10)
}

#[tokio::test]
async fn five_thousand_sessions_stay_under_the_cap() {
    const CAP: usize = 64 << 20;
    let folder = tempfile::tempdir().unwrap();
    let options = SqliteStore::options().durability(Durability::Normal);
    let store = Arc::new(options.open(folder.path().join("s.db")).unwrap());
    let tiered = Tiered::new(store)
        .memory(MemoryCache::new().bytes(CAP).sessions(10_000))
        .freshness(Freshness::Exclusive);
    let text = "m".repeat(1_000);
    let Some(before) = resident() else {
        println!("not run: the memory of a process cannot be seen here");
        return;
    };
    let mut most = 0;
    for n in 0..5_000 {
        let id = SessionId::new(format!("session-{n}")).unwrap();
        let mut change = Change::new(id.clone(), Version::NONE);
        for turn in 0..20 {
            let turn = Turn::new(TurnId::new(format!("t{turn}")).unwrap());
            change = change.append(turn.user(text.as_str()).assistant(text.as_str()));
        }
        tiered.commit(&change).await.unwrap();
        if n % 100 == 0 {
            most = most.max(resident().unwrap().saturating_sub(before));
        }
    }
    let limit = CAP / 10 * 13 + (16 << 20);
    println!(
        "5,000 sessions of 20 turns, cap {} MiB: grew by {} MiB at most, {} MiB allowed",
        CAP >> 20,
        most >> 20,
        limit >> 20
    );
    assert!(most <= limit, "{most} bytes, and {limit} are allowed");
    let kept = tiered.get(&SessionId::new("session-4999").unwrap()).await.unwrap().unwrap();
    assert_eq!((kept.turns.len(), tiered.stats().memory.hits), (20, 1));
    let first = tiered.get(&SessionId::new("session-0").unwrap()).await.unwrap().unwrap();
    assert_eq!((first.turns.len(), tiered.stats().store.hits), (20, 1));
}
