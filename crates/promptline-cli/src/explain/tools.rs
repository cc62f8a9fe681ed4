//! What each tool costs: its JSON where it travels beside the prompt, its lines in the tool list where
//! the prompt describes it.

use std::collections::BTreeMap;

use promptline::{Prompt, report::ToolStatus};
use serde::Serialize;
use serde_json::Value;

use super::view::word;

/// The section that holds the tools of a prompt without native tools.
const TOOLS_SECTION: &str = "TOOLS_SECTION";

/// A tool that the model is offered.
#[derive(Debug, Serialize)]
pub(super) struct ToolRow<'a> {
    pub(super) name: &'a str,
    pub(super) id: &'a str,
    /// The MCP server it is of.
    pub(super) server: Option<&'a str>,
    pub(super) status: String,
    /// `native`, or `text` where it is in the prompt's text.
    pub(super) form: &'static str,
    pub(super) bytes: usize,
    pub(super) tokens: usize,
    /// How it is described to the model.
    #[serde(skip)]
    pub(super) shown: String,
}

/// In the order of the list.
pub(super) fn tools(prompt: &Prompt) -> Vec<ToolRow<'_>> {
    let native = prompt.tools().map(|tools| native(&tools.to_value()));
    let section = prompt.section(TOOLS_SECTION).unwrap_or_default();
    let (form, costs) = match &native {
        Some(costs) => ("native", costs),
        None => ("text", &tools_in_text(&section)),
    };
    // The build has counted, by its own counter.
    let reports = prompt.report().tools.iter();
    let counted: BTreeMap<&str, usize> =
        reports.map(|tool| (tool.id.as_str(), tool.text_tokens + tool.native_tokens)).collect();
    prompt
        .tool_names()
        .iter()
        .map(|(name, tool)| {
            let (bytes, shown) = costs.get(name).cloned().unwrap_or_default();
            ToolRow {
                name,
                id: &tool.id,
                server: tool.server.as_deref(),
                status: word(&ToolStatus::Enabled),
                form,
                bytes,
                tokens: counted.get(tool.id.as_str()).copied().unwrap_or_default(),
                shown,
            }
        })
        .collect()
}

/// By name: bytes as they are sent, and the same for people to read.
type Costs = BTreeMap<String, (usize, String)>;

/// Each dialect keeps the name of a tool in a place of its own.
fn native(list: &Value) -> Costs {
    let mut costs = Costs::new();
    for tool in list.as_array().into_iter().flatten() {
        let places = ["/name", "/function/name", "/toolSpec/name", "/custom/name"];
        if let Some(name) = places.iter().find_map(|place| tool.pointer(place)?.as_str()) {
            let cost = (tool.to_string().len(), format!("{tool:#}"));
            costs.insert(name.to_owned(), cost);
        }
    }
    costs
}

/// In the `xml` form a tool begins with its heading, in the `hermes` form it is a line of JSON. Nothing
/// that a tool says can look like either.
fn tools_in_text(section: &str) -> Costs {
    let mut costs = Costs::new();
    let mut open: Option<(String, usize)> = None;
    let mut at = 0;
    for line in section.split_inclusive('\n') {
        let begins = line
            .strip_prefix("## ")
            .map(|name| name.trim_end().to_owned())
            .or_else(|| name_in_json(line));
        if let Some(name) = begins {
            close(&mut costs, open.replace((name, at)), section, at);
        }
        at += line.len();
    }
    close(&mut costs, open, section, at);
    costs
}

fn close(costs: &mut Costs, open: Option<(String, usize)>, section: &str, end: usize) {
    if let Some((name, start)) = open {
        let shown = section.get(start..end).unwrap_or_default();
        costs.insert(name, (shown.len(), shown.trim_end().to_owned()));
    }
}

fn name_in_json(line: &str) -> Option<String> {
    let line = line.strip_prefix('{').map(|_| line)?;
    let tool: Value = serde_json::from_str(line).ok()?;
    Some(tool.pointer("/function/name")?.as_str()?.to_owned())
}
