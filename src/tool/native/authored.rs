//! The JSON Schema of authored parameters, and of the one text of a free-form tool. What is shown is what
//! the text form shows.

use serde_json::{Map, Value, json};

use crate::template::scope::Scope;
use crate::tool::{EnabledTool, FREEFORM_PARAM, Grammar, Param};
use promptline_diagnostic::Error;

/// The schema of the parameters that are shown.
pub(super) fn schema_of_params(
    tool: &EnabledTool,
    params: &[Param],
    scope: &dyn Scope,
    closed: bool,
) -> Result<Value, Error> {
    let mut properties = Map::new();
    let mut required = Vec::new();
    let shown = params.iter().enumerate().filter(|(position, _)| tool.shows(*position));
    for (_, param) in shown {
        let mut schema = Map::new();
        schema.insert("type".to_owned(), param.kind.as_str().into());
        let description = param.description.rendered(scope)?.to_string();
        schema.insert("description".to_owned(), description.into());
        schema.extend(param.schema.iter().map(|(keyword, value)| (keyword.clone(), value.clone())));
        properties.insert(param.name.clone(), Value::Object(schema));
        if param.required {
            required.push(Value::from(param.name.as_str()));
        }
    }
    Ok(object(properties, required, closed))
}

/// The schema that stands for a free text.
pub(super) fn schema_of_text(grammar: Option<&Grammar>, closed: bool) -> Value {
    let text = json!({"type": "string", "description": Grammar::words(grammar).to_string()});
    let properties = Map::from_iter([(FREEFORM_PARAM.to_owned(), text)]);
    object(properties, vec![FREEFORM_PARAM.into()], closed)
}

fn object(properties: Map<String, Value>, required: Vec<Value>, closed: bool) -> Value {
    let mut schema = Map::new();
    schema.insert("type".to_owned(), "object".into());
    schema.insert("properties".to_owned(), Value::Object(properties));
    schema.insert("required".to_owned(), Value::Array(required));
    if closed {
        schema.insert("additionalProperties".to_owned(), false.into());
    }
    Value::Object(schema)
}
