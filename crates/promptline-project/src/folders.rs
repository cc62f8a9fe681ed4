//! Where a project begins, which of its folders are looked at, and where the files of a request are. Reads no file
//! itself.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::options::ReadOptions;

/// What marks the root of a repository.
const MARKERS: [&str; 3] = [".git", ".jj", ".hg"];
/// Below the working directory so many entries are looked at, and folders so deep.
const MOST: usize = 20_000;
const DEEPEST: usize = 8;
/// Folders of dependencies and of what was built: what they say is others' and is not looked for.
const FOREIGN: [&str; 7] =
    ["node_modules", "target", "vendor", "dist", "build", "venv", "__pycache__"];

pub(crate) struct Folders {
    root: PathBuf,
    cwd: PathBuf,
    is_repository: bool,
    /// The files that the request touches, from the root, with slashes.
    files: Vec<String>,
}

impl Folders {
    /// The repository that `cwd` is in; without one, `cwd` is the project.
    pub(crate) fn find(cwd: &Path, options: &ReadOptions) -> Self {
        let marks = || MARKERS.into_iter().chain(options.root_markers.iter().map(String::as_str));
        let is_root = |folder: &&Path| marks().any(|mark| folder.join(mark).exists());
        let found = cwd.ancestors().find(is_root);
        let root = found.unwrap_or(cwd).to_owned();
        let files = options.files.iter().filter_map(|file| within(&root, cwd, file)).collect();
        Self { root, cwd: cwd.to_owned(), is_repository: found.is_some(), files }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn is_repository(&self) -> bool {
        self.is_repository
    }

    pub(crate) fn files(&self) -> &[String] {
        &self.files
    }

    /// From the root down to the working directory.
    pub(crate) fn down(&self) -> Vec<PathBuf> {
        let inside = |folder: &&Path| folder.starts_with(&self.root);
        let mut folders: Vec<PathBuf> =
            self.cwd.ancestors().take_while(inside).map(Path::to_owned).collect();
        folders.reverse();
        folders
    }

    /// The folders of the request's files that are not on the way to the working directory, from above.
    pub(crate) fn touched(&self) -> Vec<PathBuf> {
        let down: BTreeSet<PathBuf> = self.down().into_iter().collect();
        let mut touched = BTreeSet::new();
        for file in &self.files {
            let path = self.root.join(file);
            let above =
                path.ancestors().skip(1).take_while(|folder| folder.starts_with(&self.root));
            touched.extend(above.filter(|folder| !down.contains(*folder)).map(Path::to_owned));
        }
        touched.into_iter().collect()
    }

    /// The files of these names below the working directory, in the byte order of their paths; and whether there
    /// were too many entries to look at all.
    pub(crate) fn below(&self, names: &BTreeSet<&str>) -> (Vec<PathBuf>, bool) {
        let mut found = BTreeSet::new();
        let mut open = vec![(self.cwd.clone(), 0)];
        let mut left = MOST;
        while let Some((folder, depth)) = open.pop() {
            let Ok(entries) = fs::read_dir(&folder) else { continue };
            // One more than the limit says that there are more.
            let mut entries: Vec<_> = entries.flatten().take(left + 1).collect();
            if entries.len() > left {
                return (found.into_iter().collect(), true);
            }
            left -= entries.len();
            entries.sort_by_key(fs::DirEntry::file_name);
            for entry in entries {
                let name = entry.file_name();
                let Some(name) = name.to_str().filter(|name| !name.starts_with('.')) else {
                    continue;
                };
                let Ok(kind) = entry.file_type() else { continue };
                if kind.is_dir() && depth < DEEPEST && !FOREIGN.contains(&name) {
                    open.push((entry.path(), depth + 1));
                } else if kind.is_file() && depth > 0 && names.contains(name) {
                    found.insert(entry.path());
                }
            }
        }
        (found.into_iter().collect(), false)
    }
}

/// A path of the caller from the root of the project, with slashes; none for one outside of it.
fn within(root: &Path, cwd: &Path, file: &str) -> Option<String> {
    let file = file.replace('\\', "/");
    let mut whole: Vec<&OsStr> = Vec::new();
    let path = cwd.join(file);
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                whole.pop();
            }
            other => whole.push(other.as_os_str()),
        }
    }
    let path: PathBuf = whole.iter().collect();
    let inner = path.strip_prefix(root).ok()?;
    let parts: Vec<_> = inner.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    (!parts.is_empty()).then(|| parts.join("/"))
}
