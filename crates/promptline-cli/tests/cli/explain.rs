//! `promptline explain`: the table, the JSON and the page say what `render` sends.

use std::fs;

use serde_json::Value;

use crate::{command, project, project_with_pack, run};

const HOSTILE: &str =
    "<script>alert(1)</script></pre></q>\r\n&amp; \"it's\" \0 <!-- {{ x }}\rend 规则";

/// A context file with hostile rules, in a project.
fn hostile() -> tempfile::TempDir {
    let rules = serde_json::json!([{"path": "a\"<b>.md", "text": HOSTILE}]);
    let model =
        serde_json::json!({"provider": "anthropic", "id": "claude-sonnet-4-5", "window": 200000});
    let context = serde_json::json!({"model": model, "cwd": "/x<y", "rules": rules});
    project(&[("cx.json", &context.to_string())])
}

/// The text of an element of the page, as a browser reads it.
fn text_of(page: &str, open: &str, close: &str) -> String {
    let start = page.find(open).unwrap() + open.len();
    let html = &page[start..start + page[start..].find(close).unwrap()];
    let mut text = String::new();
    let mut rest = html.replace("<i class=\"nul\"></i>", "\0");
    while let Some(at) = rest.find(['<', '&']) {
        text.push_str(&rest[..at]);
        let last = if rest[at..].starts_with('<') { '>' } else { ';' };
        let end = at + rest[at..].find(last).unwrap();
        if rest[at..].starts_with('&') {
            let number = rest[at + 2..end].parse().unwrap();
            text.push(char::from_u32(number).unwrap());
        }
        rest = rest[end + 1..].to_owned();
    }
    text + &rest
}

#[test]
fn the_page_holds_the_prompt_byte_for_byte() {
    let project = hostile();
    for more in [&[][..], &["--flag", "native_tools,browser"], &["--variant", "xs"]] {
        let args = |start: &[&'static str]| {
            [start, &["--context", "cx.json", "--date", "2031-05-06"], more].concat()
        };
        let explained = run(project.path(), &args(&["explain", "--html", "page.html"]));
        assert_eq!((explained.code, explained.stdout.as_str()), (Some(0), ""));
        assert_eq!(explained.stderr, "wrote page.html\n");
        let page = fs::read_to_string(project.path().join("page.html")).unwrap();
        let prompt = run(project.path(), &args(&["render"])).stdout;
        let found = text_of(&page, "<pre id=\"prompt\" tabindex=\"0\">", "</pre>");
        assert_eq!(format!("{found}\n"), prompt);
        assert!(found.contains("</q>\n&amp; \"it's\" \0 <!--"), "{found}");
        // Nothing of the rules is markup, and nothing is loaded from elsewhere.
        assert_eq!(page.matches("<script").count(), 1);
        for loads in [" src=", "href=\"http", "url(", "@import"] {
            assert!(!page.contains(loads), "{loads}");
        }
    }
}

#[test]
fn json_adds_up_to_the_text() {
    let project = hostile();
    let args = ["explain", "--context", "cx.json", "--json", "--flag", "native_tools"];
    let explained = run(project.path(), &args);
    assert_eq!(explained.code, Some(0), "{}", explained.stderr);
    let json: Value = serde_json::from_str(&explained.stdout).unwrap();
    let args = ["render", "--context", "cx.json", "--json", "--flag", "native_tools"];
    let rendered: Value = serde_json::from_str(&run(project.path(), &args).stdout).unwrap();
    let bytes = rendered["text"].as_str().unwrap().len() as u64;
    let sum = |list: &str| {
        let rows = json[list].as_array().unwrap();
        rows.iter().map(|row| row["bytes"].as_u64().unwrap()).sum::<u64>()
    };
    assert_eq!(json["totals"]["bytes"], bytes);
    assert_eq!(sum("sections"), bytes);
    // A comma after each tool but the last, and the brackets.
    let tools = json["tools"].as_array().unwrap();
    assert_eq!(json["totals"]["tool_bytes"], sum("tools") + tools.len() as u64 + 1);
    assert!(tools.iter().all(|tool| tool["form"] == "native" && tool["bytes"].as_u64() > Some(0)));
    assert_eq!(json["report"]["variant"]["id"], "native-next-gen");
    let left_out = json["left_out"].as_array().unwrap();
    let browser = left_out.iter().find(|item| item["id"] == "browser_action").unwrap();
    assert_eq!(browser["why"], "flag browser is off");
}

#[test]
fn each_tool_in_the_text_has_its_cost() {
    let project = hostile();
    for variant in ["next-gen", "hermes"] {
        let args = ["explain", "--context", "cx.json", "--json", "--variant", variant];
        let json: Value = serde_json::from_str(&run(project.path(), &args).stdout).unwrap();
        let tools = json["tools"].as_array().unwrap();
        assert!(!tools.is_empty());
        for tool in tools {
            assert_eq!(tool["form"], "text");
            assert!(tool["bytes"].as_u64() > Some(20), "{tool}");
        }
    }
}

#[test]
fn the_table_is_for_people() {
    let files = [
        ("pack/contexts/basic.json", r#"{"variant": "mine", "model": {"window": 1000}}"#),
        (
            "pack/templates/components/a.md",
            "+++\nid = \"A_SECTION\"\nwhen = { flag = \"web\" }\n+++\nHi.\n",
        ),
        (
            "pack/variants/mine/variant.toml",
            "schema = 1\ncomponents = [\"A_SECTION\", \"B_SECTION\"]\n",
        ),
        ("pack/templates/components/b.md", "+++\nid = \"B_SECTION\"\n+++\n{{CWD}} {{GONE}}\n"),
    ];
    let project = project_with_pack("Work.\n\n# B\n{{B_SECTION}}\n{{A_SECTION}}\n# B\n", &files);
    let args = ["explain", "--pack", "pack", "--context", "pack/contexts/basic.json"];
    insta::assert_snapshot!(run(project.path(), &args).quiet());
}

#[test]
fn a_page_that_cannot_be_written_is_a_mistake() {
    let project = hostile();
    let args = ["explain", "--context", "cx.json", "--html", "no/such/page.html"];
    let ran = run(project.path(), &args);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
    assert!(ran.stderr.contains("no/such/page.html: the page cannot be written"), "{}", ran.stderr);
}

/// What a user, a server or a file is called does not reach a terminal as a command.
#[test]
fn names_do_not_steer_a_terminal() {
    let context = r#"{
        "rules": [{"path": "A\u001b[31m.md", "text": "x"}, {"path": "A\u001b[31m.md", "text": "x"}],
        "mcp_servers": [{"name": "a\u001b[2J", "status": "connected",
            "tools": [{"name": "b", "input_schema": {"type": "object"}}]}],
        "flags": ["native_tools"]
    }"#;
    let project = project(&[("cx.json", context)]);
    let ran = run(project.path(), &["explain", "--context", "cx.json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("A\\u{1b}[31m.md"), "{}", ran.stdout);
    let controls = |text: &str| text.chars().filter(|c| c.is_control() && *c != '\n').count();
    assert_eq!((controls(&ran.stdout), controls(&ran.stderr)), (0, 0));
}

/// Columns stand under each other whatever a name is written in, and fit where they can.
#[test]
fn the_table_has_the_width_of_the_terminal() {
    let component = |id: &str| format!("+++\nid = \"{id}\"\n+++\nText.\n");
    let variant = "schema = 1\ncomponents = [\"角色_SECTION\", \"LONGER_NAME_SECTION\"]\n";
    let files = [
        ("pack/variants/mine/variant.toml", variant),
        ("pack/templates/components/a.md", &component("角色_SECTION")),
        ("pack/templates/components/b.md", &component("LONGER_NAME_SECTION")),
    ];
    let project = project_with_pack("{{角色_SECTION}}\n{{LONGER_NAME_SECTION}}\n", &files);
    let args = ["explain", "--pack", "pack", "--variant", "mine"];
    let rows = |columns: &str| {
        let ran = command(project.path(), &args).env("COLUMNS", columns).output().unwrap();
        let stdout = String::from_utf8(ran.stdout).unwrap();
        let rows = stdout.lines().skip_while(|line| !line.starts_with("section"));
        rows.take_while(|line| !line.is_empty()).map(|row| format!("{row}\n")).collect::<String>()
    };
    insta::assert_snapshot!(format!("{}\n{}\n{}", rows("40"), rows("80"), rows("200")));
}

#[test]
fn a_budget_is_reported_with_what_it_took() {
    let rules = "Use tabs.\\n".repeat(2_000);
    let context = format!(r#"{{"rules": [{{"path": "AGENTS.md", "text": "{rules}"}}]}}"#);
    let project = project(&[("cx.json", &context)]);
    let args = ["explain", "--context", "cx.json", "--budget", "5000", "--reserve", "1000"];
    let reported = run(project.path(), &args);
    assert_eq!(reported.code, Some(0), "{}", reported.stderr);
    let line = reported.stdout.lines().find(|line| line.contains("budget of")).unwrap().trim();
    let spent = line.strip_suffix(" tokens of a budget of 4,000").unwrap().replace(',', "");
    // A line of the rules has three tokens at most.
    assert!((3_997..=4_000).contains(&spent.parse::<usize>().unwrap()), "{line}");
    let total = reported.stdout.lines().find(|line| line.starts_with("text ")).unwrap();
    assert!(total.replace(',', "").contains(&format!(" {spent} tokens ")), "{total}");
}
