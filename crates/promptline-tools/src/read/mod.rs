//! Tools from elsewhere: lists of MCP servers, requests to a provider. A bad tool costs at most itself, and
//! whatever is repaired or left out is reported; a schema that is sound is kept as it is.

mod form;
mod gather;
mod notes;
mod one;
mod pages;
mod repair;
mod shape;
mod text;
mod values;

use serde_json::Value;

pub use gather::{ReadOptions, ToolList};
pub use pages::{McpListing, collect_mcp_tools, collect_mcp_tools_async};
pub use text::read_tools_text;

/// Reads tools in any of the shapes in which they travel:
///
/// | shape | a tool is recognised by |
/// |---|---|
/// | MCP | `inputSchema`; in `tools`, in the `result` of a response, in pages, or in a bare list |
/// | OpenAI Chat | `type: function` and `function`; alone, in a list, or in the `tools` of a request |
/// | OpenAI Responses | `type: function` and `parameters`; `type: custom` for a free text |
/// | Anthropic | `input_schema` |
/// | Gemini | `functionDeclarations` of `parameters` or `parametersJsonSchema` |
/// | Bedrock | `toolSpec`; alone, or in `toolConfig.tools` |
///
/// Shapes may be mixed. What is wrong where the meaning is plain (`required: true` at a property, a
/// description that is a number, `properties: []`, a type `str`) is repaired; a tool without a usable name
/// or schema, one that is there twice, and tools that a provider brings itself are left out. Each of
/// these is a diagnostic with the place as a JSON pointer (RFC 6901).
///
/// ```
/// let list = promptline_tools::read_tools(&serde_json::json!({"tools": [
///     {"name": "search", "description": "Find tickets.", "inputSchema": {"type": "object"}},
///     {"name": "broken", "inputSchema": "?"},
/// ]}));
/// assert_eq!(list.tools.len(), 1);
/// assert!(list.diagnostics[0].message.starts_with("`/tools/1/inputSchema`: "));
/// ```
#[must_use]
pub fn read_tools(value: &Value) -> ToolList {
    read_tools_with(value, &ReadOptions::new())
}

/// The same with options.
#[must_use]
pub fn read_tools_with(value: &Value, options: &ReadOptions) -> ToolList {
    let mut gather = gather::Gather::default();
    shape::read(value, options, &mut gather);
    gather.finish()
}
