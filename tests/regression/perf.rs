//! Large and hostile input. No times are asserted: with the reported faults these inputs would take
//! hours. Memory is counted.

use promptline::cleanup::{Level, clean};
use promptline::{ErrorKind, PromptContext, RulesFile, Template, context::Skill};

use crate::counting::peak_during;
use crate::support::{builtin, full_context, registry_of, text_of, variant};

/// A hundred times the size at which the reported faults took twenty seconds.
const LARGE: usize = 4_000_000;

#[test]
fn f01_a_long_run_of_equals_signs_is_cleaned_in_one_pass() {
    let run = "=".repeat(LARGE);
    for text in [format!("a\n{run}x"), format!("a\nx{run}"), format!("{run} {run}")] {
        for level in [Level::Document, Level::Section] {
            assert!(clean(&text, level) == text, "the text changed");
        }
    }
    let lines = "====\n".repeat(LARGE / 5);
    assert_eq!(clean(&format!("a\n{lines}b"), Level::Document), "a\n\n====\n\nb");
    let text = format!("a\n{run}x");
    let cx = full_context().with_rules(RulesFile::new("AGENTS.md", text.as_str()));
    let prompt = builtin().build_blocking(&cx).unwrap();
    assert!(prompt.text().contains(&text), "the rules changed");
    let base = text_of(
        registry_of(variant("{{X}}", &[])),
        &PromptContext::default().with_runtime("X", text.as_str()),
    );
    assert!(base == text, "the runtime value changed");
}

#[test]
fn f02_many_opening_braces_are_refused_at_the_first() {
    let source = "{{".repeat(LARGE / 2);
    let error = Template::parse(&source).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Template);
    assert!(error.line_column().is_some());
    // In a line of their own they have many places, and the message is still short.
    let error = Template::parse(&"{{\n".repeat(LARGE / 3)).unwrap_err();
    assert!(format!("{error:#}").len() < 2_000);
    // As a value they are text.
    let text = text_of(
        registry_of(variant("{{X}}", &[])),
        &PromptContext::default().with_runtime("X", source.as_str()),
    );
    assert!(text == source, "the runtime value changed");
}

#[test]
fn f04_a_megabyte_of_rules_and_hundreds_of_skills() {
    let mut rules = String::new();
    let mut number = 0;
    while rules.len() < 1_000_000 {
        rules.push_str(&format!("- Rule {number}: keep {{{{X{number}}}}} and ==== as they are.\n"));
        number += 1;
    }
    let mut cx = full_context().with_rules(RulesFile::new("AGENTS.md", rules.as_str()));
    for skill in 0..300 {
        cx = cx.with_skill(Skill::new(format!("skill-{skill}"), "Use it when asked."));
    }
    let cx = cx.with_variant("generic");
    let small = full_context().with_variant("generic");
    // What the registry makes on first use is not the cost of a build.
    builtin().build_blocking(&small).unwrap();

    let (prompt, peak) = peak_during(|| builtin().build_blocking(&cx).unwrap());
    assert!(peak < 5 * rules.len(), "{peak} bytes at once");
    assert!(peak > rules.len(), "the allocator counts nothing");
    assert!(prompt.text().contains(rules.trim_end()), "a rule is missing");
    let skills = prompt.section("SKILLS_SECTION").unwrap();
    for skill in 0..300 {
        assert!(skills.contains(&format!("- skill-{skill}: Use it when asked.")));
    }
}
