//! `promptline tools`: the list on stdout, what was lost or repaired on stderr, all of it with `--json`.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::{Run, project, run, run_with};

const FORMS: [&str; 9] = [
    "xml",
    "hermes",
    "openai",
    "openai-responses",
    "anthropic",
    "gemini",
    "gemini-legacy",
    "bedrock",
    "mcp",
];

/// The lists that the library's own tests use.
fn lists() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../promptline-tools/tests/read")
}

fn tools(args: &[&str]) -> Run {
    run(&lists(), &[&["tools"], args].concat())
}

fn json(run: Run) -> Value {
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

/// The names in a list, whatever its form.
fn names(list: &Value) -> Vec<&str> {
    let places = ["/name", "/function/name", "/toolSpec/name"];
    let name = |tool| places.iter().find_map(|place| Value::pointer(tool, place)?.as_str());
    list.as_array().unwrap().iter().filter_map(name).collect()
}

#[test]
fn every_form_holds_every_tool() {
    for form in FORMS {
        let run = tools(&["tickets.json", "--format", form]);
        assert_eq!(run.code, Some(0), "{form}: {}", run.stderr);
        let text = &run.stdout;
        assert!(text.ends_with('\n'), "{form}");
        // Where they come from they are called what they are called.
        let wanted = match form {
            "mcp" => ["search", "create", "docs/append"],
            _ => ["tickets__search", "tickets__create", "tickets__docs_append_"],
        };
        if form == "xml" || form == "hermes" {
            assert!(wanted.iter().all(|name| text.contains(name)), "{form}: {text}");
            continue;
        }
        let list: Value = serde_json::from_str(text).unwrap();
        let names = names(&list);
        assert_eq!(names[..2], wanted[..2], "{form}");
        assert!(names[2].starts_with(wanted[2]) && names.len() == 3, "{form}: {names:?}");
    }
}

#[test]
fn what_is_written_is_read_again_as_the_same() {
    for form in FORMS {
        let first = tools(&["mixed.json", "--format", form]);
        let again = run_with(&lists(), &["tools", "-", "--format", form], first.stdout.as_bytes());
        assert_eq!(again.code, Some(0), "{form}: {}", again.stderr);
        assert_eq!(again.stdout, first.stdout, "{form}");
    }
}

#[test]
fn unsupported_keywords_and_new_names_are_a_table() {
    let run = tools(&["tickets.json", "--format", "gemini-legacy"]);
    insta::assert_snapshot!(run.stderr);
}

#[test]
fn everything_in_one_object() {
    let all = json(tools(&["mixed.json", "--format", "openai-responses", "--json"]));
    let keys: Vec<&String> = all.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["tools", "text", "names", "unsupported", "diagnostics"]);
    insta::assert_snapshot!(serde_json::to_string_pretty(&all).unwrap());
    // Nothing more is said.
    let run = tools(&["mixed.json", "--format", "openai-responses", "--json"]);
    assert_eq!(run.stderr, "");
    let xml = json(tools(&["mixed.json", "--format", "xml", "--json"]));
    assert_eq!(xml["tools"], Value::Null);
    assert!(xml["text"].as_str().unwrap().starts_with("## chat_tool\n"));
    assert_eq!(xml["names"]["free"], json!({"id": "free", "name": "free"}));
}

#[test]
fn the_provider_chooses_the_form() {
    for (provider, key) in
        [("anthropic", "/0/input_schema"), ("bedrock", "/0/toolSpec"), ("somebody", "/0/function")]
    {
        let list = json(tools(&["tickets.json", "--provider", provider]));
        assert!(list.pointer(key).is_some(), "{provider}: {list}");
    }
    let list = json(tools(&["tickets.json", "--provider", "anthropic", "--format", "openai"]));
    assert!(list.pointer("/0/function").is_some(), "{list}");
}

#[test]
fn strict_is_written_when_it_is_asked_for() {
    let strict = |args: &[&str]| {
        let list = json(tools(&[&["mixed.json", "--format", "openai"], args].concat()));
        list[0]["function"]["strict"].clone()
    };
    assert_eq!((strict(&[]), strict(&["--strict"])), (json!(false), json!(true)));
}

#[test]
fn a_server_by_name() {
    let all = json(tools(&["tickets.json", "--server", "jira", "--json"]));
    assert_eq!(
        all["names"]["jira__search"],
        json!({"id": "jira/search", "server": "jira", "name": "search"})
    );
}

const LOOK: &str =
    "schema = 1\nid = \"look\"\ndescription = \"Looks.\"\n[[params]]\nname = \"at\"\n";
const GATED: &str =
    "schema = 1\nid = \"gated\"\ndescription = \"D.\"\nwhen = { flag = \"browser\" }\n";

#[test]
fn toml_files_with_their_conditions() {
    let folder = project(&[("look.toml", LOOK), ("gated.toml", GATED)]);
    let args = ["tools", "look.toml", "gated.toml", "look.toml", "--format", "anthropic"];
    let off = run(folder.path(), &args);
    assert_eq!(
        off.stderr,
        "look.toml: warning[tool-left-out]: the tool `look` is left out: it was there before\n\
         warning[tool-not-offered]: the tool `gated` is not offered: its condition does not hold \
         (switch on what it asks for with --flag)\n"
    );
    assert_eq!(names(&json(off)), ["look"]);
    let on = run(folder.path(), &[&args[..], &["--flag", "browser"]].concat());
    assert_eq!(names(&json(on)), ["look", "gated"]);
    // TOML on stdin, and a mistake in it with its place.
    let list = run_with(folder.path(), &["tools", "-"], LOOK.as_bytes()).quiet();
    assert!(list.contains("\"look\""), "{list}");
    let said = run_with(folder.path(), &["tools", "-"], b"schema = 1\nid = 7\n").mistake();
    assert!(said.contains("stdin:2:6"), "{said}");
}

#[test]
fn the_sections_of_a_prompt() {
    let xml = tools(&["tickets.json", "--format", "xml"]).stdout;
    let prompt = format!("TOOLS\n\n{xml}\n====\n\nRULES\n");
    let again = run_with(&lists(), &["tools", "-", "--format", "xml"], prompt.as_bytes()).quiet();
    assert_eq!(again, xml);
}

#[test]
fn mistakes() {
    let said = |stdin: &str| run_with(&lists(), &["tools", "-"], stdin.as_bytes()).mistake();
    assert!(said("{\"tools\": [").starts_with("error: stdin:1:11: it is not JSON: EOF"));
    assert!(said("").contains("stdin"), "{}", said(""));
    assert_eq!(
        said("{\"a\": 1}"),
        "stdin: warning[tool-left-out]: `/`: it is left out: no tool can be seen in it; its keys are `a`\n\
         error: no tool in it can be read\n"
    );
    let missing = tools(&["nowhere.json"]).mistake();
    assert!(missing.starts_with("error: nowhere.json: the file cannot be read: "), "{missing}");
    assert!(tools(&["tickets.json", "--format", "soap"]).mistake().contains("openai-responses"));
    // An empty list is a list.
    assert_eq!(run_with(&lists(), &["tools", "-"], b"[]").quiet(), "[]\n");
}
