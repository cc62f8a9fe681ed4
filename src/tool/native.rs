//! Tools of a prompt in the native form of a provider: specs become neutral tools, which
//! `promptline-tools` writes.

use promptline_diagnostic::{Diagnostic, Error};
use promptline_tools::{NativeOptions, NativeTools};

use super::neutral::neutral;
use super::section::{left_out, outside_of_a_prompt};
use super::{EnabledTool, EnabledTools, ToolSpec};
use crate::context::PromptContext;
use crate::template::scope::Scope;
use crate::variant::Taught;

/// Writes tools for a request in the native form of a provider. Conditions decide as they do in the
/// text form, and the same words are said. (Tools of the context's MCP servers are given by
/// [`mcp_tools`](crate::mcp_tools).)
///
/// ```
/// use promptline::{Dialect, NativeOptions, Param, PromptContext, ToolSpec, native_tools};
/// # fn main() -> Result<(), promptline::Error> {
/// let ping = ToolSpec::new("ping")
///     .description("Ask a host whether it is there.")
///     .param(Param::required("host", "Its name or address."));
/// let options = NativeOptions::new(Dialect::Anthropic);
/// let tools = native_tools(&[ping], &PromptContext::default(), &options)?;
/// assert_eq!(
///     tools.to_value(),
///     serde_json::json!([{
///         "name": "ping",
///         "description": "Ask a host whether it is there.",
///         "input_schema": {
///             "type": "object",
///             "properties": {"host": {"type": "string", "description": "Its name or address."}},
///             "required": ["host"],
///         },
///     }])
/// );
/// assert!(tools.unsupported().is_empty());
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`ErrorKind::Tool`](crate::ErrorKind::Tool) for a spec with a parameter that is there twice or with a
/// condition that asks for what it may not ask for. Names may be any.
pub fn native_tools(
    tools: &[ToolSpec],
    cx: &PromptContext,
    options: &NativeOptions,
) -> Result<NativeTools, Error> {
    for spec in tools {
        spec.check_for_native()?;
    }
    let (made, reported) =
        outside_of_a_prompt(tools, Taught::Native, cx, |enabled, scope, notes| {
            write_tools(enabled, scope, options, |tool, error| {
                notes.report(left_out(&tool.spec().id, &error.to_string()));
            })
        });
    Ok(made.with_diagnostics_before(reported))
}

/// Writes the tools of a build in a dialect. A tool whose words cannot be rendered is left out, and given to
/// `failed`. Whatever else there is to report is in the result.
pub(crate) fn write_tools(
    tools: &EnabledTools,
    scope: &dyn Scope,
    options: &NativeOptions,
    mut failed: impl FnMut(&EnabledTool, Error),
) -> NativeTools {
    let mut made = Vec::with_capacity(tools.len());
    let mut reported = Vec::new();
    for tool in tools {
        let id = &tool.spec().id;
        if tool.spec().says_nothing() {
            let message =
                format!("the tool `{id}` is left out: it has neither a description nor parameters");
            reported.push(Diagnostic::info("tool-empty", message).about(id));
            continue;
        }
        match neutral(tool, scope) {
            Ok((tool, mut invisible)) => {
                made.push(tool);
                reported.append(&mut invisible);
            }
            Err(error) => failed(tool, error),
        }
    }
    promptline_tools::native_tools(&made, options).with_diagnostics_before(reported)
}
