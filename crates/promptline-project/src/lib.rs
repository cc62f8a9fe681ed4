//! What lies in a project and on a machine for an agent: rules files, skills, MCP servers, environment.
//!
//! ```no_run
//! use promptline_project::Project;
//!
//! let project = Project::read(".")?;
//! for rules in &project.rules {
//!     println!("{}: {} bytes", rules.path, rules.text.len());
//! }
//! # Ok::<(), promptline_diagnostic::Error>(())
//! ```
//!
//! - [`Project`] is what the files say: [`RulesFile`]s, [`Skill`]s and [`McpServer`]s in a documented order, with a
//!   [`SeenFile`] for every file that was looked at and a diagnostic for what is wrong.
//! - [`ReadOptions`] say whose files ([`Host`]), for which files of the request, and whether the home counts.
//! - [`Environment`] is the machine: operating system, shell, home.
//! - [`Day`] is date and time zone.
//!
//! It knows nothing of prompts or models: everything is plain data. Files are read only inside of the project, up to
//! a limit, and what they say is never executed. Command lines, environments and addresses of MCP servers hold
//! secrets and are not read at all.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod applies;
mod environment;
mod folders;
mod front_matter;
mod host;
mod markdown;
mod mcp;
mod options;
mod project;
mod reading;
mod rules;
mod seen;
mod skills;
mod sources;
#[cfg(test)]
mod tests;

pub use environment::{Day, Environment};
pub use host::Host;
pub use jiff::ZonedDateTime;
pub use mcp::McpServer;
pub use options::ReadOptions;
pub use project::Project;
pub use rules::RulesFile;
pub use seen::{SeenFile, SeenKind, SeenStatus};
pub use skills::Skill;

/// The README's program is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
