//! Mistakes in the usage and in the input: exit code 2, a message with its place on stderr, and nothing
//! on stdout.

use std::path::Path;

use crate::{project, project_with_pack, run};

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Arguments that cannot be understood, and what the message names.
macro_rules! usage {
    ($($name:ident: $args:expr, $named:literal;)*) => {$(
        #[test]
        fn $name() {
            let said = run(here(), &$args).mistake();
            assert!(said.contains($named), "{said}");
        }
    )*};
}

usage! {
    no_verb: [], "Usage: promptline";
    unknown_verb: ["rendr"], "'rendr'";
    unknown_flag: ["render", "--fromat", "json"], "'--format'";
    unknown_format: ["render", "--format", "yaml"], "[possible values: text, json, anthropic, openai, openai-responses, gemini, gemini-legacy, bedrock]";
    value_is_missing: ["render", "--model"], "--model <ID>";
    date_is_no_date: ["render", "--date", "6.5.2031"], "YYYY-MM-DD";
    date_lacks_digits: ["render", "--date", "2031-5-6"], "YYYY-MM-DD";
    set_without_value: ["render", "--set", "X"], "NAME=VALUE";
    set_without_name: ["render", "--set", "=1"], "NAME=VALUE";
    param_without_value: ["render", "--param", "X"], "NAME=VALUE";
    window_is_no_number: ["render", "--window", "8k"], "--window <TOKENS>";
    match_without_ids: ["match"], "<ID>";
    clean_takes_no_file: ["clean", "file"], "'file'";
}

/// The message for a context file, whose name is `cx.json`.
fn context(json: &str) -> String {
    let project = project(&[("cx.json", json)]);
    run(project.path(), &["render", "--context", "cx.json"]).mistake()
}

#[test]
fn broken_json_has_a_place() {
    insta::assert_snapshot!(context("{\n  \"model\": {\"id\": \"m\",},\n}"), @r#"
    error: cx.json:2:23: trailing comma
    "#);
}

#[test]
fn an_unknown_key_has_a_place_and_a_neighbour() {
    insta::assert_snapshot!(context("{\"schema\": 1,\n \"modle\": {}}"), @r#"
    error: cx.json:2:2: unknown field `modle`, expected one of `schema`, `model`, `variant`, `mode`, `cwd`, `environment`, `date`, `zone`, `flags`, `rules`, `files`, `preferred_language`, `skills`, `mcp_servers`, `workspace_roots`, `browser`, `params`, `runtime`
    help: did you mean `model`?
    "#);
}

/// A context may hold tokens; what is wrong is said without showing the line.
#[test]
fn a_broken_context_is_not_shown() {
    let said = context("{\"params\": {\"token\": \"s3cret\",}}");
    assert!(said.starts_with("error: cx.json:1:") && !said.contains("s3cret"), "{said}");
}

#[test]
fn another_schema_is_said() {
    insta::assert_snapshot!(context("{\"schema\": 2}"), @r#"
    error: cx.json:1:13: schema 2 is not known; this version reads schema 1
    "#);
}

#[test]
fn an_unknown_variant_lists_those_that_there_are() {
    let project = project(&[("cx.json", "{}")]);
    let args = ["render", "--variant", "huge", "--context", "cx.json"];
    let said = run(project.path(), &args).mistake();
    insta::assert_snapshot!(said, @"
error: there is no variant `huge`
help: variants are xs@1, native-gpt-5-1@1, native-gpt-5@1, gpt-5@1, gemini-3@1, glm@1, hermes@1, devstral@1, trinity@1, native-next-gen@1, next-gen@1, generic@1
");
}

#[test]
fn a_folder_that_is_not_there() {
    let project = project(&[("file", "")]);
    let mut said = String::new();
    for args in [
        ["render", "--cwd", "nowhere"],
        ["render", "--cwd", "file"],
        ["render", "--pack", "nowhere"],
    ] {
        said += &run(project.path(), &args).mistake();
    }
    insta::assert_snapshot!(said, @r"
    error: `nowhere` is not a folder
    error: `file` is not a folder
    error: there is no folder `nowhere`
    help: name the folder that holds `templates/` and `variants/`
    ");
}

#[test]
fn a_context_that_is_not_there() {
    let said = run(here(), &["render", "--context", "nowhere.json"]).mistake();
    // What follows is the system's own word.
    assert!(said.starts_with("error: nowhere.json: the file cannot be read: "), "{said}");
}

#[test]
fn a_broken_pack_has_a_place_in_every_verb() {
    let project = project_with_pack("ok\n{{#if A}}never closed\n", &[]);
    let render = run(project.path(), &["render", "--pack", "pack"]).mistake();
    let matching = run(project.path(), &["match", "--pack", "pack", "gpt-5"]).mistake();
    assert_eq!(render, matching);
    insta::assert_snapshot!(render, @r"
    error: pack/variants/mine/template.md:2:1: {{#if …}} is not closed
      |
    2 | {{#if A}}never closed
      | ^
    help: close it with {{/if}}
    ");
}

#[test]
fn help_and_version_are_results() {
    for args in
        [&["--help"][..], &["help"], &["render", "--help"], &["match", "-h"], &["clean", "--help"]]
    {
        let said = run(here(), args).quiet();
        assert!(said.contains("Usage: promptline"), "{said}");
    }
    let version = run(here(), &["--version"]).quiet();
    assert_eq!(version, format!("promptline {}\n", env!("CARGO_PKG_VERSION")));
}
