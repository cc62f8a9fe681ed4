//! The pipeline of a build, in one place. Each step is a function whose output is an input of the next:
//!
//! ```text
//! selection ─► offer ─► layers ─► sections ─► print ─► clean ─► splice ─► Prompt ─► report
//!              tools    values    written     skeleton          text
//! ```
//!
//! A build reads the registry and writes nothing but its own prompt.

use once_cell::sync::OnceCell;
use std::borrow::Cow;

use super::offer::{Offer, offer_tools};
use super::over_window::over_window;
use super::print::{Printed, print};
use super::report::{Findings, write_report};
use super::sections::{Written, write_sections};
use crate::component::BuildState;
use crate::condition::{ConditionCx, Reasons};
use crate::context::PromptContext;
use crate::fingerprint::Fingerprint;
use crate::id::TOOLS_SECTION;
use crate::lint::{lint, tool_words};
use crate::model_id::LazyModelId;
use crate::notes::{Notes, UnresolvedPolicy};
use crate::options::BuildOptions;
use crate::placeholder::{Layers, Standard};
use crate::prompt::{CacheLimits, Prompt};
use crate::registry::{Assembled, Inner, Parts, Selection, variant_ref};
use crate::report::{MatcherVerdict, Report, ReportLevel};
use crate::tokens::Counter;
use crate::tool::EnabledTools;
use promptline_diagnostic::Diagnostic;
use promptline_diagnostic::words::listed;
use promptline_diagnostic::{Error, ErrorKind};

/// What every step of a build can read.
pub(super) struct Build<'b> {
    pub(super) inner: &'b Inner,
    pub(super) assembled: &'b Assembled,
    pub(super) options: &'b BuildOptions,
    pub(super) cx: &'b PromptContext,
    pub(super) model: &'b LazyModelId<'b>,
    pub(super) notes: &'b Notes,
}

impl<'b> Build<'b> {
    /// There is no report: only what went wrong is kept.
    pub(super) fn quiet(&self) -> bool {
        self.options.report == ReportLevel::Off
    }

    /// Counts tokens for the report.
    pub(super) fn counter(&self) -> Option<&'b Counter> {
        (!self.quiet()).then_some(&self.inner.counter)
    }

    pub(super) fn variant(&self) -> &'b str {
        self.assembled.variant.id.as_str()
    }

    /// What conditions are judged by, before it is known which tools there are.
    pub(super) fn conditions(&self) -> ConditionCx<'b> {
        let reasons = if self.quiet() { Reasons::None } else { Reasons::OfNo };
        ConditionCx::new(self.cx, &self.inner.conditions, self.model)
            .variant(self.variant())
            .reasons(reasons)
    }
}

/// Builds one variant. `last`: no other variant is tried when the prompt does not fit its budget.
pub(super) async fn run(
    inner: &Inner,
    selection: Selection<'_>,
    options: &BuildOptions,
    cx: &PromptContext,
    last: bool,
) -> Result<Prompt, Error> {
    cx.check_depth()?;
    let Parts { assembled, reason, verdicts, model, warnings } = selection.into_parts();
    let notes = Notes::new(options.unresolved);
    assembled.diagnostics.iter().for_each(|diagnostic| notes.report(diagnostic.clone()));
    failed_matchers(&verdicts, &notes);
    warnings.into_iter().for_each(|warning| notes.report(warning));
    let model = LazyModelId::new(&inner.models, &cx.model, model);
    let build = Build { inner, assembled, options, cx, model: &model, notes: &notes };

    // Which tools there are is decided first: everything else may ask.
    let Offer { tools, delivery, in_text, mcp, mut tool_reports } = offer_tools(&build);
    let conditions = build.conditions().tools(&tools);
    let layers = Layers {
        variant: &assembled.placeholders,
        standard: Standard::new(cx, build.variant()).listing(mcp),
        runtime: &cx.runtime,
        params: &cx.params,
        conditions: &conditions,
        tools: &tools,
        switches: &assembled.switches,
        delivery,
        known_sections: &assembled.known_sections,
        helpers: &inner.helpers,
    };
    let mut state = BuildState {
        layers: &layers,
        context: cx,
        variant: build.variant(),
        sections: Vec::with_capacity(assembled.pipeline.len() + 1),
        notes: &notes,
    };
    let Written { native, dialect, watch, components } =
        write_sections(&build, &mut state, in_text, &mut tool_reports).await?;
    let Printed { rendered, budget } = print(&build, &mut state, native.as_ref(), last)?;

    let mut prompt = Prompt {
        variant: variant_ref(&assembled.variant),
        // Moved in at the end: the scope of the sections still borrows them.
        tools: EnabledTools::default(),
        dialect,
        cache_limits: CacheLimits::of_lazy(dialect, || build.model.get()),
        native,
        tool_names: OnceCell::new(),
        fingerprint: None,
        text: rendered.text,
        base: rendered.base,
        base_origin: assembled.base_origin.clone(),
        counter: inner.counter.clone(),
        parted: OnceCell::new(),
        breaks: watch.breaks(assembled, &state),
        report: Report::new(variant_ref(&assembled.variant), reason, verdicts),
    };
    if options.fingerprint {
        // Where a server was registered is no input, unless a template shows it.
        let cx = match assembled.keeps_order() {
            true => Cow::Borrowed(cx),
            false => Cow::Owned(cx.in_canonical_order()),
        };
        let source = (&inner.hash, &prompt.variant, &options, cx);
        prompt.fingerprint = Some(Fingerprint::new(&source, &prompt.text));
    }
    over_window(&prompt, cx.model.window).into_iter().for_each(|warning| notes.report(warning));
    let tool_reports = tool_reports.into_list();
    let findings = Findings { components, tool_reports, watch, budget };
    write_report(&build, &mut prompt, &state, &tools, findings);
    // Before the tools are moved: their words are rendered in a scope that borrows them.
    let words = (options.lint && !build.quiet())
        .then(|| tool_words(&tools, prompt.tools().is_none(), &state.scope(TOOLS_SECTION)));
    prompt.tools = tools;
    if let Some(words) = words {
        lint(&mut prompt, words, &inner.lints, &assembled.variant, &assembled.tools, cx);
    }
    refuse_unresolved(options, &prompt)?;
    Ok(prompt)
}

fn failed_matchers(verdicts: &[MatcherVerdict], notes: &Notes) {
    for MatcherVerdict { variant, reason, .. } in verdicts.iter().filter(|verdict| verdict.failed) {
        let message = format!("the matcher of `{}` failed: {reason}", variant.id);
        notes.report(Diagnostic::warning("matcher-failed", message).about(variant.id.as_str()));
    }
}

/// Under [`UnresolvedPolicy::Error`] a prompt with a gap is none.
fn refuse_unresolved(options: &BuildOptions, prompt: &Prompt) -> Result<(), Error> {
    let unresolved = &prompt.report.unresolved;
    if options.unresolved != UnresolvedPolicy::Error || unresolved.is_empty() {
        return Ok(());
    }
    let names = listed(unresolved.iter().map(String::as_str));
    let error = Error::new(ErrorKind::Unresolved, format!("nothing provides {names}"));
    Err(error.with_help("give them a value in the context, or a default in the pack"))
}
