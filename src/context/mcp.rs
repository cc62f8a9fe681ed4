//! What the host knows about its MCP servers. There is no place here for a command line or an
//! environment: they hold secrets, and no prompt needs them.

use promptline_tools::McpTool;
use serde::{Deserialize, Serialize};

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
    /// It is in a configuration file, and has not been contacted yet.
    Configured,
    /// It is starting.
    Connecting,
    /// The user has switched it off.
    Disabled,
    /// It could not be started or has died.
    Failed,
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
    pub fn with_status(mut self, status: ServerStatus) -> Self {
        self.status = status;
        self
    }

    /// Adds a tool.
    #[must_use]
    pub fn with_tool(mut self, tool: McpTool) -> Self {
        self.tools.push(tool);
        self
    }

    /// Adds a resource.
    #[must_use]
    pub fn with_resource(mut self, resource: McpResource) -> Self {
        self.resources.push(resource);
        self
    }

    /// The prompt may mention it: it answers, or may answer when it is contacted.
    pub(crate) fn is_offered(&self) -> bool {
        matches!(self.status, ServerStatus::Connected | ServerStatus::Configured)
    }

    /// It answers: its tools can be called.
    pub(crate) fn is_connected(&self) -> bool {
        self.status == ServerStatus::Connected
    }
}

impl McpResource {
    /// A resource by address.
    #[must_use]
    pub fn new(uri: impl Into<String>) -> Self {
        Self { uri: uri.into(), name: None, description: None }
    }
}
