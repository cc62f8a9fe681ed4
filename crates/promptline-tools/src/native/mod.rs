//! Tools in the native form of a provider: the JSON that goes beside the prompt. What a dialect cannot say
//! is listed, never dropped in silence; what a provider would refuse is reported before it does; and no tool
//! vanishes for its name.

mod dialect;
mod limits;
mod lists;
mod name_map;
mod schema;
mod tables;
mod unsupported;
mod write;

use promptline_diagnostic::Diagnostic;
use serde_json::Value;

pub use dialect::Dialect;
pub use lists::{
    AnthropicTool, BedrockSchema, BedrockTool, BedrockToolSpec, CustomFormat, CustomTool,
    GeminiFunction, McpListedTool, NativeList, OpenAiFunction, OpenAiTool, ResponsesTool,
};
pub use name_map::{ToolNameMap, ToolRef};
pub use unsupported::UnsupportedKeyword;
pub use write::native_tools;

/// How tools are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct NativeOptions {
    /// The dialect.
    pub dialect: Dialect,
    /// Ask the provider to hold the model to the schemas: OpenAI, Anthropic and Bedrock can.
    pub strict: bool,
    /// Cut descriptions that are longer than the provider takes, with a mark, and list them as
    /// unsupported. Otherwise they are sent whole, with a warning.
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
    /// say) is sent without, which is listed as an unsupported `strict`.
    #[must_use]
    pub fn with_strict(mut self) -> Self {
        self.strict = true;
        self
    }

    /// Cuts descriptions that are longer than the provider takes.
    #[must_use]
    pub fn with_cut_descriptions(mut self) -> Self {
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
    unsupported: Vec<UnsupportedKeyword>,
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
    #[must_use]
    pub fn to_json(&self) -> String {
        // Nothing in a list can fail to be written.
        serde_json::to_string(&self.list).unwrap_or_default()
    }

    /// The length of the same in bytes.
    #[must_use]
    pub fn json_bytes(&self) -> usize {
        limits::written_bytes(&self.list)
    }

    /// Each tool as compact JSON, in order.
    pub fn each_json(&self, visit: impl FnMut(&str)) {
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
    pub fn unsupported(&self) -> &[UnsupportedKeyword] {
        &self.unsupported
    }

    /// Tools that were left out or renamed, and limits of the provider that are not kept.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Puts what was reported while the tools were made in front of what was reported while they were written.
    #[must_use]
    pub fn with_earlier_diagnostics(mut self, mut earlier: Vec<Diagnostic>) -> Self {
        earlier.append(&mut self.diagnostics);
        self.diagnostics = earlier;
        self
    }
}
