//! `render` on a project: what it reads is in the prompt, what it leaves out is said, and no secret of a
//! configuration goes anywhere.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::{Run, run};

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn project() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), ".cursorrules", "Use tabs.");
    write(root.path(), ".cursor/rules/a.mdc", "---\nalwaysApply: true\n---\nUse semicolons.");
    write(root.path(), ".cursor/rules/b.mdc", "---\nglobs: *.ts\n---\nUse types.");
    write(root.path(), "skills/pdf/SKILL.md", "---\ndescription: Fill forms.\n---\nBody");
    let server = json!({"args": ["--api-key", "sk-test"], "env": {"TOKEN": "sk-test"}});
    write(root.path(), ".mcp.json", &json!({"mcpServers": {"tickets": server}}).to_string());
    write(root.path(), ".vscode/mcp.json", r#"{"servers": {"a": {"args": ["sk-test"}}"#);
    root
}

/// Stdout and stderr of `render`.
fn render(arguments: &[&str]) -> (String, String) {
    let model = ["render", "--provider", "anthropic", "--model", "claude-sonnet-4-5"];
    let Run { code, stdout, stderr } = run(Path::new("."), &[&model, arguments].concat());
    assert_eq!(code, Some(0), "{stderr}");
    (stdout, stderr)
}

#[test]
fn json_lists_every_file_that_was_seen() {
    let root = project();
    let cwd = root.path().to_str().unwrap();
    let (stdout, stderr) = render(&["--cwd", cwd, "--format", "json"]);
    let answer: Value = serde_json::from_str(&stdout).unwrap();
    let seen: Vec<_> = answer["detected"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| {
            [&file["path"], &file["kind"], &file["status"], &file["why"]].map(Value::as_str)
        })
        .collect();
    let (used, ignored) = (Some("used"), Some("ignored"));
    assert_eq!(
        seen,
        [
            [Some(".cursorrules"), Some("rules"), used, None],
            [Some(".cursor/rules/a.mdc"), Some("rules"), used, None],
            [
                Some(".cursor/rules/b.mdc"),
                Some("rules"),
                ignored,
                Some("it applies only to files matching `*.ts`")
            ],
            [Some("skills/pdf/SKILL.md"), Some("skill"), used, None],
            [Some(".mcp.json"), Some("mcp"), used, None],
            [Some(".vscode/mcp.json"), Some("mcp"), ignored, Some("it is not JSON (line 1)")],
        ]
    );
    assert_eq!(answer["detected"][0]["bytes"], 9);
    let text = answer["text"].as_str().unwrap();
    for word in ["Use tabs.", "Use semicolons.", "tickets"] {
        assert!(text.contains(word), "{word}");
    }
    for word in ["Use types.", "alwaysApply", "Body"] {
        assert!(!text.contains(word), "{word}");
    }
    for said in [&stdout, &stderr] {
        assert!(!said.contains("sk-test") && !said.contains("api-key"), "{said}");
    }
    assert!(stderr.contains(".cursor/rules/b.mdc: warning[rules-left-out]"), "{stderr}");
}

#[test]
fn a_context_file_says_everything() {
    let root = project();
    let context = root.path().join("context.json");
    fs::write(&context, "{}").unwrap();
    let (stdout, _) = render(&["--context", context.to_str().unwrap(), "--json"]);
    let answer: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(answer.get("detected"), Some(&Value::Null));
}
