//! A spec as parameters of a request, for providers that hold a model to a schema themselves. What a provider
//! does not take is changed as for the schemas of tools, and listed, never dropped in silence.

use promptline::{
    Diagnostic, Dialect, PromptContext, ToolSpec,
    tools::{NativeOptions, UnsupportedKeyword, native_tools},
};
use serde_json::{Value, json};

use crate::spec::OutputSpec;

/// Parameters for a request, and what they do not say.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct NativeFormat {
    /// What the request is given: the value of one field, or several fields.
    pub parameters: Value,
    /// What the provider does not hold the model to, by places in the schema.
    pub unsupported: Vec<UnsupportedKeyword>,
    /// What else the provider may make of it: a schema that it would refuse, say.
    pub diagnostics: Vec<Diagnostic>,
}

impl OutputSpec {
    /// The value of the field `response_format` of OpenAI Chat Completions. With `strict` the provider holds the model to
    /// the schema, which is changed to what it can be held to (OpenAI, "Structured model outputs"): objects
    /// are closed, and every field is required, and may be null where it was optional; such a null is read
    /// as a field that was left out. A schema that cannot be changed so is sent as it is, not strict, which
    /// is listed as a loss of `strict`.
    #[must_use]
    pub fn openai_response_format(&self, strict: bool) -> NativeFormat {
        let sent = if strict { self.sent(Dialect::OpenAi, true) } else { self.as_it_is() };
        let parameters = json!({
            "type": "json_schema",
            "json_schema": {"name": self.native_name(), "strict": sent.strict, "schema": sent.schema},
        });
        sent.format(parameters)
    }

    /// The fields `tools` and `tool_choice` of Anthropic Messages: the answer is the input of the one tool.
    /// A schema that is no object cannot be one, and is a loss.
    #[must_use]
    pub fn anthropic_tool(&self) -> NativeFormat {
        let name = self.native_name();
        let sent = self.sent(Dialect::Anthropic, false);
        let parameters = json!({
            "tools": [{
                "name": name,
                "description": "Gives the answer. Call it once.",
                "input_schema": sent.schema,
            }],
            "tool_choice": {"type": "tool", "name": name},
        });
        sent.format(parameters)
    }

    /// The fields of Gemini's `generationConfig` that hold the answer to the schema.
    #[must_use]
    pub fn gemini_generation_config(&self) -> NativeFormat {
        let sent = self.sent(Dialect::Gemini, false);
        let parameters = json!({
            "responseMimeType": "application/json",
            "responseJsonSchema": sent.schema,
        });
        sent.format(parameters)
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

    fn as_it_is(&self) -> Sent {
        Sent {
            schema: self.native_schema(),
            strict: false,
            unsupported: Vec::new(),
            diagnostics: Vec::new(),
        }
    }

    /// The schema as the provider takes it for a tool, which is what it takes for an answer.
    fn sent(&self, dialect: Dialect, strict: bool) -> Sent {
        let mut options = NativeOptions::new(dialect);
        options.strict = strict;
        let tool = ToolSpec::new("answer").with_description("-").with_schema(self.native_schema());
        let cx = PromptContext::default();
        let Ok(tools) = native_tools(&[tool], &cx, &options) else { return self.as_it_is() };
        let list = tools.to_value();
        let (schema, strict) = match dialect {
            Dialect::OpenAi => ("/0/function/parameters", list.pointer("/0/function/strict")),
            Dialect::Anthropic => ("/0/input_schema", None),
            _ => ("/0/parametersJsonSchema", None),
        };
        // A schema that no tool could have is sent as it is; the diagnostics say why.
        let schema = list.pointer(schema).cloned().unwrap_or_else(|| self.native_schema());
        let strict = strict == Some(&Value::Bool(true));
        let (unsupported, diagnostics) =
            (tools.unsupported().to_vec(), tools.diagnostics().to_vec());
        Sent { schema, strict, unsupported, diagnostics }
    }
}

struct Sent {
    schema: Value,
    strict: bool,
    unsupported: Vec<UnsupportedKeyword>,
    diagnostics: Vec<Diagnostic>,
}

impl Sent {
    fn format(self, parameters: Value) -> NativeFormat {
        NativeFormat { parameters, unsupported: self.unsupported, diagnostics: self.diagnostics }
    }
}

/// As deep as the schema, whose depth is bounded.
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
