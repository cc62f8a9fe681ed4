//! The `xml` text form of a tool list: a heading, a description, parameters, and a sample call in
//! tags. The bytes are those that Cline writes for the same spec, but for lines that would forge the
//! structure, which are indented.

use std::borrow::Cow;

use serde_json::Value;
use smallvec::SmallVec;

use super::{EnabledTool, EnabledTools, FREEFORM_PARAM, Grammar, Param, ToolInput};
use crate::error::Error;
use crate::template::scope::Scope;
use crate::text::{Listing, Text};

/// All tools, one after the other. A tool whose words cannot be rendered is left out; `failed` hears
/// about it.
pub(super) fn render(
    tools: &EnabledTools,
    scope: &dyn Scope,
    mut failed: impl FnMut(&EnabledTool, Error),
) -> Text {
    let mut all = Text::new();
    all.reserve(tools.len() * ROOM, 0);
    for tool in tools {
        match Words::of(tool, scope) {
            Ok(Some(words)) => {
                if !all.is_empty() {
                    all.push_trusted("\n\n");
                }
                write_tool(&mut all, tool.name(), &words);
            }
            Ok(None) => {}
            Err(error) => failed(tool, error),
        }
    }
    all
}

/// About as many bytes as a tool takes: room for the list is made before it is written.
const ROOM: usize = 512;

/// What a tool says, rendered.
struct Words<'a> {
    description: Cow<'a, Text>,
    lines: SmallVec<[Line<'a>; 8]>,
}

/// A parameter as it is shown.
struct Line<'a> {
    name: &'a str,
    required: bool,
    description: Cow<'a, Text>,
    note: Option<Cow<'a, Text>>,
    usage: &'a str,
}

impl<'a> Words<'a> {
    /// `None` for a tool that has neither description nor parameters: it is there only so that others
    /// can depend on it.
    fn of(tool: &'a EnabledTool, scope: &dyn Scope) -> Result<Option<Self>, Error> {
        let spec = tool.spec();
        if spec.says_nothing() {
            return Ok(None);
        }
        let lines = match &spec.input {
            ToolInput::Params(params) => params
                .iter()
                .enumerate()
                .filter(|(position, _)| tool.shows(*position))
                .map(|(_, param)| Line::of_param(param, scope))
                .collect::<Result<_, _>>()?,
            ToolInput::Schema(schema) => schema_lines(&spec.id, schema),
            ToolInput::Freeform { grammar } => smallvec::smallvec![Line {
                name: FREEFORM_PARAM,
                required: true,
                description: Cow::Owned(Grammar::words(grammar.as_ref())),
                note: None,
                usage: "",
            }],
        };
        Ok(Some(Self { description: spec.described(scope)?, lines }))
    }
}

fn write_tool(out: &mut Text, name: &str, words: &Words<'_>) {
    let Words { description, lines } = words;
    out.push_trusted("## ");
    out.push_authored(name);
    out.push_trusted("\nDescription: ");
    // What a pack's author wrote may hold lists and headings; what came from elsewhere may not.
    out.append_listed(description, Listing::Verbatim);
    for note in lines.iter().filter_map(|line| line.note.as_ref()) {
        out.push_trusted("\n");
        out.append_listed(note, Listing::Verbatim);
    }
    out.push_trusted(if lines.is_empty() { "\nParameters: None" } else { "\nParameters:" });
    for line in lines {
        out.push_trusted("\n- ");
        out.push_authored(line.name);
        out.push_trusted(if line.required { ": (required) " } else { ": (optional) " });
        out.append_listed(&line.description, Listing::All);
    }
    out.push_trusted("\nUsage:\n");
    tag(out, "<", name);
    for line in lines {
        out.push_trusted("\n");
        tag(out, "<", line.name);
        out.push_authored(line.usage);
        tag(out, "</", line.name);
    }
    out.push_trusted("\n");
    tag(out, "</", name);
}

fn tag(out: &mut Text, open: &str, name: &str) {
    out.push_trusted(open);
    out.push_authored(name);
    out.push_trusted(">");
}

impl<'a> Line<'a> {
    fn of_param(param: &'a Param, scope: &dyn Scope) -> Result<Self, Error> {
        Ok(Self {
            name: &param.name,
            required: param.required,
            description: param.description.rendered(scope)?,
            note: param.note(scope)?,
            usage: &param.usage,
        })
    }
}

/// The top level of a JSON Schema, in the order in which it is written.
fn schema_lines<'a>(id: &str, schema: &'a Value) -> SmallVec<[Line<'a>; 8]> {
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
                description: Cow::Owned(Text::verbatim(words, format!("tool:{id}"))),
                note: None,
                usage: "",
            }
        })
        .collect()
}
