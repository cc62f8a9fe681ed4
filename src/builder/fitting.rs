//! The budget's part of printing: what components say about their sections, and what the report says
//! about what was taken.

use std::collections::BTreeMap;

use super::pipeline::Build;
use super::print::print_once;
use crate::budget::{
    Budget, BudgetReport, Fit, Fitted, Rendered, Said, SectionBudget, SectionCut, fit,
};
use crate::component::BuildState;
use crate::id::TOOLS_SECTION;
use crate::notes::Notes;
use crate::prompt::tokens;
use crate::registry::Step;
use crate::report::{ComponentReport, ComponentStatus, RulesReport, RulesStatus};
use crate::text::one_line;
use promptline_diagnostic::Diagnostic;
use promptline_diagnostic::Error;
use promptline_tools::NativeTools;

/// The text as it fits. `last`: required sections may be left out when nothing else is left.
pub(super) fn fit_budget(
    build: &Build<'_>,
    budget: Budget,
    last: bool,
    state: &mut BuildState<'_>,
    native: Option<&NativeTools>,
) -> Result<Fitted, Error> {
    let counter = &build.inner.counter;
    let count = |text: &str| counter.count(text);
    let notes = build.notes;
    let reported = notes.reported();
    let rendered = print_once(build, state)?;
    let tools = native.filter(|native| !native.is_empty());
    let wanted = Fit {
        variant: state.variant,
        available: budget.available(),
        tools: tools.map_or(0, |native| count(&native.to_json())),
        required: last,
        count: &count,
        cost: &|rendered: &Rendered| tokens(&rendered.base, &rendered.text, counter),
        marks: &build.assembled.truncation_notice,
    };
    let sections = state.sections.clone();
    let said = || {
        let steps = build.assembled.pipeline.iter();
        let steps: BTreeMap<&str, &Step> = steps.map(|step| (step.id.as_str(), step)).collect();
        let ids = sections.iter().map(|section| section.id().as_str());
        ids.map(|id| said(id, steps.get(id).copied())).collect()
    };
    let fitted = fit(wanted, rendered, &sections, said, |sections| {
        notes.forget_since(reported);
        state.sections = sections;
        print_once(build, state)
    })?;
    Ok(fitted)
}

/// Reports what the budget took.
pub(super) fn report_cuts(report: &BudgetReport, notes: &Notes) {
    report.cuts.iter().for_each(|cut| report_cut(cut, notes));
}

fn said(id: &str, step: Option<&Step>) -> Said {
    let pinned = || Said { budget: SectionBudget::new().with_pinned(true), ..Said::default() };
    // What is offered must be said.
    if id == TOOLS_SECTION {
        return pinned();
    }
    let Some(component) = step.and_then(|step| step.component.as_ref()) else {
        return pinned();
    };
    let meta = component.meta();
    Said { priority: meta.priority, required: meta.required, budget: meta.budget.clone() }
}

fn report_cut(cut: &SectionCut, notes: &Notes) {
    let SectionCut { id, dropped, before, after, .. } = cut;
    let diagnostic = if *dropped {
        let message = format!("the section `{id}` ({before} tokens) is left out to fit the budget");
        Diagnostic::warning("budget-dropped", message)
    } else {
        let message = format!(
            "the section `{id}` is shortened from {before} to {after} tokens to fit the budget"
        );
        Diagnostic::warning("budget-cut", message)
    };
    notes.report(diagnostic.about(id.as_str()));
    for file in &cut.rules {
        let (code, what) = match file.dropped {
            true => ("budget-dropped", "left out"),
            false => ("budget-cut", "shortened"),
        };
        let message = format!("the rules file `{}` is {what} to fit the budget", file.path);
        notes.report(Diagnostic::warning(code, message).about(&file.path));
    }
}

/// Says of each component and each rules file what was taken of it.
pub(super) fn mark_cut(
    components: &mut [ComponentReport],
    rules: &mut [RulesReport],
    report: &BudgetReport,
) {
    // Both lists are in the order in which the components ran.
    let mut cuts = report.cuts.iter().peekable();
    for component in components {
        let Some(cut) = cuts.next_if(|cut| *cut.id == *component.id) else { continue };
        let SectionCut { dropped, before, after, .. } = cut;
        component.status = ComponentStatus::Cut;
        component.reason = Some(match dropped {
            true => format!("dropped: the budget has no room for its {before} tokens"),
            false => format!("shortened from {before} to {after} tokens"),
        });
    }
    let cuts = report.cuts.iter().flat_map(|cut| &cut.rules);
    let cuts: BTreeMap<&str, bool> = cuts.map(|cut| (cut.path.as_str(), cut.dropped)).collect();
    for file in rules.iter_mut().filter(|file| file.status == RulesStatus::Used) {
        // A source is one line.
        match cuts.get(one_line(&file.path).0.as_ref()) {
            Some(true) => file.status = RulesStatus::Dropped,
            Some(false) => file.status = RulesStatus::Cut,
            None => {}
        }
    }
}
