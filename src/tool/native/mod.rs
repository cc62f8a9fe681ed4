//! Tools in the native form of a provider: the JSON that goes beside the prompt. What a dialect cannot say
//! is listed, never dropped in silence; what a provider would refuse is told before it does; and no tool
//! vanishes for its name.

mod authored;
mod dialect;
mod limits;
mod lists;
mod loss;
mod name_map;
mod names;
mod schema;
mod tables;
mod write;

use serde_json::Value;

pub use dialect::Dialect;
pub use lists::{
    AnthropicTool, BedrockSchema, BedrockTool, BedrockToolSpec, CustomFormat, CustomTool,
    GeminiFunction, McpListedTool, NativeList, OpenAiFunction, OpenAiTool, ResponsesTool,
};
pub use loss::Loss;
pub use name_map::{ToolNameMap, ToolRef};
pub(super) use names::{Wanted, assign};
pub(super) use tables::NameRule;
pub(crate) use write::write_tools;

use super::ToolSpec;
use super::section::{left_out, outside_of_a_prompt};
use crate::context::PromptContext;
use crate::variant::Taught;
use promptline_diagnostic::Diagnostic;
use promptline_diagnostic::Error;

/// How tools are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct NativeOptions {
    /// The dialect.
    pub dialect: Dialect,
    /// Ask the provider to hold the model to the schemas: OpenAI, Anthropic and Bedrock can.
    pub strict: bool,
    /// Cut descriptions that are longer than the provider takes, with a mark and a loss. Otherwise they
    /// are sent whole, with a warning.
    pub cut_descriptions: bool,
}

impl NativeOptions {
    /// This dialect; not strict.
    #[must_use]
    pub fn new(dialect: Dialect) -> Self {
        Self { dialect, strict: false, cut_descriptions: false }
    }

    /// Asks the provider to hold the model to the schemas. They are changed to what it can hold it to:
    /// objects are closed, and with OpenAI every property is required, and may be null where it was
    /// optional. A tool whose schema cannot be changed so (it takes names that are not known beforehand,
    /// say) is sent without, which is listed as a loss of `strict`.
    #[must_use]
    pub fn strict(mut self) -> Self {
        self.strict = true;
        self
    }

    /// Cuts descriptions that are longer than the provider takes.
    #[must_use]
    pub fn cut_descriptions(mut self) -> Self {
        self.cut_descriptions = true;
        self
    }
}

/// Tools in a dialect, and what there is to know about them.
#[derive(Debug, Clone)]
pub struct NativeTools {
    dialect: Dialect,
    list: NativeList,
    names: ToolNameMap,
    losses: Vec<Loss>,
    diagnostics: Vec<Diagnostic>,
}

impl NativeTools {
    /// The dialect.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The tools, typed.
    #[must_use]
    pub fn list(&self) -> &NativeList {
        &self.list
    }

    /// The tools as JSON: a list, which for Gemini goes under `functionDeclarations`.
    #[must_use]
    pub fn to_value(&self) -> Value {
        // Nothing in a list can fail to be written.
        serde_json::to_value(&self.list).unwrap_or_default()
    }

    /// The same as compact JSON, as it goes over the wire.
    pub(crate) fn to_json(&self) -> String {
        // Nothing in a list can fail to be written.
        serde_json::to_string(&self.list).unwrap_or_default()
    }

    /// The length of the same in bytes.
    pub(crate) fn json_bytes(&self) -> usize {
        limits::written_bytes(&self.list)
    }

    /// Each tool as compact JSON, in order.
    pub(crate) fn each_json(&self, visit: impl FnMut(&str)) {
        self.list.each_json(visit);
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// There are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Which name is which tool.
    #[must_use]
    pub fn names(&self) -> &ToolNameMap {
        &self.names
    }

    /// What the dialect could not say, by tool and place.
    #[must_use]
    pub fn losses(&self) -> &[Loss] {
        &self.losses
    }

    /// Tools that were left out or renamed, and limits of the provider that are not kept.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }
}

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
/// assert!(tools.losses().is_empty());
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
    let (made, mut told) =
        outside_of_a_prompt(tools, Taught::Native, cx, |enabled, scope, notes| {
            write_tools(enabled, scope, options, |tool, error| {
                notes.report(left_out(&tool.spec().id, &error.to_string()));
            })
        });
    let mut made = made?;
    told.append(&mut made.diagnostics);
    made.diagnostics = told;
    Ok(made)
}
