use super::invisible::{describe, strip_invisible};
use super::marks::{is_noncharacter, strip_noncharacters};
use super::*;
use proptest::prelude::*;

/// One line, one test: name, function of a text, answer.
macro_rules! texts {
    ($($name:ident: $got:expr => $want:expr;)*) => {$(
        #[test]
        fn $name() {
            assert_eq!($got, $want);
        }
    )*};
}

fn block(text: &str) -> String {
    Text::verbatim(text, "test").to_string()
}

fn label(text: &str) -> String {
    Text::label(text, "test").to_string()
}

fn listed(text: &str) -> String {
    let mut made = Text::new();
    made.push_listed(text, "test");
    made.to_string()
}

texts! {
    block_keeps_everything_inside: block("a\n\n\n\n{{X}} $& ====\n##") => "a\n\n\n\n{{X}} $& ====\n##";
    block_loses_its_outer_blank_lines: block("\n \n  a\n\n b  \n\t\n") => "  a\n\n b  ";
    block_keeps_blanks_of_its_lines: block("  padded  ") => "  padded  ";
    block_keeps_crlf_inside: block("a\r\nb\r\n") => "a\r\nb";
    blank_block_is_nothing: block(" \n\t") => "";
    label_is_one_line: label("a\r\nb\tc\u{2028}d\u{85}e") => "a b c d e";
    noncharacters_go: block("\u{FDD0}0\u{FDD1}x\u{FFFF}\u{10FFFE}") => "0x";
    a_later_line_cannot_forge: listed("T.\n## x\n- p: y\n<a>\n====\nUsage:\nok\n #") =>
        "T.\n  ## x\n  - p: y\n  <a>\n  ====\n  Usage:\nok\n #";
    lone_cr_is_a_line_too: listed("T.\r# x") => "T.\n  # x";
    authored_cannot_fake_a_token: Text::authored("\u{FDD0}0\u{FDD1}").to_string() => "0";
    normalised: normalise("\u{FEFF}a\r\nb\u{FEFF}\rc\u{FDD0}") => "a\nb\u{FEFF}\rc";
}

#[test]
fn a_fake_token_does_not_reach_a_real_splice() {
    let mut text = Text::verbatim("secret", "a");
    text.push_authored("\u{FDD0}0\u{FDD1}");
    text.push_verbatim("\u{FDD0}0\u{FDD1}", "b");
    assert_eq!(text.to_string(), "secret00");
}

#[test]
fn pushing_a_text_keeps_its_pieces() {
    let mut inner = Text::authored("[");
    inner.push_verbatim("v", "src");
    inner.push_authored("]");
    let mut outer = Text::verbatim("first", "one");
    outer.push(inner);
    let pieces: Vec<_> = outer.pieces().collect();
    assert_eq!(pieces.len(), 4);
    assert_eq!(pieces[2], Piece::Verbatim { text: "v", source: &Source::from("src") });
    assert_eq!(outer.len(), outer.to_string().len());
}

#[test]
fn arabic_forms_beside_the_marks_are_text() {
    // U+FDFA shares its first two bytes with the marks.
    let mut text = Text::authored("\u{FDFA} a \u{FDF0}");
    text.push_verbatim("v\u{FDFA}", "s");
    text.push_authored("\u{FDFA}");
    assert_eq!(text.to_string(), "\u{FDFA} a \u{FDF0}v\u{FDFA}\u{FDFA}");
}

#[test]
fn u06_hidden_signs_are_found_and_visible_text_stays() {
    let text = "Be nice\u{E0049}\u{E0067}\u{202E}\u{200B}. Family \
                👩\u{200D}👩\u{200D}👧 and می\u{200C}خواهم stay 🏴\u{E0067}\u{E007F}";
    let found = describe(text).unwrap();
    for part in ["tag U+E0049 at byte 7", "bidi U+202E", "zero-width U+200B"] {
        assert!(found.contains(part), "{found}");
    }
    assert_eq!(found.matches(" at byte ").count(), 4, "{found}");
    let kept = strip_invisible(text).unwrap();
    assert!(!kept.contains(['\u{202E}', '\u{E0049}']));
    assert!(kept.contains("👩\u{200D}👩\u{200D}👧") && kept.contains("می\u{200C}خواهم"));
    assert!(kept.ends_with("🏴\u{E0067}\u{E007F}"));
    assert_eq!(describe("plain, ünïcödé, 漢字"), None);
    assert!(describe("a\u{200D}b").is_some() && describe("漢\u{200D}字").is_some());
}

proptest! {
    #[test]
    fn stripping_leaves_no_noncharacter(text in any::<String>(), bad in 0xFDD0_u32..0xFDF0) {
        let bad = char::from_u32(bad).unwrap();
        let mixed: String = text.chars().flat_map(|c| [c, bad]).collect();
        let (kept, removed) = strip_noncharacters(&mixed);
        prop_assert!(!kept.chars().any(is_noncharacter));
        prop_assert_eq!(kept.chars().count() + removed, mixed.chars().count());
    }

    #[test]
    fn a_block_is_a_part_of_its_input(text in any::<String>()) {
        let (kept, _) = strip_noncharacters(&text);
        let shown = block(&text);
        prop_assert!(kept.contains(&shown));
        prop_assert_eq!(kept.trim(), shown.trim());
    }

    #[test]
    fn no_later_line_of_a_list_entry_reads_as_structure(text in "[#<=\\- \n\ra-cU:]{0,40}") {
        for line in listed(&text).split('\n').skip(1) {
            prop_assert!(!line.starts_with('#') && !line.starts_with("- ") && !line.starts_with('<'));
        }
    }
}
