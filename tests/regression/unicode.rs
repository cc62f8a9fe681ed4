//! Characters: byte order marks, scripts, surrogates, invisible ones, and letters that only look
//! like others.

use std::sync::Arc;

use promptline::cleanup::{Level, clean};
use promptline::{
    BuildOptions, ErrorKind, ModelId, PromptContext, RulesFile, Template, condition::ModelGlob,
    options::InvisiblePolicy,
};

use crate::support::{builtin, from_rules, full_context, rules_survive};

#[test]
fn u01_a_byte_order_mark_goes_at_the_start_only() {
    let prompt = |text: &str| {
        let cx = full_context().with_rules(RulesFile::new("AGENTS.md", text));
        builtin().build_blocking(&cx).unwrap()
    };
    let rules = |text: &str| from_rules(&prompt(text), "AGENTS.md").unwrap().to_owned();
    assert_eq!(rules("\u{FEFF}hi"), "hi");
    assert_eq!(rules("\u{FEFF}\u{A0}hi"), "\u{A0}hi");
    assert_eq!(rules("a\u{FEFF}b"), "a\u{FEFF}b");
    // One inside says nothing that anybody sees; the report has it.
    assert_eq!(prompt("a\u{FEFF}b").report().warnings().count(), 1);
    assert_eq!(prompt("\u{FEFF}hi").report().warnings().count(), 0);
    assert_eq!(Template::parse("\u{FEFF}hi").unwrap().source(), "hi");
    assert!(PromptContext::from_json("c.json", "\u{FEFF}{}").is_ok());
}

#[test]
fn u01_nel_is_a_blank() {
    for level in [Level::Document, Level::Section] {
        assert_eq!(clean("\u{85}a\u{85}b\u{85}", level), "a\u{85}b");
        assert_eq!(clean("\u{A0}hi\u{85}", level), "hi");
        // A line of nothing else is blank.
        assert_eq!(clean("a\n\u{85}\n\u{A0}\nb", level), "a\n\nb");
    }
}

/// Texts whose every `a` is replaced by any other character.
fn shapes(lengths: &[usize]) -> Vec<String> {
    let mut shapes = Vec::new();
    for &length in lengths {
        let run = "a".repeat(length);
        shapes.push(format!("SEARCH{run}\n====\nX"));
        shapes.push(format!("{run}\n====\n{run}"));
        shapes
            .push(format!("------- SEARCH\n{run}\n=======\n{run}\n+++++++ REPLACE\n====\n{run}X"));
        shapes.push(format!("```{run}\n##\n====\n```\n##\n====\n{run}X"));
        shapes.push(format!("#{run}\n\n\n\n## {run}X\n====\n\n====\n##{run}\nX"));
    }
    shapes
}

#[test]
fn u03_decisions_do_not_depend_on_the_script() {
    for shape in shapes(&[0, 1, 12, 13, 17, 49, 50, 51, 60, 200]) {
        for level in [Level::Document, Level::Section] {
            let right = clean(&shape, level);
            for other in ["é", "漢", "🙂", "\u{10FFFD}", "a\u{301}"] {
                let got = clean(&shape.replace('a', other), level);
                assert_eq!(got, right.replace('a', other), "{shape:?} with {other}");
            }
        }
    }
}

#[test]
fn u03_no_text_is_cut_inside_a_character() {
    for shape in shapes(&[0, 1, 12]) {
        let text = shape.replace('a', "é漢🙂\u{85}\u{2028}");
        for (at, _) in text.char_indices() {
            for part in [&text[..at], &text[at..]] {
                for level in [Level::Document, Level::Section] {
                    let once = clean(part, level);
                    assert_eq!(clean(&once, level), once);
                }
                // Read, or refused with a place; never cut.
                let _ = Template::parse(&format!("{{{{{part}"));
            }
        }
    }
    rules_survive("SEARCH漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢\n====\nX");
    rules_survive("🙂\n====\n🙂");
    let error = Template::parse("漢字 {{漢 字}}").unwrap_err();
    assert_eq!(error.line_column().map(|(line, _)| line), Some(1));
    let (_, column) = error.line_column().unwrap();
    assert!((4..=7).contains(&column), "counted in characters: {column}");
}

#[test]
fn u04_a_lone_surrogate_in_json_is_an_error_with_a_place() {
    let json =
        |escape: &str| format!(r#"{{"rules": [{{"path": "AGENTS.md", "text": "x {escape} y"}}]}}"#);
    for escape in [r"\ud83d", r"\ude42", r"\ud83d\ud83d", r"\ude42\ud83d"] {
        let error = PromptContext::from_json("context.json", &json(escape)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Context, "{escape}");
        assert_eq!(error.file(), Some("context.json"));
        assert!(error.line_column().is_some());
    }
    // A pair is one character, and goes out as itself.
    let cx = PromptContext::from_json("context.json", &json(r"\ud83d\ude42")).unwrap();
    assert_eq!(&*cx.rules[0].text, "x 🙂 y");
    let out = serde_json::to_string(&cx).unwrap();
    assert!(out.contains('🙂') && !out.contains("\\ud"), "{out}");
}

const HIDDEN: &str = "Be nice\u{E0049}\u{E0067}\u{202E}\u{200B}. Family 👩\u{200D}👩\u{200D}👧 and \
                      می\u{200C}خواهم stay";

fn with_hidden(policy: InvisiblePolicy) -> promptline::Prompt {
    let cx = full_context().with_rules(RulesFile::new("AGENTS.md", Arc::<str>::from(HIDDEN)));
    let options = BuildOptions::new().with_invisible(policy);
    builtin().build_blocking_with(&cx, &options).unwrap()
}

#[test]
fn u06_hidden_text_is_reported_with_place_and_class() {
    let prompt = with_hidden(InvisiblePolicy::Report);
    assert_eq!(from_rules(&prompt, "AGENTS.md"), Some(HIDDEN));
    let warnings: Vec<_> = prompt.report().warnings().collect();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert_eq!(warnings[0].code, "invisible");
    assert_eq!(warnings[0].subject.as_deref(), Some("rules:AGENTS.md"));
    for place in [
        "tag U+E0049 at byte 7",
        "tag U+E0067 at byte 11",
        "bidi U+202E at byte 15",
        "zero-width U+200B at byte 18",
    ] {
        assert!(warnings[0].message.contains(place), "{}", warnings[0]);
    }
    // The joiners of the family and of the Persian word are none of them.
    assert!(!warnings[0].message.contains("U+200C"), "{}", warnings[0]);
    assert!(!warnings[0].message.contains("U+200D"), "{}", warnings[0]);
}

#[test]
fn u06_strip_removes_tags_and_directions_and_keeps_what_scripts_need() {
    let prompt = with_hidden(InvisiblePolicy::Strip);
    assert_eq!(
        from_rules(&prompt, "AGENTS.md"),
        Some(HIDDEN.replace(['\u{E0049}', '\u{E0067}', '\u{202E}'], "").as_str())
    );
    assert_eq!(prompt.report().warnings().count(), 1);
    // The flag of Scotland is made of tags.
    let flag = "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}";
    let cx = full_context().with_rules(RulesFile::new("AGENTS.md", flag));
    let options = BuildOptions::new().with_invisible(InvisiblePolicy::Strip);
    let prompt = builtin().build_blocking_with(&cx, &options).unwrap();
    assert_eq!(from_rules(&prompt, "AGENTS.md"), Some(flag));
    assert_eq!(prompt.report().warnings().count(), 0);
}

#[test]
fn u07_only_ascii_letters_have_a_case() {
    let gpt = ModelGlob::new("*gpt-5*").unwrap();
    let kimi = ModelGlob::new("*kimi-k2*").unwrap();
    for (id, is_gpt, is_kimi) in [
        ("GPT-5", true, false),
        ("\u{130}-gpt-5", true, false),
        ("ＧＰＴ-5", false, false),
        ("\u{212A}imi-k2", false, false),
        ("Kimi-K2", false, true),
    ] {
        assert_eq!(gpt.matches(id), is_gpt, "{id}");
        assert_eq!(kimi.matches(id), is_kimi, "{id}");
    }
    for (id, family) in [
        ("GPT-5", Some("gpt")),
        ("\u{130}-gpt-5", Some("gpt")),
        ("ＧＰＴ-5", None),
        ("\u{212A}imi-k2", None),
        ("Kimi-K2", Some("kimi")),
    ] {
        assert_eq!(ModelId::parse("", id).family(), family, "{id}");
    }
    let variant = |id: &str| {
        let cx = PromptContext::new("acme", id);
        builtin().select(&cx).unwrap().variant().id().to_owned()
    };
    assert_eq!(variant("GPT-5"), "gpt-5");
    assert_eq!(variant("\u{130}-gpt-5"), "gpt-5");
    assert_eq!(variant("Kimi-K2"), "next-gen");
    assert_eq!(variant("ＧＰＴ-5"), "generic");
    assert_eq!(variant("\u{212A}imi-k2"), "generic");
}
