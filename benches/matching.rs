//! Model ids: 10,000 of them through the whole selection of the built-in pack, with reasons; what
//! reading one costs; and that a long one costs no more than what is read of it.

#![allow(clippy::expect_used, clippy::print_stdout, reason = "a bench prints what it measured")]

mod support;

use std::hint::black_box;
use std::time::{Duration, Instant};

use promptline::{ModelId, Pack, PromptContext, PromptRegistry};
use support::{Table, in_turns};

const IDS: usize = 10_000;

fn main() {
    let mut table = Table::new();
    let registry =
        PromptRegistry::builder().pack(Pack::builtin()).build().expect("the pack is whole");
    let ids = ids();

    let mut request = PromptContext::new("openrouter", "");
    let selected = best(|| {
        for id in &ids {
            id.clone_into(&mut request.model.id);
            black_box(registry.select(&request).expect("generic takes all"));
        }
    });
    table.figure("10,000 ids selected", selected.as_secs_f64() * 1e3, "ms", Some(1_000.0));

    let parsed = best(|| {
        for id in &ids {
            black_box(ModelId::parse("openrouter", id));
        }
    });
    table.figure("an id read", parsed.as_secs_f64() * 1e6 / IDS as f64, "us", Some(10.0));

    let long = "gpt-5-mini/".repeat(100_000);
    let short = "gpt-5-mini/".repeat(100);
    let measured = in_turns(|| ModelId::parse("", &long), || ModelId::parse("", &short));
    table.ratio("an id of 1.1 MB / of 1.1 KB", measured, 1.5);
}

/// The ids of the test's table, again and again.
fn ids() -> Vec<String> {
    let lines = include_str!("../crates/promptline-model-id/tests/ids.txt").lines();
    let ids: Vec<&str> = lines
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| Some(line.split_once('|')?.0.trim()))
        .collect();
    ids.iter().cycle().take(IDS).map(|id| (*id).to_owned()).collect()
}

/// The best of a few runs.
fn best(mut work: impl FnMut()) -> Duration {
    let mut once = || {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    (0..5).map(|_| once()).min().unwrap_or_default()
}
