//! Files that change while they are followed.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "that is how a test fails, and says what it measured"
)]

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use promptline_params::{
    Declarations, EnvSource, ErrorKind, FileSource, Literals, Params, Severity,
};
use serde_json::json;

const DECLARED: &str = "[params.free_shipping_threshold]\ntype = \"money\"\nunit = \"CNY\"\nlocale = \"zh\"\n\
                        min = 0\nmax = 100000\n[params.twin]\ntype = \"integer\"\ndefault = 0\n";

fn declared() -> Declarations {
    Declarations::parse("params.toml", DECLARED).unwrap()
}

/// Events alone: polling cannot be what makes a change seen.
fn follow(file: &Path) -> Params {
    let builder = Params::builder(declared()).source(FileSource::new(file));
    let builder =
        builder.with_poll(Duration::from_secs(600)).with_debounce(Duration::from_millis(30));
    builder.with_settle(Duration::from_millis(600)).watch().unwrap()
}

fn threshold(params: &Params) -> u32 {
    params.current().get("free_shipping_threshold").unwrap()
}

fn wait_until(params: &Params, what: impl Fn(&Params) -> bool) -> Duration {
    let since = Instant::now();
    while !what(params) {
        assert!(since.elapsed() < Duration::from_secs(60), "{params:?}");
        let seen = params.seen();
        if !what(params) {
            let _ = params.wait(&seen, Duration::from_millis(500));
        }
    }
    since.elapsed()
}

/// As editors and `mv` do.
fn rename_over(file: &Path, text: &str) {
    let new = file.with_extension("new");
    fs::write(&new, text).unwrap();
    fs::rename(new, file).unwrap();
}

#[test]
fn the_incident_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("shop.toml");
    fs::write(&file, "free_shipping_threshold = 99\n").unwrap();
    let params = follow(&file);
    let before = params.current();
    assert_eq!(before.shown("free_shipping_threshold").unwrap(), "99元");
    // Every way of saving, twice each.
    rename_over(&file, "free_shipping_threshold = 79\n");
    let first = wait_until(&params, |params| threshold(params) == 79);
    println!("99 -> 79 in the next generation after {first:?}");
    rename_over(&file, "free_shipping_threshold = 69\n");
    wait_until(&params, |params| threshold(params) == 69);
    fs::write(&file, "free_shipping_threshold = 59\n").unwrap();
    wait_until(&params, |params| threshold(params) == 59);
    FileSource::new(&file).set("free_shipping_threshold", &json!(79)).unwrap();
    wait_until(&params, |params| threshold(params) == 79);
    // What `set` has replaced is history, and the lint knows it.
    let current = params.current();
    assert_eq!(current.param("free_shipping_threshold").unwrap().history, [json!(59)]);
    let found = Literals::new(&declared(), &current).find("rules.md", "全场满59包邮，满79更好");
    let severities: Vec<_> = found.iter().map(|one| one.severity).collect();
    assert_eq!(severities, [Severity::Warning, Severity::Warning]);
    assert_eq!(before.shown("free_shipping_threshold").unwrap(), "99元");
    assert_eq!(current.number(), 5);
}

#[cfg(unix)]
#[test]
fn a_config_map_swaps_its_links() {
    let folder = tempfile::tempdir().unwrap();
    let write = |version: &str, value: u32| {
        let data = folder.path().join(format!("..{version}"));
        fs::create_dir(&data).unwrap();
        fs::write(data.join("shop.toml"), format!("free_shipping_threshold = {value}\n")).unwrap();
        let link = folder.path().join("..data_tmp");
        std::os::unix::fs::symlink(format!("..{version}"), &link).unwrap();
        fs::rename(link, folder.path().join("..data")).unwrap();
    };
    write("1", 99);
    let file = folder.path().join("shop.toml");
    std::os::unix::fs::symlink("..data/shop.toml", &file).unwrap();
    let params = follow(&file);
    assert_eq!(threshold(&params), 99);
    for (version, value) in [("2", 79), ("3", 69), ("4", 59)] {
        write(version, value);
        wait_until(&params, |params| threshold(params) == value);
    }
}

#[test]
fn a_bad_file_keeps_the_last_good_values_and_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("shop.toml");
    fs::write(&file, "free_shipping_threshold = 99\ntwin = 1\n").unwrap();
    let params = follow(&file);
    let cases = [
        ("free_shipping_threshold = \n", ErrorKind::Format, ":1:27: "),
        ("", ErrorKind::Format, "the file is empty"),
        (
            "free_shipping_threshold = -1\n",
            ErrorKind::Invalid,
            ":1:1: `free_shipping_threshold` is out of its range: it is at least 0, not -1",
        ),
        ("free_shipping_threshold = \"viel\"\n", ErrorKind::Invalid, "is \"viel\", not a number"),
        (
            "twin = 2\nfree_shiping_threshold = 79\n",
            ErrorKind::Undeclared,
            ":2:1: `free_shiping_threshold` is not declared; `free_shipping_threshold` is",
        ),
        ("twin = 3\n", ErrorKind::Missing, "`free_shipping_threshold` has no value"),
    ];
    for (text, kind, words) in cases {
        rename_over(&file, text);
        wait_until(&params, |params| {
            params
                .last_error()
                .is_some_and(|error| error.kind() == kind && error.to_string().contains(words))
        });
        assert_eq!(threshold(&params), 99, "{text}");
        assert_eq!(params.current().number(), 1);
    }
    fs::remove_file(&file).unwrap();
    wait_until(&params, |params| {
        params.last_error().is_some_and(|error| error.kind() == ErrorKind::Io)
    });
    rename_over(&file, "free_shipping_threshold = 79\ntwin = 1\n");
    wait_until(&params, |params| threshold(params) == 79 && params.last_error().is_none());
}

#[test]
fn what_is_cut_off_is_not_taken_before_it_has_settled() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("shop.toml");
    fs::write(&file, "free_shipping_threshold = 790\ntwin = 790\n").unwrap();
    let params = follow(&file);
    let first = params.current();
    // 79 is in range, and 790 cut off; so is a file that lacks its second line.
    for cut in ["free_shipping_threshold = 79", "free_shipping_threshold = 80\n"] {
        let since = Instant::now();
        fs::write(&file, cut).unwrap();
        while since.elapsed() < Duration::from_millis(300) {
            assert_eq!(params.current().hash(), first.hash(), "{cut}");
            std::thread::yield_now();
        }
        fs::write(&file, "free_shipping_threshold = 790\ntwin = 790\n").unwrap();
        assert_eq!(params.current().hash(), first.hash());
    }
    // One who writes no newline at the end, or removes a line, means it.
    fs::write(&file, "free_shipping_threshold = 79").unwrap();
    wait_until(&params, |params| threshold(params) == 79);
    assert_eq!(params.current().param("twin").unwrap().origin, "default");
}

#[test]
fn ten_thousand_writes_and_eight_builders_never_mix_two_generations() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("shop.toml");
    let text = |n: u32| format!("free_shipping_threshold = {n}\ntwin = {n}\n");
    fs::write(&file, text(0)).unwrap();
    let builder = Params::builder(declared()).source(FileSource::new(&file));
    let builder =
        builder.with_debounce(Duration::from_millis(1)).with_poll(Duration::from_millis(5));
    let params = builder.watch().unwrap();
    let done = AtomicBool::new(false);
    let seen: Vec<(u64, u64)> = std::thread::scope(|scope| {
        let build = || {
            let (mut builds, mut last) = (0, 0);
            while !done.load(Ordering::Relaxed) {
                // A build: one generation, several values.
                let generation = params.current();
                let prompt = format!(
                    "满{}包邮 {}",
                    generation.shown("free_shipping_threshold").unwrap(),
                    generation.get::<u32>("twin").unwrap()
                );
                let twin = generation.get::<u32>("twin").unwrap();
                let plain: u32 = generation.get("free_shipping_threshold").unwrap();
                assert_eq!(plain, twin, "{prompt}");
                assert!(generation.number() >= last, "generations go forward only");
                last = generation.number();
                builds += 1;
                std::thread::yield_now();
            }
            (builds, last)
        };
        let builders: Vec<_> = (0..8).map(|_| scope.spawn(build)).collect();
        for n in 1..=10_000 {
            // In place, which a reader can see half done, and by rename.
            match n % 2 {
                0 => fs::write(&file, text(n)).unwrap(),
                _ => rename_over(&file, &text(n)),
            }
        }
        wait_until(&params, |params| threshold(params) == 10_000);
        done.store(true, Ordering::Relaxed);
        builders.into_iter().map(|builder| builder.join().unwrap()).collect()
    });
    let builds: u64 = seen.iter().map(|(builds, _)| builds).sum();
    println!("{builds} builds over {} generations", params.current().number());
    assert!(params.current().number() > 1);
}

#[test]
fn later_sources_win_and_each_value_says_where_it_is_from() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("shop.json");
    fs::write(&file, "{\"free_shipping_threshold\": 79, \"twin\": 5}").unwrap();
    let variables = [("SHOP_TWIN", "7"), ("SHOP_OTHER", "x"), ("TWIN", "8")];
    let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let names = ["free_shipping_threshold", "twin"];
    let params = Params::builder(declared())
        .source(FileSource::new(&file))
        .source(EnvSource::of("SHOP_", names, variables))
        .source(FileSource::new(folder.path().join("absent.toml")).optional())
        .load()
        .unwrap();
    let current = params.current();
    assert_eq!(current.get::<i8>("twin").unwrap(), 7);
    assert_eq!(current.param("twin").unwrap().origin, "env SHOP_*");
    let origin = &current.param("free_shipping_threshold").unwrap().origin;
    assert!(origin.ends_with("shop.json"), "{origin}");
    assert_eq!(current.get::<String>("twin").unwrap_err().kind(), ErrorKind::Invalid);
    assert_eq!(
        current.get::<u32>("twins").unwrap_err().to_string(),
        "the parameter `twins` is not declared; `twin` is"
    );
}
