//! Step 3, sections: runs one component. Its error or panic costs its own section, and nothing else.

use std::future::poll_fn;
use std::sync::Arc;

use tracing::Instrument as _;

use super::volatility::Watch;
use crate::cleanup::Level;
use crate::component::{BuildState, Component, ComponentCx};
use crate::error::{ComponentError, contained};
use crate::notes::Notes;
use crate::options::{BuildOptions, InvisiblePolicy};
use crate::overlay::Applied;
use crate::registry::Step;
use crate::report::ComponentStatus;
use crate::text::{BuiltSection, Change, Text};
use promptline_diagnostic::{Diagnostic, Id};

/// What became of a component, and why.
pub(super) struct Outcome {
    pub(super) status: ComponentStatus,
    pub(super) reason: Option<String>,
    /// The file of an overlay that changed it.
    pub(super) overlay: Option<Id>,
}

pub(super) async fn run_component(
    step: &Step,
    state: &BuildState<'_>,
    watch: &Watch,
    options: &BuildOptions,
) -> (Outcome, Option<Arc<BuiltSection>>) {
    let id = &step.id;
    let edits = step.edits.as_ref();
    let overlay = edits.map_or_else(Applied::default, |edits| edits.applied(state.conditions()));
    let outcome = |status, reason| Outcome { status, reason, overlay: overlay.origin.cloned() };
    let none = |status, reason| (outcome(status, reason), None);
    let Some(component) = &step.component else {
        let message = format!("the variant lists `{id}`, which is not registered");
        state.report(Diagnostic::warning("component-unknown", message).about(id.as_str()));
        return none(ComponentStatus::Unknown, None);
    };
    let failed = |what: String| {
        let message = format!("the component `{id}` is left out: {what}");
        state.report(Diagnostic::warning("component-failed", message).about(id.as_str()));
        none(ComponentStatus::Failed, Some(what))
    };
    match component.when().judge(state.layers.conditions) {
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
    // Built once for all requests. A blank one goes the usual way, which reports why it is empty.
    let built = step.built.as_ref().filter(|_| watch.keeps(step));
    if let Some(built) = built.filter(|built| !built.text().is_blank()) {
        return (outcome(ComponentStatus::Rendered, None), Some(Arc::clone(built)));
    }
    let cx = ComponentCx::new(id, state);
    let span = tracing::debug_span!("component", id = id.as_str());
    let text = match component.fixed_text() {
        Some(fixed) => fixed.clone(),
        None => match caught(component.component(), &cx).instrument(span).await {
            Ok(Ok(text)) => text.unwrap_or_default(),
            Ok(Err(error)) => return failed(error.to_string()),
            Err(panic) => return failed(panic),
        },
    };
    let text = finished(text, Level::Section, id, state.notes, options);
    if text.is_blank() {
        if component.required() {
            let message = format!("the component `{id}` is required, and has nothing to say");
            state.report(Diagnostic::warning("component-empty", message).about(id.as_str()));
        }
        return none(ComponentStatus::Empty, None);
    }
    let own = step.own_volatility(component);
    let volatility = watch.section(own, &text, step, component, state);
    let origin = overlay.origin.unwrap_or(&step.origin).clone();
    let section = BuiltSection::new(id.clone(), text, origin, volatility);
    (outcome(ComponentStatus::Rendered, None), Some(Arc::new(section)))
}

/// Runs a component; its panic is an answer.
async fn caught(
    component: &dyn Component,
    cx: &ComponentCx<'_>,
) -> Result<Result<Option<Text>, ComponentError>, String> {
    // Making the future runs host code already, so it can panic before the first poll.
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
                format!("text from {source} holds invisible characters: {found}"),
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
