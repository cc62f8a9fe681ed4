//! `promptline clean`: exactly the cleaned bytes, without a newline of its own.

use std::path::Path;

use crate::run_with;

fn clean(args: &[&str], stdin: &str) -> String {
    let args = [&["clean"], args].concat();
    run_with(Path::new(env!("CARGO_MANIFEST_DIR")), &args, stdin.as_bytes()).quiet()
}

/// Arguments, stdin, stdout. What comes out is cleaned again and must stay.
macro_rules! cases {
    ($($name:ident: [$($arg:literal),*] $stdin:expr => $want:expr;)*) => {$(
        #[test]
        fn $name() {
            let (stdin, want): (&str, &str) = (&$stdin, &$want);
            assert_eq!(clean(&[$($arg),*], stdin), want);
            assert_eq!(clean(&[$($arg),*], want), want, "not a fixed point");
        }
    )*};
}

cases! {
    nothing: [] "" => "";
    blanks: [] " \n\t\n" => "";
    no_newline_is_added: [] "a" => "a";
    outer_newlines_go: [] "\n\na\n\n" => "a";
    blank_lines_collapse: [] "a\n\n\n\nb" => "a\n\nb";
    trailing_blanks_stay: [] "a  \nb" => "a  \nb";
    crlf_becomes_lf: [] "a\r\n\r\n\r\nb\r\n" => "a\n\nb";
    a_lone_cr_stays: [] "a\rb" => "a\rb";
    a_leading_byte_order_mark_goes: [] "\u{FEFF}a" => "a";
    an_inner_byte_order_mark_stays: [] "a\u{FEFF}b" => "a\u{FEFF}b";
    noncharacters_go: [] "a\u{FDD0}0\u{FDD1}\u{FFFF}b" => "a0b";
    empty_sections_go: [] "a\n====\n\n====\n\nb\n====\n" => "a\n\n====\n\nb";
    bare_headings_go: [] "a\n##\nb" => "a\nb";
    in_a_section_equals_signs_are_text: ["--section"] "a\n====\n====\nb\n====" => "a\n====\n====\nb\n====";
    templates_are_text: [] "{{#if X}}\n{{Y}}\n{{/if}}" => "{{#if X}}\n{{Y}}\n{{/if}}";
    fences_are_guarded: [] "```\n====\n\n\n##\n```" => "```\n====\n\n\n##\n```";
    diffs_are_guarded: [] "------- SEARCH\na\n\n\n=======\n##\n+++++++ REPLACE" => "------- SEARCH\na\n\n\n=======\n##\n+++++++ REPLACE";
    not_ascii: [] "é漢\n\n\n\u{1F600}" => "é漢\n\n\u{1F600}";
}

#[test]
fn a_built_in_prompt_is_a_fixed_point() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let args = ["render", "--context", "-"];
    let prompt = run_with(
        folder,
        &args,
        br#"{"model": {"id": "m"}, "flags": ["browser", "task_progress"]}"#,
    )
    .quiet();
    let prompt = prompt.strip_suffix('\n').unwrap();
    assert!(prompt.len() > 10_000);
    assert_eq!(clean(&[], prompt), prompt);
}

#[test]
fn stdin_that_is_not_utf_8_is_a_mistake_with_a_place() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let said = run_with(folder, &["clean"], b"abc\xFFd").mistake();
    assert_eq!(said, "error: stdin is not UTF-8 at byte 3\n");
    let said = run_with(folder, &["render", "--context", "-"], b"{\"cwd\": \"\xC3\"}").mistake();
    assert_eq!(said, "error: stdin is not UTF-8 at byte 9\n");
}
