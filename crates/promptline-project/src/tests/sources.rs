//! Which files are read, in what order, and what is said of the others.

use serde_json::json;

use super::{files, paths, write};
use crate::*;

/// A project with these files, seen from its root.
pub(super) fn project(given: &[(&str, &str)]) -> Project {
    let root = tempfile::tempdir().unwrap();
    for (path, text) in given {
        write(root.path(), path, text);
    }
    Project::read(root.path()).unwrap()
}

pub(super) fn notes(detected: &Project) -> Vec<String> {
    detected.diagnostics.iter().map(ToString::to_string).collect()
}

fn skills(detected: &Project) -> Vec<(&str, &str, &str)> {
    let skills = detected.skills.iter();
    skills.map(|s| (s.name.as_str(), s.description.as_str(), s.path.as_str())).collect()
}

pub(super) fn servers(detected: &Project) -> Vec<(&str, bool)> {
    detected.mcp_servers.iter().map(|s| (s.name.as_str(), !s.is_disabled)).collect()
}

/// Every source, in its order, seen from the folder `web`.
const ORDER: [&str; 25] = [
    "AGENTS.md",
    "web/AGENTS.md",
    "CLAUDE.md",
    ".clinerules",
    "web/.clinerules/b.md",
    ".cursorrules",
    "web/.cursorrules",
    ".cursor/rules/B.mdc",
    ".cursor/rules/a.mdc",
    ".cursor/rules/sub/c.mdc",
    "web/.cursor/rules/d.mdc",
    ".windsurfrules",
    "web/.windsurfrules",
    ".github/copilot-instructions.md",
    "web/.github/copilot-instructions.md",
    ".claude/skills/b/SKILL.md",
    ".claude/skills/c/SKILL.md",
    "web/.claude/skills/a/SKILL.md",
    ".cline/skills/d/SKILL.md",
    "skills/e/SKILL.md",
    "web/skills/f/SKILL.md",
    ".mcp.json",
    "web/.mcp.json",
    ".vscode/mcp.json",
    "web/.vscode/mcp.json",
];

#[test]
fn k08_sources_have_a_fixed_order() {
    let backwards: Vec<_> = ORDER.iter().rev().collect();
    for order in [ORDER.iter().collect(), backwards] {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir(root.path().join(".git")).unwrap();
        for path in order {
            let text = match path.rsplit_once('/').map_or(*path, |(_, name)| name) {
                "SKILL.md" => "---\ndescription: d\n---\n".to_owned(),
                ".mcp.json" | "mcp.json" => json!({"servers": {*path: {}}}).to_string(),
                _ => format!("text of {path}"),
            };
            write(root.path(), path, text);
        }
        // Elsewhere nothing is looked for.
        write(root.path(), "other/.cursorrules", "other");
        let detected = Project::read(root.path().join("web")).unwrap();
        assert_eq!(files(&detected), ORDER.map(|path| format!("{path} used")));
        assert_eq!(paths(&detected), ORDER[..15]);
        assert_eq!(skills(&detected).iter().map(|s| s.2).collect::<Vec<_>>(), ORDER[15..21]);
        assert_eq!(servers(&detected), ORDER.map(|path| (path, true))[21..]);
        assert!(detected.diagnostics.is_empty(), "{:?}", notes(&detected));
    }
}

#[test]
fn front_matter_is_in_no_rules() {
    for path in [
        "AGENTS.md",
        "CLAUDE.md",
        ".clinerules/a.md",
        ".clinerules",
        ".claude/rules/a.md",
        ".cursorrules",
        ".cursor/rules/a.mdc",
        ".windsurfrules",
        ".windsurf/rules/a.md",
        ".github/copilot-instructions.md",
        ".rules",
    ] {
        let detected = project(&[(path, "---\nalwaysApply: true\n---\nUse tabs")]);
        assert_eq!(detected.rules[0].text, "Use tabs", "{path}");
    }
    // Where front matter means nothing, a text that only looks like a broken one stays whole.
    let text = "---\nNote: \"x\" y\n---\nUse tabs";
    assert_eq!(project(&[("AGENTS.md", text)]).rules[0].text, text);
}

#[test]
fn other_files_of_a_rules_folder_are_said_and_hidden_ones_are_not_looked_at() {
    let detected = project(&[
        (".cursor/rules/z.md", "z"),
        (".cursor/rules/a.mdc", "a"),
        (".cursor/rules/.b.mdc", "b"),
        (".cursor/rules/.git/c.mdc", "c"),
        (".cursor/rules/README", "readme"),
        ("skills/.d/SKILL.md", "d"),
        ("skills/README.md", "no skill"),
        ("skills/e/notes.md", "no skill"),
    ]);
    assert_eq!(
        files(&detected),
        [".cursor/rules/README ignored", ".cursor/rules/a.mdc used", ".cursor/rules/z.md ignored"]
    );
}

#[test]
fn skills_by_name_and_the_first_of_a_name_counts() {
    let folded =
        "\u{FEFF}---\r\nname: pdf-forms\r\ndescription: >\r\n  Fill\r\n  forms.\r\n---\r\nBody";
    let detected = project(&[
        (".claude/skills/pdf/SKILL.md", folded),
        (".cline/skills/pdf-forms/SKILL.md", "---\ndescription: Another.\n---\n"),
        ("skills/colon/SKILL.md", "---\nname: 7\ndescription: Use when: testing\n---\n"),
        ("skills/late/SKILL.md", "\n---\nname: x\n---\n"),
        ("skills/list/SKILL.md", "---\nname: [a]\ndescription: {b: c}\n---\n"),
        ("skills/plain/SKILL.md", "# Plain"),
    ]);
    assert_eq!(
        skills(&detected),
        [
            ("pdf-forms", "Fill forms.", ".claude/skills/pdf/SKILL.md"),
            ("7", "Use when: testing", "skills/colon/SKILL.md"),
            ("late", "", "skills/late/SKILL.md"),
            ("list", "", "skills/list/SKILL.md"),
            ("plain", "", "skills/plain/SKILL.md"),
        ]
    );
    let codes: Vec<_> = detected.diagnostics.iter().map(|note| note.code.as_str()).collect();
    let undescribed = "skill-description";
    assert_eq!(codes, ["skill-left-out", "front-matter", undescribed, undescribed, undescribed]);
    let why = "a skill named `pdf-forms` comes before, in `.claude/skills/pdf/SKILL.md`";
    assert_eq!(detected.seen[1].why.as_deref(), Some(why));
    assert!(!format!("{detected:?}").contains("Body"));
}

#[test]
fn a_seen_file_is_the_same_after_a_journey_through_json() {
    let detected = project(&[(".cursorrules", "x"), (".mcp.json", "x")]);
    let json = serde_json::to_value(&detected.seen).unwrap();
    assert_eq!(
        json,
        json!([
            {"path": ".cursorrules", "kind": "rules", "status": "used", "why": null, "bytes": 1},
            {"path": ".mcp.json", "kind": "mcp", "status": "ignored",
             "why": "it is not JSON (line 1)", "bytes": 1},
        ])
    );
    assert_eq!(serde_json::from_value::<Vec<SeenFile>>(json).unwrap(), detected.seen);
}

#[test]
fn a_file_is_not_a_folder_and_a_folder_is_not_a_file() {
    let root = tempfile::tempdir().unwrap();
    for folder in [".cursorrules", ".mcp.json", "skills/a/SKILL.md"] {
        std::fs::create_dir_all(root.path().join(folder)).unwrap();
    }
    for file in [".cursor", ".github", ".vscode", ".claude"] {
        write(root.path(), file, "x");
    }
    let detected = Project::read(root.path()).unwrap();
    assert_eq!(
        files(&detected),
        [".cursorrules ignored", "skills/a/SKILL.md ignored", ".mcp.json ignored"]
    );
    assert!(detected.seen.iter().all(|file| file.why.as_deref() == Some("it is not a file")));
}

#[test]
fn a_folder_of_too_many_files_is_left_out_as_a_whole() {
    let root = tempfile::tempdir().unwrap();
    for number in 0..501 {
        write(root.path(), &format!(".cursor/rules/a/{number}.mdc"), "a");
        write(root.path(), &format!(".cursor/rules/b/{number}.mdc"), "b");
    }
    let detected = Project::read(root.path()).unwrap();
    assert_eq!(files(&detected), [".cursor/rules ignored"]);
    assert_eq!(detected.seen[0].why.as_deref(), Some("it has more than 1000 files"));
}

#[cfg(unix)]
#[test]
fn links_stay_inside_and_count_once() {
    use std::os::unix::fs::symlink;

    let outside = tempfile::tempdir().unwrap();
    write(outside.path(), "rules/a.mdc", "secret");
    write(outside.path(), "skill/SKILL.md", "secret");
    write(outside.path(), "mcp.json", "{\"servers\": {\"secret\": {}}}");
    write(outside.path(), "copilot-instructions.md", "secret");
    std::fs::create_dir(outside.path().join("skills")).unwrap();
    let root = tempfile::tempdir().unwrap();
    write(root.path(), ".cursor/rules/a.mdc", "a");
    write(root.path(), "skills/s/SKILL.md", "---\ndescription: d\n---\n");
    std::fs::create_dir_all(root.path().join(".claude/skills")).unwrap();
    std::fs::create_dir_all(root.path().join(".vscode")).unwrap();
    for (to, from) in [
        (outside.path().join("rules"), ".cursor/rules/out"),
        (outside.path().join("rules/a.mdc"), ".cursor/rules/out.mdc"),
        (root.path().join(".cursor"), ".cursor/rules/round"),
        (root.path().join(".cursor/rules/a.mdc"), ".windsurfrules"),
        ("nowhere".into(), ".cursorrules"),
        (outside.path().join("skill"), ".claude/skills/out"),
        (root.path().join("skills/s"), ".claude/skills/s"),
        (outside.path().to_owned(), ".cline"),
        (outside.path().to_owned(), ".github"),
        (outside.path().join("mcp.json"), ".mcp.json"),
        (outside.path().join("mcp.json"), ".vscode/mcp.json"),
    ] {
        symlink(to, root.path().join(from)).unwrap();
    }
    let detected = Project::read(root.path()).unwrap();
    let why = |file: &SeenFile| file.why.clone().unwrap_or_else(|| "used".to_owned());
    let seen: Vec<_> = detected.seen.iter().map(|file| (file.path.clone(), why(file))).collect();
    let out = "the link leads out of the project";
    let expected = [
        (".cursorrules", "the link leads nowhere"),
        (".cursor/rules/out", "links to folders are not followed"),
        (".cursor/rules/round", "links to folders are not followed"),
        (".cursor/rules/a.mdc", "used"),
        (".cursor/rules/out.mdc", out),
        (".windsurfrules", "the same file is read as `.cursor/rules/a.mdc`"),
        (".github/copilot-instructions.md", out),
        (".claude/skills/out/SKILL.md", out),
        (".claude/skills/s/SKILL.md", "used"),
        (".cline/skills", out),
        (".github/skills", out),
        ("skills/s/SKILL.md", "the same file is read as `.claude/skills/s/SKILL.md`"),
        (".mcp.json", out),
        (".vscode/mcp.json", out),
    ];
    assert_eq!(seen, expected.map(|(path, why)| (path.to_owned(), why.to_owned())));
    assert!(!format!("{:?}", detected).contains("secret"));
    assert_eq!(detected.diagnostics.len(), 12);
}
