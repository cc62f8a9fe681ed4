//! A shared cache that does not answer is left alone for a while: a dead Redis must not cost every request a time-out.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::Clock;

/// Opens after so many errors in a row; then lets one try through each so often.
#[derive(Debug)]
pub(super) struct Breaker {
    errors: u32,
    pause: Duration,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    in_a_row: u32,
    /// Nobody tries before this moment.
    closed_from: Option<Duration>,
}

impl Breaker {
    pub(super) fn new(errors: u32, pause: Duration) -> Self {
        Self { errors, pause, state: Mutex::default() }
    }

    /// Whether to try now.
    pub(super) fn allows(&self, clock: &dyn Clock) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(from) = state.closed_from else { return true };
        let now = clock.monotonic();
        if now < from {
            return false;
        }
        // This one tries; the others wait for how it goes.
        state.closed_from = Some(now + self.pause);
        true
    }

    pub(super) fn succeeded(&self) {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = State::default();
    }

    /// Whether it has opened by this.
    pub(super) fn failed(&self, clock: &dyn Clock) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.in_a_row = state.in_a_row.saturating_add(1);
        if state.in_a_row < self.errors {
            return false;
        }
        let opened = state.closed_from.is_none();
        state.closed_from = Some(clock.monotonic() + self.pause);
        opened
    }

    pub(super) fn is_open(&self, clock: &dyn Clock) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.closed_from.is_some_and(|from| clock.monotonic() < from)
    }
}
