//! `promptline render`: the bytes that the library would build, with the project's rules in them.

use std::fs;

use promptline::{Pack, PromptContext, PromptRegistry};
use serde_json::Value;

use crate::{project, run, run_with};

const RULES: &str = "# Root {{CWD}}\n\n\n\n====\n##\n$& ${{ secrets.X }}\n------- SEARCH\n  end";
const NEAR: &str = "Nearest: no `unsafe`.";
const CLAUDE: [&str; 7] =
    ["render", "--provider", "anthropic", "--model", "claude-sonnet-4-5", "--date", "2031-05-06"];

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn rules_come_out_byte_for_byte_and_the_nearest_last() {
    let stored = format!("\u{FEFF}\n{}\r\n\r\n", RULES.replace('\n', "\r\n"));
    let project = project(&[
        ("AGENTS.md", &stored),
        ("engine/AGENTS.md", NEAR),
        ("engine/core/main.rs", ""),
        ("web/AGENTS.md", "Not on the way."),
    ]);
    let tail = format!(
        "\n\n# Rules from AGENTS.md\n\n{RULES}\n\n# Rules from engine/AGENTS.md\n\n{NEAR}\n"
    );
    let inside = run(&project.path().join("engine/core"), &CLAUDE).quiet();
    assert!(inside.contains(&tail), "{tail}\n---- is not in\n{inside}");
    assert!(!inside.contains("Not on the way."));
    let outside = run(project.path(), &[&CLAUDE[..], &["--cwd", "engine/core"]].concat()).quiet();
    assert!(outside.contains(&tail), "{tail}\n---- is not in\n{outside}");
}

#[test]
fn rules_of_other_agents_are_read_too() {
    let project = project(&[
        ("CLAUDE.md", "Two."),
        (".clinerules/b.txt", "Four."),
        (".clinerules/a/a.md", "Three."),
        ("AGENTS.md", "One."),
    ]);
    let prompt = run(project.path(), &CLAUDE).quiet();
    let places: Vec<_> = ["One.", "Two.", "Three.", "Four."].map(|word| prompt.find(word)).into();
    assert!(places.is_sorted() && places[0].is_some(), "{places:?}");
}

#[test]
fn the_prompt_says_the_machine_and_the_date() {
    let project = project(&[("src/x", "")]);
    let prompt = run(&project.path().join("src"), &CLAUDE).quiet();
    let cwd = project.path().join("src");
    for line in [
        "- Shell: bash".to_owned(),
        "- Home directory: /home/ada".to_owned(),
        "- Date: 2031-05-06".to_owned(),
        format!("- Working directory: {}", cwd.display()),
    ] {
        assert!(prompt.lines().any(|said| said == line), "{line} is not in\n{prompt}");
    }
}

#[test]
fn a_small_local_model_gets_the_small_variant() {
    let project = project(&[]);
    let args = ["--provider", "lmstudio", "--model", "qwen3-coder-30b", "--date", "2031-05-06"];
    let render = |more: &[&str]| {
        let all = [&["render", "--format", "json"], &args[..], more].concat();
        json(&run(project.path(), &all).quiet())
    };
    assert_eq!(render(&[])["variant"]["id"], "next-gen");
    for small in [&["--flag", "compact"], &["--window", "8192"]] {
        let rendered = render(small);
        assert_eq!(rendered["variant"], serde_json::json!({"id": "xs", "version": 1}));
        assert!(rendered["text"].as_str().unwrap().starts_with("You are a coding agent."));
    }
}

#[test]
fn the_json_form_has_its_keys_and_partitions_the_text() {
    let project = project(&[("AGENTS.md", RULES)]);
    let text = run(project.path(), &CLAUDE).quiet();
    let printed = run(project.path(), &[&CLAUDE[..], &["--format", "json"]].concat()).quiet();
    assert_eq!(run(project.path(), &[&CLAUDE[..], &["--json"]].concat()).quiet(), printed);

    let rendered = json(&printed);
    let keys: Vec<_> = rendered.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        ["text", "variant", "sections", "tools", "tool_names", "fingerprint", "report", "detected"]
    );
    let prompt = rendered["text"].as_str().unwrap();
    assert_eq!(format!("{prompt}\n"), text, "one newline is not part of the prompt");
    assert_eq!(rendered["tools"], Value::Null);
    assert_eq!(rendered["tool_names"]["read_file"]["id"], "read_file");
    for hash in ["source", "text"] {
        let hash = rendered["fingerprint"][hash].as_str().unwrap();
        assert!(hash.len() == 64 && hash.bytes().all(|b| b.is_ascii_hexdigit()), "{hash}");
    }
    assert_eq!(rendered["report"]["rules"][0]["status"], "used");

    let number = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
    let mut end = 0;
    for section in rendered["sections"].as_array().unwrap() {
        assert_eq!(number(&section["range"]["start"]), end, "{section}");
        for key in ["id", "origin", "volatility", "tokens"] {
            assert!(!section[key].is_null(), "{key} of {section}");
        }
        for span in section["spans"].as_array().unwrap() {
            assert_eq!(number(&span["start"]), end, "{span}");
            assert_eq!(span["kind"] == "verbatim", span["source"].is_string(), "{span}");
            end = number(&span["end"]);
        }
        assert_eq!(number(&section["range"]["end"]), end, "{section}");
        let start = number(&section["range"]["start"]);
        assert_eq!(number(&section["bytes"]), end - start, "{section}");
    }
    assert_eq!(end, prompt.len());
}

#[test]
fn a_context_file_gives_the_bytes_that_the_library_builds() {
    let context = r##"{
        "schema": 1,
        "model": {"provider": "openai", "id": "gpt-5"},
        "cwd": "/srv/x", "date": "2031-05-06", "flags": ["browser", "focus_chain"],
        "rules": [{"path": "a.md", "text": "# {{X}}\n\n\n====\n"}],
        "mcp_servers": [{"name": "db", "tools": [{"name": "q", "inputSchema": {"type": "object"}}]}]
    }"##;
    let project =
        project(&[("cx.json", context), ("AGENTS.md", "Of the project, not of the file.")]);
    let registry = PromptRegistry::builder().pack(Pack::builtin()).build().unwrap();
    let cx = PromptContext::from_json("cx.json", context).unwrap();
    let want = format!("{}\n", registry.build_blocking(&cx).unwrap().text());
    let file = run(project.path(), &["render", "--context", "cx.json"]).quiet();
    assert_eq!(file, want);
    let stdin = run_with(project.path(), &["render", "--context", "-"], context.as_bytes());
    assert_eq!(stdin.quiet(), want);
    let marked = format!("\u{FEFF}{}", context.replace('\n', "\r\n"));
    let stdin = run_with(project.path(), &["render", "--context", "-"], marked.as_bytes());
    assert_eq!(stdin.quiet(), want, "as Windows saves it");
}

#[test]
fn the_same_request_gives_the_same_bytes() {
    let project = project(&[("AGENTS.md", RULES)]);
    let args = [&CLAUDE[..], &["--json", "--flag", "browser,subagents"]].concat();
    assert_eq!(run(project.path(), &args).quiet(), run(project.path(), &args).quiet());
}

#[test]
fn warnings_go_to_stderr_and_the_prompt_to_stdout() {
    let project = project(&[("AGENTS.md", "Be nice.\u{202E}"), ("engine/x", "")]);
    fs::write(project.path().join("CLAUDE.md"), b"a\xFFb").unwrap();
    let run = run(project.path(), &CLAUDE);
    assert_eq!(run.code, Some(0));
    assert!(run.stdout.contains("# Rules from AGENTS.md\n\nBe nice.\u{202E}\n"));
    insta::assert_snapshot!(run.stderr, @r"
    CLAUDE.md: warning[rules-left-out]: the file is left out: it is not UTF-8 at byte 1
    warning[invisible]: text from rules:AGENTS.md holds invisible characters: bidi U+202E at byte 8 (build with InvisiblePolicy::Strip to remove tag characters and direction controls)
    ");
}

/// What a provider's request has of the prompt: where its text is, and where the tools are.
#[test]
fn the_form_of_a_request() {
    for (format, text, tools) in [
        ("anthropic", "/system/0/text", "/tools/0/name"),
        ("openai", "/messages/0/content", "/tools/0/function/name"),
        ("openai-responses", "/instructions", "/tools/0/name"),
        ("gemini", "/systemInstruction/parts/0/text", "/tools/0/functionDeclarations/0/name"),
        (
            "gemini-legacy",
            "/systemInstruction/parts/0/text",
            "/tools/0/functionDeclarations/0/name",
        ),
        ("bedrock", "/system/0/text", "/toolConfig/tools/0/toolSpec/name"),
    ] {
        let project =
            project(&[("cx.json", r#"{"model": {"provider": "x", "id": "claude-opus-5"}}"#)]);
        let args = ["render", "--context", "cx.json", "--format", format];
        let request: serde_json::Value =
            serde_json::from_str(&run(project.path(), &args).quiet()).unwrap();
        assert_eq!(request.pointer(tools).unwrap(), "execute_command", "{format}");
        let text = request.pointer(text).unwrap().as_str().unwrap();
        assert!(text.contains("\nRULES\n") && !text.contains("<execute_command>"), "{format}");
    }
}

/// A model that no variant with native tools takes has them in the text of the request.
#[test]
fn the_form_of_a_request_without_native_tools() {
    let project = project(&[("cx.json", r#"{"model": {"provider": "x", "id": "unknown-3"}}"#)]);
    let args = ["render", "--context", "cx.json", "--format", "anthropic"];
    let request: serde_json::Value =
        serde_json::from_str(&run(project.path(), &args).quiet()).unwrap();
    assert_eq!(request.get("tools"), None);
    assert!(request["system"][0]["text"].as_str().unwrap().contains("<execute_command>"));
}

#[test]
fn a_budget_is_kept_and_says_what_it_took() {
    let rules = "Use tabs in every file.\n".repeat(2_000);
    let project = project(&[("AGENTS.md", &rules)]);
    let args = [&CLAUDE[..], &["--budget", "7000", "--reserve", "1000"]].concat();
    let cut = run(project.path(), &args);
    assert_eq!(cut.code, Some(0));
    assert!(cut.stdout.len() <= 4 * 6_000 + 1 && cut.stdout.len() > 4 * 5_900);
    assert!(cut.stdout.contains("[Left out to fit the budget: about "));
    assert!(cut.stderr.contains("warning[budget-cut]"), "{}", cut.stderr);
    assert!(cut.stderr.contains("`AGENTS.md` is shortened"), "{}", cut.stderr);
    let report = json(&run(project.path(), &[&args[..], &["--json"]].concat()).stdout);
    assert_eq!(report["report"]["budget"]["available"], 6_000);
    assert_eq!(report["report"]["rules"][0]["status"], "cut");
    let ids = report["report"]["components"].as_array().unwrap().iter();
    let cut: Vec<_> = { ids }.filter(|component| component["status"] == "cut").collect();
    assert_eq!(cut.len(), 1);
    assert_eq!(cut[0]["id"], "USER_INSTRUCTIONS_SECTION");

    let large = run(project.path(), &[&CLAUDE[..], &["--budget", "1000000"]].concat()).quiet();
    assert_eq!(large, run(project.path(), &CLAUDE).quiet());
    let none = run(project.path(), &[&CLAUDE[..], &["--budget", "100"]].concat()).mistake();
    assert!(none.contains("does not fit into 100 tokens"), "{none}");
    run(project.path(), &[&CLAUDE[..], &["--reserve", "100"]].concat()).mistake();
}
