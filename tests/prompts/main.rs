//! What a build makes of variants, components and contexts: sections and their order, layers of values,
//! budgets, cache blocks, and how two prompts differ.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "that is how a test fails"
)]

mod budget;
mod cache;
mod components;
#[cfg(feature = "diff")]
mod diff;
mod layers;
mod model;
#[path = "../support/pack.rs"]
mod pack;
mod sections;
