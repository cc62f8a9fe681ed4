//! What a variant or a host changes takes effect, and exactly there.

use promptline::{
    Condition, ErrorKind, Pack, Param, Place, PromptContext, PromptRegistry, PromptVariant, Text,
    ToolSet, ToolSpec, component_fn,
    report::{ComponentStatus, Layer},
    tools::ToolForm,
};

use crate::support::{built, builtin, full_context, registry_of, separators, text_of, variant};

#[test]
fn o01_a_component_that_is_switched_off_is_gone_with_its_separator() {
    let made = |enabled: Option<bool>| {
        let made = PromptVariant::new("host")
            .with_components(["AGENT_ROLE_SECTION", "RULES_SECTION", "OBJECTIVE_SECTION"])
            .with_component_override("RULES_SECTION", |change| change.enabled = enabled);
        let registry = PromptRegistry::builder().pack(Pack::builtin());
        built(registry.variant_at(made, Place::First), &full_context())
    };
    let on = made(None);
    assert!(on.section("RULES_SECTION").is_some());
    assert_eq!(separators(on.text()), 2);
    assert_eq!(made(Some(true)).text(), on.text());

    let off = made(Some(false));
    assert!(off.section("RULES_SECTION").is_none());
    assert!(!off.text().contains("\nRULES\n"));
    assert_eq!(separators(off.text()), 1);
    let mut reports = off.report().components.iter();
    let rules = reports.find(|report| report.id == "RULES_SECTION").unwrap();
    assert_eq!(rules.status, ComponentStatus::Disabled);
    assert_eq!(off.report().warnings().count(), 0);
}

#[test]
fn o01_in_a_template_of_the_hosts_own_the_separator_goes_too() {
    let made = variant("A\n\n====\n\n{{RULES}}\n\n====\n\nB", &["RULES"])
        .with_component_override("RULES", |change| change.enabled = Some(false));
    let rules = component_fn("RULES", |_| Ok(Some("[RULES]".into())));
    let registry = registry_of(made).component_at(rules, Place::Listed);
    assert_eq!(text_of(registry, &PromptContext::default()), "A\n\n====\n\nB");
}

/// Two tools, of which one has a parameter that needs the other.
fn two_tools() -> PromptVariant {
    let dependent =
        Param::optional("then_run", "A command.").with_when(Condition::tool("execute_command"));
    variant("{{TOOLS_SECTION}}", &[])
        .with_tools(["execute_command", "other"])
        .with_own_tool(ToolSpec::new("execute_command").with_description("Runs."))
        .with_own_tool(ToolSpec::new("other").with_description("Does.").with_param(dependent))
}

#[test]
fn o02_a_tool_that_is_switched_off_is_gone_with_what_depends_on_it() {
    let cx = PromptContext::default();
    let on = text_of(registry_of(two_tools()), &cx);
    assert!(on.contains("## execute_command") && on.contains("- then_run: "), "{on}");

    let off =
        two_tools().with_tool_override("execute_command", |change| change.enabled = Some(false));
    let removed = ToolSet::new().remove("execute_command");
    for registry in [registry_of(off), registry_of(two_tools()).tools(removed)] {
        let prompt = built(registry, &cx);
        assert_eq!(
            prompt.text(),
            "## other\nDescription: Does.\nParameters: None\nUsage:\n<other>\n</other>"
        );
        assert!(!prompt.tool_names().contains("execute_command"));
    }
}

#[test]
fn o02_the_same_beside_the_prompt() {
    let tools = |made: PromptVariant| {
        let prompt =
            built(registry_of(made.with_tool_form(ToolForm::Native)), &PromptContext::default());
        assert_eq!(prompt.text(), "");
        prompt.tools().expect("they are native").to_value().to_string()
    };
    let on = tools(two_tools());
    assert!(on.contains("\"execute_command\"") && on.contains("\"then_run\""), "{on}");
    let change = |change: &mut promptline::variant::ToolOverride| change.enabled = Some(false);
    let off = tools(two_tools().with_tool_override("execute_command", change));
    assert!(off.contains("\"other\""), "{off}");
    assert!(!off.contains("execute_command") && !off.contains("then_run"), "{off}");
}

#[test]
fn o02_the_other_overrides_of_a_tool_take_effect() {
    let changed = two_tools().with_tool_override("execute_command", |change| {
        change.name = Some("run".to_owned());
        change.description = Some("In {{CWD}}.".to_owned());
        change.order = Some(99);
    });
    let prompt = built(registry_of(changed), &PromptContext::default().with_cwd("/srv"));
    let text = prompt.text();
    assert!(text.contains("## run\nDescription: In /srv.\n"), "{text}");
    assert!(text.find("## other") < text.find("## run"), "{text}");
    // It is still the tool that others depend on.
    assert!(text.contains("- then_run: "), "{text}");
    assert_eq!(prompt.tool_names().get("run").unwrap().id, "execute_command");
}

#[test]
fn o04_look_up_by_id_and_version_is_exact() {
    let made = |id: &str, version| PromptVariant::new(id).with_version(version);
    let registry = registry_of(made("gpt-5-native", 1))
        .variant_at(made("gpt-5", 1), Place::Last)
        .variant_at(made("gpt-5", 2), Place::Last)
        .build()
        .unwrap();
    let found = registry.get_version("gpt-5", 1).unwrap();
    assert_eq!((found.id(), found.version()), ("gpt-5", 1));
    assert_eq!(registry.get("gpt-5").unwrap().version(), 2);
    for (id, version) in [("", 1), ("gpt-5", 99), ("gpt", 1), ("GPT-5", 1)] {
        let error = registry.get_version(id, version).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NoVariant, "{id}@{version}");
        let help = error.help().unwrap_or_default();
        for known in ["gpt-5-native", "gpt-5@1", "gpt-5@2"] {
            assert!(help.contains(known), "{id}@{version}: {help}");
        }
    }
}

#[test]
fn o06_a_variant_without_wording_of_its_own_has_that_of_the_shared_tools() {
    let tools = builtin().get("generic").unwrap().tool_ids().to_vec();
    let qwen = PromptVariant::new("qwen").with_components(["TOOL_USE_SECTION"]).with_tools(tools);
    let registry = PromptRegistry::builder()
        .pack(Pack::builtin())
        .variant_at(qwen, Place::First)
        .build()
        .unwrap();
    let tools = |id: &str| {
        let prompt = registry.build_blocking(&full_context().with_variant(id)).unwrap();
        prompt.section("TOOLS_SECTION").unwrap()
    };
    assert!(!tools("qwen").is_empty());
    assert_eq!(tools("qwen"), tools("generic"));
}

#[test]
fn o07_a_component_that_is_not_registered_prints_nothing() {
    for id in ["toString", "constructor", "__proto__"] {
        let made = variant(&format!("[{{{{{id}}}}}]"), &[id]);
        let prompt = built(registry_of(made), &PromptContext::default());
        assert_eq!(prompt.text(), "[]");
        let warnings: Vec<_> = prompt.report().warnings().collect();
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert_eq!(warnings[0].subject.as_deref(), Some(id));
        assert_eq!(prompt.report().components[0].status, ComponentStatus::Unknown);
    }
}

#[test]
fn o09_a_tool_id_again_is_an_error_or_replaces() {
    let registry = || PromptRegistry::builder().pack(Pack::builtin());
    let second = || ToolSpec::new("read_file").with_description("The second version.");
    let again = registry().tools(ToolSet::new().add(second()));
    let error = again.build().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Duplicate);
    assert!(error.message().contains("read_file"), "{error}");
    assert!(error.help().unwrap_or_default().contains("replace"));

    for id in crate::support::VARIANTS {
        let replaced = registry().tools(ToolSet::new().replace(second()));
        let prompt = built(replaced, &full_context().with_variant(id));
        let section = prompt.section("TOOLS_SECTION").unwrap();
        assert_eq!(section.matches("## read_file\n").count(), 1, "{id}");
        assert!(section.contains("## read_file\nDescription: The second version.\n"));
    }
    let nothing = registry().tools(ToolSet::new().replace(ToolSpec::new("reed_file")));
    let error = nothing.build().unwrap_err();
    assert!(error.help().unwrap_or_default().contains("read_file"), "{error}");
}

/// A variant with a value for the name, and a component of that name when it is given.
fn layered(name: &str, section: Option<&'static str>) -> promptline::PromptRegistryBuilder {
    let made = variant(&format!("{{{{{name}}}}}"), &[name]).with_placeholder(name, "v");
    let registry = registry_of(made);
    match section {
        Some(text) => registry.component_at(
            component_fn(name, move |_| Ok(Some(Text::authored(text)))),
            Place::Listed,
        ),
        None => registry,
    }
}

#[test]
fn o10_of_four_layers_the_later_one_wins() {
    let cx = PromptContext::default().with_cwd("/s");
    let all = built(layered("CWD", Some("c")), &cx.clone().with_runtime("CWD", "r"));
    assert_eq!(all.text(), "r");
    let report = &all.report().placeholders[0];
    assert_eq!(report.layer, Some(Layer::Runtime));
    assert_eq!(report.hid, [Layer::Section, Layer::Standard, Layer::Variant]);
    assert_eq!(text_of(layered("CWD", Some("c")), &cx), "c");
    assert_eq!(text_of(layered("CWD", None), &cx), "/s");
    assert_eq!(text_of(layered("CWD", None), &PromptContext::default()), "v");
}

#[test]
fn o10_a_blank_section_lets_the_layer_below_through() {
    let cx = PromptContext::default();
    for blank in ["", "  ", " \n\t\n", "\u{85}"] {
        assert_eq!(text_of(layered("TONE", Some(blank)), &cx), "v");
    }
    let given = cx.with_cwd("/s");
    assert_eq!(text_of(layered("CWD", Some(" \n")), &given), "/s");
    // A null provides nothing either.
    let null = given.with_runtime("CWD", serde_json::Value::Null);
    assert_eq!(text_of(layered("CWD", Some("c")), &null), "c");
}
