//! Which files speak to an agent, as data: one row a file or folder, from the documentation of each host as it was in
//! November 2026. Nothing here reads a file.
//!
//! The order of a host's rows is their precedence within a folder, weakest first; a nearer folder is stronger than one
//! above it. [`SHARED`] is what is read when no host is named: files that several agents read, or that name no product.

use crate::host::Host;

/// A file, or a folder of files, that speaks to an agent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Source {
    pub(crate) path: &'static str,
    pub(crate) what: What,
    pub(crate) scope: Scope,
    /// What the keys of front matter mean; the front matter itself never is part of the rules.
    pub(crate) keys: Keys,
    pub(crate) when: When,
    /// `@path` in it is another file that is read.
    pub(crate) includes: bool,
    /// The host reads no more of it than this.
    pub(crate) limit: Limit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    /// A file of rules.
    File,
    /// A folder of rules: the files with these endings (any file, if none is named), in its folders too. A file of
    /// the folder's name is rules as well.
    Folder(&'static [&'static str]),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Below the user's home: read only when the caller asks for it.
    Home,
    /// The root of the project.
    Root,
    /// The root and every folder down to the working directory.
    Down,
    /// The same, and below the working directory the folders of files that the request touches.
    Nested,
}

/// What front matter says about when a rule applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keys {
    /// Nothing.
    None,
    /// `alwaysApply`, `globs`, `description` (Cursor); `trigger` (Windsurf).
    Cursor,
    /// `paths` (Claude Code, Cline).
    Paths,
    /// `applyTo` (Copilot); without it the rule is attached by hand.
    ApplyTo,
}

/// What other files of the host take its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    Always,
    /// Only if no earlier row of the host is read in the same folder.
    ElseInFolder,
    /// Only if no earlier row of the host is read anywhere in the project.
    ElseInProject,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Limit {
    None,
    /// Characters of one file.
    Chars(usize),
    /// Bytes of all files of the host together.
    TotalBytes(usize),
}

const fn file(path: &'static str) -> Source {
    Source {
        path,
        what: What::File,
        scope: Scope::Down,
        keys: Keys::None,
        when: When::Always,
        includes: false,
        limit: Limit::None,
    }
}

const fn folder(path: &'static str, endings: &'static [&'static str]) -> Source {
    Source { what: What::Folder(endings), ..file(path) }
}

impl Source {
    const fn home(self) -> Self {
        Self { scope: Scope::Home, ..self }
    }
    const fn root(self) -> Self {
        Self { scope: Scope::Root, ..self }
    }
    const fn nested(self) -> Self {
        Self { scope: Scope::Nested, ..self }
    }
    const fn keys(self, keys: Keys) -> Self {
        Self { keys, ..self }
    }
    const fn or_in_folder(self) -> Self {
        Self { when: When::ElseInFolder, ..self }
    }
    const fn or_in_project(self) -> Self {
        Self { when: When::ElseInProject, ..self }
    }
    const fn includes(self) -> Self {
        Self { includes: true, ..self }
    }
    const fn limit(self, limit: Limit) -> Self {
        Self { limit, ..self }
    }
}

const MD: &[&str] = &["md"];
const MD_TXT: &[&str] = &["md", "txt"];
const MDC: &[&str] = &["mdc"];
const INSTRUCTIONS: &[&str] = &["instructions.md"];

/// Folders within a folder of rules that hold something else.
pub(crate) const NO_RULES: [(&str, &[&str]); 1] =
    [(".clinerules", &["workflows", "hooks", "skills"])];

/// What is read when no host is named, source by source.
pub(crate) const SHARED: &[Source] = &[
    file(".claude/CLAUDE.md").home().includes(),
    folder(".claude/rules", MD).home().keys(Keys::Paths),
    folder("Documents/Cline/Rules", MD_TXT).home().keys(Keys::Paths),
    file(".codex/AGENTS.md").home(),
    file(".config/AGENTS.md").home(),
    file("AGENTS.override.md").nested(),
    file("AGENTS.md").nested().or_in_folder(),
    file("AGENT.md").or_in_folder(),
    file("CLAUDE.md").nested().includes(),
    file(".claude/CLAUDE.md").includes(),
    folder(".claude/rules", MD).keys(Keys::Paths),
    file("CLAUDE.local.md").includes(),
    folder(".clinerules", MD_TXT).keys(Keys::Paths),
    file(".cursorrules"),
    folder(".cursor/rules", MDC).keys(Keys::Cursor),
    file(".windsurfrules"),
    folder(".windsurf/rules", MD).keys(Keys::Cursor),
    file(".github/copilot-instructions.md"),
    folder(".github/instructions", INSTRUCTIONS).keys(Keys::ApplyTo),
    file(".rules"),
];

/// What a host reads.
pub(crate) fn of_host(host: Host) -> &'static [Source] {
    match host {
        // ampcode.com/manual, "AGENTS.md"
        Host::Amp => {
            const {
                &[
                    file(".config/AGENTS.md").home().includes(),
                    file(".config/amp/AGENTS.md").home().includes(),
                    file("AGENTS.md").nested().includes(),
                    file("AGENT.md").nested().or_in_folder().includes(),
                    file("CLAUDE.md").nested().or_in_folder().includes(),
                ]
            }
        }
        // code.claude.com/docs, "Manage Claude's memory"
        Host::ClaudeCode => {
            const {
                &[
                    file(".claude/CLAUDE.md").home().includes(),
                    folder(".claude/rules", MD).home().keys(Keys::Paths),
                    file("CLAUDE.md").nested().includes(),
                    file(".claude/CLAUDE.md").includes(),
                    folder(".claude/rules", MD).keys(Keys::Paths),
                    file("CLAUDE.local.md").includes(),
                ]
            }
        }
        // docs.cline.bot, "Rules"
        Host::Cline => {
            const {
                &[
                    folder("Documents/Cline/Rules", MD_TXT).home().keys(Keys::Paths),
                    folder(".clinerules", MD_TXT).root().keys(Keys::Paths),
                    file(".cursorrules").root(),
                    folder(".cursor/rules", MDC).root().keys(Keys::Cursor),
                    file(".windsurfrules").root(),
                    file("AGENTS.md").root(),
                ]
            }
        }
        // developers.openai.com/codex, "Custom instructions with AGENTS.md": 32 KiB in all
        Host::Codex => {
            const {
                const LIMIT: Limit = Limit::TotalBytes(32 << 10);
                &[
                    file(".codex/AGENTS.override.md").home().limit(LIMIT),
                    file(".codex/AGENTS.md").home().or_in_folder().limit(LIMIT),
                    file("AGENTS.override.md").limit(LIMIT),
                    file("AGENTS.md").or_in_folder().limit(LIMIT),
                ]
            }
        }
        // docs.github.com, "Adding repository custom instructions"
        Host::Copilot => {
            const {
                &[
                    file(".github/copilot-instructions.md").root(),
                    folder(".github/instructions", INSTRUCTIONS).root().keys(Keys::ApplyTo),
                    file("AGENTS.md").nested(),
                    file("CLAUDE.md").root(),
                    file("GEMINI.md").root(),
                ]
            }
        }
        // cursor.com/docs, "Rules"
        Host::Cursor => {
            const {
                &[
                    file(".cursorrules").root(),
                    file("AGENTS.md").nested(),
                    file("CLAUDE.md").root(),
                    folder(".cursor/rules", MDC).nested().keys(Keys::Cursor),
                ]
            }
        }
        // geminicli.com/docs, "Provide context with GEMINI.md files" and "Memory import processor"
        Host::GeminiCli => {
            const {
                &[
                    file(".gemini/GEMINI.md").home().includes(),
                    file("GEMINI.md").nested().includes(),
                ]
            }
        }
        // goose-docs.ai, "Providing hints to goose"
        Host::Goose => {
            const {
                &[
                    file(".config/goose/.goosehints").home().includes(),
                    file(".goosehints").nested().includes(),
                    file("AGENTS.md").nested().includes(),
                ]
            }
        }
        // junie.jetbrains.com/docs, "Guidelines and memory"
        Host::Junie => {
            const {
                &[
                    file(".junie/AGENTS.md").root(),
                    file("AGENTS.md").root().or_in_project(),
                    file(".junie/guidelines.md").root().or_in_project(),
                ]
            }
        }
        // kilo.ai/docs, "Custom rules"
        Host::Kilo => {
            const {
                &[
                    folder(".kilocode/rules", &[]).home(),
                    folder(".kilocode/rules", &[]).root(),
                    file(".kilocoderules").root().or_in_project(),
                    file("AGENTS.md").root(),
                ]
            }
        }
        // opencode.ai/docs, "Rules"
        Host::OpenCode => {
            const {
                &[
                    file(".config/opencode/AGENTS.md").home(),
                    file(".claude/CLAUDE.md").home().or_in_folder(),
                    file("AGENTS.md").nested(),
                    file("CLAUDE.md").nested().or_in_project(),
                ]
            }
        }
        // qwenlm.github.io/qwen-code-docs, "Context files"
        Host::QwenCode => {
            const {
                &[
                    file(".qwen/QWEN.md").home().includes(),
                    file("QWEN.md").nested().includes(),
                    file("AGENTS.md").nested().includes(),
                ]
            }
        }
        // docs.roocode.com, "Custom instructions"
        Host::Roo => {
            const {
                &[
                    folder(".roo/rules", &[]).home(),
                    folder(".roo/rules", &[]).root(),
                    file(".roorules").root().or_in_project(),
                    file("AGENTS.md").root(),
                    file("AGENT.md").root().or_in_folder(),
                ]
            }
        }
        // docs.windsurf.com, "Memories & rules": 6,000 characters at home, 12,000 of a file
        Host::Windsurf => {
            const {
                &[
                    file(".codeium/windsurf/memories/global_rules.md")
                        .home()
                        .limit(Limit::Chars(6_000)),
                    file(".windsurfrules").root().limit(Limit::Chars(12_000)),
                    folder(".windsurf/rules", MD)
                        .nested()
                        .keys(Keys::Cursor)
                        .limit(Limit::Chars(12_000)),
                    file("AGENTS.md").nested(),
                ]
            }
        }
        // zed.dev/docs, "Rules": the first of the list
        Host::Zed => {
            const {
                &[
                    file(".rules").root(),
                    file(".cursorrules").root().or_in_project(),
                    file(".windsurfrules").root().or_in_project(),
                    file(".clinerules").root().or_in_project(),
                    file(".github/copilot-instructions.md").root().or_in_project(),
                    file("AGENT.md").root().or_in_project(),
                    file("AGENTS.md").root().or_in_project(),
                    file("CLAUDE.md").root().or_in_project(),
                    file("GEMINI.md").root().or_in_project(),
                ]
            }
        }
    }
}

/// Where skills are, one folder each, in the order in which they count, and who reads them: `agentskills.io` for the
/// first, the documentation of each host for the others. Those without a name are read when no host is named.
pub(crate) const SKILLS: &[(&str, bool, &[Host])] = {
    use Host::{
        Amp, ClaudeCode, Cline, Codex, Copilot, Cursor, GeminiCli, Goose, Junie, Kilo, OpenCode,
        QwenCode, Roo, Windsurf,
    };
    &[
        (
            ".agents/skills",
            true,
            &[Amp, Codex, Copilot, Cursor, GeminiCli, Goose, OpenCode, Roo, Windsurf],
        ),
        (".claude/skills", true, &[ClaudeCode, Amp, Cline, Copilot, Cursor, Goose, OpenCode]),
        (".cline/skills", true, &[Cline]),
        (".clinerules/skills", true, &[Cline]),
        (".github/skills", true, &[Copilot]),
        (".cursor/skills", false, &[Cursor]),
        (".gemini/skills", false, &[GeminiCli]),
        (".goose/skills", false, &[Goose]),
        (".junie/skills", false, &[Junie]),
        (".kilocode/skills", false, &[Kilo]),
        (".opencode/skills", false, &[OpenCode]),
        (".qwen/skills", false, &[QwenCode]),
        (".roo/skills", false, &[Roo]),
        (".windsurf/skills", false, &[Windsurf]),
        ("skills", true, &[]),
    ]
};

/// Where MCP servers are listed, in the order in which the files count, and who reads them.
pub(crate) const MCP: &[(&str, bool, &[Host])] = &[
    (".mcp.json", true, &[Host::ClaudeCode]),
    (".vscode/mcp.json", true, &[Host::Copilot]),
    (".cursor/mcp.json", false, &[Host::Cursor]),
    (".gemini/settings.json", false, &[Host::GeminiCli]),
    (".junie/mcp/mcp.json", false, &[Host::Junie]),
    (".kilocode/mcp.json", false, &[Host::Kilo]),
    (".qwen/settings.json", false, &[Host::QwenCode]),
    (".roo/mcp.json", false, &[Host::Roo]),
];
