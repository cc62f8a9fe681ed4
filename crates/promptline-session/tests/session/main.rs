//! Stores, caches and contexts as a host uses them; with real servers where `scripts/servers` has started some.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "that is how a test fails, and says what it did not do"
)]

mod conformance;
mod context;
mod crash;
mod faults;
mod postgres_faults;
mod seed;
mod servers;
mod stories;
mod writers;

use promptline_session::{SessionId, Turn, TurnId};

fn id(name: &str) -> SessionId {
    SessionId::new(name).unwrap()
}

fn turn(name: &str, text: &str) -> Turn {
    Turn::new(TurnId::new(name).unwrap()).user(text).assistant(format!("answer to {text}"))
}
