//! The token counter: an estimate that says so, or a vocabulary that is asked for.

use serde_json::Value;
use tempfile::TempDir;

use crate::{project_with_pack, run};

/// Each counter finds another number of tokens in it.
const TEXT: &str = "漢字漢字 {{params.x}}";

fn project() -> TempDir {
    project_with_pack(
        TEXT,
        &[
            ("a.json", r#"{"model": {"id": "m"}, "params": {"x": "a"}}"#),
            ("b.json", r#"{"model": {"id": "m"}, "params": {"x": "b"}}"#),
            ("pack/contexts/a.json", r#"{"params": {"x": "a"}}"#),
        ],
    )
}

fn said(args: &str) -> String {
    let args: Vec<&str> = args.split(' ').collect();
    run(project().path(), &args).quiet()
}

fn json(args: &str) -> Value {
    serde_json::from_str(&said(args)).unwrap()
}

#[test]
fn every_verb_that_shows_tokens_counts_as_it_was_chosen() {
    for (counter, name, estimate, tokens) in [
        ("", "estimate", true, 4),
        (" --tokens estimate", "estimate", true, 4),
        (" --tokens o200k", "o200k_base", false, 5),
        (" --tokens cl100k", "cl100k_base", false, 7),
    ] {
        let one =
            |verb: &str| json(&format!("{verb} --pack pack --context a.json --json{counter}"));
        let rendered = &one("render")["report"]["totals"];
        let explained = &one("explain")["totals"];
        for totals in [rendered, explained] {
            assert_eq!((&totals["counter"], &totals["estimate"]), (&name.into(), &estimate.into()));
            assert_eq!(totals["tokens"], tokens, "{name}");
        }
        let two = "diff --pack pack --context a.json --context b.json --json";
        let kept = &json(&format!("{two}{counter}"))["kept"];
        assert_eq!((&kept["of_tokens"], &kept["estimate"]), (&tokens.into(), &estimate.into()));
        let sizes = json(&format!("snapshot --pack pack --sizes --json{counter}"));
        assert_eq!(sizes[0]["tokens"], tokens);
    }
}

#[test]
fn an_estimate_is_called_one() {
    let explain = "explain --pack pack --context a.json";
    assert!(said(explain).contains("tokens are an estimate"));
    assert!(said(&format!("{explain} --tokens cl100k")).contains("tokens by cl100k_base"));
    let sizes = "snapshot --pack pack --sizes";
    assert!(said(sizes).contains("~tokens"));
    assert!(!said(&format!("{sizes} --tokens o200k")).contains('~'));
    let diff = "diff --pack pack --context a.json --context b.json";
    assert!(said(diff).contains(", about "));
    assert!(!said(&format!("{diff} --tokens o200k")).contains("about"));
}

#[test]
fn a_counter_that_does_not_exist_is_a_mistake() {
    let args = ["render", "--context", "a.json", "--tokens", "exact"];
    let said = run(project().path(), &args).mistake();
    assert!(said.contains("estimate, o200k, cl100k"), "{said}");
}
