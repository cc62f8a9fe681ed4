//! Time comes in from outside. Nothing is ordered by it: order is the sequence number of a turn and the version of a
//! session. It says how long something has been idle and when a fact expires.

use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Says what time it is.
pub trait Clock: Send + Sync + fmt::Debug {
    /// Milliseconds since 1970. May jump, forwards and backwards.
    fn wall_ms(&self) -> u64;

    /// Time since some fixed moment. Never goes backwards, whatever happens to the wall clock.
    fn monotonic(&self) -> Duration;
}

/// The clock of the machine.
#[derive(Debug)]
pub struct SystemClock(Instant);

impl SystemClock {
    /// The clock of the machine.
    #[must_use]
    pub fn new() -> Self {
        Self(Instant::now())
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for SystemClock {
    fn wall_ms(&self) -> u64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    }

    fn monotonic(&self) -> Duration {
        self.0.elapsed()
    }
}

/// A clock that a test moves.
#[derive(Debug, Default)]
pub struct ManualClock {
    wall: AtomicU64,
    monotonic: Mutex<Duration>,
}

impl ManualClock {
    /// A clock that shows these milliseconds since 1970.
    #[must_use]
    pub fn new(wall_ms: u64) -> Self {
        Self { wall: AtomicU64::new(wall_ms), monotonic: Mutex::default() }
    }

    /// Lets time pass.
    pub fn advance(&self, time: Duration) {
        let ms = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        self.wall.fetch_add(ms, Ordering::SeqCst);
        *self.monotonic.lock().unwrap_or_else(std::sync::PoisonError::into_inner) += time;
    }

    /// Sets the wall clock, as an administrator would; no time passes.
    pub fn set_wall_ms(&self, ms: u64) {
        self.wall.store(ms, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn wall_ms(&self) -> u64 {
        self.wall.load(Ordering::SeqCst)
    }

    fn monotonic(&self) -> Duration {
        *self.monotonic.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
