//! The clean-up takes out what came out empty, and nothing that an author wrote.

use promptline::cleanup::{Level, clean};
use promptline::text::normalise;
use promptline::{Place, PromptContext, RulesFile, Template, Text, component_fn};

use crate::support::{built, from_rules, full_context, registry_of, rules_survive, variant};

const LEVELS: [Level; 2] = [Level::Document, Level::Section];

/// A component that the pack's author wrote, and the prompt that is nothing but it.
fn authored(text: &'static str) -> String {
    component(move || Text::authored(text))
}

fn component(text: impl Fn() -> Text + Send + Sync + 'static) -> String {
    let component = component_fn("NOTE", move |_| Ok(Some(text())));
    let registry =
        registry_of(variant("{{NOTE}}", &["NOTE"])).component_at(component, Place::Listed);
    built(registry, &PromptContext::default()).into_text()
}

/// The text is the same after the clean-up at each level, and as a rules file.
#[track_caller]
fn is_kept(text: &str) {
    rules_survive(text);
    for level in LEVELS {
        assert_eq!(clean(text, level), text, "{level:?}");
    }
}

#[test]
fn p01_an_underlined_heading_stays_whole() {
    let text = "RULES\n\nTitle\n=====\nBody text";
    rules_survive(text);
    assert_eq!(clean(text, Level::Section), text);
    assert_eq!(authored(text), text);
}

#[test]
fn p03_tables_of_equals_signs_stay_whole() {
    is_kept("T\n\n=====  =====\nA      B\n=====  =====\n1      2\n=====  =====\nend");
}

#[test]
fn p04_a_git_conflict_stays_whole_without_the_words_search_and_replace() {
    is_kept("Example:\n<<<<<<< HEAD\nfoo\n=======\nbar\n>>>>>>> topic\nend");
    is_kept("Example:\n<<<<<<< HEAD\n\n\n\n##\n=======\n\n\n##\n>>>>>>> topic\nend");
}

#[test]
fn p05_long_diff_blocks_are_guarded() {
    is_kept(
        "------- SEARCH\n  \"source\": [\n    \"alpha = 10\\n\",\n    \"print(alpha + 1)\"\n  ]\n\
         =======\n  \"source\": [\n    \"alpha = 100\\n\",\n    \"print(alpha + 1)\"\n  ]\n\
         +++++++ REPLACE",
    );
    is_kept("SEARCH\n\n\n\nfoo\n=======\nbar\n\n\n\nREPLACE");
    for distance in [1, 49, 50, 51, 5000] {
        // On one line, and on as many lines as there are characters.
        for filler in ["x".repeat(distance), "x\n".repeat(distance - 1) + "x"] {
            let block = format!("------- SEARCH\n{filler}\n=======\n{filler}\n+++++++ REPLACE");
            for level in LEVELS {
                assert_eq!(clean(&block, level), block, "{distance}, {level:?}");
            }
        }
    }
    rules_survive(&format!("------- SEARCH\n{0}\n=======\n{0}\n+++++++ REPLACE", "x".repeat(5000)));
}

#[test]
fn p06_comment_frames_in_fences_are_kept_and_empty_headings_outside_go() {
    is_kept("Header style:\n```sh\n##\n## Build\n##\nmake\n```");
    for level in LEVELS {
        assert_eq!(clean("A\n\n##\n\nB", level), "A\n\nB");
    }
    rules_survive("A\n\n##\n\nB");
}

#[test]
fn p08_comment_banners_are_kept_in_fences_and_outside() {
    is_kept("```python\n# ==========\n# Config\n# ==========\nX = 1\n```");
    is_kept("# ==========\n# Config\n# ==========\nX = 1");
    is_kept("```\n====\n```");
}

#[test]
fn p10_line_ends_come_out_as_one_kind() {
    let crlf = "A\r\n====\r\nB\r\n\r\n\r\n\r\nC";
    let lf = crlf.replace("\r\n", "\n");
    for level in LEVELS {
        assert_eq!(clean(&normalise(crlf), level), clean(&lf, level));
    }
    assert_eq!(clean(&normalise(crlf), Level::Document), "A\n\n====\n\nB\n\nC");

    // A base template, and a user's file.
    let prompt = built(registry_of(variant(crlf, &[])), &PromptContext::default());
    assert_eq!(prompt.text(), "A\n\n====\n\nB\n\nC");
    assert_eq!(Template::parse(crlf).unwrap().source(), lf);
    let cx = full_context().with_rules(RulesFile::new("AGENTS.md", crlf));
    let prompt = crate::support::builtin().build_blocking(&cx).unwrap();
    assert_eq!(from_rules(&prompt, "AGENTS.md"), Some(lf.as_str()));
    assert!(!prompt.text().contains('\r'));
}

#[test]
fn p11_any_number_of_empty_sections_leaves_one_separator() {
    for empty in 0..=20 {
        let ids: Vec<String> = (1..=empty).map(|number| format!("M{number}")).collect();
        let mut sections = vec!["A".to_owned()];
        sections.extend(ids.iter().map(|id| format!("{{{{{id}}}}}")));
        sections.push("E".to_owned());
        let template = sections.join("\n\n====\n\n");
        let listed: Vec<&str> = ids.iter().map(String::as_str).collect();
        let mut registry = registry_of(variant(&template, &listed));
        for id in ids {
            registry = registry.component_at(component_fn(id, |_| Ok(None)), Place::Listed);
        }
        let prompt = built(registry, &PromptContext::default());
        assert_eq!(prompt.text(), "A\n\n====\n\nE", "{empty} empty sections");

        let finished = format!("A{}\n\n====\n\nE", "\n\n====\n\n".repeat(empty));
        let cleaned = clean(&finished, Level::Document);
        assert_eq!(cleaned, "A\n\n====\n\nE", "{empty} empty sections");
        assert_eq!(clean(&cleaned, Level::Document), cleaned);
    }
}

#[test]
fn p13_equals_signs_at_the_end_of_a_sentence_stay() {
    is_kept("Use the token x ====");
    assert_eq!(authored("Use the token x ===="), "Use the token x ====");
    // Of a component, a last line of nothing else is text as well.
    assert_eq!(authored("Draw a bar:\n===="), "Draw a bar:\n====");
    rules_survive("Draw a bar:\n====");
}

#[test]
fn p14_literal_examples_keep_their_blank_lines() {
    let text = "Write exactly:\n\n    cat <<EOF\n    a\n\n\n\n    b\n    EOF";
    rules_survive(text);
    // The documented way for a component: verbatim text, or a fence.
    assert_eq!(component(move || Text::verbatim(text, "host")), text);
    assert_eq!(authored("Write:\n```\na\n\n\n\nb\n```"), "Write:\n```\na\n\n\n\nb\n```");
    // Authored text outside of fences is squeezed, as documented.
    assert_eq!(authored("a\n\n\n\nb"), "a\n\nb");
}
