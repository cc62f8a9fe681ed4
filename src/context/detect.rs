//! Fills a context from the machine and the project, for hosts that do not know better. The only part
//! of the library that reads files, the environment and the clock, and only when it is called.

mod front_matter;
mod mcp;
mod project;
mod reading;
mod rules;
mod seen;
mod skills;

use std::path::Path;

use jiff::ZonedDateTime;

use super::{McpServer, PromptContext, RulesFile, Skill};
use project::Project;
use promptline_diagnostic::Diagnostic;
use promptline_diagnostic::{Error, ErrorKind};
use reading::Reader;
use seen::Seen;
pub use seen::{SeenFile, SeenKind, SeenStatus};

/// A context that was filled from the machine and the project.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Detected {
    /// The context; add the model to it.
    pub context: PromptContext,
    /// The folder that holds the repository, where there is one.
    pub git_root: Option<String>,
    /// Every file of the project that was seen, in the order of the sources: used or ignored, and why.
    pub files: Vec<SeenFile>,
    /// One note for each file that is ignored, and what is wrong in files that are used.
    pub notes: Vec<Diagnostic>,
}

impl PromptContext {
    /// Reads operating system, shell, home, date, time zone, working directory, and the project's
    /// rules files, skills and MCP servers.
    ///
    /// The project is the git repository that `cwd` is in; without one, it is `cwd`. Its files are read
    /// in a fixed order, and those of one folder in the byte order of their paths:
    ///
    /// | | source | where |
    /// |---|---|---|
    /// | 1 | `AGENTS.md` | the root, down to `cwd` (the nearest last) |
    /// | 2 | `CLAUDE.md` | the same |
    /// | 3 | `.clinerules`: a file, or the `*.md` and `*.txt` files of a folder and its folders | the root, then `cwd` |
    /// | 4 | `.cursorrules` | the same |
    /// | 5 | `.cursor/rules/**/*.mdc` | the same |
    /// | 6 | `.windsurfrules` | the same |
    /// | 7 | `.github/copilot-instructions.md` | the same |
    /// | 8 | skills: `.claude/skills/*/SKILL.md` | the same |
    /// | 9 | skills: `.cline/skills/*/SKILL.md` | the same |
    /// | 10 | skills: `skills/*/SKILL.md` | the same |
    /// | 11 | MCP servers: `.mcp.json` | the same |
    /// | 12 | MCP servers: `.vscode/mcp.json`, where comments and trailing commas are allowed (as in 11) | the same |
    ///
    /// One file counts once, by whatever name it is reached; of skills, and of servers, with one name
    /// the first counts. Left out, and said: what is not UTF-8, is larger than 1 MiB, or is a link out
    /// of the project; a link to a folder of rules; a folder with more than 1,000 files. Files and
    /// folders whose names begin with a dot are not looked at inside of a folder of rules or skills.
    ///
    /// **Front matter** (YAML between a first line `---` and the next one) is read in 5 and 8 to 10, and is
    /// not part of the rules. A rule is left out, and said, when it has `globs` (it is for some files
    /// only), a `description` (the agent asks for it), or `alwaysApply: false`; `alwaysApply: true`
    /// overrules all three. Front matter that cannot be read, or is not at the start, is a warning, and
    /// the rule is kept. Files of 1 to 4, 6 and 7 are taken as they are.
    ///
    /// **Skills** have the `name` of their front matter, else that of their folder.
    ///
    /// **MCP servers** are the keys of `mcpServers` and of `servers`, as
    /// [`Configured`](super::ServerStatus::Configured), or
    /// [`Disabled`](super::ServerStatus::Disabled) with `"disabled": true`. Nothing else of them is read:
    /// command lines, environments and addresses reach neither the context nor a note.
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
        let project = Project::find(&cwd);
        let Found { rules, skills, mcp_servers, seen } = Found::in_project(&project);
        let mut context = Self {
            cwd: Some(plain(&cwd)),
            date: Some(now.date().to_string()),
            zone: Some(zone(now)),
            rules,
            skills,
            mcp_servers,
            ..Self::default()
        };
        context.environment.os = Some(operating_system());
        context.environment.shell = shell();
        context.environment.home = std::env::home_dir().map(|home| plain(&home));
        let git_root = project.is_repository().then(|| plain(project.root()));
        Ok(Detected { context, git_root, files: seen.files, notes: seen.notes })
    }
}

/// What the files of a project say.
struct Found {
    rules: Vec<RulesFile>,
    skills: Vec<Skill>,
    mcp_servers: Vec<McpServer>,
    seen: Seen,
}

impl Found {
    fn in_project(project: &Project) -> Self {
        let mut reader = Reader::new(project.root());
        let ends = project.ends();
        let rules = rules::rules(&mut reader, &project.down(), &ends);
        let skills = skills::skills(&mut reader, &ends);
        let mcp_servers = mcp::servers(&mut reader, &ends);
        Self { rules, skills, mcp_servers, seen: reader.seen }
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
#[cfg(test)]
mod tests_front_matter;
#[cfg(test)]
mod tests_mcp;
#[cfg(test)]
mod tests_properties;
#[cfg(test)]
mod tests_sources;
