//! The pack of README.md: the files that it draws, written as it says, are a pack that works.

use promptline::{Pack, PromptContext, PromptRegistry};

use crate::pack::Folder;

/// README.md, "A pack of your own", with the tree's words written out as files.
const OWN: &str = r#"
-- templates/components/house_rules.md
+++
id = "HOUSE_RULES_SECTION"
+++
HOUSE RULES

Answer in one page.
-- templates/tools/create_ticket.toml
schema = 1
id = "create_ticket"
description = "Open a ticket in the tracker."
[[params]]
name = "title"
required = true
description = "One line that says what is wrong."
-- variants/pack.toml
schema = 1
name = "mine"
variants = ["mine"]
-- variants/mine/variant.toml
schema = 1
extends = "next-gen"
when = { flag = "mine" }
components = ["AGENT_ROLE_SECTION", "TOOL_USE_SECTION", "HOUSE_RULES_SECTION", "RULES_SECTION"]
tools = ["read_file", "create_ticket"]
"#;

/// The tree in README.md names these files and keys; when it changes, so does this test.
#[test]
fn the_files_are_those_that_the_readme_draws() {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md"))
        .expect("README.md is there");
    let (_, own) = readme.split_once("## A pack of your own").expect("the part is there");
    let (own, _) = own.split_once("\n## ").expect("another part follows");
    for part in [
        "templates/components/house_rules.md   +++ / id = \"HOUSE_RULES_SECTION\" / +++ / the text",
        "templates/tools/create_ticket.toml",
        "variants/pack.toml                    schema = 1, name = \"mine\", variants = [\"mine\"]",
        "variants/mine/variant.toml            schema = 1, extends = \"next-gen\", \
         when = { flag = \"mine\" }, components = […]",
        "--flag mine",
    ] {
        assert!(own.contains(part), "README.md has no more `{part}`");
    }
}

#[test]
fn the_pack_of_the_readme_works() {
    let folder = Folder::new(OWN);
    let own = folder.load().unwrap_or_else(|error| panic!("{error:#}"));
    let registry = PromptRegistry::builder()
        .pack(Pack::builtin())
        .pack(own)
        .build()
        .unwrap_or_else(|error| panic!("{error:#}"));

    let cx = PromptContext::new("openai", "gpt-5").with_flag("mine");
    let prompt = registry.build_blocking(&cx).unwrap();
    assert_eq!(prompt.variant().id, "mine");
    assert_eq!(
        prompt.section("HOUSE_RULES_SECTION").as_deref(),
        Some("HOUSE RULES\n\nAnswer in one page.")
    );
    assert!(prompt.text().contains("<create_ticket>"));
    assert!(prompt.section("RULES_SECTION").is_some());
    let warnings: Vec<_> = prompt.report().warnings().collect();
    assert!(warnings.is_empty(), "{warnings:?}");

    // Without the flag nothing has changed.
    let other = registry.build_blocking(&PromptContext::new("openai", "gpt-5")).unwrap();
    assert_eq!(other.variant().id, "gpt-5");
    assert!(!other.text().contains("HOUSE RULES"));
}
