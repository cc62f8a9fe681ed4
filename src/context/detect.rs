//! Fills a context from the machine and the project, for hosts that do not know better. The only part
//! of the library that reads files, the environment and the clock, and only when it is called.

mod project;

use std::path::Path;

use jiff::ZonedDateTime;

use super::{PromptContext, RulesFile};
use crate::diagnostic::Diagnostic;
use crate::error::{Error, ErrorKind};
use project::Project;

/// A context that was filled from the machine and the project.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Detected {
    /// The context; add the model to it.
    pub context: PromptContext,
    /// The folder that holds the repository, where there is one.
    pub git_root: Option<String>,
    /// Files that were seen and left out, and why.
    pub notes: Vec<Diagnostic>,
}

impl PromptContext {
    /// Reads operating system, shell, home, date, time zone, working directory, and the project's
    /// rules files.
    ///
    /// Rules come in a fixed order: each `AGENTS.md` from the root of the git repository down to
    /// `cwd` (the nearest last), each `CLAUDE.md` in the same way, then `.clinerules` of the root and
    /// of `cwd`: a file, or the `*.md` and `*.txt` files of a folder in the byte order of their
    /// paths. One file counts once, by whatever name it is reached. Left out, and said: what is not
    /// UTF-8, is larger than 1 MiB, or is a link out of the project.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] when `cwd` is not a folder.
    pub fn detect(cwd: impl AsRef<Path>) -> Result<Detected, Error> {
        Self::detect_at(cwd, &ZonedDateTime::now())
    }

    /// The same with a clock of the caller: the date is the date in its zone.
    ///
    /// # Errors
    /// As [`detect`](Self::detect).
    pub fn detect_at(cwd: impl AsRef<Path>, now: &ZonedDateTime) -> Result<Detected, Error> {
        let given = cwd.as_ref();
        let cwd = std::path::absolute(given).ok().filter(|cwd| cwd.is_dir()).ok_or_else(|| {
            Error::new(ErrorKind::Io, format!("`{}` is not a folder", given.display()))
        })?;
        let mut project = Project::find(&cwd);
        let rules = project.rules();
        let mut context = Self {
            cwd: Some(plain(&cwd)),
            date: Some(now.date().to_string()),
            zone: Some(zone(now)),
            rules,
            ..Self::default()
        };
        context.environment.os = Some(operating_system());
        context.environment.shell = shell();
        context.environment.home = std::env::home_dir().map(|home| plain(&home));
        let git_root = project.is_repository().then(|| plain(project.root()));
        Ok(Detected { context, git_root, notes: project.into_notes() })
    }
}

/// A path as a person would write it.
fn plain(path: &Path) -> String {
    let text = path.to_string_lossy();
    // `cwd` may have been given as `.`, of which `absolute` keeps nothing but a separator.
    match text.strip_suffix(['/', '\\']) {
        Some(cut) if !cut.is_empty() && !cut.ends_with(':') => cut.to_owned(),
        _ => text.into_owned(),
    }
}

fn zone(now: &ZonedDateTime) -> String {
    match now.time_zone().iana_name() {
        Some(name) => name.to_owned(),
        None => format!("UTC{}", now.offset()),
    }
}

fn operating_system() -> String {
    let info = os_info::get();
    match info.version() {
        os_info::Version::Unknown => info.os_type().to_string(),
        version => format!("{} {version}", info.os_type()),
    }
}

fn shell() -> Option<String> {
    let path = std::env::var_os("SHELL").or_else(|| std::env::var_os("COMSPEC"))?;
    let name = Path::new(&path).file_name()?.to_string_lossy().into_owned();
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests;
