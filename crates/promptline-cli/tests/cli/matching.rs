//! `promptline match`: which variant each id gets, in the order in which they are matched.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

use crate::{project_with_pack, run, run_with};

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn answers(stdout: &str) -> Vec<Value> {
    stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn the_table() {
    let args = [
        "match",
        "--provider",
        "openrouter",
        "anthropic/claude-sonnet-4.5",
        "qwen-8b-sonnet-distill",
        "an-id-that-is-longer-than-the-column-that-it-stands-in",
        "gpt-5",
    ];
    insta::assert_snapshot!(run(here(), &args).quiet(), @"
id                                        what it says                          variant           reason
anthropic/claude-sonnet-4.5               claude sonnet 4.5                     next-gen          capable: not distilled; family claude; version 4.5 (>=4)
qwen-8b-sonnet-distill                    qwen 8b, distilled from claude        generic           always; warning: the model `qwen-8b-sonnet-distill` fell back to `generic`: no other variant takes the family qwen without a version
an-id-that-is-longer-than-the-column-that-it-stands-in  -                                     generic           always
gpt-5                                     gpt 5                                 gpt-5             gpt_5_or_later: family gpt; version 5 (>=5, <20); not (flag native_tools is off, gpt_chat: family gpt: needs the line chat or instant)
");
}

#[test]
fn the_json_lines() {
    let args = ["match", "--json", "--provider", "ollama", "qwen3-coder:30b", "x\"y"];
    insta::assert_snapshot!(run(here(), &args).quiet(), @r#"
{"provider":"ollama","id":"qwen3-coder:30b","parsed":{"vendor":"alibaba","family":"qwen","line":"coder","version":"3","size":"30b","date":null,"route":null,"suffix":[],"base":null,"distilled_from":null},"variant":"next-gen","reason":"capable: not distilled; family qwen; version 3 (>=3); line coder"}
{"provider":"ollama","id":"x\"y","parsed":{"vendor":null,"family":null,"line":null,"version":null,"size":null,"date":null,"route":null,"suffix":[],"base":null,"distilled_from":null},"variant":"generic","reason":"always"}
"#);
}

#[test]
fn what_an_id_says_has_ten_keys_in_order() {
    let args = ["match", "--json", "bedrock/us.anthropic.claude-opus-4-1-20250805-v1:0", ""];
    for answer in answers(&run(here(), &args).quiet()) {
        let keys: Vec<_> = answer["parsed"].as_object().unwrap().keys().cloned().collect();
        let wanted = "vendor family line version size date route suffix base distilled_from";
        assert_eq!(keys.join(" "), wanted);
    }
}

#[test]
fn a_known_family_that_falls_to_generic_has_a_warning() {
    let args = ["match", "--json", "claude-3-5-sonnet-20241022", "llama-4-scout"];
    let answers = answers(&run(here(), &args).quiet());
    insta::assert_snapshot!(answers[0]["warning"].as_str().unwrap(), @"the model `claude-3-5-sonnet-20241022` fell back to `generic`: no other variant takes the family claude in version 3.5");
    assert_eq!(answers[1].get("warning"), None);
}

#[test]
fn flags_and_window_count() {
    for small in [["--flag", "compact"], ["--window", "16384"]] {
        let args = [&["match", "--json", "gpt-5"], &small[..]].concat();
        assert_eq!(answers(&run(here(), &args).quiet())[0]["variant"], "xs");
    }
    let args = ["match", "--json", "gpt-5", "--window", "16385"];
    assert_eq!(answers(&run(here(), &args).quiet())[0]["variant"], "gpt-5");
}

#[test]
fn packs_count() {
    let project = project_with_pack("x", &[]);
    let args = ["match", "--json", "gpt-5", "--pack", "pack"];
    assert_eq!(answers(&run(project.path(), &args).quiet())[0]["variant"], "mine");
}

#[test]
fn thousands_of_ids_on_stdin_are_answered_in_order() {
    let mut stdin = String::new();
    for at in 0..5_000 {
        match at % 3 {
            0 => writeln!(stdin, "gpt-5-{at}").unwrap(),
            1 => writeln!(stdin, "other\tclaude-3-{at}").unwrap(),
            _ => write!(stdin, " spaced \t gemini-2.5-{at} \r\n\n").unwrap(),
        }
    }
    let args = ["match", "--json", "--provider", "base", "-"];
    let answers = answers(&run_with(here(), &args, stdin.as_bytes()).quiet());
    assert_eq!(answers.len(), 5_000);
    for (at, answer) in answers.iter().enumerate() {
        let (provider, id, variant) = match at % 3 {
            0 => ("base", format!("gpt-5-{at}"), "gpt-5"),
            1 => ("other", format!("claude-3-{at}"), "generic"),
            _ => ("spaced", format!("gemini-2.5-{at}"), "next-gen"),
        };
        assert_eq!(answer["provider"], provider);
        assert_eq!(answer["id"], id);
        assert_eq!(answer["variant"], variant, "{answer}");
    }
}

#[test]
fn stdin_is_read_where_its_dash_is() {
    let run = run_with(here(), &["match", "--json", "first", "-", "last"], b"a\nb");
    let ids: Vec<_> = answers(&run.quiet()).iter().map(|answer| answer["id"].clone()).collect();
    assert_eq!(ids, ["first", "a", "b", "last"]);
}

#[test]
fn a_provider_of_one_line_is_not_that_of_the_next() {
    let run = run_with(here(), &["match", "--json", "-"], b"one\ta\nb\n\tc");
    let providers: Vec<_> =
        answers(&run.quiet()).iter().map(|answer| answer["provider"].clone()).collect();
    assert_eq!(providers, ["one", "", ""]);
}

#[test]
fn an_id_that_is_not_utf_8_is_an_answer_and_no_end() {
    let run = run_with(here(), &["match", "--json", "-"], b"a\xFF\ngpt-5\n");
    let ids: Vec<_> = answers(&run.quiet()).iter().map(|answer| answer["id"].clone()).collect();
    assert_eq!(ids, ["a\u{FFFD}", "gpt-5"]);
}

#[test]
fn nothing_on_stdin_is_no_answer() {
    assert_eq!(run(here(), &["match", "-"]).quiet(), "");
}
