//! A record in memory: for tests, and for hosts whose conversations need not outlive the process.

use std::collections::{BTreeMap, HashMap};
use std::ops::Bound;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;

use crate::codec::Codec;
use crate::rules::{self, Head};
use crate::{
    Change, Clock, Committed, Error, ErrorKind, Facts, Limits, ListQuery, Session, SessionId,
    SessionInfo, SessionStore, Summary, SystemClock, Turn, TurnId, TurnPage, TurnQuery, Version,
};

/// The record in memory. Clones share it.
#[derive(Debug, Clone)]
pub struct MemoryStore {
    inner: Arc<Mutex<Inner>>,
    closed: Arc<AtomicBool>,
    codec: Codec,
    clock: Arc<dyn Clock>,
}

#[derive(Debug, Default)]
struct Inner {
    sessions: BTreeMap<SessionId, Stored>,
    last_epoch: u64,
}

#[derive(Debug, Clone)]
struct Stored {
    version: Version,
    turns: Vec<Arc<Turn>>,
    /// Where in `turns` a turn is.
    places: HashMap<TurnId, usize>,
    facts: Facts,
    summary: Option<Summary>,
    created_ms: u64,
    updated_ms: u64,
}

impl Default for MemoryStore {
    fn default() -> Self {
        Self::new()
    }
}

impl MemoryStore {
    /// An empty record.
    #[must_use]
    pub fn new() -> Self {
        let clock = Arc::new(SystemClock::new());
        Self { inner: Arc::default(), closed: Arc::default(), codec: Codec::default(), clock }
    }

    /// Sets the limits.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.codec.limits = limits;
        self
    }

    /// Sets the clock.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Another handle on the same record, which is closed by itself: as another process has one on a file.
    #[must_use]
    pub fn reopen(&self) -> Self {
        Self { closed: Arc::default(), ..self.clone() }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // Nothing panics while it is locked; a commit is checked before it is applied.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open(&self) -> Result<MutexGuard<'_, Inner>, Error> {
        if self.closed.load(Ordering::SeqCst) {
            return Err(Error::new(ErrorKind::Closed, "the store is closed"));
        }
        Ok(self.lock())
    }
}

impl Stored {
    fn head(&self) -> Head {
        let summary = self.summary.as_ref();
        Head {
            version: self.version,
            next_seq: self.turns.len() as u64 + 1,
            covers_through: summary.map_or(0, |summary| summary.covers_through),
            fallback: summary.is_some_and(|summary| summary.fallback_from.is_some()),
        }
    }

    fn turn(&self, id: &TurnId) -> Option<Turn> {
        let place = self.places.get(id)?;
        self.turns.get(*place).map(|turn| Turn::clone(turn))
    }

    fn after(&self, seq: u64) -> &[Arc<Turn>] {
        let from = usize::try_from(seq).unwrap_or(usize::MAX).min(self.turns.len());
        self.turns.get(from..).unwrap_or_default()
    }
}

/// The last so many.
fn last<T>(items: &[T], n: usize) -> &[T] {
    items.get(items.len().saturating_sub(n)..).unwrap_or_default()
}

#[async_trait]
impl SessionStore for MemoryStore {
    async fn load(&self, id: &SessionId) -> Result<Option<Session>, Error> {
        let inner = self.open()?;
        let limit = self.codec.limits.loaded_turns;
        Ok(inner.sessions.get(id).map(|stored| {
            let head = stored.head();
            Session {
                version: stored.version,
                next_seq: head.next_seq,
                facts: stored.facts.clone(),
                summary: stored.summary.clone(),
                turns: last(stored.after(head.covers_through), limit).to_vec(),
                created_ms: stored.created_ms,
                updated_ms: stored.updated_ms,
                ..Session::new(id.clone())
            }
        }))
    }

    async fn version(&self, id: &SessionId) -> Result<Version, Error> {
        Ok(self.open()?.sessions.get(id).map_or(Version::NONE, |stored| stored.version))
    }

    async fn commit(&self, change: &Change) -> Result<Committed, Error> {
        rules::check(change, &self.codec.limits)?;
        let mut inner = self.open()?;
        let stored = inner.sessions.get(&change.session);
        let head = stored.map(Stored::head);
        rules::admit(head.as_ref(), change)?;
        let place = |turn: &Turn| stored.and_then(|stored| stored.turn(&turn.id));
        let existing = change.append.iter().filter_map(place).collect();
        let epoch = inner.last_epoch + 1;
        let mut plan = rules::plan(head.as_ref(), change, existing, epoch)?;
        let now = self.clock.wall_ms();
        plan.committed.at_ms = now;
        if plan.is_empty {
            return Ok(plan.committed);
        }
        // Written as the others write it, so that the same limits hold.
        self.codec.state(&change.session, change.facts.as_ref(), change.summary.as_ref())?;
        let mut turns = Vec::with_capacity(plan.turns.len());
        for (seq, turn) in &plan.turns {
            let turn = Turn { seq: *seq, ..Turn::clone(turn) };
            self.codec.turn(&change.session, &turn)?;
            turns.push(Arc::new(turn));
        }
        if plan.creates {
            inner.last_epoch = epoch;
        }
        let stored = inner.sessions.entry(change.session.clone()).or_insert_with(|| Stored {
            version: Version::NONE,
            turns: Vec::new(),
            places: HashMap::new(),
            facts: Facts::default(),
            summary: None,
            created_ms: now,
            updated_ms: now,
        });
        stored.version = plan.committed.version;
        stored.updated_ms = now;
        for turn in turns {
            stored.places.insert(turn.id.clone(), stored.turns.len());
            stored.turns.push(turn);
        }
        if let Some(facts) = &change.facts {
            stored.facts.clone_from(facts);
        }
        if let Some(summary) = &change.summary {
            stored.summary = Some(summary.clone());
        }
        Ok(plan.committed)
    }

    async fn turns(&self, id: &SessionId, query: TurnQuery) -> Result<TurnPage, Error> {
        let inner = self.open()?;
        let Some(stored) = inner.sessions.get(id) else { return Ok(TurnPage::default()) };
        let turns = match query {
            TurnQuery::Last(n) => last(&stored.turns, n),
            TurnQuery::After { seq, limit } => {
                let after = stored.after(seq);
                after.get(..limit.min(after.len())).unwrap_or_default()
            }
        };
        let through = turns.last().map_or(0, |turn| turn.seq);
        Ok(TurnPage { turns: turns.to_vec(), corrupt: Vec::new(), through })
    }

    async fn list(&self, query: &ListQuery) -> Result<Vec<SessionInfo>, Error> {
        let inner = self.open()?;
        let after = query.after.clone().map_or(Bound::Unbounded, Bound::Excluded);
        let wanted = inner.sessions.range((after, Bound::Unbounded)).filter(|(id, stored)| {
            let prefix =
                query.prefix.as_deref().is_none_or(|prefix| id.as_str().starts_with(prefix));
            prefix && query.idle_since_ms.is_none_or(|before| stored.updated_ms < before)
        });
        let info = |(id, stored): (&SessionId, &Stored)| SessionInfo {
            covered_through: stored.head().covers_through,
            created_ms: stored.created_ms,
            updated_ms: stored.updated_ms,
            ..SessionInfo::new(id.clone(), stored.version, stored.turns.len() as u64)
        };
        Ok(wanted.take(query.limit).map(info).collect())
    }

    async fn delete(&self, id: &SessionId) -> Result<bool, Error> {
        Ok(self.open()?.sessions.remove(id).is_some())
    }

    async fn fork(
        &self,
        source: &SessionId,
        target: &SessionId,
        through: u64,
    ) -> Result<Version, Error> {
        let mut inner = self.open()?;
        let from = inner.sessions.get(source).ok_or_else(|| Error::conflict(Version::NONE))?;
        if let Some(there) = inner.sessions.get(target) {
            return Err(Error::conflict(there.version));
        }
        let count = usize::try_from(through).unwrap_or(usize::MAX).min(from.turns.len());
        let mut copy = from.clone();
        copy.turns.truncate(count);
        copy.places.retain(|_, place| *place < count);
        copy.summary = copy.summary.filter(|summary| summary.covers_through <= count as u64);
        inner.last_epoch += 1;
        copy.version = Version::new(inner.last_epoch, 1);
        copy.created_ms = self.clock.wall_ms();
        copy.updated_ms = copy.created_ms;
        let version = copy.version;
        inner.sessions.insert(target.clone(), copy);
        Ok(version)
    }

    async fn close(&self) -> Result<(), Error> {
        self.closed.store(true, Ordering::SeqCst);
        Ok(())
    }
}
