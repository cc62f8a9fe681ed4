//! The `hermes` text form of a tool list: a `<tools>` block with the JSON of one function a line, as
//! models in the line of Hermes and Qwen are trained to read it. No word of a tool can close the block
//! or break a line.

use serde_json::Value;

use super::words::grammar_words;
use super::{EnabledTool, EnabledTools, Param, ToolInput};
use crate::context::{DEEPEST, is_deeper};
use crate::template::scope::Scope;
use crate::text::{Part, Parts, Splice, Text};
use promptline_diagnostic::{Error, ErrorKind};
use promptline_tools::{FREEFORM_PARAM, Grammar};

/// The block, or nothing where there are no tools. A tool whose words cannot be rendered is left out;
/// `heard` is called for each, with its text or the error.
pub(super) fn render(
    tools: &EnabledTools,
    scope: &dyn Scope,
    mut heard: impl FnMut(&EnabledTool, Result<Parts<'_>, Error>),
) -> Text {
    let mut lines = Text::new();
    for tool in tools {
        match line(tool, scope) {
            Ok(Some(line)) => {
                lines.push_trusted("\n");
                lines.append(&line);
                heard(tool, Ok(line.parts()));
            }
            Ok(None) => {}
            Err(error) => heard(tool, Err(error)),
        }
    }
    if lines.is_empty() {
        return lines;
    }
    let mut block = Text::new();
    block.push_trusted("<tools>");
    block.append(&lines);
    block.push_trusted("\n</tools>");
    block
}

/// `None` for a tool that is there only so that others can depend on it.
fn line(tool: &EnabledTool, scope: &dyn Scope) -> Result<Option<Text>, Error> {
    let spec = tool.spec();
    if spec.says_nothing() {
        return Ok(None);
    }
    let mut out = Text::new();
    out.push_trusted(r#"{"type":"function","function":{"name":"#);
    string(&mut out, tool.name());
    out.push_trusted(r#","description":""#);
    words(&mut out, spec.described(scope)?.as_ref());
    if let ToolInput::Params(params) = &spec.input {
        for param in shown(tool, params) {
            if let Some(note) = param.note(scope)? {
                out.push_trusted(r"\n");
                words(&mut out, &note);
            }
        }
    }
    out.push_trusted(r#"","parameters":"#);
    match &spec.input {
        ToolInput::Params(params) => parameters(&mut out, shown(tool, params), scope)?,
        ToolInput::Schema(schema) => {
            if is_deeper(schema, DEEPEST) {
                return Err(Error::new(
                    ErrorKind::Tool,
                    format!("its JSON Schema is nested more than {DEEPEST} deep"),
                ));
            }
            out.push_verbatim(without_tags(&schema.to_string()), format!("tool:{}", spec.id));
        }
        ToolInput::Freeform { grammar } => free_text(&mut out, grammar.as_ref()),
    }
    out.push_trusted("}}");
    Ok(Some(out))
}

fn shown<'t>(tool: &'t EnabledTool, params: &'t [Param]) -> impl Iterator<Item = &'t Param> {
    let positions = params.iter().enumerate();
    positions.filter(|(position, _)| tool.shows(*position)).map(|(_, param)| param)
}

/// The JSON Schema of authored parameters.
fn parameters<'t>(
    out: &mut Text,
    params: impl Iterator<Item = &'t Param>,
    scope: &dyn Scope,
) -> Result<(), Error> {
    out.push_trusted(r#"{"type":"object","properties":{"#);
    let mut required = Vec::new();
    for (position, param) in params.enumerate() {
        if position > 0 {
            out.push_trusted(",");
        }
        string(out, &param.name);
        out.push_trusted(":{");
        // What the author wrote of the schema is stronger, as in the native lists.
        let own = |key| param.schema.contains_key(key);
        let mut between = "";
        if !own("type") {
            out.push_trusted(r#""type":"#);
            string(out, &param.kind);
            between = ",";
        }
        if !own("description") {
            out.push_trusted(between);
            out.push_trusted(r#""description":""#);
            words(out, param.description.rendered(scope)?.as_ref());
            out.push_trusted("\"");
            between = ",";
        }
        for (key, value) in &param.schema {
            out.push_trusted(between);
            string(out, key);
            out.push_trusted(":");
            out.push_authored(without_tags(&value.to_string()));
            between = ",";
        }
        out.push_trusted("}");
        if param.required {
            required.push(param.name.as_str());
        }
    }
    out.push_trusted(r#"},"required":"#);
    out.push_authored(without_tags(&Value::from(required).to_string()));
    out.push_trusted(r#","additionalProperties":false}"#);
    Ok(())
}

/// The JSON Schema of the one parameter that takes a free text.
fn free_text(out: &mut Text, grammar: Option<&Grammar>) {
    out.push_trusted(r#"{"type":"object","properties":{"#);
    string(out, FREEFORM_PARAM);
    out.push_trusted(r#":{"type":"string","description":""#);
    words(out, &grammar_words(grammar));
    out.push_trusted(r#""}},"required":["#);
    string(out, FREEFORM_PARAM);
    out.push_trusted(r#"],"additionalProperties":false}"#);
}

/// A string of JSON with its quotes.
fn string(out: &mut Text, text: &str) {
    out.push_trusted("\"");
    out.push_authored(escaped(text));
    out.push_trusted("\"");
}

/// Words inside of a string of JSON. Every piece keeps its source, since how often a text changes
/// depends on it.
fn words(out: &mut Text, text: &Text) {
    for part in text.parts() {
        match part {
            Part::Authored(text) => out.push_authored(escaped(text)),
            Part::Splice(Splice::Verbatim(verbatim)) => {
                out.push_verbatim(escaped(verbatim.as_str()), verbatim.source().clone());
            }
            Part::Splice(Splice::Section(section)) => {
                out.push_authored(escaped(&section.text().to_string()));
            }
        }
    }
}

/// The inside of a string of JSON.
fn escaped(text: &str) -> String {
    let quoted = Value::from(text).to_string();
    let inside = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    without_tags(inside.unwrap_or_default())
}

/// JSON in which no tag of the dialect (`</tools>`, `<tool_call>`, …) can be read. In JSON a `<` occurs
/// only inside of strings, where it can be written as its code. A piece may end in the middle of a tag.
fn without_tags(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let mut pieces = json.split('<');
    out.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        let tag = piece.is_empty() || piece.starts_with(['/', 't', 'T']);
        out.push_str(if tag { r"\u003c" } else { "<" });
        out.push_str(piece);
    }
    out
}
