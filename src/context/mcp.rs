//! What the host knows about its MCP servers. There is no place here for a command line or an
//! environment: they hold secrets, and no prompt needs them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// An MCP server.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct McpServer {
    /// The name that calls use.
    pub name: String,
    /// Whether it can be used now.
    #[serde(default)]
    pub status: ServerStatus,
    /// Its tools. They are offered by name; `context.mcp_servers` has them in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<McpTool>,
    /// Its resources.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resources: Vec<McpResource>,
}

/// Whether a server can be used.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ServerStatus {
    /// It answers.
    #[default]
    Connected,
    /// It is in a configuration file; nobody has asked it yet.
    Configured,
    /// It is starting.
    Connecting,
    /// The user has switched it off.
    Disabled,
    /// It could not be started or has died.
    Failed,
}

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

/// A resource of an MCP server.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct McpResource {
    /// Its address.
    pub uri: String,
    /// Its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What is in it, in the server's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

impl McpServer {
    /// A connected server without tools.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            status: ServerStatus::Connected,
            tools: Vec::new(),
            resources: Vec::new(),
        }
    }

    /// Sets the status.
    #[must_use]
    pub fn status(mut self, status: ServerStatus) -> Self {
        self.status = status;
        self
    }

    /// Adds a tool.
    #[must_use]
    pub fn tool(mut self, tool: McpTool) -> Self {
        self.tools.push(tool);
        self
    }

    /// Adds a resource.
    #[must_use]
    pub fn resource(mut self, resource: McpResource) -> Self {
        self.resources.push(resource);
        self
    }

    /// The model may be told about it: it answers, or may answer when it is asked.
    pub(crate) fn is_offered(&self) -> bool {
        matches!(self.status, ServerStatus::Connected | ServerStatus::Configured)
    }

    /// It answers: its tools can be called.
    pub(crate) fn is_connected(&self) -> bool {
        self.status == ServerStatus::Connected
    }
}

fn is_null(value: &Arc<Value>) -> bool {
    value.is_null()
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
    pub fn annotations(mut self, annotations: McpAnnotations) -> Self {
        self.annotations = Some(annotations);
        self
    }

    /// Sets the JSON Schema of what it returns.
    #[must_use]
    pub fn output_schema(mut self, schema: impl Into<Value>) -> Self {
        self.output_schema = Some(Arc::new(schema.into()));
        self
    }
}

impl McpResource {
    /// A resource by address.
    #[must_use]
    pub fn new(uri: impl Into<String>) -> Self {
        Self { uri: uri.into(), name: None, description: None }
    }
}
