//! What an overlay was written against, and whether the pack still says it. A text is known by a short
//! hash; where the overlay kept the text itself, the difference is shown.

use std::collections::BTreeSet;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::file::is_hash;
use super::{OverlayContent, SectionChange};
use crate::component::Registered;
use promptline_diagnostic::Diagnostic;
use promptline_diagnostic::{Error, ErrorKind};

/// The digits of a short hash.
const SHORT: usize = 12;

/// The short hash of a text; outer blank lines do not count.
pub(crate) fn short_hash(text: &str) -> String {
    let mut hash = full_hash(text);
    hash.truncate(SHORT);
    hash
}

fn full_hash(text: &str) -> String {
    crate::fingerprint::hex(&Sha256::digest(text.trim().as_bytes()))
}

/// The pack's text is not one of those that a change was written against.
#[derive(Debug, Clone)]
pub(crate) struct Drift {
    id: String,
    message: String,
    help: String,
    /// `overlay.toml`.
    file: String,
}

impl Drift {
    /// Looks at the change number `change` of an overlay, against what it changes.
    pub(super) fn of(
        overlay: &OverlayContent,
        change: usize,
        component: &Registered,
    ) -> Option<Self> {
        let change = overlay.sections.get(change).filter(|change| !change.base.is_empty())?;
        let id = change.id.clone();
        let file = overlay.origin.clone();
        let Some(now) = component.source() else {
            let message = format!(
                "`{id}` is written by the host's program: its text cannot be compared with `base`"
            );
            return Some(Self { id, message, help: "take `base` out".to_owned(), file });
        };
        let hash = full_hash(now);
        if change.base.iter().any(|base| hash.starts_with(base.as_str())) {
            return None;
        }
        let message = format!(
            "the text of `{id}` in {} is not the one that this was written against",
            component.origin()
        );
        let known = |text: &&String| {
            let hash = full_hash(text);
            change.base.iter().any(|base| hash.starts_with(base.as_str()))
        };
        let kept = overlay.bases.iter().filter(known);
        let short = short_hash(now);
        let mut help =
            format!("look whether it still fits; if so, its `base` is (or holds) \"{short}\"");
        if let Some(shown) = shown(kept, now) {
            help.push_str("; what has changed:\n");
            help.push_str(&shown);
        }
        Some(Self { id, message, help, file })
    }

    /// What a build says.
    pub(crate) fn diagnostic(&self) -> Diagnostic {
        Diagnostic::warning("overlay-drift", &*self.message)
            .about(&*self.id)
            .in_file(&*self.file)
            .with_help(&*self.help)
    }

    /// What a check says, without a place.
    fn error(&self) -> Error {
        Error::new(ErrorKind::Pack, &*self.message)
            .with_code("overlay-drift")
            .with_help(&*self.help)
    }
}

impl OverlayContent {
    /// Changes that were written against a text which no variant has any more, for a check.
    pub(crate) fn drifted(&self, sections: &[Arc<Registered>]) -> Vec<Error> {
        let mut errors = Vec::new();
        for (at, change) in self.sections.iter().enumerate() {
            let called = || sections.iter().filter(|section| section.id() == change.id);
            let hashes: BTreeSet<String> =
                called().filter_map(|section| section.source().map(full_hash)).collect();
            // What is not a hash has been reported already.
            let lost = |base: &String| {
                is_hash(base) && !hashes.iter().any(|hash| hash.starts_with(base.as_str()))
            };
            if !change.base.iter().any(lost) {
                continue;
            }
            // Of a section that differs by variant, the text that no change of it knows is the new one.
            let changes = || self.sections.iter().filter(|other| other.id == change.id);
            let is_known = |section: &&Arc<Registered>| {
                let hash = section.source().map(full_hash).unwrap_or_default();
                let knows = |other: &SectionChange| {
                    other.base.iter().any(|base| hash.starts_with(base.as_str()))
                };
                changes().any(knows)
            };
            let unknown = called().filter(|section| !is_known(section));
            let drift =
                unknown.chain(called()).find_map(|section| Drift::of(self, at, section.as_ref()));
            errors.extend(drift.map(|drift| self.blame(drift.error(), at, "base")));
        }
        errors
    }
}

/// The shortest difference from one of the kept texts, as many lines as a reader wants to see.
#[cfg(feature = "diff")]
fn shown<'a>(kept: impl Iterator<Item = &'a String>, now: &str) -> Option<String> {
    const LARGEST: usize = 256 << 10;
    const LINES: usize = 40;
    const WIDTH: usize = 400;
    let fits = |text: &&String| text.len() <= LARGEST && now.len() <= LARGEST;
    let diffs = kept.filter(fits).map(|old| crate::diff::unified(old.trim(), now.trim()));
    let diff = diffs.min_by_key(String::len)?;
    let cut = |line: &str| match line.char_indices().nth(WIDTH) {
        Some((at, _)) => format!("{}…", line.get(..at).unwrap_or_default()),
        None => line.to_owned(),
    };
    let mut lines: Vec<String> = diff.lines().take(LINES).map(cut).collect();
    let more = diff.lines().skip(LINES).count();
    if more > 0 {
        lines.push(format!("… and {more} more lines"));
    }
    Some(lines.join("\n"))
}

#[cfg(not(feature = "diff"))]
fn shown<'a>(_: impl Iterator<Item = &'a String>, _: &str) -> Option<String> {
    None
}
