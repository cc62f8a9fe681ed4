//! What a budget does to a prompt: which sections go, in what order, where texts are cut, and what is
//! said about it.

use std::error::Error as _;

use promptline::{
    Budget, BuildOptions, Component, ComponentCx, ComponentError, ComponentMeta, Error, ErrorKind,
    McpServer, McpTool, Pack, Place, Prompt, PromptContext, PromptRegistry, PromptVariant,
    RulesFile, Text, async_trait,
    budget::{BudgetExceeded, SectionBudget, Shrink},
    report::{ComponentStatus, RulesStatus},
};
use serde_json::json;

/// A section of so many tokens, in lines of two.
#[derive(Clone)]
struct Part {
    id: &'static str,
    text: String,
    priority: u8,
    required: bool,
    budget: SectionBudget,
}

fn part(id: &'static str, priority: u8, tokens: usize) -> Part {
    let text = "a line.\n".repeat(tokens / 2).trim_end().to_owned();
    Part { id, text, priority, required: false, budget: SectionBudget::new() }
}

impl Part {
    fn budget(mut self, change: impl FnOnce(SectionBudget) -> SectionBudget) -> Self {
        self.budget = change(self.budget);
        self
    }

    fn pinned(self) -> Self {
        self.budget(|budget| budget.with_pinned(true))
    }

    fn shrink(self, shrink: Shrink) -> Self {
        self.budget(|budget| budget.with_shrink(shrink))
    }

    fn min(self, tokens: usize) -> Self {
        self.budget(|budget| budget.with_min(tokens))
    }

    fn with(self, id: &str) -> Self {
        self.budget(|budget| budget.with_keep_with(id))
    }

    fn required(mut self) -> Self {
        self.required = true;
        self
    }

    fn text(mut self, text: &str) -> Self {
        self.text = text.to_owned();
        self
    }
}

#[async_trait]
impl Component for Part {
    fn id(&self) -> &str {
        self.id
    }

    async fn render(&self, _cx: &ComponentCx<'_>) -> Result<Option<Text>, ComponentError> {
        Ok(Some(Text::verbatim(self.text.as_str(), "test")))
    }

    fn meta(&self) -> ComponentMeta {
        ComponentMeta::new()
            .with_priority(self.priority)
            .with_required(self.required)
            .with_budget(self.budget.clone())
    }
}

fn build(parts: &[Part], tokens: usize) -> Result<Prompt, Error> {
    let mut builder = PromptRegistry::builder().variant_at(
        PromptVariant::new("v").with_components(parts.iter().map(|part| part.id)),
        Place::First,
    );
    for part in parts {
        builder = builder.component_at(part.clone(), Place::Listed);
    }
    let options = BuildOptions::new().with_budget(Budget::tokens(tokens));
    builder.build()?.build_blocking_with(&PromptContext::default(), &options)
}

/// `A` whole, `a` shortened, nothing when left out; `!` when nothing fits.
fn outcome(parts: &[Part], tokens: usize) -> String {
    let prompt = match build(parts, tokens) {
        Ok(prompt) => prompt,
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Budget);
            return "!".to_owned();
        }
    };
    assert!(prompt.text().len().div_ceil(4) <= tokens);
    let report = prompt.report();
    let cuts = &report.budget.as_ref().unwrap().cuts;
    let mut reported =
        report.diagnostics.iter().filter(|reported| reported.code.starts_with("budget"));
    assert!(cuts.iter().all(|_| reported.next().is_some()) && reported.next().is_none());
    report
        .components
        .iter()
        .filter(|component| component.id != promptline::prompt::TEMPLATE_SECTION)
        .map(|component| {
            let cut = cuts.iter().find(|cut| cut.id == component.id);
            match (component.status, cut) {
                (ComponentStatus::Rendered, None) => component.id.to_string(),
                (ComponentStatus::Cut, Some(cut)) if cut.dropped => String::new(),
                (ComponentStatus::Cut, Some(_)) => component.id.to_lowercase(),
                other => panic!("{}: {other:?}", component.id),
            }
        })
        .collect()
}

macro_rules! cases {
    ($($name:ident: [$($part:expr),* $(,)?], $tokens:expr => $outcome:expr;)*) => {
        $(#[test]
        fn $name() {
            assert_eq!(outcome(&[$($part),*], $tokens), $outcome);
        })*
    };
}

use Shrink::{Head, Lines, Middle, Tail};

cases! {
    what_fits_is_not_touched: [part("A", 1, 40), part("B", 2, 40)], 100 => "AB";
    the_lowest_priority_goes_first: [part("A", 50, 40), part("B", 10, 40), part("C", 90, 40)], 100 => "AC";
    then_the_next: [part("A", 50, 40), part("B", 10, 40), part("C", 90, 40)], 50 => "C";
    of_equals_the_later_one: [part("A", 50, 40), part("B", 50, 40)], 50 => "A";
    a_pinned_one_never: [part("A", 50, 40).pinned(), part("B", 90, 40)], 50 => "A";
    pinned_ones_that_do_not_fit: [part("A", 50, 40).pinned(), part("B", 90, 40)], 30 => "!";
    everything_may_go: [part("A", 50, 40), part("B", 90, 40)], 0 => "";
    a_required_one_goes_last: [part("A", 10, 40).required(), part("B", 90, 40)], 50 => "A";
    but_goes: [part("A", 10, 40).required(), part("B", 90, 40)], 10 => "";
    a_required_one_is_shortened: [part("A", 10, 200).required().shrink(Tail), part("B", 90, 40)], 150 => "aB";
    what_is_over_the_minimum_goes_before_sections: [part("A", 90, 200).shrink(Tail).min(50), part("B", 10, 40)], 150 => "aB";
    then_sections: [part("A", 90, 200).shrink(Tail).min(50), part("B", 10, 40)], 80 => "a";
    without_a_minimum_it_waits_its_turn: [part("A", 90, 200).shrink(Tail), part("B", 10, 40)], 210 => "A";
    and_is_shortened_then: [part("A", 90, 200).shrink(Tail), part("B", 10, 40)], 100 => "a";
    and_goes_when_that_is_not_enough: [part("A", 10, 40).shrink(Tail), part("B", 90, 200)], 205 => "B";
    what_is_kept_with_it_goes_too: [part("A", 10, 40), part("B", 90, 40).with("A"), part("C", 50, 40)], 90 => "C";
    and_what_is_kept_with_that: [part("A", 10, 40), part("B", 90, 40).with("A"), part("C", 95, 40).with("B")], 100 => "";
    alone_it_goes_alone: [part("A", 90, 40), part("B", 10, 40).with("A")], 50 => "A";
    a_pin_holds_what_it_is_kept_with: [part("A", 10, 40), part("B", 20, 40).with("A").pinned(), part("C", 90, 40)], 100 => "AB";
    in_a_circle_too: [part("A", 10, 40).with("B"), part("B", 20, 40).with("A"), part("C", 90, 40)], 90 => "C";
    two_share_what_is_missing: [part("A", 10, 200).shrink(Lines).min(50), part("B", 20, 200).shrink(Lines).min(50)], 150 => "ab";
}

fn shortened(text: &str, shrink: Shrink, tokens: usize) -> String {
    let prompt = build(&[part("A", 50, 0).text(text).shrink(shrink)], tokens).unwrap();
    prompt.text().to_owned()
}

const POEM: &str = "one one one one one one\ntwo two two two two two\nthree three three three\nfour four four four four\nfive five five five five\nsix six six six six six\nseven seven seven seven\neight eight eight eight";

#[test]
fn texts_are_cut_where_they_are_reported() {
    let cut = |shrink, tokens| format!("-- {shrink:?}\n{}\n", shortened(POEM, shrink, tokens));
    let all: String = [Head, Tail, Middle, Lines].iter().map(|shrink| cut(*shrink, 34)).collect();
    insta::assert_snapshot!(all, @"
    -- Head
    [Left out to fit the budget: about 31 tokens.]

    six six six six six six
    seven seven seven seven
    eight eight eight eight
    -- Tail
    one one one one one one
    two two two two two two
    three three three three

    [Left out to fit the budget: about 31 tokens.]
    -- Middle
    one one one one one one
    two two two two two

    [Left out to fit the budget: about 27 tokens.]

    n seven seven seven
    eight eight eight eight
    -- Lines
    one one one one one one
    two two two two two two
    three three three three

    [Left out to fit the budget: about 31 tokens.]
    ");
}

#[test]
fn no_cut_goes_through_a_character() {
    // A family, a flag, letters with marks, a syllable: each of several code points.
    for grapheme in ["👨‍👩‍👧‍👦", "🇩🇪", "e\u{301}\u{323}", "각", "\r\n", "नि"]
    {
        let text = format!("x{}", grapheme.repeat(200));
        for shrink in [Head, Tail, Middle, Lines] {
            for tokens in [40, 41, 42, 43, 44, 45, 46, 47, 48] {
                let cut = shortened(&text, shrink, tokens).replace('x', "");
                let (before, behind) = cut
                    .split_once("[Left out to fit the budget: about ")
                    .and_then(|(before, rest)| Some((before, rest.split_once(" tokens.]")?.1)))
                    .unwrap_or((&cut, ""));
                for rest in [before.trim(), behind.trim()] {
                    assert!(rest.replace(grapheme, "").is_empty(), "{shrink:?} {tokens}: {rest:?}");
                }
            }
        }
    }
}

fn builtin(cx: &PromptContext, tokens: usize) -> Result<Prompt, Error> {
    let registry = PromptRegistry::builder().pack(Pack::builtin()).build().unwrap();
    let options = BuildOptions::new().with_budget(Budget::tokens(tokens));
    registry.build_blocking_with(cx, &options)
}

fn claude() -> PromptContext {
    PromptContext::new("anthropic", "claude-sonnet-4-5").with_cwd("/home/ada/engine")
}

#[test]
fn rules_files_go_from_the_farthest() {
    let file = |name: &str, line: &str| RulesFile::new(name, line.repeat(2_000));
    let cx = claude()
        .with_rules(file("AGENTS.md", "far far\n"))
        .with_rules(file("src/AGENTS.md", "nearer.\n"))
        .with_rules(file("src/text/AGENTS.md", "nearest\n"));
    let outcome = |tokens: usize| -> Vec<RulesStatus> {
        let prompt = builtin(&cx, tokens).unwrap();
        let said = prompt.text().matches("[Left out to fit the budget:").count();
        let statuses: Vec<_> = prompt.report().rules.iter().map(|file| file.status).collect();
        let cut = statuses.contains(&RulesStatus::Cut);
        let dropped = statuses.contains(&RulesStatus::Dropped);
        assert_eq!(said, usize::from(cut) + usize::from(dropped));
        assert!(prompt.text().contains("USER INSTRUCTIONS\n") && prompt.text().contains("nearest"));
        statuses
    };
    use RulesStatus::{Cut, Dropped, Used};
    let whole = builtin(&cx, 100_000).unwrap().text().len() / 4;
    assert_eq!(outcome(whole - 100), [Cut, Used, Used]);
    assert_eq!(outcome(whole - 5_000), [Dropped, Cut, Used]);
    assert_eq!(outcome(whole - 10_000), [Dropped, Dropped, Cut]);
    // Only the instructions were touched.
    let report = builtin(&cx, whole - 10_000).unwrap().report().budget.clone().unwrap();
    assert_eq!(report.cuts.len(), 1);
}

#[test]
fn text_that_looks_like_a_mark_or_a_heading_is_cut_as_text() {
    let text = "# Rules from x\n\n{{X}} ${{ y }} \u{FDD0}0\u{FDD1} ====\n".repeat(500);
    let prompt = builtin(&claude().with_rules(RulesFile::new("AGENTS.md", text)), 6_000).unwrap();
    let section = prompt.section("USER_INSTRUCTIONS_SECTION").unwrap();
    assert!(section.contains("\n# Rules from x\n\n{{X}} ${{ y }} 0 ====\n"), "{section}");
    let rules = prompt.sections().iter().flat_map(|section| &section.spans);
    let rules =
        rules.filter(|span| span.source.as_ref().is_some_and(|s| s.as_str() == "rules:AGENTS.md"));
    assert!(rules.clone().count() == 2, "the label and the text are verbatim");
}

#[test]
fn native_tools_count_and_stay() {
    let tool = |at: usize| McpTool::new(format!("tool_{at}"), "Finds.", json!({"type": "object"}));
    let server = (0..100).map(tool).fold(McpServer::new("tickets"), McpServer::with_tool);
    let cx = claude().with_flag("native_tools").with_mcp_server(server);
    let cost = |prompt: &Prompt| {
        let tools = prompt.tools().unwrap().to_value().to_string().len().div_ceil(4);
        (tools, prompt.text().len().div_ceil(4) + tools)
    };
    let whole = builtin(&cx, 1_000_000).unwrap();
    let (tools, all) = cost(&whole);
    assert!(whole.report().budget.as_ref().unwrap().cuts.is_empty());
    let cut = builtin(&cx, all - 100).unwrap();
    assert_eq!(cost(&cut).0, tools);
    assert!(cost(&cut).1 <= all - 100);
    assert_eq!(cut.report().budget.as_ref().unwrap().tools, tools);
    let error = builtin(&cx.with_variant("next-gen").with_flag("native_tools"), 500).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Budget);
}

#[test]
fn a_compact_variant_is_tried_last() {
    let cx = claude().with_rules(RulesFile::new("AGENTS.md", "Use tabs."));
    let prompt = builtin(&cx, 1_500).unwrap();
    assert_eq!(prompt.variant().id, "xs");
    assert!(prompt.text().contains("Use tabs."));
    let report = prompt.report();
    assert!(report.reason.starts_with("the compact form of `next-gen` ("), "{}", report.reason);
    assert!(report.warnings().any(|warning| warning.code == "budget-compact"));
    assert!(report.matchers.iter().any(|verdict| verdict.matched), "how the large one was chosen");
}

#[test]
fn nothing_fits() {
    let parts = [part("A", 1, 40).pinned(), part("B", 2, 60).pinned(), part("C", 3, 20)];
    let error = build(&parts, 80).unwrap_err();
    insta::assert_snapshot!(error, @"the prompt of `v` does not fit into 80 tokens: it costs at least 102, of which pinned sections are 100 and native tools 0 (give it more tokens, offer fewer tools, or unpin a section: the largest pinned ones are `B` (60), `A` (40))");
    let error = builtin(&claude(), 300).unwrap_err();
    let why: &BudgetExceeded = error.source().unwrap().downcast_ref().unwrap();
    assert_eq!((why.available, why.tools), (300, 0));
    assert!(why.pinned <= why.least);
    // That figure is the smallest budget that is enough.
    assert!(builtin(&claude(), why.least).is_ok());
    assert!(builtin(&claude(), why.least - 1).is_err());
    let options = BuildOptions::new().with_budget(Budget::tokens(why.least + 99).with_reserve(100));
    let registry = PromptRegistry::builder().pack(Pack::builtin()).build().unwrap();
    assert!(registry.build_blocking_with(&claude(), &options).is_err());
}

#[test]
fn what_prints_a_pinned_section_is_held_by_it() {
    let outer = promptline::component_fn("OUTER", |cx| {
        let template = promptline::Template::parse("Before {{INNER}} behind, {{OTHER}}.")?;
        Ok(Some(cx.render(&template, &serde_json::Map::new())?))
    });
    let registry = PromptRegistry::builder()
        .variant_at(
            PromptVariant::new("v").with_components(["INNER", "OTHER", "OUTER"]).with_template(
                promptline::Template::parse(
                    "{{OUTER}}\n====\n{{#if OTHER}}other{{else}}none{{/if}}",
                )
                .unwrap(),
            ),
            Place::First,
        )
        .component_at(part("INNER", 1, 40).pinned(), Place::Listed)
        .component_at(part("OTHER", 99, 40), Place::Listed)
        .component_at(outer, Place::Listed)
        .build()
        .unwrap();
    let options = BuildOptions::new().with_budget(Budget::tokens(60));
    let prompt = registry.build_blocking_with(&PromptContext::default(), &options).unwrap();
    let inner = part("INNER", 1, 40).text;
    assert_eq!(prompt.text(), format!("Before {inner} behind, .\n\n====\n\nnone"));
}

#[test]
fn what_a_budget_needs_has_to_exist() {
    let variant = PromptVariant::new("v").with_components(["A"]);
    let compact = PromptRegistry::builder()
        .variant_at(variant.clone().with_compact("w"), Place::First)
        .component_at(part("A", 1, 4), Place::Listed)
        .build();
    assert_eq!(compact.unwrap_err().code(), "unknown-variant");
    let kept = PromptRegistry::builder()
        .variant_at(variant, Place::First)
        .component_at(part("A", 1, 4).with("B"), Place::Listed)
        .build();
    assert_eq!(kept.unwrap_err().code(), "unknown-component");
}

/// Also when each is the compact form of the other.
#[test]
fn compact_forms_are_tried_once() {
    let variant = |id: &str| PromptVariant::new(id).with_components(["A"]);
    let registry = PromptRegistry::builder()
        .variant_at(variant("v").with_compact("w"), Place::First)
        .variant_at(variant("w").with_compact("v"), Place::Last)
        .component_at(part("A", 1, 40).pinned(), Place::Listed)
        .build()
        .unwrap();
    let options = BuildOptions::new().with_budget(Budget::tokens(20));
    let built = registry.build_blocking_with(&PromptContext::default(), &options);
    assert!(built.unwrap_err().message().contains("the prompt of `w`"));
}

/// A thousand sections that all have to go, and a rules file of ten megabytes: in time that a test has.
#[test]
fn much_is_cut_at_once() {
    let ids: Vec<String> = (0..1_000).map(|at| format!("S{at}")).collect();
    let mut builder = PromptRegistry::builder()
        .variant_at(PromptVariant::new("v").with_components(ids.clone()), Place::First);
    for id in &ids {
        builder = builder.component_at(
            promptline::component_fn(id, |_| Ok(Some(Text::verbatim("x y ".repeat(100), "test")))),
            Place::Listed,
        );
    }
    let registry = builder.build().unwrap();
    for tokens in [0, 1, 1_000, 50_000, 100_000] {
        let options = BuildOptions::new().with_budget(Budget::tokens(tokens));
        let prompt = registry.build_blocking_with(&PromptContext::default(), &options).unwrap();
        assert!(prompt.text().len() <= 4 * tokens);
        // No more goes than has to: a section and its separator have 102 tokens.
        let cost = prompt.text().len() / 4;
        assert!(cost + 2 * 102 >= tokens.min(101_000), "{cost} of {tokens}");
    }
    let rules = RulesFile::new("AGENTS.md", "x".repeat(10 << 20));
    let prompt = builtin(&claude().with_rules(rules), 100_000).unwrap();
    assert!(prompt.text().len() > 4 * 99_000);
}
