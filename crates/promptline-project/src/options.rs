//! What a caller can ask of a project.

use std::path::PathBuf;

use crate::host::Host;

/// How a project is read. The default reads the files that several agents share, and nothing of the user's home.
///
/// ```
/// use promptline_project::{Host, ReadOptions};
/// let options = ReadOptions::new().with_host(Host::ClaudeCode).with_file("src/main.rs");
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ReadOptions {
    /// Whose files are read, each host's in its own order; none is the shared ones.
    pub hosts: Vec<Host>,
    /// The files that the request touches: they decide which conditional rules apply. Absolute, or relative to the
    /// working directory; they need not exist.
    pub files: Vec<String>,
    /// The user's home: then its rules are read too, before those of the project.
    pub home: Option<PathBuf>,
    /// `@path` includes: follow them in every file, or in none. By default, as the host of the file does.
    pub includes: Option<bool>,
    /// Leaves HTML comments out of the rules, except in code fences, as Claude Code does.
    pub strip_comments: bool,
    /// Names that mark the root of a project, beside `.git`, `.jj` and `.hg`.
    pub root_markers: Vec<String>,
}

impl ReadOptions {
    /// The default.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads exactly the files that this host reads, in its order. Several hosts are read one after the other.
    #[must_use]
    pub fn with_host(mut self, host: Host) -> Self {
        self.hosts.push(host);
        self
    }

    /// Adds a file that the request touches.
    #[must_use]
    pub fn with_file(mut self, path: impl Into<String>) -> Self {
        self.files.push(path.into());
        self
    }

    /// Reads the rules of the user's home too.
    #[must_use]
    pub fn with_home(mut self, home: impl Into<PathBuf>) -> Self {
        self.home = Some(home.into());
        self
    }

    /// Follows `@path` includes in every file, or in none.
    #[must_use]
    pub fn with_includes(mut self, follow: bool) -> Self {
        self.includes = Some(follow);
        self
    }

    /// Leaves HTML comments out of the rules.
    #[must_use]
    pub fn with_strip_comments(mut self, strip: bool) -> Self {
        self.strip_comments = strip;
        self
    }

    /// Adds a name that marks the root of a project.
    #[must_use]
    pub fn with_root_marker(mut self, name: impl Into<String>) -> Self {
        self.root_markers.push(name.into());
        self
    }
}
