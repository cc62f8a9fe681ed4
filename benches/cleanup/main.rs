//! The clean-up: against Cline's chain of regular expressions on what a template prints, and against
//! itself on ten times as much, hostile text included.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a bench prints what it measured"
)]

mod cline;
#[path = "../support/mod.rs"]
mod support;

use cline::Cline;
use promptline::cleanup::{Level, clean};
use promptline::{Pack, PromptContext, PromptRegistry};
use support::{Table, in_turns};

const MB: usize = 1_000_000;

fn main() {
    let mut table = Table::new();
    let cline = Cline::new();
    for (size, bytes) in [("40 KB", 40 << 10), ("1 MB", MB)] {
        let text = rendered(bytes);
        // They differ where Cline changes code; both did the work.
        let (ours, theirs) = (clean(&text, Level::Document), cline.clean(&text));
        assert!(ours.len().abs_diff(theirs.len()) < text.len() / 50, "one of them is wrong");
        let measured = in_turns(|| clean(&text, Level::Document), || cline.clean(&text));
        table.ratio(&format!("clean-up of {size} / Cline's regexes"), measured, 0.15);
    }
    let (large, small) = (vec![b'x'; 10 * MB], vec![b'x'; MB]);
    let measured = in_turns(|| large.clone(), || small.clone());
    table.ratio("for comparison: memcpy of 10 MB / 1 MB", measured, None);
    let hostile = ["=", "\n", " ", "{{", "====\n", "##\n", "-------\n", "```\n", "# a\n"];
    let texts = hostile.map(|unit| {
        (format!("{:?}", unit), [MB, 10 * MB].map(|bytes| unit.repeat(bytes / unit.len())))
    });
    let prose = ("prose".to_owned(), [MB, 10 * MB].map(rendered));
    for (what, [small, large]) in std::iter::once(prose).chain(texts) {
        let measured =
            in_turns(|| clean(&large, Level::Document), || clean(&small, Level::Document));
        table.ratio(&format!("clean-up of 10 MB / 1 MB, {what}"), measured, 13.0);
    }
}

/// What templates print before the clean-up: the built-in prompt, its parts far apart or in the wrong
/// place, empty sections between them.
fn rendered(bytes: usize) -> String {
    let registry = PromptRegistry::builder().pack(Pack::builtin()).build().expect("it is whole");
    let cx =
        PromptContext::default().with_variant("generic").with_cwd("/home/ada").with_os("Linux");
    let prompt = registry.build_blocking(&cx).expect("it builds").into_text();
    let mut text = String::with_capacity(bytes + prompt.len());
    for (number, section) in prompt.split("\n\n====\n\n").cycle().enumerate() {
        if text.len() >= bytes {
            break;
        }
        text.push_str(section);
        text.push_str(match number % 4 {
            0 => "\n\n\n====\n\n",
            1 => "\n\n\n\n====\n\n\n\n====\n\n",
            2 => "\n\n====\n\n##\n\n",
            _ => "\n\n====\n\n",
        });
    }
    text.push_str("The end.");
    text
}
