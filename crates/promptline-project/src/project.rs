//! What the files of a project say, in the order of their sources.

use std::path::Path;

use promptline_diagnostic::{Diagnostic, Error, ErrorKind};

use crate::environment::plain;
use crate::folders::Folders;
use crate::mcp::{self, McpServer};
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
    /// **MCP servers** are the keys of `mcpServers` and of `servers`, disabled with `"disabled": true`. Nothing else of
    /// them is read: command lines, environments and addresses reach neither the result nor a diagnostic.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] when `cwd` is not a folder.
    pub fn read(cwd: impl AsRef<Path>) -> Result<Self, Error> {
        let given = cwd.as_ref();
        let cwd = std::path::absolute(given).ok().filter(|cwd| cwd.is_dir()).ok_or_else(|| {
            Error::new(ErrorKind::Io, format!("`{}` is not a folder", given.display()))
        })?;
        let folders = Folders::find(&cwd);
        let mut reader = Reader::new(folders.root());
        let ends = folders.ends();
        let rules = rules::rules(&mut reader, &folders.down(), &ends);
        let skills = skills::skills(&mut reader, &ends);
        let mcp_servers = mcp::servers(&mut reader, &ends);
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
