//! Time is linear: four times the answer is about four times the work, counted in bytes looked at.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and says what it ran"
)]

mod support;

use std::sync::Arc;

use promptline_calls::{CallGrammar, CallParser, Dialects, Options};
use support::{cases, shared};

/// The work that an answer takes in pieces of so many bytes, the repairs at its end included.
fn work(grammar: &Arc<CallGrammar>, answer: &str, size: usize) -> u64 {
    let options = Options::new().dialects(Dialects::AUTO);
    let mut parser = CallParser::new(Arc::clone(grammar), options);
    for piece in cases::pieces(answer, size) {
        parser.push(piece, &mut |_| {});
    }
    parser.finish_counted(&mut |_| {}).1
}

fn grammar() -> Arc<CallGrammar> {
    Arc::new(
        CallGrammar::default().tool("r", [("p", false)]).tool("w", [("p", false), ("c", true)]),
    )
}

/// Hostile answers: what comes first, what is repeated, what comes last.
const TRAPS: [(&str, &str, &str); 25] = [
    ("", "<", ""),
    ("", "<r", ""),
    ("", "<r ", ""),
    ("", "<r><", ""),
    ("<r>", " ", "x"),
    ("<tool_call>", " ", "<r><p>a</p></r>"),
    ("<tool_call> <r>", " ", "x"),
    ("", "<tool_call> ", ""),
    ("", "<r a=\"", ""),
    ("<r><p>", "</r> ", ""),
    ("<r><p>", " ", ""),
    ("<r><p>a", " ", "</p></r>"),
    ("<w><c>", "<", "</c></w>"),
    ("<w><c>", "</c>", ""),
    ("<w><c>", "</c> ", "</w>"),
    ("<w><c>x</c>", " ", "</w>"),
    ("<w><c>", "<w>", "</c></w>"),
    ("<w><c>", "</w><r>", ""),
    ("<w><c>", "</c></w x", ""),
    ("", "<w><c>b</w>\n", ""),
    ("", "<r><p>b</r>\n", ""),
    ("<w><c><![CDATA[", "]]", ""),
    ("<tool_call>{\"name\": \"r\", \"a\": [", "[", ""),
    ("<tool_call>{\"name\": \"r\"}", " ", "x"),
    ("<tool_call>{", "<", "}"),
];

#[test]
fn traps_are_linear() {
    let grammar = grammar();
    for (first, repeated, last) in TRAPS {
        for size in [1, 20, usize::MAX >> 1] {
            let answer = |count| format!("{first}{}{last}", repeated.repeat(count));
            let (small, large) = (answer(1_000), answer(4_000));
            let (small_work, large_work) =
                (work(&grammar, &small, size), work(&grammar, &large, size));
            let name = format!("{first}…{repeated}…{last} in {size}");
            assert!(large_work <= 5 * small_work, "{name}: {small_work}, then {large_work}");
            // A byte is looked at a bounded number of times; a tag that is fed byte by byte is looked at
            // anew with each.
            let bound = if size == 1 { 600 } else { 60 };
            assert!(
                large_work <= bound * large.len() as u64,
                "{name}: {large_work} of {}",
                large.len()
            );
        }
    }
}

#[test]
fn traps_of_the_shared_cases_are_linear() {
    let traps: Vec<_> = shared::all_cases("toolcalls")
        .into_iter()
        .filter(|case| case["input"].get("$rep").is_some())
        .collect();
    for case in &traps {
        let grammar = Arc::new(cases::grammar(&case["tools"]));
        let text = |divisor| cases::text(&case["input"], divisor);
        let (small, large) = (work(&grammar, &text(40), 20), work(&grammar, &text(10), 20));
        assert!(large <= 5 * small, "{}: {small}, then {large}", case["id"]);
    }
    println!("growth: {} traps", traps.len());
}

/// What is kept is what one call may take, whatever comes.
#[test]
fn memory_is_bounded() {
    let mut parser = CallParser::new(grammar(), Options::new().max_call_bytes(1_000));
    let mut most = 0;
    for (first, repeated, _) in TRAPS {
        for piece in cases::pieces(&format!("{first}{}", repeated.repeat(500)), 10) {
            parser.push(piece, &mut |_| {});
            most = most.max(parser.held());
        }
    }
    assert!(most <= 16_384, "{most} bytes were held");
}
