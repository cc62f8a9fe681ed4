//! What holds for every text: cleaning twice is cleaning once, and guarded blocks stay.

use proptest::prelude::*;

use super::Level::{self, Document, Section};
use super::tests::skeleton;
use super::{clean, clean_skeleton};
use crate::marks::EMPTY;

/// Lines that mean something to a rule, or nearly so.
const LINES: &[&str] = &[
    "====",
    "=====",
    "  ====",
    "==== ",
    "====x",
    "##",
    "  ##",
    "## ",
    "# A",
    "## B",
    "### C",
    "  # D",
    "",
    "",
    " ",
    "\u{3000}",
    "x",
    "  x ",
    "```",
    "````",
    "~~~",
    "  ```",
    "```x`",
    "```rs",
    "------- SEARCH",
    "  ------- SEARCH",
    "-------",
    "=======",
    "  =======",
    "+++++++ REPLACE",
    "+++++++",
    "<<<<<<< HEAD",
    "<<<<<<<",
    ">>>>>>> t",
    ">>>>>>>",
    "SEARCH",
    "REPLACE",
    "∅",
    "∅",
    "⟨0⟩",
    "  ⟨0⟩ ",
    "∅# A",
    "## B∅",
    "# ∅",
    "#∅#",
    "∅====",
    "=∅======",
    " ∅",
    "a∅b",
    "## ⟨0⟩",
    "------- ⟨0⟩",
    "⟨0⟩```",
    "\r",
];

fn level() -> impl Strategy<Value = Level> {
    prop_oneof![Just(Document), Just(Section)]
}

fn text_of(lines: Vec<&str>) -> String {
    skeleton(&lines.join("\n"))
}

fn interesting_text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(LINES), 0..24).prop_map(text_of)
}

/// Blocks that take part in guards, separators and blank lines only, so that they meet often.
fn guard_heavy_text() -> impl Strategy<Value = String> {
    let lines = &[
        "------- a",
        "-------",
        "<<<<<<< b",
        "SEARCH",
        "====",
        "=======",
        "+++++++",
        ">>>>>>>",
        "REPLACE",
        "```",
        "##",
        "",
        "\n",
        "x",
    ];
    prop::collection::vec(prop::sample::select(lines.as_slice()), 0..16).prop_map(text_of)
}

/// A guarded block; what is inside cannot end it.
fn guarded_block() -> impl Strategy<Value = String> {
    let any_of = |excluded: fn(&str) -> bool| {
        let lines: Vec<&str> =
            LINES.iter().copied().filter(|line| !line.contains('∅') && !excluded(line)).collect();
        prop::collection::vec(prop::sample::select(lines), 0..10).prop_map(text_of)
    };
    let code = any_of(|line| line.trim().chars().all(|character| character == '`'));
    let old = any_of(|line| line.trim() == "=======" || line.contains("- ") || line.contains("< "));
    let new = any_of(|line| line.contains("+++++++"));
    prop_oneof![
        code.prop_map(|code| format!("```\n{code}\n```")),
        (old, new).prop_map(|(old, new)| format!(
            "------- SEARCH\n{old}\n=======\n{new}\n+++++++ REPLACE"
        )),
    ]
}

/// Text around a block that opens no guard of its own.
fn unguarded_text() -> impl Strategy<Value = String> {
    let lines =
        &["====", "=======", "##", "# A", "", " ", "x", "  x", "∅", "⟨0⟩", "+++++++", "REPLACE"];
    prop::collection::vec(prop::sample::select(lines.as_slice()), 0..10).prop_map(text_of)
}

proptest! {
    #[test]
    fn cleaning_twice_is_cleaning_once(text in interesting_text(), level in level()) {
        let once = clean(&text, level);
        prop_assert_eq!(clean(&once, level), once);
    }

    #[test]
    fn cleaning_twice_is_cleaning_once_between_guards(text in guard_heavy_text(), level in level()) {
        let once = clean(&text, level);
        prop_assert_eq!(clean(&once, level), once);
    }

    #[test]
    fn cleaning_twice_is_cleaning_once_for_any_string(text in "[\u{FDD0}-\u{FDD2}#=` \n\r\u{85}a-]{0,60}|\\PC{0,40}", level in level()) {
        let once = clean(&text, level);
        prop_assert_eq!(clean(&once, level), once);
    }

    #[test]
    fn guarded_blocks_come_out_byte_for_byte(
        before in unguarded_text(),
        block in guarded_block(),
        after in interesting_text(),
        level in level(),
    ) {
        let cleaned = clean(&format!("{before}\n{block}\n{after}"), level);
        prop_assert!(cleaned.contains(&block), "{block:?} is not in {cleaned:?}");
    }

    #[test]
    fn nothing_visible_goes_but_separators_and_headings(text in interesting_text(), level in level()) {
        let visible = |text: &str| -> Vec<String> {
            text.split('\n')
                .map(|line| line.replace(EMPTY, "").trim().to_owned())
                .filter(|line| !line.is_empty() && !line.starts_with('#') && !line.starts_with("===="))
                .collect()
        };
        prop_assert_eq!(visible(&clean(&text, level)), visible(&text));
    }

    #[test]
    fn marks_have_no_width(text in interesting_text(), level in level()) {
        // Without headings, a mark changes nothing.
        let text = text.replace("# ", "x ");
        let cleaned = clean(&text, level);
        prop_assert!(!cleaned.contains(EMPTY));
        prop_assert_eq!(cleaned, clean(&text.replace(EMPTY, ""), level));
    }

    #[test]
    fn a_skeleton_and_a_text_are_cleaned_alike(text in interesting_text(), level in level()) {
        prop_assert_eq!(clean_skeleton(text.clone(), level), clean(&text, level));
    }
}
