//! `ids.txt`: one id, one line, one answer.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "that is how a test fails"
)]

use promptline_model_id::ModelId;

/// What an id says, as the table writes it: vendor, family, line and version by place, the rest by
/// name; `-` and what is missing at the end is null.
fn written(id: &ModelId) -> String {
    let version = id.version().map(ToString::to_string);
    let places = [id.vendor(), id.family(), id.line(), version.as_deref()];
    let said = places.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
    let mut words: Vec<String> =
        places.iter().take(said).map(|place| place.unwrap_or("-").to_owned()).collect();
    let list = |items: Vec<&str>| Some(items.join(",")).filter(|items| !items.is_empty());
    let named = [
        ("size", id.size().map(str::to_owned)),
        ("date", id.date().map(str::to_owned)),
        ("route", list(id.route().collect())),
        ("suffix", list(id.suffixes().collect())),
        ("base", id.base().map(str::to_owned)),
        ("distilled", id.distilled_from().map(str::to_owned)),
    ];
    words.extend(named.into_iter().filter_map(|(name, value)| Some(format!("{name}={}", value?))));
    words.join(" ")
}

/// A line of the table: the id, and its label with `-` cut off at the end of the places.
fn cases() -> impl Iterator<Item = (&'static str, String)> {
    let lines = include_str!("ids.txt").lines();
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(|line| {
        let (id, label) = line.split_once('|').expect("an id, a bar, a label");
        let (places, named): (Vec<_>, Vec<_>) =
            label.split_whitespace().partition(|word| !word.contains('='));
        let said = places.iter().rposition(|place| *place != "-").map_or(0, |last| last + 1);
        let words: Vec<_> = places.iter().take(said).chain(&named).copied().collect();
        (id.trim(), words.join(" "))
    })
}

#[test]
fn each_id_says_what_the_table_says() {
    let wrong: Vec<_> = cases()
        .filter_map(|(id, label)| {
            let got = written(&ModelId::parse("", id));
            (got != label).then(|| format!("{id}\n  got   {got}\n  table {label}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{} ids:\n{}", wrong.len(), wrong.join("\n"));
    assert!(cases().count() > 150);
}
