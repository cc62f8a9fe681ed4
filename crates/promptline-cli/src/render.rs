//! `promptline render`.

use std::path::Path;
use std::sync::Arc;

use promptline::{
    Budget, BuildOptions, Diagnostic, Dialect, NativeTools, Prompt, PromptContext,
    PromptRegistryBuilder, Report,
    context::SeenFile,
    prompt::{CachePlan, Fingerprint, Section, VariantRef},
    tools::ToolNameMap,
};
use promptline_params::Generation;
use serde::Serialize;
use serde_json::Value;

use crate::args::{CacheArgs, Format, RenderArgs, RenderVerb};
use crate::output::{Failure, Output};

/// `render --format json`.
#[derive(Serialize)]
struct Rendered<'a> {
    text: &'a str,
    variant: &'a VariantRef,
    sections: &'a [Section],
    /// In the provider's format; null when they are in the prompt's text.
    tools: Option<Value>,
    tool_names: &'a ToolNameMap,
    fingerprint: Option<&'a Fingerprint>,
    report: &'a Report,
    /// The files of the project that were seen; null when a context file said everything.
    detected: Option<&'a [SeenFile]>,
    /// The generation of the parameters that the packs declare.
    #[serde(skip_serializing_if = "Option::is_none")]
    params: Option<&'a Generation>,
}

/// What a prompt is built from, and how it came about.
struct Request {
    context: PromptContext,
    notes: Vec<Diagnostic>,
    detected: Option<Vec<SeenFile>>,
    params: Option<Arc<Generation>>,
}

/// A prompt, and what it was asked for with.
pub(crate) struct Built {
    pub(crate) prompt: Prompt,
    pub(crate) context: PromptContext,
    pub(crate) notes: Vec<Diagnostic>,
    pub(crate) detected: Option<Vec<SeenFile>>,
    pub(crate) params: Option<Arc<Generation>>,
}

pub(crate) fn run(
    registry: PromptRegistryBuilder,
    args: &RenderVerb,
    output: &mut Output,
) -> Result<(), Failure> {
    let RenderVerb { render: args, cache } = args;
    let plan = cache.plan(args.format)?;
    let json = args.json || args.format == Format::Json;
    let Built { prompt, notes, detected, params, .. } =
        build(registry, args, |options| options.with_fingerprint(json))?;
    Output::warn(notes.iter().chain(&prompt.report().diagnostics));
    if args.format.dialect().is_some() {
        Output::warn(&prompt.cache_notes(&plan));
        return output.json(&prompt.request_with(&plan));
    }
    if json {
        write_json(&prompt, detected.as_deref(), params.as_deref(), output)
    } else {
        output.line(prompt.text())
    }
}

impl CacheArgs {
    /// Where marks go. A flag that could do nothing is a mistake.
    fn plan(&self, format: Format) -> Result<CachePlan, Failure> {
        let Self { cache_marks, cache_ttl, cache_shortest, cache_tools } = self;
        let said = cache_marks.is_some()
            || cache_ttl.is_some()
            || cache_shortest.is_some()
            || *cache_tools;
        if said && !matches!(format.dialect(), Some(Dialect::Anthropic | Dialect::Bedrock)) {
            return Err(Failure::Said(
                "marks for a cache go into a request, and this format has none\nhelp: add --format \
                 anthropic or --format bedrock; other providers cache by themselves"
                    .to_owned(),
            ));
        }
        let mut plan = CachePlan::new().with_tools(*cache_tools);
        if let Some(marks) = cache_marks {
            plan = plan.with_marks(usize::from(*marks));
        }
        if let Some((first, conversation)) = cache_ttl {
            plan = plan.with_static_ttl(*first).with_conversation_ttl(*conversation);
        }
        if let Some(tokens) = cache_shortest {
            plan = plan.with_shortest(*tokens);
        }
        Ok(plan)
    }
}

/// Builds what the flags ask for.
pub(crate) fn build(
    registry: PromptRegistryBuilder,
    args: &RenderArgs,
    with: impl FnOnce(BuildOptions) -> BuildOptions,
) -> Result<Built, Failure> {
    let registry = args.tokens.of(registry)?;
    let registry = crate::registry(registry, &args.request.pack, &args.request.overlay)?;
    let Request { mut context, notes, detected, params } = request(args)?;
    let mut options = with(BuildOptions::new().with_strict(args.strict));
    if let Some(tokens) = args.budget {
        options = options.with_budget(Budget::tokens(tokens).with_reserve(args.reserve));
    }
    if let Some(dialect) = args.format.dialect() {
        // Who asks for a request asks for its tools.
        context = context.with_flag("native_tools");
        options = options.with_dialect(dialect);
    }
    let prompt = registry.build_blocking_with(&context, &options)?;
    Ok(Built { prompt, context, notes, detected, params })
}

fn write_json(
    prompt: &Prompt,
    detected: Option<&[SeenFile]>,
    params: Option<&Generation>,
    output: &mut Output,
) -> Result<(), Failure> {
    let rendered = Rendered {
        text: prompt.text(),
        variant: prompt.variant(),
        sections: prompt.sections(),
        tools: prompt.tools().map(NativeTools::to_value),
        tool_names: prompt.tool_names(),
        fingerprint: prompt.fingerprint(),
        report: prompt.report(),
        detected,
        params,
    };
    let json = serde_json::to_string_pretty(&rendered)
        .map_err(|error| Failure::Said(error.to_string()))?;
    output.line(json)
}

/// The context file, else what the machine and the project say; then what the flags say.
fn request(args: &RenderArgs) -> Result<Request, Failure> {
    let (mut context, mut notes, detected) = match &args.context {
        Some(file) => (read_context(file)?, Vec::new(), None),
        None => {
            let detected = args.project.detect(&args.cwd)?;
            (detected.context, detected.notes, Some(detected.files))
        }
    };
    if let Some(provider) = &args.request.provider {
        context.model.provider.clone_from(provider);
    }
    if let Some(model) = &args.model {
        context.model.id.clone_from(model);
    }
    if args.request.model_is.is_some() {
        context.model.hint.clone_from(&args.request.model_is);
    }
    context.model.window = args.request.window.or(context.model.window);
    if args.variant.is_some() {
        context.variant.clone_from(&args.variant);
    }
    if args.context.is_some() {
        context.files.extend_from_slice(args.project.files());
    }
    if args.mode.is_some() {
        context.mode.clone_from(&args.mode);
    }
    if args.date.is_some() {
        context.date.clone_from(&args.date);
    }
    for flag in &args.request.flag {
        context.flags.insert(flag);
    }
    for (name, value) in &args.set {
        context = context.with_runtime(name, value.as_str());
    }
    let params = crate::params::generation(&args.request.pack, &args.params)?;
    for (name, value) in params.iter().flat_map(|generation| generation.values()) {
        context = context.with_param(name, value.clone());
    }
    for (name, value) in &args.param {
        let value = serde_json::from_str(value).unwrap_or_else(|_| Value::from(value.as_str()));
        context = context.with_param(name, value);
    }
    if context.model.id.is_empty() && context.variant.is_none() {
        notes.push(
            Diagnostic::warning("no-model", "no model is given, so the fallback variant is likely")
                .with_help("add --provider NAME --model ID"),
        );
    }
    Ok(Request { context, notes, detected, params })
}

pub(crate) fn read_context(file: &Path) -> Result<PromptContext, Failure> {
    let (shown, text) = if file == Path::new("-") {
        ("stdin".to_owned(), crate::clean::stdin()?)
    } else {
        let shown = file.display().to_string();
        let text = std::fs::read_to_string(file)
            .map_err(|error| Failure::Said(format!("{shown}: the file cannot be read: {error}")))?;
        (shown, text)
    };
    Ok(PromptContext::from_json(&shown, &text)?)
}
