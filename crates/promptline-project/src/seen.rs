//! The list of files that a project was asked for, and what became of each. Every file that is looked at
//! ends up here exactly once for each name; what a file says never does.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use promptline_diagnostic::Diagnostic;
use promptline_diagnostic::words::one_line;

/// A file of the project that [`Project::read`](crate::Project::read) has seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SeenFile {
    /// Its path from the root of the project, with slashes. (A folder, when the folder as a whole is
    /// ignored.)
    pub path: String,
    /// What it was read as.
    pub kind: SeenKind,
    /// What became of it.
    pub status: SeenStatus,
    /// Why it is ignored; none for a file that is used.
    #[serde(default)]
    pub why: Option<String>,
    /// Its size on the disk in bytes; 0 when that is not known.
    pub bytes: u64,
}

/// What a file of a project is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum SeenKind {
    /// Instructions of the user.
    Rules,
    /// A skill.
    Skill,
    /// A list of MCP servers.
    Mcp,
}

/// What became of a file of a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum SeenStatus {
    /// What it says is in the result.
    Used,
    /// Nothing of it is in the result.
    Ignored,
}

impl SeenKind {
    /// What the codes of its diagnostics begin with.
    pub(crate) fn code(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::Skill => "skill",
            Self::Mcp => "mcp",
        }
    }
}

/// The files so far, and the notes made from them.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) files: Vec<SeenFile>,
    pub(crate) notes: Vec<Diagnostic>,
    paths: BTreeSet<String>,
}

/// Why a file is not used.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// What it says is missing: a warning.
    LeftOut(String),
    /// It is not for this request or this host.
    NotRead(String),
    /// It is there already.
    Repeated(String),
}

impl From<String> for Refusal {
    fn from(why: String) -> Self {
        Self::LeftOut(why)
    }
}

impl Seen {
    pub(crate) fn used(&mut self, path: &str, kind: SeenKind, bytes: u64) {
        self.paths.insert(path.to_owned());
        let path = path.to_owned();
        self.files.push(SeenFile { path, kind, status: SeenStatus::Used, why: None, bytes });
    }

    /// The file says something that does not get into the context: a warning.
    pub(crate) fn left_out(&mut self, path: &str, kind: SeenKind, bytes: u64, why: String) {
        let code = format!("{}-left-out", kind.code());
        let note = Diagnostic::warning(&code, format!("the file is left out: {why}"));
        self.ignored(path, kind, bytes, why, note);
    }

    /// Nothing is lost: the same file, or the same text, came before.
    pub(crate) fn repeated(&mut self, path: &str, kind: SeenKind, bytes: u64, why: String) {
        let code = format!("{}-repeated", kind.code());
        let note = Diagnostic::info(&code, why.clone());
        self.ignored(path, kind, bytes, why, note);
    }

    /// It was not asked for.
    pub(crate) fn not_read(&mut self, path: &str, kind: SeenKind, bytes: u64, why: String) {
        let code = format!("{}-not-read", kind.code());
        let note = Diagnostic::info(&code, format!("the file is not read: {why}"));
        self.ignored(path, kind, bytes, why, note);
    }

    pub(crate) fn refused(&mut self, path: &str, kind: SeenKind, bytes: u64, why: Refusal) {
        match why {
            Refusal::LeftOut(why) => self.left_out(path, kind, bytes, why),
            Refusal::NotRead(why) => self.not_read(path, kind, bytes, why),
            Refusal::Repeated(why) => self.repeated(path, kind, bytes, why),
        }
    }

    /// The path is in the list.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.paths.contains(path)
    }

    fn ignored(&mut self, path: &str, kind: SeenKind, bytes: u64, why: String, note: Diagnostic) {
        self.notes.push(note.in_file(path));
        self.paths.insert(path.to_owned());
        let (path, status) = (path.to_owned(), SeenStatus::Ignored);
        self.files.push(SeenFile { path, kind, status, why: Some(why), bytes });
    }
}

/// A word of a file on its way into a message: one line, and not a long one.
pub(crate) fn quoted(word: &str) -> String {
    const LONGEST: usize = 120;
    let (line, _) = one_line(word);
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("`{}…`", line.get(..end).unwrap_or_default()),
        None => format!("`{line}`"),
    }
}
