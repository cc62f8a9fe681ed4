//! What a tool is. Specs are made once and never changed by rendering them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::names::check_name;
use crate::condition::{Condition, Site, When};
use crate::error::{Error, ErrorKind};
use crate::template::Template;
use crate::text::Text;

/// A tool that the model may call.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ToolSpec {
    /// How files and conditions speak of it.
    pub id: String,
    /// How the model calls it.
    pub name: String,
    /// What it is for, so that built-in texts can speak of it whatever its name is: `read`, `edit`,
    /// `write`, `shell`, `search`, `ask`, `finish`, …
    pub tool_role: Option<String>,
    /// What it does, for the model.
    pub description: Wording,
    /// What it takes.
    pub input: ToolInput,
    /// When it is offered.
    pub when: When,
    /// What a host may know about it.
    pub annotations: Annotations,
}

/// What a tool takes.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum ToolInput {
    /// Parameters by name, in the order in which they are shown.
    Params(Vec<Param>),
    /// A JSON Schema, kept whole.
    Schema(Value),
}

/// What a host may know about a tool.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Annotations {
    /// It changes nothing, and may be used in a plan mode.
    pub read_only: bool,
}

/// A parameter of a tool.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Param {
    /// Its name, which is also its tag.
    pub name: String,
    /// The call is not complete without it.
    pub required: bool,
    /// What it is, for the model.
    pub description: Wording,
    /// A line that the tool's description gets while this parameter is shown.
    pub tool_note: Option<Wording>,
    /// A sample value in the usage.
    pub usage: String,
    /// It holds free text or code, which is not trimmed when it is read back.
    pub body: bool,
    /// When it is shown.
    pub when: When,
    /// Its JSON type: `string` unless given.
    pub kind: String,
    /// More of its JSON Schema, as `items` and `properties`.
    pub schema: Map<String, Value>,
}

/// Words of a spec: ready text, or a template of the pack.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Wording {
    /// Ready text.
    Text(Text),
    /// A template, rendered in each build.
    Template(Template),
}

impl Wording {
    /// There is nothing in it.
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::Text(text) => text.is_empty(),
            Self::Template(template) => template.source().is_empty(),
        }
    }
}

impl Default for Wording {
    fn default() -> Self {
        Self::Text(Text::new())
    }
}

impl<T: Into<Text>> From<T> for Wording {
    /// As for [`Text`]: `&'static str` is authored, `String` is verbatim.
    fn from(text: T) -> Self {
        Self::Text(text.into())
    }
}

impl From<Template> for Wording {
    fn from(template: Template) -> Self {
        Self::Template(template)
    }
}

impl ToolSpec {
    /// A tool with this id and name, without parameters.
    #[must_use]
    pub fn new(id: impl Into<String>) -> Self {
        let id = id.into();
        Self {
            name: id.clone(),
            id,
            tool_role: None,
            description: Wording::default(),
            input: ToolInput::Params(Vec::new()),
            when: When::Always,
            annotations: Annotations::default(),
        }
    }

    /// Sets the name that the model calls.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Sets the role.
    #[must_use]
    pub fn role(mut self, role: impl Into<String>) -> Self {
        self.tool_role = Some(role.into());
        self
    }

    /// Sets the description.
    #[must_use]
    pub fn description(mut self, description: impl Into<Wording>) -> Self {
        self.description = description.into();
        self
    }

    /// Adds a parameter behind those that are there. A JSON Schema that was set before goes.
    #[must_use]
    pub fn param(mut self, param: Param) -> Self {
        match &mut self.input {
            ToolInput::Params(params) => params.push(param),
            ToolInput::Schema(_) => self.input = ToolInput::Params(vec![param]),
        }
        self
    }

    /// Sets the JSON Schema of the arguments. Parameters that were set before go.
    #[must_use]
    pub fn schema(mut self, schema: Value) -> Self {
        self.input = ToolInput::Schema(schema);
        self
    }

    /// Sets when it is offered.
    #[must_use]
    pub fn when(mut self, when: impl Into<When>) -> Self {
        self.when = when.into();
        self
    }

    /// Says that it changes nothing.
    #[must_use]
    pub fn read_only(mut self) -> Self {
        self.annotations.read_only = true;
        self
    }

    /// Checks what every spec must keep: names that can be tags, no parameter twice, no usage sample
    /// that closes its own tag.
    ///
    /// # Errors
    /// [`ErrorKind::Tool`], naming everything that is wrong with names at once.
    pub fn check(&self) -> Result<(), Error> {
        let mut bad: Vec<String> = Vec::new();
        let mut seen = std::collections::BTreeSet::new();
        let names = self.param_names();
        for name in std::iter::once(self.name.as_str()).chain(names.iter().map(String::as_str)) {
            if !check_name(name) {
                bad.push(format!("`{}`", name.escape_debug()));
            }
        }
        if !bad.is_empty() {
            return Err(self.error(format!("these names cannot be tags: {}", bad.join(", ")))
                .with_help(
                    "a name begins with a letter or `_` and goes on with letters, digits, `_`, `.`, `-`",
                ));
        }
        for name in &names {
            if !seen.insert(name) {
                return Err(self.error(format!("the parameter `{name}` is there twice")));
            }
        }
        if let Some(condition) = self.when.condition() {
            condition.check(Site::Tool).map_err(|error| self.because(&error))?;
        }
        if let Some((_, _, error)) = self.closed_by_usage() {
            return Err(error);
        }
        let ToolInput::Params(params) = &self.input else {
            return Ok(());
        };
        for param in params {
            if let Some(condition) = param.when.condition() {
                condition.check(Site::Anywhere).map_err(|error| self.because(&error))?;
            }
        }
        Ok(())
    }

    /// The first usage sample that closes its own parameter or the tool: the parameter's position, the
    /// tag, and the error.
    pub(super) fn closed_by_usage(&self) -> Option<(usize, String, Error)> {
        let ToolInput::Params(params) = &self.input else {
            return None;
        };
        params.iter().enumerate().find_map(|(position, param)| {
            let mut tags = [&param.name, &self.name].map(|name| format!("</{name}>")).into_iter();
            let tag = tags.find(|tag| param.usage.contains(tag))?;
            let what =
                format!("the usage sample of `{}` holds the closing tag `{tag}`", param.name);
            let help = "a model that copies the sample would end its call too early";
            Some((position, tag, self.error(what).with_help(help)))
        })
    }

    /// What of a JSON Schema from elsewhere the text form has to pass over, in words.
    pub(crate) fn passed_over(&self) -> Vec<String> {
        let ToolInput::Schema(schema) = &self.input else {
            return Vec::new();
        };
        let mut odd = Vec::new();
        if schema.get("required").is_some_and(|names| !names.is_array()) {
            odd.push("`required` is not a list".to_owned());
        }
        let properties = schema.get("properties");
        if properties.is_some_and(|properties| !properties.is_object()) {
            odd.push("`properties` is not an object".to_owned());
        }
        for (name, property) in properties.and_then(Value::as_object).into_iter().flatten() {
            if !property.is_object() && !property.is_boolean() {
                odd.push(format!("the schema of `{name}` is neither an object nor a boolean"));
            }
            let words = property.get("description");
            if words.is_some_and(|words| !words.is_string() && !words.is_null()) {
                odd.push(format!("the description of `{name}` is not a string"));
            }
        }
        odd
    }

    /// Names of the parameters, in order.
    pub(crate) fn param_names(&self) -> Vec<String> {
        match &self.input {
            ToolInput::Params(params) => params.iter().map(|param| param.name.clone()).collect(),
            ToolInput::Schema(schema) => schema
                .get("properties")
                .and_then(Value::as_object)
                .map(|properties| properties.keys().cloned().collect())
                .unwrap_or_default(),
        }
    }

    /// Every condition in the spec, for the check that the named ones exist.
    pub(crate) fn conditions(&self) -> Vec<&Condition> {
        let params = match &self.input {
            ToolInput::Params(params) => params.as_slice(),
            ToolInput::Schema(_) => &[],
        };
        std::iter::once(&self.when)
            .chain(params.iter().map(|param| &param.when))
            .filter_map(When::condition)
            .collect()
    }

    fn error(&self, what: String) -> Error {
        Error::new(ErrorKind::Tool, format!("tool `{}`: {what}", self.id.escape_debug()))
    }

    fn because(&self, error: &Error) -> Error {
        self.error(error.message().to_owned())
    }
}

impl Param {
    /// A required string.
    #[must_use]
    pub fn required(name: impl Into<String>, description: impl Into<Wording>) -> Self {
        Self {
            name: name.into(),
            required: true,
            description: description.into(),
            tool_note: None,
            usage: String::new(),
            body: false,
            when: When::Always,
            kind: "string".to_owned(),
            schema: Map::new(),
        }
    }

    /// An optional string.
    #[must_use]
    pub fn optional(name: impl Into<String>, description: impl Into<Wording>) -> Self {
        Self { required: false, ..Self::required(name, description) }
    }

    /// Sets the line that the tool's description gets while this parameter is shown.
    #[must_use]
    pub fn tool_note(mut self, note: impl Into<Wording>) -> Self {
        self.tool_note = Some(note.into());
        self
    }

    /// Sets the sample value in the usage.
    #[must_use]
    pub fn usage(mut self, sample: impl Into<String>) -> Self {
        self.usage = sample.into();
        self
    }

    /// Says that it holds free text or code.
    #[must_use]
    pub fn body(mut self) -> Self {
        self.body = true;
        self
    }

    /// Sets when it is shown.
    #[must_use]
    pub fn when(mut self, when: impl Into<When>) -> Self {
        self.when = when.into();
        self
    }

    /// Sets the JSON type.
    #[must_use]
    pub fn kind(mut self, kind: impl Into<String>) -> Self {
        self.kind = kind.into();
        self
    }
}

/// Specs are shared between variants and builds.
pub(crate) type SharedSpec = Arc<ToolSpec>;
