//! The named checks that every store must pass, for a host's own store too: give a [`Harness`] to [`run`].
//!
//! There are 63: contract (1 to 30), context and compaction on sessions out of the store (31 to 45), faults (46 to
//! 63, by caches, stores and clocks that fail on purpose). A check that cannot be made on a store is skipped, with
//! the reason.

mod context;
mod contract;
mod faults;
mod faulty;

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use async_trait::async_trait;

pub use faulty::{CacheFault, FaultyCache, FaultyStore};

use crate::{Error, Message, SessionId, SessionStore, Turn, TurnId};

/// Gives the checks the store to be checked.
#[async_trait]
pub trait Harness: Send + Sync {
    /// What the report calls it.
    fn name(&self) -> String;

    /// A new handle on the record, as another process would have one: always the same record.
    ///
    /// # Errors
    /// Those of the store.
    async fn open(&self) -> Result<Arc<dyn SessionStore>, Error>;

    /// Spoils the stored record of a turn, behind the store's back. `false` where that cannot be done.
    async fn spoil_turn(&self, _session: &SessionId, _seq: u64) -> bool {
        false
    }

    /// Opens a record that a newer version wrote, and one that an older version wrote with one turn in the session
    /// `old`. `None` where there are no schemas.
    async fn other_schemas(
        &self,
    ) -> Option<(Result<Arc<dyn SessionStore>, Error>, Arc<dyn SessionStore>)> {
        None
    }

    /// A store that seals its records, and all bytes that it has written so far (asked for after a commit). `None`
    /// where it cannot be seen.
    async fn sealed(
        &self,
    ) -> Option<(Arc<dyn SessionStore>, Box<dyn Fn() -> Vec<u8> + Send + Sync>)> {
        None
    }
}

/// What came of the checks.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Report {
    /// The store.
    pub store: String,
    /// The checks that passed.
    pub passed: Vec<&'static str>,
    /// Those that cannot be made on this store, and why.
    pub skipped: Vec<(&'static str, &'static str)>,
    /// Those that failed, and how.
    pub failed: Vec<(&'static str, String)>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (passed, skipped, failed) = (self.passed.len(), self.skipped.len(), self.failed.len());
        let total = passed + skipped + failed;
        write!(
            f,
            "{}: {total} checks, {passed} passed, {skipped} skipped, {failed} failed",
            self.store
        )?;
        for (name, why) in &self.skipped {
            write!(f, "\n  skipped {name}: {why}")?;
        }
        for (name, how) in &self.failed {
            write!(f, "\n  FAILED {name}: {how}")?;
        }
        Ok(())
    }
}

/// Runs all checks. The record should be empty at first; sessions stay behind in it.
pub async fn run(harness: &dyn Harness) -> Report {
    let mut report = Report { store: harness.name(), ..Report::default() };
    for (name, check) in checks() {
        match check(Cx { harness, name }).await {
            Ok(()) => report.passed.push(name),
            Err(Failure::Skipped(why)) => report.skipped.push((name, why)),
            Err(Failure::Failed(how)) => report.failed.push((name, how)),
        }
    }
    report
}

/// The names of the checks, in order; each begins with its number.
#[must_use]
pub fn names() -> Vec<&'static str> {
    checks().into_iter().map(|(name, _)| name).collect()
}

type Checked = Result<(), Failure>;
type Check = for<'h> fn(Cx<'h>) -> Pin<Box<dyn Future<Output = Checked> + Send + 'h>>;

fn checks() -> Vec<(&'static str, Check)> {
    let mut all = contract::checks();
    all.extend(context::checks());
    all.extend(faults::checks());
    all
}

enum Failure {
    Skipped(&'static str),
    Failed(String),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Failed(format!("{error:#}"))
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::Failed(error.to_string())
    }
}

/// What a check works with.
struct Cx<'h> {
    harness: &'h dyn Harness,
    name: &'static str,
}

impl Cx<'_> {
    async fn open(&self) -> Result<Arc<dyn SessionStore>, Error> {
        self.harness.open().await
    }

    /// A session of this check.
    fn id(&self, what: &str) -> Result<SessionId, Error> {
        SessionId::new(format!("{}/{what}", self.name))
    }
}

fn turn(id: &str, text: &str) -> Result<Turn, Error> {
    Ok(Turn::new(TurnId::new(id)?).user(text).assistant(format!("Yes: {text}")))
}

/// Turns `t1` … `tn`, one a commit.
async fn fill(
    store: &dyn SessionStore,
    id: &SessionId,
    n: usize,
) -> Result<crate::Session, Failure> {
    for number in 1..=n {
        let change = crate::Change::new(id.clone(), store.version(id).await?);
        store
            .commit(&change.append(turn(&format!("t{number}"), &format!("question {number}"))?))
            .await?;
    }
    loaded(store, id).await
}

async fn loaded(store: &dyn SessionStore, id: &SessionId) -> Result<crate::Session, Failure> {
    store.load(id).await?.ok_or_else(|| Failure::Failed("the session is not there".into()))
}

fn said(turn: &Turn) -> Vec<&str> {
    turn.messages.iter().flat_map(Message::texts).collect()
}

/// Fails the check with this message unless it holds.
macro_rules! ensure {
    ($holds:expr, $($message:tt)+) => {
        if !$holds {
            return Err($crate::conformance::Failure::Failed(format!($($message)+)));
        }
    };
}

/// The table of a file's checks: name and function.
macro_rules! table {
    ($($name:literal => $check:ident,)+) => {
        pub(super) fn checks() -> Vec<(&'static str, super::Check)> {
            vec![$(($name, |cx| Box::pin($check(cx)))),+]
        }
    };
}

use ensure;
use table;
