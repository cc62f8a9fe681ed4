//! The `xml` text form of a tool list: a heading, a description, parameters, and a sample call in
//! tags. The bytes are those that Cline writes for the same spec, but for lines that would forge the
//! structure, which are indented.

use serde_json::Value;

use super::{EnabledTool, EnabledTools, ToolInput, Wording};
use crate::error::Error;
use crate::template::scope::Scope;
use crate::text::{Listing, Text};

/// All tools, one after the other. A tool whose words cannot be rendered is left out; `failed` hears
/// about it.
pub(crate) fn render_tools(
    tools: &EnabledTools,
    scope: &dyn Scope,
    mut failed: impl FnMut(&EnabledTool, Error),
) -> Text {
    let mut all = Text::new();
    for tool in tools {
        match render_tool(tool, scope) {
            Ok(text) if text.is_blank() => {}
            Ok(text) => {
                if !all.is_empty() {
                    all.push_trusted("\n\n");
                }
                all.append(&text);
            }
            Err(error) => failed(tool, error),
        }
    }
    all
}

/// One tool. Empty for a tool that has neither description nor parameters: it is there only so that
/// others can depend on it.
fn render_tool(tool: &EnabledTool, scope: &dyn Scope) -> Result<Text, Error> {
    let spec = tool.spec();
    let lines = shown_params(tool, scope)?;
    let mut out = Text::new();
    if spec.description.is_empty() && spec.param_names().is_empty() {
        return Ok(out);
    }
    out.push_trusted("## ");
    out.push_authored(&spec.name);
    out.push_trusted("\nDescription: ");
    // What a pack's author wrote may hold lists and headings; what came from elsewhere may not.
    out.append_listed(&rendered(&spec.description, scope)?, Listing::Verbatim);
    for note in lines.iter().filter_map(|line| line.note.as_ref()) {
        out.push_trusted("\n");
        out.append_listed(note, Listing::Verbatim);
    }
    out.push_trusted(if lines.is_empty() { "\nParameters: None" } else { "\nParameters:" });
    for line in &lines {
        out.push_trusted("\n- ");
        out.push_authored(line.name);
        out.push_trusted(if line.required { ": (required) " } else { ": (optional) " });
        out.append_listed(&line.description, Listing::All);
    }
    out.push_trusted("\nUsage:\n");
    tag(&mut out, "<", &spec.name);
    for line in &lines {
        out.push_trusted("\n");
        tag(&mut out, "<", line.name);
        out.push_authored(line.usage);
        tag(&mut out, "</", line.name);
    }
    out.push_trusted("\n");
    tag(&mut out, "</", &spec.name);
    Ok(out)
}

fn tag(out: &mut Text, open: &str, name: &str) {
    out.push_trusted(open);
    out.push_authored(name);
    out.push_trusted(">");
}

/// A parameter as it is shown.
struct Line<'a> {
    name: &'a str,
    required: bool,
    description: Text,
    note: Option<Text>,
    usage: &'a str,
}

fn shown_params<'a>(tool: &'a EnabledTool, scope: &dyn Scope) -> Result<Vec<Line<'a>>, Error> {
    match &tool.spec().input {
        ToolInput::Params(params) => params
            .iter()
            .enumerate()
            .filter(|(position, _)| tool.shows(*position))
            .map(|(_, param)| {
                let note = match &param.tool_note {
                    Some(note) if !note.is_empty() => Some(rendered(note, scope)?),
                    _ => None,
                };
                Ok(Line {
                    name: &param.name,
                    required: param.required,
                    description: rendered(&param.description, scope)?,
                    note,
                    usage: &param.usage,
                })
            })
            .collect(),
        ToolInput::Schema(schema) => Ok(schema_params(&tool.spec().id, schema)),
    }
}

/// The top level of a JSON Schema, in the order in which it is written.
fn schema_params<'a>(id: &str, schema: &'a Value) -> Vec<Line<'a>> {
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    let properties = schema.get("properties").and_then(Value::as_object);
    properties
        .into_iter()
        .flatten()
        .map(|(name, property)| {
            let words = property.get("description").and_then(Value::as_str).unwrap_or_default();
            Line {
                name,
                required: required.contains(&name.as_str()),
                description: Text::verbatim(words, format!("tool:{id}")),
                note: None,
                usage: "",
            }
        })
        .collect()
}

fn rendered(wording: &Wording, scope: &dyn Scope) -> Result<Text, Error> {
    match wording {
        Wording::Text(text) => Ok(text.clone()),
        Wording::Template(template) => template.render_in(scope),
    }
}
