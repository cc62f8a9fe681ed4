//! Between the specs of a prompt, which have templates and conditions, and neutral tools, which are what
//! they come to for one request.

use std::sync::Arc;

use promptline_diagnostic::{Diagnostic, Error};
use promptline_tools::{Arguments, Tool};
use serde_json::{Map, Value};

use super::{EnabledTool, Param, ToolInput, ToolSpec, ToolText};
use crate::template::scope::Scope;
use crate::text::Text;

/// A tool as it is offered in this request, and what is to be reported of its words.
pub(super) fn neutral(
    tool: &EnabledTool,
    scope: &dyn Scope,
) -> Result<(Tool, Vec<Diagnostic>), Error> {
    let spec = tool.spec();
    let words = spec.description.rendered(scope)?;
    let invisible = invisible(spec, &words);
    let mut description = words.to_string();
    let shown = |(position, _): &(usize, &Param)| tool.shows(*position);
    let arguments = match &spec.input {
        ToolInput::Params(params) => {
            for (_, param) in params.iter().enumerate().filter(shown) {
                if let Some(note) = param.note(scope)? {
                    description.push('\n');
                    description.push_str(&note.to_string());
                }
            }
            let shown = params.iter().enumerate().filter(shown).map(|(_, param)| param);
            let words = |param: &Param| Ok(param.description.rendered(scope)?.to_string());
            Arguments::Json(Arc::new(schema_of(shown, words)?))
        }
        input => arguments(input),
    };
    Ok((made(spec, description, arguments), invisible))
}

/// What the text holds that people cannot see.
fn invisible(spec: &ToolSpec, words: &Text) -> Vec<Diagnostic> {
    let found = words.clone().check_invisible(false);
    let report = |(source, found)| {
        let message = format!("text from {source} holds characters that cannot be seen: {found}");
        Diagnostic::warning("invisible", message).about(&spec.id)
    };
    found.into_iter().map(report).collect()
}

fn made(spec: &ToolSpec, description: String, arguments: Arguments) -> Tool {
    let mut tool = Tool::new(&*spec.id).with_name(&*spec.name).with_description(description);
    tool.arguments = arguments;
    tool.annotations = spec.annotations.clone();
    tool.server.clone_from(&spec.server);
    tool.raw_name.clone_from(&spec.raw_name);
    tool.title.clone_from(&spec.title);
    tool.output_schema.clone_from(&spec.output_schema);
    tool.meta.clone_from(&spec.meta);
    if let ToolInput::Params(params) = &spec.input {
        tool.closed = true;
        let bodies = params.iter().filter(|param| param.body);
        tool.body_params = bodies.map(|param| param.name.clone()).collect();
    }
    tool
}

/// The arguments of a tool that has no parameters of its own.
fn arguments(input: &ToolInput) -> Arguments {
    match input {
        ToolInput::Schema(schema) => Arguments::Json(Arc::clone(schema)),
        ToolInput::Freeform { grammar } => Arguments::Text(grammar.clone()),
        ToolInput::Params(_) => Arguments::Json(Arc::new(Value::Object(Map::new()))),
    }
}

/// The JSON Schema of parameters.
fn schema_of<'p>(
    params: impl Iterator<Item = &'p Param>,
    words: impl Fn(&Param) -> Result<String, Error>,
) -> Result<Value, Error> {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for param in params {
        let mut schema = Map::new();
        schema.insert("type".to_owned(), param.kind.as_str().into());
        schema.insert("description".to_owned(), words(param)?.into());
        schema.extend(param.schema.iter().map(|(keyword, value)| (keyword.clone(), value.clone())));
        properties.insert(param.name.clone(), Value::Object(schema));
        if param.required {
            required.push(Value::from(param.name.as_str()));
        }
    }
    let mut schema = Map::new();
    schema.insert("type".to_owned(), "object".into());
    schema.insert("properties".to_owned(), Value::Object(properties));
    schema.insert("required".to_owned(), Value::Array(required));
    Ok(Value::Object(schema))
}

impl From<&ToolSpec> for Tool {
    /// The tool with all its parameters, for a parser of its calls, say. No condition is evaluated and no
    /// template is rendered: a description that is a template comes as it is written. A tool for a request is
    /// made by [`native_tools`](crate::tools::native_tools).
    fn from(spec: &ToolSpec) -> Self {
        let input = match &spec.input {
            ToolInput::Params(params) => {
                let words = |param: &Param| Ok(param.description.source());
                // Taking words as they are written cannot fail.
                let schema = schema_of(params.iter(), words).unwrap_or_default();
                Arguments::Json(Arc::new(schema))
            }
            input => arguments(input),
        };
        made(spec, spec.description.source(), input)
    }
}

impl From<&EnabledTool> for Tool {
    /// As from its spec.
    fn from(tool: &EnabledTool) -> Self {
        Self::from(tool.spec())
    }
}

impl From<Tool> for ToolSpec {
    /// What the tool says is verbatim text.
    fn from(tool: Tool) -> Self {
        let source = match &tool.server {
            Some(server) => format!("mcp:{server}"),
            None => format!("tool:{}", tool.name),
        };
        Self {
            name: tool.name.into(),
            description: Text::verbatim(tool.description, source).into(),
            input: match tool.arguments {
                Arguments::Text(grammar) => ToolInput::Freeform { grammar },
                Arguments::Json(schema) => ToolInput::Schema(schema),
                _ => ToolInput::Params(Vec::new()),
            },
            annotations: tool.annotations,
            server: tool.server,
            raw_name: tool.raw_name,
            title: tool.title,
            output_schema: tool.output_schema,
            meta: tool.meta,
            ..Self::new(tool.id)
        }
    }
}

impl ToolText {
    /// The text, or the template as it is written.
    fn source(&self) -> String {
        match self {
            Self::Text(text) => text.to_string(),
            Self::Template(template) => match template.fixed() {
                Some(text) => text.to_string(),
                None => template.source().to_owned(),
            },
        }
    }
}
