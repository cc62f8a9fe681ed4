//! The `xml` text form of a tool list: a heading, a description, parameters, and a sample call in
//! tags. The bytes are those that Cline writes for the same spec, but for lines that would forge the
//! structure, which are indented.

use std::borrow::Cow;

use serde_json::Value;
use smallvec::SmallVec;

use super::words::grammar_words;
use super::{EnabledTool, EnabledTools, Param, ToolInput, ToolText};
use crate::template::scope::Scope;
use crate::text::{Listing, Parts, Text};
use promptline_diagnostic::Error;
use promptline_tools::FREEFORM_PARAM;

/// All tools, one after the other. A tool whose words cannot be rendered is left out; `heard` is called
/// for each, with its text or the error.
pub(super) fn render(
    tools: &EnabledTools,
    scope: &dyn Scope,
    mut heard: impl FnMut(&EnabledTool, Result<Parts<'_>, Error>),
) -> Text {
    let mut all = Text::new();
    all.reserve(tools.len() * ROOM);
    let mut apart = "";
    // A tool that has neither description nor parameters is there only so that others can depend on it.
    for tool in tools.iter().filter(|tool| !tool.spec().says_nothing()) {
        let end = all.end();
        all.push_trusted(apart);
        match write_tool(&mut all, tool, scope) {
            Ok(()) => {
                heard(tool, Ok(all.since(end)));
                apart = "\n\n";
            }
            Err(error) => {
                all.cut_at(end);
                heard(tool, Err(error));
            }
        }
    }
    all
}

/// About as many bytes as a tool takes: room for the list is made before it is written.
const ROOM: usize = 512;

/// A parameter as it is shown; its words are rendered where they are written.
struct Line<'a> {
    name: &'a str,
    required: bool,
    description: Cow<'a, ToolText>,
    /// Whose note it is, where there can be one.
    param: Option<&'a Param>,
    usage: &'a str,
}

type Lines<'a> = SmallVec<[Line<'a>; 8]>;

fn lines(tool: &EnabledTool) -> Lines<'_> {
    let spec = tool.spec();
    match &spec.input {
        ToolInput::Params(params) => {
            let shown = params.iter().enumerate().filter(|(position, _)| tool.shows(*position));
            shown.map(|(_, param)| Line::from(param)).collect()
        }
        ToolInput::Schema(schema) => schema_lines(&spec.id, schema),
        ToolInput::Freeform { grammar } => smallvec::smallvec![Line {
            name: FREEFORM_PARAM,
            required: true,
            description: Cow::Owned(grammar_words(grammar.as_ref()).into()),
            param: None,
            usage: "",
        }],
    }
}

/// After an error the text ends somewhere in the tool.
fn write_tool(out: &mut Text, tool: &EnabledTool, scope: &dyn Scope) -> Result<(), Error> {
    let (name, lines) = (tool.name(), lines(tool));
    let names = Names::of(tool);
    out.push_trusted("## ");
    names.push(out, name);
    out.push_trusted("\nDescription: ");
    let description = tool.spec().described(scope)?;
    // What a pack's author wrote may hold lists and headings; what came from elsewhere may not.
    out.append_listed(&description, Listing::Verbatim);
    for param in lines.iter().filter_map(|line| line.param) {
        if let Some(note) = param.note(scope)? {
            out.push_trusted("\n");
            out.append_listed(&note, Listing::Verbatim);
        }
    }
    out.push_trusted(if lines.is_empty() { "\nParameters: None" } else { "\nParameters:" });
    for line in &lines {
        out.push_trusted("\n- ");
        names.push(out, line.name);
        out.push_trusted(if line.required { ": (required) " } else { ": (optional) " });
        let description = line.description.rendered(scope)?;
        out.append_listed(&description, Listing::All);
    }
    out.push_trusted("\nUsage:\n");
    names.tag(out, "<", name);
    for line in &lines {
        out.push_trusted("\n");
        names.tag(out, "<", line.name);
        out.push_authored(line.usage);
        names.tag(out, "</", line.name);
    }
    out.push_trusted("\n");
    names.tag(out, "</", name);
    Ok(())
}

/// Whose names a tool and its parameters have: those of a server's tool are its own words.
struct Names(Option<String>);

impl Names {
    fn of(tool: &EnabledTool) -> Self {
        Self(tool.spec().server.as_ref().map(|server| format!("mcp:{server}")))
    }

    fn push(&self, out: &mut Text, name: &str) {
        match &self.0 {
            Some(source) => out.push_label(name, source.as_str()),
            None => out.push_authored(name),
        }
    }

    fn tag(&self, out: &mut Text, open: &str, name: &str) {
        out.push_trusted(open);
        self.push(out, name);
        out.push_trusted(">");
    }
}

impl<'a> From<&'a Param> for Line<'a> {
    fn from(param: &'a Param) -> Self {
        Self {
            name: &param.name,
            required: param.required,
            description: Cow::Borrowed(&param.description),
            param: Some(param),
            usage: &param.usage,
        }
    }
}

/// The top level of a JSON Schema, in the order in which it is written.
fn schema_lines<'a>(id: &str, schema: &'a Value) -> Lines<'a> {
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
                description: Cow::Owned(Text::verbatim(words, format!("tool:{id}")).into()),
                param: None,
                usage: "",
            }
        })
        .collect()
}
