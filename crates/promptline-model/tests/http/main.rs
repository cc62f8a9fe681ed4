//! Real clients against a fake server on a loopback port, which plays answers, failures and broken streams.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "that is how a test fails, and says what it measured"
)]

mod answers;
mod failures;
mod fake;
mod native;
mod retries;
mod streams;
