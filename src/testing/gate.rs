//! Gates for a pipeline: what no prompt of a matrix may cost, and how much one may grow over its golden
//! file. It reads golden files and writes nothing.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use similar::{Algorithm, ChangeTag, TextDiff};

use super::document::DocumentKind;
use super::golden::GoldenFiles;
use super::{Matrix, Snapshot, cost};
use crate::prompt::Section;
use promptline_diagnostic::{Error, ErrorKind};

/// What prompts may cost. Without a limit everything passes.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[must_use = "give it to `Matrix::gate`"]
#[non_exhaustive]
pub struct Gate {
    /// The most tokens of one prompt with its native tools, by the registry's
    /// [`TokenCounter`](crate::TokenCounter).
    pub max_tokens: Option<usize>,
    /// How much more bytes than its golden file a prompt may have: 0.05 is five per cent.
    pub max_growth: Option<f64>,
}

/// A prompt that a [`Gate`] does not let pass, or that it cannot judge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct OverGate {
    /// The variant's id.
    pub variant: String,
    /// The context's name.
    pub context: String,
    /// Which limit it is over.
    pub kind: OverGateKind,
    /// Its bytes now, with that of the native tools as compact JSON.
    pub bytes: usize,
    /// The same in tokens, by the registry's counter.
    pub tokens: usize,
    /// Numbers of tokens are only about right.
    #[serde(default)]
    pub estimate: bool,
    /// Bytes of the golden files; none where they were not asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes_before: Option<usize>,
    /// The same in tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens_before: Option<usize>,
    /// The golden file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The sections that cost or grew most, the largest first; `tools` are the native ones.
    pub sections: Vec<SectionSize>,
}

/// Which limit a prompt is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum OverGateKind {
    /// [`Gate::max_tokens`]; the sections are reported with their sizes.
    Tokens,
    /// [`Gate::max_growth`]; the sections are reported with what they grew by.
    Growth,
    /// None: the prompt has no golden file that [`Gate::max_growth`] could compare it with, as a variant or
    /// a context that is new; the sections are reported with their sizes.
    New,
}

/// Bytes of a section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SectionSize {
    /// The section's id.
    pub id: String,
    /// How many.
    pub bytes: usize,
}

impl Gate {
    /// No limit yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the most tokens of one prompt.
    pub fn max_tokens(mut self, tokens: usize) -> Self {
        self.max_tokens = Some(tokens);
        self
    }

    /// Sets how much a prompt may grow over its golden file: 0.05 is five per cent.
    pub fn max_growth(mut self, share: f64) -> Self {
        self.max_growth = Some(share);
        self
    }
}

impl Matrix<'_> {
    /// The prompts that are over a limit, and where growth is limited those that are
    /// [new](OverGateKind::New), in the order of [`prompts`](Matrix::prompts).
    ///
    /// # Errors
    /// As [`prompts`](Matrix::prompts); a golden file cannot be read; or growth is limited and no
    /// prompt has a golden file, since such a gate would let everything pass.
    pub fn gate(&self, gate: &Gate) -> Result<Vec<OverGate>, Error> {
        let golden = self.golden_files();
        let prompts = self.prompts()?;
        let mut over = Vec::new();
        let mut compared = false;
        for snapshot in &prompts {
            let bytes = cost(&snapshot.prompt);
            if gate.max_tokens.is_some_and(|most| snapshot.prompt.tokens() > most) {
                over.push(found(snapshot, OverGateKind::Tokens, sizes(snapshot)));
            }
            let Some(share) = gate.max_growth else { continue };
            let Some(before) = before(&golden, snapshot)? else {
                over.push(found(snapshot, OverGateKind::New, sizes(snapshot)));
                continue;
            };
            compared = true;
            let total = before.text.len() + before.tools;
            // A share as 0.29 is a little less or more than it says, and 29 of 100 bytes are not over it.
            let allowed = total as f64 * share + 1e-6;
            if bytes > total && (bytes - total) as f64 > allowed {
                let found = found(snapshot, OverGateKind::Growth, grown(snapshot, &before));
                let (bytes_before, tokens_before) = (Some(total), Some(before.tokens));
                let file = Some(before.file);
                over.push(OverGate { bytes_before, tokens_before, file, ..found });
            }
        }
        if gate.max_growth.is_some() && !compared {
            let folder = golden.folder.display().to_string();
            return Err(Error::new(ErrorKind::Io, "no prompt has a golden file here")
                .with_help("write them with `promptline snapshot --update`, or `Matrix::update`")
                .in_file(folder));
        }
        Ok(over)
    }
}

fn found(snapshot: &Snapshot, kind: OverGateKind, sections: Vec<SectionSize>) -> OverGate {
    let bytes = cost(&snapshot.prompt);
    OverGate {
        variant: snapshot.variant.clone(),
        context: snapshot.context.clone(),
        kind,
        bytes,
        tokens: snapshot.prompt.tokens(),
        estimate: snapshot.prompt.counter.is_estimate(),
        bytes_before: None,
        tokens_before: None,
        file: None,
        sections,
    }
}

/// What a golden file says.
struct Before {
    file: String,
    text: String,
    /// Bytes of native tools.
    tools: usize,
    /// What both cost, by the counter of the prompt that it is compared with.
    tokens: usize,
}

fn before(golden: &GoldenFiles<'_>, snapshot: &Snapshot) -> Result<Option<Before>, Error> {
    let Some(prompt) = golden.kept(snapshot, DocumentKind::Prompt)? else { return Ok(None) };
    let tools = golden.kept(snapshot, DocumentKind::Native)?.map(|kept| kept.text);
    // A file that was written by hand counts as it is.
    let tools = tools.map_or_else(String::new, |json| match serde_json::from_str::<Value>(&json) {
        Ok(all) => all.get("tools").map_or_else(String::new, Value::to_string),
        Err(_) => json,
    });
    let counter = &snapshot.prompt.counter;
    let tokens = counter.count(&prompt.text) + counter.count(&tools);
    Ok(Some(Before { file: prompt.file, text: prompt.text, tools: tools.len(), tokens }))
}

fn native(snapshot: &Snapshot) -> usize {
    snapshot.prompt.tools().map_or(0, |tools| tools.to_value().to_string().len())
}

fn sizes(snapshot: &Snapshot) -> Vec<SectionSize> {
    let mut sizes: BTreeMap<&str, i64> = BTreeMap::new();
    for section in snapshot.prompt.sections() {
        *sizes.entry(&section.id).or_default() += whole(section.bytes);
    }
    sizes.insert(TOOLS, whole(native(snapshot)));
    largest(sizes)
}

/// Lines that are new, less lines that are gone, by the section that they stand in now.
fn grown(snapshot: &Snapshot, before: &Before) -> Vec<SectionSize> {
    let text = snapshot.prompt.text();
    let mut sections = snapshot.prompt.sections().iter().peekable();
    let mut growth: BTreeMap<&str, i64> = BTreeMap::new();
    let mut at = 0;
    let diff = TextDiff::configure().algorithm(Algorithm::Histogram).diff_lines(&before.text, text);
    for change in diff.iter_all_changes() {
        let bytes = whole(change.value().len());
        let ends = |section: &&Section| section.range.end <= at && section.range.end < text.len();
        while sections.next_if(ends).is_some() {}
        let id = sections.peek().map_or(crate::id::TEMPLATE_SECTION, |s| s.id.as_str());
        match change.tag() {
            ChangeTag::Delete => *growth.entry(id).or_default() -= bytes,
            ChangeTag::Insert => *growth.entry(id).or_default() += bytes,
            ChangeTag::Equal => {}
        }
        if change.tag() != ChangeTag::Delete {
            at += change.value().len();
        }
    }
    growth.insert(TOOLS, whole(native(snapshot)) - whole(before.tools));
    largest(growth)
}

/// What native tools are called among sections.
const TOOLS: &str = "tools";

fn whole(bytes: usize) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

fn largest(sizes: BTreeMap<&str, i64>) -> Vec<SectionSize> {
    const MOST: usize = 5;
    let size = |(id, bytes): (&str, i64)| {
        let bytes = usize::try_from(bytes).ok().filter(|bytes| *bytes > 0)?;
        Some(SectionSize { id: id.to_owned(), bytes })
    };
    let mut sizes: Vec<SectionSize> = sizes.into_iter().filter_map(size).collect();
    sizes.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.id.cmp(&b.id)));
    sizes.truncate(MOST);
    sizes
}
