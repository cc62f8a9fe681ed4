//! What the tiers have done: counters, and the bounds within which they are healthy.

use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

/// Where a session came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Tier {
    /// The cache in the process.
    Memory,
    /// The shared cache.
    Redis,
    /// The record.
    Store,
}

/// Of one tier.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct TierStats {
    /// It had the session.
    pub hits: u64,
    /// It did not.
    pub misses: u64,
    /// It had an old version.
    pub stale: u64,
    /// It did not answer, or not in time.
    pub errors: u64,
    /// It was not asked, because it had not answered before.
    pub skipped: u64,
}

/// Of all tiers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Stats {
    /// The cache in the process.
    pub memory: TierStats,
    /// The shared cache.
    pub redis: TierStats,
    /// The record; a miss is a session that does not exist.
    pub store: TierStats,
    /// Commits that were acknowledged.
    pub commits: u64,
    /// Of them, those that went behind commits which they had not seen.
    pub rebases: u64,
    /// Turns that were there already.
    pub duplicates: u64,
    /// Commits that came too late.
    pub conflicts: u64,
    /// Sessions that were served although the record did not answer.
    pub served_stale: u64,
}

/// A bound that is passed.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Unhealthy {
    /// Which tier.
    pub tier: Tier,
    /// Its share of all sessions that were found.
    pub share: f64,
    /// What it should be, and what to do.
    pub advice: String,
}

impl Stats {
    /// The bounds of seed 003: memory serves more than 70 % of what is found, the record less than 5 %. Empty when all
    /// is well, or when fewer than 100 sessions were found so far.
    #[must_use]
    pub fn unhealthy(&self) -> Vec<Unhealthy> {
        let found = self.memory.hits + self.redis.hits + self.store.hits;
        if found < 100 {
            return Vec::new();
        }
        #[expect(clippy::cast_precision_loss, reason = "a share needs no more digits")]
        let share = |hits: u64| hits as f64 / found as f64;
        let (memory, store) = (share(self.memory.hits), share(self.store.hits));
        let mut found = Vec::new();
        if memory <= 0.7 {
            let advice = "memory should serve more than 70 %: raise its sessions, bytes or idle time, or route a user \
                          to the same worker";
            found.push(Unhealthy { tier: Tier::Memory, share: memory, advice: advice.into() });
        }
        if store >= 0.05 {
            let advice = "the record should serve less than 5 %: raise the idle time of the shared cache to how long \
                          users stay away, or see why it does not answer";
            found.push(Unhealthy { tier: Tier::Store, share: store, advice: advice.into() });
        }
        found
    }
}

#[derive(Debug, Default)]
pub(super) struct TierCounters {
    pub(super) hits: AtomicU64,
    pub(super) misses: AtomicU64,
    pub(super) stale: AtomicU64,
    pub(super) errors: AtomicU64,
    pub(super) skipped: AtomicU64,
}

impl TierCounters {
    fn read(&self) -> TierStats {
        TierStats {
            hits: read(&self.hits),
            misses: read(&self.misses),
            stale: read(&self.stale),
            errors: read(&self.errors),
            skipped: read(&self.skipped),
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Counters {
    pub(super) memory: TierCounters,
    pub(super) redis: TierCounters,
    pub(super) store: TierCounters,
    pub(super) commits: AtomicU64,
    pub(super) rebases: AtomicU64,
    pub(super) duplicates: AtomicU64,
    pub(super) conflicts: AtomicU64,
    pub(super) served_stale: AtomicU64,
}

impl Counters {
    pub(super) fn read(&self) -> Stats {
        Stats {
            memory: self.memory.read(),
            redis: self.redis.read(),
            store: self.store.read(),
            commits: read(&self.commits),
            rebases: read(&self.rebases),
            duplicates: read(&self.duplicates),
            conflicts: read(&self.conflicts),
            served_stale: read(&self.served_stale),
        }
    }
}

fn read(counter: &AtomicU64) -> u64 {
    counter.load(Ordering::Relaxed)
}

pub(super) fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}
