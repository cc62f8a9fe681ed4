//! Tools from elsewhere: every shape, what is wrong with them, pages, text.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "the helpers of tests fail as tests do"
)]

mod pages;
mod repaired;
mod shapes;
mod text;
