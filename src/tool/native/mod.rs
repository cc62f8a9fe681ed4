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

use promptline_diagnostic::Diagnostic;

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

    /// Puts what was reported before the tools were written in front of its own diagnostics.
    #[must_use]
    pub fn with_earlier_diagnostics(mut self, mut earlier: Vec<Diagnostic>) -> Self {
        earlier.append(&mut self.diagnostics);
        self.diagnostics = earlier;
        self
    }

    /// Tools that were left out or renamed, and limits of the provider that are not kept.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }
}
