#![no_main]

#[path = "../../crates/promptline-calls/tests/support/feed.rs"]
mod feed;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| feed::answer(bytes));
