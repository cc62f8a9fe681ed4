//! Reads `## tool` sections of the `xml` text form back into specs, which render to the same bytes. It
//! never guesses: what looks like a heading of a tool and does not go on like one is reported, not read.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::json;

use super::names::check_name;
use super::{Param, ToolInput, ToolSpec};
use crate::text::{Text, normalise};
use promptline_diagnostic::Diagnostic;

/// Tools that were read from sections of a text, and what had to be said about the others.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ToolSections {
    /// The tools, in the order of the text.
    pub tools: Vec<ToolSpec>,
    /// What was left out, and why.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads every tool section of a text, a finished prompt say; everything else in it is passed over.
///
/// What a section says becomes **authored** text, since it is printed as it is: read only texts that
/// you would take for your own. A section says neither types nor conditions: every parameter is a
/// string that is always shown.
///
/// ```
/// use promptline::{PromptContext, tools::{read_tool_sections, tool_section}};
/// # fn main() -> Result<(), promptline::Error> {
/// let text = "## ping
/// Description: Ask a host whether it is there.
/// Parameters:
/// - host: (required) Its name or address.
/// Usage:
/// <ping>
/// <host>example.org</host>
/// </ping>";
/// let list = read_tool_sections(text);
/// assert_eq!(list.tools[0].name, "ping");
/// let again = tool_section(&list.tools, &PromptContext::default())?;
/// assert_eq!(again.text.to_string(), text);
/// # Ok(())
/// # }
/// ```
#[must_use]
pub fn read_tool_sections(text: &str) -> ToolSections {
    let text = normalise(text);
    let mut read = ToolSections::default();
    let mut lines = BTreeMap::new();
    for Heading { name, line, text } in headings(&text) {
        let mut report = |code: &str, message: String| {
            read.diagnostics.push(Diagnostic::warning(code, message).about(name));
        };
        let left_out = |why: &str| format!("`line {line}`: the tool `{name}` is left out: {why}");
        match section(name, text) {
            Ok((spec, usage)) => {
                if let Err(why) = usage {
                    let message =
                        format!("line {line}: the sample call of `{name}` is not kept: {why}");
                    report("tool-usage", message);
                }
                if let Some(first) = lines.get(name) {
                    let why = format!("there is one of this name already, at `line {first}`");
                    report("tool-left-out", left_out(&why));
                } else {
                    lines.insert(name, line);
                    read.tools.push(spec);
                }
            }
            Err(why) => report("tool-left-out", left_out(&why)),
        }
    }
    read
}

/// A heading of a tool, and the text up to the next one.
struct Heading<'t> {
    name: &'t str,
    line: usize,
    text: &'t str,
}

/// The headings of tools: a name, and a description in the next line.
fn headings(text: &str) -> Vec<Heading<'_>> {
    let mut found: Vec<(&str, usize, usize, usize)> = Vec::new();
    let mut at = 0;
    for (number, line) in text.split('\n').enumerate() {
        let start = at;
        at += line.len() + 1;
        let name = line.strip_prefix("## ").filter(|name| check_name(name));
        let after = text.get(at..).unwrap_or_default();
        if let Some(name) = name.filter(|_| after.starts_with(DESCRIPTION)) {
            found.push((name, number + 1, start, at));
        }
    }
    let ends = found.iter().skip(1).map(|(_, _, start, _)| *start).chain([text.len()]);
    let ends: Vec<usize> = ends.collect();
    found
        .into_iter()
        .zip(ends)
        .map(|((name, line, _, from), to)| Heading {
            name,
            line,
            text: text.get(from..to).unwrap_or_default(),
        })
        .collect()
}

const DESCRIPTION: &str = "Description: ";
const PARAMETERS: &str = "Parameters:";
const NO_PARAMETERS: &str = "Parameters: None";
const USAGE: &str = "Usage:";

/// A spec, and why its sample call was not read.
type Section = (ToolSpec, Result<(), String>);

/// Reads a section from its description on.
fn section(name: &str, text: &str) -> Result<Section, String> {
    let text = text.strip_prefix(DESCRIPTION).unwrap_or(text);
    let ends = |line: &str| line == PARAMETERS || line == NO_PARAMETERS;
    let (description, head, rest) = until(text, ends)
        .ok_or_else(|| format!("there is no line `{PARAMETERS}` behind its description"))?;
    let (list, _, rest) = until(rest, |line| line == USAGE)
        .ok_or_else(|| format!("there is no line `{USAGE}` behind its parameters"))?;
    let mut params = match head {
        NO_PARAMETERS => Vec::new(),
        _ => parameters(list)?,
    };
    let read = usage(name, &mut params, rest);
    if read.is_err() {
        params.iter_mut().for_each(|param| param.usage.clear());
    }
    let mut spec = ToolSpec::new(name).with_description(Text::authored(description));
    // A tool that says nothing at all would be taken for one that is there for others to depend on.
    spec.input = match params.is_empty() && description.is_empty() {
        true => ToolInput::Schema(Arc::new(json!({"type": "object", "properties": {}}))),
        false => ToolInput::Params(params),
    };
    Ok((spec, read))
}

/// Parameters begin with `- name: (required) ` at the start of a line; other lines go on with the last
/// one.
fn parameters(list: &str) -> Result<Vec<Param>, String> {
    // The name, whether it is required, where its line begins and where its words do.
    let mut heads: Vec<(&str, bool, usize, usize)> = Vec::new();
    let mut names = BTreeSet::new();
    let mut at = 0;
    for line in list.split('\n') {
        if let Some((name, required, words)) = parameter(line) {
            if !names.insert(name) {
                return Err(format!("the parameter `{name}` is there twice"));
            }
            heads.push((name, required, at, at + line.len() - words.len()));
        }
        at += line.len() + 1;
    }
    if heads.first().is_none_or(|(_, _, start, _)| *start > 0) {
        return Err("its parameters do not begin with `- name: (required) `".to_owned());
    }
    let ends = heads.iter().skip(1).map(|(_, _, start, _)| start - 1).chain([list.len()]);
    let read = heads.iter().zip(ends).map(|((name, required, _, words), end)| {
        let words = Text::authored(list.get(*words..end).unwrap_or_default());
        if *required { Param::required(*name, words) } else { Param::optional(*name, words) }
    });
    Ok(read.collect())
}

/// Name, whether it is required, and the words of a parameter's first line.
fn parameter(line: &str) -> Option<(&str, bool, &str)> {
    let (name, rest) = line.strip_prefix("- ")?.split_once(": (")?;
    if !check_name(name) {
        return None;
    }
    let required = rest.strip_prefix("required) ").map(|words| (name, true, words));
    required.or_else(|| rest.strip_prefix("optional) ").map(|words| (name, false, words)))
}

/// Reads the sample call, which has a tag for each parameter, in order.
fn usage(name: &str, params: &mut [Param], text: &str) -> Result<(), String> {
    let mut rest =
        tag(text, "<", name).ok_or_else(|| format!("it does not open with `<{name}>`"))?;
    for param in params {
        let (own, closing) = (&param.name, format!("</{}>", param.name));
        let inside = rest.strip_prefix('\n').and_then(|rest| tag(rest, "<", own));
        let (sample, behind) = inside
            .and_then(|inside| inside.split_once(&closing))
            .ok_or_else(|| format!("`<{own}>…{closing}` is not where it belongs"))?;
        if sample.contains(&format!("</{name}>")) {
            return Err(format!("`{closing}` is missing"));
        }
        sample.clone_into(&mut param.usage);
        rest = behind;
    }
    let end = rest.strip_prefix('\n').and_then(|rest| tag(rest, "</", name));
    end.filter(|behind| behind.is_empty() || behind.starts_with('\n'))
        .map(|_| ())
        .ok_or_else(|| format!("it does not end with `</{name}>`"))
}

fn tag<'t>(text: &'t str, open: &str, name: &str) -> Option<&'t str> {
    text.strip_prefix(open)?.strip_prefix(name)?.strip_prefix('>')
}

/// The text before the first line like this, that line, and what follows it.
fn until(text: &str, like: impl Fn(&str) -> bool) -> Option<(&str, &str, &str)> {
    let mut rest = text;
    while !rest.is_empty() {
        let (line, after) = cut_line(rest);
        if like(line) {
            let before = text.get(..text.len() - rest.len()).unwrap_or_default();
            return Some((before.strip_suffix('\n').unwrap_or(before), line, after));
        }
        rest = after;
    }
    None
}

fn cut_line(text: &str) -> (&str, &str) {
    text.split_once('\n').unwrap_or((text, ""))
}
