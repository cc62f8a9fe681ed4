//! What must hold for every input: texts of users come out byte for byte, the order of registration is
//! no input, every context builds, and the same inputs give the same bytes; any bytes give an answer or an
//! error with a place, and large or deep input ends in linear time.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "that is how a test fails"
)]

mod arbitrary;
mod budget;
#[path = "../support/feed.rs"]
mod feed;
mod generate;
mod hostile;
mod order;
mod texts;
mod whole;
