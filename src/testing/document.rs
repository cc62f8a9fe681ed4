//! What golden files keep of a prompt: its text, the names of its tools, its native tools; and which
//! section or tool a place in them belongs to.

use std::fmt::Write as _;
use std::ops::Range;

use serde_json::Value;

use super::Snapshot;
use crate::id::TEMPLATE_SECTION;
use crate::prompt::Prompt;
use promptline_tools::NativeTools;

/// What is kept of a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DocumentKind {
    /// The text.
    Prompt,
    /// The names by which the model may call tools.
    Names,
    /// Native tools as they are sent, and what the dialect could not say.
    Native,
}

impl DocumentKind {
    pub(super) const ALL: [Self; 3] = [Self::Prompt, Self::Names, Self::Native];

    /// How the names of its files end.
    pub(super) const fn ending(self) -> &'static str {
        match self {
            Self::Prompt => ".prompt",
            Self::Names => ".tools.txt",
            Self::Native => ".tools.json",
        }
    }

    /// None where the prompt has no such thing.
    pub(super) fn of(self, snapshot: &Snapshot) -> Option<Document> {
        match self {
            Self::Prompt => Some(prompt(&snapshot.prompt)),
            Self::Names => Some(names(&snapshot.prompt)),
            Self::Native => snapshot.prompt.tools().map(native),
        }
    }
}

/// A text, and what its parts are called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Document {
    pub(super) text: String,
    sections: Vec<(Range<usize>, String)>,
}

impl Document {
    /// A text without sections.
    pub(super) fn plain(text: String) -> Self {
        Self { text, sections: Vec::new() }
    }

    /// The first section that has something of these bytes.
    pub(super) fn section(&self, bytes: Range<usize>) -> Option<&str> {
        let meets = |range: &Range<usize>| range.start < bytes.end && bytes.start < range.end;
        self.sections.iter().find(|(range, _)| meets(range)).map(|(_, name)| name.as_str())
    }
}

fn prompt(prompt: &Prompt) -> Document {
    let sections = prompt.sections().iter().filter(|section| section.id != TEMPLATE_SECTION);
    Document {
        text: prompt.text().to_owned(),
        sections: sections.map(|one| (one.range.clone(), one.id.to_string())).collect(),
    }
}

/// A line for each: the name, and the id where it is not the name.
fn names(prompt: &Prompt) -> Document {
    let mut text = String::new();
    for (name, tool) in prompt.tool_names().iter() {
        let _ = if name == tool.id {
            writeln!(text, "{name}")
        } else {
            writeln!(text, "{name} ({})", tool.id)
        };
    }
    Document::plain(text)
}

/// JSON that is laid out for a review: see [`push_tool`].
fn native(tools: &NativeTools) -> Document {
    let mut text = String::from("{\n\"tools\": [");
    let mut sections = Vec::new();
    let list = tools.to_value();
    for (at, tool) in list.as_array().into_iter().flatten().enumerate() {
        text.push_str(if at == 0 { "\n" } else { ",\n" });
        let start = text.len();
        push_tool(&mut text, tool);
        sections.push((start..text.len(), name(tool).to_owned()));
    }
    text.push_str("\n],\n\"losses\": [");
    for (at, loss) in tools.unsupported().iter().enumerate() {
        text.push_str(if at == 0 { "\n" } else { ",\n" });
        push_json(&mut text, &serde_json::json!(loss), None);
    }
    text.push_str("\n]\n}\n");
    Document { text, sections }
}

/// A dialect may wrap a tool once.
fn name(tool: &Value) -> &str {
    let own = |value: &'_ Value| value.get("name").is_some_and(Value::is_string);
    let inner = || tool.as_object()?.values().find(|value| own(value));
    let tool = if own(tool) { Some(tool) } else { inner() };
    tool.and_then(|tool| tool.get("name")?.as_str()).unwrap_or_default()
}

/// A tool that is longer than this, in bytes, has a line for each parameter.
const LONG: usize = 480;

/// One line for a short tool; for a long one a line for each property, nested ones indented. So a tool
/// reads as a paragraph of a prompt does, and not as a screen of braces.
fn push_tool(text: &mut String, tool: &Value) {
    let start = text.len();
    push_json(text, tool, None);
    if text.len() - start > LONG {
        text.truncate(start);
        push_json(text, tool, Some(0));
    }
}

fn push_json(text: &mut String, value: &Value, indent: Option<usize>) {
    match value {
        Value::Object(object) => {
            text.push('{');
            for (at, (key, value)) in object.iter().enumerate() {
                text.push_str(if at == 0 { "" } else { ", " });
                let _ = write!(text, "{}: ", Value::from(key.as_str()));
                match (value, indent) {
                    (Value::Object(properties), Some(indent))
                        if key == "properties" && !properties.is_empty() =>
                    {
                        text.push('{');
                        let pad = "  ".repeat(indent + 1);
                        for (at, (name, schema)) in properties.iter().enumerate() {
                            text.push_str(if at == 0 { "\n" } else { ",\n" });
                            let _ = write!(text, "{pad}{}: ", Value::from(name.as_str()));
                            push_json(text, schema, Some(indent + 1));
                        }
                        let _ = write!(text, "\n{}}}", "  ".repeat(indent));
                    }
                    _ => push_json(text, value, indent),
                }
            }
            text.push('}');
        }
        Value::Array(items) => {
            text.push('[');
            for (at, item) in items.iter().enumerate() {
                text.push_str(if at == 0 { "" } else { ", " });
                push_json(text, item, indent);
            }
            text.push(']');
        }
        other => {
            let _ = write!(text, "{other}");
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{name, push_tool};

    #[test]
    fn a_long_tool_has_a_line_for_each_parameter_and_is_still_json() {
        let tool = json!({"function": {"name": "look", "parameters": {"properties": {
            "at": {"type": "string", "description": "x".repeat(500)},
            "how": {"properties": {"far": {"enum": [1, "two"]}}}
        }, "required": ["at"]}}});
        let mut text = String::new();
        push_tool(&mut text, &tool);
        assert_eq!(text.lines().count(), 6, "{text}");
        assert!(text.contains("\n    \"far\": {\"enum\": [1, \"two\"]}\n  }}\n}"), "{text}");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), tool);
        assert_eq!(name(&tool), "look");
    }
}
