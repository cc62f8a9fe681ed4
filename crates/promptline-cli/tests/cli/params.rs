//! `params`, and what check, render and explain take of it: the incident of 满99包邮.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::run;

/// A pack that declares a threshold and prints it.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let pack = folder.path().join("pack");
    fs::create_dir_all(pack.join("variants/shop")).unwrap();
    fs::write(
        pack.join("variants/pack.toml"),
        "schema = 1\nname = \"shop\"\nvariants = [\"shop\"]\n",
    )
    .unwrap();
    fs::write(
        pack.join("variants/shop/variant.toml"),
        "schema = 1\nversion = 1\ndescription = \"A shop.\"\ncomponents = []\n",
    )
    .unwrap();
    fs::write(pack.join("variants/shop/template.md"), "满{{params.threshold}}包邮。\n").unwrap();
    fs::write(
        pack.join("params.toml"),
        "[params.threshold]\ntype = \"money\"\nunit = \"CNY\"\nlocale = \"zh\"\nmin = 0\nmax = 1000\ndefault = 99\n",
    )
    .unwrap();
    fs::write(folder.path().join("shop.toml"), "threshold = 99\n").unwrap();
    folder
}

const RENDER: [&str; 8] =
    ["render", "--pack", "pack", "--variant", "shop", "--params", "shop.toml", "--model=m"];

#[test]
fn the_incident() {
    let folder = folder();
    let here = folder.path();
    assert_eq!(run(here, &RENDER).quiet(), "满99元包邮。\n");
    let set = ["params", "set", "threshold", "79", "--pack", "pack", "--file", "shop.toml"];
    assert_eq!(run(here, &set).quiet(), "threshold = 79\n");
    assert_eq!(run(here, &RENDER).quiet(), "满79元包邮。\n");
    let show = run(here, &["params", "show", "--pack", "pack", "--file", "shop.toml"]).quiet();
    assert!(show.starts_with("threshold  79元  (shop.toml, earlier 99)\ngeneration "), "{show}");
    // The generation is in the report of a prompt.
    let json: Value =
        serde_json::from_str(&run(here, &[&RENDER[..], &["--json"]].concat()).quiet()).unwrap();
    assert_eq!(json["params"]["params"]["threshold"]["value"], 79);
    assert_eq!(json["params"]["hash"].as_str().unwrap().len(), 64);
    // Somebody wrote the number into the text: 99 was the value once, 第99条 is the name of a clause.
    fs::write(
        here.join("pack/variants/shop/template.md"),
        "满{{params.threshold}}包邮。\n满99包邮，见第99条。\n",
    )
    .unwrap();
    let found = run(here, &["params", "check", "--pack", "pack", "--file", "shop.toml"]);
    assert_eq!(found.code, Some(0));
    assert!(found.stdout.contains("template.md:2:2: warning[literal-parameter]: the text says 99, which the parameter `threshold` was earlier; it is 79元 now"), "{}", found.stdout);
    assert!(found.stdout.contains("template.md:2:9: note[literal-parameter]"), "{}", found.stdout);
    let checked = run(here, &["check", "pack"]);
    assert!(checked.stdout.contains("literal-parameter"), "{} {}", checked.stdout, checked.stderr);
}

#[test]
fn mistakes_have_a_place() {
    let folder = folder();
    let here = folder.path();
    let set = |value: &str| {
        run(here, &["params", "set", "threshold", value, "--pack", "pack", "--file", "shop.toml"])
            .mistake()
    };
    assert!(set("5000").contains("`threshold` is out of its range: it is at most 1000, not 5000"));
    assert!(set("viel").contains("`threshold` is \"viel\", not a number"));
    fs::write(here.join("pack/variants/shop/template.md"), "满{{params.treshold}}包邮。\n")
        .unwrap();
    let found = run(here, &["params", "check", "--pack", "pack"]);
    assert_eq!(found.code, Some(1));
    assert!(
        found.stdout.contains("template.md:1:11: error[undeclared-parameter]"),
        "{}",
        found.stdout
    );
    assert!(found.stdout.contains("params.toml:1:9: error[unused-parameter]"), "{}", found.stdout);
    assert_eq!(run(here, &["check", "pack"]).code, Some(1));
    fs::write(here.join("shop.toml"), "threshold = 5000\n").unwrap();
    let said = run(here, &RENDER).mistake();
    assert!(said.contains("shop.toml:1:1: `threshold` is out of its range"), "{said}");
    let none = run(here, &["params", "show", "--pack", "."]).mistake();
    assert!(none.contains("no pack declares parameters"), "{none}");
    let etcd = ["params", "show", "--pack", "pack", "--etcd", "http://127.0.0.1:1"];
    let code = if cfg!(feature = "params") { 3 } else { 2 };
    assert_eq!(run(here, &etcd).code, Some(code));
}

#[test]
fn watch_prints_each_generation() {
    let folder = folder();
    let watch = ["params", "watch", "--pack", "pack", "--file", "shop.toml", "--count", "1"];
    let line: Value = serde_json::from_str(&run(folder.path(), &watch).quiet()).unwrap();
    assert_eq!(line["values"]["threshold"], 99);
}
