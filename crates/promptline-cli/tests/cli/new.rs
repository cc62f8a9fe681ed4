//! `promptline new`: what it writes is the tutorial, and every command of the tutorial works.

use std::fs;
use std::path::Path;

use promptline::docs::tutorial;
use serde_json::Value;

use crate::run;

#[test]
fn the_tutorial_runs_in_an_empty_folder() {
    let folder = tempfile::tempdir().unwrap();
    let said = run(folder.path(), &["new", "pack", "mine"]).quiet();
    assert!(said.starts_with("wrote mine/README.md\n"), "{said}");
    // Every line of every code block of its README, in order.
    let readme = fs::read_to_string(folder.path().join("mine/README.md")).unwrap();
    let blocks = readme.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let commands: Vec<&str> = blocks.flat_map(str::lines).collect();
    assert!(commands.len() >= 6, "{commands:?}");
    for command in commands {
        let args: Vec<&str> = command.strip_prefix("promptline ").unwrap().split(' ').collect();
        let said = run(folder.path(), &args).quiet();
        // `check` has nothing to say of a pack that is right.
        assert_eq!(said.is_empty(), args[0] == "check", "{command}");
    }
    let prompt = ["render", "--pack", "mine", "--flag", "mine", "--json", "--model", "gpt-5"];
    let prompt: Value = serde_json::from_str(&run(folder.path(), &prompt).quiet()).unwrap();
    assert_eq!(prompt["variant"]["id"], "mine");
    let text = prompt["text"].as_str().unwrap();
    for part in ["You work for the platform team.", "## create_ticket", "HOUSE RULES"] {
        assert!(text.contains(part), "{part}");
    }
}

/// The files of a folder, with slashes, sorted.
fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                found.push(path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}

#[test]
fn it_writes_the_files_of_the_docs() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), &["new", "pack", "mine"]).quiet();
    let mut expected: Vec<&str> = tutorial::FILES.iter().map(|(path, _)| *path).collect();
    expected.sort_unstable();
    assert_eq!(files(&folder.path().join("mine")), expected);
    for (path, text) in tutorial::FILES {
        assert_eq!(fs::read_to_string(folder.path().join("mine").join(path)).unwrap(), *text);
    }
}

#[test]
fn another_name_is_used_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    // An empty folder may be there; its path is not the name.
    fs::create_dir_all(folder.path().join("in/mine.d")).unwrap();
    run(folder.path(), &["new", "pack", "in/mine.d", "--name", "acme"]).quiet();
    let root = folder.path().join("in/mine.d");
    assert!(root.join("variants/acme/variant.toml").is_file());
    for file in files(&root) {
        let text = fs::read_to_string(root.join(&file)).unwrap().replace("in/mine.d", "DIR");
        assert!(!text.contains("mine"), "{file}: {text}");
    }
    let sizes = run(folder.path(), &["snapshot", "--pack", "in/mine.d", "--sizes"]).quiet();
    assert!(sizes.contains("\nacme     unattended  "), "{sizes}");
}

#[test]
fn nothing_is_written_over() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("notes.txt"), "mine").unwrap();
    let said = |args: &[&str]| run(folder.path(), args).mistake();
    insta::assert_snapshot!(said(&["new", "pack", ".", "--name", "x"]), @"
error: the folder . is not empty
help: name one that is not there yet
");
    insta::assert_snapshot!(said(&["new", "pack", "My Prompts"]), @"
error: `My Prompts` cannot be the name of a pack
help: a name begins with a-z and goes on with a-z, 0-9, `-`, `_`; give one with --name
");
    insta::assert_snapshot!(said(&["new", "pack", "."]), @"
error: `` cannot be the name of a pack
help: a name begins with a-z and goes on with a-z, 0-9, `-`, `_`; give one with --name
");
    assert!(said(&["new", "pack", "notes.txt", "--name", "x"]).contains("notes.txt"));
    assert_eq!(files(folder.path()), ["notes.txt"]);
}
