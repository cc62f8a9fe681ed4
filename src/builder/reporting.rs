//! What a build says about itself: one function for each list of the report.

use std::sync::Arc;

use super::run::Outcome;
use crate::context::{PromptContext, RulesVerdict, judge_rules};
use crate::notes::Notes;
use crate::placeholder::Scoped;
use crate::registry::{Asked, Assembled, Station};
use crate::report::{
    ComponentReport, ComponentStatus, MatcherVerdict, PlaceholderReport, RulesReport, RulesStatus,
    SectionCost,
};
use crate::tokens::Counter;
use promptline_diagnostic::Diagnostic;
use promptline_diagnostic::Id;

impl Outcome {
    pub(super) fn report(self, station: &Station) -> ComponentReport {
        let Self { status, reason, overlay } = self;
        let origin = overlay.or_else(|| station.component.as_ref().map(|_| station.origin.clone()));
        let cost = SectionCost::default();
        ComponentReport { id: station.id.clone(), status, origin, reason, cost }
    }
}

pub(super) fn disabled(id: &Id) -> ComponentReport {
    let status = ComponentStatus::Disabled;
    let cost = SectionCost::default();
    ComponentReport { id: id.clone(), status, origin: None, reason: None, cost }
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

/// Shared where it says what the first build said: then nothing is copied.
pub(super) fn placeholders(assembled: &Assembled, scope: &Scoped<'_>) -> Arc<[PlaceholderReport]> {
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
    let first = assembled.told.get_or_init(|| found().map(report).collect());
    let same = |(told, (_, (layer, hid))): (&PlaceholderReport, (_, (_, Vec<_>)))| {
        told.layer == layer && told.hid == hid
    };
    if first.iter().zip(found()).all(same) {
        return Arc::clone(first);
    }
    found().map(report).collect()
}

pub(super) fn rules(cx: &PromptContext, counter: &Counter) -> Vec<RulesReport> {
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
