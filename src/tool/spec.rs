//! What a tool is. Specs are made once and never changed by rendering them.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::names::check_name;
use crate::condition::{Condition, Site, When};
use crate::template::Template;
use crate::text::Text;
use promptline_diagnostic::Id;
use promptline_diagnostic::{Error, ErrorKind};
use promptline_tools::{Annotations, FREEFORM_PARAM, Grammar};

/// A tool that the model may call.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ToolSpec {
    /// How files and conditions speak of it.
    pub id: Id,
    /// How the model calls it.
    pub name: Id,
    /// What it is for, so that built-in texts can speak of it whatever its name is: `read`, `edit`,
    /// `write`, `shell`, `search`, `ask`, `finish`, …
    pub tool_role: Option<String>,
    /// What it does, for the model.
    pub description: ToolText,
    /// What it takes.
    pub input: ToolInput,
    /// When it is offered.
    pub when: When,
    /// What a host may know about it.
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
    /// The file that describes it.
    pub(crate) origin: Option<Id>,
}

/// What a tool takes.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum ToolInput {
    /// Parameters by name, in the order in which they are shown.
    Params(Vec<Param>),
    /// A JSON Schema, kept whole.
    Schema(Arc<Value>),
    /// One text without any JSON around it, where the provider knows such tools; elsewhere it is the
    /// parameter [`FREEFORM_PARAM`](promptline_tools::FREEFORM_PARAM).
    Freeform {
        /// What the text must look like.
        grammar: Option<Grammar>,
    },
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
    pub description: ToolText,
    /// A line that the tool's description gets while this parameter is shown.
    pub tool_note: Option<ToolText>,
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
pub enum ToolText {
    /// Ready text.
    Text(Text),
    /// A template, rendered in each build.
    Template(Template),
}

impl ToolText {
    /// There is nothing in it.
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::Text(text) => text.is_empty(),
            Self::Template(template) => template.source().is_empty(),
        }
    }

    /// What it says, as it is written, and whether it is a template.
    fn words(&self) -> String {
        match self {
            Self::Text(text) => format!("text {text:?}"),
            Self::Template(template) => format!("template {}", template.source()),
        }
    }
}

impl Default for ToolText {
    fn default() -> Self {
        Self::Text(Text::new())
    }
}

impl<T: Into<Text>> From<T> for ToolText {
    /// As for [`Text`]: `&'static str` is authored, `String` is verbatim.
    fn from(text: T) -> Self {
        Self::Text(text.into())
    }
}

impl From<Template> for ToolText {
    fn from(template: Template) -> Self {
        Self::Template(template)
    }
}

impl ToolSpec {
    /// A tool with this id and name, without parameters.
    #[must_use]
    pub fn new(id: impl Into<Id>) -> Self {
        let id = id.into();
        Self {
            name: id.clone(),
            id,
            tool_role: None,
            description: ToolText::default(),
            input: ToolInput::Params(Vec::new()),
            when: When::Always,
            annotations: Annotations::default(),
            server: None,
            raw_name: None,
            title: None,
            output_schema: None,
            meta: Map::new(),
            origin: None,
        }
    }

    /// Sets the name that the model calls.
    #[must_use]
    pub fn with_name(mut self, name: impl Into<Id>) -> Self {
        self.name = name.into();
        self
    }

    /// Sets the role.
    #[must_use]
    pub fn with_role(mut self, role: impl Into<String>) -> Self {
        self.tool_role = Some(role.into());
        self
    }

    /// Sets the description.
    #[must_use]
    pub fn with_description(mut self, description: impl Into<ToolText>) -> Self {
        self.description = description.into();
        self
    }

    /// Adds a parameter behind those that are there. A JSON Schema or a free text that was set before
    /// goes.
    #[must_use]
    pub fn with_param(mut self, param: Param) -> Self {
        match &mut self.input {
            ToolInput::Params(params) => params.push(param),
            ToolInput::Schema(_) | ToolInput::Freeform { .. } => {
                self.input = ToolInput::Params(vec![param]);
            }
        }
        self
    }

    /// Sets the JSON Schema of the arguments. Parameters that were set before go.
    #[must_use]
    pub fn with_schema(mut self, schema: impl Into<Arc<Value>>) -> Self {
        self.input = ToolInput::Schema(schema.into());
        self
    }

    /// Says that it takes one text, not JSON. Parameters that were set before go.
    #[must_use]
    pub fn with_freeform(mut self, grammar: Option<Grammar>) -> Self {
        self.input = ToolInput::Freeform { grammar };
        self
    }

    /// Sets when it is offered.
    #[must_use]
    pub fn with_when(mut self, when: impl Into<When>) -> Self {
        self.when = when.into();
        self
    }

    /// Says that it changes nothing.
    #[must_use]
    pub fn with_read_only(mut self) -> Self {
        self.annotations.read_only = true;
        self
    }

    /// Checks what every spec must keep: names that can be tags, no parameter twice, no usage sample
    /// that closes its own tag.
    ///
    /// # Errors
    /// [`ErrorKind::Tool`], naming everything that is wrong with names at once.
    pub fn check(&self) -> Result<(), Error> {
        self.fault().map_or(Ok(()), |(_, error)| Err(error))
    }

    /// What a native list needs of a spec: its names may be any, since they are changed where a provider
    /// would refuse them.
    pub(crate) fn check_for_native(&self) -> Result<(), Error> {
        let fault = self.repeated_param().or_else(|| self.bad_condition());
        fault.map_or(Ok(()), |(_, error)| Err(error))
    }

    /// The first thing that is wrong, and where in the spec it is.
    pub(crate) fn fault(&self) -> Option<(Spot, Error)> {
        self.bad_name()
            .or_else(|| self.repeated_param())
            .or_else(|| self.closing_tag())
            .or_else(|| self.bad_condition())
    }

    /// Names that cannot be tags.
    fn bad_name(&self) -> Option<(Spot, Error)> {
        let names = self.param_names();
        let mut bad: Vec<(Spot, &str)> = Vec::new();
        if !check_name(&self.name) {
            bad.push((Spot::Name, &self.name));
        }
        for (position, name) in names.iter().enumerate() {
            if !check_name(name) {
                bad.push((Spot::Param(position, "name"), name));
            }
        }
        let (spot, _) = bad.first()?;
        let quoted: Vec<String> =
            bad.iter().map(|(_, name)| format!("`{}`", name.escape_debug())).collect();
        let error = match quoted.as_slice() {
            [one] => self.error(format!("the name {one} cannot be a tag")),
            _ => self.error(format!("these names cannot be tags: {}", quoted.join(", "))),
        };
        let help =
            "a name begins with a letter or `_` and goes on with letters, digits, `_`, `.`, `-`";
        Some((*spot, error.with_code("bad-name").with_help(help)))
    }

    /// A parameter that is there twice.
    fn repeated_param(&self) -> Option<(Spot, Error)> {
        // The keys of a JSON object are different already.
        let ToolInput::Params(params) = &self.input else { return None };
        let mut seen = std::collections::BTreeSet::new();
        let (position, twice) =
            params.iter().enumerate().find(|(_, param)| !seen.insert(param.name.as_str()))?;
        let error = self.error(format!("the parameter `{}` is there twice", twice.name));
        let error = error.with_code("duplicate-id");
        let error = error.with_help("take one of the two out, or give it another name");
        Some((Spot::Param(position, "name"), error))
    }

    /// A usage sample that would end its call.
    fn closing_tag(&self) -> Option<(Spot, Error)> {
        let ToolInput::Params(params) = &self.input else { return None };
        let (position, param, tag) = params.iter().enumerate().find_map(|(position, param)| {
            let tags = [param.name.as_str(), &self.name];
            let tag = tags.into_iter().find(|tag| param.usage.contains(&format!("</{tag}>")))?;
            Some((position, param, tag))
        })?;
        let error = self
            .error(format!("the usage sample of `{}` holds the closing tag `</{tag}>`", param.name))
            .with_code("closing-tag")
            .with_help(
                "take the tag out: a model that copies the sample would end its call too early",
            );
        Some((Spot::Param(position, "usage"), error))
    }

    /// A condition that uses what it may not use.
    fn bad_condition(&self) -> Option<(Spot, Error)> {
        if let Some(condition) = self.when.condition()
            && let Err(error) = condition.check(Site::Tool)
        {
            return Some((Spot::When, self.because(&error)));
        }
        let ToolInput::Params(params) = &self.input else { return None };
        params.iter().enumerate().find_map(|(position, param)| {
            let error = param.when.condition()?.check(Site::Anywhere).err()?;
            Some((Spot::Param(position, "when"), self.because(&error)))
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

    /// It has neither words nor parameters: it is there only so that others can depend on it. A tool with a
    /// schema comes from elsewhere, and can be called even so.
    pub(crate) fn says_nothing(&self) -> bool {
        matches!(self.input, ToolInput::Params(_))
            && self.description.is_empty()
            && self.has_no_params()
    }

    /// It takes nothing.
    fn has_no_params(&self) -> bool {
        match &self.input {
            ToolInput::Freeform { .. } => false,
            ToolInput::Params(params) => params.is_empty(),
            ToolInput::Schema(schema) => schema
                .get("properties")
                .and_then(Value::as_object)
                .is_none_or(|properties| properties.is_empty()),
        }
    }

    /// Names of the parameters, in order.
    fn param_names(&self) -> Vec<String> {
        match &self.input {
            ToolInput::Freeform { .. } => vec![FREEFORM_PARAM.to_owned()],
            ToolInput::Params(params) => params.iter().map(|param| param.name.clone()).collect(),
            ToolInput::Schema(schema) => schema
                .get("properties")
                .and_then(Value::as_object)
                .map(|properties| properties.keys().cloned().collect())
                .unwrap_or_default(),
        }
    }

    /// Everything that the spec says, in order and without the names of files, for the fingerprint.
    pub(crate) fn each_word(&self, add: &mut impl FnMut(&str)) {
        let own = (&self.id, &self.name, &self.tool_role, &self.when, &self.annotations);
        add(&format!("{own:?}"));
        add(&self.description.words());
        add(&format!("{:?}", (&self.server, &self.raw_name, &self.title)));
        add(&self.output_schema.as_ref().map(ToString::to_string).unwrap_or_default());
        add(&serde_json::to_string(&self.meta).unwrap_or_default());
        match &self.input {
            ToolInput::Freeform { grammar } => add(&format!("freeform {grammar:?}")),
            ToolInput::Schema(schema) => add(&schema.to_string()),
            ToolInput::Params(params) => {
                for param in params {
                    let own = (
                        &param.name,
                        param.required,
                        &param.usage,
                        param.body,
                        &param.when,
                        &param.kind,
                        &param.schema,
                    );
                    add(&format!("{own:?}"));
                    add(&param.description.words());
                    add(&param.tool_note.as_ref().map(ToolText::words).unwrap_or_default());
                }
            }
        }
    }

    /// Every condition in the spec, for the check that the named ones exist.
    pub(crate) fn conditions(&self) -> Vec<&Condition> {
        let params = match &self.input {
            ToolInput::Params(params) => params.as_slice(),
            ToolInput::Schema(_) | ToolInput::Freeform { .. } => &[],
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
        let because = self.error(error.message().to_owned()).with_code(error.code());
        match error.help() {
            Some(help) => because.with_help(help),
            None => because,
        }
    }
}

impl Param {
    /// A required string.
    #[must_use]
    pub fn required(name: impl Into<String>, description: impl Into<ToolText>) -> Self {
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
    pub fn optional(name: impl Into<String>, description: impl Into<ToolText>) -> Self {
        Self { required: false, ..Self::required(name, description) }
    }

    /// Sets the line that the tool's description gets while this parameter is shown.
    #[must_use]
    pub fn with_tool_note(mut self, note: impl Into<ToolText>) -> Self {
        self.tool_note = Some(note.into());
        self
    }

    /// Sets the sample value in the usage.
    #[must_use]
    pub fn with_usage(mut self, sample: impl Into<String>) -> Self {
        self.usage = sample.into();
        self
    }

    /// Says that it holds free text or code.
    #[must_use]
    pub fn with_body(mut self) -> Self {
        self.body = true;
        self
    }

    /// Sets when it is shown.
    #[must_use]
    pub fn with_when(mut self, when: impl Into<When>) -> Self {
        self.when = when.into();
        self
    }

    /// Sets the JSON type.
    #[must_use]
    pub fn with_kind(mut self, kind: impl Into<String>) -> Self {
        self.kind = kind.into();
        self
    }

    /// Sets a keyword of its JSON Schema, as `items` or `enum`. `type` goes before [`kind`](Self::kind).
    #[must_use]
    pub fn with_keyword(mut self, keyword: impl Into<String>, value: impl Into<Value>) -> Self {
        self.schema.insert(keyword.into(), value.into());
        self
    }
}

/// Where in a spec something is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spot {
    /// Its name (or its id, when it has no name of its own).
    Name,
    /// Its condition.
    When,
    /// A key of the parameter at this position.
    Param(usize, &'static str),
}

/// Specs are shared between variants and builds.
pub(crate) type SharedSpec = Arc<ToolSpec>;
