//! What a tool is, whoever has it and whichever provider is asked.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::{Annotations, Grammar, McpTool};

/// A tool that a model may call: its name, its words, the shape of its arguments.
///
/// ```
/// use promptline_tools::Tool;
/// use serde_json::json;
///
/// let ping = Tool::new("ping")
///     .with_description("Ask a host whether it is there.")
///     .with_schema(json!({
///         "type": "object",
///         "properties": {"host": {"type": "string", "description": "Its name or address."}},
///         "required": ["host"],
///     }));
/// assert_eq!((ping.id.as_str(), ping.name.as_str()), ("ping", "ping"));
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Tool {
    /// How the host knows it; unique in a list.
    pub id: String,
    /// What the model is to call. A dialect changes it where its provider would refuse it.
    pub name: String,
    /// What it does, for the model.
    pub description: String,
    /// What it takes.
    pub arguments: Arguments,
    /// What a host may know about its effects.
    pub annotations: Annotations,
    /// The MCP server that it is a tool of.
    pub server: Option<String>,
    /// What it is called where it comes from, when that is not `name`: a call goes there by this name.
    pub raw_name: Option<String>,
    /// A name for people.
    pub title: Option<String>,
    /// The JSON Schema of what it returns, kept whole.
    pub output_schema: Option<Arc<Value>>,
    /// What a server keeps under `_meta`. Only the MCP dialect writes it.
    pub meta: Map<String, Value>,
    /// The schema names every argument that there is, so that a dialect may close it with
    /// `additionalProperties: false`. A schema that says something about further properties is not touched.
    pub closed: bool,
    /// Parameters that hold free text or code. A parser of calls in text does not trim them.
    pub body_params: Vec<String>,
}

/// What a tool takes.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Arguments {
    /// A JSON object with this JSON Schema, which is kept whole.
    Json(Arc<Value>),
    /// One text without any JSON around it, where the provider knows such tools; elsewhere it is the
    /// parameter [`FREEFORM_PARAM`](crate::FREEFORM_PARAM). With what the text must look like.
    Text(Option<Grammar>),
}

impl Tool {
    /// A tool with this id and name, that takes nothing.
    #[must_use]
    pub fn new(id: impl Into<String>) -> Self {
        let id = id.into();
        let nothing = serde_json::json!({"type": "object", "properties": {}});
        Self {
            name: id.clone(),
            id,
            description: String::new(),
            arguments: Arguments::Json(Arc::new(nothing)),
            annotations: Annotations::default(),
            server: None,
            raw_name: None,
            title: None,
            output_schema: None,
            meta: Map::new(),
            closed: false,
            body_params: Vec::new(),
        }
    }

    /// A tool of an MCP server. Its id is `server/tool`, the name that the model is to call `server__tool`,
    /// so that two servers can have tools of one name.
    ///
    /// ```
    /// use promptline_tools::{McpTool, Tool};
    /// let search = McpTool::new("search", "Find tickets.", serde_json::json!({"type": "object"}));
    /// let tool = Tool::mcp("tickets", &search);
    /// assert_eq!((tool.id.as_str(), tool.name.as_str()), ("tickets/search", "tickets__search"));
    /// assert_eq!(tool.raw_name(), "search");
    /// ```
    #[must_use]
    pub fn mcp(server: impl Into<String>, tool: &McpTool) -> Self {
        let server = server.into();
        Self {
            id: format!("{server}/{}", tool.name),
            name: format!("{server}__{}", tool.name),
            server: Some(server),
            raw_name: Some(tool.name.clone()),
            ..Self::listed(tool)
        }
    }

    /// A tool that is written as MCP servers do, of nobody in particular.
    pub(crate) fn listed(tool: &McpTool) -> Self {
        Self {
            id: tool.name.clone(),
            name: tool.name.clone(),
            description: tool.description.clone().unwrap_or_default(),
            arguments: Arguments::Json(Arc::clone(&tool.input_schema)),
            annotations: tool.annotations.as_ref().map(Annotations::from).unwrap_or_default(),
            server: None,
            raw_name: None,
            title: tool.title.clone(),
            output_schema: tool.output_schema.clone(),
            meta: tool.meta.clone(),
            closed: false,
            body_params: Vec::new(),
        }
    }

    /// Sets the name that the model is to call.
    #[must_use]
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Sets the description.
    #[must_use]
    pub fn with_description(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// Sets the JSON Schema of the arguments.
    #[must_use]
    pub fn with_schema(mut self, schema: impl Into<Arc<Value>>) -> Self {
        self.arguments = Arguments::Json(schema.into());
        self
    }

    /// Says that it takes one text, not JSON.
    #[must_use]
    pub fn with_free_text(mut self, grammar: Option<Grammar>) -> Self {
        self.arguments = Arguments::Text(grammar);
        self
    }

    /// Sets what a host may know about its effects.
    #[must_use]
    pub fn with_annotations(mut self, annotations: Annotations) -> Self {
        self.annotations = annotations;
        self
    }

    /// Says that its schema names every argument that there is ([`closed`](Self::closed)).
    #[must_use]
    pub fn with_closed_schema(mut self) -> Self {
        self.closed = true;
        self
    }

    /// Adds a parameter that holds free text or code.
    #[must_use]
    pub fn with_body_param(mut self, name: impl Into<String>) -> Self {
        self.body_params.push(name.into());
        self
    }

    /// What it is called where it comes from.
    #[must_use]
    pub fn raw_name(&self) -> &str {
        self.raw_name.as_deref().unwrap_or(&self.name)
    }
}
