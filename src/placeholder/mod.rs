//! The placeholder layers. Later wins: variant, standard, sections, runtime; a standard name or a
//! listed section that nothing provides is empty; any other name that nothing provides is unresolved.

mod layers;
mod lists;
mod standard;

use serde::{Deserialize, Serialize};

pub(crate) use layers::{Layers, Possible, Scoped};
pub(crate) use lists::{mcp_servers_list, skills_list, user_rules, workspace_roots_list};
pub(crate) use standard::{Standard, is_standard, standard_names, volatility_of};

/// Which layer a placeholder's value came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Layer {
    /// A standard name or a listed section that nothing provides: the empty text.
    Empty,
    /// The variant or its pack.
    Variant,
    /// The context, under a standard name.
    Standard,
    /// A component.
    Section,
    /// The request.
    Runtime,
    /// A namespace: `params`, `context`, `flag`, `tool`, `mode`, `is`.
    Namespace,
}
