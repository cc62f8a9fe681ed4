//! Files of user instructions: which of them count, and in what order. Their text is the user's and is
//! never read as anything but text.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::text::marks::is_noncharacter;

/// A file of user instructions.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct RulesFile {
    /// Where it is, as the user would write it: `AGENTS.md`, `.clinerules/style.md`.
    pub path: String,
    /// What it says.
    pub text: Arc<str>,
    /// The user may switch a file off without deleting it.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub enabled: bool,
}

impl RulesFile {
    /// A file that counts.
    #[must_use]
    pub fn new(path: impl Into<String>, text: impl Into<Arc<str>>) -> Self {
        Self { path: path.into(), text: text.into(), enabled: true }
    }

    /// Switches it on or off.
    #[must_use]
    pub fn with_enabled(mut self, enabled: bool) -> Self {
        self.enabled = enabled;
        self
    }
}

fn yes() -> bool {
    true
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_yes(enabled: &bool) -> bool {
    *enabled
}

/// What becomes of a rules file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RulesVerdict {
    Used,
    SwitchedOff,
    Blank,
    /// The same path came before; `./AGENTS.md` is `AGENTS.md`. Two files with the same text are two
    /// files.
    Repeated,
}

/// Judges every file, in order.
pub(crate) fn judge_rules(rules: &[RulesFile]) -> impl Iterator<Item = (&RulesFile, RulesVerdict)> {
    let mut seen = BTreeSet::new();
    rules.iter().map(move |file| {
        let verdict = if !file.enabled {
            RulesVerdict::SwitchedOff
        } else if is_blank(&file.text) {
            RulesVerdict::Blank
        } else if !seen.insert(plain_path(&file.path)) {
            RulesVerdict::Repeated
        } else {
            RulesVerdict::Used
        };
        (file, verdict)
    })
}

/// Nothing is left of the text when it is printed: it holds blanks, noncharacters and the byte order
/// mark that some editors save an empty file with.
fn is_blank(text: &str) -> bool {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    text.chars().all(|c| c.is_whitespace() || is_noncharacter(c))
}

/// The path without `.`, `..` and doubled slashes, so that one file has one name. Backslashes count as
/// slashes only in paths that look like Windows ones.
pub(super) fn plain_path(path: &str) -> String {
    let windows =
        path.get(1..3) == Some(":\\") || path.starts_with("\\\\") || path.starts_with(".\\");
    let path = if windows { path.replace('\\', "/") } else { path.to_owned() };
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            other => parts.push(other),
        }
    }
    let root = if path.starts_with('/') { "/" } else { "" };
    format!("{root}{}", parts.join("/"))
}
