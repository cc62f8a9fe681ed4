//! A registry that follows real folders. Tests wait until what they expect is there; how long that takes
//! is the machine's business, and a bound is only there to end a test that has failed.

use std::fs;
use std::time::{Duration, Instant};

use promptline::{Overlay, PromptRegistry, WatchedRegistry};

use super::{Folder, PACK, build, change, cx};

fn put(folder: &Folder, text: &str) {
    let change = change("A_SECTION", "replace", &format!("text = '{text}'"));
    folder.put("o/overlay.toml", format!("schema = 1\n{change}"));
}

fn watched(folder: &Folder) -> WatchedRegistry {
    let builder = PromptRegistry::builder()
        .pack(folder.load().unwrap())
        .overlay(Overlay::from_dir(folder.path().join("o")).unwrap());
    WatchedRegistry::new(builder).unwrap()
}

fn section(registry: &WatchedRegistry) -> String {
    build(&registry.current(), &cx()).section("A_SECTION").unwrap()
}

#[track_caller]
fn until(what: &str, holds: impl Fn() -> bool) {
    let bound = Instant::now() + Duration::from_secs(60);
    while !holds() {
        assert!(Instant::now() < bound, "never seen: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn what_is_saved_is_seen() {
    let folder = Folder::new(PACK);
    put(&folder, "One.");
    let registry = watched(&folder);
    assert_eq!(section(&registry), "One.");
    let before = registry.current();
    put(&folder, "Two.");
    until("Two.", || section(&registry) == "Two.");
    // Editors write beside and move over.
    let change = change("A_SECTION", "replace", "text = 'Three.'");
    folder.put("o/.overlay.toml.swp", format!("schema = 1\n{change}"));
    fs::rename(folder.path().join("o/.overlay.toml.swp"), folder.path().join("o/overlay.toml"))
        .unwrap();
    until("Three.", || section(&registry) == "Three.");
    assert_eq!(build(&before, &cx()).section("A_SECTION").unwrap(), "One.");
}

#[test]
fn the_last_good_one_stays() {
    let folder = Folder::new(PACK);
    put(&folder, "One.");
    let registry = watched(&folder);
    folder.put("o/overlay.toml", "schema = 1\n[[section]]\nid = 'A_SECTIN'\n");
    until("an error", || registry.last_error().is_some());
    assert_eq!(section(&registry), "One.");
    assert!(registry.last_error().unwrap().to_string().contains("overlay.toml:2:1"));
    // One that only the whole registry shows.
    let change = change("A_SECTIN", "append", "text = 'x'");
    folder.put("o/overlay.toml", format!("schema = 1\n{change}"));
    until("another error", || {
        registry.last_error().is_some_and(|error| error.code() == "unknown-component")
    });
    assert_eq!(section(&registry), "One.");
    put(&folder, "Two.");
    until("Two.", || section(&registry) == "Two.");
    until("no error", || registry.last_error().is_none());
}

#[test]
fn the_built_in_text_comes_back_when_the_folder_goes() {
    let folder = Folder::new(PACK);
    put(&folder, "One.");
    let registry = watched(&folder);
    fs::remove_dir_all(folder.path().join("o")).unwrap();
    until("the pack's text", || section(&registry) == "ALPHA\n\nThe first.");
    put(&folder, "Two.");
    until("Two.", || section(&registry) == "Two.");
    // What is new is followed as well.
    put(&folder, "Three.");
    until("Three.", || section(&registry) == "Three.");
    fs::rename(folder.path().join("o"), folder.path().join("elsewhere")).unwrap();
    until("the pack's text again", || section(&registry) == "ALPHA\n\nThe first.");
    fs::rename(folder.path().join("elsewhere"), folder.path().join("o")).unwrap();
    until("Three again", || section(&registry) == "Three.");
}

#[test]
fn packs_are_followed_too() {
    let folder = Folder::new(PACK);
    let builder = PromptRegistry::builder()
        .pack(folder.load().unwrap())
        .overlay(super::overlay(&change("A_SECTION", "append", "text = 'More.'")));
    let registry = WatchedRegistry::new(builder).unwrap();
    folder.put("templates/components/a.md", "+++\nid = \"A_SECTION\"\n+++\nNew.\n");
    until("New.", || section(&registry) == "New.\n\nMore.");
}
