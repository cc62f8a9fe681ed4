//! The rules of the twelve built-in variants: who gets which, with
//! native tools and without, and why.

use std::sync::LazyLock;

use promptline::{Pack, PromptContext, PromptRegistry};

static TWELVE: LazyLock<PromptRegistry> = LazyLock::new(|| {
    PromptRegistry::builder().pack(Pack::builtin()).build().expect("the built-in pack is whole")
});

fn variant(cx: &PromptContext) -> String {
    TWELVE.select(cx).unwrap().variant().id().to_owned()
}

/// The variant with text tools, and that with native ones.
fn both(id: &str) -> (String, String) {
    let cx = PromptContext::new("openrouter", id);
    (variant(&cx), variant(&cx.with_flag("native_tools")))
}

/// Ids, the variant with text tools, the variant with native ones.
const TABLE: &[(&str, &str, &str)] = &[
    (
        "gpt-5.1 gpt-5.6-sol gpt-5.6-terra gpt-5.6-luna gpt-5.1-codex gpt-5.3-codex-spark gpt-6-astra \
         gpt-6-sol gpt-6-luna gpt-6.1-sol gpt-6.1-terra gpt-5.7 gpt-5-2 openai/gpt-5.2:batch \
         databricks-gpt-5-4-mini openai-gpt-52 ~openai/gpt-mini-latest azure/gpt-5.5-2026-04-23",
        "gpt-5",
        "native-gpt-5-1",
    ),
    (
        "gpt-5 gpt-5-mini gpt-5-nano gpt-5-pro gpt-5-codex gpt-5-2025-08-07 gpt-5-1106 GPT-5 \
         azure/gpt-5-mini-2025-08-07 \u{130}-gpt-5",
        "gpt-5",
        "native-gpt-5",
    ),
    (
        "gpt-oss-20b gpt-oss:120b openai/gpt-oss-20b:free openai.gpt-oss-120b-1:0",
        "next-gen",
        "native-gpt-5",
    ),
    (
        "gpt-5-chat gpt-5-chat-latest gpt-5.3-chat-latest openai/gpt-5.1-instant gpt-chat-latest",
        "next-gen",
        "next-gen",
    ),
    (
        "gemini-3-pro gemini-3-pro-preview gemini-3.1-pro-customtools gemini-3.5-flash gemini-3.8-flash \
         gemini-4-argon gemini-4-hydrogen google/gemini-3.7-flash:batch gemini-pro-latest",
        "next-gen",
        "gemini-3",
    ),
    ("gemini-2.5-pro gemini-2.5-flash-lite", "next-gen", "native-next-gen"),
    (
        "glm-4.5 glm-5.3 glm-5.3-flash glm-4.6v z-ai/glm-4.6:free zai-org/GLM-4.7 \
         accounts/fireworks/models/glm-4p6 us.zai.glm-5.3 zai/glm-latest glm-for-coding glm-5v-turbo",
        "glm",
        "glm",
    ),
    (
        "hermes-4-14b hermes-4-70b NousResearch/Hermes-4-405B hermes3:8b nousresearch/hermes-3-llama-3.1-70b \
         deephermes-3-llama-3-8b-preview:free",
        "hermes",
        "hermes",
    ),
    (
        "devstral-2512 devstral-small-2 devstral-2507 devstral-small-2505 mistral.devstral-2-123b devstral:24b \
         mistral-code-agent-latest",
        "devstral",
        "devstral",
    ),
    (
        "trinity-large-thinking arcee-ai/trinity-large-preview:free trinity-mini arcee-trinity-large-thinking",
        "trinity",
        "trinity",
    ),
    (
        "claude-opus-5.5 claude-sonnet-5.5 claude-haiku-5.5 claude-fable-5.2 claude-mythos-5.1 opus sonnet haiku \
         claude-opus-latest claude-mythos-preview claude-opus-10 claude-10-opus claude-fable-5 claude-opus-5 \
         claude-sonnet-4-20250514 us.anthropic.claude-sonnet-4-5-20250929-v1:0 anthropic--claude-4-sonnet \
         kimi-k2 kimi-k3.1 kimi-latest kimi-for-coding moonshotai/kimi-k2.6:free minimax-m2 minimax-m3.1 MiniMax-M2.1-highspeed \
         deepseek-v3.2 deepseek-v4.1 deepseek-chat deepseek-reasoner grok-4 grok-4.7 grok-4.20-0309-non-reasoning \
         grok-code-fast-1 grok-build-0.1 qwen3.8-max qwen3.5-397b-a17b qwen3-coder:30b \
         Qwen/Qwen3-Coder-480B-A35B-Instruct laguna-xs.2:free poolside/laguna-m.1",
        "next-gen",
        "native-next-gen",
    ),
    (
        "gpt-4.1 gpt-4o gpt-50 o3 o4-mini llama-4-maverick mistral-large-4 mistral-large-latest codestral-2508 \
         gemma-3-27b-it mimo-v2.5-pro longcat-flash-chat claude-3-5-sonnet claude-instant-v1 gemini-1.5-pro gemini-30-pro \
         glm-4-9b glm-4-air glm-z1-32b hermes-2-pro-llama-3-8b hermes-13b hermes-405b maestro coder-large holy-trinity/llama-3 \
         holy-trinity-7b kimi-dev-72b minimax-m1 deepseek-v3.1 deepseek-v3.2-speciale deepseek-r1 grok-3 qwen3-8b qwen-max \
         qwen-8b-sonnet-distill qwen3.5-9b-claude-4.6-opus-reasoning-distilled-v2 deepseek-r1-distill-qwen-32b \
         acme/haiku-8b-instruct notgpt-5 magnum-opus-12b Qwopus3.5-9B unknown",
        "generic",
        "generic",
    ),
];

#[test]
fn each_id_gets_the_variant_of_its_family() {
    let mut wrong = Vec::new();
    for (ids, text, native) in TABLE {
        for id in ids.split_whitespace() {
            let got = both(id);
            if got != ((*text).to_owned(), (*native).to_owned()) {
                wrong.push(format!("{id}: {got:?}, not {text} and {native}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_missing_is_generic() {
    for (provider, id) in [("", ""), ("openai", ""), ("openai", "  ")] {
        assert_eq!(variant(&PromptContext::new(provider, id)), "generic");
    }
    assert_eq!(variant(&PromptContext::new("", "gpt-5")), "gpt-5");
}

#[test]
fn compact_beats_every_family_and_a_choice_beats_compact() {
    for (ids, ..) in TABLE {
        for id in ids.split_whitespace() {
            let cx = PromptContext::new("lmstudio", id);
            assert_eq!(variant(&cx.clone().with_flag("compact")), "xs", "{id}");
            assert_eq!(
                variant(&cx.clone().with_window(16_384).with_flag("native_tools")),
                "xs",
                "{id}"
            );
            assert_eq!(variant(&cx.with_flag("compact").with_variant("hermes")), "hermes", "{id}");
        }
    }
}

/// What the named matcher says of an id with native tools.
fn reason(id: &str, of: &str) -> String {
    let cx = PromptContext::new("", id).with_flag("native_tools");
    let selection = TWELVE.select(&cx).unwrap();
    let verdict = selection.verdicts().iter().find(|verdict| verdict.variant.id == of);
    verdict.map_or_else(|| format!("not asked: {}", selection.reason()), |v| v.reason.clone())
}

#[test]
fn every_verdict_has_a_reason_in_words() {
    let reasons: Vec<String> = [
        ("claude-3.5-sonnet", "native-next-gen"),
        ("claude-sonnet-4-5", "native-next-gen"),
        ("claude-instant", "native-next-gen"),
        ("llama-3.3-70b", "hermes"),
        ("hermes-2-pro-llama-3-8b", "hermes"),
        ("hermes-405b", "hermes"),
        ("mistral-large-3", "devstral"),
        ("gpt-5", "native-gpt-5-1"),
        ("gpt-5-chat", "native-gpt-5-1"),
        ("gpt-5-chat", "native-next-gen"),
        ("qwen3.5-9b-opus-4.6-distill", "next-gen"),
        ("glm-4-9b", "glm"),
        ("unknown", "trinity"),
    ]
    .into_iter()
    .map(|(id, of)| format!("{id}, {of}: {}", reason(id, of)))
    .collect();
    insta::assert_snapshot!(reasons.join("\n"), @"
claude-3.5-sonnet, native-next-gen: capable: family claude, version 3.5: needs >=4
claude-sonnet-4-5, native-next-gen: flag native_tools is on; capable: not distilled; family claude; version 4.5 (>=4); not (family is claude, not gpt)
claude-instant, native-next-gen: capable: family claude, no version: needs >=4, family claude: needs the line opus or sonnet or haiku or fable or mythos
llama-3.3-70b, hermes: family is llama, not hermes
hermes-2-pro-llama-3-8b, hermes: family hermes, version 2: needs >=3, <20
hermes-405b, hermes: family hermes, no version: needs >=3, <20
mistral-large-3, devstral: family mistral: needs the line devstral, model `mistral-large-3` matches no glob
gpt-5, native-gpt-5-1: gpt_5_1_or_later: family gpt, version 5: needs >=5.1, <20
gpt-5-chat, native-gpt-5-1: gpt_5_1_or_later: family gpt, version 5: needs >=5.1, <20
gpt-5-chat, native-next-gen: not (gpt_chat: family gpt; line chat)
qwen3.5-9b-opus-4.6-distill, next-gen: capable: distilled from claude
glm-4-9b, glm: glm_4_5_or_later: family glm, version 4: needs >=4.5, <20, model `glm-4-9b` matches no glob
unknown, trinity: no family is known, needs trinity
");
}

#[test]
fn templates_ask_for_named_conditions_too() {
    let codex = |id: &str| {
        // Also where no matcher was asked.
        let cx = PromptContext::new("openai", id).with_variant("native-gpt-5-1");
        TWELVE.build_blocking(&cx).unwrap().text().contains("plain ASCII")
    };
    assert!(codex("gpt-5.3-codex"));
    assert!(!codex("gpt-5.3"));
}

#[test]
fn a_known_family_that_falls_to_generic_is_a_warning() {
    let warnings = |id: &str| -> Vec<String> {
        let cx = PromptContext::new("", id);
        let reported = TWELVE.select(&cx).unwrap().warnings().to_vec();
        let built = TWELVE.build_blocking(&cx).unwrap();
        let report: Vec<_> = built.report().warnings().cloned().collect();
        assert_eq!(reported, report);
        reported.iter().map(|warning| format!("{}: {}", warning.code, warning.message)).collect()
    };
    insta::assert_snapshot!(warnings("claude-3-opus-20240229").join("\n"), @"fallback: the model `claude-3-opus-20240229` fell back to `generic`: no other variant takes the family claude in version 3");
    insta::assert_snapshot!(warnings("qwen-max").join("\n"), @"fallback: the model `qwen-max` fell back to `generic`: no other variant takes the family qwen without a version");
    // No matcher speaks of them.
    for id in ["llama-4-maverick", "unknown", "", "acme/haiku-8b-instruct"] {
        assert_eq!(warnings(id), [""; 0], "{id}");
    }
    for id in ["claude-opus-5", "gpt-5"] {
        assert_eq!(warnings(id), [""; 0], "{id}");
    }
}
