//! Tool specs in TOML files. What a file says is authored text: its descriptions are templates.

use serde::Deserialize;
use serde_json::{Map, Value};
use toml::Spanned;

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
    description: Option<Spanned<String>>,
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
    description: Option<Spanned<String>>,
    tool_note: Option<Spanned<String>>,
    usage: Option<Spanned<String>>,
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
    let wording = |words: Spanned<String>| -> Result<Wording, Error> {
        let template = Template::parse_named(file, words.as_ref(), partials);
        // The template stands somewhere inside the TOML; where it is written without escapes, the
        // place in it can be shown, else the place of the string.
        template.map(Wording::Template).map_err(|error| {
            let string = words.span();
            let written = source.get(string.clone()).unwrap_or_default();
            match written.find(words.as_ref().as_str()) {
                Some(at) => error.shifted(file, source, string.start + at),
                None => error.at(file, source, string.start),
            }
        })
    };
    let wording = |words: Option<Spanned<String>>| words.map(wording).transpose();
    let mut params = Vec::with_capacity(read.params.len());
    let mut usages = Vec::with_capacity(read.params.len());
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
        usages.push(entry.usage.as_ref().map(Spanned::span).unwrap_or_default());
        params.push(Param {
            name: entry.name,
            required: entry.required,
            description: wording(entry.description)?.unwrap_or_default(),
            tool_note: wording(entry.tool_note)?,
            usage: entry.usage.map(Spanned::into_inner).unwrap_or_default(),
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
        description: wording(read.description)?.unwrap_or_default(),
        input: ToolInput::Params(params),
        when: read.when.into(),
        annotations: read.annotations,
    };
    if let Some((position, tag, error)) = spec.closed_by_usage() {
        let span = usages.get(position).cloned().unwrap_or_default();
        let written = source.get(span.clone()).unwrap_or_default();
        let at = span.start + written.find(&tag).unwrap_or(0);
        return Err(error.at(file, source, at));
    }
    spec.check().map_err(|error| error.in_file(file))?;
    Ok(spec)
}
