//! Any string is an id: it is read without a panic, in any case, the same each time, and its length
//! costs nothing beyond what is read of it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "that is how a test fails"
)]

use promptline_model_id::{ModelId, ModelTables, Version, VersionRange};
use proptest::prelude::*;

/// Pieces of which ids are made, and what does not belong in one.
const PIECES: [&str; 60] = [
    "claude",
    "gpt",
    "gpt-oss",
    "o3",
    "gemini",
    "qwen3",
    "deepseek",
    "llama",
    "hermes",
    "glm",
    "kimi",
    "k2",
    "mistral",
    "devstral",
    "phi",
    "command",
    "nova",
    "sonnet",
    "opus",
    "mini",
    "r1",
    "v",
    "m",
    "x",
    "4",
    "4.5",
    "4p6",
    "4_5",
    "35",
    "20250929",
    "2025-08-07",
    "05-06",
    "2507",
    "8b",
    "235b",
    "a22b",
    "8x7b",
    "1t",
    "q4_k_m",
    "128k",
    "distill",
    "distilled",
    "latest",
    "non",
    "reasoning",
    "free",
    "anthropic",
    "us",
    "bedrock",
    "arn:aws:bedrock:us-east-1:1:",
    "ft:",
    "hf:",
    "accounts/fireworks/models",
    "projects/",
    "publishers/",
    "~",
    "\u{1F999}",
    "\u{212A}",
    "\u{130}",
    "",
];

fn id() -> impl Strategy<Value = String> {
    let separator =
        prop::sample::select(vec!["-", "", "/", ".", ":", "@", "_", " ", "--", "p", "\\"]);
    let piece = prop_oneof![
        8 => prop::sample::select(PIECES.to_vec()).prop_map(str::to_owned),
        1 => any::<String>(),
    ];
    prop::collection::vec((piece, separator), 0..12).prop_map(|parts| {
        parts.into_iter().flat_map(|(piece, by)| [piece, by.to_owned()]).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1_500) })]

    #[test]
    fn any_id_is_read_the_same_in_any_case(id in id(), provider in "[a-z]{0,6}") {
        let read = ModelId::parse(&provider, &id);
        prop_assert_eq!(&read, &ModelId::parse(&provider, &id));
        prop_assert_eq!(&read, &ModelId::parse("", &id.to_ascii_uppercase()));
        prop_assert_eq!(&read, &ModelId::parse("", &format!(" {id}\n")));
        // What it says is in the tables, or in the id.
        let tables = ModelTables::builtin();
        for family in [read.family(), read.base(), read.distilled_from()].into_iter().flatten() {
            prop_assert!(tables.families().any(|known| known.name() == family), "{}", family);
        }
        if let Some(date) = read.date() {
            prop_assert!(id.contains(date), "{}", date);
        }
        prop_assert_eq!(read.family().is_none() && read.line().is_some(), false);
        prop_assert_eq!(read.family().is_none() && read.version().is_some(), false);
        // And it is the same through JSON.
        let json = serde_json::to_value(&read).unwrap();
        prop_assert_eq!(json.as_object().unwrap().len(), 10);
        prop_assert_eq!(&serde_json::from_value::<ModelId>(json).unwrap(), &read);
    }

    /// The order of versions, and what ranges hold, agree.
    #[test]
    fn versions_and_ranges_agree(a in "[0-9]{1,2}(\\.[0-9]{1,2})?[a-z]?", b in "[0-9]{1,2}(\\.[0-9]{1,2})?") {
        let (left, right): (Version, Version) = (a.parse().unwrap(), b.parse().unwrap());
        prop_assert_eq!(left.to_string(), a.clone());
        let holds = |sign: &str| match VersionRange::new(format!("{sign}{b}")) {
            Ok(range) => range.contains(Some(&left)),
            // Nothing is less than 0.
            Err(_) => { assert_eq!(sign, "<"); false }
        };
        prop_assert_eq!(u8::from(holds("<")) + u8::from(holds("=")) + u8::from(holds(">")), 1);
        prop_assert_eq!(holds("<="), holds("<") || holds("="));
        prop_assert_eq!(holds(">="), holds(">") || holds("="));
        if holds("<") {
            prop_assert!(left < right);
        }
        if holds(">") {
            prop_assert!(left > right);
        }
    }

    #[test]
    fn any_text_is_a_range_or_an_error(text in ".{0,20}|[<>=,.0-9 ]{0,12}") {
        if let Ok(range) = VersionRange::new(text.clone()) {
            prop_assert_eq!(range.as_str(), text);
        }
    }
}

#[test]
fn hostile_ids_say_nothing_or_what_they_say() {
    let long = "a".repeat(1 << 20);
    let deep = "a/".repeat(1 << 19);
    let dashes = "-".repeat(1 << 20);
    let dots = "1.".repeat(1 << 19);
    let names = "gpt-".repeat(1 << 18);
    let nothing = [
        "",
        " ",
        "\t\n",
        "/",
        "//",
        "-",
        "~",
        ":",
        "@",
        "\u{1F999}",
        "arn:",
        "arn:::::",
        "ft:",
        "hf:",
        "projects/",
        "accounts/fireworks/models",
        "accounts/fireworks/models/",
        "\u{0}",
        "us.",
        "us.anthropic.",
        &long,
        &deep,
        &dashes,
        &dots,
    ];
    for id in nothing {
        let short: String = id.chars().take(40).collect();
        let read = ModelId::parse("", id);
        assert_eq!((read.family(), read.version()), (None, None), "{short}");
    }
    assert_eq!(ModelId::parse("", &names).family(), Some("gpt"));
}

#[test]
fn of_an_id_the_first_1024_bytes_are_read_up_to_a_whole_word() {
    let path = "a".repeat(1_005);
    let id = |more: &str| ModelId::parse("", &format!("{path}/{more}"));
    assert_eq!(id("claude-opus-5").family(), Some("claude"));
    // The cut is in the number, which then is not read.
    let id = id("claude-opus-4-20250514");
    assert_eq!((id.line(), id.date()), (Some("opus"), None));
    assert_eq!(id.version().unwrap().to_string(), "4");
    assert_eq!(ModelId::parse("", &"\u{1F999}".repeat(1_000)), ModelId::default());
}
