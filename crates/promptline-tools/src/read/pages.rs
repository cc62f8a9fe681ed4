//! The tools of an MCP server, which come in pages. How a page is asked for is the caller's business:
//! nothing here knows a network. Whatever a server does, the asking ends, and what was given is kept.

use std::collections::BTreeSet;
use std::fmt::Display;

use serde_json::Value;

use super::gather::{Gather, ReadOptions};
use super::notes::shown;
use super::shape::{self, MOST_TOOLS};
use crate::McpTool;
use promptline_diagnostic::Diagnostic;

/// The tools of a server, and what had to be said about them.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct McpListing {
    /// The server.
    pub server: String,
    /// Its tools as it lists them.
    pub tools: Vec<McpTool>,
    /// What was repaired, what was left out, and why the asking ended early, if it did.
    pub diagnostics: Vec<Diagnostic>,
}

/// Asks for the tools of an MCP server page by page. `page` is given the cursor (`None` for the first
/// page) and answers with the result of `tools/list` as JSON: `{"tools": […], "nextCursor": …}`.
///
/// A cursor that was there before, a page that fails and too many pages or tools (1,000 and 10,000) end
/// it with a warning; what was given until then is kept.
///
/// ```
/// use promptline_tools::collect_mcp_tools;
/// use serde_json::json;
/// let listing = collect_mcp_tools("tickets", |cursor| match cursor {
///     None => Ok(json!({"tools": [{"name": "open", "inputSchema": {}}], "nextCursor": "2"})),
///     Some("2") => Ok(json!({"tools": [{"name": "close", "inputSchema": {}}]})),
///     Some(_) => Err("there is no such page"),
/// });
/// assert_eq!(listing.tools.len(), 2);
/// assert!(listing.diagnostics.is_empty());
/// ```
pub fn collect_mcp_tools<E: Display>(
    server: impl Into<String>,
    mut page: impl FnMut(Option<&str>) -> Result<Value, E>,
) -> McpListing {
    let mut pages = Pages::new(server.into());
    while pages.more {
        let answer = page(pages.cursor.as_deref());
        pages.add(answer);
    }
    pages.finish()
}

/// The same where asking is waiting. Needs no runtime of its own.
pub async fn collect_mcp_tools_async<E, F>(
    server: impl Into<String>,
    mut page: impl FnMut(Option<String>) -> F,
) -> McpListing
where
    E: Display,
    F: Future<Output = Result<Value, E>>,
{
    let mut pages = Pages::new(server.into());
    while pages.more {
        let answer = page(pages.cursor.clone()).await;
        pages.add(answer);
    }
    pages.finish()
}

/// So many pages are asked for.
const MOST_PAGES: usize = 1_000;

struct Pages {
    server: String,
    pages: Vec<Value>,
    tools: usize,
    /// The cursor of the next page, and those that were there before.
    cursor: Option<String>,
    seen: BTreeSet<String>,
    more: bool,
    gather: Gather,
}

impl Pages {
    fn new(server: String) -> Self {
        Self {
            server,
            pages: Vec::new(),
            tools: 0,
            cursor: None,
            seen: BTreeSet::new(),
            more: true,
            gather: Gather::default(),
        }
    }

    fn add(&mut self, answer: Result<Value, impl Display>) {
        self.more = false;
        let number = self.pages.len() + 1;
        let mut page = match answer {
            Ok(page) => page,
            Err(error) => {
                let error = shown(&error.to_string());
                return self.warn(format!("page {number} cannot be read: {error}"));
            }
        };
        let Some(object) = page.as_object_mut() else {
            return self.warn(format!("page {number} is no object"));
        };
        // A whole response will do too.
        let object = match object.get_mut("result") {
            Some(Value::Object(result)) => result,
            _ => object,
        };
        let next = object.shift_remove("nextCursor").unwrap_or_default();
        match object.get("tools") {
            Some(Value::Array(tools)) => self.tools += tools.len(),
            _ => self.warn(format!("page {number} has no list of tools")),
        }
        self.pages.push(page);
        let next = match next {
            Value::Null => return,
            Value::String(next) => next,
            _ => return self.warn(format!("the cursor behind page {number} is no string")),
        };
        if self.seen.contains(&next) {
            let next = shown(&next);
            self.warn(format!("the cursor `{next}` behind page {number} was there before"));
        } else if number >= MOST_PAGES {
            self.warn(format!("it goes on after {MOST_PAGES} pages"));
        } else if self.tools >= MOST_TOOLS {
            self.warn(format!("it goes on after {MOST_TOOLS} tools"));
        } else {
            self.seen.insert(next.clone());
            self.cursor = Some(next);
            self.more = true;
        }
    }

    fn warn(&mut self, what: String) {
        let message =
            format!("the tool list of the server `{}` ends early: {what}", shown(&self.server));
        self.gather.notes.list("mcp-list-cut", message);
    }

    fn finish(mut self) -> McpListing {
        let options = ReadOptions::new().with_server(&self.server);
        shape::read(&Value::Array(self.pages), &options, &mut self.gather);
        let tools = std::mem::take(&mut self.gather.mcp);
        McpListing { server: self.server, tools, diagnostics: self.gather.finish().diagnostics }
    }
}
