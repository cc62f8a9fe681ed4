//! The shapes in which one tool is written, as data, and by what each is told.

use serde_json::{Map, Value};

use promptline_diagnostic::words::listed;

/// How a tool is written.
#[derive(Debug)]
pub(super) struct Form {
    /// The key in which everything else stands.
    pub(super) wrapper: Option<&'static str>,
    /// The keys that can hold the schema; the first that is there counts.
    pub(super) schema: &'static [&'static str],
    /// The keys that are read, or that say nothing a spec would not know.
    pub(super) known: &'static [&'static str],
    pub(super) kind: FormKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FormKind {
    /// Arguments in JSON; a tool without a schema takes nothing.
    Function,
    /// The same, but a tool must have a schema.
    WithSchema,
    /// The same, and the tool is one of an MCP server.
    Mcp,
    /// Arguments in JSON, with a schema in the words of Gemini.
    Gemini,
    /// One text.
    Freeform,
}

const CHAT: Form = Form {
    wrapper: Some("function"),
    schema: &["parameters"],
    known: &["name", "description", "parameters"],
    kind: FormKind::Function,
};
const RESPONSES: Form = Form {
    wrapper: None,
    schema: &["parameters"],
    known: &["type", "name", "description", "parameters"],
    kind: FormKind::Function,
};
const CUSTOM: Form = Form {
    wrapper: None,
    schema: &[],
    known: &["type", "name", "description", "format"],
    kind: FormKind::Freeform,
};
const CUSTOM_CHAT: Form = Form { wrapper: Some("custom"), ..CUSTOM };
const ANTHROPIC: Form = Form {
    wrapper: None,
    schema: &["input_schema"],
    known: &["type", "name", "description", "input_schema"],
    kind: FormKind::WithSchema,
};
const MCP: Form = Form {
    wrapper: None,
    schema: &["inputSchema"],
    known: &["name", "description", "inputSchema"],
    kind: FormKind::Mcp,
};
const GEMINI: Form = Form {
    wrapper: None,
    schema: &["parametersJsonSchema", "parameters_json_schema", "parameters"],
    known: &["name", "description", "parametersJsonSchema", "parameters_json_schema", "parameters"],
    kind: FormKind::Gemini,
};
const BEDROCK: Form = Form {
    wrapper: Some("toolSpec"),
    schema: &["inputSchema"],
    known: &["name", "description", "inputSchema"],
    kind: FormKind::WithSchema,
};

/// Which form a tool has, or why it is none. `gemini`: it stands in a list of function declarations.
pub(super) fn form_of(tool: &Map<String, Value>, gemini: bool) -> Result<&'static Form, String> {
    let has = |key| tool.contains_key(key);
    let kind = tool.get("type").and_then(Value::as_str);
    Ok(match kind {
        _ if has("function") => &CHAT,
        _ if has("toolSpec") => &BEDROCK,
        Some("custom") if has("custom") => &CUSTOM_CHAT,
        _ if has("input_schema") => &ANTHROPIC,
        _ if has("inputSchema") => &MCP,
        Some("custom") => &CUSTOM,
        Some("function") => &RESPONSES,
        _ if gemini || GEMINI.schema.iter().any(|key| has(key)) => &GEMINI,
        Some(kind) => {
            let kind = super::notes::shown(kind);
            return Err(format!(
                "`{kind}` is no function, but a tool that a provider brings itself"
            ));
        }
        None if has("name") => &MCP,
        None => {
            let keys: Vec<String> = tool.keys().map(|key| super::notes::shown(key)).collect();
            let keys = listed(keys.iter().map(String::as_str));
            return Err(format!("no tool can be seen in it; its keys are {keys}"));
        }
    })
}
