//! What is reported as a call that was meant and not read, and what is ordinary prose.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "that is how a test fails")]

use std::sync::Arc;

use promptline_calls::{
    CallGrammar, CallParser, Dialects, Language, Options, Parsed, parse_calls_with,
};

fn grammar() -> CallGrammar {
    CallGrammar::default()
        .tool("read_file", [("path", false)])
        .tool("list_files", [("path", false), ("recursive", false)])
        .tool("write_to_file", [("path", false), ("content", true)])
        .tool("run", [("cmd", false)])
        .tool("now", [])
}

fn suspected(answer: &str, dialects: Dialects) -> String {
    let options = Options::new().dialects(dialects);
    let whole = parse_calls_with(&grammar(), answer, &options);
    for size in [1, 3, 20] {
        let mut parsed = Parsed::default();
        let mut parser = CallParser::new(Arc::new(grammar()), options.clone());
        let characters: Vec<char> = answer.chars().collect();
        for piece in characters.chunks(size) {
            parser.push(&piece.iter().collect::<String>(), &mut |event| parsed.take(&event));
        }
        parsed.summary = parser.finish(&mut |event| parsed.take(&event));
        assert_eq!(parsed, whole, "in pieces of {size}");
    }
    let told = whole.diagnostics.iter().filter(|found| found.code == "suspected-call").count();
    assert_eq!(told, usize::from(whole.summary.suspected.is_some()));
    match &whole.summary.suspected {
        Some(found) => {
            assert!(answer.get(found.at..).unwrap().starts_with(&found.excerpt), "{found:?}");
            let subject = found.subject.as_deref().unwrap_or("-");
            for language in [Language::English, Language::Chinese] {
                assert!(found.feedback(language).chars().count() < 250);
            }
            format!("{}: {subject}", found.reason.as_str())
        }
        None => String::new(),
    }
}

/// The answer, and what is suspected in it with every dialect enabled.
macro_rules! cases {
    ($($name:ident: $answer:expr => $found:expr;)*) => {$(
        #[test]
        fn $name() {
            assert_eq!(suspected($answer, Dialects::AUTO), $found);
        }
    )*};
}

cases! {
    a_tool_that_was_not_offered: "<create_file><path>a</path></create_file>" => "unknown tool: create_file";
    its_parameter_is_unknown_too: "<create_file>\n<filename>a</filename>\n</create_file>" => "unknown tool: create_file";
    in_json: "<tool_call>{\"name\": \"open\", \"arguments\": {}}</tool_call>" => "unknown tool: open";
    in_qwen: "<function=open>\n</function>" => "unknown tool: open";
    the_wrong_case: "<Read_File><path>a</path></Read_File>" => "unknown tool: read_file";
    a_bare_value: "<list_files>\nsrc/\n</list_files>" => "value without its parameter: list_files";
    a_bare_value_on_one_line: "I look: <read_file>src/a.rs</read_file>" => "value without its parameter: read_file";
    a_bare_value_that_stays_open: "<read_file>src/a.rs" => "value without its parameter: read_file";
    closed_in_itself: "I look.\n<list_files/>\n" => "value without its parameter: list_files";
    a_name_and_a_path: "list_files src" => "tool name without markup: list_files";
    a_name_and_a_path_later: "I look.\n\nlist_files src/\n" => "tool name without markup: list_files";
    a_name_and_json: "run {\"cmd\": \"ls\"}" => "tool name without markup: run";
    as_code: "read_file(path=\"a.rs\")" => "tool name without markup: read_file";
    as_code_in_a_fence: "```tool_code\nread_file(path=\"a.rs\")\n```" => "tool name without markup: read_file";
    a_name_and_an_option: "run --cmd ls" => "tool name without markup: run";
    react: "Action: run\nAction Input: ls" => "tool name without markup: run";
    json_in_a_fence: "```json\n{\"name\": \"run\", \"arguments\": {\"cmd\": \"ls\"}}\n```" => "JSON in a fence: run";
    json_in_a_fence_over_lines: "Sure:\n```\n{\n  \"name\": \"run\",\n  \"parameters\": {\n    \"cmd\": \"ls\"\n  }\n}\n```\n" => "JSON in a fence: run";
    json_of_another_shape: "```json\n{\"tool\": \"run\", \"args\": {\"cmd\": \"ls\"}}\n```" => "JSON in a fence: run";
    json_in_the_text: "I call {\"name\": \"run\", \"arguments\": {\"cmd\": \"ls\"}}" => "JSON without markup: run";
    json_behind_thinking: "</think>{\"name\":\"run\",\"arguments\":{\"cmd\":\"ls\"}}</tool_call>" => "JSON without markup: run";
    json_in_a_list: "Calls: [{\"name\":\"run\",\"arguments\":{\"cmd\":\"ls\"}}]" => "JSON without markup: run";
    json_of_an_unknown_tool: "{\"name\": \"open\", \"arguments\": {\"path\": \"a\"}}" => "unknown tool: open";
    code_in_a_block: "<tool_call>run({\"cmd\":\"ls\"})</tool_call>" => "markup without a readable call: run";
    arguments_without_a_name: "<arg_key>cmd</arg_key><arg_value>ls</arg_value>\n</tool_call>" => "markup without a readable call: -";
    json_in_qwen: "<function=run>{\"cmd\":\"ls\"}</function>" => "markup without a readable call: run";
    olmo: "<function_calls>\nrun(cmd=\"ls\")\n</function_calls>" => "markup without a readable call: run";
    deepseek: "<\u{FF5C}DSML\u{FF5C}tool_calls>\n<\u{FF5C}DSML\u{FF5C}invoke name=\"run\">" => "format not enabled: deepseek";
    deepseek_doubled: "<\u{FF5C}\u{FF5C}DSML\u{FF5C}\u{FF5C}invoke name=\"run\">" => "format not enabled: deepseek";
    deepseek_bare: "<|DSML|invoke name=\"run\">" => "format not enabled: deepseek";
    kimi: "<|tool_call_begin|>functions.run:0<|tool_call_argument_begin|>{\"cmd\":\"ls\"}<|tool_call_end|>" => "format not enabled: kimi";
    gemma: "<|tool_call>call:run{cmd:<|\"|>ls<|\"|>}<tool_call|>" => "format not enabled: gemma";
    gemma_without_tokens: "call:run{cmd:ls}" => "format not enabled: gemma";
    lfm: "<|tool_call_start|>[run(cmd=\"ls\")]<|tool_call_end|>" => "format not enabled: lfm2";
    harmony_without_tokens: "to=functions.run {\"cmd\":\"ls\"}" => "format not enabled: harmony";
    pythonic_later: "Sure.\n[run(cmd=\"ls\")]" => "format not enabled: pythonic";
    mistral: "[TOOL_CALLS]run{\"cmd\": \"ls\"}" => "format not enabled: mistral";
    behind_a_call: "<now/>\nrun --cmd ls" => "tool name without markup: run";

    // Prose, and what is only shown.
    nothing: "" => "";
    a_plan: "I will use read_file next." => "";
    a_plan_in_code: "I will use `read_file` next, then `list_files src`." => "";
    a_sentence: "read_file is the right tool for this." => "";
    a_sentence_with_a_verb: "run the tests first.\nrun them again" => "";
    a_sentence_that_ends: "list_files failed." => "";
    a_list: "- read_file: reads a file\n- list_files: lists them\n" => "";
    a_heading: "## run tests/a.rs" => "";
    an_explanation: "run: this runs a command" => "";
    a_remark: "run (the first tool) is enough" => "";
    a_tag_spoken_of: "Use <read_file> here, and close it with </read_file>." => "";
    a_tag_in_code: "`<read_file>a</read_file>`" => "";
    a_block_spoken_of: "Some models write <tool_call> and </tool_call> around it." => "";
    in_thinking: "<think>some use <function=run> or <tool_call></think>Done." => "";
    html: "<div><p>a</p></div>\n<details><summary>b</summary></details>" => "";
    a_shell_fence: "```bash\nrun --cmd ls\n```" => "";
    json_of_something_else: "```json\n{\"name\": \"my-package\", \"version\": \"1.0.0\"}\n```" => "";
    json_of_a_person: "{\"name\": \"Ada\", \"born\": 1815}" => "";
    a_description_of_a_tool: "```json\n{\"name\": \"run\", \"description\": \"Runs.\", \"parameters\": {\"type\": \"object\"}}\n```" => "";
    a_call_that_was_read: "<run><cmd>ls</cmd></run>" => "";
    a_link: "[run](docs/run.md) and [now](a)" => "";
}

#[test]
fn formats_that_are_not_enabled() {
    let json = "<tool_call>\n{\"name\": \"now\"}\n</tool_call>";
    assert_eq!(suspected(json, Dialects::XML), "format not enabled: hermes");
    let qwen = "<function=now>\n</function>";
    assert_eq!(suspected(qwen, Dialects::XML), "format not enabled: qwen");
    let glm = "<tool_call>run\n<arg_key>cmd</arg_key>\n<arg_value>ls</arg_value>\n</tool_call>";
    assert_eq!(suspected(glm, Dialects::XML), "format not enabled: glm");
    let invoke = "<invoke name=\"now\"></invoke>";
    assert_eq!(suspected(invoke, Dialects::XML), "format not enabled: invoke");
}

#[test]
fn a_fence_that_ends_the_answer_is_closed() {
    let parsed = parse_calls_with(&grammar(), "```\n<now/>\n```", &Options::new());
    assert_eq!(parsed.diagnostics.first().unwrap().message, "a call stands in code; it is text");
}
