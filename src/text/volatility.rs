//! How often texts change: what decides where a provider's cache ends.

use serde::{Deserialize, Serialize};

/// How often a text changes. Ordered: a text is as volatile as the most volatile thing in it.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Volatility {
    /// The same for everybody with this configuration.
    #[default]
    Static,
    /// The same during a conversation.
    Conversation,
    /// May differ in each request.
    Turn,
}
