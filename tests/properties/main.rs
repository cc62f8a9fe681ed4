//! What must hold for every input: texts of users come out byte for byte, the order of registration is
//! no input, every context builds, and the same inputs give the same bytes.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "that is how a test fails")]

mod budget;
mod generate;
mod order;
mod texts;
mod whole;
