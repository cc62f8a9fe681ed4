//! A tool as a server of the Model Context Protocol lists it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A tool of an MCP server, as `tools/list` gives it.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct McpTool {
    /// The name.
    pub name: String,
    /// A name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it does, in the server's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The JSON Schema of its arguments, kept whole.
    #[serde(default, alias = "inputSchema", skip_serializing_if = "is_null")]
    pub input_schema: Arc<Value>,
    /// The JSON Schema of what it returns, kept whole.
    #[serde(default, alias = "outputSchema", skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Arc<Value>>,
    /// What the server says about its effects. A hint: a server can say what it likes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<McpAnnotations>,
    /// What client and server keep there for each other. It never reaches a model.
    #[serde(default, rename = "_meta", skip_serializing_if = "Map::is_empty")]
    pub meta: Map<String, Value>,
}

/// What an MCP server says about the effects of a tool, in the names of the protocol (specification
/// 2025-06-18, "Tool annotations"). What it does not say is `None`.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[non_exhaustive]
pub struct McpAnnotations {
    /// A name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// It changes nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_only_hint: Option<bool>,
    /// It may destroy something, and does not only add.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub destructive_hint: Option<bool>,
    /// A second call with the same arguments changes nothing more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idempotent_hint: Option<bool>,
    /// It speaks with a world that is not known beforehand, as the web.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_world_hint: Option<bool>,
}

impl McpAnnotations {
    /// What a tool says that changes nothing.
    #[must_use]
    pub fn read_only() -> Self {
        Self { read_only_hint: Some(true), ..Self::default() }
    }
}

impl McpTool {
    /// A tool by name, description and JSON Schema.
    #[must_use]
    pub fn new(
        name: impl Into<String>,
        description: impl Into<String>,
        input_schema: impl Into<Value>,
    ) -> Self {
        Self {
            name: name.into(),
            title: None,
            description: Some(description.into()),
            input_schema: Arc::new(input_schema.into()),
            output_schema: None,
            annotations: None,
            meta: Map::new(),
        }
    }

    /// Sets what it says about its effects.
    #[must_use]
    pub fn with_annotations(mut self, annotations: McpAnnotations) -> Self {
        self.annotations = Some(annotations);
        self
    }

    /// Sets the JSON Schema of what it returns.
    #[must_use]
    pub fn with_output_schema(mut self, schema: impl Into<Value>) -> Self {
        self.output_schema = Some(Arc::new(schema.into()));
        self
    }
}

fn is_null(value: &Arc<Value>) -> bool {
    value.is_null()
}
