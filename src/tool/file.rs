//! Tool specs in TOML files. What a file says is authored text: its descriptions are templates.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::spec::Spot;
use super::{Param, ToolInput, ToolSpec, ToolText};
use crate::condition::Condition;
use crate::context::Schema1;
use crate::table;
use crate::template::{Partials, Template};
use crate::text::normalise;
use promptline_diagnostic::Id;
use promptline_diagnostic::TomlText;
use promptline_diagnostic::{Error, ErrorKind};
use promptline_tools::{Annotations, Grammar};

/// A tool that the model may call.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ToolFile {
    /// The version of the format.
    #[expect(dead_code, reason = "reading it is the check")]
    schema: Schema1,
    /// How files and conditions speak of it.
    id: String,
    /// How the model calls it; the id unless given.
    name: Option<String>,
    /// What it is for: `read`, `edit`, `write`, `shell`, …
    tool_role: Option<String>,
    /// What it does, for the model: a template.
    description: Option<String>,
    /// When it is offered; always unless given. May not ask for `tool`.
    #[serde(default, deserialize_with = "table::some")]
    when: Option<Condition>,
    /// What a host may know about it.
    #[serde(default, deserialize_with = "table::one")]
    annotations: Annotations,
    /// What it takes: parameters, or one text without JSON around it.
    #[serde(default)]
    input: InputKind,
    /// What the one text must look like; only with `input = "freeform"`.
    #[serde(default, deserialize_with = "table::some")]
    grammar: Option<Grammar>,
    /// Its parameters, in the order in which they are shown.
    #[serde(default, deserialize_with = "table::list")]
    params: Vec<ParamEntry>,
}

/// What a tool takes.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum InputKind {
    /// The parameters under `params`.
    #[default]
    Params,
    /// One text.
    Freeform,
}

/// A parameter of a tool.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ParamEntry {
    /// Its name, which is also its tag.
    name: String,
    /// A call is not complete without it.
    #[serde(default)]
    required: bool,
    /// What it is, for the model: a template.
    description: Option<String>,
    /// A line that the tool's description gets while the parameter is shown: a template.
    tool_note: Option<String>,
    /// A sample value; may not hold a closing tag of its own.
    #[serde(default)]
    usage: String,
    /// It holds free text or code.
    #[serde(default)]
    body: bool,
    /// When it is shown; always unless given.
    #[serde(default, deserialize_with = "table::some")]
    when: Option<Condition>,
    /// Its JSON type.
    #[serde(default = "string", rename = "type")]
    #[cfg_attr(feature = "schema", schemars(extend("enum" = TYPES)))]
    kind: String,
    /// The JSON Schema of the items of an array.
    items: Option<Value>,
    /// The JSON Schemas of the properties of an object.
    properties: Option<Value>,
}

/// What the type of a parameter can be.
const TYPES: [&str; 6] = ["string", "integer", "number", "boolean", "array", "object"];

fn string() -> String {
    "string".to_owned()
}

impl ToolSpec {
    /// A tool from the text of a tool file (the key table is in
    /// [`docs::formats`](crate::docs::formats)), outside of any pack: there are no partials.
    ///
    /// # Errors
    /// The first mistake, with its line and column in `file`, which only names the text.
    pub fn from_toml(file: &str, text: &str) -> Result<Self, Error> {
        let mut errors = Vec::new();
        let read = read_tool_file(file, &normalise(text), &Partials::default(), &mut errors);
        match (errors.into_iter().next(), read) {
            (None, Some(spec)) => Ok(spec),
            (Some(error), _) => Err(error),
            // Not reached: what is not read has a mistake.
            (None, None) => Err(Error::new(ErrorKind::Tool, "the tool cannot be read")),
        }
    }
}

/// Reads a tool file. `source` is normalised. Reading goes on after a mistake where it can.
pub(crate) fn read_tool_file(
    file: &str,
    source: &str,
    partials: &Partials,
    errors: &mut Vec<Error>,
) -> Option<ToolSpec> {
    let toml = TomlText::file(file, source);
    let read: ToolFile = toml.read(ErrorKind::Tool, errors)?;
    let mut wording = |words: Option<String>, path: &[&str]| -> Option<ToolText> {
        let words = words?;
        let placed = |error| toml.blame_inside(error, path, &words);
        let template = Template::collect(file, &words, partials, errors, placed);
        // Words with a mistake are not missing words: a placeholder takes their place.
        Some(template.map_or_else(|| ToolText::from("…"), ToolText::Template))
    };
    let mut types = Vec::new();
    let mut params = Vec::with_capacity(read.params.len());
    for (position, entry) in read.params.into_iter().enumerate() {
        let position = position.to_string();
        let of_param = |key| ["params", position.as_str(), key];
        if !TYPES.contains(&entry.kind.as_str()) {
            let error = Error::new(
                ErrorKind::Tool,
                format!("the type `{}` of the parameter `{}` is not known", entry.kind, entry.name),
            )
            .with_code("bad-value")
            .with_help(format!("types are {}", promptline_diagnostic::words::listed(TYPES)));
            types.push(toml.blame(error, &of_param("type")));
        }
        let schema = [("items", entry.items), ("properties", entry.properties)]
            .into_iter()
            .filter_map(|(key, value)| value.map(|value| (key.to_owned(), value)))
            .collect::<Map<_, _>>();
        params.push(Param {
            name: entry.name,
            required: entry.required,
            description: wording(entry.description, &of_param("description")).unwrap_or_default(),
            tool_note: wording(entry.tool_note, &of_param("tool_note")),
            usage: entry.usage,
            body: entry.body,
            when: entry.when.into(),
            kind: entry.kind,
            schema,
        });
    }
    let description = wording(read.description, &["description"]).unwrap_or_default();
    let input = match (read.input, read.grammar) {
        (InputKind::Freeform, grammar) => {
            if !params.is_empty() {
                let help = "describe the text in `description`, and take `params` out";
                let error = illegal(&read.id, "a free text has no parameters", help);
                errors.push(toml.blame(error, &["params"]));
            }
            ToolInput::Freeform { grammar }
        }
        (InputKind::Params, grammar) => {
            if grammar.is_some() {
                let help = "write `input = \"freeform\"` above, or take `grammar` out";
                let error = illegal(&read.id, "only a free text can have a grammar", help);
                errors.push(toml.blame(error, &["grammar"]));
            }
            ToolInput::Params(params)
        }
    };
    let named = read.name.is_some();
    let id = Id::from(read.id);
    let spec = ToolSpec {
        name: read.name.map_or_else(|| id.clone(), Id::from),
        tool_role: read.tool_role,
        description,
        input,
        when: read.when.into(),
        annotations: read.annotations,
        origin: Some(file.into()),
        ..ToolSpec::new(id)
    };
    errors.append(&mut types);
    let Some((spot, error)) = spec.fault() else {
        return Some(spec);
    };
    errors.push(match spot {
        Spot::Name if named => toml.blame(error, &["name"]),
        Spot::Name => toml.blame(error, &["id"]),
        Spot::When => toml.blame(error, &["when"]),
        Spot::Param(position, key) => toml.blame(error, &["params", &position.to_string(), key]),
    });
    Some(spec)
}

/// A key that does not go with another one.
fn illegal(id: &str, what: &str, help: &str) -> Error {
    Error::new(ErrorKind::Tool, format!("tool `{}`: {what}", id.escape_debug()))
        .with_code("illegal-key")
        .with_help(help)
}
