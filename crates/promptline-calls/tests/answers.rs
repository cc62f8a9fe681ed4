//! The rules of reading, one answer each: what is text, what is a call, what is mended, what is not.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "that is how a test fails")]

use promptline_calls::{CallGrammar, Dialects, Options, Parsed, Status, parse_calls_with};

fn read(answer: &str) -> Parsed {
    let grammar = CallGrammar::default()
        .tool("read", [("path", false), ("lines", false)])
        .tool("write", [("path", false), ("content", true)])
        .tool("now", []);
    parse_calls_with(&grammar, answer, &Options::new().dialects(Dialects::AUTO))
}

/// The calls in short: `read(path=a, lines=1)`, `!` before one that is cut off, `~` before one that was
/// mended, `?` before a parameter that is not declared, `…` behind one with junk.
fn short(parsed: &Parsed) -> String {
    let call = |call: &promptline_calls::Call| {
        let mark = match call.status {
            Status::Complete => "",
            Status::Truncated => "!",
            _ => "~",
        };
        let text = |value: &serde_json::Value| match value {
            serde_json::Value::String(text) => text.clone(),
            value => value.to_string(),
        };
        let args = call.args.iter().map(|(name, value)| format!("{name}={}", text(value)));
        let unknown = call.unknown.iter().map(|(name, value)| format!("?{name}={}", text(value)));
        let args: Vec<String> = args.chain(unknown).collect();
        format!("{mark}{}({}){}", call.name, args.join(", "), if call.junk { "…" } else { "" })
    };
    parsed.calls.iter().map(call).collect::<Vec<_>>().join(" ")
}

/// The answer; its text; its calls in short.
macro_rules! cases {
    ($($name:ident: $answer:expr => $text:expr, $calls:expr;)*) => {$(
        #[test]
        fn $name() {
            let parsed = read($answer);
            assert_eq!((parsed.text.as_str(), short(&parsed).as_str()), ($text, $calls));
        }
    )*};
}

cases! {
    // What opens a call.
    a_call: "a<read><path>b</path></read>c" => "ac", "read(path=b)";
    without_parameters: "<now></now>" => "", "now()";
    closed_in_itself: "<now/>." => ".", "now()";
    closed_in_itself_with_parameters_is_spoken_of: "Use <read/>." => "Use <read/>.", "";
    an_attribute_that_is_a_parameter: "<read path=\"a>b\"/>" => "", "read(path=a>b)";
    an_attribute_that_is_none: "<read id='7'><path>a</path></read>" => "", "read(path=a)";
    an_attribute_without_quotes_is_no_tag: "<now a=b></now>" => "<now a=b></now>", "";
    spoken_of: "Use <read> here." => "Use <read> here.", "";
    spoken_of_at_the_end: "Use <read>" => "Use ", "!read()";
    another_tool_behind: "<read>\n<now></now>" => "<read>\n", "now()";
    a_name_that_goes_on: "<reader><path>a</path></reader>" => "<reader><path>a</path></reader>", "";
    in_a_code_span: "`<now></now>`" => "`<now></now>`", "";
    in_a_fence_in_a_list: "1. ```\n   <now/>\n   ```\n<now/>" => "1. ```\n   <now/>\n   ```\n", "now()";
    in_thinking: "<think><now/></think><now/>" => "<think><now/></think>", "now()";
    in_thinking_that_stays_open: "<think>I use\n<now/>\nDone." => "<think>I use\n<now/>\nDone.", "";
    in_thinking_behind_the_answer: "<now/>\nDone.\n<think>or <now/></think>" => "\nDone.\n<think>or <now/></think>", "now()";
    in_thinking_behind_the_answer_that_stays_open: "<now/><think><now/>" => "<think><now/>", "now()";
    in_thinking_closed_by_another_tag: "<think><now/></thinking><now/>" => "<think><now/></thinking><now/>", "";
    in_reasoning: "<reasoning>\n<now/>\n</reasoning>\n<now/>" => "<reasoning>\n<now/>\n</reasoning>\n", "now()";
    in_a_thought: "<thought><tool_call>{\"name\": \"now\"}</tool_call>" => "<thought><tool_call>{\"name\": \"now\"}</tool_call>", "";
    in_thinking_of_seed: "<seed:think><now/></seed:think><now/>" => "<seed:think><now/></seed:think>", "now()";
    an_indented_body: "<write>\n  <content>\n    a\n      b\n  </content>\n</write>" => "", "write(content=    a\n      b)";
    thinking_in_code: "`<think>` <now/>" => "`<think>` ", "now()";
    wrapped: "<tool_call>\n<now/>\n</tool_call>." => ".", "now()";
    wrapped_twice: "<function_calls>\n<now/>\n<now/>\n</function_calls>" => "", "now() now()";
    a_wrapper_that_stays_open: "<tool_call>\n<now/>\nDone" => "\nDone", "now()";
    a_wrapper_that_is_cut: "<tool_call>\n<now/>\n</tool_" => "", "now()";

    // Where a value ends.
    trimmed: "<read><path>\n a b \n</path></read>" => "", "read(path=a b)";
    a_body_keeps_its_blanks: "<write><content>\n a \n\n</content></write>" => "", "write(content= a \n)";
    a_body_with_its_own_tag: "<write><content>the <content> tag</content></write>" => "", "write(content=the <content> tag)";
    a_body_with_the_closing_tags: "<write><content>a</content> b</write> c\n</content></write>" => "", "write(content=a</content> b</write> c)";
    a_body_with_a_call: "<write><content><write><content>x</content></write></content></write>" => "", "write(content=<write><content>x</content></write>)";
    a_body_first: "<write><content>a</content><path>b</path></write>" => "", "write(content=a, path=b)";
    entities_stay: "<read><path>&lt;</path></read>" => "", "read(path=&lt;)";
    an_empty_element: "<read><path/></read>" => "", "read(path=)";
    cdata: "<write><content><![CDATA[</content></write>]]></content></write>" => "", "write(content=</content></write>)";

    // What is mended, and what is not.
    a_short_value_that_stays_open: "<read><path>a\n</read>" => "", "~read(path=a)";
    the_same_before_a_call: "<read><path>a\n</read>\n<read><path>b</path></read>" => "\n", "~read(path=a) read(path=b)";
    the_same_before_words: "<read><path>a\n</read>\nDone" => "", "!read(path=a\n</read>\nDone)";
    two_values_that_stay_open: "<read>\n<path>a\n<lines>1\n</read>" => "", "~read(path=a, lines=1)";
    a_body_that_stays_open: "<write><content>a\n</write>" => "", "~write(content=a)";
    the_same_before_a_call_: "<write><content>a\n</write>\n<now/>" => "\n", "~write(content=a) now()";
    the_same_before_words_: "<write><content>a\n</write>\nDone" => "", "!write(content=a\n</write>\nDone)";
    a_call_that_stays_open: "<read><path>a</path>\n<now/>" => "", "~read(path=a) now()";
    a_call_that_is_cut: "<read><path>a</path>" => "", "!read(path=a)";
    a_document_that_is_cut: "<write><content>Thus:\n<write><content>x</content></write>" => "", "!write(content=Thus:\n<write><content>x</content></write>)";
    cut_in_cdata: "<write><content><![CDATA[</content></write>" => "", "!write(content=<![CDATA[</content></write>)";
    cut_in_a_tag: "<re" => "<re", "";
    the_wrong_closing_tag: "<read><path>a</path></write>" => "", "!read(path=a)…";
    words_between: "<read><path>a</path> and <lines>1</lines></read>" => "", "read(path=a, lines=1)…";
    undeclared: "<read><x>1</x><path>a</path></read>" => "", "read(path=a, ?x=1)";
    twice: "<read><path>a</path><path>b</path></read>" => "", "read(path=b)";

    // Other dialects.
    qwen: "<tool_call>\n<function=read>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>" => "", "read(path=a)";
    qwen_that_was_not_opened: "<function=now>\n</function>\n</tool_call>" => "", "now()";
    qwen_that_splits: "<function=read>\n<parameter=path>\na\n<parameter=lines>\n1\n</parameter>\n</function>" => "", "~read(path=a, lines=1)";
    qwen_with_its_own_tags: "<function=write>\n<parameter=content>\na </parameter> b </function> c\n</parameter>\n</function>" => "", "write(content=a </parameter> b </function> c)";
    qwen_of_nobody: "<function=nobody>\n</function>" => "<function=nobody>\n</function>", "";
    qwen_without_its_close: "<tool_call>\n<function=read>\n<parameter=path>\na\n</parameter>\n</tool_call>" => "", "~read(path=a)";
    hermes: "<tool_call>\n{\"arguments\": {\"path\": [1]}, \"name\": \"read\"}\n</tool_call>" => "", "read(path=[1])";
    hermes_with_parameters: "<tool_call>{\"name\": \"read\", \"parameters\": {\"path\": \"a\"}}</tool_call>" => "", "read(path=a)";
    hermes_a_brace_short: "<tool_call>\n{\"name\": \"read\", \"arguments\": {\"path\": \"a\"}\n</tool_call>" => "", "~read(path=a)";
    hermes_with_line_breaks: "<tool_call>{\"name\": \"read\", \"arguments\": {\"path\": \"a\nb\"}}</tool_call>" => "", "~read(path=a\nb)";
    hermes_twice: "<tool_call>{\"name\": \"read\", \"arguments\": {\"path\": 1, \"path\": 2}}</tool_call>" => "", "read(path=2)";
    hermes_args: "<tool_call>{\"name\": \"read\", \"args\": {\"path\": \"a\"}}</tool_call>" => "", "read(path=a)";
    hermes_input_in_a_string: "<tool_call>{\"name\": \"read\", \"input\": \"{\\\"path\\\": 1}\"}</tool_call>" => "", "read(path=1)";
    hermes_flat: "<tool_call>{\"path\": \"a\", \"name\": \"read\", \"x\": 1}</tool_call>" => "", "read(path=a, ?x=1)";
    hermes_flat_beside_arguments: "<tool_call>{\"name\": \"read\", \"arguments\": {}, \"path\": \"a\"}</tool_call>" => "", "read(path=a)";
    hermes_as_a_provider_writes: "<tool_call>{\"type\": \"function\", \"function\": {\"name\": \"read\", \"arguments\": \"{\\\"path\\\":\\\"a\\\"}\"}}</tool_call>" => "", "read(path=a, ?type=function)";
    hermes_two_kinds_of_arguments: "<tool_call>{\"name\": \"read\", \"arguments\": {\"path\": 1}, \"parameters\": {\"lines\": 2}}</tool_call>"
        => "", "read(path=1, ?parameters={\"lines\":2})";
    hermes_without_arguments: "<tool_call>{\"name\": \"now\", \"arguments\": null}</tool_call>" => "", "now()";
    hermes_lines: "<tool_call>\n{\"name\": \"now\"}\n{\"name\": \"read\", \"arguments\": {\"path\": 1}}\n</tool_call>." => ".", "now() read(path=1)";
    hermes_with_commas: "<tool_call>{\"name\": \"now\"}, {\"name\": \"now\"}</tool_call>" => "", "now() now()";
    hermes_list: "<tool_call>[{\"name\": \"now\"}, {\"name\": \"read\", \"args\": {\"path\": 1}}]</tool_call>" => "", "now() read(path=1)";
    hermes_list_with_another_tool: "<tool_call>[{\"name\": \"now\"}, {\"name\": \"nobody\"}]</tool_call>b" => "b", "now()";
    hermes_lines_cut: "<tool_call>{\"name\": \"now\"}\n{\"name\": \"read\", \"arguments\": {\"path\": \"a" => "", "now() !read(path=a)";
    block_of_nemotron: "<TOOLCALL>[{\"name\": \"now\", \"arguments\": {}}]</TOOLCALL>" => "", "now()";
    block_of_hunyuan: "<tool_calls>[{\"name\": \"read\", \"arguments\": {\"path\": 1}}]</tool_calls>." => ".", "read(path=1)";
    block_of_granite: "<function_call> {\"name\": \"now\", \"arguments\": {}}" => "", "~now()";
    block_of_phi: "a<|tool_call|>[{\"name\": \"now\", \"arguments\": {}}]<|/tool_call|>" => "a", "now()";
    invoke_with_its_name_space: "<antml:function_calls>\n<antml:invoke name=\"read\">\n<antml:parameter name=\"path\">a</antml:parameter>\n</antml:invoke>\n</antml:function_calls>" => "", "read(path=a)";
    wrapper_of_seed: "<seed:tool_call>\n<function=read>\n<parameter=path>a</parameter>\n</function>\n</seed:tool_call>" => "", "read(path=a)";
    hermes_of_nobody: "<tool_call>{\"name\": \"nobody\"}</tool_call>" => "<tool_call>{\"name\": \"nobody\"}</tool_call>", "";
    hermes_that_holds_a_call: "<tool_call>{\"x\": \"<now/>\"}</tool_call>" => "<tool_call>{\"x\": \"<now/>\"}</tool_call>", "";
    glm: "<tool_call>read<arg_key>path</arg_key><arg_value>a </arg_value></tool_call>" => "", "read(path=a )";
    glm_that_splits: "<tool_call>read<arg_key>path</arg_key><arg_value>a<arg_key>lines</arg_key><arg_value>1</arg_value></tool_call>" => "", "~read(path=a, lines=1)";
    glm_that_is_cut: "<tool_call>read\n<arg_key>pa" => "", "!read()";
    invoke: "<invoke name='read'><parameter name=\"path\">a</parameter></invoke>" => "", "read(path=a)";
    invoke_in_a_wrapper: "<minimax:tool_call>\n<invoke name=\"now\">\n</invoke>\n</minimax:tool_call>" => "", "now()";
    invoke_with_its_own_tags: "<invoke name=\"write\"><parameter name=\"content\"><parameter name=\"a\">b</parameter>\n</parameter></invoke>" => "", "write(content=<parameter name=\"a\">b</parameter>\n)";
}

/// The code and subject of each diagnostic.
macro_rules! diagnostics {
    ($($name:ident: $answer:expr => $($found:literal),*;)*) => {$(
        #[test]
        fn $name() {
            let said: Vec<String> = read($answer)
                .diagnostics
                .iter()
                .map(|said| format!("{} {}", said.code, said.subject.as_deref().unwrap_or("-")))
                .collect();
            let want: &[&str] = &[$($found),*];
            assert_eq!(said, want);
        }
    )*};
}

diagnostics! {
    nothing_to_say: "a <b> [x](y) {z} <now/>" => ;
    the_wrong_case: "<READ><path>a</path></READ>" => "suspected-call read";
    a_blank_in_the_name: "<re ad>" => "suspected-call read";
    a_tool_of_nobody: "<invoke name=\"x\"></invoke>" => "suspected-call x";
    json_of_nobody: "<tool_call>{\"name\": \"x\"}</tool_call>" => "suspected-call x";
    mistral: "[TOOL_CALLS][{\"name\": \"now\"}]" => "suspected-call mistral";
    python: "[now()]" => "suspected-call pythonic";
    python_of_nobody: "[x()]" => ;
    bare_json: "{\"name\": \"now\", \"parameters\": {}}" => "suspected-call llama3-json";
    bare_json_later: "x {\"name\": \"now\", \"parameters\": {}}" => "suspected-call now";
    a_mark_in_code: "`[TOOL_CALLS]`" => ;
    a_mark_twice: "<|call|> <|call|>" => "suspected-call harmony";
    calls_in_code: "```\n<now/><now/>\n```" => "suppressed-call -";
    a_call_in_json_in_code: "```\n<tool_call>{\"name\": \"now\"}</tool_call>\n```" => "suppressed-call -";
    a_cut_tag: "<rea" => "truncated-tag -";
    a_cut_call: "<read><path>a" => "truncated-call read";
    a_mended_call: "<read><path>a</read>" => "repaired-call read";
    junk: "<read><path>a</path>?</read>" => "junk read";
    unknown: "<read><x>a</x></read>" => "unknown-parameter read";
    twice_said: "<read><path>a</path><path>b</path></read>" => "duplicate-parameter read";
    an_attribute: "<read id=\"1\"><path>a</path></read>" => "dropped-attribute read";
}

#[test]
fn a_call_that_is_too_large_ends_everything() {
    let grammar = CallGrammar::default().tool("now", []).tool("write", [("content", true)]);
    let options = Options::new().max_call_bytes(40);
    let answer = format!("<now/><write><content>{}<now/></content></write><now/>", "x".repeat(60));
    let parsed = parse_calls_with(&grammar, &answer, &options);
    assert_eq!(parsed.calls.len(), 2);
    assert!(!parsed.calls.get(1).unwrap().complete());
    assert!(parsed.text.ends_with("x<now/></content></write><now/>"), "{}", parsed.text);
    assert_eq!(parsed.diagnostics.first().unwrap().code, "call-too-large");
}
