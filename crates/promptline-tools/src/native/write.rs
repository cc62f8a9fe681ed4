//! From neutral tools to a list in a dialect.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use promptline_diagnostic::Diagnostic;
use serde_json::{Map, Value, json};

use super::lists::{
    AnthropicTool, BedrockSchema, BedrockTool, BedrockToolSpec, CustomFormat, CustomTool,
    GeminiFunction, McpListedTool, NativeList, OpenAiFunction, OpenAiTool, ResponsesTool,
};
use super::schema::{Converted, Unusable, convert};
use super::tables::{Limits, Profile, Tables, strict_profile, tables};
use super::{
    Dialect, NativeOptions, NativeTools, ToolNameMap, ToolRef, UnsupportedKeyword, limits,
};
use crate::json::is_deeper;
use crate::names::{NameRequest, assign};
use crate::{Arguments, FREEFORM_PARAM, Grammar, McpAnnotations, Tool};

/// Writes tools for a request in the native form of a provider.
///
/// ```
/// use promptline_tools::{Dialect, NativeOptions, Tool, native_tools};
/// use serde_json::json;
///
/// let schema = json!({"type": "object", "properties": {"host": {"type": "string"}}});
/// let ping = Tool::new("ping").with_description("Is it there?").with_schema(schema.clone());
/// let tools = native_tools(&[ping], &NativeOptions::new(Dialect::Anthropic));
/// assert_eq!(
///     tools.to_value(),
///     json!([{"name": "ping", "description": "Is it there?", "input_schema": schema}])
/// );
/// assert!(tools.unsupported().is_empty());
/// ```
#[must_use]
pub fn native_tools(tools: &[Tool], options: &NativeOptions) -> NativeTools {
    let mut writer = Writer::new(tables(), options);
    let mut drafts = Vec::with_capacity(tools.len());
    let mut seen = HashSet::with_capacity(tools.len());
    for tool in tools {
        if !seen.insert((tool.server.as_deref(), raw(tool))) {
            let message =
                format!("the tool `{}` is in the list twice; the second is left out", tool.id);
            writer.report(Diagnostic::warning("tool-duplicate", message).about(&tool.id));
            continue;
        }
        drafts.extend(writer.draft(tool));
    }
    writer.finish(drafts)
}

/// What a tool is called where it comes from; one of the host by its id.
fn raw(tool: &Tool) -> &str {
    match tool.server {
        Some(_) => tool.raw_name(),
        None => &tool.id,
    }
}

/// A tool whose name is not yet known.
struct Draft<'a> {
    tool: &'a Tool,
    description: String,
    takes: Takes,
}

enum Takes {
    Json { schema: Arc<Value>, strict: bool },
    Text(Option<Grammar>),
}

struct Writer<'t> {
    options: NativeOptions,
    tables: &'t Tables,
    limits: &'t Limits,
    base: &'t Profile,
    strict: Option<&'t Profile>,
    unsupported: Vec<UnsupportedKeyword>,
    diagnostics: Vec<Diagnostic>,
}

impl<'t> Writer<'t> {
    fn new(tables: &'t Tables, options: &NativeOptions) -> Self {
        let dialect = options.dialect;
        let can = strict_profile(dialect).is_some();
        let strict = (options.strict && can).then(|| tables.profile(dialect, true));
        let mut diagnostics = Vec::new();
        if options.strict && !can {
            let message = format!("{dialect} has no strict tools: they are sent without");
            diagnostics.push(Diagnostic::info("tool-strict", message));
        }
        Self {
            options: *options,
            tables,
            limits: tables.limits(dialect),
            base: tables.profile(dialect, false),
            strict,
            unsupported: Vec::new(),
            diagnostics,
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn lose(&mut self, tool: &Tool, path: &str, keyword: &str, what: impl Into<String>) {
        self.unsupported.push(UnsupportedKeyword::new(&tool.id, path, keyword, what));
    }

    /// `None` for a tool that is left out, which is reported.
    fn draft<'a>(&mut self, tool: &'a Tool) -> Option<Draft<'a>> {
        let description = self.described(tool);
        let schema = match &tool.arguments {
            Arguments::Text(grammar) if self.options.dialect == Dialect::OpenAiResponses => {
                return Some(Draft { tool, description, takes: Takes::Text(grammar.clone()) });
            }
            Arguments::Text(grammar) => {
                self.lose(
                    tool,
                    "",
                    "input",
                    "the text is the parameter `input`: there are no free texts",
                );
                if grammar.is_some() {
                    let what = "said in the description of `input`: the provider does not hold the model to it";
                    self.lose(tool, "", "grammar", what);
                }
                schema_of_text(grammar.as_ref(), self.base.writes_closed)
            }
            Arguments::Json(schema) if tool.closed && self.base.writes_closed => {
                closed(Arc::clone(schema))
            }
            Arguments::Json(schema) => Arc::clone(schema),
        };
        self.takes(tool, &schema).map(|takes| Draft { tool, description, takes })
    }

    /// What the tool does. What a server says of a tool of its comes behind the server's name, but where whose
    /// tool it is, is known anyway.
    fn described(&mut self, tool: &Tool) -> String {
        let description = match &tool.server {
            Some(server) if self.options.dialect != Dialect::Mcp => {
                let words = match tool.description.trim().is_empty() {
                    true => one_line(tool.raw_name()),
                    false => Cow::Borrowed(tool.description.as_str()),
                };
                format!("{}: {words}", one_line(server))
            }
            _ => tool.description.clone(),
        };
        let Some((length, max)) = limits::too_long(&description, self.limits) else {
            return description;
        };
        let dialect = self.options.dialect;
        if self.options.cut_descriptions {
            let what = format!("cut: it has {length} characters, and {dialect} takes {max}");
            self.lose(tool, "", "description", what);
            return limits::cut(&description, max);
        }
        let message = format!(
            "the description of `{}` has {length} characters; {dialect} takes {max}",
            tool.id
        );
        let help = "shorten it, or have it cut (`NativeOptions::cut_descriptions`)";
        self.report(
            Diagnostic::warning("tool-description", message).about(&tool.id).with_help(help),
        );
        description
    }

    /// The schema in the dialect. `None` for a tool that cannot be offered, which is reported.
    fn takes(&mut self, tool: &Tool, schema: &Arc<Value>) -> Option<Takes> {
        let strict = self.strict;
        let rule = self.limits.property_name.as_ref();
        let mut asked = strict.unwrap_or(self.base);
        let mut converted = convert(schema, asked, rule);
        if let Ok(Converted { not_strict: Some(why), .. }) = &converted {
            let what = format!("sent without: {why}");
            self.lose(tool, "", "strict", what);
            asked = self.base;
            converted = convert(schema, asked, rule);
        }
        let converted = match converted {
            Ok(converted) => converted,
            Err(Unusable(why)) => {
                let message = format!("the tool `{}` is left out: {why}", tool.id);
                let help = "it would make the provider refuse the whole list; mend the schema";
                self.report(
                    Diagnostic::warning("tool-schema", message).about(&tool.id).with_help(help),
                );
                return None;
            }
        };
        let is_strict = asked.strict.is_some();
        self.unsupported.extend(converted.found.into_iter().map(|found| {
            UnsupportedKeyword::new(&tool.id, &found.path, &found.keyword, found.what)
        }));
        let dialect = self.options.dialect;
        for name in &converted.refused_names {
            let name = name.escape_debug();
            let message = format!(
                "the tool `{}` has a property `{name}`: {dialect} refuses such a name",
                tool.id
            );
            let help = format!(
                "rename it where it comes from ({}, {})",
                self.limits.source, self.limits.as_of
            );
            self.report(
                Diagnostic::warning("tool-property", message).about(&tool.id).with_help(help),
            );
        }
        if is_strict && let Some(limits) = &self.limits.strict {
            for what in limits::check_strict(&converted.schema, limits) {
                let message = format!(
                    "the schema of the tool `{}` is too large for strict {dialect}: {what}",
                    tool.id
                );
                let help = format!("{}, {}", limits.source, limits.as_of);
                self.diagnostics.push(
                    Diagnostic::warning("tool-limit", message).about(&tool.id).with_help(help),
                );
            }
        }
        Some(Takes::Json { schema: converted.schema, strict: is_strict })
    }

    /// Gives the tools their names and writes the list.
    fn finish(mut self, drafts: Vec<Draft<'_>>) -> NativeTools {
        let dialect = self.options.dialect;
        let wanted: Vec<NameRequest<'_>> = drafts
            .iter()
            .map(|Draft { tool, .. }| {
                let name = if dialect == Dialect::Mcp { tool.raw_name() } else { &tool.name };
                NameRequest::new(name, tool.server.as_deref(), raw(tool))
            })
            .collect();
        let assigned = assign(&wanted, &self.limits.name);
        let mut names = ToolNameMap::new();
        for ((draft, wanted), name) in drafts.iter().zip(&wanted).zip(&assigned) {
            if let Cow::Owned(name) = name {
                let old = wanted.name.escape_debug();
                let message = format!(
                    "the tool `{old}` is called `{name}` here: its own name cannot be used"
                );
                self.diagnostics
                    .push(Diagnostic::warning("tool-renamed", message).about(&draft.tool.id));
            }
            let tool = draft.tool;
            let tool = ToolRef::new(tool.id.as_str(), tool.server.clone(), tool.raw_name());
            names.insert(name.as_ref(), tool);
        }
        let strict = drafts.iter().filter(|draft| draft.is_strict()).count();
        let named: Vec<(Draft<'_>, String)> =
            drafts.into_iter().zip(assigned.into_iter().map(Cow::into_owned)).collect();
        let list = list(dialect, named);
        let (limits, advice) = (self.limits, &self.tables.advice);
        limits::check_list(&list, dialect, strict, limits, advice, &mut self.diagnostics);
        NativeTools {
            dialect,
            list,
            names,
            unsupported: self.unsupported,
            diagnostics: self.diagnostics,
        }
    }
}

impl Draft<'_> {
    fn is_strict(&self) -> bool {
        matches!(self.takes, Takes::Json { strict: true, .. })
    }

    fn json(self) -> (String, Arc<Value>, bool) {
        let (schema, strict) = match self.takes {
            Takes::Json { schema, strict } => (schema, strict),
            // Only Responses has free texts, and writes them itself.
            Takes::Text(grammar) => (schema_of_text(grammar.as_ref(), false), false),
        };
        (self.description, schema, strict)
    }
}

fn list(dialect: Dialect, named: Vec<(Draft<'_>, String)>) -> NativeList {
    fn each<T>(named: Vec<(Draft<'_>, String)>, write: impl Fn(Draft<'_>, String) -> T) -> Vec<T> {
        named.into_iter().map(|(draft, name)| write(draft, name)).collect()
    }
    let function = |draft: Draft<'_>, name| {
        let (description, parameters, strict) = draft.json();
        OpenAiFunction { name, description, strict, parameters }
    };
    match dialect {
        Dialect::OpenAi => NativeList::OpenAi(each(named, |draft, name| OpenAiTool::Function {
            function: function(draft, name),
        })),
        Dialect::OpenAiResponses => {
            NativeList::OpenAiResponses(each(named, |draft, name| match draft.takes {
                Takes::Text(grammar) => ResponsesTool::Custom(CustomTool {
                    name,
                    description: draft.description,
                    format: match grammar {
                        None => CustomFormat::Text,
                        Some(Grammar { syntax, definition }) => {
                            CustomFormat::Grammar { syntax, definition }
                        }
                    },
                }),
                Takes::Json { .. } => ResponsesTool::Function(function(draft, name)),
            }))
        }
        Dialect::Anthropic => NativeList::Anthropic(each(named, |draft, name| {
            let (description, input_schema, strict) = draft.json();
            AnthropicTool { name, description, input_schema, strict }
        })),
        Dialect::Gemini => NativeList::Gemini(each(named, |draft, name| {
            let (description, schema, _) = draft.json();
            let parameters_json_schema = Some(schema);
            GeminiFunction { name, description, parameters_json_schema, parameters: None }
        })),
        Dialect::GeminiLegacy => NativeList::Gemini(each(named, |draft, name| {
            let (description, schema, _) = draft.json();
            let parameters = Some(schema);
            GeminiFunction { name, description, parameters_json_schema: None, parameters }
        })),
        Dialect::Bedrock => NativeList::Bedrock(each(named, |draft, name| {
            let (description, json, strict) = draft.json();
            let description = Some(description).filter(|words| !words.is_empty());
            let input_schema = BedrockSchema { json };
            BedrockTool { tool_spec: BedrockToolSpec { name, description, input_schema, strict } }
        })),
        Dialect::Mcp => NativeList::Mcp(each(named, mcp_tool)),
    }
}

fn mcp_tool(draft: Draft<'_>, name: String) -> McpListedTool {
    let tool = draft.tool;
    let annotations = McpAnnotations::from(&tool.annotations);
    let said = annotations != McpAnnotations::default();
    let (description, input_schema, _) = draft.json();
    McpListedTool {
        name,
        title: tool.title.clone(),
        description: Some(description).filter(|words| !words.is_empty()),
        input_schema,
        output_schema: tool.output_schema.clone().filter(|schema| !is_deeper(schema, 100)),
        annotations: said.then_some(annotations),
        meta: tool
            .meta
            .iter()
            .filter(|(_, value)| !is_deeper(value, 100))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect::<Map<_, _>>(),
    }
}

/// The schema that stands for a free text.
fn schema_of_text(grammar: Option<&Grammar>, closed: bool) -> Arc<Value> {
    let definition = grammar.map_or("", |grammar| grammar.definition.as_str());
    let description = format!("{}{definition}", Grammar::lead(grammar));
    let schema = Arc::new(json!({
        "type": "object",
        "properties": {FREEFORM_PARAM: {"type": "string", "description": description}},
        "required": [FREEFORM_PARAM],
    }));
    if closed { self::closed(schema) } else { schema }
}

/// The schema with the word that no other arguments are taken, unless it says something about them.
fn closed(mut schema: Arc<Value>) -> Arc<Value> {
    if schema.get("additionalProperties").is_none()
        && let Some(root) = Arc::make_mut(&mut schema).as_object_mut()
    {
        root.insert("additionalProperties".to_owned(), false.into());
    }
    schema
}

/// A name on one line: what breaks lines is a blank.
fn one_line(name: &str) -> Cow<'_, str> {
    let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    match name.contains(breaks) {
        true => Cow::Owned(name.replace("\r\n", " ").replace(breaks, " ")),
        false => Cow::Borrowed(name),
    }
}
