//! Step 7, report: what a build says about itself, one function for each list.

use std::sync::Arc;

use super::fitting::mark_cut;
use super::measure;
use super::native_order::native_order;
use super::pipeline::Build;
use super::section::Outcome;
use super::volatility::Watch;
use crate::budget::BudgetReport;
use crate::component::BuildState;
use crate::context::{PromptContext, RulesVerdict, judge_rules};
use crate::notes::Notes;
use crate::placeholder::Scoped;
use crate::prompt::Prompt;
use crate::registry::{Asked, Assembled, Step};
use crate::report::ToolReport;
use crate::report::{
    ComponentReport, ComponentStatus, PlaceholderReport, RulesReport, RulesStatus, SectionCost,
};
use crate::tokens::Counter;
use crate::tool::EnabledTools;
use promptline_diagnostic::Diagnostic;
use promptline_diagnostic::Id;

/// What the steps before have found out.
pub(super) struct Findings {
    pub(super) components: Vec<ComponentReport>,
    pub(super) tool_reports: Vec<ToolReport>,
    pub(super) watch: Watch,
    pub(super) budget: Option<BudgetReport>,
}

/// Writes the report of a finished prompt; without a report only what went wrong, and the budget's.
pub(super) fn write_report(
    build: &Build<'_>,
    prompt: &mut Prompt,
    state: &BuildState<'_>,
    tools: &EnabledTools,
    findings: Findings,
) {
    let Build { inner, assembled, cx, notes, .. } = *build;
    let Findings { mut components, tool_reports, watch, budget } = findings;
    if !build.quiet() {
        components.extend(assembled.disabled.iter().map(disabled));
        measure::sections(&mut components, prompt);
        prompt.report.totals = Some(measure::totals(prompt, tools, &tool_reports));
        let levels = &inner.lints.levels;
        native_order(prompt, &watch, assembled, &tool_reports, levels, notes);
        measure::cache_order(prompt, levels, notes);
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
    (prompt.report.diagnostics, prompt.report.unresolved) = reported(notes);
}

impl Outcome {
    pub(super) fn report(self, step: &Step) -> ComponentReport {
        let Self { status, reason, overlay } = self;
        let origin = overlay.or_else(|| step.component.as_ref().map(|_| step.origin.clone()));
        let cost = SectionCost::default();
        ComponentReport { id: step.id.clone(), status, origin, reason, cost }
    }
}

fn disabled(id: &Id) -> ComponentReport {
    let status = ComponentStatus::Disabled;
    let cost = SectionCost::default();
    ComponentReport { id: id.clone(), status, origin: None, reason: None, cost }
}

/// Everything that was reported during the build, and the placeholders that nothing provides, by name.
fn reported(notes: &Notes) -> (Vec<Diagnostic>, Vec<String>) {
    let (mut diagnostics, unresolved) = notes.take();
    diagnostics.extend(unresolved.iter().map(|(name, user)| {
        let message = format!("nothing provides `{name}`, which `{user}` asks for");
        Diagnostic::warning("unresolved", message).about(name)
    }));
    let mut names: Vec<String> = unresolved.into_iter().map(|(name, _)| name).collect();
    names.dedup();
    (diagnostics, names)
}

/// Shared where it says what the first build said: then nothing is copied.
fn placeholders(assembled: &Assembled, scope: &Scoped<'_>) -> Arc<[PlaceholderReport]> {
    let found = || {
        let asked = assembled.asked().iter();
        asked.map(|asked| (asked, scope.providers(&asked.name, asked.possible)))
    };
    let report = |(asked, (layer, hid)): (&Asked, _)| PlaceholderReport {
        name: asked.name.clone(),
        layer,
        hid,
        used_in: Arc::clone(&asked.users),
    };
    let first = assembled.placeholder_reports.get_or_init(|| found().map(report).collect());
    let same = |(first, (_, (layer, hid))): (&PlaceholderReport, (_, (_, Vec<_>)))| {
        first.layer == layer && first.hid == hid
    };
    if first.iter().zip(found()).all(same) {
        return Arc::clone(first);
    }
    found().map(report).collect()
}

fn rules(cx: &PromptContext, counter: &Counter) -> Vec<RulesReport> {
    judge_rules(&cx.rules)
        .map(|(file, verdict)| RulesReport {
            path: file.path.clone(),
            status: match verdict {
                RulesVerdict::Used => RulesStatus::Used,
                RulesVerdict::SwitchedOff => RulesStatus::SwitchedOff,
                RulesVerdict::Blank => RulesStatus::Blank,
                RulesVerdict::Repeated => RulesStatus::Repeated,
            },
            bytes: file.text.len(),
            tokens: match verdict {
                RulesVerdict::Used => counter.count(&file.text),
                _ => 0,
            },
        })
        .collect()
}
