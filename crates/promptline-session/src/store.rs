//! The contracts: the record, which loses nothing that it acknowledged, and caches, which may lose anything.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;

use crate::{
    Change, Committed, Error, ListQuery, Session, SessionId, SessionInfo, TurnPage, TurnQuery,
    Version,
};

/// The record: what it acknowledged is there. The feature `conformance` has the checks that a store must pass.
///
/// A future of it may be dropped at any await: the commit then happened as a whole or not at all.
#[async_trait]
pub trait SessionStore: Send + Sync + fmt::Debug {
    /// The session with the turns that its summary does not cover; `None` when it does not exist.
    ///
    /// # Errors
    /// [`Unavailable`](crate::ErrorKind::Unavailable); [`Corrupt`](crate::ErrorKind::Corrupt) when facts or summary
    /// cannot be read (a turn that cannot be read is in [`Session::corrupt`]).
    async fn load(&self, id: &SessionId) -> Result<Option<Session>, Error>;

    /// The session's version; [`Version::NONE`] when it does not exist. Much cheaper than `load`.
    ///
    /// # Errors
    /// [`Unavailable`](crate::ErrorKind::Unavailable).
    async fn version(&self, id: &SessionId) -> Result<Version, Error>;

    /// Writes the change as a whole or not at all, and returns once it is safe.
    ///
    /// # Errors
    /// [`Conflict`](crate::ErrorKind::Conflict), unless the change only adds turns to a session that still exists;
    /// [`TurnExists`](crate::ErrorKind::TurnExists), [`TooLarge`](crate::ErrorKind::TooLarge),
    /// [`Unavailable`](crate::ErrorKind::Unavailable) (with [`Error::may_have_committed`] where the answer got lost).
    async fn commit(&self, change: &Change) -> Result<Committed, Error>;

    /// Turns of the session, oldest first; none when it does not exist.
    ///
    /// # Errors
    /// [`Unavailable`](crate::ErrorKind::Unavailable).
    async fn turns(&self, id: &SessionId, query: TurnQuery) -> Result<TurnPage, Error>;

    /// Sessions by the order of their ids. A session that is there from the first page to the last is in exactly one.
    ///
    /// # Errors
    /// [`Unavailable`](crate::ErrorKind::Unavailable).
    async fn list(&self, query: &ListQuery) -> Result<Vec<SessionInfo>, Error>;

    /// Deletes the session with everything in it. Whether it was there.
    ///
    /// # Errors
    /// [`Unavailable`](crate::ErrorKind::Unavailable).
    async fn delete(&self, id: &SessionId) -> Result<bool, Error>;

    /// Copies the turns up to a sequence number (all, when it is beyond the end) to a new session; facts go along,
    /// the summary only when it covers no more than that. Returns the version of the new session.
    ///
    /// # Errors
    /// [`Conflict`](crate::ErrorKind::Conflict) when the source does not exist or the target does.
    async fn fork(
        &self,
        source: &SessionId,
        target: &SessionId,
        through: u64,
    ) -> Result<Version, Error>;

    /// Waits for what is under way and frees what the store opened itself. More than once is fine; what comes later is
    /// [`Closed`](crate::ErrorKind::Closed), where the store owns its connections.
    ///
    /// # Errors
    /// [`Unavailable`](crate::ErrorKind::Unavailable).
    async fn close(&self) -> Result<(), Error>;
}

/// A cache above the record: it may lose anything at any time, and is never the only copy.
#[async_trait]
pub trait SessionCache: Send + Sync + fmt::Debug {
    /// What it has.
    ///
    /// # Errors
    /// Any; the caller goes to the record.
    async fn get(&self, id: &SessionId) -> Result<Option<Arc<Session>>, Error>;

    /// Takes it, unless it has a later version or is told by [`invalidate`](Self::invalidate) that it is over. Whether
    /// it took it.
    ///
    /// # Errors
    /// Any; the record has it.
    async fn put_if_newer(&self, session: &Arc<Session>) -> Result<bool, Error>;

    /// Forgets what it has of the session, and takes nothing at or below this version for a while.
    ///
    /// # Errors
    /// Any; a reader that checks versions finds out.
    async fn invalidate(&self, id: &SessionId, through: Version) -> Result<(), Error>;
}
