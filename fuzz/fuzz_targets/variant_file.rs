#![no_main]

#[path = "../../tests/support/feed.rs"]
mod feed;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let folder = feed::small_pack();
    feed::put(folder.path(), "variants/v/variant.toml", bytes);
    feed::pack(folder.path());
});
