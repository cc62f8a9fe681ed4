//! What can be called: names, parameters, which of them are bodies, their types. Made once from the
//! tools that the model was offered, shared by every parser.

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::ops::Bound;

use promptline_tools::{Arguments, FREEFORM_PARAM, Tool, ToolRef};
use serde_json::Value;

use crate::typed::{Kind, Kinds};

/// Parameters that hold free text or code by their name alone, for tools that do not say.
const BODIES: [&str; 12] = [
    "content",
    "diff",
    "patch",
    "command",
    "result",
    "question",
    "response",
    "context",
    "arguments",
    "regex",
    "input",
    "text",
];

/// The tools that may be called. Nothing else in an answer opens a call.
///
/// ```
/// use promptline_calls::{CallGrammar, parse_calls};
/// use promptline_tools::Tool;
///
/// let schema = serde_json::json!({"properties": {"path": {"type": "string"}}});
/// let grammar = CallGrammar::from_tools([Tool::new("read_file").with_schema(schema)]);
/// let parsed = parse_calls(&grammar, "Look:\n<read_file>\n<path>a.rs</path>\n</read_file>");
/// assert_eq!(parsed.calls[0].arg("path"), Some("a.rs"));
/// assert_eq!(parsed.text, "Look:\n");
/// ```
#[derive(Debug, Clone, Default)]
pub struct CallGrammar {
    tools: Vec<Callable>,
    by_name: BTreeMap<String, usize>,
    /// The same by what is left of a name without case and dashes.
    by_folded: BTreeMap<String, usize>,
    /// The bytes that names begin with, as a set.
    first: [u64; 4],
}

#[derive(Debug, Clone)]
pub(crate) struct Callable {
    pub(crate) name: String,
    pub(crate) is: ToolRef,
    pub(crate) fields: Vec<Field>,
    /// Any other parameter is welcome too.
    pub(crate) open: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) required: bool,
    /// Not trimmed, and closed only where the call goes on or ends.
    pub(crate) body: bool,
    pub(crate) kinds: Kinds,
}

impl Callable {
    pub(crate) fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}

impl CallGrammar {
    /// The grammar of these tools: give those that the model was offered. Of two with one name the first
    /// counts.
    ///
    /// A parameter is a body, that is free text which is not trimmed, when its tool says so
    /// ([`Tool::body_params`]), or by its name (`content`, `diff`, `patch`, `command`, `result`, `question`,
    /// `response`, `context`, `arguments`, `regex`, `input`, `text`).
    #[must_use]
    pub fn from_tools<T: Borrow<Tool>>(tools: impl IntoIterator<Item = T>) -> Self {
        tools.into_iter().fold(Self::default(), |mut grammar, tool| {
            grammar.add(Callable::of(tool.borrow()));
            grammar
        })
    }

    /// Adds a tool by hand: its name, and its parameters with whether they are bodies. All are optional
    /// strings. For hosts without schemas; a name that is there already keeps its first meaning.
    #[must_use]
    pub fn tool<'a>(
        mut self,
        name: &str,
        params: impl IntoIterator<Item = (&'a str, bool)>,
    ) -> Self {
        let field = |(name, body): (&str, bool)| Field {
            name: name.to_owned(),
            required: false,
            body,
            kinds: Kinds::one(Kind::String),
        };
        let fields = params.into_iter().map(field).collect();
        self.add(Callable {
            name: name.to_owned(),
            is: ToolRef::new(name, None, name),
            fields,
            open: false,
        });
        self
    }

    /// The tool that is called by this name: its id, and for a tool of an MCP server the server and its
    /// name there, which the name of the call need not show.
    #[must_use]
    pub fn resolve(&self, name: &str) -> Option<&ToolRef> {
        self.named(name).map(|tool| &tool.is)
    }

    /// The names that can be called, in the order of the tools.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tools.iter().map(|tool| tool.name.as_str())
    }

    fn add(&mut self, tool: Callable) {
        if !self.by_name.contains_key(&tool.name) {
            self.by_name.insert(tool.name.clone(), self.tools.len());
            if let Some(&byte) = tool.name.as_bytes().first()
                && let Some(set) = self.first.get_mut(usize::from(byte >> 6))
            {
                *set |= 1 << (byte & 63);
            }
            self.by_folded.entry(folded(&tool.name)).or_insert(self.tools.len());
            self.tools.push(tool);
        }
    }

    pub(crate) fn named(&self, name: &str) -> Option<&Callable> {
        self.tools.get(self.position(name)?)
    }

    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    pub(crate) fn at(&self, position: usize) -> Option<&Callable> {
        self.tools.get(position)
    }

    /// The tool whose name this almost is.
    pub(crate) fn near(&self, name: &str) -> Option<&Callable> {
        // Most names begin like none of ours, in either case.
        let byte = *name.as_bytes().first()?;
        let cases = [byte.to_ascii_lowercase(), byte.to_ascii_uppercase()];
        if byte.is_ascii_alphabetic() && !cases.iter().any(|case| self.begins_with(*case)) {
            return None;
        }
        self.at(*self.by_folded.get(&folded(name))?)
    }

    /// Some tool declares this parameter.
    pub(crate) fn has_param(&self, name: &str) -> bool {
        self.tools.iter().any(|tool| tool.field(name).is_some())
    }

    /// Some name begins with this byte.
    pub(crate) fn begins_with(&self, byte: u8) -> bool {
        self.first.get(usize::from(byte >> 6)).is_some_and(|set| set & 1 << (byte & 63) != 0)
    }

    /// Some name begins like this.
    pub(crate) fn begins(&self, prefix: &str) -> bool {
        let from = (Bound::Included(prefix), Bound::Unbounded);
        let mut from = self.by_name.range::<str, _>(from);
        from.next().is_some_and(|(name, _)| name.starts_with(prefix))
    }
}

impl Callable {
    fn of(tool: &Tool) -> Self {
        let mut open = false;
        let fields = match &tool.arguments {
            Arguments::Json(schema) => {
                let more = schema.get("additionalProperties");
                open = more.is_some_and(|more| *more == Value::Bool(true) || more.is_object());
                fields_of(schema, &tool.body_params)
            }
            Arguments::Text(_) => vec![Field {
                name: FREEFORM_PARAM.to_owned(),
                required: true,
                body: true,
                kinds: Kinds::one(Kind::String),
            }],
            _ => Vec::new(),
        };
        let is = ToolRef::new(&tool.id, tool.server.clone(), tool.raw_name());
        Self { name: tool.name.clone(), is, fields, open }
    }
}

fn fields_of(schema: &Value, bodies: &[String]) -> Vec<Field> {
    let required = schema.get("required").and_then(Value::as_array);
    let properties = schema.get("properties").and_then(Value::as_object);
    let field = |(name, property): (&String, &Value)| Field {
        name: name.clone(),
        required: required.is_some_and(|names| names.iter().any(|one| one == name.as_str())),
        body: bodies.contains(name) || is_body(name),
        kinds: Kinds::of_schema(property),
    };
    properties.into_iter().flatten().map(field).collect()
}

fn is_body(name: &str) -> bool {
    BODIES.contains(&name)
}

/// A name without what small models get wrong in one: case, blanks, kind of dash.
fn folded(name: &str) -> String {
    let kept = name.chars().filter(|c| !c.is_whitespace() && !matches!(c, '_' | '-'));
    kept.flat_map(char::to_lowercase).collect()
}
