//! Which tools a build begins with, before conditions decide: the variant's list, the tools of MCP
//! servers where they stand beside it, and what the mode leaves of both.

use std::borrow::Cow;
use std::sync::Arc;

use crate::context::PromptContext;
use crate::notes::Notes;
use crate::options::BuildOptions;
use crate::registry::Assembled;
use crate::tool::{McpForm, ToolDelivery};
use crate::tool::{Offered, ToolSpec, fitted, mcp_tools};

/// The role of the tool that calls tools of MCP servers by server and name.
const MCP_ROLE: &str = "mcp";
/// The mode in which nothing may be changed, and the role of the tool that only it has.
const PLAN: &str = "plan";

/// What a build begins with.
pub(super) fn offered<'r>(
    assembled: &'r Assembled,
    taught: ToolDelivery,
    mcp: McpForm,
    cx: &PromptContext,
    options: &BuildOptions,
    notes: &Notes,
) -> Cow<'r, [Offered]> {
    // What is not taught is not offered: no text may speak of it.
    if taught == ToolDelivery::Nothing {
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
    if let ToolDelivery::Text(dialect) = taught
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
