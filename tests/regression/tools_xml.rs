//! Tools as text: well-formed tags, no invented words, one bad tool never costs the others.

use promptline::{
    Condition, ErrorKind, Pack, Param, Place, PromptContext, PromptRegistry, ToolSet, ToolSpec,
    When, context::Viewport, report::ToolStatus, tools::tool_section,
};
use serde_json::json;

use crate::support::{built, builtin, full_context, registry_of, variant};

fn section(tools: &[ToolSpec]) -> String {
    let section = tool_section(tools, &PromptContext::default());
    section.expect("the specs are sound").text.to_string()
}

#[test]
fn x01_names_that_cannot_be_tags_are_refused_all_at_once() {
    let spec = ToolSpec::new("3d render<b>")
        .with_description("Renders.")
        .with_param(Param::required("filter[name]", "Which."))
        .with_param(Param::optional("a b", "How."));
    let of_schema = ToolSpec::new("3d render<b>")
        .with_schema(json!({"properties": {"filter[name]": {}, "a b": {}, "fine": {}}}));
    for spec in [spec, of_schema] {
        let registry =
            PromptRegistry::builder().pack(Pack::builtin()).tools(ToolSet::new().add(spec.clone()));
        for error in [
            spec.check().unwrap_err(),
            tool_section(&[spec], &PromptContext::default()).unwrap_err(),
            registry.build().unwrap_err(),
        ] {
            assert_eq!(error.kind(), ErrorKind::Tool);
            for name in ["`3d render<b>`", "`filter[name]`", "`a b`"] {
                assert!(error.message().contains(name), "{error}");
            }
            assert!(!error.message().contains("fine"), "{error}");
        }
    }
}

#[test]
fn x01_a_tool_cannot_be_renamed_to_what_is_no_tag() {
    let registry = PromptRegistry::builder()
        .pack(Pack::builtin())
        .tools(ToolSet::new().rename("read_file", "read file"));
    assert_eq!(registry.build().unwrap_err().kind(), ErrorKind::Tool);
}

#[test]
fn x02_what_has_no_description_is_left_blank() {
    let spec = ToolSpec::new("x").with_param(Param::required("p", ""));
    assert_eq!(
        section(&[spec]),
        "## x\nDescription: \nParameters:\n- p: (required) \nUsage:\n<x>\n<p></p>\n</x>"
    );
    let of_schema = ToolSpec::new("x")
        .with_schema(json!({"properties": {"p": {"type": "string"}}, "required": ["p"]}));
    assert!(section(&[of_schema]).contains("\n- p: (required) \n"));
}

#[test]
fn x04_a_tool_whose_condition_fails_costs_only_itself() {
    for boom in [
        When::check(|_| Err::<bool, _>(std::io::Error::other("no quota"))),
        When::check(|_| -> Result<bool, std::io::Error> { panic!("no quota") }),
    ] {
        let registry = PromptRegistry::builder().pack(Pack::builtin()).tools(
            ToolSet::new()
                .only()
                .add(ToolSpec::new("a_tool").with_description("Works."))
                .add(ToolSpec::new("ok_tool").with_description("Works."))
                .add(ToolSpec::new("boom_tool").with_description("Fails.").with_when(boom)),
        );
        let prompt = built(registry, &full_context());
        let section = prompt.section("TOOLS_SECTION").unwrap();
        // One before it and one behind it.
        assert!(section.contains("## a_tool"), "{section}");
        assert!(section.contains("## ok_tool"), "{section}");
        assert!(!prompt.text().contains("boom_tool"));
        assert!(prompt.text().contains("TOOL USE"));
        let warnings: Vec<_> = prompt.report().warnings().collect();
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert_eq!(warnings[0].subject.as_deref(), Some("boom_tool"));
        assert!(warnings[0].message.contains("no quota"), "{warnings:?}");
        let mut tools = prompt.report().tools.iter();
        let boom = tools.find(|tool| tool.id == "boom_tool").unwrap();
        assert_eq!(boom.status, ToolStatus::Failed);
    }
}

#[test]
fn x05_rendering_changes_no_spec() {
    let plain = ToolSpec::new("x").with_description("d");
    let with_param = plain.clone().with_param(
        Param::optional("p", "i").with_tool_note("note").with_when(Condition::tool("absent")),
    );
    for spec in [plain, with_param] {
        let before = format!("{spec:?}");
        let first = section(std::slice::from_ref(&spec));
        let second = section(std::slice::from_ref(&spec));
        assert_eq!(first, second);
        assert_eq!(format!("{spec:?}"), before);
    }
}

#[test]
fn x07_a_usage_sample_cannot_close_its_own_tags() {
    for (usage, tag) in [("text with </content>", "</content>"), ("text with </write>", "</write>")]
    {
        let spec =
            ToolSpec::new("write").with_param(Param::required("content", "i").with_usage(usage));
        let error = spec.check().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Tool);
        assert!(error.message().contains(tag), "{error}");

        // In a file, the error says where.
        let pack = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(pack.path().join("templates/tools")).unwrap();
        std::fs::create_dir_all(pack.path().join("variants")).unwrap();
        std::fs::write(
            pack.path().join("variants/pack.toml"),
            "schema = 1\nname = \"p\"\nvariants = []\n",
        )
        .unwrap();
        std::fs::write(
            pack.path().join("templates/tools/write.toml"),
            format!(
                "schema = 1\nid = \"write\"\ndescription = \"d\"\n\n[[params]]\nname = \"content\"\n\
                 description = \"i\"\nusage = \"{usage}\"\n"
            ),
        )
        .unwrap();
        let error = Pack::from_dir(pack.path()).unwrap_err();
        assert!(error.message().contains(tag), "{error}");
        assert!(error.file().unwrap().ends_with("templates/tools/write.toml"));
        assert_eq!(error.line_column().map(|(line, _)| line), Some(8), "{error:#}");
    }
    // A tag of another name is a sample like any other.
    let spec =
        ToolSpec::new("write").with_param(Param::required("content", "i").with_usage("<b>x</b>"));
    assert!(section(&[spec]).contains("<content><b>x</b></content>"));
}

#[test]
fn x08_the_browser_has_one_default_size() {
    let size = |cx: PromptContext| {
        let prompt = builtin().build_blocking(&cx.with_variant("generic")).unwrap();
        let section = prompt.section("TOOLS_SECTION").unwrap();
        let at = section.find("## browser_action").unwrap();
        section[at..].lines().nth(1).unwrap().to_owned()
    };
    let default = size(full_context());
    assert!(default.contains("900x600"), "{default}");
    assert_eq!(default, size(full_context().with_browser(Viewport::default())));
    let given = size(full_context().with_browser(Viewport::new(1280, 720)));
    assert_eq!(given, default.replace("900x600", "1280x720"));

    // And the same beside the prompt.
    let native = |cx: PromptContext| {
        let prompt = builtin().build_blocking(&cx.with_variant("native-next-gen")).unwrap();
        prompt.tools().unwrap().to_value().to_string()
    };
    assert!(native(full_context()).contains("900x600"));
    let given = native(full_context().with_browser(Viewport::new(1280, 720)));
    assert!(given.contains("1280x720") && !given.contains("900x600"));
}

#[test]
fn n11_a_parameter_that_is_there_twice_is_refused() {
    let spec = ToolSpec::new("t")
        .with_param(Param::required("a", ""))
        .with_param(Param::required("a", ""));
    let made = variant("{{TOOLS_SECTION}}", &[]).with_tools(["t"]).with_own_tool(spec.clone());
    assert_eq!(spec.check().unwrap_err().kind(), ErrorKind::Tool);
    let registry = registry_of(made);
    assert_eq!(registry.build().unwrap_err().kind(), ErrorKind::Tool);
    // Nor does the same tool come in twice by another way.
    let twice = PromptRegistry::builder()
        .variant_at(variant("", &[]), Place::First)
        .tools(ToolSet::new().add(ToolSpec::new("t")).add(ToolSpec::new("t")));
    assert_eq!(twice.build().unwrap_err().kind(), ErrorKind::Duplicate);
}
