//! What builds ask the allocator for: the counts that DESIGN.md promises, and that ten times the input
//! takes about ten times the memory. `cargo bench --bench allocations` prints the same counts.

#![expect(clippy::expect_used, reason = "the helpers of tests fail as tests do")]

#[path = "support/allocations.rs"]
mod allocations;
#[path = "support/warm.rs"]
mod warm;

use allocations::allocated;
use promptline::cleanup::{Level, clean};
use promptline::{McpServer, McpTool, ModelId, PromptContext, RulesFile, Template, context::Skill};
use serde_json::json;
use warm::{generic, sections, warm};

#[test]
fn fixed_sections_cost_four_allocations_however_many_there_are() {
    let cx = PromptContext::default();
    for fixed in [1, 3, 30] {
        let (built, _) = warm(&sections(fixed, 1_000, 0), &cx);
        assert!(built.times <= 4, "{fixed} sections: {built:?}");
        assert!(built.times > 0, "the allocator counts nothing");
    }
}

/// The future, the text that the component writes, and the section that holds it.
#[test]
fn a_component_that_is_asked_costs_three_more() {
    let cx = PromptContext::default();
    let (none, _) = warm(&sections(1, 1_000, 0), &cx);
    for written in [1, 4, 20] {
        let (built, _) = warm(&sections(1, 1_000, written), &cx);
        assert!(built.times <= none.times + 3 * written, "{written} components: {built:?}");
    }
}

#[test]
fn forty_kb_of_fixed_sections_are_copied_once() {
    let (built, output) = warm(&sections(10, 4_000, 0), &PromptContext::default());
    assert!(output > 40_000);
    assert!(built.bytes * 10 <= output * 13, "{built:?} for {output} bytes");
}

/// These only go down.
#[test]
fn the_builtin_generic_variant_stays_below_its_count() {
    let (registry, cx) = generic();
    let (built, output) = warm(&registry, &cx);
    // 69 since the machine comes behind the rules: one more part of the text.
    assert!(built.times <= 69, "{built:?}");
    assert!(built.bytes <= 4 * output, "{built:?} for {output} bytes");
}

/// The id, its text in lower case, and what it says: families and lines are shared with the tables.
#[test]
fn a_model_id_is_read_with_few_allocations() {
    for (id, most) in [
        ("claude-sonnet-4-5", 8),
        ("bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0", 14),
        ("openrouter/qwen/qwen3-235b-a22b-thinking-2507:free", 16),
    ] {
        let read = || ModelId::parse("openrouter", id);
        // The first id makes the tables.
        read();
        let (read, allocated) = allocated(read);
        assert!(read.family().is_some());
        assert!(allocated.times <= most, "{id}: {allocated:?}");
    }
}

#[test]
fn a_long_model_id_costs_what_is_read_of_it() {
    let bytes = |times: usize| {
        let id = "gpt-5/".repeat(1_000 * times);
        allocated(|| ModelId::parse("", &id)).1.bytes
    };
    // The first id makes the tables.
    bytes(1);
    assert_eq!(bytes(1), bytes(100));
}

/// Bytes for one and for ten times the input: ten times as much, and the growth of buffers.
#[track_caller]
fn grows_linearly(mut bytes: impl FnMut(usize) -> usize) {
    let (small, large) = (bytes(1), bytes(10));
    assert!(large <= 13 * small, "{small} bytes, then {large}");
    assert!(large > small, "the allocator counts nothing");
}

#[test]
fn rules_grow_linearly() {
    let (registry, cx) = generic();
    grows_linearly(|times| {
        let rules = "- Keep {{X}} and ==== as they are.\n\n\n".repeat(3_000 * times);
        warm(&registry, &cx.clone().with_rules(RulesFile::new("AGENTS.md", rules))).0.bytes
    });
}

#[test]
fn mcp_tools_grow_linearly() {
    let (registry, cx) = generic();
    grows_linearly(|times| {
        let server = (0..200 * times).fold(McpServer::new("tickets"), |server, tool| {
            server.with_tool(McpTool::new(
                format!("t{tool}"),
                "Finds.\n# It",
                json!({"type": "object"}),
            ))
        });
        warm(&registry, &cx.clone().with_mcp_server(server)).0.bytes
    });
}

#[test]
fn skills_grow_linearly() {
    let (registry, cx) = generic();
    grows_linearly(|times| {
        let skill = |at| Skill::new(format!("skill-{at}"), "Use it when asked.");
        let cx = (0..500 * times).fold(cx.clone(), |cx, at| cx.with_skill(skill(at)));
        warm(&registry, &cx).0.bytes
    });
}

#[test]
fn templates_grow_linearly() {
    grows_linearly(|times| {
        let source = "Hello {{NAME}}{{#if LOUD}}!{{else}}.{{/if}}\n".repeat(500 * times);
        let values = json!({"NAME": "Ada", "LOUD": true});
        let values = values.as_object().expect("an object");
        allocated(|| Template::parse(&source).and_then(|template| template.render(values))).1.bytes
    });
}

#[test]
fn the_clean_up_grows_linearly() {
    for unit in ["====\n", "##\n", "\n\n\na", "-------\n", "```\n", "{{", "# a\n"] {
        grows_linearly(|times| {
            let text = unit.repeat(10_000 * times);
            allocated(|| clean(&format!("a\n{text}\nb"), Level::Document)).1.bytes
        });
    }
}
