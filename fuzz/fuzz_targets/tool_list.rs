#![no_main]

#[path = "../../tests/support/tools.rs"]
mod feed;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| feed::bytes(bytes));
