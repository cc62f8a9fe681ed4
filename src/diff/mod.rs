//! What differs between two prompts, section by section. It compares finished texts; it never asks how
//! they were built.

mod kept;
mod lines;

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};
use similar::{Algorithm, DiffTag, capture_diff_slices};

use crate::id::TEMPLATE_SECTION;
use crate::prompt::Prompt;
use crate::variant::VariantRef;
pub use kept::KeptPrefix;
pub(crate) use lines::unified;
use promptline_diagnostic::Id;

/// What differs between two prompts. Its `Display` is for people: a unified diff for each section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PromptDiff {
    /// The variant of the first prompt.
    pub before: VariantRef,
    /// The variant of the second.
    pub after: VariantRef,
    /// Where the texts part; `None` when they are equal.
    pub first: Option<FirstDifference>,
    /// How much of the second prompt stays in a provider's cache that holds the first.
    pub kept: KeptPrefix,
    /// The sections that differ: those of the second prompt in its order, each that is only in the
    /// first one where it stood. Empty when the texts are equal, and only then.
    pub sections: Vec<SectionDiff>,
}

/// Where two texts part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FirstDifference {
    /// The first byte that differs, or the length of the shorter text.
    pub byte: usize,
    /// The section of the first prompt that this byte is in; `None` at its end.
    pub before: Option<Id>,
    /// The section of the second prompt that this byte is in; `None` at its end.
    pub after: Option<Id>,
}

/// How one section differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SectionDiff {
    /// The section's id.
    pub id: Id,
    /// What became of it.
    pub change: SectionChange,
    /// It is elsewhere among the sections that both prompts have, whether its text changed or not.
    pub moved: bool,
    /// Its length in the first prompt, in bytes.
    pub bytes_before: usize,
    /// Its length in the second prompt, in bytes.
    pub bytes_after: usize,
    /// The hunks of a unified diff, with hidden characters shown; empty when the text is the same.
    pub diff: String,
}

/// What became of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum SectionChange {
    /// It is only in the second prompt.
    Added,
    /// It is only in the first prompt.
    Removed,
    /// Its text differs.
    Changed,
    /// Its text is the same, its place is not.
    Moved,
}

/// Compares two prompts, section by section. The parts of a section that is there in several parts are
/// joined; text of the base template counts as the section [`TEMPLATE_SECTION`].
///
/// ```
/// use promptline::{Pack, PromptContext, PromptRegistry, diff::{SectionChange, diff}};
/// # fn main() -> Result<(), promptline::Error> {
/// let registry = PromptRegistry::builder().pack(Pack::builtin()).build()?;
/// let cx = PromptContext::new("anthropic", "claude-sonnet-4-5");
/// let before = registry.build_blocking(&cx)?;
/// let after = registry.build_blocking(&cx.with_cwd("/home/ada/engine"))?;
/// let diff = diff(&before, &after);
/// assert!(diff.sections.iter().any(|section| section.id == "SYSTEM_INFO_SECTION"
///     && section.change == SectionChange::Changed));
/// # Ok(())
/// # }
/// ```
#[must_use]
pub fn diff(before: &Prompt, after: &Prompt) -> PromptDiff {
    let first = first_difference(before, after);
    let sections = match &first {
        None => Vec::new(),
        Some(first) => sections(before, after, first),
    };
    let kept = KeptPrefix::new(before, after, first.as_ref().map(|first| first.byte));
    let (before, after) = (before.variant().clone(), after.variant().clone());
    PromptDiff { before, after, first, kept, sections }
}

impl PromptDiff {
    /// The texts are equal, and so are the native tools.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.first.is_none() && self.kept.first_tool.is_none()
    }
}

fn first_difference(before: &Prompt, after: &Prompt) -> Option<FirstDifference> {
    let (old, new) = (before.text().as_bytes(), after.text().as_bytes());
    let byte = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    if byte == old.len() && byte == new.len() {
        return None;
    }
    Some(FirstDifference { byte, before: section_at(before, byte), after: section_at(after, byte) })
}

fn section_at(prompt: &Prompt, byte: usize) -> Option<Id> {
    let mut sections = prompt.sections().iter();
    sections.find(|section| section.range.contains(&byte)).map(|section| section.id.clone())
}

fn sections(before: &Prompt, after: &Prompt, first: &FirstDifference) -> Vec<SectionDiff> {
    let moved = moved(before, after);
    let mut differing = Vec::new();
    for id in both_orders(&ids(before), &ids(after)) {
        let (old, new) = (before.section(&id), after.section(&id));
        let moved = moved.contains(&id);
        let change = match (&old, &new) {
            (None, _) => SectionChange::Added,
            (_, None) => SectionChange::Removed,
            (old, new) if old != new => SectionChange::Changed,
            // Parts of one text can be cut at other places without any of this: then the section where
            // the texts part has moved.
            _ if moved => SectionChange::Moved,
            _ => continue,
        };
        differing.push(section_diff(id, change, moved, &old, &new));
    }
    if let (true, Some(id)) = (differing.is_empty(), first.before.as_ref().or(first.after.as_ref()))
    {
        let (old, new) = (before.section(id), after.section(id));
        differing.push(section_diff(id.clone(), SectionChange::Moved, true, &old, &new));
    }
    differing
}

fn section_diff(
    id: Id,
    change: SectionChange,
    moved: bool,
    old: &Option<String>,
    new: &Option<String>,
) -> SectionDiff {
    let (old, new) = (old.as_deref().unwrap_or_default(), new.as_deref().unwrap_or_default());
    let diff = if old == new { String::new() } else { unified(old, new) };
    SectionDiff { id, change, moved, bytes_before: old.len(), bytes_after: new.len(), diff }
}

/// The sections in the order in which they begin.
fn ids(prompt: &Prompt) -> Vec<Id> {
    let mut seen = BTreeSet::new();
    let ids = prompt.sections().iter().map(|section| &section.id);
    ids.filter(|id| seen.insert(*id)).cloned().collect()
}

/// The second list with what is only in the first one where it stood.
fn both_orders(before: &[Id], after: &[Id]) -> Vec<Id> {
    let mut order = after.to_vec();
    let mut place = 0;
    for id in before {
        match order.iter().position(|other| other == id) {
            Some(at) => place = at + 1,
            None => {
                order.insert(place, id.clone());
                place += 1;
            }
        }
    }
    order
}

/// The sections of both prompts that do not keep their order: those outside the longest common order of
/// their parts. Text of the base template is what they move in, and does not count.
fn moved(before: &Prompt, after: &Prompt) -> BTreeSet<Id> {
    let (old, new) = (ids(before), ids(after));
    let parts = |prompt: &Prompt, others: &[Id]| {
        let ids = prompt.sections().iter().map(|section| section.id.clone());
        let mut parts: Vec<Id> =
            ids.filter(|id| *id != TEMPLATE_SECTION && others.contains(id)).collect();
        parts.dedup();
        parts
    };
    let (old, new) = (parts(before, &new), parts(after, &old));
    let mut moved = BTreeSet::new();
    for op in capture_diff_slices(Algorithm::Lcs, &old, &new) {
        if op.tag() != DiffTag::Equal {
            moved.extend(old.get(op.old_range()).unwrap_or_default().iter().cloned());
            moved.extend(new.get(op.new_range()).unwrap_or_default().iter().cloned());
        }
    }
    moved
}

impl fmt::Display for PromptDiff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(first) = &self.first else {
            return match &self.kept.first_tool {
                None => f.write_str("the prompts are equal\n"),
                Some(_) => writeln!(f, "the texts are equal\n{}", self.kept),
            };
        };
        let name = |id: &Option<Id>| id.as_ref().map_or("the end", Id::as_str).to_owned();
        let (old, new) = (name(&first.before), name(&first.after));
        write!(f, "the first difference is at byte {}, in {old}", first.byte)?;
        if old != new {
            write!(f, " before and {new} after")?;
        }
        writeln!(f, "\n{}", self.kept)?;
        if self.before != self.after {
            let (old, new) = (&self.before, &self.after);
            writeln!(f, "variant {}@{} became {}@{}", old.id, old.version, new.id, new.version)?;
        }
        for section in &self.sections {
            write!(f, "\n{section}")?;
        }
        Ok(())
    }
}

impl fmt::Display for SectionDiff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (before, after) = (self.bytes_before, self.bytes_after);
        let id = &self.id;
        match self.change {
            SectionChange::Added => writeln!(f, "{id}: added, {after} bytes")?,
            SectionChange::Removed => writeln!(f, "{id}: removed, {before} bytes")?,
            SectionChange::Changed if self.moved => {
                writeln!(f, "{id}: changed and moved, {before} to {after} bytes")?;
            }
            SectionChange::Changed => writeln!(f, "{id}: changed, {before} to {after} bytes")?,
            SectionChange::Moved => writeln!(f, "{id}: moved, {after} bytes")?,
        }
        f.write_str(&self.diff)
    }
}
