//! The flags that say which files of a project and of a home are read.

use std::path::Path;

use clap::Args;
use promptline::context::{Detected, SeenFile, SeenStatus};
use promptline::project::{Host, ReadOptions, ZonedDateTime};
use promptline::{Diagnostic, PromptContext};

use crate::output::Failure;

#[derive(Debug, Args)]
pub(crate) struct ProjectArgs {
    /// Read exactly the rules files that these hosts read, in their order: cline, claude-code, codex, cursor, copilot,
    /// windsurf, gemini-cli, qwen-code, roo, kilo, opencode, goose, zed, amp, junie. Default: those that several read.
    #[arg(long, value_name = "HOST", value_delimiter = ',', value_parser = host)]
    rules_of: Vec<Host>,
    /// A file that the request touches: rules for some files only apply by it. Once for each file.
    #[arg(long = "file", value_name = "PATH")]
    files: Vec<String>,
    /// Read the rules and skills of the home directory too, before those of the project.
    #[arg(long)]
    home: bool,
    /// Leave HTML comments out of rules, except in code fences.
    #[arg(long)]
    strip_comments: bool,
    /// Follow @path includes in every rules file (on) or in none (off). Default: as the host of the file does.
    #[arg(long, value_name = "on|off", value_parser = ["on", "off"])]
    includes: Option<String>,
    /// A file or folder that marks the root of a project, beside .git, .jj and .hg.
    #[arg(long, value_name = "NAME")]
    root_marker: Vec<String>,
}

fn host(name: &str) -> Result<Host, String> {
    name.parse::<Host>().map_err(|error| error.to_string())
}

impl ProjectArgs {
    /// What the machine and the project say.
    pub(crate) fn detect(&self, cwd: &Path) -> Result<Detected, Failure> {
        let mut options = ReadOptions::new().with_strip_comments(self.strip_comments);
        options.hosts.clone_from(&self.rules_of);
        options.files.clone_from(&self.files);
        options.root_markers.clone_from(&self.root_marker);
        options.includes = self.includes.as_deref().map(|includes| includes == "on");
        if self.home {
            options.home = std::env::home_dir();
            if options.home.is_none() {
                return Err(Failure::Said("--home: the home directory is not known".to_owned()));
            }
        }
        let mut detected = PromptContext::detect_with(cwd, &ZonedDateTime::now(), &options)?;
        detected.notes = short(detected.notes, &detected.files);
        Ok(detected)
    }

    pub(crate) fn files(&self) -> &[String] {
        &self.files
    }
}

/// Of many ignored files one line; the list of all is in the JSON.
fn short(notes: Vec<Diagnostic>, files: &[SeenFile]) -> Vec<Diagnostic> {
    const MANY: usize = 3;
    let is_of_ignored = |note: &Diagnostic| {
        let ends = ["-left-out", "-not-read", "-repeated"];
        let of = |file: &&SeenFile| Some(file.path.as_str()) == note.file.as_deref();
        ends.iter().any(|end| note.code.ends_with(end))
            && files.iter().find(of).is_some_and(|file| file.status != SeenStatus::Used)
    };
    let (ignored, mut kept): (Vec<_>, Vec<_>) = notes.into_iter().partition(is_of_ignored);
    if ignored.len() <= MANY {
        kept.splice(0..0, ignored);
        return kept;
    }
    let names = ignored.iter().filter_map(|note| note.file.as_deref());
    let names = names.take(MANY).collect::<Vec<_>>().join(", ");
    let message = format!(
        "{} files of the project are not used: {names} and {} more",
        ignored.len(),
        ignored.len() - MANY
    );
    let one = Diagnostic::new(
        ignored.iter().map(|note| note.severity).max().unwrap_or(promptline::Severity::Info),
        "files-not-used",
        message,
    );
    kept.insert(0, one.with_help("`--format json` lists them all, with the reasons"));
    kept
}
