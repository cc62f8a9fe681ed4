//! What can be called: names, parameters, which of them are bodies, their types. Made once from the
//! tool specs that the prompt was built from, shared by every parser.

use std::collections::BTreeMap;
use std::ops::Bound;

use promptline::{EnabledTools, Param, ToolInput, ToolRef, ToolSpec};
use serde_json::Value;

use crate::typed::{Kind, Kinds};

/// Parameters that hold free text or code by their name alone, for specs that do not say.
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
/// use promptline::{Param, ToolSpec};
/// use promptline_calls::{CallGrammar, parse_calls};
///
/// let read = ToolSpec::new("read_file").param(Param::required("path", "The file."));
/// let grammar = CallGrammar::from_specs(&[read]);
/// let parsed = parse_calls(&grammar, "Look:\n<read_file>\n<path>a.rs</path>\n</read_file>");
/// assert_eq!(parsed.calls[0].arg("path"), Some("a.rs"));
/// assert_eq!(parsed.text, "Look:\n");
/// ```
#[derive(Debug, Clone, Default)]
pub struct CallGrammar {
    tools: Vec<Tool>,
    by_name: BTreeMap<String, usize>,
    /// The same by what is left of a name without case and dashes.
    by_folded: BTreeMap<String, usize>,
    /// The bytes that names begin with, as a set.
    first: [u64; 4],
}

#[derive(Debug, Clone)]
pub(crate) struct Tool {
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

impl Tool {
    pub(crate) fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}

impl CallGrammar {
    /// The grammar of these tools. Conditions are not asked: give the tools that were offered. Of two
    /// with one name the first counts.
    ///
    /// A parameter is a body, that is free text which is not trimmed, when its spec says so, or by its
    /// name (`content`, `diff`, `patch`, `command`, `result`, `question`, `response`, `context`,
    /// `arguments`, `regex`, `input`, `text`).
    #[must_use]
    pub fn from_specs<'a>(specs: impl IntoIterator<Item = &'a ToolSpec>) -> Self {
        specs.into_iter().fold(Self::default(), |mut grammar, spec| {
            grammar.add(Tool::of(spec));
            grammar
        })
    }

    /// The grammar of the tools that a prompt offers ([`Prompt::enabled_tools`](promptline::Prompt)).
    #[must_use]
    pub fn from_enabled(tools: &EnabledTools) -> Self {
        Self::from_specs(tools.iter().map(promptline::EnabledTool::spec))
    }

    /// Adds a tool by hand: its name, and its parameters with whether they are bodies. All are optional
    /// strings. For hosts without specs; a name that is there already keeps its first meaning.
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
        self.add(Tool {
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

    /// The names that can be called, in the order of the specs.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tools.iter().map(|tool| tool.name.as_str())
    }

    fn add(&mut self, tool: Tool) {
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

    pub(crate) fn named(&self, name: &str) -> Option<&Tool> {
        self.tools.get(self.position(name)?)
    }

    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    pub(crate) fn at(&self, position: usize) -> Option<&Tool> {
        self.tools.get(position)
    }

    /// The tool whose name this almost is.
    pub(crate) fn near(&self, name: &str) -> Option<&Tool> {
        // Most names begin like none of ours, in either case.
        let byte = *name.as_bytes().first()?;
        let cases = [byte.to_ascii_lowercase(), byte.to_ascii_uppercase()];
        if byte.is_ascii_alphabetic() && !cases.iter().any(|case| self.begins_with(*case)) {
            return None;
        }
        self.at(*self.by_folded.get(&folded(name))?)
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

impl Tool {
    fn of(spec: &ToolSpec) -> Self {
        let mut open = false;
        let fields = match &spec.input {
            ToolInput::Params(params) => params.iter().map(Field::of_param).collect(),
            ToolInput::Schema(schema) => {
                let more = schema.get("additionalProperties");
                open = more.is_some_and(|more| *more == Value::Bool(true) || more.is_object());
                fields_of_schema(schema)
            }
            ToolInput::Freeform { .. } => vec![Field {
                name: promptline::FREEFORM_PARAM.to_owned(),
                required: true,
                body: true,
                kinds: Kinds::one(Kind::String),
            }],
            _ => Vec::new(),
        };
        let is = ToolRef::new(&*spec.id, spec.server.clone(), spec.raw_name());
        Self { name: spec.name.to_string(), is, fields, open }
    }
}

impl Field {
    fn of_param(param: &Param) -> Self {
        Self {
            name: param.name.clone(),
            required: param.required,
            body: param.body || is_body(&param.name),
            kinds: Kinds::of_name(&param.kind),
        }
    }
}

fn fields_of_schema(schema: &Value) -> Vec<Field> {
    let required = schema.get("required").and_then(Value::as_array);
    let properties = schema.get("properties").and_then(Value::as_object);
    let field = |(name, property): (&String, &Value)| Field {
        name: name.clone(),
        required: required.is_some_and(|names| names.iter().any(|one| one == name.as_str())),
        body: is_body(name),
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
