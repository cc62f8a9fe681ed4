//! What the files of a project say, in the order of their sources.

use std::path::Path;

use promptline_diagnostic::{Diagnostic, Error, ErrorKind};

use crate::environment::plain;
use crate::folders::Folders;
use crate::mcp::{self, McpServer};
use crate::options::ReadOptions;
use crate::reading::Reader;
use crate::rules::{self, RulesFile};
use crate::seen::SeenFile;
use crate::skills::{self, Skill};

/// What the files of a project say to an agent.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Project {
    /// The working directory that was asked for, absolute.
    pub cwd: String,
    /// The folder that holds the repository, where there is one.
    pub git_root: Option<String>,
    /// Rules files, in the order in which they count (nearest last).
    pub rules: Vec<RulesFile>,
    /// Skills; the first of a name.
    pub skills: Vec<Skill>,
    /// MCP servers; the first of a name.
    pub mcp_servers: Vec<McpServer>,
    /// Every file that was seen, in the order of the sources: used or ignored, and why.
    pub seen: Vec<SeenFile>,
    /// One for each file that is ignored, and what is wrong in files that are used.
    pub diagnostics: Vec<Diagnostic>,
}

impl Project {
    /// Reads the project that `cwd` is in.
    ///
    /// The project is the repository that `cwd` is in (`.git`, `.jj`, `.hg`, or a marker of the options); without
    /// one, it is `cwd`. Every folder from the root down to `cwd` is looked at for every source; the files of one
    /// folder are read in the byte order of their paths. When no host is named, the sources are, in this order:
    ///
    /// | source | what of it |
    /// |---|---|
    /// | `AGENTS.override.md`, else `AGENTS.md`, else `AGENT.md` | one in a folder |
    /// | `CLAUDE.md`, then `.claude/CLAUDE.md` | with what they include (`@path`) |
    /// | `.claude/rules/**/*.md` | by `paths` |
    /// | `CLAUDE.local.md` | with what it includes |
    /// | `.clinerules`: a file, or `*.md` and `*.txt` below | by `paths`; not `workflows/`, `hooks/`, `skills/` |
    /// | `.cursorrules`, then `.cursor/rules/**/*.mdc` | by `alwaysApply`, `globs`, `description` |
    /// | `.windsurfrules`, then `.windsurf/rules/**/*.md` | by `trigger`, `globs` |
    /// | `.github/copilot-instructions.md`, then `.github/instructions/**/*.instructions.md` | by `applyTo` |
    /// | `.rules` | |
    /// | skills: `.agents/`, `.claude/`, `.cline/`, `.clinerules/`, `.github/`, `skills` | `*/SKILL.md` |
    /// | MCP servers: `.mcp.json`, `.vscode/mcp.json` | comments and trailing commas are allowed |
    ///
    /// With [hosts](ReadOptions::hosts) exactly what these read is read, folder by folder, by a table from their
    /// documentation. What is there and is not read is in [`seen`](Self::seen), with the reason; so are rules below
    /// `cwd`, which count only when the request touches a file of their folder.
    ///
    /// One file counts once, by whatever name it is reached; so does one text; of skills, and of servers, with one
    /// name the first counts. A link that git wrote as a text file is followed. Left out, and said: what is neither
    /// UTF-8 nor marked UTF-16, is larger than 1 MiB, or is a link out of the project; a link to a folder of rules; a
    /// folder with more than 1,000 files. Files and folders whose names begin with a dot are not looked at inside of
    /// a folder of rules or skills.
    ///
    /// **Front matter** (YAML between a first line `---` and the next one) is never part of the rules. Patterns in it
    /// decide by the [files](ReadOptions::files) of the request; one that matches every file (`*`, `**`, `**/*`) means
    /// always, and so does `alwaysApply: true`. Front matter that cannot be read is a warning, and the rule is kept.
    ///
    /// **Includes** are mentions `@path` outside of code, five deep, inside of the project; the file that is included
    /// follows the one that includes it, under its own path.
    ///
    /// **Skills** have the `name` of their front matter, else that of their folder; those with
    /// `disable-model-invocation: true` are the user's only.
    ///
    /// **MCP servers** are the keys of `mcpServers` and of `servers`, disabled with `"disabled": true`. Nothing else of
    /// them is read: command lines, environments and addresses reach neither the result nor a diagnostic.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] when `cwd` is not a folder.
    pub fn read(cwd: impl AsRef<Path>) -> Result<Self, Error> {
        Self::read_with(cwd, &ReadOptions::default())
    }

    /// The same with options: whose files, for which files of the request, with the home or without.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_with(cwd: impl AsRef<Path>, options: &ReadOptions) -> Result<Self, Error> {
        let given = cwd.as_ref();
        let cwd = std::path::absolute(given).ok().filter(|cwd| cwd.is_dir()).ok_or_else(|| {
            Error::new(ErrorKind::Io, format!("`{}` is not a folder", given.display()))
        })?;
        let folders = Folders::find(&cwd, options);
        let mut reader = Reader::new(folders.root(), options.home.as_deref());
        let rules = rules::rules(&mut reader, &folders, options);
        let skills = skills::skills(&mut reader, &folders, options);
        let mcp_servers = mcp::servers(&mut reader, &folders, options);
        Ok(Self {
            cwd: plain(&cwd),
            git_root: folders.is_repository().then(|| plain(folders.root())),
            rules,
            skills,
            mcp_servers,
            seen: reader.seen.files,
            diagnostics: reader.seen.notes,
        })
    }
}
