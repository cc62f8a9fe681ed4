//! What changes between requests changes nothing before the marks, in every built-in variant.

use promptline::{
    McpServer, McpTool, Pack, PromptContext, PromptRegistry, RulesFile, Volatility,
    prompt::CachePlan,
};
use serde_json::json;

use super::common;

fn conversation() -> PromptContext {
    // Of this model it is not known how short a prefix the provider keeps: each has its marks.
    PromptContext::new("anthropic", "acme-1")
        .with_cwd("/home/ada/engine")
        .with_os("Linux 6.1")
        .with_date("2026-03-01")
        .with_mode("plan")
        .with_flag("browser")
}

fn server() -> McpServer {
    let schema = json!({"type": "object", "properties": {"query": {"type": "string"}}});
    McpServer::new("tickets").with_tool(McpTool::new("search", "Finds tickets.", schema))
}

/// Where the text of this volatility ends, by its mark.
fn marked(prompt: &promptline::Prompt, volatility: Volatility) -> usize {
    let blocks = prompt.blocks(&CachePlan::new().with_marks(2));
    let kept = blocks.iter().filter(|block| block.mark.is_some() && block.volatility <= volatility);
    kept.map(|block| block.range.end).max().unwrap_or_default()
}

fn registry() -> PromptRegistry {
    PromptRegistry::builder().pack(Pack::builtin()).build().unwrap()
}

#[test]
fn turns_of_a_conversation_keep_the_static_text() {
    let registry = registry();
    let base = conversation();
    let turns = [
        base.clone().with_mcp_server(server()),
        base.clone().with_mode("act").with_mcp_server(server()),
        base.clone().with_date("2026-03-02").with_mode("act"),
        base.clone().with_date("2026-03-02").with_mcp_server(server()),
        base.clone().with_cwd("/tmp").with_rules(RulesFile::new("AGENTS.md", "Use tabs.")),
        base.clone().with_runtime("TICKET", "17"),
    ];
    for form in ["", "native_tools"] {
        for variant in registry.variants() {
            let turns =
                turns.iter().map(|cx| cx.clone().with_variant(variant.id()).with_flag(form));
            let prompts: Vec<_> = turns.map(|cx| registry.build_blocking(&cx).unwrap()).collect();
            for (a, b) in prompts.iter().flat_map(|a| prompts.iter().map(move |b| (a, b))) {
                let (kept, mark) = (common(a.text(), b.text()), marked(a, Volatility::Static));
                assert!(mark > 0, "{}: nothing is static", variant.id());
                assert!(kept >= mark, "{} {form}: {kept} of {mark} bytes", variant.id());
            }
        }
    }
}

/// A conversation over midnight whose server goes away and comes back, while a skill is found.
#[test]
fn a_conversation_keeps_what_is_marked_from_turn_to_turn() {
    let registry = registry();
    let base = conversation();
    let day = |cx: PromptContext| cx.with_date("2026-03-02");
    let skill = promptline::context::Skill::new("release", "How to make a release.");
    let turns = [
        (base.clone().with_mcp_server(server()), Volatility::Conversation),
        (base.clone().with_mode("act").with_mcp_server(server()), Volatility::Conversation),
        (base.clone().with_mode("act"), Volatility::Static),
        (day(base.clone().with_mode("act")), Volatility::Static),
        (day(base.clone().with_mcp_server(server())), Volatility::Static),
        (day(base.clone().with_mcp_server(server())).with_skill(skill), Volatility::Static),
    ];
    for form in ["", "native_tools"] {
        for variant in registry.variants() {
            let prompts = turns.iter().map(|(cx, kept)| {
                let cx = cx.clone().with_variant(variant.id()).with_flag(form);
                (registry.build_blocking(&cx).unwrap(), *kept)
            });
            let prompts: Vec<_> = prompts.collect();
            for pair in prompts.windows(2) {
                let [(before, _), (after, kept)] = pair else { panic!("there are two") };
                let (mark, common) = (marked(before, *kept), common(before.text(), after.text()));
                assert!(mark > 0 && common >= mark, "{} {form}: {common} of {mark}", variant.id());
            }
            // Where tools are beside the text, most of the advice is the same for everybody.
            if prompts.iter().all(|(prompt, _)| prompt.tools().is_some()) {
                let (first, _) = &prompts[0];
                let (kept, all) = (marked(first, Volatility::Static), first.text().len());
                assert!(kept * 2 > all, "{}: {kept} of {all}", variant.id());
            }
        }
    }
}

#[test]
fn a_mode_or_a_value_of_the_request_keeps_the_conversation() {
    let registry = registry();
    let base = conversation().with_mcp_server(server());
    let turns =
        [base.clone(), base.clone().with_mode("act"), base.clone().with_runtime("TICKET", "17")];
    for variant in registry.variants() {
        let turns = turns.iter().map(|cx| cx.clone().with_variant(variant.id()));
        let prompts: Vec<_> = turns.map(|cx| registry.build_blocking(&cx).unwrap()).collect();
        for (a, b) in prompts.iter().flat_map(|a| prompts.iter().map(move |b| (a, b))) {
            let mark = marked(a, Volatility::Conversation);
            assert!(mark * 10 >= a.text().len() * 9, "{}: most of it is kept", variant.id());
            assert!(common(a.text(), b.text()) >= mark, "{}", variant.id());
        }
    }
}

#[test]
fn native_tools_are_the_same_bytes_in_each_turn() {
    let registry = registry();
    for dialect in ["anthropic", "openai", "google", "bedrock"] {
        let cx = conversation().with_flag("native_tools").with_mcp_server(server());
        let mut cx = cx.with_variant("native-next-gen");
        cx.model.provider = dialect.to_owned();
        let tools = |cx: &PromptContext| {
            registry.build_blocking(cx).unwrap().tools().unwrap().to_value().to_string()
        };
        let first = tools(&cx);
        assert_eq!(first, tools(&cx.clone().with_mode("act").with_date("2026-03-02")), "{dialect}");
    }
}
