//! What a host may know about a tool's effects. Hints, not promises: nothing here decides whether a
//! tool is offered.

use serde::{Deserialize, Serialize};

use crate::McpAnnotations;

/// What a host may know about a tool.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Annotations {
    /// A name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// It changes nothing, and may be used in a plan mode.
    pub read_only: bool,
    /// It may destroy something, and does not only add.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub destructive: Option<bool>,
    /// A second call with the same arguments changes nothing more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idempotent: Option<bool>,
    /// It speaks with a world that is not known beforehand, as the web.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_world: Option<bool>,
}

impl From<&McpAnnotations> for Annotations {
    /// A hint that is not given is `false` for `read_only`, as the protocol has it.
    fn from(hints: &McpAnnotations) -> Self {
        Self {
            title: hints.title.clone(),
            read_only: hints.read_only_hint.unwrap_or(false),
            destructive: hints.destructive_hint,
            idempotent: hints.idempotent_hint,
            open_world: hints.open_world_hint,
        }
    }
}

impl From<&Annotations> for McpAnnotations {
    /// `read_only: false` is what a client takes it for anyway, and is not written.
    fn from(annotations: &Annotations) -> Self {
        Self {
            title: annotations.title.clone(),
            read_only_hint: annotations.read_only.then_some(true),
            destructive_hint: annotations.destructive,
            idempotent_hint: annotations.idempotent,
            open_world_hint: annotations.open_world,
        }
    }
}
