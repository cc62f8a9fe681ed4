//! The cache in the process: least recently used, by sessions, bytes and idle time.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use lru::LruCache;

use crate::{Clock, Error, Session, SessionCache, SessionId, SystemClock, Version};

/// Sessions in the process. What does not fit, or was idle too long, goes; nothing has to be saved, since the record
/// has it. One session larger than the whole cache is not taken at all.
#[derive(Debug)]
pub struct MemoryCache {
    state: Mutex<State>,
    sessions: usize,
    bytes: usize,
    idle: Duration,
    clock: Arc<dyn Clock>,
    evicted: AtomicU64,
}

#[derive(Debug)]
struct State {
    entries: LruCache<SessionId, Entry>,
    bytes: usize,
}

#[derive(Debug)]
struct Entry {
    /// `None`: the session is over up to this version.
    session: Option<Arc<Session>>,
    version: Version,
    used: Duration,
    /// When its version was last seen to be the record's.
    checked: Duration,
    bytes: usize,
}

/// What an entry costs beside its session.
const ENTRY: usize = 160;

impl Default for MemoryCache {
    fn default() -> Self {
        Self::new()
    }
}

impl MemoryCache {
    /// At most 1,000 sessions and 64 MiB, each for five minutes since it was last used.
    #[must_use]
    pub fn new() -> Self {
        Self {
            state: Mutex::new(State { entries: LruCache::unbounded(), bytes: 0 }),
            sessions: 1_000,
            bytes: 64 << 20,
            idle: Duration::from_secs(300),
            clock: Arc::new(SystemClock::new()),
            evicted: AtomicU64::new(0),
        }
    }

    /// Sets how many sessions it holds.
    #[must_use]
    pub fn sessions(mut self, sessions: usize) -> Self {
        self.sessions = sessions;
        self
    }

    /// Sets how many bytes it holds, by [`Session::weight`].
    #[must_use]
    pub fn bytes(mut self, bytes: usize) -> Self {
        self.bytes = bytes;
        self
    }

    /// Sets after which time without use a session goes.
    #[must_use]
    pub fn idle(mut self, idle: Duration) -> Self {
        self.idle = idle;
        self
    }

    /// Sets the clock.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// What it holds: sessions and bytes.
    #[must_use]
    pub fn size(&self) -> (usize, usize) {
        let state = self.lock();
        (state.entries.iter().filter(|(_, entry)| entry.session.is_some()).count(), state.bytes)
    }

    /// How many sessions went because there was no room or they were idle.
    #[must_use]
    pub fn evicted(&self) -> u64 {
        self.evicted.load(Ordering::Relaxed)
    }

    /// Lets go of what has been idle too long. `put` does it too; a host whose traffic stops may call it by a timer.
    pub fn sweep(&self) {
        self.trim(&mut self.lock());
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The least recently used goes first: it is also the one that has been idle for longest.
    fn trim(&self, state: &mut State) {
        let now = self.clock.monotonic();
        while let Some((_, oldest)) = state.entries.peek_lru() {
            let idle = now.saturating_sub(oldest.used) >= self.idle;
            if !idle && state.entries.len() <= self.sessions && state.bytes <= self.bytes {
                return;
            }
            if let Some((_, gone)) = state.entries.pop_lru() {
                state.bytes -= gone.bytes;
                self.evicted.fetch_add(u64::from(gone.session.is_some()), Ordering::Relaxed);
            }
        }
        if state.entries.is_empty() {
            state.bytes = 0;
        }
    }

    fn put(&self, id: &SessionId, session: Option<Arc<Session>>, version: Version) -> bool {
        let own = session.as_ref().map_or(0, |session| session.weight());
        let bytes = own + ENTRY + 2 * id.as_str().len();
        let mut state = self.lock();
        if let Some(there) = state.entries.peek(id) {
            let over = there.session.is_none() && session.is_some() && there.version >= version;
            if over || there.version > version {
                return false;
            }
        }
        if let Some(old) = state.entries.pop(id) {
            state.bytes -= old.bytes;
        }
        if bytes > self.bytes || self.sessions == 0 {
            return false;
        }
        let now = self.clock.monotonic();
        let entry = Entry { session, version, used: now, checked: now, bytes };
        state.bytes += bytes;
        state.entries.put(id.clone(), entry);
        self.trim(&mut state);
        true
    }

    /// It has been seen to be the record's.
    pub(crate) fn checked(&self, id: &SessionId) {
        let now = self.clock.monotonic();
        if let Some(entry) = self.lock().entries.peek_mut(id) {
            entry.checked = now;
        }
    }

    /// The session, and how long ago it was last seen to be the record's.
    pub(crate) fn look_up(&self, id: &SessionId) -> Option<(Arc<Session>, Duration)> {
        let now = self.clock.monotonic();
        let mut state = self.lock();
        let entry = state.entries.get_mut(id)?;
        if now.saturating_sub(entry.used) >= self.idle {
            if let Some(gone) = state.entries.pop(id) {
                state.bytes -= gone.bytes;
                self.evicted.fetch_add(u64::from(gone.session.is_some()), Ordering::Relaxed);
            }
            return None;
        }
        entry.used = now;
        let age = now.saturating_sub(entry.checked);
        entry.session.clone().map(|session| (session, age))
    }

    /// Forgets it; a session may come again.
    pub(crate) fn forget(&self, id: &SessionId) {
        let mut state = self.lock();
        if let Some(gone) = state.entries.pop(id) {
            state.bytes -= gone.bytes;
        }
    }
}

#[async_trait]
impl SessionCache for MemoryCache {
    async fn get(&self, id: &SessionId) -> Result<Option<Arc<Session>>, Error> {
        Ok(self.look_up(id).map(|(session, _)| session))
    }

    async fn put_if_newer(&self, session: &Arc<Session>) -> Result<bool, Error> {
        Ok(self.put(&session.id, Some(Arc::clone(session)), session.version))
    }

    async fn invalidate(&self, id: &SessionId, through: Version) -> Result<(), Error> {
        self.put(id, None, through);
        Ok(())
    }
}
