//! What reading gives, and how it is gathered: a tool that is there twice is taken once.

use std::collections::BTreeMap;
use std::fmt::Display;

use super::notes::Notes;
use crate::{McpTool, Tool};
use promptline_diagnostic::Diagnostic;

/// Tools that were read, and what had to be said about the others.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ToolList {
    /// The tools, in the order in which they were given.
    pub tools: Vec<Tool>,
    /// What was repaired, what was left out, and why.
    pub diagnostics: Vec<Diagnostic>,
}

/// How a list of tools is read.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ReadOptions {
    /// The MCP server whose tools they are. Without it the `serverInfo` of the list says so, if it is
    /// there.
    pub server: Option<String>,
}

impl ReadOptions {
    /// Nothing but what the list says.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Says which MCP server's tools they are.
    #[must_use]
    pub fn with_server(mut self, name: impl Into<String>) -> Self {
        self.server = Some(name.into());
        self
    }
}

#[derive(Debug, Default)]
pub(super) struct Gather {
    tools: Vec<Tool>,
    /// Those of them that are written as an MCP server does, as they are written.
    pub(super) mcp: Vec<McpTool>,
    pub(super) notes: Notes,
    /// Where each tool was found, by server and name.
    places: BTreeMap<(Option<String>, String), String>,
}

impl Gather {
    /// Adds a tool that was found at this place, unless it is there already.
    pub(super) fn add(&mut self, tool: Tool, place: impl Display) -> bool {
        let key = (tool.server.clone(), tool.raw_name().to_owned());
        if let Some(first) = self.places.get(&key) {
            let why = format_args!("there is one of this name already, at `{first}`");
            self.notes.left_out(place, Some(tool.raw_name()), why);
            return false;
        }
        self.places.insert(key, place.to_string());
        self.tools.push(tool);
        true
    }

    pub(super) fn len(&self) -> usize {
        self.tools.len()
    }

    pub(super) fn finish(self) -> ToolList {
        ToolList { tools: self.tools, diagnostics: self.notes.finish() }
    }
}
