//! Which variant a model id gets: by the built-in rules, by a host's own tables, and for any string.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "that is how a test fails"
)]

mod any_string;
mod own_tables;
mod twelve;
