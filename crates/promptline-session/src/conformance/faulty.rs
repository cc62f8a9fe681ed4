//! Stores and caches that fail on purpose.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;

use crate::{
    Change, Committed, Error, ErrorKind, ListQuery, MemoryCache, Session, SessionCache, SessionId,
    SessionInfo, SessionStore, TurnPage, TurnQuery, Version,
};

/// How a cache fails.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum CacheFault {
    /// Not at all.
    #[default]
    None,
    /// It does not answer.
    Down,
    /// It does not answer a put, though it may have done it.
    Put,
    /// It does not answer a get.
    Get,
    /// What it has cannot be read.
    WrongType,
    /// It takes nothing, and gives what it has.
    Full,
}

/// A cache that fails as it is told.
#[derive(Debug, Default)]
pub struct FaultyCache {
    inner: MemoryCache,
    fault: Mutex<CacheFault>,
    asked: AtomicUsize,
}

impl FaultyCache {
    /// A cache that fails so.
    #[must_use]
    pub fn new(fault: CacheFault) -> Self {
        Self { fault: Mutex::new(fault), ..Self::default() }
    }

    /// Fails so from now on.
    pub fn set(&self, fault: CacheFault) {
        *self.fault.lock().unwrap_or_else(PoisonError::into_inner) = fault;
    }

    /// How often it was asked.
    #[must_use]
    pub fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }

    fn fault(&self) -> CacheFault {
        self.asked.fetch_add(1, Ordering::SeqCst);
        *self.fault.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn down() -> Error {
    Error::new(ErrorKind::Unavailable, "the cache fails on purpose")
}

#[async_trait]
impl SessionCache for FaultyCache {
    async fn get(&self, id: &SessionId) -> Result<Option<Arc<Session>>, Error> {
        match self.fault() {
            CacheFault::Down | CacheFault::Get => Err(down()),
            CacheFault::WrongType => {
                let record = "a key of the cache".to_owned();
                Err(Error::new(ErrorKind::Corrupt { record }, "wrong type, on purpose"))
            }
            _ => self.inner.get(id).await,
        }
    }

    async fn put_if_newer(&self, session: &Arc<Session>) -> Result<bool, Error> {
        match self.fault() {
            CacheFault::Down | CacheFault::Full | CacheFault::WrongType => Err(down()),
            CacheFault::Put => {
                self.inner.put_if_newer(session).await?;
                Err(down())
            }
            _ => self.inner.put_if_newer(session).await,
        }
    }

    async fn invalidate(&self, id: &SessionId, through: Version) -> Result<(), Error> {
        match self.fault() {
            CacheFault::None | CacheFault::Get => self.inner.invalidate(id, through).await,
            _ => Err(down()),
        }
    }
}

/// A store that fails as it is told.
#[derive(Debug)]
pub struct FaultyStore {
    inner: Arc<dyn SessionStore>,
    down: AtomicBool,
    lose_answer: AtomicBool,
}

impl FaultyStore {
    /// The store; it does not fail yet.
    #[must_use]
    pub fn new(inner: Arc<dyn SessionStore>) -> Self {
        Self { inner, down: AtomicBool::new(false), lose_answer: AtomicBool::new(false) }
    }

    /// Whether it answers at all.
    pub fn set_down(&self, down: bool) {
        self.down.store(down, Ordering::SeqCst);
    }

    /// The next commit happens, and its answer is lost.
    pub fn lose_next_answer(&self) {
        self.lose_answer.store(true, Ordering::SeqCst);
    }

    fn answers(&self) -> Result<&dyn SessionStore, Error> {
        if self.down.load(Ordering::SeqCst) {
            return Err(Error::new(ErrorKind::Unavailable, "the store fails on purpose"));
        }
        Ok(&*self.inner)
    }
}

#[async_trait]
impl SessionStore for FaultyStore {
    async fn load(&self, id: &SessionId) -> Result<Option<Session>, Error> {
        self.answers()?.load(id).await
    }

    async fn version(&self, id: &SessionId) -> Result<Version, Error> {
        self.answers()?.version(id).await
    }

    async fn commit(&self, change: &Change) -> Result<Committed, Error> {
        let committed = self.answers()?.commit(change).await?;
        if self.lose_answer.swap(false, Ordering::SeqCst) {
            let lost = Error::new(ErrorKind::Unavailable, "the answer is lost on purpose");
            return Err(lost.with_unknown_outcome());
        }
        Ok(committed)
    }

    async fn turns(&self, id: &SessionId, query: TurnQuery) -> Result<TurnPage, Error> {
        self.answers()?.turns(id, query).await
    }

    async fn list(&self, query: &ListQuery) -> Result<Vec<SessionInfo>, Error> {
        self.answers()?.list(query).await
    }

    async fn delete(&self, id: &SessionId) -> Result<bool, Error> {
        self.answers()?.delete(id).await
    }

    async fn fork(
        &self,
        source: &SessionId,
        target: &SessionId,
        through: u64,
    ) -> Result<Version, Error> {
        self.answers()?.fork(source, target, through).await
    }

    async fn close(&self) -> Result<(), Error> {
        self.answers()?.close().await
    }
}
