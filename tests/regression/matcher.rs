//! Which variant a request gets, and why.

use promptline::{
    Condition, ErrorKind, Place, PromptContext, PromptRegistry, PromptVariant, Template, When,
    component_fn,
};

use crate::support::builtin;

#[test]
fn m05_compact_beats_every_model_id() {
    for model in ["gpt-oss:20b", "devstral:24b", "glm-4.6", "qwen3-coder:30b", "claude-sonnet-4-5"]
    {
        let cx = PromptContext::new("ollama", model).with_flag("compact");
        let selection = builtin().select(&cx).unwrap();
        assert_eq!(selection.variant().id(), "xs", "{model}");
        // What the host names beats everything.
        let selection = builtin().select(&cx.with_variant("generic")).unwrap();
        assert_eq!(selection.variant().id(), "generic", "{model}");
    }
}

/// What a host's own matchers over families make of ids, in this order.
fn by_family(conditions: &[(&str, &str)], id: &str) -> String {
    let mut registry = PromptRegistry::builder();
    for (variant, condition) in conditions {
        let condition: Condition = toml::from_str(condition).unwrap();
        registry = registry.variant_at(named(variant, condition), Place::Last);
    }
    let registry =
        registry.variant_at(named("generic", When::Always), Place::Last).build().unwrap();
    let selection = registry.select(&PromptContext::new("openai-native", id)).unwrap();
    selection.variant().id().to_owned()
}

#[test]
fn m01_a_date_behind_a_version_is_no_part_of_it() {
    let rules = [
        ("gpt-5-1", "family = 'gpt'\nversion = '>=5.1'"),
        ("gpt-5", "family = 'gpt'\nversion = '>=5, <5.1'"),
    ];
    for id in ["gpt-5", "gpt-5-2025-08-07", "gpt-5-mini-2025-08-07", "gpt-5-1106"] {
        assert_eq!(by_family(&rules, id), "gpt-5", "{id}");
    }
    for id in ["gpt-5.2", "gpt-5-2", "gpt-5.1-codex", "gpt-5.2-2025-12-11", "openai-gpt-52"] {
        assert_eq!(by_family(&rules, id), "gpt-5-1", "{id}");
    }
}

#[test]
fn m03_a_line_without_its_family_and_a_size_are_no_model() {
    for id in ["acme/haiku-8b-instruct", "magnum-opus-12b", "sonnet-finetune-9b"] {
        let selection = builtin().select(&PromptContext::new("openrouter", id)).unwrap();
        assert_eq!(selection.variant().id(), "generic", "{id}");
        assert!(selection.warnings().is_empty(), "{id}");
    }
}

#[test]
fn m06_new_names_and_versions_are_taken_and_what_is_not_is_a_warning() {
    for id in
        ["claude-opus-10", "claude-10-opus", "claude-fable-5", "claude-opus-5", "claude-lyric-6"]
    {
        let selection = builtin().select(&PromptContext::new("anthropic", id)).unwrap();
        assert_eq!(selection.variant().id(), "next-gen", "{id}");
    }
    let prompt =
        builtin().build_blocking(&PromptContext::new("anthropic", "claude-lyric")).unwrap();
    assert_eq!(prompt.variant().id, "generic");
    let warning = prompt.report().warnings().next().unwrap();
    assert_eq!(warning.code, "fallback");
    assert!(warning.message.contains("`claude-lyric`"), "{warning}");
}

fn named(id: &str, when: impl Into<When>) -> PromptVariant {
    PromptVariant::new(id).with_when(when).with_template(Template::parse("prompt").unwrap())
}

#[test]
fn m08_a_matcher_that_fails_or_panics_is_passed_over_and_recorded() {
    let errs = When::check(|_| Err::<bool, _>(std::io::Error::other("no connection")));
    let panics = When::check(|_| -> Result<bool, std::io::Error> { panic!("no luck") });
    for (when, said) in [(errs, "no connection"), (panics, "no luck")] {
        let registry = PromptRegistry::builder()
            .variant_at(named("a", when), Place::Last)
            .variant_at(named("b", When::Always), Place::Last)
            .variant_at(named("generic", When::Always), Place::Last)
            .build()
            .unwrap();
        let prompt = registry.build_blocking(&PromptContext::default()).unwrap();
        assert_eq!(prompt.variant().id, "b");
        let asked: Vec<_> = prompt.report().matchers.iter().collect();
        let order: Vec<_> = asked.iter().map(|verdict| &*verdict.variant.id).collect();
        assert_eq!(order, ["a", "b"]);
        assert!(asked[0].failed && !asked[0].matched);
        assert!(asked[0].reason.contains(said), "{:?}", asked[0]);
        assert!(asked[1].matched && !asked[1].failed);
        let warning = prompt.report().warnings().next().unwrap();
        assert_eq!(warning.subject.as_deref(), Some("a"));
        assert!(warning.message.contains(said), "{warning}");
    }
}

#[test]
fn m09_the_first_in_order_of_registration_wins() {
    for _ in 0..1000 {
        let mut builder = PromptRegistry::builder();
        for id in ["zeta", "5", "alpha"] {
            builder = builder.variant_at(named(id, When::Always), Place::Last);
        }
        let registry = builder.build().unwrap();
        let ids: Vec<_> = registry.variants().map(PromptVariant::id).collect();
        assert_eq!(ids, ["zeta", "5", "alpha"]);
        let selection = registry.select(&PromptContext::default()).unwrap();
        assert_eq!(selection.variant().id(), "zeta");
    }
}

#[test]
fn m09_an_id_that_is_there_is_an_error_or_keeps_its_place() {
    let two = || {
        PromptRegistry::builder()
            .variant_at(named("zeta", When::Always), Place::Last)
            .variant_at(named("alpha", When::Always), Place::Last)
    };
    let again = two().variant_at(named("zeta", When::Always), Place::Last);
    assert_eq!(again.build().unwrap_err().kind(), ErrorKind::Duplicate);

    let replacement = named("zeta", When::Always).with_description("the second");
    let registry = two().replace_variant(replacement).build().unwrap();
    let listed: Vec<_> =
        registry.variants().map(|variant| (variant.id(), variant.description())).collect();
    assert_eq!(listed, [("zeta", "the second"), ("alpha", "")]);
    // A component that a variant does not know stays out of it.
    let registry = two().component_at(component_fn("X", |_| Ok(None)), Place::Listed);
    assert!(registry.build().is_ok());
}

#[test]
fn m11_a_model_without_native_tools_has_them_in_the_text_whatever_the_flag_says() {
    for native in [false, true] {
        let mut cx = PromptContext::new("openrouter", "openai/gpt-5-chat");
        if native {
            cx = cx.with_flag("native_tools");
        }
        let prompt = builtin().build_blocking(&cx).unwrap();
        let tools = prompt.section("TOOLS_SECTION").expect("the tools are in the text");
        assert!(tools.contains("## read_file\n"), "{tools}");
        assert!(prompt.tools().is_none());
        assert!(!prompt.report().reason.is_empty());
    }
}
