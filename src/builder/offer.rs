//! Step 2, tools: which of them a build offers, and how. It begins with the variant's list, the tools of MCP
//! servers where they stand beside it, and what the mode leaves of both.

use std::borrow::Cow;
use std::sync::Arc;

use super::pipeline::Build;
use super::tool_reports::ToolReports;
use crate::tool::{
    EnabledTools, McpForm, Offered, ToolDelivery, ToolSpec, decide, fitted, mcp_tools,
};

/// The role of the tool that calls tools of MCP servers by server and name.
const MCP_ROLE: &str = "mcp";
/// The mode in which nothing may be changed, and the role of the tool that only it has.
const PLAN: &str = "plan";

/// The tools of a build, and how they are delivered.
pub(super) struct Offer<'b> {
    pub(super) tools: EnabledTools,
    pub(super) delivery: ToolDelivery,
    /// The variant lists its tools in the text, if there are any.
    pub(super) in_text: bool,
    pub(super) mcp: McpForm,
    pub(super) tool_reports: ToolReports<'b>,
}

/// Decides which tools this build offers.
pub(super) fn offer_tools<'b>(build: &Build<'b>) -> Offer<'b> {
    let variant = &build.assembled.variant;
    let delivery = variant.delivery(build.cx);
    let mcp = build.options.mcp_form.unwrap_or_else(|| variant.mcp_form_for(delivery));
    let offered = offered(build, delivery, mcp);
    let mut tool_reports = ToolReports::new(build.notes, build.counter(), offered.len());
    let judged = |spec: &ToolSpec, verdict| tool_reports.judge(spec, verdict);
    let tools = decide(&offered, || build.conditions(), judged);
    Offer {
        in_text: matches!(delivery, ToolDelivery::Text(_)),
        // Without a tool there is nothing to deliver.
        delivery: if tools.is_empty() { ToolDelivery::Nothing } else { delivery },
        tools,
        mcp,
        tool_reports,
    }
}

/// What a build begins with.
fn offered<'b>(build: &Build<'b>, delivery: ToolDelivery, mcp: McpForm) -> Cow<'b, [Offered]> {
    let Build { assembled, cx, options, notes, .. } = *build;
    // What is not delivered is not offered: no text may speak of it.
    if delivery == ToolDelivery::Nothing {
        return Cow::Borrowed(&[]);
    }
    let mode = cx.mode.as_deref().filter(|_| options.filter_by_mode);
    if mcp == McpForm::Listed && mode.is_none() {
        return Cow::Borrowed(&assembled.tools);
    }
    let first_class = mcp == McpForm::FirstClass;
    let kept = |spec: &ToolSpec| {
        let role = spec.tool_role.as_deref();
        let by_name = !(first_class && role == Some(MCP_ROLE));
        by_name && mode.is_none_or(|mode| fits(spec, role, mode))
    };
    let own = assembled.tools.iter().filter(|offered| kept(&offered.spec));
    let servers = match first_class {
        true => mcp_tools(cx).into_iter().filter(kept).collect(),
        false => Vec::new(),
    };
    let of_spec = |spec| Offered { spec: Arc::new(spec) };
    if let ToolDelivery::Text(dialect) = delivery
        && !servers.is_empty()
    {
        // In a text a name is a tag, and what a server calls its tools is not in the host's hands.
        let all: Vec<ToolSpec> =
            own.map(|offered| ToolSpec::clone(&offered.spec)).chain(servers).collect();
        let all = fitted(dialect, &all, |diagnostic| notes.report(diagnostic));
        return all.into_iter().map(of_spec).collect();
    }
    own.cloned().chain(servers.into_iter().map(of_spec)).collect()
}

/// In plan mode only what changes nothing; in any other mode all but the tool that plans.
fn fits(spec: &ToolSpec, role: Option<&str>, mode: &str) -> bool {
    if mode == PLAN { spec.annotations.read_only } else { role != Some(PLAN) }
}
