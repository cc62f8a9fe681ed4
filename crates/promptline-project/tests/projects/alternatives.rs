//! Files that are read in the place of others.

use promptline_project::Project;

use super::{lay_out, of, read};

fn reads(host: &str, files: &[&str]) -> Vec<String> {
    let files: Vec<String> = files.iter().map(|file| format!("project/{file}")).collect();
    read(&lay_out(&files.iter().map(String::as_str).collect::<Vec<_>>()), &of(host))
}

macro_rules! reads {
    ($($test:ident: $host:literal, [$($file:literal),*] => [$($read:literal),*];)*) => {$(
        #[test]
        fn $test() {
            let expected: &[&str] = &[$($read),*];
            assert_eq!(reads($host, &[$($file),*]), expected);
        }
    )*};
}

reads! {
    codex_takes_the_override_of_a_folder: "codex", ["AGENTS.md", "web/AGENTS.md", "web/AGENTS.override.md"]
        => ["AGENTS.md", "web/AGENTS.override.md"];
    codex_reads_no_claude_md: "codex", ["CLAUDE.md"] => [];
    claude_code_reads_no_agents_md: "claude-code", ["AGENTS.md", "web/CLAUDE.md"] => ["web/CLAUDE.md"];
    zed_takes_the_first_of_its_list: "zed", ["CLAUDE.md", "AGENTS.md", ".clinerules"] => [".clinerules"];
    zed_falls_to_gemini_md: "zed", ["GEMINI.md"] => ["GEMINI.md"];
    junie_falls_to_its_guidelines: "junie", [".junie/guidelines.md"] => [".junie/guidelines.md"];
    junie_prefers_agents_md: "junie", [".junie/guidelines.md", "AGENTS.md"] => ["AGENTS.md"];
    opencode_takes_claude_md_without_agents_md: "opencode", ["CLAUDE.md", "web/CLAUDE.md"]
        => ["CLAUDE.md", "web/CLAUDE.md"];
    opencode_leaves_claude_md: "opencode", ["CLAUDE.md", "AGENTS.md"] => ["AGENTS.md"];
    roo_falls_to_its_file: "roo", [".roorules", "AGENT.md"] => [".roorules", "AGENT.md"];
    kilo_prefers_its_folder: "kilo", [".kilocode/rules/a.md", ".kilocoderules"] => [".kilocode/rules/a.md"];
    amp_falls_to_claude_md_in_a_folder: "amp", ["AGENTS.md", "web/CLAUDE.md"] => ["AGENTS.md", "web/CLAUDE.md"];
    cline_reads_a_file_too: "cline", [".clinerules", "AGENTS.md"] => [".clinerules", "AGENTS.md"];
    shared_override: "shared", ["AGENTS.override.md", "AGENTS.md", "web/AGENT.md"]
        => ["AGENTS.override.md", "web/AGENT.md"];
}

#[test]
fn what_takes_a_place_is_named() {
    let root = lay_out(&["project/AGENTS.md", "project/AGENTS.override.md"]);
    let project = Project::read(root.path().join("project")).unwrap();
    let why: Vec<_> = project.seen.iter().filter_map(|file| file.why.as_deref()).collect();
    assert_eq!(why, ["`AGENTS.override.md` is read in its place"]);
}

#[test]
fn hosts_in_the_order_in_which_they_are_named() {
    let root = lay_out(&["project/AGENTS.md", "project/CLAUDE.md", "project/.clinerules/a.md"]);
    let claude = promptline_project::Host::ClaudeCode;
    assert_eq!(
        read(&root, &of("cline").with_host(claude)),
        [".clinerules/a.md", "AGENTS.md", "CLAUDE.md"]
    );
}
