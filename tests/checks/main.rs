//! What shows a host that its prompts are right: `check`, the lints, the JSON Schemas of the formats, golden
//! files and gates on size.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "that is how a test fails"
)]

#[cfg(feature = "handlebars")]
mod check;
#[cfg(feature = "testing")]
mod gate;
#[cfg(feature = "testing")]
mod golden;
mod lints;
#[path = "../support/pack.rs"]
mod pack;
#[cfg(feature = "schema")]
mod schema;
