//! Lists of MCP servers: which names come out, and that nothing else does.

use serde_json::json;

use super::files;
use super::sources::{notes, project, servers};

#[test]
fn servers_by_name_and_a_bad_entry_is_one_note() {
    let detected = project(&[
        (
            ".mcp.json",
            r#"{"mcpServers": {"files": {"command": "x"}, "off": {"disabled": true},
                "on": {"disabled": false}, "bad": ["x"], "": {}, "files": {"disabled": true}}}"#,
        ),
        (
            ".vscode/mcp.json",
            "\u{FEFF}{\r\n  // ours\r\n  \"inputs\": [],\r\n  \"servers\": {\r\n    /* x */ \"off\": {},\r\n    \"web\": {\"url\": \"https://x//y\",},\r\n  },\r\n}",
        ),
    ]);
    assert_eq!(servers(&detected), [("files", true), ("off", false), ("on", true), ("web", true)]);
    let left_out = |file: &str, name: &str, why: &str| {
        format!("{file}: warning[mcp-server-left-out]: server `{name}` is left out: {why}")
    };
    let before = "a server of this name comes before, in `.mcp.json`";
    assert_eq!(
        notes(&detected),
        [
            left_out(".mcp.json", "bad", "its entry is not an object"),
            left_out(".mcp.json", "", "it has no name"),
            left_out(".mcp.json", "files", before),
            left_out(".vscode/mcp.json", "off", before),
        ]
    );
    assert_eq!(files(&detected), [".mcp.json used", ".vscode/mcp.json used"]);
}

#[test]
fn a_list_of_servers_that_cannot_be_read_is_left_out_and_said() {
    for (text, why) in [
        ("", "it is not a JSON object"),
        ("[]", "it is not a JSON object"),
        ("{}", "it has neither `mcpServers` nor `servers`"),
        (r#"{"servers": []}"#, "`servers` is not an object"),
        ("{\n\"servers\": {\n", "it is not JSON (line 2)"),
        ("{'servers': {}}", "it is not JSON (line 1)"),
        (&"[".repeat(100_000), "it is not JSON (line 1)"),
    ] {
        let detected = project(&[(".mcp.json", text)]);
        assert_eq!(detected.seen[0].why.as_deref(), Some(why), "{text:.20}");
        assert_eq!(detected.diagnostics.len(), 1);
        assert_eq!(detected.diagnostics[0].message, format!("the file is left out: {why}"));
    }
}

#[test]
fn c06_secrets_of_servers_reach_neither_the_context_nor_a_note() {
    let server = json!({
        "command": "sk-test-0", "args": ["--api-key", "sk-test"], "env": {"TOKEN": "sk-test-2"},
        "url": "https://sk-test-3@x", "headers": {"Authorization": "sk-test-4"}, "disabled": "sk-test-5",
    });
    let good = json!({"mcpServers": {"srv": server}}).to_string();
    let cut = good.trim_end_matches('}').to_owned();
    for text in [
        good.clone(),
        cut,
        good.replace("\"--api-key\",", "--api-key "),
        json!({"mcpServers": {"srv": ["sk-test"]}}).to_string(),
        json!({"mcpServers": ["sk-test"]}).to_string(),
        json!({"sk-test": 1}).to_string(),
        "sk-test".to_owned(),
        "{\"servers\": {\"srv\": \"sk-test\\x\"}}".to_owned(),
    ] {
        let detected = project(&[(".mcp.json", &text), (".vscode/mcp.json", &text)]);
        let files = serde_json::to_string(&detected.seen).unwrap();
        let notes = serde_json::to_string(&detected.diagnostics).unwrap();
        for out in [files, notes, format!("{detected:?}")] {
            assert!(!out.contains("sk-test") && !out.contains("api-key"), "{text}\n{out}");
        }
    }
}
