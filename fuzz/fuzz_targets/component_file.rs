#![no_main]

#[path = "../../tests/support/feed.rs"]
mod feed;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let folder = feed::small_pack();
    feed::put(folder.path(), "templates/components/a.md", bytes);
    feed::pack(folder.path());
});
