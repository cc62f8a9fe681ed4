//! Tool lists as the providers write them on the wire: typed, with a fixed order of fields. Nothing is
//! decided here.

use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::{GrammarSyntax, McpAnnotations};

/// A list of tools in one dialect. As JSON it is the list itself.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum NativeList {
    /// OpenAI Chat Completions: `tools`.
    OpenAi(Vec<OpenAiTool>),
    /// OpenAI Responses: `tools`.
    OpenAiResponses(Vec<ResponsesTool>),
    /// Anthropic Messages: `tools`.
    Anthropic(Vec<AnthropicTool>),
    /// Gemini, both forms: `tools[0].functionDeclarations`.
    Gemini(Vec<GeminiFunction>),
    /// Bedrock Converse: `toolConfig.tools`.
    Bedrock(Vec<BedrockTool>),
    /// MCP: `result.tools`.
    Mcp(Vec<McpListedTool>),
}

/// A tool of OpenAI Chat Completions.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
#[non_exhaustive]
pub enum OpenAiTool {
    /// A function with JSON arguments.
    Function {
        /// The function.
        function: OpenAiFunction,
    },
}

/// A function of OpenAI, in Chat Completions and in Responses.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct OpenAiFunction {
    /// What the model calls it.
    pub name: String,
    /// What it does.
    pub description: String,
    /// The model is held to the schema. Always written, since the default differs between OpenAI's two
    /// interfaces.
    pub strict: bool,
    /// The JSON Schema of the arguments.
    pub parameters: Arc<Value>,
}

/// A tool of OpenAI Responses.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
#[non_exhaustive]
pub enum ResponsesTool {
    /// A function with JSON arguments.
    Function(OpenAiFunction),
    /// A tool that takes one text.
    Custom(CustomTool),
}

/// A tool of OpenAI Responses that takes one text.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CustomTool {
    /// What the model calls it.
    pub name: String,
    /// What it does.
    pub description: String,
    /// What the text must look like.
    pub format: CustomFormat,
}

/// What the text of a [`CustomTool`] must look like.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
#[non_exhaustive]
pub enum CustomFormat {
    /// As the model likes.
    Text,
    /// As a grammar says.
    Grammar {
        /// The language of the definition.
        syntax: GrammarSyntax,
        /// The grammar.
        definition: String,
    },
}

/// A tool of Anthropic Messages.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct AnthropicTool {
    /// What the model calls it.
    pub name: String,
    /// What it does.
    pub description: String,
    /// The JSON Schema of the arguments.
    pub input_schema: Arc<Value>,
    /// The model is held to the schema; written only when it is.
    #[serde(skip_serializing_if = "is_false")]
    pub strict: bool,
}

/// A function declaration of Gemini. One of the two schemas is there.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct GeminiFunction {
    /// What the model calls it.
    pub name: String,
    /// What it does.
    pub description: String,
    /// The JSON Schema of the arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameters_json_schema: Option<Arc<Value>>,
    /// The schema of the arguments in the older form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameters: Option<Arc<Value>>,
}

/// A tool of Bedrock Converse.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct BedrockTool {
    /// The tool.
    pub tool_spec: BedrockToolSpec,
}

/// What a [`BedrockTool`] is.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct BedrockToolSpec {
    /// What the model calls it.
    pub name: String,
    /// What it does; it may not be empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The schema of the arguments.
    pub input_schema: BedrockSchema,
    /// The model is held to the schema; written only when it is.
    #[serde(skip_serializing_if = "is_false")]
    pub strict: bool,
}

/// A JSON Schema as Bedrock wraps it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct BedrockSchema {
    /// The JSON Schema.
    pub json: Arc<Value>,
}

/// A tool as an MCP server lists it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct McpListedTool {
    /// What it is called.
    pub name: String,
    /// A name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The JSON Schema of the arguments.
    pub input_schema: Arc<Value>,
    /// The JSON Schema of what it returns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Arc<Value>>,
    /// What the server says about its effects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<McpAnnotations>,
    /// What client and server keep there for each other.
    #[serde(rename = "_meta", skip_serializing_if = "Map::is_empty")]
    pub meta: Map<String, Value>,
}

fn is_false(value: &bool) -> bool {
    !value
}

impl NativeList {
    /// How many tools there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::OpenAi(tools) => tools.len(),
            Self::OpenAiResponses(tools) => tools.len(),
            Self::Anthropic(tools) => tools.len(),
            Self::Gemini(tools) => tools.len(),
            Self::Bedrock(tools) => tools.len(),
            Self::Mcp(tools) => tools.len(),
        }
    }

    /// Each tool as compact JSON, in order.
    pub(super) fn each_json(&self, visit: impl FnMut(&str)) {
        fn each(tools: &[impl Serialize], mut visit: impl FnMut(&str)) {
            let mut json = Vec::new();
            for tool in tools {
                json.clear();
                // Nothing in a tool can fail to be written, and JSON is UTF-8.
                let _ = serde_json::to_writer(&mut json, tool);
                visit(std::str::from_utf8(&json).unwrap_or_default());
            }
        }
        match self {
            Self::OpenAi(tools) => each(tools, visit),
            Self::OpenAiResponses(tools) => each(tools, visit),
            Self::Anthropic(tools) => each(tools, visit),
            Self::Gemini(tools) => each(tools, visit),
            Self::Bedrock(tools) => each(tools, visit),
            Self::Mcp(tools) => each(tools, visit),
        }
    }

    /// There are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
