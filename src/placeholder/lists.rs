//! Lists that the library writes from the context: their structure is ours, every word in them is
//! text from elsewhere.

use std::borrow::Cow;
use std::sync::Arc;

use crate::context::{
    McpResource, McpServer, PromptContext, RulesVerdict, ServerStatus, Skill, by_name, judge_rules,
};
use crate::text::{Text, unify_line_ends};
use crate::tool::McpForm;
use promptline_tools::McpTool;

/// The rules files that count: for each a heading with its path, then its text byte for byte.
pub(crate) fn user_rules(cx: &PromptContext) -> Text {
    let mut out = Text::new();
    for (file, verdict) in judge_rules(&cx.rules) {
        if verdict != RulesVerdict::Used {
            continue;
        }
        if !out.is_empty() {
            out.push_trusted("\n\n");
        }
        let source = format!("rules:{}", file.path);
        out.push_trusted("# Rules from ");
        out.push_label(&file.path, source.as_str());
        out.push_trusted("\n\n");
        let text = match unify_line_ends(&file.text) {
            Cow::Borrowed(same) if same.len() == file.text.len() => Arc::clone(&file.text),
            changed => Arc::from(changed.as_ref()),
        };
        out.push_verbatim(text, source);
    }
    out
}

/// The MCP servers by name, each with its resources and, where they do not stand beside the other
/// tools, its tools by name. A server that is left with nothing is not listed then.
pub(crate) fn mcp_servers_list(cx: &PromptContext, mcp: McpForm) -> Text {
    let listed = mcp == McpForm::Listed;
    let mut servers: Vec<&McpServer> = cx
        .mcp_servers
        .iter()
        .filter(|server| server.is_offered() && (listed || !server.resources.is_empty()))
        .collect();
    servers.sort_by(|a, b| by_name(*a, *b, |server| &server.name));
    let mut out = Text::new();
    for server in servers {
        if !out.is_empty() {
            out.push_trusted("\n\n");
        }
        let source = format!("mcp:{}", server.name);
        out.push_trusted("## ");
        out.push_label(&server.name, source.as_str());
        if server.status == ServerStatus::Configured {
            out.push_trusted("\n(configured; not connected yet)");
        }
        let mut tools: Vec<_> = server.tools.iter().filter(|_| listed).collect();
        tools.sort_by(|a, b| by_name(*a, *b, |tool: &McpTool| &tool.name));
        for tool in tools {
            out.push_trusted("\n- ");
            out.push_label(&tool.name, source.as_str());
            described(&mut out, tool.description.as_deref(), &source);
            if !tool.input_schema.is_null() {
                out.push_trusted("\n  Input schema: ");
                out.push_label(tool.input_schema.to_string(), source.as_str());
            }
        }
        let mut resources: Vec<_> = server.resources.iter().collect();
        resources.sort_by(|a, b| by_name(*a, *b, |resource: &McpResource| &resource.uri));
        for (position, resource) in resources.into_iter().enumerate() {
            out.push_trusted(if position == 0 { "\nResources:\n- " } else { "\n- " });
            out.push_label(&resource.uri, source.as_str());
            in_brackets(&mut out, resource.name.as_deref(), &source);
            described(&mut out, resource.description.as_deref(), &source);
        }
    }
    out
}

/// The skills by name.
pub(crate) fn skills_list(cx: &PromptContext) -> Text {
    let mut skills: Vec<_> = cx.skills.iter().collect();
    skills.sort_by(|a, b| by_name(*a, *b, |skill: &Skill| &skill.name));
    let mut out = Text::new();
    for skill in skills {
        let source = format!("skill:{}", skill.name);
        out.push_trusted(if out.is_empty() { "- " } else { "\n- " });
        out.push_label(&skill.name, source.as_str());
        described(&mut out, Some(&skill.description), &source);
    }
    out
}

/// The roots of a workspace, when there is more than one, in the host's order.
pub(crate) fn workspace_roots_list(cx: &PromptContext) -> Text {
    let mut out = Text::new();
    if cx.workspace_roots.len() < 2 {
        return out;
    }
    for root in &cx.workspace_roots {
        let source = "context:workspace_roots";
        out.push_trusted(if out.is_empty() { "- " } else { "\n- " });
        out.push_label(&root.name, source);
        out.push_trusted(": ");
        out.push_label(&root.path, source);
        in_brackets(&mut out, root.vcs.as_deref(), source);
    }
    out
}

/// Words behind a colon. What counts is what is left of them: blanks and noncharacters are nothing.
fn described(out: &mut Text, words: Option<&str>, source: &str) {
    let mut text = Text::new();
    text.push_listed(words.unwrap_or_default(), source);
    if !text.is_blank() {
        out.push_trusted(": ");
        out.append(&text);
    }
}

fn in_brackets(out: &mut Text, label: Option<&str>, source: &str) {
    let label = Text::label(label.unwrap_or_default(), source);
    if !label.is_blank() {
        out.push_trusted(" (");
        out.append(&label);
        out.push_trusted(")");
    }
}
