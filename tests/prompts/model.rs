//! What the model of a request decides beside the variant: marks of its provider's cache, its window, its size.

use promptline::prompt::CachePlan;
use promptline::registry::Selection;
use promptline::{Dialect, Pack, Prompt, PromptContext, PromptRegistry, RulesFile};

fn registry() -> PromptRegistry {
    PromptRegistry::builder().pack(Pack::builtin()).build().unwrap()
}

fn build(cx: &PromptContext) -> Prompt {
    registry().build_blocking(&cx.clone().with_flag("native_tools")).unwrap()
}

/// How many marks a request has, and what is said of the plan.
fn marks(provider: &str, id: &str, rules: usize) -> (usize, Vec<String>) {
    let rules = RulesFile::new("AGENTS.md", "Use tabs. ".repeat(rules / 10));
    let prompt = build(&PromptContext::new(provider, id).with_rules(rules));
    let plan = CachePlan::new().with_tools(true);
    let request = prompt.request_with(&plan).to_string();
    let count = request.matches("cachePoint").count() + request.matches("cache_control").count();
    (count, prompt.cache_notes(&plan).iter().map(ToString::to_string).collect())
}

#[test]
fn bedrock_gets_no_mark_for_a_model_that_refuses_it() {
    for id in [
        "qwen.qwen3-coder-next",
        "nvidia.nemotron-super-3-120b",
        "us.deepseek.r1-v1:0",
        "zai.glm-4.7",
        "arn:aws:bedrock:us-east-1:1:application-inference-profile/abc",
    ] {
        let (count, notes) = marks("bedrock", id, 2_000);
        assert_eq!(count, 0, "{id}");
        assert!(notes[0].contains("refuses marks"), "{id}: {notes:?}");
    }
    assert_eq!(marks("bedrock", "us.anthropic.claude-sonnet-4-5-20250929-v1:0", 2_000).0, 2);
}

#[test]
fn a_prefix_that_the_provider_does_not_keep_has_no_mark() {
    let small = |id: &str| {
        let cx = PromptContext::new("anthropic", id).with_variant("xs");
        let prompt = registry().build_blocking(&cx).unwrap();
        let notes = prompt.cache_notes(&CachePlan::new());
        let marks =
            prompt.request_with(&CachePlan::new()).to_string().matches("cache_control").count();
        (marks, notes.len())
    };
    assert_eq!(small("claude-haiku-4-5"), (0, 1));
    assert_eq!(small("claude-opus-5"), (1, 0));
}

#[test]
fn a_hint_decides_as_the_id_would() {
    let arn = "arn:aws:bedrock:us-east-1:1:application-inference-profile/abc";
    let cx = PromptContext::new("bedrock", arn).with_flag("native_tools");
    let registry = registry();
    let selection: Selection<'_> = registry.select(&cx).unwrap();
    assert_eq!(selection.variant().id(), "generic");
    assert_eq!(selection.warnings()[0].code, "opaque-model");
    let cx = cx.with_model_hint("claude-sonnet-5");
    let prompt = registry.build_blocking(&cx).unwrap();
    assert_eq!(prompt.variant().id, "native-next-gen");
    assert_eq!(prompt.dialect(), Dialect::Bedrock);
    assert!(prompt.cache_limits().marks > 0);
}

#[test]
fn a_known_family_without_a_variant_is_said_where_native_tools_are_asked_for() {
    let registry = registry();
    let codes = |cx: &PromptContext| -> Vec<String> {
        registry.select(cx).unwrap().warnings().iter().map(|w| w.code.clone()).collect()
    };
    let cx = PromptContext::new("xiaomi", "mimo-v2.5-pro");
    assert_eq!(codes(&cx), [""; 0]);
    assert_eq!(codes(&cx.with_flag("native_tools")), ["fallback"]);
    assert_eq!(codes(&PromptContext::new("", "unknown").with_flag("native_tools")), [""; 0]);
}

#[test]
fn a_small_model_without_a_window_is_said() {
    let registry = registry();
    let codes = |id: &str, window: Option<u64>| -> Vec<String> {
        let mut cx = PromptContext::new("ollama", id);
        cx.model.window = window;
        registry.select(&cx).unwrap().warnings().iter().map(|w| w.code.clone()).collect()
    };
    for id in ["qwen2.5-coder:0.5b", "llama3.2:1b", "gemma-2-2b-it"] {
        assert!(codes(id, None).contains(&"small-model".to_owned()), "{id}");
        assert_eq!(codes(id, Some(4_096)), [""; 0], "{id}");
    }
    for id in ["llama3.1:8b", "unknown", "qwen3-235b-a22b"] {
        assert!(!codes(id, None).contains(&"small-model".to_owned()), "{id}");
    }
}

#[test]
fn a_prompt_larger_than_the_window_names_its_largest_sections() {
    let cx = PromptContext::new("anthropic", "claude-sonnet-4-5")
        .with_rules(RulesFile::new("AGENTS.md", "Use tabs. ".repeat(20_000)));
    let over = |cx: &PromptContext| -> Vec<String> {
        let prompt = build(cx);
        let over = prompt.report().warnings().filter(|w| w.code == "over-window");
        over.map(|w| w.message.clone()).collect()
    };
    let said = over(&cx.clone().with_window(32_000));
    assert_eq!(said.len(), 1);
    assert!(said[0].contains("largest parts: USER_INSTRUCTIONS_SECTION ("), "{said:?}");
    assert_eq!(over(&cx.clone().with_window(200_000)), [""; 0]);
    assert_eq!(over(&cx), [""; 0]);
}

/// With 200 KB of rules, what is the same after midnight is nearly all.
#[test]
fn what_changes_by_the_day_comes_last() {
    let registry = registry();
    let rules = "Use tabs, and say what you did.\n".repeat(6_250);
    for variant in registry.variants().map(|variant| variant.id().to_owned()).collect::<Vec<_>>() {
        let text = |date: &str| {
            let cx = PromptContext::new("", "")
                .with_variant(&variant)
                .with_rules(RulesFile::new("AGENTS.md", rules.as_str()))
                .with_cwd(format!("/home/{date}"))
                .with_date(date)
                .with_zone("UTC");
            registry.build_blocking(&cx).unwrap().text().to_owned()
        };
        let (today, tomorrow) = (text("2026-03-01"), text("2026-03-02"));
        let same = today.bytes().zip(tomorrow.bytes()).take_while(|(a, b)| a == b).count();
        assert!(
            same > 200_000 && today.len() - same < 1_000,
            "{variant}: {same} of {}",
            today.len()
        );
    }
}
