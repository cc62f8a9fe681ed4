//! What a family of models is like, as data. The texts of a pack ask for it (`{{#if
//! traits.preamble.off}}`), so that families differ by switches instead of by copies; a host reads the
//! rest. Nothing here is sent to a model by itself.

use serde::{Deserialize, Serialize};

/// What a family of models is like.
///
/// The first five are switches that templates can ask for: `{{#if traits.calls_per_message.many}}`.
/// What is not set is no switch at all: both `one` and `many` are then false.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Traits {
    /// How it changes a file best.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edit_tool: Option<EditTool>,
    /// How many calls it may write in one message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls_per_message: Option<CallsPerMessage>,
    /// What it writes beside its calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preamble: Option<Preamble>,
    /// Whether it has to be instructed to go on, or where to stop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persistence: Option<Persistence>,
    /// How rules are put to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emphasis: Option<Emphasis>,
    /// Whether its reasoning has to be sent back unchanged with the next request. The host's work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replay_reasoning: Option<ReplayReasoning>,
    /// A typed tool of the vendor that a host may send instead of ours, as `apply_patch`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vendor_tool: Option<String>,
    /// A short text that a host may add near the user's turn in a long conversation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reminder: Option<String>,
    /// What the prompt with its tools may cost on the pack's basic context, in o200k tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget_tokens: Option<u32>,
    /// Settings of sampling that the vendor advises; nothing where it advises none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sampling: Option<Sampling>,
}

/// How a model changes a file best.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum EditTool {
    /// Blocks of lines to find and lines to put in their place.
    SearchReplace,
    /// One patch over several files.
    Patch,
    /// The whole file, rewritten.
    WholeFile,
}

/// How many calls a model may write in one message.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum CallsPerMessage {
    /// Exactly one.
    One,
    /// Several that do not depend on each other.
    Many,
}

/// What a model writes beside its calls.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Preamble {
    /// Nothing: such text may end its turn.
    Off,
    /// A sentence, but only in the message that makes the call.
    Paired,
    /// A sentence before the first call and at what matters.
    Short,
    /// Unlimited.
    Normal,
}

/// Whether a model has to be instructed to go on, or where to stop.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Persistence {
    /// It stops too early: it is instructed to go on until the work is done.
    Add,
    /// Nothing is said.
    Omit,
    /// It does more than was asked: it is instructed where to stop.
    Scope,
}

/// How rules are put to a model.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Emphasis {
    /// Each rule once, in plain words.
    Calm,
    /// The few hard rules first, as MUST.
    FrontLoaded,
}

/// Whether a model's reasoning has to be sent back.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ReplayReasoning {
    /// Unchanged, or the model does worse or the provider refuses the request.
    Required,
    /// It does no harm to leave it out.
    Optional,
    /// It must not be sent.
    Never,
}

/// Settings of sampling.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Sampling {
    /// The temperature, 0 to 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// The share of the likeliest tokens that is sampled from, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_p: Option<f64>,
}

/// Every switch that a template may ask for.
pub(crate) const SWITCHES: [&str; 14] = [
    "traits.edit_tool.search-replace",
    "traits.edit_tool.patch",
    "traits.edit_tool.whole-file",
    "traits.calls_per_message.one",
    "traits.calls_per_message.many",
    "traits.preamble.off",
    "traits.preamble.paired",
    "traits.preamble.short",
    "traits.preamble.normal",
    "traits.persistence.add",
    "traits.persistence.omit",
    "traits.persistence.scope",
    "traits.emphasis.calm",
    "traits.emphasis.front-loaded",
];

impl Traits {
    /// The switches that are set.
    pub(crate) fn switches(&self) -> Vec<&'static str> {
        let json = serde_json::to_value(self).unwrap_or_default();
        let is_set = |name: &str| {
            let mut parts = name.split('.').skip(1);
            let value = parts.next().and_then(|key| json.get(key)?.as_str());
            value.is_some() && value == parts.next()
        };
        SWITCHES.into_iter().filter(|name| is_set(name)).collect()
    }

    /// What is set here, and `base` for the rest.
    pub(crate) fn over(&self, base: &Self) -> Self {
        let own = self.clone();
        Self {
            edit_tool: own.edit_tool.or(base.edit_tool),
            calls_per_message: own.calls_per_message.or(base.calls_per_message),
            preamble: own.preamble.or(base.preamble),
            persistence: own.persistence.or(base.persistence),
            emphasis: own.emphasis.or(base.emphasis),
            replay_reasoning: own.replay_reasoning.or(base.replay_reasoning),
            vendor_tool: own.vendor_tool.or_else(|| base.vendor_tool.clone()),
            reminder: own.reminder.or_else(|| base.reminder.clone()),
            budget_tokens: own.budget_tokens.or(base.budget_tokens),
            sampling: own.sampling.or(base.sampling),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "that is how a test fails")]
mod tests {
    use super::*;

    #[test]
    fn every_switch_is_one_that_a_file_can_set() {
        for name in SWITCHES {
            let (key, value) = name.strip_prefix("traits.").unwrap().split_once('.').unwrap();
            let traits: Traits = toml::from_str(&format!("{key} = \"{value}\"")).unwrap();
            assert_eq!(traits.switches(), [name]);
        }
    }

    #[test]
    fn what_is_not_set_comes_from_the_base() {
        let base: Traits = toml::from_str("preamble = \"off\"\nbudget_tokens = 5").unwrap();
        let own: Traits = toml::from_str("preamble = \"short\"").unwrap();
        let both: Traits = toml::from_str("preamble = \"short\"\nbudget_tokens = 5").unwrap();
        assert_eq!(own.over(&base), both);
    }
}
