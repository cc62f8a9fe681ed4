//! Fills a context from the machine and the project, for hosts that do not know better. What is read, and how, is
//! the business of promptline-project; here its findings become a context.

use std::path::Path;

use promptline_diagnostic::{Diagnostic, Error};
use promptline_project::{Day, Environment, Project, ReadOptions, ZonedDateTime};
pub use promptline_project::{SeenFile, SeenKind, SeenStatus};

use super::{McpServer, PromptContext, RulesFile, ServerStatus, Skill};

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
    /// Reads operating system, shell, home, date, time zone, working directory, and the project's rules files, skills
    /// and MCP servers. [`Project::read`] says which files count, in what order.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](promptline_diagnostic::ErrorKind::Io) when `cwd` is not a folder.
    pub fn detect(cwd: impl AsRef<Path>) -> Result<Detected, Error> {
        Self::detect_at(cwd, &ZonedDateTime::now())
    }

    /// The same with a clock of the caller: the date is the date in its zone.
    ///
    /// # Errors
    /// As [`detect`](Self::detect).
    pub fn detect_at(cwd: impl AsRef<Path>, now: &ZonedDateTime) -> Result<Detected, Error> {
        Self::detect_with(cwd, now, &ReadOptions::new())
    }

    /// The same with options: whose rules, for which files of the request, with those of the home or without.
    ///
    /// # Errors
    /// As [`detect`](Self::detect).
    pub fn detect_with(
        cwd: impl AsRef<Path>,
        now: &ZonedDateTime,
        options: &ReadOptions,
    ) -> Result<Detected, Error> {
        let project = Project::read_with(cwd, options)?;
        let mut context = Self { files: options.files.clone(), ..Self::default() };
        context.set_environment(Environment::detect());
        context.set_day(Day::at(now));
        Ok(context.with_project(project))
    }

    fn set_environment(&mut self, machine: Environment) {
        self.environment.os = Some(machine.os);
        self.environment.shell = machine.shell;
        self.environment.home = machine.home;
    }

    fn set_day(&mut self, day: Day) {
        self.date = Some(day.date);
        self.zone = Some(day.zone);
    }

    fn with_project(mut self, project: Project) -> Detected {
        self.cwd = Some(project.cwd);
        self.rules
            .extend(project.rules.into_iter().map(|file| RulesFile::new(file.path, file.text)));
        self.skills.extend(project.skills.into_iter().map(|skill| Skill {
            name: skill.name,
            description: skill.description,
            path: Some(skill.path),
        }));
        self.mcp_servers.extend(project.mcp_servers.into_iter().map(|server| {
            let disabled = server.is_disabled;
            McpServer::new(server.name).with_status(match disabled {
                true => ServerStatus::Disabled,
                false => ServerStatus::Configured,
            })
        }));
        Detected {
            context: self,
            git_root: project.git_root,
            files: project.seen,
            notes: project.diagnostics,
        }
    }
}
