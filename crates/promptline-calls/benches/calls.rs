//! Reading answers in pieces of 20 bytes: ordinary text, calls, and the traps of the shared cases, in MB/s
//! and as growth: what four times as much takes.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a bench prints what it measured"
)]

#[path = "../tests/support/cases.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod cases;
#[path = "../tests/support/shared.rs"]
mod shared;

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use promptline_calls::{CallGrammar, CallParser, Dialects, Event, Options};

/// Each measurement is made so often, in turns with its reference; the best counts.
const TURNS: usize = 15;

fn main() {
    println!("{:<44} {:>10} {:>8} {:>10} {:>8}", "", "MB/s", "goal", "4n/n", "goal");
    let grammar = Arc::new(
        CallGrammar::default()
            .tool("read_file", [("path", false)])
            .tool("write_to_file", [("path", false), ("content", true)]),
    );
    for (dialects, name) in [(Dialects::XML, "xml"), (Dialects::AUTO, "auto")] {
        let options = Options::new().dialects(dialects);
        row(&format!("ordinary text, {name}"), 50.0, &grammar, &options, prose);
        row(&format!("text full of markup, {name}"), 5.0, &grammar, &options, markup);
        row(&format!("files written, {name}"), 50.0, &grammar, &options, files);
    }
    let Some(folder) = shared::cases_folder() else {
        println!("the folder of cases is absent: no traps");
        return;
    };
    for case in shared::read_cases(&folder, "toolcalls/dev.jsonl") {
        // The traps are the cases that are made of something repeated.
        if case["input"].get("$rep").is_none() {
            continue;
        }
        let grammar = Arc::new(cases::grammar(&case["tools"]));
        let name = format!("trap {}", case["id"].as_str().expect("an id"));
        row(&name, 5.0, &grammar, &Options::default(), |share| cases::text(&case["input"], share));
    }
}

/// Measures an answer and a fourth of it.
fn row(
    name: &str,
    goal: f64,
    grammar: &Arc<CallGrammar>,
    options: &Options,
    answer: impl Fn(u64) -> String,
) {
    let (whole, fourth) = (answer(1), answer(4));
    let (mut best_whole, mut best_fourth) = (Duration::MAX, Duration::MAX);
    let pieces = (cut(&whole), cut(&fourth));
    for _ in 0..TURNS {
        best_whole = best_whole.min(read(grammar, options, &pieces.0));
        // As long as the whole takes, so that whatever else the machine does meets both alike.
        let four = (0..4).map(|_| read(grammar, options, &pieces.1)).sum::<Duration>();
        best_fourth = best_fourth.min(four / 4);
    }
    let speed = whole.len() as f64 / best_whole.as_secs_f64() / 1e6;
    let growth = best_whole.as_secs_f64() / best_fourth.as_secs_f64();
    let judged = if speed >= goal && growth <= 5.0 { "ok" } else { "short" };
    println!(
        "{name:<44} {speed:>10.1} {:>8} {growth:>10.2} {:>8} {judged}",
        format!(">= {goal}"),
        "<= 5"
    );
}

/// Pieces of about 20 bytes.
fn cut(text: &str) -> Vec<&str> {
    let mut pieces = Vec::with_capacity(text.len() / 20 + 1);
    let mut rest = text;
    while !rest.is_empty() {
        let (piece, behind) = rest.split_at(rest.floor_char_boundary(20).max(1));
        pieces.push(piece);
        rest = behind;
    }
    pieces
}

fn read(grammar: &Arc<CallGrammar>, options: &Options, pieces: &[&str]) -> Duration {
    let start = Instant::now();
    let mut parser = CallParser::new(Arc::clone(grammar), options.clone());
    let mut seen = 0;
    let mut on = |event: Event<'_>| {
        seen += match event {
            Event::Text { text, .. } => text.len(),
            Event::ParamDelta { text, .. } => text.len(),
            _ => 1,
        };
    };
    for piece in pieces {
        parser.push(piece, &mut on);
    }
    parser.finish(&mut on);
    black_box(seen);
    start.elapsed()
}

fn prose(share: u64) -> String {
    let paragraph = "I looked at the module that reads the settings. It opens the file twice, once to \
        find its version and once to read it, and the second time it trusts what the first one saw.\n\n\
        - Reading it once is enough: the version is in the first line.\n- `load` may then keep the \
        text, and *parse* gets a slice.\n\n";
    paragraph.repeat(4_000 / usize::try_from(share).unwrap())
}

fn markup(share: u64) -> String {
    let paragraph = "<p>If a < b then <b>less</b>, see <https://example.org/x?y=1> and Vec<Option<T>> \
        in `<read_file>`.</p>\n```html\n<ul>\n  <li><read_file></li>\n</ul>\n```\n";
    paragraph.repeat(8_000 / usize::try_from(share).unwrap())
}

fn files(share: u64) -> String {
    let file = "fn add(left: u64, right: u64) -> u64 {\n    left + right\n}\n".repeat(40);
    let call = format!(
        "Next.\n<write_to_file>\n<path>src/a.rs</path>\n<content>\n{file}\n</content>\n</write_to_file>\n"
    );
    call.repeat(400 / usize::try_from(share).unwrap())
}
