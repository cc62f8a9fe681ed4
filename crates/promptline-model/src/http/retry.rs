//! When a request is made again: only where that helps, never for longer than a total time, with jitter so that
//! many clients do not come back at once.

use std::hash::{BuildHasher as _, RandomState};
use std::time::{Duration, Instant};

use crate::{ModelError, ModelErrorKind};

/// How often and for how long a failed request is made again.
///
/// Made again are: a rate limit, a failure of the server, a connection that failed before the answer began. A
/// used-up quota, a wrong key, a wrong request and an answer that was too slow are not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct RetryPolicy {
    /// Requests in all, the first included; 1 makes none again.
    pub attempts: u32,
    /// The wait before the second request; it doubles from then on. A wait that the provider asks for is kept
    /// instead, when it is longer.
    pub base: Duration,
    /// The longest wait.
    pub cap: Duration,
    /// The time for all requests and waits. A wait that would end later is not begun.
    pub total: Duration,
}

impl Default for RetryPolicy {
    /// Four requests, 0.5 s doubling to 30 s, 2 minutes in all.
    fn default() -> Self {
        Self {
            attempts: 4,
            base: Duration::from_millis(500),
            cap: Duration::from_secs(30),
            total: Duration::from_secs(120),
        }
    }
}

impl RetryPolicy {
    /// One request.
    #[must_use]
    pub fn none() -> Self {
        Self { attempts: 1, ..Self::default() }
    }

    /// Sets how many requests are made in all.
    #[must_use]
    pub fn with_attempts(mut self, attempts: u32) -> Self {
        self.attempts = attempts.max(1);
        self
    }

    /// Sets the wait before the second request.
    #[must_use]
    pub fn with_base(mut self, base: Duration) -> Self {
        self.base = base;
        self
    }

    /// Sets the time for all requests and waits.
    #[must_use]
    pub fn with_total(mut self, total: Duration) -> Self {
        self.total = total;
        self
    }

    /// How long to wait before the next request; `None` when there is to be none.
    fn wait(&self, error: &ModelError, attempt: u32, since: Instant) -> Option<Duration> {
        let helps = match error.kind() {
            ModelErrorKind::RateLimit | ModelErrorKind::Server => true,
            ModelErrorKind::Network => error.partial().is_none(),
            _ => false,
        };
        if !helps || attempt >= self.attempts {
            return None;
        }
        let doubled = self.base.saturating_mul(1 << (attempt - 1).min(16)).min(self.cap);
        // Between a half and the whole of it.
        let part = (RandomState::new().hash_one(attempt) % 1_000) as u32;
        let jittered = doubled / 2 + (doubled / 2) * part / 1_000;
        let wait = jittered.max(error.retry_after().unwrap_or_default());
        (since.elapsed().saturating_add(wait) <= self.total).then_some(wait)
    }

    /// Makes a request until it passes or nothing is gained by another. The number of requests goes with what
    /// comes out.
    pub(super) async fn run<T, F>(
        &self,
        mut request: impl FnMut() -> F,
    ) -> Result<(T, u32), ModelError>
    where
        F: Future<Output = Result<T, ModelError>>,
    {
        let since = Instant::now();
        let mut attempt = 1;
        loop {
            let error = match request().await {
                Ok(answer) => return Ok((answer, attempt)),
                Err(error) => error,
            };
            match self.wait(&error, attempt, since) {
                Some(wait) => tokio::time::sleep(wait).await,
                None => return Err(error.with_attempts(attempt)),
            }
            attempt += 1;
        }
    }
}
