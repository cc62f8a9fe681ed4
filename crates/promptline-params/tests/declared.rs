//! Declarations, values by type, and how they are printed.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "that is how a test fails, and says what it measured"
)]

use promptline_params::{Declarations, EnvSource, ErrorKind, Params};

/// One parameter `x`, with a value as text.
fn shown(declared: &str, value: &str) -> Result<String, String> {
    let declared = Declarations::parse("params.toml", &format!("[params.x]\n{declared}")).unwrap();
    let source = EnvSource::of("", ["x"], [("X".to_owned(), value.to_owned())]);
    let params =
        Params::builder(declared).source(source).load().map_err(|error| error.to_string())?;
    Ok(params.current().shown("x").unwrap())
}

macro_rules! shows {
    ($($name:ident: $declared:expr, $value:expr => $shown:expr;)*) => {$(
        #[test]
        fn $name() {
            assert_eq!(shown($declared, $value).unwrap(), $shown);
        }
    )*};
}

macro_rules! refuses {
    ($($name:ident: $declared:expr, $value:expr => $words:expr;)*) => {$(
        #[test]
        fn $name() {
            let error = shown($declared, $value).unwrap_err();
            assert!(error.contains($words), "{error}");
        }
    )*};
}

shows! {
    integer_plain: "type = 'integer'", "15000" => "15000";
    integer_german: "type = 'integer'\nlocale = 'de'", "15000" => "15.000";
    decimal_german: "type = 'decimal'\nlocale = 'de-AT'", "0.5" => "0,5";
    decimal_places: "type = 'decimal'\nlocale = 'en'\ndecimals = 2", "1234567.5" => "1,234,567.50";
    money_yuan: "type = 'money'\nunit = 'CNY'\nlocale = 'zh-CN'", "79" => "79元";
    money_euro: "type = 'money'\nunit = 'EUR'\nlocale = 'de'\ndecimals = 2", "5.9" => "5,90 €";
    money_dollar: "type = 'money'\nunit = 'USD'\nlocale = 'en'", "79" => "$79";
    money_other: "type = 'money'\nunit = 'SEK'\nlocale = 'de'", "79" => "79 SEK";
    money_plain: "type = 'money'\nunit = 'CNY'", "79" => "79";
    money_format: "type = 'money'\nunit = 'CNY'\nformat = '人民币{}圆'", "79" => "人民币79圆";
    percent: "type = 'percent'\nlocale = 'de'", "15%" => "15 %";
    date_chinese: "type = 'date'\nlocale = 'zh'", "2026-12-01" => "2026年12月1日";
    date_plain: "type = 'date'", "2024-02-29" => "2024-02-29";
    duration_chinese: "type = 'duration'\nlocale = 'zh'", "15d" => "15天";
    duration_english: "type = 'duration'\nlocale = 'en'", "1d" => "1 day";
    duration_german: "type = 'duration'\nlocale = 'de'", "36 h" => "36 Stunden";
    list_chinese: "type = 'list'\nlocale = 'zh'", "微信, 支付宝" => "微信、支付宝";
    list_json: "type = 'list'\nlocale = 'en'", "[\"a, b\", \"c\"]" => "a, b, c";
    text_as_it_is: "type = 'text'", " {{x}} 100% " => " {{x}} 100% ";
    one_of: "type = 'enum'\nvalues = ['gold', 'silver']", "gold" => "gold";
}

refuses! {
    no_integer: "type = 'integer'", "7.5" => "is \"7.5\", not a whole number";
    no_number: "type = 'decimal'", "NaN" => "not a number";
    too_small: "type = 'integer'\nmin = 1\nmax = 5", "0" => "at least 1, not 0";
    too_large: "type = 'percent'\nmax = 100", "101%" => "at most 100, not 101";
    too_late: "type = 'date'\nmax = 2026-12-31", "2027-01-01" => "at most 2026-12-31, not 2027-01-01";
    no_day: "type = 'date'", "2026-02-30" => "not a day";
    too_long: "type = 'duration'\nmax = '2w'", "15d" => "at most 2w, not 15d";
    no_duration: "type = 'duration'", "7" => "not a length of time";
    no_word: "type = 'enum'\nvalues = ['gold', 'silver']", "bronze" => "it is one of gold, silver";
    text_too_long: "type = 'text'\nmax = 3", "四个字吗" => "its characters are at most 3, not 四个字吗";
    list_too_long: "type = 'list'\nmax = 1", "a,b" => "its items are at most 1";
}

#[test]
fn declarations_that_contradict_themselves_say_where() {
    let cases = [
        (
            "[params.x]\ntype = \"number\"\n",
            ErrorKind::Format,
            "params.toml:2:8: unknown variant `number`",
        ),
        (
            "[params.x]\ntype = \"integer\"\nmn = 1\n",
            ErrorKind::Format,
            "params.toml:3:1: unknown field `mn`",
        ),
        ("[param.x]\n", ErrorKind::Format, "params.toml:1:2: unknown field `param`"),
        ("schema = 2\n", ErrorKind::Format, "params.toml:1:10: this is schema 2; 1 is known"),
        (
            "\n[params.x]\ntype = \"integer\"\nmin = 5\nmax = 1\n",
            ErrorKind::Declaration,
            "params.toml:2:9: `x`: `min` is 5 and `max` is 1",
        ),
        (
            "[params.x]\ntype = \"integer\"\nmax = 1\ndefault = 2\n",
            ErrorKind::Declaration,
            "`default` is out of its range",
        ),
        ("[params.x]\ntype = \"money\"\n", ErrorKind::Declaration, "money needs a `unit`"),
        (
            "[params.x]\ntype = \"enum\"\n",
            ErrorKind::Declaration,
            "`values` lists the words of an enum",
        ),
        (
            "[params.x]\ntype = \"text\"\nformat = \"x\"\n",
            ErrorKind::Declaration,
            "`format` needs a `{}`",
        ),
        ("[params.\"a b\"]\ntype = \"text\"\n", ErrorKind::Declaration, "a name is made of"),
    ];
    for (text, kind, words) in cases {
        let error = Declarations::parse("params.toml", text).unwrap_err();
        assert_eq!(error.kind(), kind, "{text}: {error}");
        assert!(error.to_string().contains(words), "{text}: {error}");
    }
}
