//! From the tools that a build offers to a list in a dialect.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::authored::{schema_of_params, schema_of_text};
use super::lists::{
    AnthropicTool, BedrockSchema, BedrockTool, BedrockToolSpec, CustomFormat, CustomTool,
    GeminiFunction, McpListedTool, NativeList, OpenAiFunction, OpenAiTool, ResponsesTool,
};
use super::names::{Wanted, assign};
use super::schema::{Converted, Unusable, convert};
use super::tables::{Limits, Profile, Tables, strict_profile, tables};
use super::{Dialect, Loss, NativeOptions, NativeTools, ToolNameMap, ToolRef, limits};
use crate::context::{McpAnnotations, is_deeper};
use crate::template::scope::Scope;
use crate::text::Text;
use crate::tool::{EnabledTool, EnabledTools, Grammar, ToolInput, ToolSpec};
use promptline_diagnostic::Diagnostic;
use promptline_diagnostic::Error;

/// Writes the tools in a dialect. A tool whose words cannot be rendered is left out; `failed` hears about
/// it. Whatever else there is to tell is in the result.
///
/// # Errors
/// The library's own tables cannot be read.
pub(crate) fn write_tools(
    tools: &EnabledTools,
    scope: &dyn Scope,
    options: &NativeOptions,
    mut failed: impl FnMut(&EnabledTool, Error),
) -> Result<NativeTools, Error> {
    let mut writer = Writer::new(tables()?, options)?;
    let mut drafts = Vec::with_capacity(tools.len());
    let mut seen = HashSet::with_capacity(tools.len());
    for tool in tools {
        let spec = tool.spec();
        if !seen.insert((spec.server.as_deref(), raw(spec))) {
            let message =
                format!("the tool `{}` is in the list twice; the second is left out", spec.id);
            writer.tell(Diagnostic::warning("tool-duplicate", message).about(&spec.id));
            continue;
        }
        match writer.draft(tool, scope) {
            Ok(draft) => drafts.extend(draft),
            Err(error) => failed(tool, error),
        }
    }
    Ok(writer.finish(drafts))
}

/// What a tool is called where it comes from; one of ours by its id.
fn raw(spec: &ToolSpec) -> &str {
    match spec.server {
        Some(_) => spec.raw_name(),
        None => &spec.id,
    }
}

/// A tool whose name is not yet known.
struct Draft<'a> {
    spec: &'a ToolSpec,
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
    losses: Vec<Loss>,
    told: Vec<Diagnostic>,
}

impl<'t> Writer<'t> {
    fn new(tables: &'t Tables, options: &NativeOptions) -> Result<Self, Error> {
        let dialect = options.dialect;
        let can = strict_profile(dialect).is_some();
        let strict = (options.strict && can).then(|| tables.profile(dialect, true)).transpose()?;
        let mut told = Vec::new();
        if options.strict && !can {
            let message = format!("{dialect} has no strict tools: they are sent without");
            told.push(Diagnostic::info("tool-strict", message));
        }
        Ok(Self {
            options: *options,
            tables,
            limits: tables.limits(dialect)?,
            base: tables.profile(dialect, false)?,
            strict,
            losses: Vec::new(),
            told,
        })
    }

    fn tell(&mut self, diagnostic: Diagnostic) {
        self.told.push(diagnostic);
    }

    fn lose(&mut self, spec: &ToolSpec, path: &str, keyword: &str, what: impl Into<String>) {
        self.losses.push(Loss::new(&spec.id, path, keyword, what));
    }

    /// `None` for a tool that is left out, which is told.
    fn draft<'a>(
        &mut self,
        tool: &'a EnabledTool,
        scope: &dyn Scope,
    ) -> Result<Option<Draft<'a>>, Error> {
        let spec = tool.spec();
        if spec.says_nothing() {
            let message = format!(
                "the tool `{}` is left out: it has neither a description nor parameters",
                spec.id
            );
            self.tell(Diagnostic::info("tool-empty", message).about(&spec.id));
            return Ok(None);
        }
        let description = self.described(tool, scope)?;
        if let (ToolInput::Freeform { grammar }, Dialect::OpenAiResponses) =
            (&spec.input, self.options.dialect)
        {
            return Ok(Some(Draft { spec, description, takes: Takes::Text(grammar.clone()) }));
        }
        let closed = self.base.closes_authored;
        let schema = match &spec.input {
            ToolInput::Params(params) => Arc::new(schema_of_params(tool, params, scope, closed)?),
            ToolInput::Schema(schema) => Arc::clone(schema),
            ToolInput::Freeform { grammar } => {
                self.lose(
                    spec,
                    "",
                    "input",
                    "the text is the parameter `input`: there are no free texts",
                );
                if grammar.is_some() {
                    let what = "said in the description of `input`: the provider does not hold the model to it";
                    self.lose(spec, "", "grammar", what);
                }
                Arc::new(schema_of_text(grammar.as_ref(), closed))
            }
        };
        Ok(self.takes(spec, &schema).map(|takes| Draft { spec, description, takes }))
    }

    /// What the tool does, with the lines of the parameters that are shown.
    fn described(&mut self, tool: &EnabledTool, scope: &dyn Scope) -> Result<String, Error> {
        let spec = tool.spec();
        let mut description = match self.options.dialect {
            // Whose tool it is, is known there.
            Dialect::Mcp => self.seen(spec, spec.description.rendered(scope)?),
            _ => self.seen(spec, spec.described(scope)?),
        };
        if let ToolInput::Params(params) = &spec.input {
            for (position, param) in params.iter().enumerate() {
                if tool.shows(position)
                    && let Some(note) = param.note(scope)?
                {
                    description.push('\n');
                    description.push_str(&note.to_string());
                }
            }
        }
        let Some((length, max)) = limits::too_long(&description, self.limits) else {
            return Ok(description);
        };
        let dialect = self.options.dialect;
        if self.options.cut_descriptions {
            let what = format!("cut: it has {length} characters, and {dialect} takes {max}");
            self.lose(spec, "", "description", what);
            return Ok(limits::cut(&description, max));
        }
        let message = format!(
            "the description of `{}` has {length} characters; {dialect} takes {max}",
            spec.id
        );
        let help = "shorten it, or have it cut (`NativeOptions::cut_descriptions`)";
        self.tell(Diagnostic::warning("tool-description", message).about(&spec.id).with_help(help));
        Ok(description)
    }

    /// The words as they are sent; characters in them that nobody sees are told.
    fn seen(&mut self, spec: &ToolSpec, words: Cow<'_, Text>) -> String {
        for (source, found) in words.clone().into_owned().check_invisible(false) {
            let message = format!("text from {source} holds characters that nobody sees: {found}");
            self.tell(Diagnostic::warning("invisible", message).about(&spec.id));
        }
        words.to_string()
    }

    /// The schema in the dialect. `None` for a tool that cannot be offered, which is told.
    fn takes(&mut self, spec: &ToolSpec, schema: &Arc<Value>) -> Option<Takes> {
        let strict = self.strict;
        let rule = self.limits.property_name.as_ref();
        let mut asked = strict.unwrap_or(self.base);
        let mut converted = convert(schema, asked, rule);
        if let Ok(Converted { not_strict: Some(why), .. }) = &converted {
            let what = format!("sent without: {why}");
            self.lose(spec, "", "strict", what);
            asked = self.base;
            converted = convert(schema, asked, rule);
        }
        let converted = match converted {
            Ok(converted) => converted,
            Err(Unusable(why)) => {
                let message = format!("the tool `{}` is left out: {why}", spec.id);
                let help = "it would make the provider refuse the whole list; mend the schema";
                self.tell(
                    Diagnostic::warning("tool-schema", message).about(&spec.id).with_help(help),
                );
                return None;
            }
        };
        let is_strict = asked.strict.is_some();
        self.losses.extend(
            converted
                .found
                .into_iter()
                .map(|found| Loss::new(&spec.id, &found.path, &found.keyword, found.what)),
        );
        let dialect = self.options.dialect;
        for name in &converted.refused_names {
            let name = name.escape_debug();
            let message = format!(
                "the tool `{}` has a property `{name}`: {dialect} refuses such a name",
                spec.id
            );
            let help = format!(
                "rename it where it comes from ({}, {})",
                self.limits.source, self.limits.as_of
            );
            self.tell(
                Diagnostic::warning("tool-property", message).about(&spec.id).with_help(help),
            );
        }
        for rule in &converted.root_rules {
            let message = format!(
                "the schema of the tool `{}` has `{rule}` at its root, which some models of {dialect} \
                 refuse",
                spec.id
            );
            self.tell(Diagnostic::warning("tool-root-rule", message).about(&spec.id));
        }
        if is_strict && let Some(limits) = &self.limits.strict {
            for what in limits::check_strict(&converted.schema, limits) {
                let message = format!(
                    "the schema of the tool `{}` is too large for strict {dialect}: {what}",
                    spec.id
                );
                let help = format!("{}, {}", limits.source, limits.as_of);
                self.told.push(
                    Diagnostic::warning("tool-limit", message).about(&spec.id).with_help(help),
                );
            }
        }
        Some(Takes::Json { schema: converted.schema, strict: is_strict })
    }

    /// Gives the tools their names and writes the list.
    fn finish(mut self, drafts: Vec<Draft<'_>>) -> NativeTools {
        let dialect = self.options.dialect;
        let wanted: Vec<Wanted<'_>> = drafts
            .iter()
            .map(|Draft { spec, .. }| Wanted {
                name: if dialect == Dialect::Mcp { spec.raw_name() } else { &spec.name },
                server: spec.server.as_deref(),
                raw: raw(spec),
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
                self.told.push(Diagnostic::warning("tool-renamed", message).about(&draft.spec.id));
            }
            let spec = draft.spec;
            let tool = ToolRef::new(spec.id.as_str(), spec.server.clone(), spec.raw_name());
            names.insert(name.as_ref(), tool);
        }
        let strict = drafts.iter().filter(|draft| draft.is_strict()).count();
        let named: Vec<(Draft<'_>, String)> =
            drafts.into_iter().zip(assigned.into_iter().map(Cow::into_owned)).collect();
        let list = list(dialect, named);
        let (limits, advice) = (self.limits, &self.tables.advice);
        limits::check_list(&list, dialect, strict, limits, advice, &mut self.told);
        NativeTools { dialect, list, names, losses: self.losses, diagnostics: self.told }
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
            Takes::Text(grammar) => (Arc::new(schema_of_text(grammar.as_ref(), false)), false),
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
    let spec = draft.spec;
    let annotations = McpAnnotations::from(&spec.annotations);
    let said = annotations != McpAnnotations::default();
    let (description, input_schema, _) = draft.json();
    McpListedTool {
        name,
        title: spec.title.clone(),
        description: Some(description).filter(|words| !words.is_empty()),
        input_schema,
        output_schema: spec.output_schema.clone().filter(|schema| !is_deeper(schema, 100)),
        annotations: said.then_some(annotations),
        meta: spec
            .meta
            .iter()
            .filter(|(_, value)| !is_deeper(value, 100))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect::<Map<_, _>>(),
    }
}
