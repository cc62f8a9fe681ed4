//! Compaction in the background: one at a time for a session, and never inside of a commit.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::Serialize;
use tokio::sync::{Notify, Semaphore};
use tokio::time::timeout;

use super::policy::cut;
use super::{
    CompactionPolicy, Summarizer, Summary, SummaryDraft, SummaryRequest, fallback_summary,
};
use crate::context::{shorten_to, turn_text};
use crate::{
    Change, Clock, Error, FactPolicy, ListQuery, Outcome, Session, SessionId, SessionStore, Slots,
    SystemClock, Tokens, TrustPolicy, Turn, TurnQuery, Wording,
};

/// How many turns one request to a summarizer holds at most; a longer backlog takes several.
const BATCH: usize = 128;
/// How often a compaction begins again when others commit meanwhile.
const TRIES: usize = 8;

/// Compacts sessions: asks a [`Summarizer`] and commits what it wrote. Clones share their work.
#[derive(Clone)]
pub struct Compactor(Arc<Inner>);

#[derive(Clone)]
struct Settings {
    store: Arc<dyn SessionStore>,
    summarizer: Option<Arc<dyn Summarizer>>,
    slots: Slots,
    facts: Arc<dyn FactPolicy>,
    policy: CompactionPolicy,
    recent_keep: usize,
    budget: Option<usize>,
    summary_tokens: usize,
    timeout: Duration,
    retry_after: Duration,
    tokens: Tokens,
    wording: Wording,
    clock: Arc<dyn Clock>,
}

struct Inner {
    settings: Settings,
    /// Sessions that are being compacted, and whether they are to be looked at once more.
    under_way: Mutex<HashMap<SessionId, bool>>,
    done: Notify,
    permits: Semaphore,
    counters: Counters,
}

#[derive(Default)]
struct Counters {
    compactions: AtomicU64,
    calls: AtomicU64,
    fallbacks: AtomicU64,
    superseded: AtomicU64,
    failures: AtomicU64,
    facts_accepted: AtomicU64,
    facts_refused: AtomicU64,
}

/// What a compactor has done so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CompactorCounts {
    /// Summaries committed.
    pub compactions: u64,
    /// Calls of the summarizer.
    pub calls: u64,
    /// Summaries made without a model because it failed.
    pub fallbacks: u64,
    /// Compactions given up because another one came first, or the session went away.
    pub superseded: u64,
    /// Compactions that failed: the store was not there.
    pub failures: u64,
    /// Facts that summarizers found.
    pub facts_accepted: u64,
    /// Facts of theirs that were refused: invented, too large, of too little trust.
    pub facts_refused: u64,
}

/// What came of a compaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Compaction {
    /// There was nothing to do.
    NotDue,
    /// The summary covers turns up to this one now.
    Done {
        /// The last turn covered.
        covers_through: u64,
        /// It was made without a model.
        fallback: bool,
    },
    /// Someone else did it meanwhile, or the session was deleted.
    Superseded,
}

impl fmt::Debug for Compactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Compactor").field("counts", &self.counts()).finish_non_exhaustive()
    }
}

impl Compactor {
    /// Compacts sessions of this store without a model: summaries are the deterministic ones.
    #[must_use]
    pub fn new(store: Arc<dyn SessionStore>) -> Self {
        Self::with(Settings {
            store,
            summarizer: None,
            slots: Slots::default(),
            facts: Arc::new(TrustPolicy),
            policy: CompactionPolicy::default(),
            recent_keep: 3,
            budget: None,
            summary_tokens: 400,
            timeout: Duration::from_secs(30),
            retry_after: Duration::from_secs(60),
            tokens: Tokens::estimate(),
            wording: Wording::english(),
            clock: Arc::new(SystemClock::new()),
        })
    }

    fn with(settings: Settings) -> Self {
        Self(Arc::new(Inner {
            settings,
            under_way: Mutex::default(),
            done: Notify::new(),
            permits: Semaphore::new(4),
            counters: Counters::default(),
        }))
    }

    fn change(self, change: impl FnOnce(&mut Settings)) -> Self {
        let mut settings = self.0.settings.clone();
        change(&mut settings);
        Self::with(settings)
    }

    /// Asks this summarizer.
    #[must_use]
    pub fn summarizer(self, summarizer: Arc<dyn Summarizer>) -> Self {
        self.change(|settings| settings.summarizer = Some(summarizer))
    }

    /// Sets the slots that are asked for by name.
    #[must_use]
    pub fn slots(self, slots: Slots) -> Self {
        self.change(|settings| settings.slots = slots)
    }

    /// Sets who may replace which fact. [`TrustPolicy`] unless set.
    #[must_use]
    pub fn fact_policy(self, policy: Arc<dyn FactPolicy>) -> Self {
        self.change(|settings| settings.facts = policy)
    }

    /// Sets when a session is compacted.
    #[must_use]
    pub fn policy(self, policy: CompactionPolicy) -> Self {
        self.change(|settings| settings.policy = policy)
    }

    /// Sets how many turns are kept as they are: the low mark. 3 unless set.
    #[must_use]
    pub fn recent_keep(self, turns: usize) -> Self {
        self.change(|settings| settings.recent_keep = turns)
    }

    /// Sets what there is for turns in the context, in tokens: what [`CompactionPolicy::HighWater`] takes its share of.
    #[must_use]
    pub fn budget(self, tokens: usize) -> Self {
        self.change(|settings| settings.budget = Some(tokens))
    }

    /// Sets the longest summary, in tokens. 400 unless set.
    #[must_use]
    pub fn summary_tokens(self, tokens: usize) -> Self {
        self.change(|settings| settings.summary_tokens = tokens.max(16))
    }

    /// Sets how long a summarizer may take. 30 s unless set.
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        self.change(|settings| settings.timeout = timeout)
    }

    /// Sets how long a deterministic summary stays before a model is asked again. 60 s unless set.
    #[must_use]
    pub fn retry_after(self, wait: Duration) -> Self {
        self.change(|settings| settings.retry_after = wait)
    }

    /// Sets who counts tokens.
    #[must_use]
    pub fn tokens(self, tokens: Tokens) -> Self {
        self.change(|settings| settings.tokens = tokens)
    }

    /// Sets the words of deterministic summaries.
    #[must_use]
    pub fn wording(self, wording: Wording) -> Self {
        self.change(|settings| settings.wording = wording)
    }

    /// Sets the clock.
    #[must_use]
    pub fn clock(self, clock: Arc<dyn Clock>) -> Self {
        self.change(|settings| settings.clock = clock)
    }

    /// What it has done so far.
    #[must_use]
    pub fn counts(&self) -> CompactorCounts {
        let counters = &self.0.counters;
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        CompactorCounts {
            compactions: read(&counters.compactions),
            calls: read(&counters.calls),
            fallbacks: read(&counters.fallbacks),
            superseded: read(&counters.superseded),
            failures: read(&counters.failures),
            facts_accepted: read(&counters.facts_accepted),
            facts_refused: read(&counters.facts_refused),
        }
    }

    /// Looks at the session in the background, and compacts it when it is time. Call it behind every commit. While it
    /// is at work on the session, more calls make it look once more, not twice at a time. Needs a Tokio runtime.
    pub fn notify(&self, id: &SessionId) {
        {
            let mut under_way = self.under_way();
            if let Some(again) = under_way.get_mut(id) {
                *again = true;
                return;
            }
            under_way.insert(id.clone(), false);
        }
        // Whatever happens to the task, the session must not stay locked.
        let mut entry = Entry { compactor: self.clone(), id: id.clone(), left: false };
        tokio::spawn(async move {
            loop {
                let permit = entry.compactor.0.permits.acquire().await;
                if let Err(error) = entry.compactor.run(&entry.id, false).await {
                    entry.compactor.0.counters.failures.fetch_add(1, Ordering::Relaxed);
                    tracing::warn!(%error, "a compaction failed; the turns are all there");
                }
                drop(permit);
                if !entry.again() {
                    break;
                }
            }
        });
    }

    /// Waits until nothing is under way.
    pub async fn wait_idle(&self) {
        loop {
            let done = self.0.done.notified();
            let mut done = std::pin::pin!(done);
            done.as_mut().enable();
            if self.under_way().is_empty() {
                return;
            }
            done.await;
        }
    }

    /// Compacts the session if it is time.
    ///
    /// # Errors
    /// What the store says. A summarizer that fails is no error: a deterministic summary stands in.
    pub async fn compact(&self, id: &SessionId) -> Result<Compaction, Error> {
        self.run(id, false).await
    }

    /// Compacts the session down to the turns that are kept, whether it is time or not.
    ///
    /// # Errors
    /// What the store says.
    pub async fn compact_now(&self, id: &SessionId) -> Result<Compaction, Error> {
        self.run(id, true).await
    }

    /// Compacts all sessions that nobody has changed for so long, whatever the policy. Sessions are found in the
    /// store, so that none is forgotten over a restart. How many there were.
    ///
    /// # Errors
    /// What the store says.
    pub async fn sweep(&self, idle: Duration) -> Result<usize, Error> {
        let idle = u64::try_from(idle.as_millis()).unwrap_or(u64::MAX);
        let before = self.0.settings.clock.wall_ms().saturating_sub(idle);
        let mut query = ListQuery::first(500).idle_since_ms(before);
        let mut compacted = 0;
        loop {
            let page = self.0.settings.store.list(&query).await?;
            let Some(last) = page.last() else { return Ok(compacted) };
            query.after = Some(last.id.clone());
            for session in &page {
                if session.turns > session.covered_through + self.0.settings.recent_keep as u64 {
                    let done = self.run(&session.id, true).await?;
                    compacted += usize::from(matches!(done, Compaction::Done { .. }));
                }
            }
        }
    }

    fn under_way(&self) -> std::sync::MutexGuard<'_, HashMap<SessionId, bool>> {
        self.0.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn run(&self, id: &SessionId, force: bool) -> Result<Compaction, Error> {
        let mut last = Compaction::NotDue;
        loop {
            match self.once(id, force).await? {
                // A long backlog takes several.
                (done @ Compaction::Done { .. }, true) => last = done,
                (Compaction::NotDue, _) => return Ok(last),
                (done, _) => return Ok(done),
            }
        }
    }

    /// One batch; and whether there are more.
    async fn once(&self, id: &SessionId, force: bool) -> Result<(Compaction, bool), Error> {
        let settings = &self.0.settings;
        let Some(session) = settings.store.load(id).await? else {
            return Ok((Compaction::NotDue, false));
        };
        let Some((from, through)) = self.due(&session, force) else {
            return Ok((Compaction::NotDue, false));
        };
        let (turns, covers_through) = self.turns(id, from, through).await?;
        let request = SummaryRequest {
            previous: session.summary.as_ref().map(|summary| summary.text.clone()),
            turns,
            facts: session.facts.clone(),
            slots: settings.slots.clone(),
            max_tokens: settings.summary_tokens,
        };
        let (draft, fallback) = self.draft(&request).await;
        let fallback_from = fallback.then_some(from + 1);
        let done = self.commit(session, &request, &draft, covers_through, fallback_from).await?;
        Ok((done, covers_through < through))
    }

    /// Behind which turn the summary begins, and through which it is to cover.
    fn due(&self, session: &Session, force: bool) -> Option<(u64, u64)> {
        let settings = &self.0.settings;
        let covered = session.covered_through();
        let tokens =
            || session.turns.iter().map(|turn| settings.tokens.count(&turn_text(turn))).sum();
        let due =
            force || settings.policy.is_due(session, settings.recent_keep, tokens, settings.budget);
        let through = cut(session.turns.iter().map(AsRef::as_ref), settings.recent_keep)
            .filter(|through| due && *through > covered);
        // A summary made without a model is made again by one, after a while.
        let again = session.summary.as_ref().and_then(|summary| {
            let wait = u64::try_from(settings.retry_after.as_millis()).unwrap_or(u64::MAX);
            let waited = settings.clock.wall_ms() >= summary.at_ms.saturating_add(wait);
            let wanted = settings.summarizer.is_some() && waited;
            // One batch of it: what it covers must not shrink.
            let earliest = covered.saturating_sub(BATCH as u64 / 2);
            summary
                .fallback_from
                .filter(|_| wanted)
                .map(|from| from.saturating_sub(1).max(earliest))
        });
        match (through, again) {
            (Some(through), again) => Some((again.unwrap_or(covered), through)),
            (None, Some(from)) if covered > from => Some((from, covered)),
            (None, _) => None,
        }
    }

    async fn turns(
        &self,
        id: &SessionId,
        from: u64,
        through: u64,
    ) -> Result<(Vec<Arc<Turn>>, u64), Error> {
        let wanted = usize::try_from(through - from).unwrap_or(usize::MAX);
        let query = TurnQuery::After { seq: from, limit: wanted.min(BATCH) };
        let page = self.0.settings.store.turns(id, query).await?;
        // A turn that cannot be read is still covered: it would never be summarized otherwise.
        let through = page.through.clamp(from.saturating_add(1).min(through), through);
        Ok((page.turns, through))
    }

    /// What the summarizer writes, or what stands in for it.
    async fn draft(&self, request: &SummaryRequest) -> (SummaryDraft, bool) {
        let settings = &self.0.settings;
        let count = |text: &str| settings.tokens.count(text);
        let fallback = || fallback_summary(request, &settings.wording, &count);
        let Some(summarizer) = &settings.summarizer else {
            return (SummaryDraft::new(fallback()), false);
        };
        self.0.counters.calls.fetch_add(1, Ordering::Relaxed);
        let why = match timeout(settings.timeout, summarizer.summarize(request)).await {
            Ok(Ok(mut draft)) => match count(&draft.text) {
                _ if draft.text.trim().is_empty() => "it is empty".to_owned(),
                tokens if tokens > settings.summary_tokens.saturating_mul(2) => {
                    format!("it has {tokens} tokens")
                }
                tokens => {
                    if tokens > settings.summary_tokens {
                        draft.text = shorten_to(&draft.text, settings.summary_tokens, &count);
                    }
                    return (draft, false);
                }
            },
            Ok(Err(error)) => error.to_string(),
            Err(_) => "it took too long".to_owned(),
        };
        self.0.counters.fallbacks.fetch_add(1, Ordering::Relaxed);
        tracing::warn!(why, "the summarizer gave no summary; a deterministic one stands in");
        (SummaryDraft::new(fallback()), true)
    }

    /// Commits it to the session as it is by then: turns behind the cut may have come, facts may have changed.
    async fn commit(
        &self,
        mut session: Session,
        request: &SummaryRequest,
        draft: &SummaryDraft,
        covers_through: u64,
        fallback_from: Option<u64>,
    ) -> Result<Compaction, Error> {
        let settings = &self.0.settings;
        let epoch = session.version.epoch;
        for _ in 0..TRIES {
            let now = settings.clock.wall_ms();
            let mut facts = session.facts.clone();
            let (mut accepted, mut refused) = (0, 0);
            for proposal in &draft.facts {
                let outcome = facts.propose(
                    &settings.slots,
                    &*settings.facts,
                    &request.turns,
                    proposal.clone(),
                    now,
                );
                match outcome {
                    Outcome::Refused(_) => refused += 1,
                    _ => accepted += 1,
                }
            }
            let summary = Summary {
                text: draft.text.clone(),
                covers_through,
                facts: facts.snapshot(&settings.slots, now),
                fallback_from,
                at_ms: now,
            };
            let mut change = Change::to(&session).summary(summary);
            if facts != session.facts {
                change = change.facts(facts);
            }
            match settings.store.commit(&change).await {
                Ok(_) => {
                    let counters = &self.0.counters;
                    counters.compactions.fetch_add(1, Ordering::Relaxed);
                    counters.facts_accepted.fetch_add(accepted, Ordering::Relaxed);
                    counters.facts_refused.fetch_add(refused, Ordering::Relaxed);
                    return Ok(Compaction::Done {
                        covers_through,
                        fallback: fallback_from.is_some(),
                    });
                }
                Err(error) if error.is_conflict() => {
                    let now = settings.store.load(&session.id).await?;
                    let open = |now: &Session| {
                        let fallback =
                            now.summary.as_ref().is_some_and(|old| old.fallback_from.is_some());
                        let covered = now.covered_through();
                        covered < covers_through || (fallback && covered == covers_through)
                    };
                    match now.filter(|now| now.version.epoch == epoch && open(now)) {
                        Some(now) => session = now,
                        None => break,
                    }
                }
                Err(error) => return Err(error),
            }
        }
        self.0.counters.superseded.fetch_add(1, Ordering::Relaxed);
        Ok(Compaction::Superseded)
    }
}

/// A session on the list of those under way, until it is dropped.
struct Entry {
    compactor: Compactor,
    id: SessionId,
    left: bool,
}

impl Entry {
    /// Whether it is to be looked at once more; if not, it is off the list.
    fn again(&mut self) -> bool {
        let mut under_way = self.compactor.under_way();
        if under_way.get_mut(&self.id).is_some_and(std::mem::take) {
            return true;
        }
        under_way.remove(&self.id);
        drop(under_way);
        self.left = true;
        self.compactor.0.done.notify_waiters();
        false
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        if !self.left {
            self.compactor.under_way().remove(&self.id);
            self.compactor.0.done.notify_waiters();
        }
    }
}
