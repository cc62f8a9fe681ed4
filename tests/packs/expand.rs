//! A variant as one file is a file: read again, it is the same variant.

use std::fs;

use promptline::{Pack, PromptRegistry};

#[test]
fn every_built_in_variant_is_read_again_as_the_same() {
    let builtin = PromptRegistry::builder().pack(Pack::builtin()).build().unwrap();
    for variant in builtin.variants() {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join("variants").join(variant.id());
        fs::create_dir_all(&own).unwrap();
        let pack = format!("schema = 1\nname = \"again\"\nvariants = [\"{}\"]\n", variant.id());
        fs::write(folder.path().join("variants/pack.toml"), pack).unwrap();
        fs::write(own.join("variant.toml"), variant.to_toml()).unwrap();
        let again = PromptRegistry::builder()
            .pack(Pack::builtin())
            .pack(Pack::from_dir(folder.path()).unwrap())
            .build()
            .unwrap_or_else(|error| panic!("{error:#}\n{}", variant.to_toml()));
        let again = again.get(variant.id()).unwrap();
        assert_eq!(again.component_ids(), variant.component_ids());
        assert_eq!(again.tool_ids(), variant.tool_ids());
        assert_eq!(again.traits(), variant.traits());
        assert_eq!(again.labels(), variant.labels());
        assert_eq!(
            (again.tool_form(), again.text_form(), again.description()),
            (variant.tool_form(), variant.text_form(), variant.description())
        );
    }
}

#[test]
fn what_is_switched_off_is_gone_and_what_is_moved_has_moved() {
    let variant = promptline::PromptVariant::new("v")
        .with_components(["A_SECTION", "B_SECTION", "C_SECTION"])
        .with_component_override("B_SECTION", |change| change.enabled = Some(false))
        .with_component_override("C_SECTION", |change| change.order = Some(5))
        .with_tools(["x"])
        .with_tool_override("x", |change| change.name = Some("y".to_owned()))
        .with_matcher(|_| true);
    insta::assert_snapshot!(variant.to_toml(), @r#"
# v@1, from host
# Its matcher is a closure of the host.
schema = 1
version = 1
description = ""
components = [
    "C_SECTION",
    "A_SECTION",
]
tools = ["x"]
tool_form = "xml"

[tool.x]
name = "y"
"#);
}
