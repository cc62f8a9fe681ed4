#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![doc = include_str!("../README.md")]

mod annotations;
mod grammar;
mod json;
mod mcp;
pub mod names;
pub mod native;
mod read;
mod tool;

pub use annotations::Annotations;
pub use grammar::{FREEFORM_PARAM, Grammar, GrammarSyntax};
pub use mcp::{McpAnnotations, McpTool};
pub use native::{
    Dialect, NativeOptions, NativeTools, ToolNameMap, ToolRef, UnsupportedKeyword, native_tools,
};
pub use read::{
    McpListing, ReadOptions, ToolList, collect_mcp_tools, collect_mcp_tools_async, read_tools,
    read_tools_text, read_tools_with,
};
pub use tool::{Arguments, Tool};
