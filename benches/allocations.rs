//! What a warm build asks the allocator for. `tests/allocations.rs` holds it to its limits.

#![allow(clippy::expect_used, clippy::print_stdout, reason = "a bench prints what it measured")]

#[path = "../tests/support/allocations.rs"]
mod allocations;
mod support;
#[path = "../tests/support/warm.rs"]
mod warm;

use promptline::PromptContext;
use support::Table;
use warm::{generic, sections, warm};

fn main() {
    let mut table = Table::new();
    let cx = PromptContext::default();
    let (fixed, output) = warm(&sections(10, 4_000, 0), &cx);
    table.figure("allocations, 10 fixed components", fixed.times as f64, "", Some(4.0));
    let bytes = fixed.bytes as f64 / output as f64;
    table.figure("bytes / output, 10 fixed components", bytes, "x", Some(1.3));
    let (written, _) = warm(&sections(10, 4_000, 10), &cx);
    let more = (written.times as f64 - fixed.times as f64) / 10.0;
    table.figure("allocations an async component", more, "", Some(1.0));

    let (registry, cx) = generic();
    let (built, output) = warm(&registry, &cx);
    table.figure("allocations, built-in generic variant", built.times as f64, "", None);
    let bytes = built.bytes as f64 / output as f64;
    table.figure("bytes / output, built-in generic variant", bytes, "x", None);
}
