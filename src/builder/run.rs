//! The line itself, step by step.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use once_cell::sync::OnceCell;
use tracing::Instrument as _;

use super::budgeting::{fitted, mark_cut};
use super::measure;
use super::native_order::native_order;
use super::reporting::{disabled, failed_matchers, placeholders, rules, told};
use super::teach::{native_tools, tools_section};
use super::tool_reports::ToolReports;
use super::toolset::offered;
use super::volatility::Watch;
use super::{BuildOptions, BuildState, InvisiblePolicy, Notes, TOOLS_SECTION};
use crate::budget::Rendered;
use crate::cleanup::Level;
use crate::component::{Component, ComponentCx, ComponentError};
use crate::condition::{ConditionCx, Reasons, panic_message};
use crate::context::PromptContext;
use crate::fingerprint::Fingerprint;
use crate::lint::{lint, tool_words};
use crate::model_id::LazyModelId;
use crate::overlay::Applied;
use crate::placeholder::{Layers, Standard, UnresolvedPolicy};
use crate::prompt::{BuiltSection, Prompt, TEMPLATE_SECTION, join};
use crate::registry::{Inner, Parts, Selection, Station, variant_ref};
use crate::report::{ComponentStatus, Report, ReportLevel};
use crate::text::{Change, Text};
use crate::tool::{EnabledTools, decide};
use crate::variant::Taught;
use promptline_diagnostic::Diagnostic;
use promptline_diagnostic::Id;
use promptline_diagnostic::words::listed;
use promptline_diagnostic::{Error, ErrorKind};
use promptline_tools::NativeOptions;

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
        let reasons = if quiet { Reasons::None } else { Reasons::OfNo };
        let conditions =
            || ConditionCx::new(cx, &inner.conditions, &model).variant(id).reasons(reasons);
        let taught = Taught::of(&assembled.variant, cx);
        let mcp = options.mcp_form.unwrap_or_else(|| taught.mcp(&assembled.variant));
        let offered = offered(assembled, taught, mcp, cx, &options, &notes);
        let counter = (!quiet).then_some(&inner.counter);
        let mut tool_reports = ToolReports::new(&notes, counter, offered.len());
        let tools = decide(&offered, conditions, |spec, verdict| tool_reports.judge(spec, verdict));
        let in_text = matches!(taught, Taught::Text(_));
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

        let mut watch = Watch::new(&options, cx);
        if let Taught::Text(dialect) = taught {
            let level = watch.tool_list(assembled);
            state.sections.extend(tools_section(
                dialect,
                &state,
                assembled,
                level,
                &options,
                &mut tool_reports,
            ));
        }
        if in_text && state.sections.is_empty() {
            watch.no_tool_list(assembled);
        }
        let dialect =
            options.dialect.unwrap_or_else(|| super::teach::dialect_of(&cx.model.provider, &model));
        let native = match taught {
            Taught::Native => {
                let mut form = NativeOptions::new(dialect);
                form.strict = options.strict;
                Some(native_tools(&state, &tools, &form, &mut tool_reports))
            }
            Taught::Text(_) | Taught::Nothing => None,
        };
        let mut components = Vec::with_capacity(if quiet { 0 } else { assembled.listed.len() + 2 });
        for station in &assembled.line {
            let (outcome, section) = run_component(station, &state, &watch, &options).await;
            if section.is_none() {
                watch.no_section(station);
            }
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
                let fitted = fitted(
                    budget,
                    last,
                    &mut state,
                    assembled,
                    native.as_ref(),
                    &inner.counter,
                    print,
                )?;
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
            counter: inner.counter.clone(),
            parted: OnceCell::new(),
            breaks: watch.breaks(assembled, &state),
            report: Report::new(variant_ref(&assembled.variant), reason, verdicts),
        };
        if options.fingerprint {
            let source = (&inner.hash, &prompt.variant, &options, cx.in_canonical_order());
            prompt.fingerprint = Some(Fingerprint::new(&source, &prompt.text));
        }
        if !quiet {
            components.extend(assembled.disabled.iter().map(disabled));
            measure::sections(&mut components, &prompt);
            let tool_reports = tool_reports.into_list();
            prompt.report.totals = Some(measure::totals(&prompt, &tools, &tool_reports));
            let levels = &inner.lints.levels;
            native_order(&prompt, &watch, assembled, &tool_reports, levels, &notes);
            measure::cache_order(&prompt, levels, &notes);
            prompt.report.components = components;
            prompt.report.placeholders = placeholders(assembled, &state.base_scope());
            prompt.report.unused = assembled.unused(cx);
            prompt.report.tools = tool_reports;
            prompt.report.rules = rules(cx, &inner.counter);
            if let Some(budget) = &budget {
                mark_cut(&mut prompt.report.components, &mut prompt.report.rules, budget);
            }
        }
        prompt.report.budget = budget;
        (prompt.report.diagnostics, prompt.report.unresolved) = told(&notes);
        let tool_words = (options.lint && !quiet)
            .then(|| tool_words(&tools, prompt.tools().is_none(), &state.scope(TOOLS_SECTION)));
        prompt.tools = tools;
        if let Some(tool_words) = tool_words {
            lint(&mut prompt, tool_words, &inner.lints, assembled, cx);
        }
        if options.unresolved == UnresolvedPolicy::Error && !prompt.report.unresolved.is_empty() {
            let names = listed(prompt.report.unresolved.iter().map(String::as_str));
            return Err(Error::new(ErrorKind::Unresolved, format!("nobody provides {names}"))
                .with_help("give them a value in the context, or a default in the pack"));
        }
        Ok(prompt)
    }
}

/// What became of a component, and why.
pub(super) struct Outcome {
    pub(super) status: ComponentStatus,
    pub(super) reason: Option<String>,
    /// The file of an overlay that changed it.
    pub(super) overlay: Option<Id>,
}

async fn run_component(
    station: &Station,
    state: &BuildState<'_>,
    watch: &Watch,
    options: &BuildOptions,
) -> (Outcome, Option<Arc<BuiltSection>>) {
    let id = &station.id;
    let overlay = Applied::to(station, state);
    let outcome = |status, reason| Outcome { status, reason, overlay: overlay.origin.cloned() };
    let none = |status, reason| (outcome(status, reason), None);
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
    overlay.diagnostics().for_each(|diagnostic| state.report(diagnostic));
    if let Some(by) = overlay.removed_by {
        return none(ComponentStatus::Removed, Some(format!("by {by}")));
    }
    let built = station.built.as_ref().filter(|_| watch.keeps(station));
    if let Some(built) = built.filter(|built| !built.text().is_blank()) {
        return (outcome(ComponentStatus::Rendered, None), Some(Arc::clone(built)));
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
    let own = match contained(|| station.own_volatility(component.as_ref())) {
        Ok(own) => own,
        Err(panic) => return failed(panic),
    };
    let volatility = watch.section(own, &text, station, component.as_ref(), state);
    let origin = overlay.origin.unwrap_or(&station.origin).clone();
    let section = BuiltSection::new(id.clone(), text, origin, volatility);
    (outcome(ComponentStatus::Rendered, None), Some(Arc::new(section)))
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
pub(super) fn finished(
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
    text.cleaned(level)
}
