//! The line itself, step by step.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use once_cell::sync::OnceCell;
use tracing::Instrument as _;

use super::budgeting::{fitted, mark_cut};
use super::reporting::{
    disabled, failed_matchers, judge_tool, mark_printed, placeholders, rules, told,
};
use super::toolset::offered;
use super::{BuildOptions, BuildState, InvisiblePolicy, Notes};
use crate::budget::Rendered;
use crate::cleanup::{Level, clean_skeleton};
use crate::component::{Component, ComponentCx, ComponentError, Volatility};
use crate::condition::{ConditionCx, panic_message};
use crate::context::PromptContext;
use crate::diagnostic::Diagnostic;
use crate::error::{Error, ErrorKind};
use crate::fingerprint::Fingerprint;
use crate::format::listed;
use crate::id::Id;
use crate::model_id::LazyModelId;
use crate::placeholder::{Layers, Standard, UnresolvedPolicy};
use crate::prompt::{BuiltSection, Prompt, TEMPLATE_SECTION, join};
use crate::registry::{Assembled, Inner, Parts, Selection, Station, variant_ref};
use crate::report::{ComponentStatus, Report, ReportLevel, ToolReport, ToolStatus};
use crate::text::{Change, Part, Splice, Text};
use crate::tool::native::{Dialect, NativeOptions, NativeTools};
use crate::tool::{EnabledTool, EnabledTools, decide, render_tools, write_tools};
use crate::variant::{Taught, TextDialect};

/// The id of the section that the library writes itself: the tool list.
pub(super) const TOOLS_SECTION: &str = "TOOLS_SECTION";

/// Builds prompts of one variant.
///
/// ```
/// use promptline::{BuildOptions, Pack, PromptContext, PromptRegistry};
/// # fn main() -> Result<(), promptline::Error> {
/// let registry = PromptRegistry::builder().pack(Pack::builtin()).build()?;
/// let prompt = registry
///     .prompt_builder("xs")?
///     .options(BuildOptions::new().fingerprint(true))
///     .build_blocking(&PromptContext::new("lmstudio", "qwen3-coder-30b"))?;
/// assert!(prompt.fingerprint().is_some());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
#[must_use = "call `build`"]
pub struct PromptBuilder<'r> {
    pub(super) inner: &'r Inner,
    pub(super) selection: Selection<'r>,
    pub(super) options: BuildOptions,
}

impl<'r> PromptBuilder<'r> {
    pub(crate) fn for_selection(inner: &'r Inner, selection: Selection<'r>) -> Self {
        Self { inner, selection, options: inner.options.clone() }
    }

    /// Sets the options.
    pub fn options(mut self, options: BuildOptions) -> Self {
        self.options = options;
        self
    }

    /// Builds the prompt for a request.
    ///
    /// # Errors
    /// A value of the context is nested too deep, the base template ran over a limit, the prompt is too
    /// large or does not fit its budget, or a placeholder is unresolved under
    /// [`UnresolvedPolicy::Error`].
    pub async fn build(self, cx: &PromptContext) -> Result<Prompt, Error> {
        self.build_fitting(cx).await
    }

    /// [`build`](Self::build) for callers without an async runtime.
    ///
    /// # Errors
    /// As [`build`](Self::build).
    pub fn build_blocking(self, cx: &PromptContext) -> Result<Prompt, Error> {
        pollster::block_on(self.build(cx))
    }

    /// `last`: nothing else is tried when the prompt does not fit its budget.
    pub(super) async fn run(self, cx: &PromptContext, last: bool) -> Result<Prompt, Error> {
        cx.check_depth()?;
        let Self { inner, selection, options } = self;
        let Parts { assembled, reason, verdicts, model, warnings } = selection.into_parts();
        let id = assembled.variant.id.as_str();
        let notes = Notes::new(options.unresolved);
        assembled.diagnostics.iter().for_each(|diagnostic| notes.report(diagnostic.clone()));
        failed_matchers(&verdicts, &notes);
        warnings.into_iter().for_each(|warning| notes.report(warning));

        // Which tools there are is decided first: everything else may ask.
        let quiet = options.report == ReportLevel::Off;
        let model = LazyModelId::new(&inner.models, &cx.model, model);
        let conditions =
            || ConditionCx::new(cx, &inner.conditions, &model).variant(id).quiet(quiet);
        let mut tool_reports = Vec::new();
        let taught = Taught::of(&assembled.variant, cx);
        let mcp = options.mcp_form.unwrap_or_else(|| taught.mcp(&assembled.variant));
        let offered = offered(assembled, taught, mcp, cx, &options, &notes);
        let tools = decide(&offered, conditions, |spec, verdict| {
            if let Some(report) = judge_tool(spec, verdict, &notes, quiet) {
                tool_reports.push(report);
            }
        });
        // Without a tool to offer there is no form to speak of.
        let taught = if tools.is_empty() { Taught::Nothing } else { taught };
        let conditions = conditions().tools(&tools);
        let layers = Layers {
            variant: &assembled.placeholders,
            standard: Standard::new(cx, id).listing(mcp),
            runtime: &cx.runtime,
            params: &cx.params,
            conditions: &conditions,
            tools: &tools,
            switches: &assembled.switches,
            taught,
            listed: &assembled.listed,
        };
        let mut state = BuildState {
            layers: &layers,
            context: cx,
            variant: id,
            sections: Vec::with_capacity(assembled.line.len() + 1),
            notes: &notes,
        };

        if let Taught::Text(dialect) = taught
            && let Some(section) =
                tools_section(dialect, &state, assembled, &tools, &options, &mut tool_reports)
        {
            state.sections.push(Arc::new(section));
        }
        let dialect = options.dialect.unwrap_or_else(|| Dialect::for_provider(&cx.model.provider));
        let native = match taught {
            Taught::Native => {
                let form = NativeOptions { dialect, strict: options.strict };
                Some(native_tools(&state, &tools, &form, &mut tool_reports)?)
            }
            Taught::Text(_) | Taught::Nothing => None,
        };
        let mut components = Vec::new();
        for station in &assembled.line {
            let (outcome, section) = run_component(station, &state, &options).await;
            state.sections.extend(section);
            if !quiet {
                components.push(outcome.report(station));
            }
        }

        let print = |state: &BuildState<'_>| -> Result<Rendered, Error> {
            let base = assembled.base.render_in(&state.base_scope())?;
            let base = finished(base, Level::Document, TEMPLATE_SECTION, state.notes, &options);
            Ok(Rendered { text: join(&base)?, base })
        };
        let (Rendered { base, text }, budget) = match options.budget {
            None => (print(&state)?, None),
            Some(budget) => {
                let fitted = fitted(budget, last, &mut state, assembled, native.as_ref(), print)?;
                (fitted.rendered, Some(fitted.report))
            }
        };

        let mut prompt = Prompt {
            variant: variant_ref(&assembled.variant),
            tools: EnabledTools::default(),
            dialect,
            native,
            tool_names: OnceCell::new(),
            fingerprint: None,
            text,
            base,
            base_origin: assembled.base_origin.clone(),
            sections: OnceCell::new(),
            report: Report::new(variant_ref(&assembled.variant), reason, verdicts),
        };
        if options.fingerprint {
            let source = (&inner.hash, &prompt.variant, &options, cx.in_canonical_order());
            prompt.fingerprint = Some(Fingerprint::new(&source, &prompt.text));
        }
        if !quiet {
            mark_printed(&mut components, &prompt);
            components.extend(assembled.disabled.iter().map(|id| disabled(id)));
            prompt.report.components = components;
            prompt.report.placeholders = placeholders(assembled, &state.base_scope());
            prompt.report.tools = tool_reports;
            prompt.report.rules = rules(cx);
            if let Some(budget) = &budget {
                mark_cut(&mut prompt.report.components, &mut prompt.report.rules, budget);
            }
        }
        prompt.report.budget = budget;
        (prompt.report.diagnostics, prompt.report.unresolved) = told(&notes);
        prompt.tools = tools;
        if options.unresolved == UnresolvedPolicy::Error && !prompt.report.unresolved.is_empty() {
            let names = listed(prompt.report.unresolved.iter().map(String::as_str));
            return Err(Error::new(ErrorKind::Unresolved, format!("nobody provides {names}"))
                .with_help("give them a value in the context, or a default in the pack"));
        }
        Ok(prompt)
    }
}

/// The tool list, which is a section like any other, but built before all components.
fn tools_section(
    dialect: TextDialect,
    state: &BuildState<'_>,
    assembled: &Assembled,
    tools: &EnabledTools,
    options: &BuildOptions,
    reports: &mut [ToolReport],
) -> Option<BuiltSection> {
    let text = render_tools(dialect, tools, &state.scope(TOOLS_SECTION), |tool, error| {
        tool_failed(tool, &error, state, reports);
    });
    let text = finished(text, Level::Section, TOOLS_SECTION, state.notes, options);
    (!text.is_blank()).then(|| {
        let origin = assembled.variant.origin.clone();
        // The tools of servers come and go with them.
        let of_server = tools.iter().any(|tool| tool.spec().server.is_some());
        let least = if of_server { Volatility::Conversation } else { Volatility::Static };
        let volatility = printed_volatility(&text).max(least);
        BuiltSection::new(Id::from(TOOLS_SECTION), text, origin, volatility)
    })
}

/// The tools in the dialect of the provider.
fn native_tools(
    state: &BuildState<'_>,
    tools: &EnabledTools,
    options: &NativeOptions,
    reports: &mut [ToolReport],
) -> Result<NativeTools, Error> {
    let native = write_tools(tools, &state.scope(TOOLS_SECTION), options, |tool, error| {
        tool_failed(tool, &error, state, reports);
    })?;
    native.diagnostics().iter().for_each(|diagnostic| state.report(diagnostic.clone()));
    for (name, tool) in native.names().iter() {
        if let Some(report) = reports.iter_mut().find(|report| report.id == tool.id) {
            report.name = name.to_owned();
        }
    }
    Ok(native)
}

fn tool_failed(
    tool: &EnabledTool,
    error: &Error,
    state: &BuildState<'_>,
    reports: &mut [ToolReport],
) {
    let id = &tool.spec().id;
    let message = format!("the tool `{id}` is left out: its words cannot be rendered: {error}");
    state.report(Diagnostic::warning("tool-failed", message).about(id));
    if let Some(report) = reports.iter_mut().find(|report| report.id == *id) {
        report.status = ToolStatus::Failed;
        report.reason = Some(error.to_string());
    }
}

/// What became of a component, and why.
pub(super) struct Outcome {
    pub(super) status: ComponentStatus,
    pub(super) reason: Option<String>,
}

async fn run_component(
    station: &Station,
    state: &BuildState<'_>,
    options: &BuildOptions,
) -> (Outcome, Option<Arc<BuiltSection>>) {
    let id = &station.id;
    let none = |status, reason| (Outcome { status, reason }, None);
    let Some(component) = &station.component else {
        let message = format!("the variant lists `{id}`, which nobody has registered");
        state.report(Diagnostic::warning("component-unknown", message).about(id.as_str()));
        return none(ComponentStatus::Unknown, None);
    };
    let failed = |what: String| {
        let message = format!("the component `{id}` is left out: {what}");
        state.report(Diagnostic::warning("component-failed", message).about(id.as_str()));
        none(ComponentStatus::Failed, Some(what))
    };
    let judged = contained(|| component.when().judge(state.layers.conditions));
    match judged.and_then(|judged| judged) {
        Err(what) => return failed(what),
        Ok(verdict) if !verdict.holds => {
            return none(ComponentStatus::Skipped, Some(verdict.reason));
        }
        Ok(_) => {}
    }
    if let Some(built) = station.built.as_ref().filter(|built| !built.text().is_blank()) {
        let outcome = Outcome { status: ComponentStatus::Rendered, reason: None };
        return (outcome, Some(Arc::clone(built)));
    }
    let cx = ComponentCx::new(id, state);
    let span = tracing::debug_span!("component", id = id.as_str());
    let text = match caught(component.as_ref(), &cx).instrument(span).await {
        Ok(Ok(text)) => text.unwrap_or_default(),
        Ok(Err(error)) => return failed(error.to_string()),
        Err(panic) => return failed(panic),
    };
    let text = finished(text, Level::Section, id, state.notes, options);
    if text.is_blank() {
        let required = match contained(|| component.required()) {
            Ok(required) => required,
            Err(panic) => return failed(panic),
        };
        if required {
            let message = format!("the component `{id}` is required, and has nothing to say");
            state.report(Diagnostic::warning("component-empty", message).about(id.as_str()));
        }
        return none(ComponentStatus::Empty, None);
    }
    let own = match contained(|| component.volatility()) {
        Ok(own) => own.unwrap_or(Volatility::Conversation),
        Err(panic) => return failed(panic),
    };
    // What a request brings is as volatile as the request, whatever name it came by, and whether it is
    // printed or only asked about.
    let scope = state.scope(id);
    let of_request = component.placeholders().iter().any(|name| scope.is_of_request(name));
    let own = if of_request { Volatility::Turn } else { own };
    let volatility = printed_volatility(&text).max(own);
    let section = BuiltSection::new(id.clone(), text, station.origin.clone(), volatility);
    (Outcome { status: ComponentStatus::Rendered, reason: None }, Some(Arc::new(section)))
}

/// A section is at least as volatile as the most volatile thing that came out in it.
fn printed_volatility(text: &Text) -> Volatility {
    let printed = text.parts().map(|part| match part {
        Part::Splice(Splice::Section(section)) => section.volatility(),
        Part::Splice(Splice::Verbatim(verbatim)) if verbatim.source().is_request() => {
            Volatility::Turn
        }
        Part::Splice(Splice::Verbatim(_)) | Part::Authored(_) => Volatility::Static,
    });
    printed.max().unwrap_or_default()
}

/// Asks the host's code; its panic is an answer.
pub(super) fn contained<T>(ask: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(ask)).map_err(|panic| panic_message(panic.as_ref()))
}

/// Runs a component; its panic is an answer.
async fn caught(
    component: &dyn Component,
    cx: &ComponentCx<'_>,
) -> Result<Result<Option<Text>, ComponentError>, String> {
    let mut future = contained(|| component.render(cx))?;
    poll_fn(|task| match contained(|| future.as_mut().poll(task)) {
        Ok(poll) => poll.map(Ok),
        Err(panic) => std::task::Poll::Ready(Err(panic)),
    })
    .await
}

/// Cleans a rendered text and reports what was changed or is odd in its verbatim parts.
fn finished(
    mut text: Text,
    level: Level,
    user: &str,
    notes: &Notes,
    options: &BuildOptions,
) -> Text {
    for note in text.take_notes() {
        let (code, what) = match note.change {
            Change::Noncharacters => ("noncharacters", "noncharacters were removed"),
            Change::LineBreaks => ("label-line-breaks", "line breaks or controls became blanks"),
            Change::Indented => ("listed-indented", "lines that look like structure were indented"),
        };
        let message = format!("{what} in text from {}: {}", note.source, note.count);
        notes.report(Diagnostic::info(code, message).about(user));
    }
    let strip = options.invisible == InvisiblePolicy::Strip;
    for (source, found) in text.check_invisible(strip) {
        notes.report(
            Diagnostic::warning(
                "invisible",
                format!("text from {source} holds characters that nobody sees: {found}"),
            )
            .about(source.as_str())
            .with_help(if strip {
                "tag characters and direction controls were removed"
            } else {
                "build with InvisiblePolicy::Strip to remove tag characters and direction controls"
            }),
        );
    }
    text.map_skeleton(|skeleton| clean_skeleton(skeleton, level))
}
