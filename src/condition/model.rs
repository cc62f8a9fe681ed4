//! What conditions ask of a model id: vendor, family, line, suffix, distilled, version. The id has been
//! read before; nothing here looks at its text.

use std::collections::{BTreeMap, BTreeSet};

use super::evaluate::{Say, is_one_of, or};
use super::{Condition, OneOf};
use crate::model_id::ModelId;

impl Condition {
    /// It asks for something that only a read id knows.
    pub(super) fn asks_model_id(&self) -> bool {
        !self.vendor.is_empty()
            || !self.family.is_empty()
            || !self.line.is_empty()
            || !self.suffix.is_empty()
            || self.distilled.is_some()
            || self.version.is_some()
    }

    /// Every key that is given fits the id.
    pub(super) fn fits(&self, id: &ModelId, say: &mut Say) -> bool {
        is_one_of("vendor", &self.vendor, id.vendor(), say)
            && family(&self.family, id, say)
            && distilled(self.distilled, id, say)
            && version(self, id, say)
            && has("line", &self.line, id, say, |wanted| {
                // `flash-lite` is two lines.
                wanted.split('-').all(|word| id.lines().any(|line| line.eq_ignore_ascii_case(word)))
            })
            && has("suffix", &self.suffix, id, say, |wanted| {
                id.suffixes().any(|suffix| suffix.eq_ignore_ascii_case(wanted))
            })
    }
}

fn family(wanted: &OneOf<String>, id: &ModelId, say: &mut Say) -> bool {
    let family = id.family().unwrap_or_default();
    if wanted.is_empty() {
        return true;
    }
    if wanted.iter().any(|wanted| wanted.eq_ignore_ascii_case(family)) && !family.is_empty() {
        return say.answer(true, || format!("family {family}"));
    }
    say.other_family(family, &or(wanted))
}

fn distilled(wanted: Option<bool>, id: &ModelId, say: &mut Say) -> bool {
    let Some(wanted) = wanted else { return true };
    say.answer(wanted == id.distilled_from().is_some(), || match id.distilled_from() {
        Some(teacher) => format!("distilled from {teacher}"),
        None => "not distilled".to_owned(),
    })
}

fn version(condition: &Condition, id: &ModelId, say: &mut Say) -> bool {
    let Some(range) = &condition.version else { return true };
    let fits = range.contains(id.version());
    let holds = say.answer(fits, || {
        let version = match id.version() {
            Some(version) => format!("version {version}"),
            None => "no version".to_owned(),
        };
        match (fits, id.family()) {
            (true, _) => format!("{version} ({})", range.as_str()),
            (false, Some(family)) => {
                format!("family {family}, {version}: needs {}", range.as_str())
            }
            (false, None) => format!("{version}: needs {}", range.as_str()),
        }
    });
    if !holds && range.contains(None) {
        say.only_unnumbered();
    }
    holds
}

fn has(
    key: &str,
    wanted: &OneOf<String>,
    id: &ModelId,
    say: &mut Say,
    has: impl Fn(&str) -> bool,
) -> bool {
    if wanted.is_empty() {
        return true;
    }
    match wanted.iter().find(|wanted| has(wanted)) {
        Some(found) => say.answer(true, || format!("{key} {found}")),
        None => say.answer(false, || match id.family() {
            Some(family) => format!("family {family}: needs the {key} {}", or(wanted)),
            None => format!("needs the {key} {}", or(wanted)),
        }),
    }
}

/// The families that matchers speak of, also through named conditions, in lower case.
pub(crate) fn families<'c>(
    matchers: impl Iterator<Item = &'c Condition>,
    named: &BTreeMap<String, Condition>,
) -> BTreeSet<String> {
    let mut families = BTreeSet::new();
    let mut names = BTreeSet::new();
    let mut new = Vec::new();
    let mut look = |condition: &Condition, new: &mut Vec<String>| {
        let _ = condition.each(|condition| {
            families.extend(condition.family.iter().map(|family| family.to_ascii_lowercase()));
            new.extend(condition.is.iter().cloned());
            Ok(())
        });
    };
    matchers.for_each(|condition| look(condition, &mut new));
    while let Some(name) = new.pop() {
        if let Some(condition) = named.get(&name).filter(|_| names.insert(name.clone())) {
            look(condition, &mut new);
        }
    }
    families
}
