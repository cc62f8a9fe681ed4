//! What a build says about itself: one function for each list of the report.

use std::sync::Arc;

use super::Notes;
use super::run::Outcome;
use crate::context::{PromptContext, RulesVerdict, judge_rules};
use crate::diagnostic::Diagnostic;
use crate::placeholder::Scoped;
use crate::prompt::Prompt;
use crate::registry::{Asked, Assembled, Station};
use crate::report::{
    ComponentReport, ComponentStatus, MatcherVerdict, PlaceholderReport, RulesReport, RulesStatus,
    ToolReport, ToolStatus,
};
use crate::tool::{ToolSpec, ToolVerdict};

/// Notes what failed; the report is for those who read one.
pub(super) fn judge_tool(
    spec: &ToolSpec,
    verdict: ToolVerdict,
    notes: &Notes,
    quiet: bool,
) -> Option<ToolReport> {
    let (status, reason) = match verdict {
        ToolVerdict::Enabled => (ToolStatus::Enabled, None),
        ToolVerdict::Skipped(reason) => (ToolStatus::Skipped, Some(reason)),
        ToolVerdict::Failed(what) => {
            let message =
                format!("the tool `{}` is left out: its condition failed: {what}", spec.id);
            notes.report(Diagnostic::warning("tool-failed", message).about(&spec.id));
            (ToolStatus::Failed, Some(what))
        }
        ToolVerdict::ParamFailed(param, what) => {
            let message = format!(
                "the parameter `{param}` of the tool `{}` is left out: its condition failed: {what}",
                spec.id
            );
            notes.report(Diagnostic::warning("tool-param-failed", message).about(&spec.id));
            return None;
        }
    };
    let report = || ToolReport { id: spec.id.clone(), name: spec.name.clone(), status, reason };
    (!quiet).then(report)
}

impl Outcome {
    pub(super) fn report(self, station: &Station) -> ComponentReport {
        let Self { status, reason, overlay } = self;
        let origin = overlay.or_else(|| station.component.as_ref().map(|_| station.origin.clone()));
        let origin = origin.map(|origin| origin.to_string());
        ComponentReport { id: station.id.to_string(), status, origin, reason }
    }
}

pub(super) fn disabled(id: &str) -> ComponentReport {
    let status = ComponentStatus::Disabled;
    ComponentReport { id: id.to_owned(), status, origin: None, reason: None }
}

pub(super) fn failed_matchers(verdicts: &[MatcherVerdict], notes: &Notes) {
    for MatcherVerdict { variant, reason, .. } in verdicts.iter().filter(|verdict| verdict.failed) {
        let message = format!("the matcher of `{}` failed: {reason}", variant.id);
        notes.report(Diagnostic::warning("matcher-failed", message).about(variant.id.as_str()));
    }
}

/// Everything that was told during the build, and the placeholders that nobody provides, by name.
pub(super) fn told(notes: &Notes) -> (Vec<Diagnostic>, Vec<String>) {
    let (mut diagnostics, unresolved) = notes.take();
    diagnostics.extend(unresolved.iter().map(|(name, user)| {
        let message = format!("nobody provides `{name}`, which `{user}` asks for");
        Diagnostic::warning("unresolved", message).about(name)
    }));
    let mut names: Vec<String> = unresolved.into_iter().map(|(name, _)| name).collect();
    names.dedup();
    (diagnostics, names)
}

/// A section that no template printed is not in the prompt.
pub(super) fn mark_printed(components: &mut [ComponentReport], prompt: &Prompt) {
    for component in components {
        let printed = || prompt.sections().iter().any(|section| section.id == component.id);
        if component.status == ComponentStatus::Rendered && !printed() {
            component.status = ComponentStatus::Unprinted;
        }
    }
}

pub(super) fn placeholders(assembled: &Assembled, scope: &Scoped<'_>) -> Vec<PlaceholderReport> {
    let report = |asked: &Asked| {
        let mut layers = scope.providers(&asked.name).into_iter();
        PlaceholderReport {
            name: asked.name.clone(),
            layer: layers.next(),
            hid: layers.collect(),
            used_in: Arc::clone(&asked.users),
        }
    };
    assembled.asked().iter().map(report).collect()
}

pub(super) fn rules(cx: &PromptContext) -> Vec<RulesReport> {
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
        })
        .collect()
}
