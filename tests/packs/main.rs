//! Packs from folders: what a mistake in a file is answered with, how packs stack, what a variant's
//! folder may hold. A mistake is answered with what is wrong, where, and what to do.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "the helpers of a test fail as the test does"
)]

mod component_errors;
mod condition_errors;
mod expand;
mod folder_errors;
mod folders;
#[cfg(feature = "handlebars")]
mod overlays;
#[path = "../support/pack.rs"]
mod pack;
mod readme;
mod stacking;
#[cfg(feature = "handlebars")]
mod templates;
mod tool_errors;
mod variant_errors;
mod variants;
