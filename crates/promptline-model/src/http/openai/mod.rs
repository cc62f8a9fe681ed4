//! OpenAI Chat Completions, as OpenAI and all who are compatible with it speak it.

mod body;
mod fold;
mod read;

pub(super) use body::{body, decimal};
pub(super) use fold::Fold;
pub(super) use read::{logprobs, response};
