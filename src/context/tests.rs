use super::*;
use serde_json::json;

#[test]
fn json_and_rust_say_the_same() {
    let built = PromptContext::new("anthropic", "claude-sonnet-4-5")
        .with_window(200_000)
        .with_mode("plan")
        .with_cwd("/srv/app")
        .with_flag("yolo")
        .with_flag("browser")
        .with_rules(RulesFile::new("AGENTS.md", "Use tabs."))
        .with_mcp_server(McpServer::new("gh").with_tool(McpTool::new(
            "q",
            "Query",
            json!({"type":"object"}),
        )))
        .with_param("limit", 3)
        .with_runtime("TICKET", "T-1");
    let json = serde_json::to_string(&built).unwrap();
    let read = PromptContext::from_json("cx.json", &json).unwrap();
    assert_eq!(serde_json::to_value(&built).unwrap(), serde_json::to_value(&read).unwrap());
    assert!(read.flags.contains("auto_approve") && read.flags.contains("yolo"));
}

#[test]
fn an_unknown_key_is_an_error_with_place_and_nearest_name() {
    let error = PromptContext::from_json("cx.json", "{\n  \"flgas\": []\n}").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Context);
    let text = error.to_string();
    assert!(text.starts_with("cx.json:2:3: "), "{text}");
    assert!(text.contains("`flags`"), "{text}");
}

#[test]
fn c06_an_error_does_not_show_what_stands_beside_a_key() {
    let json = r#"{"mcp_servers": [{"name": "s", "args": ["--api-key", "sk-test-123"]}]}"#;
    let error = PromptContext::from_json("cx.json", json).unwrap_err();
    assert!(!format!("{error:#}").contains("sk-test-123"), "{error:#}");
    assert!(error.line_column().is_some());
}

#[test]
fn u04_lone_surrogates_are_a_typed_error() {
    let json = "{\"rules\":[{\"path\":\"a\",\"text\":\"x \\ud83d y\"}]}";
    assert_eq!(PromptContext::from_json("cx.json", json).unwrap_err().kind(), ErrorKind::Context);
}

#[test]
fn z04_a_value_that_cannot_be_written_is_named() {
    struct Broken;
    impl Serialize for Broken {
        fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            Err(serde::ser::Error::custom("a cycle"))
        }
    }
    let error = PromptContext::default().try_runtime("X", Broken).unwrap_err();
    assert!(error.to_string().contains("`X`"), "{error}");
}

#[test]
fn k01_k02_each_file_counts_once_and_only_when_it_is_on() {
    let rules = [
        RulesFile::new("AGENTS.md", "Say hi"),
        RulesFile::new("./AGENTS.md", "Say hi"),
        RulesFile::new("off.md", "ALPHA").with_enabled(false),
        RulesFile::new("blank.md", " \n"),
        RulesFile::new("other.md", "Say hi"),
    ];
    let verdicts: Vec<_> = judge_rules(&rules).map(|(_, verdict)| verdict).collect();
    use RulesVerdict::*;
    assert_eq!(verdicts, [Used, Repeated, SwitchedOff, Blank, Used]);
}

#[test]
fn one_file_has_one_name() {
    for (path, plain) in [
        ("a/b.md", "a/b.md"),
        ("./a//b.md", "a/b.md"),
        ("a/../b.md", "b.md"),
        ("../b.md", "../b.md"),
        ("/x/./b.md", "/x/b.md"),
        (".\\a\\b.md", "a/b.md"),
        ("a\\b.md", "a\\b.md"),
    ] {
        assert_eq!(super::rules::plain_path(path), plain);
    }
}
