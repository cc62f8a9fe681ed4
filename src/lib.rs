#![forbid(unsafe_code)]
//! stub docs
mod builder;
pub mod cleanup;
mod component;
mod condition;
mod context;
mod diagnostic;
mod error;
mod fingerprint;
mod format;
mod pack;
mod placeholder;
mod prompt;
mod registry;
mod report;
pub mod template;
pub mod text;
mod tool;
mod variant;

pub use async_trait::async_trait;
pub use builder::{BuildOptions, InvisiblePolicy, PromptBuilder};
pub use component::{Component, ComponentCx, ComponentError, Volatility, component_fn};
pub use condition::{Condition, ModelGlob, NumberRange, OneOf, When};
#[cfg(feature = "detect")]
pub use context::Detected;
pub use context::{
    Environment, Flags, Handles, McpResource, McpServer, McpTool, Model, PromptContext, RulesFile,
    Schema1, ServerStatus, Skill, Viewport, WorkspaceRoot,
};
pub use diagnostic::{Diagnostic, Severity};
pub use error::{Error, ErrorKind};
pub use fingerprint::Fingerprint;
pub use pack::Pack;
pub use placeholder::{Layer, UnresolvedPolicy};
pub use prompt::{Prompt, Section, Span, SpanKind, TEMPLATE_SECTION, VariantRef};
pub use registry::{Place, PromptRegistry, PromptRegistryBuilder, Selection};
pub use report::{
    ComponentReport, ComponentStatus, MatcherVerdict, PlaceholderReport, Report, ReportLevel,
    RulesReport, RulesStatus, ToolReport, ToolStatus,
};
pub use template::Template;
pub use text::{Piece, Source, Text};
pub use tool::{
    Annotations, EnabledTool, EnabledTools, Param, ToolInput, ToolSection, ToolSet, ToolSpec,
    Wording, tool_section,
};
pub use variant::{ComponentOverride, PromptVariant, ToolForm, ToolOverride};
