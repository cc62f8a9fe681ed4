//! Rules files: each counts once, in a fixed order, and only when it is switched on.

use promptline::{PromptContext, RulesFile, report::RulesStatus};

use crate::support::{VARIANTS, builtin, full_context, separators};

fn with_rules(id: &str, rules: &[RulesFile]) -> promptline::Prompt {
    let cx = full_context().with_variant(id);
    let cx = rules.iter().cloned().fold(cx, PromptContext::with_rules);
    builtin().build_blocking(&cx).unwrap()
}

#[test]
fn k01_one_file_by_two_paths_counts_once() {
    let rules = [
        RulesFile::new("AGENTS.md", "Say hi"),
        RulesFile::new("./AGENTS.md", "Say hi"),
        RulesFile::new("docs/../AGENTS.md", "Say hi"),
    ];
    for id in VARIANTS {
        let prompt = with_rules(id, &rules);
        assert_eq!(prompt.text().matches("Say hi").count(), 1, "{id}");
        let statuses: Vec<_> = prompt.report().rules.iter().map(|file| file.status).collect();
        assert_eq!(statuses, [RulesStatus::Used, RulesStatus::Repeated, RulesStatus::Repeated]);
    }
    // Two files that say the same are two files.
    let two = [RulesFile::new("AGENTS.md", "Say hi"), RulesFile::new("web/AGENTS.md", "Say hi")];
    assert_eq!(with_rules("generic", &two).text().matches("Say hi").count(), 2);
}

#[test]
fn k02_rules_that_are_switched_off_are_not_there() {
    let alpha = RulesFile::new("a.md", "ALPHA").with_enabled(false);
    let beta = RulesFile::new("b.md", "BETA");
    for id in VARIANTS {
        let prompt = with_rules(id, &[alpha.clone(), beta.clone()]);
        assert!(prompt.text().contains("BETA"), "{id}");
        assert!(!prompt.text().contains("ALPHA") && !prompt.text().contains("a.md"), "{id}");
        assert_eq!(prompt.report().rules[0].status, RulesStatus::SwitchedOff);

        let off = with_rules(id, &[alpha.clone(), beta.clone().with_enabled(false)]);
        let none = with_rules(id, &[]);
        assert_eq!(off.text(), none.text(), "{id}");
        assert!(off.section("USER_INSTRUCTIONS_SECTION").is_none(), "{id}");
        assert_eq!(separators(off.text()) + 1, separators(prompt.text()), "{id}");
    }
}

#[cfg(feature = "detect")]
#[test]
fn k07_front_matter_is_read_at_the_start_and_takes_no_rule_away_when_it_is_wrong() {
    use std::fs;

    let late = "\n---\npaths:\n  - \"src/**\"\n---\nUse tabs";
    let read = "\u{FEFF}---\r\nalwaysApply: true\r\n---\r\nUse tabs\r\n---\r\na: b\r\n---";
    for (text, shown, said) in [
        (late, late, Some("front matter not at start")),
        ("---\na: [\n---\nUse tabs", "Use tabs", Some("the front matter is passed over")),
        (read, "Use tabs\n---\na: b\n---", None),
    ] {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join(".cursor/rules")).unwrap();
        fs::write(root.path().join(".cursor/rules/a.mdc"), text).unwrap();
        let detected = PromptContext::detect(root.path()).unwrap();
        assert_eq!(detected.notes.len(), usize::from(said.is_some()), "{:?}", detected.notes);
        for note in &detected.notes {
            assert!(said.is_some_and(|said| note.message.contains(said)), "{note}");
        }
        let prompt = builtin().build_blocking(&detected.context).unwrap();
        assert!(prompt.text().contains(shown.trim()), "{}", prompt.text());
        assert!(!prompt.text().contains("alwaysApply"));
    }
}

#[cfg(feature = "detect")]
#[test]
fn k08_sources_have_a_fixed_order_and_files_of_a_folder_that_of_their_bytes() {
    use std::fs;

    const FILES: [&str; 7] = [
        "AGENTS.md",
        "web/AGENTS.md",
        "CLAUDE.md",
        ".clinerules/C.md",
        ".clinerules/a.md",
        ".clinerules/b.md",
        ".clinerules/sub/z.md",
    ];
    // Folders list their files in the order in which they were made, in another, or in none.
    let orders: [[usize; 7]; 3] =
        [[0, 1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1, 0], [5, 2, 4, 0, 6, 1, 3]];
    for order in orders {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join(".git")).unwrap();
        for file in order.map(|at| FILES[at]) {
            let path = root.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, format!("text of {file}")).unwrap();
        }
        let detected = PromptContext::detect(root.path().join("web")).unwrap();
        let paths: Vec<_> = detected.context.rules.iter().map(|file| &*file.path).collect();
        assert_eq!(paths, FILES, "made in the order {order:?}");

        // The prompt keeps that order.
        let prompt = builtin().build_blocking(&detected.context).unwrap();
        let places: Vec<_> = FILES
            .iter()
            .map(|file| prompt.text().find(&format!("text of {file}")).unwrap())
            .collect();
        assert!(places.is_sorted(), "{places:?}");
    }
}
