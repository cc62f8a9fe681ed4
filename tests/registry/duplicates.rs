//! What is there twice is an error, unless it is to be replaced.

use promptline::{
    Error, ErrorKind, Pack, Place, PromptRegistry, PromptRegistryBuilder, ToolSet, ToolSpec,
};

use super::{cx, saying, says, variant};

fn refused(registry: PromptRegistryBuilder) -> Error {
    registry.build().expect_err("the registry is refused")
}

fn with_x() -> PromptRegistryBuilder {
    PromptRegistry::builder()
        .component_at(saying("X", "old x"), Place::First)
        .variant_at(variant("v", &[]), Place::First)
}

fn tool(id: &str, words: &'static str) -> ToolSpec {
    ToolSpec::new(id).with_description(words)
}

#[track_caller]
fn assert_error(error: &Error, kind: ErrorKind, message: &str, help: &str) {
    assert_eq!((error.kind(), error.message(), error.help()), (kind, message, Some(help)),);
}

#[test]
fn a_component_twice() {
    assert_error(
        &refused(with_x().component_at(says("X"), Place::Last)),
        ErrorKind::Duplicate,
        "the component `X` is there twice",
        "call `replace_component` to put another in its place",
    );
}

#[test]
fn a_component_that_a_pack_has() {
    let error = refused(
        PromptRegistry::builder()
            .pack(Pack::builtin())
            .component_at(says("RULES_SECTION"), Place::First),
    );
    assert_eq!(error.kind(), ErrorKind::Duplicate);
    assert_eq!(error.message(), "the component `RULES_SECTION` is there twice");
}

#[test]
fn a_replaced_component_keeps_the_place_of_the_old_one() {
    let registry = with_x()
        .component_at(says("Y"), Place::Last)
        .replace_component(saying("X", "new x"))
        .build()
        .unwrap();
    let prompt = registry.build_blocking(&cx()).unwrap();
    assert_eq!(prompt.text(), "new x\n\n====\n\ny");
}

#[test]
fn a_replacement_wins_over_a_variant_s_own_component() {
    let own = variant("v", &["X"]).with_own_component(saying("X", "own x"));
    let build = |replace: bool| {
        let mut registry = PromptRegistry::builder()
            .component_at(saying("X", "old x"), Place::Listed)
            .variant_at(own.clone(), Place::First);
        if replace {
            registry = registry.replace_component(saying("X", "new x"));
        }
        let registry = registry.build().unwrap();
        registry.build_blocking(&cx()).unwrap().into_text()
    };
    assert_eq!(build(false), "own x");
    assert_eq!(build(true), "new x");
}

#[test]
fn a_replacement_of_a_component_that_is_not_there() {
    assert_error(
        &refused(with_x().replace_component(says("XX"))),
        ErrorKind::Pack,
        "there is no component `XX`",
        "did you mean `X`?",
    );
}

#[test]
fn two_replacements_of_one_component() {
    let error = refused(with_x().replace_component(says("X")).replace_component(says("X")));
    assert_eq!(error.kind(), ErrorKind::Duplicate);
    assert_eq!(error.message(), "the replacement of the component `X` is there twice");
}

#[test]
fn an_id_that_cannot_be_a_placeholder() {
    for bad in ["", "A.B", "A SECTION", "A\nB", "{{A}}"] {
        let error = refused(PromptRegistry::builder().component_at(says(bad), Place::First));
        assert_eq!(error.kind(), ErrorKind::Pack, "{bad:?}");
        assert!(error.message().ends_with("cannot be the id of a component"), "{error}");
        assert!(!error.message().contains('\n'), "{error}");
    }
}

#[test]
fn a_variant_twice() {
    assert_error(
        &refused(with_x().variant_at(variant("v", &["X"]), Place::Last)),
        ErrorKind::Duplicate,
        "the variant `v` is there twice",
        "call `replace_variant`, or give it another version",
    );
}

#[test]
fn a_variant_that_a_pack_has() {
    let error = refused(
        PromptRegistry::builder()
            .pack(Pack::builtin())
            .variant_at(variant("generic", &[]), Place::First),
    );
    assert_eq!(error.message(), "the variant `generic` is there twice");
}

#[test]
fn a_list_with_an_id_twice() {
    let error = refused(with_x().variant_at(variant("w", &["X", "X"]), Place::First));
    assert_eq!(
        (error.kind(), error.message()),
        (ErrorKind::Duplicate, "the variant `w` lists `X` twice in its components")
    );
    let error =
        refused(with_x().variant_at(variant("w", &[]).with_tools(["t", "t"]), Place::First));
    assert_eq!(error.message(), "the variant `w` lists `t` twice in its tools");
    let error = refused(with_x().replace_variant(variant("v", &["X", "X"])));
    assert_eq!(error.message(), "the variant `v` lists `X` twice in its components");
}

#[test]
fn a_replaced_variant_keeps_its_place() {
    let registry = PromptRegistry::builder()
        .variant_at(variant("a", &[]), Place::First)
        .variant_at(variant("b", &[]), Place::First)
        .variant_at(variant("c", &[]), Place::First)
        .replace_variant(variant("b", &[]).with_description("new"))
        .build()
        .unwrap();
    let ids: Vec<_> = registry.variants().map(|v| (v.id(), v.description())).collect();
    assert_eq!(ids, [("a", ""), ("b", "new"), ("c", "")]);
}

/// Found by these tests: the first version of the id was replaced, whatever its number, and one number
/// was there twice.
#[test]
fn a_replacement_takes_the_place_of_its_own_version() {
    let registry = PromptRegistry::builder()
        .variant_at(variant("a", &[]).with_version(2), Place::First)
        .variant_at(variant("a", &[]).with_version(1), Place::First)
        .replace_variant(variant("a", &[]).with_version(1).with_description("new"))
        .build()
        .unwrap();
    let versions: Vec<_> = registry.variants().map(|v| (v.version(), v.description())).collect();
    assert_eq!(versions, [(2, ""), (1, "new")]);
}

#[test]
fn a_replacement_of_a_variant_that_is_not_there() {
    assert_error(
        &refused(with_x().replace_variant(variant("vv", &[]))),
        ErrorKind::Pack,
        "there is no variant `vv`",
        "did you mean `v`?",
    );
}

#[test]
fn an_override_of_what_a_host_variant_does_not_list() {
    let component = variant("w", &["X"]).with_component_override("Y", |c| c.enabled = Some(false));
    let error = refused(with_x().variant_at(component, Place::First));
    assert_eq!(
        (error.message(), error.file()),
        ("`[component.Y]` changes a component that the variant does not list", Some("variant `w`"))
    );
    let tool = variant("w", &[]).with_tool_override("read", |c| c.enabled = Some(false));
    let error = refused(with_x().variant_at(tool, Place::First));
    assert_eq!(
        (error.message(), error.help()),
        ("`[tool.read]` changes a tool that the variant does not list", Some("there are none"))
    );
}

#[test]
fn a_tool_twice() {
    assert_error(
        &refused(with_x().tools(ToolSet::new().add(tool("t", "")).add(tool("t", "")))),
        ErrorKind::Duplicate,
        "the tool `t` is there twice",
        "call `ToolSet::replace` to put another in its place",
    );
    // Two sets are one set.
    let error = refused(
        with_x().tools(ToolSet::new().add(tool("t", ""))).tools(ToolSet::new().add(tool("t", ""))),
    );
    assert_eq!(error.message(), "the tool `t` is there twice");
}

#[test]
fn a_tool_that_a_pack_has() {
    let error = refused(
        PromptRegistry::builder()
            .pack(Pack::builtin())
            .tools(ToolSet::new().add(tool("read_file", ""))),
    );
    assert_eq!(error.message(), "the tool `read_file` is there twice");
}

#[test]
fn two_replacements_of_one_tool() {
    let error = refused(
        PromptRegistry::builder()
            .pack(Pack::builtin())
            .tools(ToolSet::new().replace(tool("read_file", "")).replace(tool("read_file", ""))),
    );
    assert_eq!(error.message(), "the replacement of the tool `read_file` is there twice");
}

#[test]
fn changes_of_tools_that_is_not_there() {
    for tools in [
        ToolSet::new().replace(tool("raed_file", "")),
        ToolSet::new().rename("raed_file", "open"),
        ToolSet::new().remove("raed_file"),
    ] {
        let error = refused(PromptRegistry::builder().pack(Pack::builtin()).tools(tools));
        assert_error(
            &error,
            ErrorKind::Pack,
            "there is no tool `raed_file`",
            "did you mean `read_file`?",
        );
    }
}

#[test]
fn two_tools_with_one_name() {
    let error = refused(
        PromptRegistry::builder()
            .pack(Pack::builtin())
            .tools(ToolSet::new().rename("read_file", "list_files")),
    );
    assert_eq!(error.kind(), ErrorKind::Duplicate);
    assert!(error.message().contains("have the same name `list_files`"), "{error}");
}

#[test]
fn a_rename_to_what_cannot_be_a_tag() {
    let error = refused(
        PromptRegistry::builder()
            .pack(Pack::builtin())
            .tools(ToolSet::new().rename("read_file", "read file")),
    );
    assert_eq!(
        (error.kind(), error.message()),
        (ErrorKind::Tool, "tool `read_file`: the name `read file` cannot be a tag")
    );
}

#[test]
fn tools_are_replaced_renamed_removed_and_added_for_all_variants() {
    let tools = ToolSet::new()
        .replace(tool("read", "Read anew."))
        .rename("read", "open")
        .remove("list")
        .add(tool("b_new", "B."))
        .add(tool("a_new", "A."));
    let listing = |id: &str| {
        variant(id, &["T"])
            .with_tools(["list", "read"])
            .with_own_tool(tool("read", "Read of old."))
            .with_own_tool(tool("list", "List."))
    };
    let registry = PromptRegistry::builder()
        .variant_at(listing("v"), Place::First)
        .variant_at(listing("w"), Place::First)
        .tools(tools)
        .build()
        .unwrap();
    for id in ["v", "w"] {
        let prompt = registry.build_blocking(&cx().with_variant(id)).unwrap();
        let names: Vec<_> = prompt.report().tools.iter().map(|t| t.name.as_str()).collect();
        // What the host adds comes behind, by id.
        assert_eq!(names, ["open", "a_new", "b_new"], "{id}");
        assert_eq!(prompt.tool_names().get("open").unwrap().id, "read");
    }
}

#[test]
fn only_takes_away_every_tool_of_the_packs() {
    let registry = PromptRegistry::builder()
        .pack(Pack::builtin())
        .tools(ToolSet::new().only().add(tool("mine", "Mine.")))
        .build()
        .unwrap();
    let prompt = registry.build_blocking(&cx()).unwrap();
    assert_eq!(prompt.tool_names().model_names().collect::<Vec<_>>(), ["mine"]);
}
