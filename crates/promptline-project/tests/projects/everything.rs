//! The one project that has everything.

use super::{lay_out, of, read};

/// In the root, in `web` and in `web/deep`.
const IN_FOLDERS: [&str; 27] = [
    ".claude/CLAUDE.md",
    ".claude/rules/a.md",
    ".clinerules/a.md",
    ".clinerules/hooks/README.md",
    ".clinerules/workflows/deploy.md",
    ".cursor/rules/a.mdc",
    ".cursorrules",
    ".github/copilot-instructions.md",
    ".github/instructions/a.instructions.md",
    ".goosehints",
    ".junie/AGENTS.md",
    ".junie/guidelines.md",
    ".kilocode/rules/a.md",
    ".kilocoderules",
    ".roo/rules/a.md",
    ".roorules",
    ".rules",
    ".windsurf/rules/a.md",
    ".windsurfrules",
    "AGENT.md",
    "AGENTS.md",
    "AGENTS.override.md",
    "CLAUDE.local.md",
    "CLAUDE.md",
    "GEMINI.md",
    "QWEN.md",
    "README.md",
];

const AT_HOME: [&str; 15] = [
    ".claude/CLAUDE.md",
    ".claude/rules/a.md",
    ".codeium/windsurf/memories/global_rules.md",
    ".codex/AGENTS.md",
    ".codex/AGENTS.override.md",
    ".config/AGENTS.md",
    ".config/amp/AGENTS.md",
    ".config/goose/.goosehints",
    ".config/opencode/AGENTS.md",
    ".gemini/GEMINI.md",
    ".kilocode/rules/a.md",
    ".qwen/QWEN.md",
    ".roo/rules/a.md",
    "Documents/Cline/Rules/a.md",
    "AGENTS.md",
];

macro_rules! hosts {
    ($($test:ident: $host:literal;)*) => {
        const FILES: &[(&str, &str)] = &[$(($host, include_str!(concat!($host, ".txt")))),*];
        $(#[test]
        fn $test() {
            check($host);
        })*
    };
}

hosts! {
    amp: "amp";
    claude_code: "claude-code";
    cline: "cline";
    codex: "codex";
    copilot: "copilot";
    cursor: "cursor";
    gemini_cli: "gemini-cli";
    goose: "goose";
    junie: "junie";
    kilo: "kilo";
    opencode: "opencode";
    qwen_code: "qwen-code";
    roo: "roo";
    windsurf: "windsurf";
    zed: "zed";
    shared: "shared";
}

fn check(host: &str) {
    let mut files: Vec<String> = Vec::new();
    for folder in ["", "web/", "web/deep/"] {
        files.extend(IN_FOLDERS.iter().map(|file| format!("project/{folder}{file}")));
    }
    files.extend(AT_HOME.iter().map(|file| format!("home/{file}")));
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let root = lay_out(&files);
    // Only a file with `applyTo` is read by itself.
    for folder in ["", "web/", "web/deep/"] {
        let file = format!("project/{folder}.github/instructions/a.instructions.md");
        super::write(root.path(), &file, &format!("---\napplyTo: '**/*.ts'\n---\n{folder}\n"));
    }
    let options = of(host).with_home(root.path().join("home")).with_file("deep/x.ts");
    let expected = FILES.iter().find(|(name, _)| *name == host).unwrap().1;
    let expected: Vec<&str> = expected.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(read(&root, &options), expected, "{host}");
}

/// What is not read is listed, with a reason, once.
#[test]
fn every_file_of_the_project_is_accounted_for() {
    let files: Vec<String> = IN_FOLDERS.iter().map(|file| format!("project/{file}")).collect();
    let root = lay_out(&files.iter().map(String::as_str).collect::<Vec<_>>());
    for (host, _) in FILES {
        let project =
            promptline_project::Project::read_with(root.path().join("project"), &of(host)).unwrap();
        let mut seen: Vec<&str> = project.seen.iter().map(|file| file.path.as_str()).collect();
        let count = seen.len();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), count, "{host}: {seen:?}");
        for file in IN_FOLDERS.iter().filter(|file| **file != "README.md") {
            let is_seen = |path: &&str| file.starts_with(*path);
            assert!(seen.iter().any(is_seen), "{host}: {file} is not in {seen:?}");
        }
        assert!(project.seen.iter().all(|file| {
            (file.status == promptline_project::SeenStatus::Used) == file.why.is_none()
        }));
    }
}
