//! Tools from elsewhere, and the text forms in which they are described.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking, and some print their counts"
)]

mod page;
#[path = "../support/mod.rs"]
mod support;

mod arbitrary;
mod builds;
mod hermes;
mod native;
mod sections;
mod servers;
mod specs;
