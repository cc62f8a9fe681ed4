//! Tool specs in TOML files. What a file says is authored text: its descriptions are templates.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{Annotations, Param, ToolInput, ToolSpec, Wording};
use crate::condition::Condition;
use crate::context::Schema1;
use crate::error::{Error, ErrorKind};
use crate::format::from_toml;
use crate::template::{Partials, Template};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ToolFile {
    #[expect(dead_code, reason = "reading it is the check")]
    schema: Schema1,
    id: String,
    name: Option<String>,
    tool_role: Option<String>,
    #[serde(default)]
    description: String,
    when: Option<Condition>,
    #[serde(default)]
    annotations: Annotations,
    #[serde(default)]
    params: Vec<ParamEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ParamEntry {
    name: String,
    #[serde(default)]
    required: bool,
    #[serde(default)]
    description: String,
    tool_note: Option<String>,
    #[serde(default)]
    usage: String,
    #[serde(default)]
    body: bool,
    when: Option<Condition>,
    #[serde(default = "string", rename = "type")]
    kind: String,
    items: Option<Value>,
    properties: Option<Value>,
}

fn string() -> String {
    "string".to_owned()
}

/// Reads a tool file. `source` is normalised.
pub(crate) fn read_tool_file(
    file: &str,
    source: &str,
    partials: &Partials,
) -> Result<ToolSpec, Error> {
    let read: ToolFile = from_toml(ErrorKind::Tool, file, source, source, 0)?;
    let wording = |what: String| -> Result<Wording, Error> {
        Template::parse_named(file, &what, partials)
            .map(Wording::Template)
            // The template stands somewhere inside the TOML; its own line would mislead.
            .map_err(|error| match source.find(what.trim()) {
                Some(start) if !what.trim().is_empty() => error.shifted(file, source, start),
                _ => error.in_file(file),
            })
    };
    let mut params = Vec::with_capacity(read.params.len());
    for entry in read.params {
        const TYPES: [&str; 6] = ["string", "integer", "number", "boolean", "array", "object"];
        if !TYPES.contains(&entry.kind.as_str()) {
            let error = Error::new(
                ErrorKind::Tool,
                format!("the type `{}` of the parameter `{}` is not known", entry.kind, entry.name),
            )
            .with_help(format!("types are {}", crate::format::listed(TYPES)));
            return Err(error.at(file, source, source.find(&entry.kind).unwrap_or(0)));
        }
        let schema = [("items", entry.items), ("properties", entry.properties)]
            .into_iter()
            .filter_map(|(key, value)| value.map(|value| (key.to_owned(), value)))
            .collect::<Map<_, _>>();
        params.push(Param {
            name: entry.name,
            required: entry.required,
            description: wording(entry.description)?,
            tool_note: entry.tool_note.map(&wording).transpose()?,
            usage: entry.usage,
            body: entry.body,
            when: entry.when.into(),
            kind: entry.kind,
            schema,
        });
    }
    let spec = ToolSpec {
        name: read.name.unwrap_or_else(|| read.id.clone()),
        id: read.id,
        tool_role: read.tool_role,
        description: wording(read.description)?,
        input: ToolInput::Params(params),
        when: read.when.into(),
        annotations: read.annotations,
    };
    spec.check().map_err(|error| error.in_file(file))?;
    Ok(spec)
}
