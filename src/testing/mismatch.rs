//! What a check found, in words that say which file, how it differs and what to do.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::diff::unified;
use promptline_diagnostic::Error;

/// Lines of one file's diff that are shown; the rest is counted.
const MOST_LINES: usize = 80;

/// Why the golden files do not fit. Prints the same with `{}` and `{:?}`, since a test that returns it
/// prints the latter.
#[non_exhaustive]
pub enum Mismatch {
    /// Files are missing, different or stale.
    Differs(Vec<Difference>),
    /// There is nothing to compare: a prompt could not be built, or a file could not be read.
    Failed(Error),
}

/// How one golden file differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Difference {
    /// The path of the golden file.
    pub file: String,
    /// What is the matter with it.
    pub kind: DifferenceKind,
    /// The hunks of a unified diff from the golden file to what is built now, with hidden characters
    /// shown; empty when the file is missing or stale.
    pub diff: String,
}

/// What is the matter with a golden file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum DifferenceKind {
    /// It is not there.
    Missing,
    /// It is not what is built now.
    Changed,
    /// It is not what is built now, but only because something made its line ends CRLF.
    LineEnds,
    /// Its variant or context is no longer there.
    Stale,
}

impl Difference {
    pub(super) fn missing(file: String) -> Self {
        Self { file, kind: DifferenceKind::Missing, diff: String::new() }
    }

    pub(super) fn stale(file: String) -> Self {
        Self { file, kind: DifferenceKind::Stale, diff: String::new() }
    }

    pub(super) fn changed(file: String, found: &str, wanted: &str) -> Self {
        if found.contains("\r\n") && found.replace("\r\n", "\n") == wanted {
            return Self { file, kind: DifferenceKind::LineEnds, diff: String::new() };
        }
        Self { file, kind: DifferenceKind::Changed, diff: unified(found, wanted) }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            DifferenceKind::Missing => "missing",
            DifferenceKind::Changed => "changed",
            DifferenceKind::LineEnds => {
                "its line ends became CRLF; write `snapshots/** -text` into .gitattributes"
            }
            DifferenceKind::Stale => "stale: there is no such variant or context any more",
        };
        writeln!(f, "{}: {what}", self.file)?;
        for line in self.diff.lines().take(MOST_LINES) {
            writeln!(f, "{line}")?;
        }
        match self.diff.lines().count().saturating_sub(MOST_LINES) {
            0 => Ok(()),
            more => writeln!(f, "… and {more} more lines"),
        }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(error) => write!(f, "{error:#}"),
            Self::Differs(differences) => {
                let what = match differences.len() {
                    1 => "a golden file is not".to_owned(),
                    count => format!("{count} golden files are not"),
                };
                writeln!(f, "{what} what is built now (-: the file, +: now)\n")?;
                // A diff is set apart from what follows, a line does not.
                let mut gap = "";
                for difference in differences {
                    write!(f, "{gap}{difference}")?;
                    gap = if difference.diff.is_empty() { "" } else { "\n" };
                }
                f.write_str(
                    "\nhelp: if the prompts are meant to be so, write the files anew, with \
                     `Matrix::update` or `promptline snapshot --update`, and commit them",
                )
            }
        }
    }
}

impl fmt::Debug for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Mismatch {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Failed(error) => Some(error),
            Self::Differs(_) => None,
        }
    }
}

impl From<Error> for Mismatch {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}
