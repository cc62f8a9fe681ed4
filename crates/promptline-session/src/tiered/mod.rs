//! The tiers as one store: the record below, caches above it that may fail and forget.

mod breaker;
mod config;
mod stats;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use tracing::Instrument as _;

use crate::{
    Change, Clock, Committed, Error, ListQuery, MemoryCache, Part, Role, Session, SessionCache,
    SessionId, SessionInfo, SessionStore, SystemClock, Turn, TurnPage, TurnQuery, Version,
    without_reminders,
};
use breaker::Breaker;
pub use config::{Config, open_store};
use stats::{Counters, TierCounters, count};
pub use stats::{Stats, Tier, TierStats, Unhealthy};

/// How a cached session is checked against the record before it is served. A commit always is: a stale session costs
/// a retry, never an update.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Freshness {
    /// Always; reads the version from the record, nothing else. Right with any number of workers.
    #[default]
    Always,
    /// When that was longer ago than this. Other workers' commits are seen so much later.
    MaxAge(Duration),
    /// Never: this process is the only one that writes to the record.
    Exclusive,
}

/// A session as it was served.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Loaded {
    /// The session.
    pub session: Arc<Session>,
    /// Where it came from.
    pub tier: Tier,
    /// The record did not answer, and it may be old.
    pub stale: bool,
}

/// The record with caches above it: what a host uses. Clones share everything.
///
/// A commit is in the record before it is acknowledged, and in the caches after that: an eviction has nothing to
/// save, and a cache that fails costs time, never a turn.
#[derive(Clone)]
pub struct Tiered {
    /// The cache in the process.
    memory: Option<Arc<MemoryCache>>,
    /// The shared cache.
    redis: Option<Arc<dyn SessionCache>>,
    /// The record.
    store: Arc<dyn SessionStore>,
    freshness: Freshness,
    serve_stale: bool,
    redact: Option<Redact>,
    clock: Arc<dyn Clock>,
    shared: Arc<Shared>,
}

type Redact = Arc<dyn Fn(&mut Turn) + Send + Sync>;

#[derive(Debug)]
struct Shared {
    counters: Counters,
    breaker: Breaker,
    /// Sessions with a commit whose end was not seen: checked against the record whatever the freshness.
    unsettled: Mutex<HashMap<SessionId, usize>>,
}

impl fmt::Debug for Tiered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tiered")
            .field("memory", &self.memory.is_some())
            .field("redis", &self.redis.is_some())
            .field("store", &self.store)
            .field("freshness", &self.freshness)
            .finish_non_exhaustive()
    }
}

/// How often [`Tiered::update`] begins again.
const TRIES: usize = 32;
/// A session with more turns behind its summary is loaded rather than kept up to date in memory.
const MOST_APPLIED: usize = 256;

/// With more commits whose end was not seen, every session is checked.
const MOST_UNSETTLED: usize = 10_000;

impl Tiered {
    /// A record with a cache in the process, as [`MemoryCache::new`] makes it.
    #[must_use]
    pub fn new(store: Arc<dyn SessionStore>) -> Self {
        Self {
            memory: Some(Arc::new(MemoryCache::new())),
            redis: None,
            store,
            freshness: Freshness::Always,
            serve_stale: false,
            redact: None,
            clock: Arc::new(SystemClock::new()),
            shared: Arc::new(Shared {
                counters: Counters::default(),
                breaker: Breaker::new(5, Duration::from_secs(1)),
                unsettled: Mutex::default(),
            }),
        }
    }

    /// Sets the cache in the process.
    #[must_use]
    pub fn memory(mut self, memory: MemoryCache) -> Self {
        self.memory = Some(Arc::new(memory));
        self
    }

    /// Has no cache in the process.
    #[must_use]
    pub fn without_memory(mut self) -> Self {
        self.memory = None;
        self
    }

    /// Sets the shared cache. After five errors in a row it is left alone for a second at a time.
    #[must_use]
    pub fn redis(mut self, cache: Arc<dyn SessionCache>) -> Self {
        self.redis = Some(cache);
        self
    }

    /// Sets how a cached session is checked before it is served.
    #[must_use]
    pub fn freshness(mut self, freshness: Freshness) -> Self {
        self.freshness = freshness;
        self
    }

    /// Serves a cached session, marked as [`stale`](Loaded::stale), while the record does not answer. Off unless set.
    #[must_use]
    pub fn serve_stale(mut self, yes: bool) -> Self {
        self.serve_stale = yes;
        self
    }

    /// Sets what every turn goes through before it is stored: to take out what must not be kept.
    #[must_use]
    pub fn redact(mut self, redact: impl Fn(&mut Turn) + Send + Sync + 'static) -> Self {
        self.redact = Some(Arc::new(redact));
        self
    }

    /// Sets the clock.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// What the tiers have done so far.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.shared.counters.read()
    }

    /// Whether the shared cache is left alone just now.
    #[must_use]
    pub fn redis_is_out(&self) -> bool {
        self.shared.breaker.is_open(&*self.clock)
    }

    /// The session, from the first tier that has it; `None` when it does not exist.
    ///
    /// # Errors
    /// As [`SessionStore::load`]. A cache that fails is no error.
    pub async fn get(&self, id: &SessionId) -> Result<Option<Arc<Session>>, Error> {
        Ok(self.lookup(id).await?.map(|loaded| loaded.session))
    }

    /// The session, or one that does not exist yet: what a turn is appended to.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    pub async fn open_session(&self, id: &SessionId) -> Result<Arc<Session>, Error> {
        let found = self.get(id).await?;
        Ok(found.unwrap_or_else(|| Arc::new(Session::new(id.clone()))))
    }

    /// The session, and where it came from.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    pub async fn lookup(&self, id: &SessionId) -> Result<Option<Loaded>, Error> {
        self.find(id).instrument(tracing::debug_span!("session.get")).await
    }

    /// Adds a turn to the session, behind whatever was committed since it was loaded.
    ///
    /// # Errors
    /// As [`SessionStore::commit`].
    pub async fn commit_turn(&self, session: &Session, turn: Turn) -> Result<Committed, Error> {
        self.commit(&session.append(turn)).await
    }

    /// Changes the session by a function, which is called again with what is there now when someone else was first.
    /// Returns the session as it is then.
    ///
    /// # Errors
    /// [`Conflict`](crate::ErrorKind::Conflict) after 32 tries; else as [`SessionStore::commit`].
    pub async fn update(
        &self,
        id: &SessionId,
        change: impl Fn(&Session) -> Result<Change, Error>,
    ) -> Result<Committed, Error> {
        let mut tries = 0;
        loop {
            let session = self.open_session(id).await?;
            match self.commit(&change(&session)?).await {
                Err(error) if error.is_conflict() && tries < TRIES => tries += 1,
                done => return done,
            }
        }
    }

    /// Deletes sessions that were last changed before this moment, in milliseconds since 1970: retention, for hosts
    /// that want it. How many there were.
    ///
    /// # Errors
    /// As [`SessionStore::delete`].
    pub async fn delete_idle_since(&self, ms: u64) -> Result<usize, Error> {
        let query = ListQuery::first(500).idle_since_ms(ms);
        let mut deleted = 0;
        loop {
            let page = self.list(&query).await?;
            if page.is_empty() {
                return Ok(deleted);
            }
            for session in page {
                deleted += usize::from(self.delete(&session.id).await?);
            }
        }
    }

    async fn find(&self, id: &SessionId) -> Result<Option<Loaded>, Error> {
        let counters = &self.shared.counters;
        // Read from the record once at most.
        let mut current = None;
        if let Some(memory) = &self.memory {
            if let Some((session, age)) = memory.look_up(id) {
                let checked = match self.freshness {
                    Freshness::Always => false,
                    Freshness::MaxAge(most) => age <= most,
                    Freshness::Exclusive => true,
                };
                if checked && self.is_settled(id) {
                    count(&counters.memory.hits);
                    return Ok(Some(Loaded { session, tier: Tier::Memory, stale: false }));
                }
                match self.check(&session, Tier::Memory, &mut current).await? {
                    Some(loaded) => {
                        memory.checked(id);
                        return Ok(Some(loaded));
                    }
                    None => memory.forget(id),
                }
            } else {
                count(&counters.memory.misses);
            }
        }
        if current != Some(Version::NONE)
            && let Some(session) = self.read_redis(id).await
            && let Some(loaded) = self.check(&session, Tier::Redis, &mut current).await?
        {
            if let Some(memory) = self.memory.as_ref().filter(|_| !loaded.stale) {
                memory.put_if_newer(&loaded.session).await?;
            }
            return Ok(Some(loaded));
        }
        let session = match self.store.load(id).await {
            Ok(Some(session)) => Arc::new(session),
            Ok(None) => {
                count(&counters.store.misses);
                return Ok(None);
            }
            Err(error) => {
                count(&counters.store.errors);
                return Err(error);
            }
        };
        count(&counters.store.hits);
        self.keep(&session).await;
        Ok(Some(Loaded { session, tier: Tier::Store, stale: false }))
    }

    /// The cached session, if it is the record's; or the record does not answer and the host takes it all the same.
    async fn check(
        &self,
        session: &Arc<Session>,
        tier: Tier,
        current: &mut Option<Version>,
    ) -> Result<Option<Loaded>, Error> {
        let counters = self.tier(tier);
        let loaded = |stale| Some(Loaded { session: Arc::clone(session), tier, stale });
        let trusted = self.freshness == Freshness::Exclusive && self.is_settled(&session.id);
        let version = match *current {
            Some(version) => version,
            None if trusted => session.version,
            None => match self.store.version(&session.id).await {
                Ok(version) => *current.insert(version),
                Err(_) if self.serve_stale => {
                    count(&self.shared.counters.store.errors);
                    count(&self.shared.counters.served_stale);
                    return Ok(loaded(true));
                }
                Err(error) => {
                    count(&self.shared.counters.store.errors);
                    return Err(error);
                }
            },
        };
        if version == session.version {
            count(&counters.hits);
            return Ok(loaded(false));
        }
        count(&counters.stale);
        Ok(None)
    }

    async fn read_redis(&self, id: &SessionId) -> Option<Arc<Session>> {
        let redis = self.redis.as_ref()?;
        let counters = &self.shared.counters.redis;
        let found = self.try_redis(redis.get(id)).await?;
        if found.is_none() {
            count(&counters.misses);
        }
        found
    }

    /// What the shared cache says; nothing when it fails, or is left alone.
    async fn try_redis<T>(&self, ask: impl Future<Output = Result<T, Error>>) -> Option<T> {
        let (shared, clock) = (&self.shared, &*self.clock);
        if !shared.breaker.allows(clock) {
            count(&shared.counters.redis.skipped);
            return None;
        }
        match ask.await {
            Ok(answer) => {
                shared.breaker.succeeded();
                Some(answer)
            }
            Err(error) => {
                count(&shared.counters.redis.errors);
                if matches!(error.kind(), crate::ErrorKind::Corrupt { .. }) {
                    // It answers; what it has is of no use.
                    shared.breaker.succeeded();
                } else if shared.breaker.failed(clock) {
                    tracing::warn!(%error, "the shared cache does not answer, and is left alone for a while");
                }
                None
            }
        }
    }

    /// Puts it into the caches.
    async fn keep(&self, session: &Arc<Session>) {
        if let Some(memory) = &self.memory {
            let _ = memory.put_if_newer(session).await;
        }
        if let Some(redis) = &self.redis {
            self.try_redis(redis.put_if_newer(session)).await;
        }
    }

    async fn drop_from_caches(&self, id: &SessionId, through: Version) {
        if let Some(memory) = &self.memory {
            let _ = memory.invalidate(id, through).await;
        }
        if let Some(redis) = &self.redis {
            self.try_redis(redis.invalidate(id, through)).await;
        }
    }

    fn tier(&self, tier: Tier) -> &TierCounters {
        match tier {
            Tier::Memory => &self.shared.counters.memory,
            Tier::Redis => &self.shared.counters.redis,
            Tier::Store => &self.shared.counters.store,
        }
    }

    fn is_settled(&self, id: &SessionId) -> bool {
        let unsettled = self.unsettled();
        unsettled.len() < MOST_UNSETTLED && !unsettled.contains_key(id)
    }

    fn unsettle(&self, id: &SessionId) {
        let mut unsettled = self.unsettled();
        if unsettled.len() < MOST_UNSETTLED || unsettled.contains_key(id) {
            *unsettled.entry(id.clone()).or_default() += 1;
        }
    }

    fn unsettled(&self) -> std::sync::MutexGuard<'_, HashMap<SessionId, usize>> {
        self.shared.unsettled.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A turn as it is stored: without what the host takes out, and without reminders.
    fn clean(&self, change: &Change) -> Change {
        let mut change = change.clone();
        for turn in &mut change.append {
            let users = turn.messages.iter_mut().filter(|message| message.role == Role::User);
            for part in users.flat_map(|message| &mut message.parts) {
                if let Part::Text { text, .. } = part
                    && let std::borrow::Cow::Owned(plain) = without_reminders(text)
                {
                    *text = plain.into();
                }
            }
            if let Some(redact) = &self.redact {
                redact(turn);
            }
        }
        change
    }

    async fn committing(&self, change: &Change) -> Result<Committed, Error> {
        let change = self.clean(change);
        let id = &change.session;
        let counters = &self.shared.counters;
        let base = match change.expected {
            Version::NONE => Some(Arc::new(Session::new(id.clone()))),
            expected => self.cached(id).await.filter(|session| session.version == expected),
        };
        self.unsettle(id);
        let committed = match self.store.commit(&change).await {
            Ok(committed) => committed,
            Err(error) => {
                if error.is_conflict() {
                    count(&counters.conflicts);
                }
                if let Some(memory) = &self.memory {
                    memory.forget(id);
                }
                // Where the outcome is unknown, the record is asked until a commit goes well.
                if !error.may_have_committed() {
                    self.settle(id);
                }
                return Err(error);
            }
        };
        count(&counters.commits);
        counters
            .duplicates
            .fetch_add(committed.duplicates.len() as u64, std::sync::atomic::Ordering::Relaxed);
        if committed.rebased {
            count(&counters.rebases);
        }
        let whole = !committed.rebased && committed.duplicates.is_empty();
        if committed.version != change.expected {
            match base.filter(|_| whole).and_then(|base| applied(&base, &change, &committed)) {
                Some(session) => self.keep(&Arc::new(session)).await,
                None => self.forget_older(id, committed.version).await,
            }
        }
        self.settle(id);
        Ok(committed)
    }

    /// What the nearest cache has, whatever its version.
    async fn cached(&self, id: &SessionId) -> Option<Arc<Session>> {
        match (&self.memory, &self.redis) {
            (Some(memory), _) => memory.look_up(id).map(|(session, _)| session),
            (None, Some(redis)) => self.try_redis(redis.get(id)).await?,
            (None, None) => None,
        }
    }

    /// Lets go of what is older than this version, which is not at hand.
    async fn forget_older(&self, id: &SessionId, version: Version) {
        let older = Version::new(version.epoch, version.number.saturating_sub(1));
        self.drop_from_caches(id, older).await;
    }

    fn settle(&self, id: &SessionId) {
        let mut unsettled = self.unsettled();
        if let Some(commits) = unsettled.get_mut(id) {
            *commits -= 1;
            if *commits == 0 {
                unsettled.remove(id);
            }
        }
    }
}

/// The session as the commit left it.
fn applied(base: &Session, change: &Change, committed: &Committed) -> Option<Session> {
    let mut session = base.clone();
    session.version = committed.version;
    session.updated_ms = committed.at_ms;
    if base.version == Version::NONE {
        session.created_ms = committed.at_ms;
    }
    for (turn, seq) in change.append.iter().zip(&committed.seqs) {
        session.turns.push(Arc::new(Turn { seq: *seq, ..turn.clone() }));
        session.next_seq = seq + 1;
    }
    if let Some(facts) = &change.facts {
        session.facts.clone_from(facts);
    }
    if let Some(summary) = &change.summary {
        session.turns.retain(|turn| turn.seq > summary.covers_through);
        session.summary = Some(summary.clone());
    }
    (session.turns.len() <= MOST_APPLIED).then_some(session)
}

#[async_trait]
impl SessionStore for Tiered {
    async fn load(&self, id: &SessionId) -> Result<Option<Session>, Error> {
        Ok(self.get(id).await?.map(|session| Session::clone(&session)))
    }

    async fn version(&self, id: &SessionId) -> Result<Version, Error> {
        self.store.version(id).await
    }

    async fn commit(&self, change: &Change) -> Result<Committed, Error> {
        let span = tracing::debug_span!("session.commit", turns = change.append.len());
        self.committing(change).instrument(span).await
    }

    async fn turns(&self, id: &SessionId, query: TurnQuery) -> Result<TurnPage, Error> {
        self.store.turns(id, query).await
    }

    async fn list(&self, query: &ListQuery) -> Result<Vec<SessionInfo>, Error> {
        self.store.list(query).await
    }

    async fn delete(&self, id: &SessionId) -> Result<bool, Error> {
        // Its last epoch, so that no reader who is late brings it back into a cache.
        let version = self.store.version(id).await?;
        let deleted = self.store.delete(id).await?;
        if version != Version::NONE {
            self.drop_from_caches(id, Version::new(version.epoch, u64::MAX)).await;
        }
        Ok(deleted)
    }

    async fn fork(
        &self,
        source: &SessionId,
        target: &SessionId,
        through: u64,
    ) -> Result<Version, Error> {
        self.store.fork(source, target, through).await
    }

    async fn close(&self) -> Result<(), Error> {
        self.store.close().await
    }
}
