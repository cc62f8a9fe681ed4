//! `promptline calls`: what is read in an answer, and when that is a failure.

use serde_json::{Value, json};

use crate::{project, run, run_with};

const WAIT: &str = "schema = 1\nid = \"wait\"\ndescription = \"Waits.\"\n\n[[params]]\nname = \"seconds\"\ntype = \"integer\"\nrequired = true\n\n[[params]]\nname = \"why\"\n";

/// The exit code, and the output, which must be JSON with nothing beside it.
fn calls(args: &[&str], answer: &str) -> (Option<i32>, Value) {
    let project = project(&[("tools/wait.toml", WAIT), ("answer.md", "a<wait/>b")]);
    let args = [&["calls"], args].concat();
    let run = run_with(project.path(), &args, answer.as_bytes());
    assert_eq!(run.stderr, "");
    (run.code, serde_json::from_str(&run.stdout).unwrap())
}

#[test]
fn the_json() {
    let project = project(&[]);
    let answer = "I look.\n<read_file>\n<path>a.rs</path>\n</read_file>\n";
    insta::assert_snapshot!(run_with(project.path(), &["calls"], answer.as_bytes()).quiet(), @r#"
    {
      "text": "I look.\n\n",
      "calls": [
        {
          "name": "read_file",
          "args": {
            "path": "a.rs"
          },
          "complete": true,
          "repaired": false,
          "unknown": {},
          "duplicates": {},
          "junk": false,
          "span": {
            "start": 8,
            "end": 50
          }
        }
      ],
      "diagnostics": []
    }
    "#);
}

#[test]
fn an_incomplete_call_is_a_failure() {
    let (code, answer) = calls(&[], "<write_to_file>\n<path>a</path>\n<content>\nhalf a");
    assert_eq!(code, Some(1));
    assert_eq!(answer["calls"][0]["complete"], false);
    assert_eq!(answer["calls"][0]["args"], json!({"path": "a", "content": "half a"}));
    assert_eq!(answer["diagnostics"][0]["code"], "truncated-call");
}

#[test]
fn a_repaired_call_is_not_a_failure_unless_the_answer_was_cut() {
    let open = "<read_file>\n<path>a\n</read_file>";
    let (code, answer) = calls(&[], open);
    assert_eq!(code, Some(0));
    assert_eq!(answer["calls"][0]["repaired"], true);
    let (code, answer) = calls(&["--cut"], open);
    assert_eq!(code, Some(1));
    assert_eq!(answer["calls"][0]["complete"], false);
}

#[test]
fn own_tools_from_files_folders_and_lists() {
    let list = r#"[{"name": "wait", "inputSchema": {"type": "object", "properties": {"seconds": {"type": "integer"}}}}]"#;
    let project = project(&[("tools/wait.toml", WAIT), ("list.json", list)]);
    for tools in ["tools", "tools/wait.toml", "list.json"] {
        let args = ["calls", "--typed", "--tools", tools, "-"];
        let answer = b"<wait><seconds> 3 </seconds></wait><read_file><path>a</path></read_file>";
        let run = run_with(project.path(), &args, answer);
        let answer: Value = serde_json::from_str(&run.quiet()).unwrap();
        assert_eq!(answer["calls"].as_array().unwrap().len(), 1, "{tools}");
        assert_eq!(answer["calls"][0]["args"], json!({"seconds": 3}), "{tools}");
        assert_eq!(answer["calls"][0]["issues"], json!([]), "{tools}");
        assert_eq!(answer["text"], "<read_file><path>a</path></read_file>", "{tools}");
    }
}

#[test]
fn types_that_do_not_fit_are_said() {
    let (code, answer) =
        calls(&["--typed", "--tools", "tools"], "<wait><seconds>soon</seconds><x>1</x></wait>");
    assert_eq!(code, Some(0));
    let issues = answer["calls"][0]["issues"].as_array().unwrap();
    let kinds: Vec<_> = issues.iter().map(|issue| issue["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["wrong-type", "unknown"]);
    assert_eq!(answer["calls"][0]["args"]["seconds"], "soon");
}

#[test]
fn a_required_parameter_that_is_missing_is_a_failure() {
    for typed in [&["--tools", "tools"][..], &["--typed", "--tools", "tools"]] {
        let (code, answer) = calls(typed, "<wait><why>so</why></wait>");
        assert_eq!(code, Some(1));
        assert_eq!(answer["diagnostics"][0]["code"], "missing-parameter");
        assert_eq!(answer["calls"][0]["complete"], true);
    }
}

#[test]
fn what_looks_like_a_call_is_reported_once() {
    let (code, answer) =
        calls(&["--tools", "tools"], "I wait.\n<wait>\n3\n</wait>\nwait --seconds 3\n");
    assert_eq!(code, Some(0));
    assert_eq!(answer["calls"], json!([]));
    let diagnostics = answer["diagnostics"].as_array().unwrap();
    assert_eq!(diagnostics.len(), 1);
    assert_eq!(diagnostics[0]["code"], "suspected-call");
    let message = diagnostics[0]["message"].as_str().unwrap();
    assert!(
        message.contains("value without its parameter") && message.contains("at byte 8"),
        "{message}"
    );
    assert!(diagnostics[0]["help"].as_str().unwrap().contains("parameter"));
}

#[test]
fn dialects_are_switched_on() {
    let answers = [
        ("qwen", "<function=wait>\n<parameter=seconds>\n3\n</parameter>\n</function>"),
        (
            "hermes",
            "<tool_call>\n{\"name\": \"wait\", \"arguments\": {\"seconds\": 3}}\n</tool_call>",
        ),
        (
            "glm",
            "<tool_call>wait\n<arg_key>seconds</arg_key>\n<arg_value>3</arg_value>\n</tool_call>",
        ),
        ("invoke", "<invoke name=\"wait\"><parameter name=\"seconds\">3</parameter></invoke>"),
    ];
    for (dialect, text) in answers {
        for on in [dialect, "auto", "qwen,hermes,glm,invoke"] {
            let (code, answer) = calls(&["--tools", "tools", "--typed", "--dialect", on], text);
            assert_eq!(code, Some(0));
            assert_eq!(answer["text"], "", "{on}");
            assert_eq!(answer["calls"][0]["args"], json!({"seconds": 3}), "{on}");
        }
        let (code, answer) = calls(&["--tools", "tools"], text);
        assert_eq!((code, &answer["text"]), (Some(0), &json!(text)));
        assert_eq!(answer["diagnostics"][0]["code"], "suspected-call", "{dialect}");
        assert_eq!(answer["diagnostics"][0]["subject"], dialect);
    }
}

#[test]
fn a_format_by_its_name_or_in_a_file() {
    let toml =
        "name = \"own\"\n[[call]]\nopen = \"<|do:\"\narguments = \"|>\"\nclose = \"<|done|>\"\n";
    let project =
        project(&[("tools/wait.toml", WAIT), ("own.toml", toml), ("bad.toml", "name = 1")]);
    let kimi = "<|tool_call_begin|>functions.wait:0<|tool_call_argument_begin|>{\"seconds\": 3}<|tool_call_end|>";
    for (format, answer) in [("own.toml", "<|do:wait|>{\"seconds\": 3}<|done|>"), ("kimi", kimi)] {
        let args = ["calls", "--tools", "tools", "--format", format];
        let found = run_with(project.path(), &args, answer.as_bytes());
        let found: Value = serde_json::from_str(&found.quiet()).unwrap();
        assert_eq!(found["calls"][0]["args"], json!({"seconds": 3}), "{format}");
        assert_eq!(found["diagnostics"], json!([]), "{format}");
    }
    let said = run_with(project.path(), &["calls", "--format", "bad.toml"], b"").mistake();
    assert!(said.contains("bad.toml"), "{said}");
}

#[test]
fn an_answer_in_a_file() {
    let (code, answer) = calls(&["--tools", "tools", "answer.md"], "");
    assert_eq!((code, &answer["text"]), (Some(0), &json!("a<wait/>b")));
    assert_eq!(answer["calls"], json!([]));
}

#[test]
fn mistakes_in_the_usage() {
    let project = project(&[("empty/a.txt", "")]);
    let cases: [(&[&str], &str); 4] = [
        (
            &["calls", "--dialect", "json"],
            "there is no dialect `json`; there are xml, qwen, hermes, glm, invoke, auto",
        ),
        (&["calls", "--tools", "nowhere"], "nowhere: it cannot be read"),
        (&["calls", "--tools", "empty"], "empty: no *.toml is in the folder"),
        (&["calls", "nowhere.md"], "nowhere.md: it cannot be read"),
    ];
    for (args, what) in cases {
        let said = run(project.path(), args).mistake();
        assert!(said.contains(what), "{said}");
    }
}
