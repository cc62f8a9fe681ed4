//! Packs for tests, written as one string: a line `-- path` begins a file.

#![allow(dead_code, reason = "each test target uses its own part")]

use std::fs;
use std::path::Path;

use promptline::{Error, Pack, PromptContext, PromptRegistry};
use tempfile::TempDir;

/// One variant `v` with one component.
pub(crate) const SMALL: &str = r#"
-- variants/pack.toml
schema = 1
name = "small"
variants = ["v"]
-- variants/v/variant.toml
schema = 1
components = ["A_SECTION"]
-- templates/components/a.md
+++
id = "A_SECTION"
+++
All is well.
"#;

/// A folder with a pack in it, gone when it is dropped.
pub(crate) struct Folder(TempDir);

impl Folder {
    /// A folder with these files and no others.
    pub(crate) fn new(archive: &str) -> Self {
        let folder = Self(tempfile::tempdir().expect("a temporary folder"));
        folder.add(archive);
        folder
    }

    /// The small pack with these files over it.
    pub(crate) fn over_small(archive: &str) -> Self {
        let folder = Self::new(SMALL);
        folder.add(archive);
        folder
    }

    fn add(&self, archive: &str) {
        let mut files: Vec<(&str, String)> = Vec::new();
        for line in archive.trim_start_matches('\n').split_inclusive('\n') {
            match line.strip_prefix("-- ") {
                Some(path) => files.push((path.trim_end(), String::new())),
                None => files.last_mut().expect("a path comes first").1 += line,
            }
        }
        for (path, text) in files {
            self.put(path, text);
        }
    }

    /// Puts these files over those that are there.
    pub(crate) fn lay_over(&self, archive: &str) {
        self.add(archive);
    }

    pub(crate) fn put(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.0.path().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder can be made");
        fs::write(path, bytes).expect("a file can be written");
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn load(&self) -> Result<Pack, Error> {
        Pack::from_dir(self.path())
    }

    /// The kind and the whole message of the error that this pack gives when it is loaded, or when a
    /// registry is built of it. The folder is called PACK.
    pub(crate) fn refusal(&self) -> String {
        let error = self
            .load()
            .and_then(|pack| PromptRegistry::builder().pack(pack).build())
            .expect_err("the pack is refused");
        self.shown(&error)
    }

    pub(crate) fn shown(&self, error: &Error) -> String {
        let root = self.path().to_str().expect("a path in UTF-8");
        format!("{:?}: {error:#}", error.kind()).replace(root, "PACK")
    }
}

/// Loads a pack that has no mistakes.
pub(crate) fn pack(archive: &str) -> Pack {
    Folder::new(archive).load().unwrap_or_else(|error| panic!("{error:#}"))
}

/// The prompt that packs give for a context, the first one lowest.
pub(crate) fn built(packs: &[&str], cx: &PromptContext) -> promptline::Prompt {
    let mut registry = PromptRegistry::builder();
    for archive in packs {
        registry = registry.pack(pack(archive));
    }
    registry
        .build()
        .and_then(|registry| registry.build_blocking(cx))
        .unwrap_or_else(|error| panic!("{error:#}"))
}
