//! What templates ask for and what is declared, held together.

use std::collections::BTreeSet;

use crate::declare::Declarations;
use crate::error::nearest;
use crate::finding::{Finding, Severity};
use crate::place::Places;
use crate::template;

/// Checks the texts of a pack (file and text of each) against what is declared: asked for and not declared is an
/// error, declared and never asked for is one, too.
#[must_use]
pub fn check<'t>(
    declared: &Declarations,
    texts: impl IntoIterator<Item = (&'t str, &'t str)>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut used = BTreeSet::new();
    for (file, text) in texts {
        let mut places = Places::new(text);
        for (name, range) in template::uses(text) {
            let place = places.of(range);
            if declared.get(&name).is_none() {
                let known = nearest(&name, declared.iter().map(|(name, _)| name));
                findings.push(Finding {
                    code: "undeclared-parameter",
                    severity: Severity::Error,
                    message: format!("the parameter `{name}` is not declared"),
                    help: match known {
                        Some(known) => format!("`{known}` is declared"),
                        None => format!("declare it in params.toml, as [params.{name}]"),
                    },
                    file: file.to_owned(),
                    place,
                });
            }
            used.insert(name);
        }
    }
    for (name, one) in declared.iter().filter(|(name, _)| !used.contains(*name)) {
        findings.push(Finding {
            code: "unused-parameter",
            severity: Severity::Error,
            message: format!("no text asks for the parameter `{name}`"),
            help: format!("write {{{{params.{name}}}}} where a text needs it, or remove it"),
            file: declared.file().to_owned(),
            place: one.place,
        });
    }
    findings
}
