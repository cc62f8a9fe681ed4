//! Whatever a host says and however little room there is: a prompt is within its budget or an error says
//! why none can be, pinned text is whole, and nothing is cut in half.

use std::error::Error as _;
use std::sync::LazyLock;

use promptline::{
    Budget, BuildOptions, ComponentMeta, ErrorKind, Pack, Place, Prompt, PromptContext,
    PromptRegistry, PromptVariant, RulesFile, Text,
    budget::{BudgetExceeded, SectionBudget, Shrink},
};
use proptest::collection::vec;
use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation as _;

use crate::generate;
use crate::whole::check_partition;

static REGISTRY: LazyLock<PromptRegistry> = LazyLock::new(|| {
    let registry = PromptRegistry::builder().pack(Pack::builtin());
    registry.build().expect("the built-in pack is whole")
});

const PINNED: [&str; 5] = [
    "AGENT_ROLE_SECTION",
    "TOOL_USE_SECTION",
    "TOOLS_SECTION",
    "RULES_SECTION",
    "SYSTEM_INFO_SECTION",
];

fn within(cx: &PromptContext, tokens: usize) -> Result<Prompt, promptline::Error> {
    let options = BuildOptions::new().with_budget(Budget::tokens(tokens));
    REGISTRY.build_blocking_with(cx, &options)
}

/// What a prompt costs with its tools.
fn cost(prompt: &Prompt) -> usize {
    let tools = prompt.tools().filter(|tools| !tools.is_empty());
    let tools = tools.map_or(0, |tools| tools.to_value().to_string().len().div_ceil(4));
    let sections: usize = prompt.sections().iter().map(|section| section.bytes.div_ceil(4)).sum();
    assert!(prompt.text().len().div_ceil(4) <= sections);
    assert_eq!(prompt.tokens(), sections + tools);
    sections + tools
}

/// The smallest budget that is enough.
fn least(cx: &PromptContext) -> usize {
    let error = within(cx, 0).expect_err("nothing costs nothing");
    assert_eq!(error.kind(), ErrorKind::Budget);
    let why: &BudgetExceeded = error.source().and_then(|why| why.downcast_ref()).expect("why");
    why.least
}

/// A context whose lists may be long, so that there is something to cut.
fn context() -> impl Strategy<Value = PromptContext> {
    let rules = vec((generate::text(), 0..200_usize), 0..4);
    (generate::context(), rules, any::<bool>()).prop_map(|(cx, rules, small)| {
        let files = rules.into_iter().enumerate();
        let file = |(at, (text, times)): (usize, (String, usize))| {
            RulesFile::new(format!("long/{at}.md"), text.repeat(times))
        };
        let cx = files.map(file).fold(cx, PromptContext::with_rules);
        if small { cx.with_variant("next-gen") } else { cx }
    })
}

/// Each piece of a user's text that is left is a stretch of what there was, cut between graphemes.
fn check_rules(prompt: &Prompt, cx: &PromptContext) -> Result<(), TestCaseError> {
    let spans = prompt.sections().iter().flat_map(|section| &section.spans);
    for span in spans {
        let Some(path) = span.source.as_ref().and_then(|s| s.as_str().strip_prefix("rules:long/"))
        else {
            continue;
        };
        let at = path.trim_end_matches(".md").parse::<usize>().expect("a number");
        let file = cx.rules.iter().filter(|file| file.path.starts_with("long/")).nth(at);
        let piece = prompt.text().get(span.start..span.end).expect("whole characters");
        if piece == format!("long/{path}") {
            continue;
        }
        let text = &file.expect("the file").text;
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(text).replace("\r\n", "\n");
        let text = crate::texts::without_noncharacters(&text);
        let borders = || text.grapheme_indices(true).map(|(at, _)| at).chain([text.len()]);
        let found = text.match_indices(piece.lines().next().unwrap_or_default());
        let whole = { found }.any(|(at, _)| {
            text.get(at..).is_some_and(|rest| rest.starts_with(piece))
                && borders().any(|border| border == at)
                && borders().any(|border| border == at + piece.len())
        });
        prop_assert!(whole, "{piece:?} is no part of {text:?}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn a_feasible_budget_is_kept(cx in context(), share in 0..=100_usize) {
        let free = REGISTRY.build_blocking(&cx).expect("a prompt");
        let (least, all) = (least(&cx), cost(&free));
        let tokens = least + all.saturating_sub(least) * share / 100;
        let prompt = within(&cx, tokens).expect("it is feasible");
        prop_assert!(cost(&prompt) <= tokens, "{} > {tokens}", cost(&prompt));
        check_partition(&prompt)?;
        check_rules(&prompt, &cx)?;
        // The same once more.
        let again = within(&cx, tokens).expect("it is feasible");
        prop_assert_eq!(prompt.text(), again.text());
        prop_assert_eq!(prompt.report(), again.report());
        if prompt.variant() == free.variant() {
            for id in PINNED {
                prop_assert_eq!(prompt.section(id), free.section(id), "{}", id);
            }
        }
        let report = prompt.report().budget.as_ref().expect("there is a budget");
        prop_assert_eq!(report.after + report.tools, cost(&prompt));
        for cut in &report.cuts {
            prop_assert!(cut.after < cut.before);
            let reported = prompt.report().warnings().filter(|reported| reported.subject.as_deref() == Some(&*cut.id));
            prop_assert_eq!(reported.filter(|reported| reported.code.starts_with("budget-")).count(), 1);
            prop_assert_eq!(prompt.section(&cut.id).is_none(), cut.dropped);
        }
    }

    #[test]
    fn an_infeasible_one_is_an_error(cx in context(), share in 0..100_usize) {
        let least = least(&cx);
        let tokens = (least - 1) * share / 100;
        let error = within(&cx, tokens).expect_err("nothing fits");
        let why: &BudgetExceeded = error.source().and_then(|why| why.downcast_ref()).expect("why");
        prop_assert_eq!((why.available, why.least), (tokens, least));
        prop_assert!(why.pinned + why.tools <= least + PINNED.len());
    }

    #[test]
    fn a_large_one_changes_no_byte(cx in context(), more in 0..1_000_usize) {
        let free = REGISTRY.build_blocking(&cx).expect("a prompt");
        let prompt = within(&cx, cost(&free) + more).expect("it fits");
        prop_assert_eq!(prompt.text(), free.text());
        prop_assert_eq!(prompt.sections(), free.sections());
        prop_assert_eq!(&prompt.report().components, &free.report().components);
        prop_assert_eq!(&prompt.report().diagnostics, &free.report().diagnostics);
    }

    /// One section of any text, in every way, at every size.
    #[test]
    fn any_text_is_cut_between_characters(
        text in vec(generate::text(), 0..20).prop_map(|texts| texts.concat()),
        room in 0..100_usize,
        min in 0..50_usize,
    ) {
        for shrink in [Shrink::Head, Shrink::Tail, Shrink::Middle, Shrink::Lines] {
            let component = Cut("X".into(), text.clone(), 50, SectionBudget::new().with_shrink(shrink).with_min(min));
            let variant = PromptVariant::new("v").with_components(["X"]);
            let registry = PromptRegistry::builder()
                .variant_at(variant, Place::First)
                .component_at(component, Place::Listed)
                .build()
                .expect("a registry");
            let whole = registry.build_blocking(&PromptContext::default()).expect("a prompt");
            let options = BuildOptions::new().with_budget(Budget::tokens(room));
            let prompt = registry.build_blocking_with(&PromptContext::default(), &options);
            let prompt = prompt.expect("everything may go");
            prop_assert!(prompt.text().len().div_ceil(4) <= room);
            check_partition(&prompt)?;
            let spans = prompt.sections().iter().flat_map(|section| &section.spans);
            for span in spans.filter(|span| span.source.is_some()) {
                let piece = prompt.text().get(span.start..span.end).expect("whole characters");
                let borders = || whole.text().grapheme_indices(true).map(|(at, _)| at).chain([whole.text().len()]);
                let borders: Vec<usize> = borders().collect();
                let stands = whole.text().match_indices(piece).any(|(at, _)| {
                    borders.binary_search(&at).is_ok() && borders.binary_search(&(at + piece.len())).is_ok()
                });
                // Matches that overlap are not all found; then at least it begins or ends the text.
                let ends = whole.text().starts_with(piece) || whole.text().ends_with(piece);
                prop_assert!(stands || ends, "{shrink:?}: {piece:?} of {:?}", whole.text());
            }
        }
    }
}

/// Sections of lines, each with its way to be shortened.
fn sections() -> impl Strategy<Value = Vec<Cut>> {
    let shrink = prop_oneof![
        Just(Shrink::None),
        Just(Shrink::Head),
        Just(Shrink::Tail),
        Just(Shrink::Middle),
        Just(Shrink::Lines)
    ];
    let line = "[a-z ü漢🎈]{0,30}\n";
    let section = (shrink, vec(line, 0..40), 0..100_u8, prop_oneof![Just(0), 1..40_usize]);
    vec(section, 1..5).prop_map(|sections| {
        let sections = sections.into_iter().enumerate();
        let section = |(at, (shrink, lines, priority, min)): (usize, (_, Vec<String>, _, _))| {
            let budget = SectionBudget::new().with_shrink(shrink).with_min(min);
            Cut(format!("S{at}"), lines.concat(), priority, budget)
        };
        sections.map(section).collect()
    })
}

fn registry_of(sections: &[Cut], exact: bool) -> PromptRegistry {
    let ids = sections.iter().map(|section| section.0.clone());
    let mut builder = PromptRegistry::builder()
        .variant_at(PromptVariant::new("v").with_components(ids), Place::First);
    for section in sections {
        builder = builder.component_at(section.clone(), Place::Listed);
    }
    #[cfg(feature = "tokens")]
    if exact {
        builder = builder.tokens(promptline::tokens::ExactTokens::o200k());
    }
    assert!(cfg!(feature = "tokens") || !exact);
    builder.build().expect("a registry")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// What is shortened is no shorter than it has to be: where a little more room gives another prompt of
    /// the same sections, that one would not have fitted.
    #[test]
    fn room_is_used(sections in sections(), share in 0..100_usize, exact in any::<bool>()) {
        let exact = exact && cfg!(feature = "tokens");
        let registry = registry_of(&sections, exact);
        let cx = PromptContext::default();
        let within = |tokens: usize| {
            let options = BuildOptions::new().with_budget(Budget::tokens(tokens));
            registry.build_blocking_with(&cx, &options).expect("everything may go")
        };
        let report = |prompt: &Prompt| prompt.report().budget.clone().expect("there is a budget");
        let all = report(&within(1_000_000)).after;
        let room = all * share / 100;
        let prompt = within(room);
        let (text, now) = (prompt.text(), report(&prompt));
        prop_assert!(now.after <= room);
        let dropped = |report: &promptline::budget::BudgetReport| {
            let dropped = report.cuts.iter().filter(|cut| cut.dropped);
            dropped.map(|cut| cut.id.to_string()).collect::<Vec<_>>()
        };
        // A text that grows may cost less for a moment, where its last characters become one token.
        let even = if exact { 3 } else { 0 };
        for more in [1, 2, 3, 8, 20] {
            let larger = within(room + more);
            let then = report(&larger);
            if larger.text() != text && dropped(&then) == dropped(&now) {
                prop_assert!(
                    then.after + even > room || then.after <= now.after,
                    "{room}: {text:?}\n{more} more: {:?}", larger.text()
                );
            }
        }
    }
}

#[derive(Debug, Clone)]
struct Cut(String, String, u8, SectionBudget);

#[promptline::async_trait]
impl promptline::Component for Cut {
    fn id(&self) -> &str {
        &self.0
    }

    async fn render(
        &self,
        _cx: &promptline::ComponentCx<'_>,
    ) -> Result<Option<Text>, promptline::ComponentError> {
        Ok(Some(Text::verbatim(self.1.as_str(), "test")))
    }

    fn meta(&self) -> ComponentMeta {
        ComponentMeta::new().with_priority(self.2).with_budget(self.3.clone())
    }
}
