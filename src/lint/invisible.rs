//! The lint of invisible characters, in what the pack or the host wrote. Those in text of others are
//! reported by the build itself.

use std::collections::BTreeMap;

use super::levels::Lint;
use super::{LintFindings, Subject};
use crate::text::invisible::find_invisible;

pub(super) fn check(subject: &Subject<'_>, found: &mut LintFindings<'_>) {
    let text = subject.prompt.text();
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for (section, range) in subject.authored() {
        let count = find_invisible(text.get(range).unwrap_or_default()).count();
        if count > 0 {
            *counts.entry((&section.id, &section.origin)).or_default() += count;
        }
    }
    for ((id, origin), count) in counts {
        let message = match count {
            1 => format!("the section `{id}` holds an invisible character"),
            _ => format!("the section `{id}` holds {count} invisible characters"),
        };
        found.add(Lint::InvisibleCharacter, id, id, origin, &message);
    }
}
