//! What becomes of the text of a rules file: includes, links that are text, encodings, comments, limits; and which
//! files a conditional rule is for.

use super::sources::notes;
use super::{paths, write};
use crate::markdown::{mentions, without_comments};
use crate::*;

fn read(files: &[(&str, &str)], options: &ReadOptions) -> Project {
    let root = tempfile::tempdir().unwrap();
    for (path, text) in files {
        write(root.path(), path, text);
    }
    Project::read_with(root.path(), options).unwrap()
}

fn texts(project: &Project) -> Vec<(&str, &str)> {
    project.rules.iter().map(|file| (&*file.path, &*file.text)).collect()
}

#[test]
fn a_file_that_only_includes_gives_way_to_what_it_includes() {
    let project = read(
        &[("CLAUDE.md", "@docs/no-push.md\n"), ("docs/no-push.md", "Never push.\n")],
        &ReadOptions::new(),
    );
    assert_eq!(texts(&project), [("docs/no-push.md", "Never push.\n")]);
    assert_eq!(project.seen.len(), 2);
    assert!(project.diagnostics.is_empty(), "{:?}", notes(&project));
}

#[test]
fn an_included_file_follows_and_counts_once() {
    let files = [
        ("CLAUDE.md", "See @a.md, (@docs/b.md) and me@x.org.\n"),
        ("a.md", "a includes @docs/b.md and @CLAUDE.md\n"),
        ("docs/b.md", "b includes @../a.md, @b.md\n"),
    ];
    let project = read(&files, &ReadOptions::new());
    assert_eq!(paths(&project), ["CLAUDE.md", "a.md", "docs/b.md"]);
    assert_eq!(project.rules[0].text, files[0].1);
    assert!(project.diagnostics.is_empty(), "{:?}", notes(&project));
}

#[test]
fn includes_end_after_five_files() {
    let mut files = vec![("CLAUDE.md".to_owned(), "@1.md\n".to_owned())];
    files.extend((1..8).map(|at| (format!("{at}.md"), format!("text {at}\n@{}.md\n", at + 1))));
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
    let project = read(&files, &ReadOptions::new());
    assert_eq!(paths(&project), ["1.md", "2.md", "3.md", "4.md", "5.md"]);
    let said = notes(&project);
    assert_eq!(
        said,
        [
            "5.md: warning[rules-include]: the include `6.md` is not read: files include files five deep at most"
        ]
    );
}

#[test]
fn an_include_that_is_not_read_is_said() {
    let outside = tempfile::tempdir().unwrap();
    write(outside.path(), "secret.md", "secret");
    let absolute = format!("@{}\n", outside.path().join("secret.md").display());
    for (path, text, options, why) in [
        ("CLAUDE.md", "@docs/gone.md\n", ReadOptions::new(), Some("there is no such file")),
        ("CLAUDE.md", "@~/notes.md\n", ReadOptions::new(), Some("outside of the project")),
        ("CLAUDE.md", &absolute, ReadOptions::new(), Some("outside of the project")),
        ("AGENTS.md", "@docs/a.md\n", ReadOptions::new(), Some("not followed in this file")),
        (
            "CLAUDE.md",
            "x @docs/a.md\n",
            ReadOptions::new().with_includes(false),
            Some("not followed"),
        ),
        ("CLAUDE.md", "Ask @ada or @types/node.\n", ReadOptions::new(), None),
        ("CLAUDE.md", "```\n@docs/a.md\n```\n`@docs/a.md`\n", ReadOptions::new(), None),
    ] {
        let project = read(&[(path, text), ("docs/a.md", "included")], &options);
        assert_eq!(texts(&project), [(path, text)], "{text}");
        let said = notes(&project);
        assert_eq!(said.len(), usize::from(why.is_some()), "{text}: {said:?}");
        assert!(said.iter().all(|note| note.contains(why.unwrap())), "{said:?}");
    }
}

#[cfg(unix)]
#[test]
fn an_include_does_not_leave_the_project_by_a_link() {
    let outside = tempfile::tempdir().unwrap();
    write(outside.path(), "secret.md", "secret");
    let root = tempfile::tempdir().unwrap();
    write(root.path(), "CLAUDE.md", "@link.md @../secret.md\n");
    std::os::unix::fs::symlink(outside.path().join("secret.md"), root.path().join("link.md"))
        .unwrap();
    let project = Project::read(root.path()).unwrap();
    assert!(!format!("{:?}", project.rules).contains("text: \"secret"));
    assert_eq!(paths(&project), ["CLAUDE.md"]);
}

#[test]
fn mentions_end_where_a_path_ends() {
    let found = |text| mentions(text).iter().map(|one| one.path.to_owned()).collect::<Vec<_>>();
    assert_eq!(found("- @a.md\n"), ["a.md"]);
    assert_eq!(found("(@a.md), \"@b/c.md\"; @d."), ["a.md", "b/c.md", "d"]);
    assert_eq!(found("`@a` b` @c"), ["c"]);
    assert_eq!(found("~~~\n@a\n~~\n@b\n~~~~\n@c"), ["c"]);
    assert_eq!(found("a@b.c @ x"), [""; 0]);
}

#[test]
fn a_link_that_git_wrote_as_text_is_followed() {
    let agents = ("AGENTS.md", "Rule one.\n");
    for link in ["AGENTS.md", "./AGENTS.md", "AGENTS.md\n"] {
        let project = read(&[agents, ("CLAUDE.md", link)], &ReadOptions::new());
        assert_eq!(texts(&project), [agents]);
        assert_eq!(project.seen[1].why.as_deref(), Some("the same file is read as `AGENTS.md`"));
    }
    let project = read(&[("GUIDE.md", "Guide.\n"), ("CLAUDE.md", "GUIDE.md")], &ReadOptions::new());
    assert_eq!(texts(&project), [("CLAUDE.md", "Guide.\n")]);
    assert_eq!(notes(&project).len(), 1);
    // Words are no link.
    let words = [("CLAUDE.md", "Use tabs")];
    assert_eq!(texts(&read(&words, &ReadOptions::new())), words);
}

#[test]
fn identical_text_counts_once() {
    let text = "Rule one is here.\n";
    let project = read(
        &[("AGENTS.md", text), ("CLAUDE.md", text), (".github/copilot-instructions.md", text)],
        &ReadOptions::new(),
    );
    assert_eq!(texts(&project), [("AGENTS.md", text)]);
    let why: Vec<_> = project.seen.iter().filter_map(|file| file.why.as_deref()).collect();
    assert_eq!(why, ["the same text is read from `AGENTS.md`"; 2]);
}

#[test]
fn utf_16_with_a_mark_is_read() {
    let text = "Sei höflich \u{1F600}\r\n";
    let bytes = |mark: u16, turn: fn(u16) -> [u8; 2]| -> Vec<u8> {
        [mark].into_iter().chain(text.encode_utf16()).flat_map(turn).collect()
    };
    let root = tempfile::tempdir().unwrap();
    for bytes in [bytes(0xFEFF, u16::to_le_bytes), bytes(0xFEFF, u16::to_be_bytes)] {
        write(root.path(), "AGENTS.md", &bytes);
        let project = Project::read(root.path()).unwrap();
        assert_eq!(project.rules[0].text, "Sei höflich \u{1F600}\n");
    }
    for broken in [&[0xFF, 0xFE, 0x41][..], &[0xFF, 0xFE, 0x00, 0xD8]] {
        write(root.path(), "AGENTS.md", broken);
        let project = Project::read(root.path()).unwrap();
        assert!(project.rules.is_empty());
        assert!(project.seen[0].why.as_deref().unwrap().contains("UTF-16"));
    }
}

#[test]
fn comments_are_left_out_on_request_but_not_in_code() {
    let text = "<!-- for us -->\n# R\n<!-- two\nlines --> rest\n```html\n<!-- keep -->\n```\na <!-- inline --> b\n";
    let stripped = "# R\n rest\n```html\n<!-- keep -->\n```\na <!-- inline --> b\n";
    let project = read(&[("AGENTS.md", text)], &ReadOptions::new());
    assert_eq!(project.rules[0].text, text);
    let project = read(&[("AGENTS.md", text)], &ReadOptions::new().with_strip_comments(true));
    assert_eq!(project.rules[0].text, stripped);
    assert_eq!(without_comments("a\n<!-- open\nb"), "a\n<!-- open\nb");
    assert_eq!(without_comments("<!--a--><!--b-->\nx"), "x");
}

#[test]
fn limits_of_a_host_say_what_was_cut() {
    let long = "ä".repeat(13_000);
    let project =
        read(&[(".windsurf/rules/a.md", &long)], &ReadOptions::new().with_host(Host::Windsurf));
    assert_eq!(project.rules[0].text.chars().count(), 12_000);
    assert!(notes(&project)[0].contains("windsurf reads at most 12000 characters of a file"));
    let root = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(root.path().join(".git")).unwrap();
    for folder in ["", "a/", "a/b/"] {
        write(
            root.path(),
            &format!("{folder}AGENTS.md"),
            folder.to_owned() + &"x".repeat(20 << 10),
        );
    }
    let options = ReadOptions::new().with_host(Host::Codex);
    let project = Project::read_with(root.path().join("a/b"), &options).unwrap();
    assert_eq!(project.rules.iter().map(|file| file.text.len()).sum::<usize>(), 32 << 10);
    assert_eq!(notes(&project).len(), 2);
}

#[test]
fn a_rule_for_some_files_applies_when_the_request_touches_one() {
    let rule = |path: &str, matter: &str, files: &[&str]| {
        let options = files.iter().fold(ReadOptions::new(), |o, file| o.with_file(*file));
        let text = format!("---\n{matter}\n---\nNo any.\n");
        !read(&[(path, &text)], &options).rules.is_empty()
    };
    for (path, matter, file, applies) in [
        (".clinerules/ts.md", "paths:\n  - \"src/**/*.ts\"", "src/a/b.ts", true),
        (".clinerules/ts.md", "paths:\n  - \"src/**/*.ts\"", "lib/b.ts", false),
        (".clinerules/ts.md", "paths: src/", "src/a/b.rs", true),
        (".claude/rules/a.md", "paths: \"**/*.{ts,tsx}\"", "x.tsx", true),
        (".claude/rules/a.md", "paths: [\"a/*\", \"b/*\"]", "./b/c", true),
        (".cursor/rules/a.mdc", "globs: *.ts,*.tsx\nalwaysApply: false", "deep/down/a.tsx", true),
        (".cursor/rules/a.mdc", "globs: *.ts,*.tsx\nalwaysApply: false", "a.js", false),
        (".cursor/rules/a.mdc", "globs: src/[ab].rs", "src/b.rs", true),
        (".cursor/rules/a.mdc", "globs: [\"src/{\"]", "src/{", false),
        (
            ".github/instructions/a.instructions.md",
            "applyTo: \"**/*.py,docs/**\"",
            "docs/a/b",
            true,
        ),
        (".github/instructions/a.instructions.md", "applyTo: \"docs/**\"", "src\\docs", false),
        (".windsurf/rules/a.md", "trigger: glob\nglobs: src/*", "src/x", true),
        (".windsurf/rules/a.md", "trigger: glob\nglobs: src/*", "src/x/y", false),
    ] {
        assert_eq!(rule(path, matter, &[file]), applies, "{path} {matter} {file}");
        assert!(!rule(path, matter, &[]), "{path} {matter}");
        assert!(!rule(path, matter, &["../out/b.rs", "/elsewhere"]), "{path} {matter}");
    }
    assert!(rule(".github/instructions/a.instructions.md", "applyTo: \"**\"", &[]));
    assert!(!rule(".github/instructions/a.instructions.md", "description: d", &[]));
    assert!(rule(".claude/rules/a.md", "description: d", &[]), "without paths it always applies");
}

#[test]
fn the_root_is_where_a_marker_is() {
    for (marker, options) in [
        (".git", ReadOptions::new()),
        (".jj", ReadOptions::new()),
        (".hg", ReadOptions::new()),
        ("WORKSPACE", ReadOptions::new().with_root_marker("WORKSPACE")),
    ] {
        let root = tempfile::tempdir().unwrap();
        write(root.path(), "AGENTS.md", "outer");
        write(root.path(), &format!("in/{marker}/x"), "x");
        write(root.path(), "in/AGENTS.md", "inner");
        write(root.path(), "in/a/b/x", "x");
        let project = Project::read_with(root.path().join("in/a/b"), &options).unwrap();
        assert_eq!(texts(&project), [("AGENTS.md", "inner")], "{marker}");
    }
}

#[test]
fn nested_rules_are_listed_and_read_for_files_of_their_folder() {
    let files =
        [("AGENTS.md", "root"), ("web/AGENTS.md", "web"), ("node_modules/x/AGENTS.md", "dep")];
    let project = read(&files, &ReadOptions::new());
    assert_eq!(paths(&project), ["AGENTS.md"]);
    let listed: Vec<_> = project.seen.iter().map(|file| &*file.path).collect();
    assert_eq!(listed, ["AGENTS.md", "web/AGENTS.md"]);
    let project = read(&files, &ReadOptions::new().with_file("web/src/a.ts"));
    assert_eq!(paths(&project), ["AGENTS.md", "web/AGENTS.md"]);
}

#[test]
fn files_of_other_hosts_are_listed_with_their_readers() {
    let files = [
        "GEMINI.md",
        ".goosehints",
        ".roo/rules/a.md",
        ".kilocode/rules/a.md",
        ".junie/guidelines.md",
    ];
    let files: Vec<(&str, &str)> = files.iter().map(|file| (*file, "x rule\n")).collect();
    let project = read(&files, &ReadOptions::new());
    assert!(project.rules.is_empty());
    let why = |path: &str| {
        project.seen.iter().find(|file| file.path == path).unwrap().why.clone().unwrap()
    };
    assert_eq!(why(".goosehints"), "only goose reads it");
    assert_eq!(why(".roo/rules"), "only roo reads it");
    assert_eq!(project.seen.len(), 5);
}

#[test]
fn what_lies_in_clinerules_and_is_no_rule() {
    let project = read(
        &[
            (".clinerules/r.md", "Rule.\n"),
            (".clinerules/workflows/deploy.md", "Deploy.\n"),
            (".clinerules/hooks/README.md", "hook\n"),
            (".clinerules/skills/x/SKILL.md", "---\nname: x\ndescription: d\n---\nbody\n"),
        ],
        &ReadOptions::new(),
    );
    assert_eq!(paths(&project), [".clinerules/r.md"]);
    assert_eq!(project.skills.len(), 1);
}

#[test]
fn a_skill_that_only_the_user_calls_is_not_for_the_model() {
    let text = "---\nname: deploy\ndescription: d\ndisable-model-invocation: true\n---\n";
    let project = read(&[(".agents/skills/deploy/SKILL.md", text)], &ReadOptions::new());
    assert!(project.skills.is_empty());
    assert_eq!(project.seen[0].status, SeenStatus::Ignored);
}
