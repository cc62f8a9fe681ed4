//! Tools of MCP servers as specs. What a server says is verbatim, and its schemas are kept whole;
//! nothing of how a server is started is known here.

use promptline_tools::{McpListing, McpTool, Tool};

use super::ToolSpec;
use crate::context::{McpServer, PromptContext, by_name};

/// The tools of all servers that are connected, by server and name: first-class tools for
/// [`native_tools`](crate::tools::native_tools), or for [`tool_section`](crate::tools::tool_section).
#[must_use]
pub fn mcp_tools(cx: &PromptContext) -> Vec<ToolSpec> {
    let mut servers: Vec<&McpServer> =
        cx.mcp_servers.iter().filter(|server| server.is_connected()).collect();
    servers.sort_by(|a, b| by_name(*a, *b, |server| &server.name));
    let mut tools = Vec::new();
    for server in servers {
        let mut own: Vec<&McpTool> = server.tools.iter().collect();
        own.sort_by(|a, b| by_name(*a, *b, |tool| &tool.name));
        tools.extend(own.into_iter().map(|tool| ToolSpec::mcp(&*server.name, tool)));
    }
    tools
}

impl ToolSpec {
    /// A tool of an MCP server. Its id is `server/tool`, the name that the model is to call
    /// `server__tool`, so that two servers can have tools of one name; the native dialects change it
    /// where a provider would refuse it. In a prompt its description begins with the server's name
    /// (`tickets: Find tickets.`), and says the tool's name where the server has no words for it.
    ///
    /// ```
    /// use promptline::{McpTool, ToolSpec};
    /// let search = McpTool::new("search", "Find tickets.", serde_json::json!({"type": "object"}));
    /// let spec = ToolSpec::mcp("tickets", &search);
    /// assert_eq!(spec.name, "tickets__search");
    /// assert_eq!(spec.raw_name(), "search");
    /// ```
    #[must_use]
    pub fn mcp(server: impl Into<String>, tool: &McpTool) -> Self {
        Tool::mcp(server, tool).into()
    }

    /// What it is called where it comes from.
    #[must_use]
    pub fn raw_name(&self) -> &str {
        self.raw_name.as_deref().unwrap_or(&self.name)
    }
}

impl From<McpListing> for McpServer {
    /// A connected server with these tools. Look at the diagnostics of the listing first.
    fn from(listing: McpListing) -> Self {
        let mut server = Self::new(listing.server);
        server.tools = listing.tools;
        server
    }
}
