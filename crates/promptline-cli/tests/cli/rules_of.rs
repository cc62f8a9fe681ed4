//! Which files of a project the flags of `render` read.

use serde_json::Value;

use crate::{project, run};

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

const CLAUDE: [&str; 5] = ["render", "--provider", "anthropic", "--model", "claude-sonnet-4-5"];

fn rendered(dir: &std::path::Path, flags: &[&str]) -> String {
    run(dir, &[&CLAUDE[..], flags].concat()).stdout
}

#[test]
fn a_host_reads_its_own_files_and_the_rest_is_listed() {
    let project = project(&[
        ("AGENTS.md", "of all"),
        ("CLAUDE.md", "of Claude, @more.md"),
        ("more.md", "included"),
        ("GEMINI.md", "of Gemini"),
    ]);
    let claude = rendered(project.path(), &["--rules-of", "claude-code"]);
    assert!(claude.contains("of Claude") && claude.contains("included"));
    assert!(!claude.contains("of all") && !claude.contains("of Gemini"));
    let both = rendered(project.path(), &["--rules-of", "gemini-cli,codex"]);
    assert!(both.contains("of Gemini") && both.contains("of all") && !both.contains("of Claude"));
    let seen = json(&rendered(project.path(), &["--rules-of", "gemini-cli", "--json"]));
    let listed = seen["detected"].as_array().unwrap();
    let why = |path: &str| listed.iter().find(|file| file["path"] == path).unwrap()["why"].clone();
    assert_eq!(why("CLAUDE.md"), "gemini-cli does not read it");
    let unknown = run(project.path(), &[&CLAUDE[..], &["--rules-of", "claude-cod"]].concat());
    assert_eq!(unknown.code, Some(2));
    assert!(unknown.stderr.contains("did you mean `claude-code`?"), "{}", unknown.stderr);
}

#[test]
fn a_rule_for_some_files_applies_with_one_of_them() {
    let rule = "---\nglobs: src/**/*.ts\nalwaysApply: false\n---\nNo any.\n";
    let project = project(&[(".cursor/rules/ts.mdc", rule)]);
    assert!(!rendered(project.path(), &[]).contains("No any."));
    let with = rendered(project.path(), &["--file", "README.md", "--file", "src/a/b.ts"]);
    assert!(with.contains("No any.") && !with.contains("globs:"));
}

#[test]
fn many_ignored_files_are_one_line() {
    let rule = "---\nglobs: src/*\n---\nrule\n";
    let files: Vec<String> = (0..9).map(|at| format!(".cursor/rules/{at}.mdc")).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|file| (file.as_str(), rule)).collect();
    let project = project(&files);
    let said = run(project.path(), &CLAUDE).stderr;
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.contains("9 files of the project are not used: .cursor/rules/0.mdc"), "{said}");
    let listed = json(&rendered(project.path(), &["--json"]));
    assert_eq!(listed["detected"].as_array().unwrap().len(), 9);
}
