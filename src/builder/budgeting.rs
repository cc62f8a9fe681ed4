//! The budget's place on the line: what components say about their sections, and what the report says
//! about what was taken.

use std::collections::BTreeMap;

use smallvec::SmallVec;
use tracing::Instrument as _;

use super::run::contained;
use super::{BuildState, Notes, PromptBuilder, TOOLS_SECTION};
use crate::budget::{
    Budget, BudgetReport, Fit, Fitted, Rendered, Said, SectionBudget, SectionCut, fit,
};
use crate::context::PromptContext;
use crate::prompt::{Prompt, tokens};
use crate::registry::{Assembled, Station};
use crate::report::{ComponentReport, ComponentStatus, RulesReport, RulesStatus};
use crate::text::one_line;
use crate::tokens::Counter;
use promptline_diagnostic::Diagnostic;
use promptline_diagnostic::{Error, ErrorKind};
use promptline_tools::NativeTools;

/// The text as it fits. `required`: required sections may be left out when nothing else is left; `print`
/// prints the base template with the sections of a state.
pub(super) fn fitted(
    budget: Budget,
    required: bool,
    state: &mut BuildState<'_>,
    assembled: &Assembled,
    native: Option<&NativeTools>,
    counter: &Counter,
    print: impl Fn(&BuildState<'_>) -> Result<Rendered, Error>,
) -> Result<Fitted, Error> {
    let count = |text: &str| counter.count(text);
    let notes = state.notes;
    let told = notes.told();
    let rendered = print(state)?;
    let tools = native.filter(|native| !native.is_empty());
    let wanted = Fit {
        variant: state.variant,
        available: budget.available(),
        tools: tools.map_or(0, |native| count(&native.to_json())),
        required,
        count: &count,
        cost: &|rendered: &Rendered| tokens(&rendered.base, &rendered.text, counter),
        marks: &assembled.cut_marks,
    };
    let sections = state.sections.clone();
    let mut silent = Vec::new();
    let said = || {
        let line = assembled.line.iter();
        let line: BTreeMap<&str, &Station> = line.map(|at| (at.id.as_str(), at)).collect();
        let ids = sections.iter().map(|section| section.id().as_str());
        ids.map(|id| said(id, line.get(id).copied(), &mut silent)).collect()
    };
    let fitted = fit(wanted, rendered, &sections, said, |sections| {
        notes.forget_since(told);
        state.sections = sections;
        print(state)
    })?;
    silent.into_iter().for_each(|diagnostic| notes.report(diagnostic));
    fitted.report.cuts.iter().for_each(|cut| tell(cut, notes));
    Ok(fitted)
}

impl<'r> PromptBuilder<'r> {
    /// Builds the variant, and where it does not fit its budget the one that it names as its compact
    /// form.
    pub(super) async fn build_fitting(self, cx: &PromptContext) -> Result<Prompt, Error> {
        let mut builder = self;
        let mut tried: SmallVec<[&str; 4]> = SmallVec::new();
        loop {
            let id = builder.selection.variant().id();
            tried.push(id);
            let compact = builder.compact(&tried);
            let span = tracing::debug_span!("build", variant = id);
            match (builder.run(cx, compact.is_none()).instrument(span).await, compact) {
                (Err(error), Some(compact)) if error.kind() == ErrorKind::Budget => {
                    builder = compact;
                }
                (built, _) => return built,
            }
        }
    }

    /// The builder of the variant that is tried when this one does not fit its budget, unless it was
    /// tried.
    fn compact(&self, tried: &[&str]) -> Option<PromptBuilder<'r>> {
        self.options.budget?;
        let id = self.selection.variant().compact();
        let id = id.filter(|id| !tried.contains(id))?;
        let selection = self.selection.clone().compact(self.inner, id)?;
        Some(Self { inner: self.inner, selection, options: self.options.clone() })
    }
}

fn said(id: &str, station: Option<&Station>, silent: &mut Vec<Diagnostic>) -> Said {
    let pinned = || Said { budget: SectionBudget::new().pinned(true), ..Said::default() };
    // What is offered must be said.
    if id == TOOLS_SECTION {
        return pinned();
    }
    let Some(component) = station.and_then(|station| station.component.as_ref()) else {
        return pinned();
    };
    let said = contained(|| Said {
        priority: component.priority(),
        required: component.required(),
        budget: component.budget(),
    });
    said.unwrap_or_else(|panic| {
        let message =
            format!("the component `{id}` does not say what a budget may do to it: {panic}");
        let help = "its section is not touched";
        silent.push(Diagnostic::warning("component-failed", message).about(id).with_help(help));
        pinned()
    })
}

fn tell(cut: &SectionCut, notes: &Notes) {
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
