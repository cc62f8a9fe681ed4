//! Laws of blocks, and how they are written for providers.

use promptline::{
    ComponentMeta, McpServer, McpTool, Pack, Place, Prompt, PromptContext, PromptRegistry,
    PromptVariant, Template, Text, Volatility, component_fn,
    prompt::{CachePlan, CacheTtl},
};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::build;

/// Three sections: static, of the conversation, of the turn.
const THREE: &str = "
-- variants/pack.toml
schema = 1
name = \"p\"
variants = [\"v\"]
-- variants/v/variant.toml
schema = 1
components = [\"A_SECTION\", \"B_SECTION\", \"C_SECTION\"]
-- templates/components/a.md
+++
id = \"A_SECTION\"
+++
Always the same.
-- templates/components/b.md
+++
id = \"B_SECTION\"
+++
Work in {{CWD}}.
-- templates/components/c.md
+++
id = \"C_SECTION\"
+++
The mode is {{MODE}}.
";

fn cx(provider: &str) -> PromptContext {
    PromptContext::new(provider, "m").with_cwd("/x").with_mode("act")
}

/// `text*` for a block that is kept for five minutes, `text**` for one of an hour.
fn reported(prompt: &Prompt, plan: &CachePlan) -> Vec<String> {
    let mark = |mark| match mark {
        None => "",
        Some(CacheTtl::FiveMinutes) => "*",
        Some(_) => "**",
    };
    let blocks = prompt.blocks(plan);
    blocks.iter().map(|block| format!("{}{}", block.text, mark(block.mark))).collect()
}

#[test]
fn marks_stand_behind_what_stays() {
    let prompt = build(THREE, &cx("anthropic"));
    let plan = CachePlan::new().with_shortest(0);
    let hour = CacheTtl::OneHour;
    let all = ["Always the same.*", "\n\n====\n\nWork in /x.*", "\n\n====\n\nThe mode is act."];
    assert_eq!(reported(&prompt, &plan.with_marks(2)), all);
    assert_eq!(reported(&prompt, &plan.with_marks(9)), all);
    // One mark: behind the static text, where it is worth it.
    let rest = format!("{}{}", all[1].trim_end_matches('*'), all[2]);
    assert_eq!(reported(&prompt, &plan), [all[0], &rest]);
    let joined = format!("{}{}", all[0].trim_end_matches('*'), all[1]);
    assert_eq!(reported(&prompt, &plan.with_shortest(1024)), [&joined, all[2]]);
    assert_eq!(reported(&prompt, &plan.with_marks(0)), [prompt.text()]);
    // What comes first is never forgotten first.
    let first = |plan: CachePlan| reported(&prompt, &plan.with_marks(2)).swap_remove(0);
    assert_eq!(first(plan.with_static_ttl(hour)), "Always the same.**");
    assert_eq!(first(plan.with_conversation_ttl(hour)), "Always the same.**");
}

#[test]
fn nothing_is_marked_where_there_is_nothing() {
    let bare = |text: &'static str| {
        let variant = PromptVariant::new("v").with_template(Template::parse(text).unwrap());
        let registry = PromptRegistry::builder().variant_at(variant, Place::First).build().unwrap();
        registry.build_blocking(&cx("anthropic")).unwrap()
    };
    let plan = CachePlan::new().with_marks(2);
    assert!(bare("").blocks(&plan).is_empty());
    assert_eq!(reported(&bare("{{MODE}} first"), &plan), ["act first"]);
    assert_eq!(reported(&bare("{{CWD}} first"), &plan), ["/x first*"]);
    assert_eq!(reported(&bare("always"), &plan), ["always*"]);
}

#[test]
fn providers_that_take_marks_get_them() {
    let plan = CachePlan::new().with_marks(2).with_static_ttl(CacheTtl::OneHour);
    let anthropic = build(THREE, &cx("anthropic")).request_with(&plan);
    insta::assert_snapshot!(anthropic, @r#"{"system":[{"type":"text","text":"Always the same.","cache_control":{"type":"ephemeral","ttl":"1h"}},{"type":"text","text":"\n\n====\n\nWork in /x.","cache_control":{"type":"ephemeral"}},{"type":"text","text":"\n\n====\n\nThe mode is act."}]}"#);
    let bedrock =
        build(THREE, &cx("bedrock").with_model_hint("claude-sonnet-5")).request_with(&plan);
    insta::assert_snapshot!(bedrock, @r#"{"system":[{"text":"Always the same."},{"cachePoint":{"type":"default","ttl":"1h"}},{"text":"\n\n====\n\nWork in /x."},{"cachePoint":{"type":"default"}},{"text":"\n\n====\n\nThe mode is act."}]}"#);
    for provider in ["openai", "google"] {
        let prompt = build(THREE, &cx(provider));
        assert_eq!(prompt.request_with(&plan.with_tools(true)), prompt.request(), "{provider}");
    }
}

/// Every mark in a request, in the order of the wire: tools, then system.
fn marks(request: &Value) -> Vec<String> {
    let mut marks = Vec::new();
    let tools = request.get("tools").or_else(|| request.pointer("/toolConfig/tools"));
    for list in [tools, request.get("system")].into_iter().flatten() {
        for item in list.as_array().unwrap() {
            let mark = item.get("cache_control").or_else(|| item.get("cachePoint"));
            marks.extend(mark.map(|mark| mark["ttl"].as_str().unwrap_or("5m").to_owned()));
        }
    }
    marks
}

#[test]
fn the_last_tool_is_marked_when_asked() {
    let registry = PromptRegistry::builder().pack(Pack::builtin()).build().unwrap();
    for provider in ["anthropic", "bedrock"] {
        let cx = PromptContext::new(provider, "claude-sonnet-4-5").with_flag("native_tools");
        let prompt = registry.build_blocking(&cx).unwrap();
        let plan = CachePlan::new().with_conversation_ttl(CacheTtl::OneHour).with_tools(true);
        assert_eq!(
            marks(&prompt.request_with(&plan.with_marks(2))),
            ["1h", "1h", "1h"],
            "{provider}"
        );
        assert_eq!(marks(&prompt.request_with(&plan.with_marks(0))), ["1h"]);
        assert_eq!(marks(&prompt.request_with(&CachePlan::new())), ["5m"]);
        assert!(marks(&prompt.request()).is_empty());
    }
    // A server's tools are marked as they are.
    let tool = McpTool::new("find", "Finds.", json!({"type": "object"}));
    let cx = PromptContext::new("anthropic", "claude-sonnet-4-5").with_flag("native_tools");
    let cx = cx.with_mcp_server(McpServer::new("z").with_tool(tool));
    let request =
        registry.build_blocking(&cx).unwrap().request_with(&CachePlan::new().with_tools(true));
    let last = request["tools"].as_array().unwrap().last().unwrap();
    assert_eq!(last["cache_control"], json!({"type": "ephemeral"}));
}

fn ttl() -> impl Strategy<Value = CacheTtl> {
    prop_oneof![Just(CacheTtl::FiveMinutes), Just(CacheTtl::OneHour)]
}

/// A prompt of sections of any volatility; some are blank or only separators.
fn prompt(parts: Vec<(u8, String)>) -> Prompt {
    let mut variant = PromptVariant::new("v");
    let mut ids = Vec::new();
    for (at, (level, text)) in parts.into_iter().enumerate() {
        let id = format!("S{at}_SECTION");
        ids.push(id.clone());
        variant = variant.with_own_component(Declared { id, level, text });
    }
    let registry = PromptRegistry::builder().variant_at(variant.with_components(ids), Place::First);
    registry.build().unwrap().build_blocking(&cx("anthropic")).unwrap()
}

struct Declared {
    id: String,
    level: u8,
    text: String,
}

#[promptline::async_trait]
impl promptline::Component for Declared {
    fn id(&self) -> &str {
        &self.id
    }

    async fn render(
        &self,
        _: &promptline::ComponentCx<'_>,
    ) -> Result<Option<Text>, promptline::ComponentError> {
        Ok(Some(Text::authored(&self.text)))
    }

    fn meta(&self) -> ComponentMeta {
        let levels = [Volatility::Static, Volatility::Conversation, Volatility::Turn];
        ComponentMeta::new().with_volatility(levels[usize::from(self.level)])
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn blocks_keep_their_laws(
        parts in prop::collection::vec((0..3u8, "[a-z=# \n]{0,12}"), 0..7),
        marks in 0..9usize,
        shortest in prop_oneof![Just(0), Just(3), Just(usize::MAX)],
        ttls in (ttl(), ttl()),
    ) {
        let prompt = prompt(parts);
        let plan = CachePlan::new().with_marks(marks).with_shortest(shortest);
        let plan = plan.with_static_ttl(ttls.0).with_conversation_ttl(ttls.1);
        let blocks = prompt.blocks(&plan);
        let joined: String = blocks.iter().map(|block| block.text).collect();
        prop_assert_eq!(joined, prompt.text());
        let marked: Vec<_> = blocks.iter().filter_map(|block| block.mark).collect();
        prop_assert!(marked.len() <= marks.min(4));
        prop_assert!(marked.is_sorted_by(|a, b| a >= b), "an hour comes before five minutes");
        let mut turn = false;
        for block in &blocks {
            prop_assert!(!block.range.is_empty());
            turn |= block.volatility == Volatility::Turn;
            if block.mark.is_some() {
                prop_assert!(!block.text.trim().is_empty());
                prop_assert!(!turn, "a mark behind text of the turn");
            }
        }
    }
}

#[test]
fn closures_are_of_the_conversation() {
    let says = component_fn("A_SECTION", |_| Ok(Some(Text::from("Today."))));
    let variant = PromptVariant::new("v").with_components(["A_SECTION"]).with_own_component(says);
    let registry = PromptRegistry::builder().variant_at(variant, Place::First).build().unwrap();
    let prompt = registry.build_blocking(&cx("anthropic")).unwrap();
    assert_eq!(reported(&prompt, &CachePlan::new()), ["Today.*"]);
    assert_eq!(prompt.blocks(&CachePlan::new())[0].volatility, Volatility::Conversation);
}
