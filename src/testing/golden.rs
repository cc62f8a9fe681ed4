//! The golden files themselves: their names, what is in them, and the folder that they are in. It only
//! ever removes a file that is listed in its own file of sums.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::document::{Document, DocumentKind};
use super::mismatch::Difference;
use super::{Snapshot, delta};
use crate::fingerprint::hex;
use promptline_diagnostic::{Error, ErrorKind};

/// Sums of all prompts of the matrix.
const SUMS: &str = "sums.txt";
const SUMS_HEAD: &str =
    "# SHA-256, bytes and lines of each prompt, and of its native tools as they are sent.\n";
/// The other contexts of a variant.
const CONTEXTS: &str = "contexts.diff";
const CONTEXTS_HEAD: &str = "# What the other contexts change. A line follows the one before it in the \
    whole file; `~`: all lines up to the next one.\n";
/// How the difference of a file begins in it.
const FILE_MARK: &str = "=== ";
const FROM: &str = " from ";

/// What the folder must hold.
#[derive(Debug, Default)]
pub(super) struct Wanted {
    /// Files by name; without the sums.
    files: BTreeMap<String, String>,
    /// Lines of the file of sums, by the file that each is about.
    sums: BTreeMap<String, String>,
}

impl Wanted {
    /// Adds one variant's files: one context is whole, `base` or the first, and the others are kept as
    /// differences from it.
    pub(super) fn add(&mut self, snapshots: &[Snapshot], base: &str) {
        let Some(first) = snapshots.first() else { return };
        let folder = file_name(&first.variant);
        let mut contexts = String::new();
        for snapshot in snapshots {
            self.add_sums(&folder, snapshot);
        }
        for kind in DocumentKind::ALL {
            let mut all: Vec<(&str, String, Document)> = Vec::new();
            for snapshot in snapshots {
                if let Some(document) = kind.of(snapshot) {
                    let file = file_name(&snapshot.context) + kind.ending();
                    all.push((&snapshot.context, file, document));
                }
            }
            let whole = all.iter().position(|(context, ..)| *context == base);
            let Some((_, whole, document)) = all.get(whole.unwrap_or(0)) else { continue };
            self.files.insert(format!("{folder}/{whole}"), document.text.clone());
            for (_, file, other) in all.iter().filter(|(_, file, _)| file != whole) {
                let changes = delta::write(document, other);
                let _ = write!(contexts, "\n{FILE_MARK}{file}{FROM}{whole}\n{changes}");
            }
        }
        if !contexts.is_empty() {
            self.files.insert(format!("{folder}/{CONTEXTS}"), CONTEXTS_HEAD.to_owned() + &contexts);
        }
    }

    fn add_sums(&mut self, folder: &str, snapshot: &Snapshot) {
        let mut add = |kind: DocumentKind, text: &str| {
            let file = format!("{folder}/{}{}", file_name(&snapshot.context), kind.ending());
            let hash = hex(&Sha256::digest(text.as_bytes()));
            let lines = text.split('\n').count();
            let sums = format!("{hash} {:>7} bytes {lines:>4} lines  {file}", text.len());
            self.sums.insert(file, sums);
        };
        add(DocumentKind::Prompt, snapshot.prompt.text());
        if let Some(tools) = snapshot.prompt.tools() {
            add(DocumentKind::Native, &tools.to_value().to_string());
        }
    }
}

/// A name that is good for a file on every system; different names stay different.
pub(super) fn file_name(name: &str) -> String {
    let mut safe = String::new();
    for (at, c) in name.char_indices() {
        if c.is_alphanumeric() || "-_@+".contains(c) || (c == '.' && at > 0) {
            safe.push(c);
        } else {
            let mut bytes = [0; 4];
            for byte in c.encode_utf8(&mut bytes).bytes() {
                let _ = write!(safe, "%{byte:02X}");
            }
        }
    }
    safe
}

/// A folder of golden files. Names are relative to it.
pub(super) struct GoldenFiles<'m> {
    pub(super) folder: &'m Path,
    /// The only variant that is looked at.
    pub(super) only: Option<&'m str>,
}

impl GoldenFiles<'_> {
    pub(super) fn shown(&self, name: &str) -> String {
        self.folder.join(name).display().to_string()
    }

    /// The files that there must be, in the order in which they are reported.
    pub(super) fn files(&self, wanted: Wanted) -> Result<Vec<(String, String)>, Error> {
        let mut sums = wanted.sums;
        if let Some(folder) = self.only.map(file_name) {
            for (file, line) in self.listed()? {
                if !file.starts_with(&format!("{folder}/")) {
                    sums.insert(file, line);
                }
            }
        }
        let lines = sums.into_values().fold(SUMS_HEAD.to_owned(), |text, line| text + &line + "\n");
        let mut files: Vec<_> = wanted.files.into_iter().collect();
        files.push((SUMS.to_owned(), lines));
        Ok(files)
    }

    /// The files that were written for prompts that are no longer in the matrix.
    pub(super) fn stale(&self, wanted: &[(String, String)]) -> Result<Vec<String>, Error> {
        let only = self.only.map(file_name);
        let mut files = BTreeSet::new();
        for (file, _) in self.listed()? {
            let Some((folder, name)) = file.split_once('/') else { continue };
            if only.as_ref().is_some_and(|only| only != folder) {
                continue;
            }
            let context =
                DocumentKind::ALL.iter().find_map(|kind| name.strip_suffix(kind.ending()));
            for kind in DocumentKind::ALL {
                files.extend(context.map(|context| format!("{folder}/{context}{}", kind.ending())));
            }
            files.insert(format!("{folder}/{CONTEXTS}"));
        }
        for (file, _) in wanted {
            files.remove(file);
        }
        files.retain(|name| self.folder.join(name).is_file());
        Ok(files.into_iter().collect())
    }

    /// The lines of the sums that are there, by file. Lines that are not sums are left out: a person may have
    /// merged them.
    fn listed(&self) -> Result<BTreeMap<String, String>, Error> {
        let sums = self.text(SUMS)?.unwrap_or_default();
        let named = |line: &str| {
            let file = line.split(' ').next_back().filter(|file| is_file_name(file))?;
            Some((file.to_owned(), line.to_owned()))
        };
        Ok(sums.lines().filter_map(named).collect())
    }

    /// What is kept of a prompt, from the whole file or the difference from it.
    pub(super) fn kept(
        &self,
        snapshot: &Snapshot,
        kind: DocumentKind,
    ) -> Result<Option<Kept>, Error> {
        let folder = file_name(&snapshot.variant);
        let file = file_name(&snapshot.context) + kind.ending();
        let name = format!("{folder}/{file}");
        if let Some(text) = self.text(&name)? {
            return Ok(Some(Kept { file: self.shown(&name), text }));
        }
        let name = format!("{folder}/{CONTEXTS}");
        let Some(contexts) = self.text(&name)? else { return Ok(None) };
        let mark = format!("\n{FILE_MARK}");
        let mut parts = contexts.split(&mark).skip(1);
        let changes = parts.find_map(|part| part.strip_prefix(&file)?.strip_prefix(FROM));
        let Some((whole, changes)) = changes.map(|c| c.split_once('\n').unwrap_or((c, ""))) else {
            return Ok(None);
        };
        let whole = if is_plain(whole) { self.text(&format!("{folder}/{whole}"))? } else { None };
        match whole.and_then(|whole| delta::apply(&whole, changes)) {
            Some(text) => Ok(Some(Kept { file: self.shown(&name), text })),
            None => Err(Error::new(
                ErrorKind::Io,
                format!("the difference for {file} does not match the file that it is from"),
            )
            .with_help("write the golden files anew with `promptline snapshot --update`, or `Matrix::update`")
            .in_file(self.shown(&name))),
        }
    }

    /// What is different about a file, if anything.
    pub(super) fn compare(&self, name: &str, wanted: &str) -> Result<Option<Difference>, Error> {
        match fs::read(self.folder.join(name)) {
            Ok(found) if found == wanted.as_bytes() => Ok(None),
            Ok(found) => {
                let found = String::from_utf8_lossy(&found);
                Ok(Some(Difference::changed(self.shown(name), &found, wanted)))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Ok(Some(Difference::missing(self.shown(name))))
            }
            Err(error) => Err(self.failed(name, "read", &error)),
        }
    }

    /// A golden file's text, where there is one.
    pub(super) fn text(&self, name: &str) -> Result<Option<String>, Error> {
        match fs::read(self.folder.join(name)) {
            Ok(found) => Ok(Some(String::from_utf8_lossy(&found).into_owned())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.failed(name, "read", &error)),
        }
    }

    pub(super) fn write(&self, name: &str, text: &str) -> Result<(), Error> {
        let path = self.folder.join(name);
        let made = path.parent().map_or(Ok(()), fs::create_dir_all);
        made.and_then(|()| fs::write(&path, text))
            .map_err(|error| self.failed(name, "written", &error))
    }

    /// Removes a file, and its folder with the last one in it.
    pub(super) fn remove(&self, name: &str) -> Result<(), Error> {
        let path = self.folder.join(name);
        fs::remove_file(&path).map_err(|error| self.failed(name, "removed", &error))?;
        if let Some(folder) = path.parent() {
            let _ = fs::remove_dir(folder); // it stays when something else is in it
        }
        Ok(())
    }

    fn failed(&self, name: &str, done: &str, error: &io::Error) -> Error {
        Error::new(ErrorKind::Io, format!("the golden file cannot be {done}: {error}"))
            .in_file(self.shown(name))
    }
}

/// What a golden file keeps.
pub(super) struct Kept {
    /// The file that it is in.
    pub(super) file: String,
    pub(super) text: String,
}

/// A folder and a file in it that [`file_name`] can have made: nothing that leads elsewhere.
fn is_file_name(name: &str) -> bool {
    let ends = |file: &str| DocumentKind::ALL.iter().any(|kind| file.ends_with(kind.ending()));
    name.split_once('/')
        .is_some_and(|(folder, file)| is_plain(folder) && is_plain(file) && ends(file))
}

fn is_plain(name: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || "-_@+.%".contains(c);
    !name.is_empty() && !name.starts_with('.') && name.chars().all(plain)
}

#[cfg(test)]
mod tests {
    use super::{file_name, is_file_name};

    #[test]
    fn names_are_safe_and_stay_different() {
        for (name, file) in [
            ("next-gen", "next-gen"),
            ("gpt-5.2", "gpt-5.2"),
            ("org/model", "org%2Fmodel"),
            ("..", "%2E."),
            ("a%2Fb", "a%252Fb"),
            ("größe", "größe"),
            ("a b", "a%20b"),
        ] {
            assert_eq!(file_name(name), file);
            assert!(is_file_name(&format!("{file}/{file}.prompt")), "{file}");
        }
    }

    #[test]
    fn what_leads_elsewhere_is_no_name() {
        for name in [
            "a.prompt",
            "../a.prompt",
            "a/../b.prompt",
            "/a.prompt",
            "a/b/c.prompt",
            "a/.prompt",
            "a\\b/c.prompt",
            "C:/a.prompt",
            "a/b.txt",
            "a/b",
            "a/sums.txt",
        ] {
            assert!(!is_file_name(name), "{name}");
        }
    }
}
