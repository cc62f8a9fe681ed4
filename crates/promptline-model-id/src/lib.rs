//! What the id of a chat model says: family, version, lines, size, date, route, and what the model was made from.
//!
//! ```
//! use promptline_model_id::ModelId;
//!
//! let id = ModelId::parse("bedrock", "us.anthropic.claude-sonnet-4-5-20250929-v1:0");
//! assert_eq!((id.family(), id.line()), (Some("claude"), Some("sonnet")));
//! assert_eq!(id.version().unwrap().to_string(), "4.5"); // and the date is no version
//! ```
//!
//! Ids have no grammar, only habits. So an id is unwrapped once (hosts, regions, makers), cut into words and numbers
//! once, and what is a date, a size or a setting is taken out before any version is looked for; then the words of a
//! table decide which family it is. The rules are the same for every family; what differs is data.
//!
//! - [`ModelId`] is what an id says. No id makes it fail, and nothing is looked up.
//! - [`ModelTables`] is what is known: families, makers, hosts, aliases. A host adds its own, as a [`ModelFamily`] or
//!   from a TOML file.
//! - [`Version`] and [`VersionRange`] compare versions number by number, never as decimal fractions.
//! - [`Model`] is a model as a host names it: provider, id, context window.
//!
//! # Features
//!
//! | feature | default | gives |
//! |---|---|---|
//! | `schema` | no | JSON Schemas of [`Model`] and [`VersionRange`] (schemars) |

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod family;
mod id;
mod kin;
mod model;
mod read;
mod route;
mod tables;
#[cfg(test)]
mod tests;
mod tokens;
mod version;

pub use family::ModelFamily;
pub use id::ModelId;
pub use model::Model;
pub use tables::ModelTables;
pub use version::{Version, VersionRange};

/// The README's program is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
