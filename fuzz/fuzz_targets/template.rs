#![no_main]

#[path = "../../tests/support/feed.rs"]
mod feed;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| feed::template(bytes));
