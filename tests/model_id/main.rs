//! Model ids: a table of labelled ones, any strings, and what a host adds.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "that is how a test fails"
)]

mod any_string;
mod table;
mod tables;
mod twelve;
