//! Suites in every format, and what is wrong with them, by place.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "the helpers of a test fail as the test does, and say what they ran"
)]

use std::path::Path;

use promptline_eval::suite::{RefusalRule, Suite, parse};

fn read(name: &str, text: &str) -> Suite {
    parse(name, text.as_bytes(), Path::new("")).unwrap()
}

fn findings(name: &str, text: &str) -> Vec<String> {
    match parse(name, text.as_bytes(), Path::new("")) {
        Ok(suite) => suite.check().iter().map(ToString::to_string).collect(),
        Err(findings) => findings.iter().map(ToString::to_string).collect(),
    }
}

#[test]
fn the_seeds_list_loads_unchanged() {
    let suite = read(
        "suite.json",
        r#"[{"query": "满多少包邮？", "must_contain": ["99"], "must_not_contain": ["79"], "refusal_max": 0.1},
            {"query": "怎么退货？", "must_contain": ["15天"], "must_not_contain": []}]"#,
    );
    assert_eq!(suite.cases.len(), 2);
    assert_eq!(suite.cases[0].refusal_max, Some(0.1));
    assert!(suite.cases[0].id.starts_with("q-") && suite.cases[0].id != suite.cases[1].id);
    assert!(suite.check().is_empty(), "{:?}", suite.check());
}

#[test]
fn one_suite_in_three_formats() {
    let yaml = read(
        "s.yaml",
        "suite: s\nrepeat: 2\ncases:\n  - {id: a, query: hi, must_contain: hello, refusal: forbid}\n",
    );
    let toml = read(
        "s.toml",
        "suite = \"s\"\nrepeat = 2\n[[cases]]\nid = \"a\"\nquery = \"hi\"\nmust_contain = [\"hello\"]\nrefusal = \"forbid\"\n",
    );
    let json = read(
        "s.json",
        r#"{"suite": "s", "repeat": 2, "cases": [{"id": "a", "query": "hi", "must_contain": ["hello"], "refusal": "forbid"}]}"#,
    );
    assert_eq!(yaml.hash(), toml.hash());
    assert_eq!(yaml.hash(), json.hash());
    assert_eq!(yaml.repeats(&yaml.cases[0]), 2);
}

#[test]
fn csv_splits_at_bars_only() {
    let text = "\u{feff}id,query,must_contain,refusal,critical,tags\r\na,\"满多少，包邮?\",\"1,000|满99，包邮\",allow,yes,shipping|price\r\n";
    let suite = read("cases.csv", text);
    assert_eq!(suite.cases[0].must_contain, ["1,000", "满99，包邮"]);
    assert_eq!(suite.cases[0].refusal, Some(RefusalRule::Allow));
    assert!(suite.cases[0].critical);
    assert_eq!(suite.cases[0].tags, ["shipping", "price"]);
}

#[test]
fn csv_in_gbk_is_told_apart() {
    let (bytes, _, _) = encoding_rs::GBK.encode("id,query,must_contain\na,怎么退货,十五天\n");
    let suite = parse("cases.csv", &bytes, Path::new("")).unwrap();
    assert_eq!(suite.cases[0].must_contain, ["十五天"]);
    assert!(suite.check()[0].to_string().contains("read as GBK"));
    assert!(parse("cases.csv", b"id,query\na,\xff\xff\xfe", Path::new("")).is_err());
}

#[test]
fn findings_have_their_place() {
    let text = "suite: s\ncases:\n  - id: a\n    query: hi\n    must_contain: [满99包邮]\n    must_not_contain: [包邮]\n  - id: a\n    query: ho\n    must_contain: ['']\n  - id: b\n    query: x\n    assert:\n      - {type: contians, value: y}\n      - {type: word-count, value: {min: 5, max: 1}}\n";
    let found = findings("s.yaml", text);
    let expect = [
        ("s.yaml:6:", "contradiction"),
        ("s.yaml:7:", "duplicate-id"),
        ("s.yaml:9:", "empty-needle"),
        ("s.yaml:13:", "unknown-type"),
        ("s.yaml:14:", "min (5)"),
    ];
    for (place, what) in expect {
        assert!(
            found.iter().any(|one| one.starts_with(place) && one.contains(what)),
            "{place} {what}: {found:#?}"
        );
    }
    assert!(found.iter().any(|one| one.contains("did you mean \"contains\"?")));
}

#[test]
fn mistakes_in_the_form_have_their_place() {
    let found = findings("s.yaml", "suite: s\ncases:\n  - id: a\n    qery: hi\n");
    assert!(found[0].starts_with("s.yaml:4:5: error"), "{found:?}");
    let found = findings("s.toml", "suite = \"s\"\n[[cases]]\nqery = \"hi\"\n");
    assert!(found[0].starts_with("s.toml:3:1: error"), "{found:?}");
    let found = findings("c.csv", "id,query\na,b,c\n");
    assert!(found[0].starts_with("c.csv:2:"), "{found:?}");
    let found = findings("c.csv", "id,qery\na,b\n");
    assert!(found[0].contains("unknown column `qery`"), "{found:?}");
}

#[test]
fn parameters_are_checked() {
    let text = "suite: s\nprompt:\n  text: 满99包邮，{{days}}天退货，{{missing}}。\n  params: {threshold: 99, days: 15, unused: x}\ncases:\n  - {id: a, query: q, must_contain: x}\n";
    let found = findings("s.yaml", text).join("\n");
    for what in [
        "`unused` is not used",
        "`missing`, which has no value",
        "99 is the value of the parameter `threshold`",
    ] {
        assert!(found.contains(what), "{what}: {found}");
    }
}
