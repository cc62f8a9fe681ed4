//! An assembly line for the system prompts of LLM agents.
//!
//! ```
//! use promptline::{Pack, PromptContext, PromptRegistry, RulesFile};
//!
//! # fn main() -> Result<(), promptline::Error> {
//! let registry = PromptRegistry::builder().pack(Pack::builtin()).build()?;
//! let cx = PromptContext::new("anthropic", "claude-sonnet-4-5")
//!     .with_cwd("/home/ada/engine")
//!     .with_rules(RulesFile::new("AGENTS.md", "Use tabs."));
//! let prompt = registry.build_blocking(&cx)?;
//! assert!(prompt.text().contains("Use tabs."));
//! # Ok(())
//! # }
//! ```
//!
//! An agent's system prompt differs by model family, by what the user has switched on and by the
//! project it works in. It must not change by accident, and must not be broken by what a user wrote
//! in a rules file. This crate builds it on a line:
//!
//! ```text
//! PromptContext ──► PromptRegistry ──► PromptVariant ──► PromptBuilder
//!                   first match wins                     1 components, in order  -> sections
//!                                                        2 placeholder layers    -> values
//!                                                        3 base template         -> skeleton
//!                                                        4 clean-up              -> skeleton
//!                                                        5 user text spliced in  -> Prompt
//! ```
//!
//! - [`PromptContext`] is what the host knows about a request; `PromptContext::detect` fills one from
//!   the machine and the project (feature `detect`).
//! - [`Pack`] is a set of prompt files, from the binary or from a folder; [`PromptRegistry`] holds
//!   packs and what a host adds, chooses the [`PromptVariant`] and builds.
//! - [`Component`] writes a section: async Rust, a closure ([`component_fn`]), or a file of a pack.
//! - [`Text`] keeps what a pack's author wrote apart from what came from somewhere else, which is
//!   never parsed and never cleaned.
//! - [`template`] says what a template can do, [`cleanup`] what the clean-up does, [`Condition`] what
//!   a `when` can ask, [`docs::formats`] how the files of a pack are written, [`docs::tutorial`] how to
//!   begin one, [`docs::tools`] how a tool looks in every form.
//! - [`Overlay`] changes sections of another author's pack without a copy of it.
//! - [`ModelId`] is what a provider's model id says, [`ModelTables`](model_id::ModelTables) what is known about ids.
//! - [`ToolSpec`] and [`ToolSet`] are the tools; [`tool_section`](tools::tool_section) renders them outside of a prompt,
//!   [`native_tools`](tools::native_tools) writes them as a provider takes them.
//! - [`Budget`] says how many tokens a prompt may cost, and what gives way when it costs more.
//! - [`Prompt`] is the result, with its [`Section`](prompt::Section)s and its [`Report`].
//!
//! The library has no async runtime, no network and no clock of its own, and prints nothing; what it
//! has to say while it runs goes to `tracing`, what a build has to say is in its report.
//!
//! # Features
//!
//! | feature | default | gives |
//! |---|---|---|
//! | `handlebars` | yes | templates with `each`, `with`, partials and helpers, those of the host too |
//! | `detect` | no | `PromptContext::detect`: machine, rules files, skills and MCP servers of a project |
//! | `diff` | no | `diff`: what differs between two prompts, section by section |
//! | `testing` | no | `testing`: golden files of every variant in every context |
//! | `watch` | no | `WatchedRegistry`: packs and overlays that follow their folders, by a thread that waits for changes |
//! | `tokens` | no | `ExactTokens`: tokens counted exactly by o200k or cl100k |
//! | `schema` | no | JSON Schemas of the file formats; tools whose arguments are a type (`ToolSpec::from_type`) |

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod budget;
mod builder;
pub mod check;
pub mod cleanup;
pub mod component;
pub mod condition;
pub mod context;
#[cfg(feature = "diff")]
pub mod diff;
pub mod docs;
mod error;
mod fingerprint;
mod id;
#[cfg(test)]
mod layers;
mod lint;
mod marks;
pub mod model_id;
mod notes;
pub mod options;
pub mod overlay;
mod pack;
mod placeholder;
pub mod prompt;
pub mod registry;
pub mod report;
mod scaffold;
#[cfg(feature = "schema")]
pub mod schema;
mod table;
pub mod template;
#[cfg(feature = "testing")]
pub mod testing;
pub mod text;
pub mod tokens;
mod tool;
pub mod variant;

pub mod tools {
    //! Tools: what they are, what a host changes about them, and the forms in which a model is given them.
    //! Neutral tools, which know nothing of prompts, are the crate `promptline-tools`, whose names are here
    //! too.

    pub use crate::builder::{ToolSection, native_tools, tool_section, tool_section_as};
    pub use crate::tool::{
        EnabledTool, EnabledTools, McpForm, Param, TextForm, ToolForm, ToolInput, ToolSections,
        ToolSet, ToolSpec, ToolText, mcp_tools, read_tool_sections,
    };
    pub use promptline_tools::{
        Annotations, Dialect, FREEFORM_PARAM, Grammar, GrammarSyntax, McpAnnotations, McpListing,
        McpTool, NativeOptions, NativeTools, ReadOptions, Tool, ToolList, ToolNameMap, ToolRef,
        UnsupportedKeyword, collect_mcp_tools, collect_mcp_tools_async, native, native::NativeList,
        read_tools, read_tools_text, read_tools_with,
    };
}

pub use async_trait::async_trait;
pub use budget::Budget;
pub use builder::PromptBuilder;
pub use component::{Component, ComponentCx, ComponentError, ComponentMeta, component_fn};
pub use condition::{Condition, When};
pub use context::{McpServer, PromptContext, RulesFile};
pub use model_id::ModelId;
pub use options::BuildOptions;
pub use overlay::Overlay;
pub use pack::Pack;
pub use prompt::Prompt;
pub use promptline_diagnostic::{Diagnostic, Error, ErrorKind, Id, Severity};
pub use promptline_tools::{Dialect, McpTool, NativeTools};
#[cfg(feature = "watch")]
pub use registry::WatchedRegistry;
pub use registry::{Place, PromptRegistry, PromptRegistryBuilder};
pub use report::Report;
pub use template::Template;
pub use text::{Text, Volatility};
pub use tokens::TokenCounter;
pub use tool::{Param, ToolSet, ToolSpec};
pub use variant::PromptVariant;

/// What lies in a project and on a machine, as plain data: [`PromptContext::detect_with`] takes its options.
#[cfg(feature = "detect")]
pub use promptline_project as project;

/// The README's program is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
