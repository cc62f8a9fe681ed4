//! What a provider's cache keeps: volatility, blocks and marks, the lint, and turns of a conversation.

mod blocks;
mod counters;
mod lint;
mod turns;
mod volatility;

use crate::pack;
use promptline::{Prompt, PromptContext, PromptRegistry};

/// A registry of one variant `v` of the components of the archive, in its order.
fn registry(files: &str) -> PromptRegistry {
    PromptRegistry::builder()
        .pack(pack::pack(files))
        .build()
        .unwrap_or_else(|error| panic!("{error:#}"))
}

fn build(files: &str, cx: &PromptContext) -> Prompt {
    registry(files).build_blocking(cx).unwrap()
}

/// How many bytes two texts have in common at their start.
fn common(a: &str, b: &str) -> usize {
    a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count()
}
