//! The rules files of a project, in a fixed order.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::RulesFile;
use crate::diagnostic::Diagnostic;
use crate::text::normalise;

/// No rules file is larger than this many bytes.
const LARGEST_RULES: u64 = 1 << 20;
/// A rules folder has at most this many files.
const MOST_RULES: usize = 1_000;

pub(super) struct Project {
    root: PathBuf,
    cwd: PathBuf,
    is_repository: bool,
    /// What was read, by its real path.
    seen: BTreeSet<PathBuf>,
    notes: Vec<Diagnostic>,
}

impl Project {
    /// The repository that `cwd` is in; without one, `cwd` is the project.
    pub(super) fn find(cwd: &Path) -> Self {
        let repository = cwd.ancestors().find(|folder| folder.join(".git").exists());
        Self {
            root: repository.unwrap_or(cwd).to_owned(),
            cwd: cwd.to_owned(),
            is_repository: repository.is_some(),
            seen: BTreeSet::new(),
            notes: Vec::new(),
        }
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    pub(super) fn is_repository(&self) -> bool {
        self.is_repository
    }

    pub(super) fn into_notes(self) -> Vec<Diagnostic> {
        self.notes
    }

    pub(super) fn rules(&mut self) -> Vec<RulesFile> {
        let mut rules = Vec::new();
        let folders = self.folders();
        for name in ["AGENTS.md", "CLAUDE.md"] {
            for folder in &folders {
                rules.extend(self.read(&folder.join(name)));
            }
        }
        let mut ends = vec![self.root.clone(), self.cwd.clone()];
        ends.dedup();
        for folder in ends {
            let path = folder.join(".clinerules");
            if path.is_dir() {
                for file in self.files_of(&path) {
                    rules.extend(self.read(&file));
                }
            } else {
                rules.extend(self.read(&path));
            }
        }
        rules
    }

    /// From the root down to `cwd`.
    fn folders(&self) -> Vec<PathBuf> {
        let mut folders: Vec<PathBuf> = self
            .cwd
            .ancestors()
            .take_while(|folder| folder.starts_with(&self.root))
            .map(Path::to_owned)
            .collect();
        folders.reverse();
        folders
    }

    /// Text files of a folder and its folders, in the byte order of their paths.
    fn files_of(&mut self, folder: &Path) -> Vec<PathBuf> {
        let mut files = BTreeSet::new();
        let mut open = vec![folder.to_owned()];
        while let Some(current) = open.pop() {
            let entries = match fs::read_dir(&current) {
                Ok(entries) => entries,
                Err(error) => {
                    self.leave_out(&current, &format!("it cannot be read: {error}"));
                    continue;
                }
            };
            for path in entries.flatten().map(|entry| entry.path()) {
                let hidden =
                    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
                // A link to a folder is not followed: it may lead round in a circle.
                if hidden || (path.is_dir() && path.is_symlink()) {
                    continue;
                }
                if path.is_dir() {
                    open.push(path);
                } else if path.extension().is_some_and(|kind| kind == "md" || kind == "txt") {
                    files.insert(self.shown(&path).into_bytes());
                } else {
                    self.leave_out(&path, "only .md and .txt files of a rules folder are read");
                }
            }
            if files.len() > MOST_RULES {
                self.leave_out(folder, &format!("it has more than {MOST_RULES} files"));
                return Vec::new();
            }
        }
        files
            .into_iter()
            .map(|shown| self.root.join(String::from_utf8_lossy(&shown).as_ref()))
            .collect()
    }

    fn read(&mut self, path: &Path) -> Option<RulesFile> {
        let Ok(real) = fs::canonicalize(path) else {
            if path.is_symlink() {
                self.leave_out(path, "the link leads nowhere");
            }
            return None;
        };
        let metadata = fs::metadata(&real).ok()?;
        if !metadata.is_file() {
            return None;
        }
        let root = fs::canonicalize(&self.root).unwrap_or_else(|_| self.root.clone());
        if !real.starts_with(&root) {
            self.leave_out(path, "the link leads out of the project");
            return None;
        }
        if self.seen.contains(&real) {
            self.notes.push(
                Diagnostic::info("rules-repeated", "the same file is read under another name")
                    .in_file(self.shown(path)),
            );
            return None;
        }
        if metadata.len() > LARGEST_RULES {
            let why = format!("it has {} bytes; the limit is {LARGEST_RULES}", metadata.len());
            self.leave_out(path, &why);
            return None;
        }
        let text = match fs::read(&real).map(String::from_utf8) {
            Ok(Ok(text)) => text,
            Ok(Err(error)) => {
                let at = error.utf8_error().valid_up_to();
                self.leave_out(path, &format!("it is not UTF-8 at byte {at}"));
                return None;
            }
            Err(error) => {
                self.leave_out(path, &format!("it cannot be read: {error}"));
                return None;
            }
        };
        self.seen.insert(real);
        Some(RulesFile::new(self.shown(path), normalise(&text).as_ref()))
    }

    /// The path from the project's root, with slashes.
    fn shown(&self, path: &Path) -> String {
        let inner = path.strip_prefix(&self.root).unwrap_or(path);
        let parts: Vec<_> =
            inner.components().map(|part| part.as_os_str().to_string_lossy()).collect();
        parts.join("/")
    }

    fn leave_out(&mut self, path: &Path, why: &str) {
        let shown = self.shown(path);
        self.notes.push(
            Diagnostic::warning("rules-left-out", format!("the file is left out: {why}"))
                .in_file(shown),
        );
    }
}
