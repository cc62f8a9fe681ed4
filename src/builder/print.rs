//! Steps 4 to 6: the base template is printed, cleaned, and what it prints is spliced in; again with less
//! where a budget asks for it.

use super::fitting::{fit_budget, report_cuts};
use super::pipeline::Build;
use super::section::finished;
use crate::budget::{BudgetReport, Fitted, Rendered};
use crate::cleanup::Level;
use crate::component::BuildState;
use crate::id::TEMPLATE_SECTION;
use crate::prompt::join;
use promptline_diagnostic::Error;
use promptline_tools::NativeTools;

/// The finished text.
pub(super) struct Printed {
    pub(super) rendered: Rendered,
    /// What the budget took; none where there is no budget.
    pub(super) budget: Option<BudgetReport>,
}

/// `last`: required sections may be left out when nothing else is left.
pub(super) fn print(
    build: &Build<'_>,
    state: &mut BuildState<'_>,
    native: Option<&NativeTools>,
    last: bool,
) -> Result<Printed, Error> {
    let Some(budget) = build.options.budget else {
        return Ok(Printed { rendered: print_once(build, state)?, budget: None });
    };
    let Fitted { rendered, report } = fit_budget(build, budget, last, state, native)?;
    report_cuts(&report, build.notes);
    Ok(Printed { rendered, budget: Some(report) })
}

/// One pass: print, clean, splice.
pub(super) fn print_once(build: &Build<'_>, state: &BuildState<'_>) -> Result<Rendered, Error> {
    let printed = build.assembled.base.render_in(&state.base_scope())?;
    let base = finished(printed, Level::Document, TEMPLATE_SECTION, state.notes, build.options);
    Ok(Rendered { text: join(&base)?, base })
}
