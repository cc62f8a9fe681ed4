//! Formats that are described in TOML: what is read, in every chunking, and what is no description.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "that is how a test fails")]

use std::sync::Arc;

use promptline_calls::{
    CallFormat, CallGrammar, CallParser, Dialects, Options, Parsed, parse_calls_with,
};

fn grammar() -> CallGrammar {
    CallGrammar::default().tool("read", [("path", false), ("lines", false)]).tool("now", [])
}

fn parsed(answer: &str) -> Parsed {
    let mut options = Options::new().dialects(Dialects::AUTO);
    for name in CallFormat::built_in_names() {
        options = options.format(CallFormat::built_in(name).unwrap());
    }
    let whole = parse_calls_with(&grammar(), answer, &options);
    let characters: Vec<char> = answer.chars().collect();
    for size in [1, 2, 3, 7, 20] {
        let mut parsed = Parsed::default();
        let mut parser = CallParser::new(Arc::new(grammar()), options.clone());
        for piece in characters.chunks(size) {
            parser.push(&piece.iter().collect::<String>(), &mut |event| parsed.take(&event));
        }
        parsed.summary = parser.finish(&mut |event| parsed.take(&event));
        assert_eq!(parsed, whole, "in pieces of {size}");
    }
    whole
}

/// The answer, its text, its calls: `!` before one that was cut, `~` before one that was repaired.
macro_rules! cases {
    ($($name:ident: $answer:expr => $text:expr, $calls:expr;)*) => {$(
        #[test]
        fn $name() {
            let parsed = parsed($answer);
            let calls = parsed.calls.iter().map(|call| {
                let mark = if !call.complete() { "!" } else if call.repaired() { "~" } else { "" };
                let args = serde_json::to_string(&call.args).unwrap();
                format!("{mark}{}{args}", call.name)
            });
            let calls = calls.collect::<Vec<_>>().join(" ");
            assert_eq!((parsed.text.as_str(), calls.as_str()), ($text, $calls));
        }
    )*};
}

cases! {
    kimi: "Hm.<|tool_calls_section_begin|><|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>{\"path\":\"a\"}<|tool_call_end|><|tool_call_begin|>functions.now:1<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>"
        => "Hm.", "read{\"path\":\"a\"} now{}";
    kimi_singular: "<|tool_call_section_begin|><|tool_call_begin|>now:0<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_call_section_end|>" => "", "now{}";
    kimi_cut: "<|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>{\"path\":\"a" => "", "!read{\"path\":\"a\"}";
    kimi_without_its_close: "<|tool_call_begin|>functions.now:0<|tool_call_argument_begin|>{}" => "", "~now{}";
    kimi_with_marks_in_a_string: "<|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>{\"path\":\"<|tool_call_end|>\"}<|tool_call_end|>" => "", "read{\"path\":\"<|tool_call_end|>\"}";
    kimi_of_another_tool: "<|tool_call_begin|>functions.x:0<|tool_call_argument_begin|>{}<|tool_call_end|>" => "<|tool_call_begin|>functions.x:0<|tool_call_argument_begin|>{}<|tool_call_end|>", "";
    kimi_in_code: "`<|tool_call_begin|>functions.now:0<|tool_call_argument_begin|>{}<|tool_call_end|>`" => "`<|tool_call_begin|>functions.now:0<|tool_call_argument_begin|>{}<|tool_call_end|>`", "";
    kimi_in_thinking: "<think><|tool_call_begin|>functions.now:0<|tool_call_argument_begin|>{}<|tool_call_end|></think>" => "<think><|tool_call_begin|>functions.now:0<|tool_call_argument_begin|>{}<|tool_call_end|></think>", "";
    deepseek_v3: "Hm.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read\n```json\n{\"path\": \"a\"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>" => "Hm.", "read{\"path\":\"a\"}";
    deepseek_v31: "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read<｜tool▁sep｜>{\"path\": \"a\"}<｜tool▁call▁end｜><｜tool▁call▁begin｜>now<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>" => "", "read{\"path\":\"a\"} now{}";
    deepseek_cut: "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read<｜tool▁sep｜>{\"path\": \"a" => "", "!read{\"path\":\"a\"}";
    longcat: "<longcat_tool_call>\n{\"name\": \"read\", \"arguments\": {\"path\": \"a\"}}\n</longcat_tool_call>." => ".", "read{\"path\":\"a\"}";
    command_a: "<|START_ACTION|>[\n {\"tool_name\": \"read\", \"parameters\": {\"path\": \"a\"}},\n {\"tool_name\": \"now\", \"parameters\": {}}\n]<|END_ACTION|>" => "", "read{\"path\":\"a\"} now{}";
    llama: "<function=read>{\"path\": \"a\"}</function>" => "", "read{\"path\":\"a\"}";
    llama_beside_qwen: "<function=read>\n<parameter=path>\na\n</parameter>\n</function>" => "", "read{\"path\":\"a\"}";
    a_mark_that_is_spoken_of: "They write <|tool_call_begin|> there." => "They write <|tool_call_begin|> there.", "";
    a_mark_that_is_cut: "a<|tool_call_beg" => "a<|tool_call_beg", "";
}

#[test]
fn every_cut_of_a_call_is_incomplete_or_none() {
    let answer = "<|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>{\"path\":\"a\"";
    for end in 0..answer.len() {
        assert!(
            parsed(answer.get(..end).unwrap()).calls.iter().all(|call| !call.complete()),
            "{end}"
        );
    }
}

#[test]
fn what_is_no_description() {
    let cases = [
        ("name = \"a\"\n[[call]]\nopen = \"[A]\"\nclose = \"x\"\n", "must be `<` and more"),
        ("name = \"a\"\n[[call]]\nopen = \"<a>\"\nclose = \"\"\n", "each with `open` and `close`"),
        ("name = \"a\"\ncall = []\n", "at least one `[[call]]`"),
        ("name = \"a\"\n[[call]]\nopen = \"<a>\"\n", "close"),
        ("name = \"a\"\nopens = \"<a>\"\n[[call]]\nopen = \"<a>\"\nclose = \"b\"\n", "opens"),
        ("name =", ""),
    ];
    for (text, what) in cases {
        let error = CallFormat::from_toml("a.toml", text).unwrap_err().to_string();
        assert!(error.contains("a.toml") && error.contains(what), "{error}");
    }
    assert!(CallFormat::built_in("x").is_none());
}
