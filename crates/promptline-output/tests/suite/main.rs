//! All integration tests of the crate, in one binary.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and the case runners print their counts"
)]

mod ask;
mod cases;
mod coercion;
mod constraint;
mod cut;
mod growth;
mod kinds;
mod laws;
mod malformed;
mod mutation;
mod stream;
mod support;
