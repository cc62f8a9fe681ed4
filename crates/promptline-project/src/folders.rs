//! Where a project begins, and which of its folders are looked at. Reads no file itself.

use std::path::{Path, PathBuf};

pub(crate) struct Folders {
    root: PathBuf,
    cwd: PathBuf,
    is_repository: bool,
}

impl Folders {
    /// The repository that `cwd` is in; without one, `cwd` is the project.
    pub(crate) fn find(cwd: &Path) -> Self {
        let repository = cwd.ancestors().find(|folder| folder.join(".git").exists());
        Self {
            root: repository.unwrap_or(cwd).to_owned(),
            cwd: cwd.to_owned(),
            is_repository: repository.is_some(),
        }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn is_repository(&self) -> bool {
        self.is_repository
    }

    /// From the root down to the working directory.
    pub(crate) fn down(&self) -> Vec<PathBuf> {
        let mut folders: Vec<PathBuf> = self
            .cwd
            .ancestors()
            .take_while(|folder| folder.starts_with(&self.root))
            .map(Path::to_owned)
            .collect();
        folders.reverse();
        folders
    }

    /// The root, and the working directory where it is another.
    pub(crate) fn ends(&self) -> Vec<PathBuf> {
        let mut ends = vec![self.root.clone(), self.cwd.clone()];
        ends.dedup();
        ends
    }
}
