//! The check of an overlay: what stops a registry from taking it, names that lead nowhere, files that
//! nothing names, invisible characters, and texts of the pack that have changed since.

use std::collections::BTreeSet;
use std::path::Path;

use super::parts::Part;
use super::{Finding, FindingList, Mistakes, View, finding, lints, names, wrong};
use crate::overlay::Overlay;
use crate::pack::{PackContent, is_document};
use crate::registry::{PromptRegistryBuilder, survey};
use promptline_diagnostic::Severity;

pub(super) fn check(folder: &Path, base: PromptRegistryBuilder) -> Vec<Finding> {
    let mut errors = Vec::new();
    let Some(overlay) = Overlay::collect(folder, &mut errors) else {
        let whole = folder.display().to_string();
        return errors.into_iter().map(|error| finding(error, Severity::Error, &whole)).collect();
    };
    let builder = base.overlay(overlay.clone());
    let survey = survey(&builder, &mut errors);
    let content = overlay.content();
    let mut list = Mistakes::default();
    let nothing = PackContent::default();
    let view = View { pack: &nothing, builder: &builder, survey: &survey };
    let (file, conditions, templates) = content.asks();
    let asks = Part { file, conditions, templates: Vec::new() };
    names::check_part(&view, &asks, &mut list);
    for template in templates {
        let file = template.file().to_owned();
        let part = Part { file: &file, conditions: Vec::new(), templates: vec![template.clone()] };
        names::check_part(&view, &part, &mut list);
    }
    for (file, text) in content.texts().iter() {
        lints::invisible(file, text, &mut list);
    }
    strays(folder, &overlay, &mut list);
    content.drifted(&survey.sections).into_iter().for_each(|error| list.warning(error));

    let mut findings = FindingList { findings: Vec::new(), texts: content.texts(), folder };
    errors.into_iter().for_each(|error| findings.add(error, Severity::Error));
    list.0.into_iter().for_each(|(severity, error)| findings.add(error, severity));
    findings.finish()
}

/// A file that no change names may be one whose name was mistyped.
fn strays(folder: &Path, overlay: &Overlay, list: &mut Mistakes) {
    let named: BTreeSet<&str> = overlay.content().texts().iter().map(|(file, _)| file).collect();
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let files =
        entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let mut files: Vec<String> =
        files.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    files.sort_unstable();
    for name in files {
        let shown = crate::overlay::shown(folder, &name);
        let own = name.starts_with('.') || name.ends_with('~') || is_document(&name);
        if !own && !named.contains(shown.as_str()) {
            let message = "no change of the overlay names this file".to_owned();
            let error = wrong("stray-file", message, &shown, "");
            list.warning(error.with_help("name it with `file = …`, or take it out"));
        }
    }
}
