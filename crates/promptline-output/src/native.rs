//! A spec as parameters of a request, for providers that hold a model to a schema themselves. The schema is
//! sent as it is: what a provider does not take, it says.

use serde_json::{Value, json};

use crate::spec::OutputSpec;

impl OutputSpec {
    /// The field `response_format` of OpenAI Chat Completions. `strict` asks the provider to hold the model
    /// to the schema, which it does only for schemas in its subset (every field required, no others).
    #[must_use]
    pub fn openai_response_format(&self, strict: bool) -> Value {
        json!({
            "type": "json_schema",
            "json_schema": {"name": self.native_name(), "strict": strict, "schema": self.native_schema()},
        })
    }

    /// The fields `tools` and `tool_choice` of Anthropic Messages: the answer is the input of the one tool.
    #[must_use]
    pub fn anthropic_tool(&self) -> Value {
        let name = self.native_name();
        json!({
            "tools": [{
                "name": name,
                "description": "Gives the answer. Call it once.",
                "input_schema": self.native_schema(),
            }],
            "tool_choice": {"type": "tool", "name": name},
        })
    }

    /// The fields of Gemini's `generationConfig` that hold the answer to the schema.
    #[must_use]
    pub fn gemini_generation_config(&self) -> Value {
        json!({
            "responseMimeType": "application/json",
            "responseJsonSchema": self.native_schema(),
        })
    }

    /// The name as providers take it.
    pub(crate) fn native_name(&self) -> String {
        let legal =
            |c: char| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') { c } else { '_' };
        let name: String = self.name.chars().take(64).map(legal).collect();
        if name.is_empty() { "answer".to_owned() } else { name }
    }

    /// The schema without our own keywords.
    pub(crate) fn native_schema(&self) -> Value {
        match self.schema() {
            Value::Bool(_) => json!({"type": "object"}),
            schema => without_own(schema),
        }
    }
}

/// As deep as the schema, which the reader of its JSON has bounded.
fn without_own(schema: &Value) -> Value {
    match schema {
        Value::Object(map) => Value::Object(
            map.iter()
                .filter(|(key, value)| !is_own(key, value))
                .map(|(key, value)| (key.clone(), without_own(value)))
                .collect(),
        ),
        Value::Array(list) => Value::Array(list.iter().map(without_own).collect()),
        other => other.clone(),
    }
}

fn is_own(key: &str, value: &Value) -> bool {
    match key {
        "x-alias" => value.is_string() || value.is_array(),
        "x-enum-alias" => value.is_object(),
        _ => false,
    }
}
