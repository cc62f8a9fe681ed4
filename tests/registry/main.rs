//! The registry: where things stand, what is there twice, which variant is chosen and why, and what
//! the options of a build do.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "the helpers of a test fail as the test does"
)]

mod duplicates;
mod model_id;
mod options;
#[path = "../support/pack.rs"]
mod pack;
mod places;
mod reload;
mod selection;
mod variants;

use promptline::{Component, PromptContext, PromptVariant, Text, component_fn};

/// A component that says its id in small letters.
fn says(id: &'static str) -> impl Component + 'static {
    component_fn(id, move |_| Ok(Some(Text::authored(id.to_lowercase()))))
}

/// A component that says these words.
fn saying(id: &'static str, words: &'static str) -> impl Component + 'static {
    component_fn(id, move |_| Ok(Some(Text::from(words))))
}

fn variant(id: &str, components: &[&str]) -> PromptVariant {
    PromptVariant::new(id).with_components(components.iter().copied())
}

fn cx() -> PromptContext {
    PromptContext::new("acme", "model-1")
}
