//! What checks find in texts.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "that is how a test fails, and says what it measured"
)]

use promptline_params::{Declarations, Literals, Params, Severity, check};
use proptest::prelude::*;

fn declared() -> Declarations {
    Declarations::parse(
        "params.toml",
        r#"
[params.threshold]
type = "money"
unit = "CNY"
locale = "zh"
default = 79
history = [99, 1299.5]

[params.return_days]
type = "duration"
default = "15d"
history = ["7d"]

[params.discount]
type = "percent"
default = 12

[params.retries]
type = "integer"
default = 3

[params.until]
type = "date"
default = "2026-12-31"

[params.brand]
type = "text"
default = "宝石商城"

[params.level]
type = "enum"
values = ["platinum", "gold"]
default = "platinum"
"#,
    )
    .unwrap()
}

fn find(text: &str) -> Vec<(String, Severity)> {
    let declared = declared();
    let params = Params::builder(declared.clone()).load().unwrap();
    let found = Literals::new(&declared, &params.current()).find("rules.md", text);
    found
        .into_iter()
        .map(|one| {
            let line = text.lines().nth(one.place.line - 1).unwrap();
            let said = line.chars().skip(one.place.column - 1).take(one.place.length).collect();
            (said, one.severity)
        })
        .collect()
}

macro_rules! finds {
    ($($name:ident: $text:expr => $($said:literal $severity:ident),*;)*) => {$(
        #[test]
        fn $name() {
            let expected: Vec<(String, Severity)> = vec![$(($said.to_owned(), Severity::$severity)),*];
            assert_eq!(find($text), expected, "{}", $text);
        }
    )*};
}

finds! {
    the_incident: "满99包邮" => "99" Warning;
    now_too: "订单满 79 元免运费。" => "79" Warning;
    full_width: "满９９元包邮" => "９９" Warning;
    in_words: "满九十九元包邮" => "九十九" Warning;
    english: "Free shipping over ¥99." => "99" Warning;
    with_decimals: "over 99.00 CNY" => "99.00" Warning;
    grouped: "ab 1.299,50 Euro" => "1.299,50" Warning;
    clause: "见第99条" => "99" Note;
    clause_with_blank: "see section 99 and No. 99" => "99" Note, "99" Note;
    list_item: "99. Be brief." => "99" Note;
    part_of_an_id: "RP-99, v99, 99px, SKU99, order 2024-99-1, 10:99" => ;
    other_number: "满199包邮，990，9.9" => ;
    a_tag: "满{{params.threshold}}包邮 {{#if params.x}}99{{/if}}" => "99" Warning;
    inside_a_tag: "{{json 99}}" => ;
    days_now: "15天无理由退换" => "15" Warning;
    days_earlier: "7天无理由退换" => "7" Warning;
    days_english: "within 7 days; a 15-day return; 7 working days" => "7" Warning, "15" Warning, "7" Warning;
    days_german: "binnen 7 Tagen" => "7" Warning;
    other_unit: "7个商品，15元" => ;
    percent: "打12%的折扣，12 件" => "12" Warning, "12" Note;
    single_digit: "Try 3 options." => "3" Note;
    single_digit_counts: "最多3次" => "3" Warning;
    date_plain: "bis 31.12.2026" => "31.12.2026" Warning;
    date_chinese: "活动到2026年12月31日" => "2026年12月31日" Warning;
    name: "欢迎来到宝石商城！" => "宝石商城" Warning;
    word: "Platinum and platinum members, platinumlike" => "platinum" Note;
    range: "退货需7-15天" => "7" Warning, "15" Warning;
    second_line: "第一行\n  满99包邮\n" => "99" Warning;
}

#[test]
fn the_message_says_what_it_is_now() {
    let declared = declared();
    let params = Params::builder(declared.clone()).load().unwrap();
    let found = Literals::new(&declared, &params.current()).find("rules.md", "满99包邮");
    insta::assert_debug_snapshot!(found);
}

#[test]
fn what_templates_ask_for_and_what_is_declared_are_held_together() {
    let declared = Declarations::parse(
        "pack/params.toml",
        "[params.used]\ntype = \"text\"\n\n[params.unused]\ntype = \"text\"\n",
    )
    .unwrap();
    let texts = [
        ("a.md", "{{params.used}}\n满{{params.usd}}包邮 {{params.free_shipping}}"),
        ("b.toml", "when = { has = \"params.used\" }"),
    ];
    let found = check(&declared, texts);
    let shown: Vec<String> = found
        .iter()
        .map(|one| {
            format!("{}:{} {}: {}; {}", one.file, one.place, one.code, one.message, one.help)
        })
        .collect();
    insta::assert_debug_snapshot!(shown);
}

proptest! {
    #[test]
    fn no_text_breaks_it(text in "[\\PC\n{}0-9.,满九第 ]{0,200}") {
        let _ = find(&text);
        let _ = check(&declared(), [("x", text.as_str())]);
        let _ = Declarations::parse("x", &text);
    }
}
