//! What must hold of any answer, any tools and any call.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "that is how a test fails"
)]

mod support;

use std::sync::Arc;

use promptline::{
    McpServer, McpTool, Pack, Param, PromptContext, PromptRegistry, ToolSpec,
    tools::{TextForm, Tool, tool_section},
};
use promptline_calls::{
    Call, CallGrammar, CallParser, Dialect, Dialects, Event, Handling, Options, Parsed,
    parse_calls, parse_calls_with, render_call,
};
use proptest::prelude::*;
use support::cases;
use support::feed::{self, grammar};

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        max_global_rejects: 1_000_000,
        ..ProptestConfig::default()
    }
}

// ---- the examples of our own tool sections ----------------------------------------------------------

/// The samples that a section shows: what stands behind each `Usage:`.
fn samples(section: &str) -> Vec<&str> {
    let parts = section.split("\nUsage:\n").skip(1);
    parts.map(|part| part.split("\n\n## ").next().unwrap()).collect()
}

/// Reads the sample of each tool: one call, with every parameter that it shows.
fn check_samples<'a>(section: &str, specs: impl IntoIterator<Item = &'a ToolSpec>) -> usize {
    let specs: Vec<&ToolSpec> = specs.into_iter().collect();
    let grammar = CallGrammar::from_tools(specs.iter().map(|spec| Tool::from(*spec)));
    let mut count = 0;
    for sample in samples(section) {
        let parsed = parse_calls(&grammar, sample);
        let [call] = parsed.calls.as_slice() else { panic!("{sample}: {parsed:?}") };
        assert!(call.complete() && !call.repaired() && !call.junk, "{sample}: {call:?}");
        assert!(call.unknown.is_empty() && call.duplicates.is_empty(), "{sample}: {call:?}");
        let spec = specs.iter().find(|spec| spec.name == call.name).expect("it is offered");
        let promptline::tools::ToolInput::Params(params) = &spec.input else {
            // A server's schema has no samples of values.
            assert_eq!(call.args.len(), sample.matches("\n<").count() - 1, "{sample}: {call:?}");
            count += 1;
            continue;
        };
        let shown: Vec<&Param> =
            params.iter().filter(|param| sample.contains(&format!("\n<{}>", param.name))).collect();
        assert_eq!(call.args.len(), shown.len(), "{sample}: {call:?}");
        for param in shown {
            assert_eq!(call.arg(&param.name).map(str::trim), Some(param.usage.trim()), "{sample}");
        }
        count += 1;
    }
    count
}

/// The hermes form shows one call, which is read; what it teaches is called by each function's own
/// samples.
fn check_functions<'a>(prompt: &str, specs: impl IntoIterator<Item = &'a ToolSpec>) -> usize {
    let specs: Vec<&ToolSpec> = specs.into_iter().collect();
    let grammar = CallGrammar::from_tools(specs.iter().map(|spec| Tool::from(*spec)));
    let options = Options::new().dialects(Dialects::from(Dialect::Hermes));
    let one = |text: &str| -> Call {
        let parsed = parse_calls_with(&grammar, text, &options);
        let [call] = parsed.calls.as_slice() else { panic!("{text}: {parsed:?}") };
        assert!(call.complete() && call.unknown.is_empty(), "{call:?}");
        call.clone()
    };
    let (_, shown) = prompt.split_once("\n<tool_call>\n").unwrap();
    let (shown, _) = shown.split_once("</tool_call>").unwrap();
    assert_eq!(one(&format!("<tool_call>\n{shown}</tool_call>")).name, "read_file");
    for spec in &specs {
        let promptline::tools::ToolInput::Params(params) = &spec.input else { panic!("authored") };
        let args: serde_json::Map<String, serde_json::Value> =
            params.iter().map(|param| (param.name.clone(), param.usage.clone().into())).collect();
        let call = serde_json::json!({"name": spec.name, "arguments": args});
        let call = one(&format!("<tool_call>\n{call}\n</tool_call>"));
        assert_eq!(call.args.len(), params.len(), "{call:?}");
    }
    specs.len()
}

#[test]
fn the_sample_of_every_tool_of_every_variant_is_one_call() {
    let registry = PromptRegistry::builder().pack(Pack::builtin()).build().unwrap();
    let flags =
        ["browser", "task_progress", "auto_approve", "web_tools", "subagents", "cli", "multi_root"];
    let mut count = 0;
    for variant in registry.variants() {
        let mut cx =
            PromptContext::default().with_mcp_server(McpServer::new("s").with_tool(McpTool::new(
                "t",
                "d",
                serde_json::json!({"type": "object"}),
            )));
        cx.variant = Some(variant.id().to_string());
        for flag in flags {
            cx = cx.with_flag(flag);
        }
        let prompt = registry.build_blocking(&cx).unwrap();
        let Some(section) = prompt.section("TOOLS_SECTION") else { continue };
        let specs = prompt.enabled_tools().iter().map(|tool| tool.spec());
        count += match variant.text_form() {
            TextForm::Hermes => check_functions(prompt.text(), specs),
            _ => check_samples(&section, specs),
        };
    }
    assert!(count > 30, "{count} samples were read");
    // Those that no variant lists yet are read too.
    let specs: Vec<ToolSpec> = registry.tools().cloned().collect();
    let section = tool_section(&specs, &PromptContext::default()).unwrap().text.to_string();
    assert!(check_samples(&section, &specs) > 5);
}

fn name() -> impl Strategy<Value = String> {
    "[a-z_][a-z0-9_.-]{0,6}".prop_filter("no tag of thinking or wrapping", |name| {
        !["think", "thinking", "tool_call", "function_calls"].contains(&name.as_str())
    })
}

/// Values as they are: plain, with markup, with tags of the tools of [`grammar`].
fn value() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[ -~\\n]{0,12}",
        "\\PC{0,6}",
        prop::sample::select(&PIECES[..]).prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

fn specs() -> impl Strategy<Value = Vec<ToolSpec>> {
    let param = (name(), "[ -;=-~\\n]{0,20}", any::<bool>(), any::<bool>());
    let tool = (name(), prop::collection::vec(param, 0..5));
    prop::collection::vec(tool, 1..4).prop_map(|tools| {
        let mut seen = std::collections::BTreeSet::new();
        let mut specs = Vec::new();
        for (tool, params) in tools {
            if !seen.insert(tool.clone()) {
                continue;
            }
            let mut names = std::collections::BTreeSet::new();
            let mut spec = ToolSpec::new(tool).with_description("Does it.");
            for (name, usage, required, body) in params {
                if names.insert(name.clone()) {
                    let param = if required {
                        Param::required(name, "One.")
                    } else {
                        Param::optional(name, "One.")
                    };
                    let param = param.with_usage(usage);
                    spec = spec.with_param(if body { param.with_body() } else { param });
                }
            }
            specs.push(spec);
        }
        specs
    })
}

// ---- answers ----------------------------------------------------------------------------------------

/// What hostile answers are made of.
const PIECES: [&str; 68] = [
    "<read>",
    "</read>",
    "<read >",
    "</ read>",
    "<read/>",
    "<read path=\"a>b\">",
    "<path>",
    "</path>",
    "<path/>",
    "<write>",
    "</write>",
    "<write><path>a</path><content>\n",
    "<content>",
    "</content>",
    "</content>\n</write>",
    "</content></write>",
    "<content>\n",
    "\n</content>\n",
    "<other>",
    "</other>",
    "<",
    ">",
    "</",
    "<<",
    "`",
    "```",
    "\n```\n",
    "~~~\n",
    "\n",
    " ",
    "   \n",
    "<![CDATA[",
    "]]>",
    "<thinking>",
    "</thinking>",
    "<think>",
    "</think>",
    "<tool_call>",
    "</tool_call>",
    "<tool_call>read",
    "<arg_key>path</arg_key>\n<arg_value>",
    "</arg_value>",
    "<function=write>",
    "</function>",
    "<parameter=content>\n",
    "\n</parameter>\n",
    "<parameter=path>",
    "</parameter>",
    "<invoke name=\"write\">",
    "</invoke>",
    "<parameter name='content'>",
    "<function_calls>\n",
    "\n</function_calls>",
    "{\"name\": \"read\", \"arguments\": {\"path\": \"a\"}}",
    "{'name': 'read', ",
    "{\"name\": \"command\", \"args\": {\"command\": \"b\"}}",
    "{\"name\": \"other\", \"x\": 1}",
    "[",
    ",\n",
    "{",
    "}",
    "\"",
    "[read(",
    "[TOOL_CALLS]",
    "<|python_tag|>",
    "x",
    "é🙂",
    "\u{A0}",
];

fn answer() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        8 => prop::sample::select(&PIECES[..]).prop_map(str::to_owned),
        1 => "[ -~\\n]{0,8}",
        1 => "\\PC{0,4}",
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// Members of a call in JSON, with a mark in every value.
fn members() -> impl Strategy<Value = Vec<(&'static str, String)>> {
    let keys = [
        "arguments",
        "parameters",
        "args",
        "input",
        "path",
        "content",
        "id",
        "type",
        "x",
        "function",
    ];
    let one =
        (prop::sample::select(keys.to_vec()), prop::sample::select(keys.to_vec()), 0..6_usize);
    prop::collection::vec(one, 0..6).prop_map(|members| {
        let write = |(at, (key, inner, form)): (usize, (&'static str, &str, usize))| {
            let object = format!("{{{inner:?}: \"mark{at}a\", \"y\": [\"mark{at}b\"]}}");
            let value = match form {
                0 => format!("\"mark{at}\""),
                1 => format!("[\"mark{at}\", {{}}]"),
                2 => serde_json::Value::from(object).to_string(),
                _ => object,
            };
            (key, value)
        };
        members.into_iter().enumerate().map(write).collect()
    })
}

fn options() -> impl Strategy<Value = Options> {
    let limit = prop_oneof![3 => Just(1 << 20), 1 => 1_usize..80];
    (any::<bool>(), any::<bool>(), any::<bool>(), limit).prop_map(
        |(auto, code, thinking, limit)| {
            let handling = |call| if call { Handling::Call } else { Handling::Text };
            Options::new()
                .dialects(if auto { Dialects::AUTO } else { Dialects::XML })
                .code(handling(code))
                .thinking(handling(thinking))
                .max_call_bytes(limit)
        },
    )
}

fn in_pieces(options: &Options, pieces: &[&str]) -> Parsed {
    let mut parsed = Parsed::default();
    let mut parser = CallParser::new(Arc::new(grammar()), options.clone());
    for piece in pieces {
        parser.push(piece, &mut |event| parsed.take(&event));
    }
    parsed.summary = parser.finish(&mut |event| parsed.take(&event));
    parsed
}

proptest! {
    #![proptest_config(config(500))]

    #[test]
    fn pieces_make_no_difference(answer in answer(), options in options(), seed in any::<u64>()) {
        let whole = parse_calls_with(&grammar(), &answer, &options);
        prop_assert_eq!(feed::covers(&whole, answer.len()), None);
        prop_assert_eq!(&in_pieces(&options, &cases::pieces(&answer, 1)), &whole);
        prop_assert_eq!(&in_pieces(&options, &cases::random_pieces(&answer, seed)), &whole);
    }

    #[test]
    fn any_bytes_are_an_answer(bytes in prop::collection::vec(any::<u8>(), 0..200), answer in answer()) {
        feed::answer(&bytes);
        feed::answer(&[&bytes, answer.as_bytes()].concat());
    }

    /// Everything that is shown stays, and is no piece of a tag that opens a call.
    #[test]
    fn text_is_only_added_to(answer in answer(), options in options()) {
        let whole = parse_calls_with(&grammar(), &answer, &options);
        let mut parser = CallParser::new(Arc::new(grammar()), options);
        let mut shown = String::new();
        let mut at = 0;
        for piece in cases::pieces(&answer, 1) {
            parser.push(piece, &mut |event| if let Event::Text { text, range } = event {
                assert_eq!(&answer[range], text);
                shown.push_str(text);
            });
            at += piece.len();
            prop_assert!(whole.text.starts_with(&shown), "{:?} after {} bytes", shown, at);
        }
    }

    /// The previews of a parameter add up to its value, where nothing had to be mended and the value is
    /// no CDATA section, of which nothing is shown before it is whole.
    #[test]
    fn previews_add_up(answer in answer(), seed in any::<u64>()) {
        prop_assume!(!answer.contains("<![CDATA["));
        let options = Options::new().dialects(Dialects::AUTO);
        let mut parser = CallParser::new(Arc::new(grammar()), options);
        let mut shown = Vec::new();
        let mut values = Vec::new();
        let mut on = |event: Event<'_>| match event {
            Event::CallStart { .. } => (shown, values) = Default::default(),
            Event::ParamStart { .. } => shown.push(String::new()),
            Event::ParamDelta { text, .. } => shown.last_mut().unwrap().push_str(text),
            Event::ParamEnd { value, .. } => values.push(value.as_str().unwrap_or_default().to_owned()),
            Event::CallEnd { call, .. } if call.status == promptline_calls::Status::Complete => {
                for (shown, value) in shown.iter().zip(&values) {
                    // Attributes, JSON and empty elements are told at once.
                    assert!(shown == value || shown.is_empty(), "{shown:?}, {value:?}");
                }
            }
            _ => {}
        };
        for piece in cases::random_pieces(&answer, seed) {
            parser.push(piece, &mut on);
        }
        parser.finish(&mut on);
    }

    /// What a call says stands within its span, and only whole calls are complete.
    #[test]
    fn calls_are_where_they_say(answer in answer(), options in options()) {
        let parsed = parse_calls_with(&grammar(), &answer, &options);
        for call in &parsed.calls {
            let written = &answer[call.span.clone()];
            prop_assert!(written.starts_with('<') && written.contains(&call.name));
            if call.status == promptline_calls::Status::Complete {
                prop_assert!(written.ends_with('>'), "{:?}", written);
            }
        }
        prop_assert_eq!(parsed.summary.calls, parsed.calls.len());
        let incomplete = parsed.calls.iter().filter(|call| !call.complete()).count();
        prop_assert_eq!(parsed.summary.incomplete, incomplete);
    }

    /// Nothing in code, in thinking or in a value is a call.
    #[test]
    fn what_is_shown_is_not_done(inside in answer()) {
        let inside = inside.replace('`', "'").replace("</thinking>", "");
        for answer in [format!("```\n{inside}\n```\nx"), format!("<thinking>{inside}</thinking>x")] {
            let parsed = parse_calls(&grammar(), &answer);
            prop_assert_eq!(&parsed.calls, &[]);
            prop_assert_eq!(parsed.text, answer);
        }
    }

    /// What was cut off is never complete, and what stands in it is no call.
    #[test]
    fn a_cut_call_is_not_complete(body in value(), cut in any::<prop::sample::Index>()) {
        let call = Call::new("write").with("path", "a").with("content", body);
        if let Ok(text) = render_call(&grammar(), &call) {
            let cut = text.floor_char_boundary(cut.index(text.len()));
            let mut parsed = Parsed::default();
            let mut parser = CallParser::new(Arc::new(grammar()), Options::default());
            parser.push(&text[..cut], &mut |event| parsed.take(&event));
            parser.finish_cut(&mut |event| parsed.take(&event));
            prop_assert!(parsed.calls.iter().all(|call| !call.complete()), "{:?}", &text[..cut]);
        }
    }

    #[test]
    fn what_is_rendered_is_read_back(
        path in value(), content in value(), other in value(), surround in any::<bool>()
    ) {
        let call = Call::new("write").with("path", path).with("content", content);
        let calls = [call, Call::new("command").with("command", other), Call::new("read")];
        for call in &calls {
            let Ok(text) = render_call(&grammar(), call) else { continue };
            // It means the same in a text and before another call.
            let answer = if surround {
                format!("Now.\n{text}\n<read><path>x</path></read>")
            } else {
                text
            };
            let parsed = parse_calls(&grammar(), &answer);
            let mut read = parsed.calls[0].clone();
            read.span = call.span.clone();
            prop_assert_eq!(&read, call);
            prop_assert_eq!(parsed.calls.len(), if surround { 2 } else { 1 });
        }
    }

    /// Values without the tags of their own tool always can be rendered.
    #[test]
    fn ordinary_values_are_rendered(path in "\\PC{0,20}", content in "[ -~\\n]{0,60}") {
        prop_assume!(!path.contains('<') && !content.contains("</"));
        let call = Call::new("write").with("path", path).with("content", content);
        prop_assert!(render_call(&grammar(), &call).is_ok());
    }

    #[test]
    fn generated_samples_are_one_call(specs in specs()) {
        let usable = specs.iter().all(|spec| spec.check().is_ok());
        prop_assume!(usable);
        let section = tool_section(&specs, &PromptContext::default()).unwrap().text.to_string();
        prop_assert_eq!(check_samples(&section, &specs), specs.len());
    }

    /// Every member of a call that was read ends in its arguments, apart as unknown, or in a diagnostic.
    #[test]
    fn no_member_of_a_call_is_lost(members in members(), block in 0..3_usize) {
        let mut written: Vec<String> = vec!["\"name\": \"write\"".to_owned()];
        written.extend(members.iter().map(|(key, value)| format!("{key:?}: {value}")));
        let turn = block % written.len();
        written.rotate_left(turn);
        let call = format!("{{{}}}", written.join(", "));
        let text = match block {
            0 => format!("<tool_call>{call}</tool_call>"),
            1 => format!("<tool_call>\n[{call}, {call}]\n</tool_call>"),
            _ => format!("<tool_call>\n{call}\n{call}\n</tool_call>"),
        };
        let options = Options::new().dialects(Dialects::from(Dialect::Hermes));
        let parsed = parse_calls_with(&grammar(), &text, &options);
        prop_assert_eq!(parsed.calls.len(), if block == 0 { 1 } else { 2 }, "{}", &text);
        let marks = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| word.starts_with("mark"));
        for mark in marks {
            for call in &parsed.calls {
                let kept = serde_json::to_string(call).unwrap();
                let told = parsed.diagnostics.iter().any(|said| said.message.contains(mark));
                prop_assert!(kept.contains(mark) || told, "{} of {} in {:?}", mark, &text, call);
            }
        }
    }

    #[test]
    fn types_never_fail(text in value()) {
        let specs = ["string", "integer", "number", "boolean", "array", "object", "odd"].map(|kind| {
            ToolSpec::new(kind).with_param(Param::required("v", "One.").with_kind(kind))
        });
        let grammar = CallGrammar::from_tools(specs.iter().map(Tool::from));
        for spec in &specs {
            let (args, issues) = grammar.typed(&Call::new(&spec.name).with("v", text.as_str()));
            prop_assert_eq!(args.len(), 1);
            // It stays as it is, or is of the type.
            prop_assert!(issues.len() <= 1);
        }
    }
}
