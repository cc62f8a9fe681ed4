//! What a build without a feature says: what is not there, and how to get it.

use std::path::Path;

use crate::run;

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[cfg(not(feature = "parse"))]
#[test]
fn a_verb_that_is_not_compiled_in_says_which_feature_has_it() {
    for args in [&["parse"][..], &["parse", "--stream", "answer.txt"]] {
        insta::assert_snapshot!(run(here(), args).mistake(), @r"
        error: this build of promptline does not include parse
        help: install it with `cargo install promptline-cli --features parse`, or with everything by `--features full`
        ");
    }
    let help = run(here(), &["--help"]).quiet();
    assert!(help.contains("Not in this build: ") && help.contains("parse"), "{help}");
    // A slip of the pen is still one.
    let said = run(here(), &["parze"]).mistake();
    assert!(said.contains("unrecognized subcommand"), "{said}");
}

#[cfg(not(feature = "tokens"))]
#[test]
fn a_counter_that_is_not_compiled_in_says_which_feature_has_it() {
    for args in [
        &["render", "--model", "m", "--tokens", "o200k"][..],
        &["explain", "--model", "m", "--tokens", "cl100k"],
        &["snapshot", "--pack", "p", "--sizes", "--tokens", "o200k"],
    ] {
        insta::assert_snapshot!(run(here(), args).mistake(), @r"
        error: this build of promptline does not include exact token counts
        help: install it with `cargo install promptline-cli --features tokens`, or with everything by `--features full`
        ");
    }
}

#[cfg(feature = "full")]
#[test]
fn a_full_build_has_nothing_to_say_about_what_is_missing() {
    let help = run(here(), &["--help"]).quiet();
    assert!(help.contains("parse") && !help.contains("Not in this build"), "{help}");
}
