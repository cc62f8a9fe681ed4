//! What a value is turned into when the schema wants something else, and what it is never turned into. A line
//! is a case: the schema of a field, what the model wrote there, what it is read as and how sure that is.

use promptline_output::{Coercion, IssueKind, OnUnknown, OutputSpec, Parsed, Risk};
use proptest::prelude::*;
use serde_json::{Value, json};

fn field(schema: &str, written: &str) -> Parsed {
    let schema: Value = serde_json::from_str(schema).unwrap();
    let spec = OutputSpec::from_schema(json!({
        "type": "object", "properties": {"v": schema}, "required": ["v"],
    }));
    spec.unwrap().parse(&format!("{{\"v\": {written}}}"))
}

/// The riskiest coercion.
fn risk(parsed: &Parsed) -> Risk {
    parsed.coerced.iter().map(|one| one.risk).max().unwrap_or(Risk::Lossless)
}

/// What is written, what it is read as, and how many coercions of which risk that takes.
#[track_caller]
fn reads(schema: &str, lines: &[(&str, &str, Risk)]) {
    for (written, right, risky) in lines {
        let parsed = field(schema, written);
        let right: Value = serde_json::from_str(right).unwrap();
        assert!(parsed.fits, "{written} as {schema}: {:?}", parsed.issues);
        let value = &parsed.value.as_ref().unwrap()["v"];
        assert_eq!(value, &right, "{written} as {schema}");
        assert_eq!(risk(&parsed), *risky, "{written} as {schema}: {:?}", parsed.coerced);
        let same = serde_json::from_str::<Value>(written).unwrap() == right;
        assert_eq!(parsed.coerced.is_empty(), same, "{written}: {:?}", parsed.coerced);
    }
}

/// What is written does not fit, for this reason; the value stays what it is.
#[track_caller]
fn refuses(schema: &str, kind: IssueKind, lines: &[&str]) {
    for written in lines {
        let parsed = field(schema, written);
        assert!(!parsed.fits, "{written} as {schema}: {:?}", parsed.value);
        let issue = &parsed.issues[0];
        assert_eq!((issue.kind, issue.path.as_str()), (kind, "/v"), "{written} as {schema}");
        let value: Value = serde_json::from_str(written).unwrap();
        assert_eq!(parsed.value.unwrap()["v"], value, "{written} as {schema}");
    }
}

use Risk::{Guess, Lossless, Lossy};

#[test]
fn numbers() {
    reads(
        r#"{"type": "number"}"#,
        &[
            ("12", "12", Lossless),
            ("3.0", "3.0", Lossless),
            (r#""123""#, "123", Lossless),
            (r#"" 42 ""#, "42", Lossless),
            (r#""-0.5""#, "-0.5", Lossless),
            (r#""+7""#, "7", Lossless),
            (r#""1e3""#, "1e3", Lossless),
            (r#"".5""#, "0.5", Lossless),
            (r#""5.""#, "5.0", Lossless),
            (r#""007""#, "7", Lossless),
            (r#""1.234""#, "1.234", Lossless),
            // Both separators, or one more than once: there is only one reading.
            (r#""1,234.5""#, "1234.5", Lossless),
            (r#""1.234,5""#, "1234.5", Lossless),
            (r#""1,234,567""#, "1234567", Lossless),
            (r#""1.234.567,89""#, "1234567.89", Lossless),
            (r#""12,34,567.5""#, "1234567.5", Lossless),
            (r#""1 234 567""#, "1234567", Lossless),
            (r#""1 234,5""#, "1234.5", Lossless),
            (r#""1'234.5""#, "1234.5", Lossless),
            (r#""1_000_000""#, "1000000", Lossless),
            (r#""12,5""#, "12.5", Lossless),
            (r#""0,234""#, "0.234", Lossless),
            (r#""1,2345""#, "1.2345", Lossless),
            (r#""１２３""#, "123", Lossless),
            (r#""−3""#, "-3", Lossless),
            // A thousand here, one and a bit there.
            (r#""1,234""#, "1234", Guess),
            (r#""50%""#, "50", Guess),
            (r#""50 ％""#, "50", Guess),
            (r#""$1,234.50""#, "1234.50", Guess),
            (r#""-$5""#, "-5", Guess),
            (r#""$-5""#, "-5", Guess),
            (r#""€ 1.234,50""#, "1234.50", Guess),
            (r#""1 234,50 €""#, "1234.50", Guess),
            (r#""¥1,200""#, "1200", Guess),
            (r#""￥１，２００．５""#, "1200.5", Guess),
            (r#""1200元""#, "1200", Guess),
            (r#""USD 12""#, "12", Guess),
            (r#""12 EUR""#, "12", Guess),
            ("[5]", "5", Lossless),
            (r#""about 12""#, "12", Guess),
            (r#""~ 1,200""#, "1200", Guess),
            (r#""约 12""#, "12", Guess),
            (r#""12 左右""#, "12", Guess),
            (r#"{"value": 5}"#, "5", Guess),
            // The others are lost.
            (r#"["about", 5]"#, "5", Lossy),
        ],
    );
    refuses(
        r#"{"type": "number"}"#,
        IssueKind::Type,
        &[
            r#""""#,
            r#""abc""#,
            r#""12 apples""#,
            r#""about 12 apples""#,
            r#""3万""#,
            r#""3 万""#,
            r#""2 million""#,
            r#""5-7""#,
            r#""1.5k""#,
            r#""1,234.5万元""#,
            r#""2 million""#,
            r#""2024-01-31""#,
            r#""10:30""#,
            r#""1/2""#,
            r#""1-2""#,
            r#""5 6""#,
            r#""12 34""#,
            r#""1.2.3""#,
            r#""1,23,4""#,
            r#""1,234,5""#,
            r#""$""#,
            r#""%""#,
            r#""-""#,
            r#""NaN""#,
            r#""Infinity""#,
            r#""0x1F""#,
            r#""12e""#,
            r#""+-5""#,
            r#""--5""#,
            r#""1e999""#,
            r#""¥12¥ 3""#,
            r#""IV""#,
            r#""true""#,
            "true",
            "null",
            "[]",
            "{}",
            r#"{"a": 1, "b": 2}"#,
            "[[1]]",
            "[5, 6]",
        ],
    );
}

#[test]
fn integers() {
    reads(
        r#"{"type": "integer"}"#,
        &[
            ("3", "3", Lossless),
            ("3.0", "3", Lossless),
            (r#""3.0""#, "3", Lossless),
            (r#""1e3""#, "1000", Lossless),
            (r#""1,234""#, "1234", Guess),
            (r#""1,234,567.0""#, "1234567", Lossless),
            ("12345678901234567890", "12345678901234567890", Lossless),
            ("1e20", "1e20", Lossless),
        ],
    );
    refuses(
        r#"{"type": "integer"}"#,
        IssueKind::Type,
        &["3.5", r#""3.5""#, r#""1,5""#, r#""½""#, "false", "null", r#""three""#],
    );
}

#[test]
fn booleans() {
    reads(
        r#"{"type": "boolean"}"#,
        &[
            ("true", "true", Lossless),
            (r#""true""#, "true", Lossless),
            (r#""False""#, "false", Lossless),
            (r#"" YES ""#, "true", Lossless),
            (r#""no""#, "false", Lossless),
            (r#""是""#, "true", Lossless),
            (r#""否""#, "false", Lossless),
            (r#""ｔｒｕｅ""#, "true", Lossless),
            ("1", "true", Lossless),
            ("0", "false", Lossless),
            ("[true]", "true", Lossless),
        ],
    );
    refuses(
        r#"{"type": "boolean"}"#,
        IssueKind::Type,
        &[
            "2",
            "0.5",
            "-1",
            r#""maybe""#,
            r#""""#,
            r#""not true""#,
            r#""true or false""#,
            r#""1""#,
            "null",
            "[]",
            "{}",
        ],
    );
}

#[test]
fn a_sentence_is_an_answer_where_one_value_is_wanted() {
    let boolean = spec(r#"{"type": "boolean"}"#);
    assert_eq!(gives(&boolean, "The answer is true.", "true").coerced[0].risk, Guess);
    for answer in ["It is not true.", "true or false", "That isn't false."] {
        assert!(!boolean.parse(answer).fits, "{answer}");
    }
    let number = spec(r#"{"type": "integer"}"#);
    assert_eq!(gives(&number, "There are 12 of them.", "12").coerced[0].risk, Guess);
    assert!(!number.parse("Between 10 and 12.").fits);
    let word = spec(r#"{"enum": ["spam", "ham"]}"#);
    gives(&word, "This is **spam**.", "\"spam\"");
    assert!(!word.parse("Spam or ham? I cannot tell.").fits);
}

#[test]
fn text_is_made_of_scalars_only() {
    reads(
        r#"{"type": "string"}"#,
        &[
            (r#""x""#, r#""x""#, Lossless),
            ("12", r#""12""#, Lossless),
            // As it is written.
            ("1.10", r#""1.10""#, Lossless),
            ("true", r#""true""#, Lossless),
            // Text stays text, whatever it says.
            (r#""2024-01-31""#, r#""2024-01-31""#, Lossless),
            (r#""007""#, r#""007""#, Lossless),
            (r#""null""#, r#""null""#, Lossless),
            (r#""{\"a\": 1}""#, r#""{\"a\": 1}""#, Lossless),
            (r#"" x ""#, r#"" x ""#, Lossless),
        ],
    );
    refuses(
        r#"{"type": "string"}"#,
        IssueKind::Type,
        &["{}", r#"{"a": "x"}"#, r#"["x"]"#, "[]", "null"],
    );
}

#[test]
fn null_where_nothing_is_known() {
    reads(
        r#"{"type": ["number", "null"]}"#,
        &[
            ("null", "null", Lossless),
            (r#""null""#, "null", Lossless),
            (r#""None""#, "null", Lossless),
            (r#""N/A""#, "null", Guess),
            (r#""""#, "null", Guess),
            (r#""未知""#, "null", Guess),
            (r#""12""#, "12", Lossless),
        ],
    );
    // Text stays text.
    reads(r#"{"type": ["string", "null"]}"#, &[(r#""N/A""#, r#""N/A""#, Lossless)]);
    reads(
        r#"{"enum": ["720p", "1080p", null]}"#,
        &[
            ("null", "null", Lossless),
            (r#""null""#, "null", Lossless),
            (r#""未知""#, "null", Guess),
        ],
    );
    refuses(r#"{"type": "number"}"#, IssueKind::Type, &[r#""N/A""#, r#""unknown""#]);
}

#[test]
fn allowed_values() {
    reads(
        r#"{"enum": ["bilibili", "you_tube", "N/A", 4, true], "x-enum-alias": {"bilibili": ["B站", "哔哩哔哩"]}}"#,
        &[
            (r#""bilibili""#, r#""bilibili""#, Lossless),
            (r#""BiliBili""#, r#""bilibili""#, Lossless),
            (r#"" bilibili ""#, r#""bilibili""#, Lossless),
            (r#""YouTube""#, r#""you_tube""#, Lossless),
            (r#""You Tube""#, r#""you_tube""#, Lossless),
            (r#""B站""#, r#""bilibili""#, Lossless),
            (r#""b站""#, r#""bilibili""#, Lossless),
            (r#""ｂｉｌｉｂｉｌｉ""#, r#""bilibili""#, Lossless),
            (r#""4""#, "4", Lossless),
            ("4.0", "4.0", Lossless),
            (r#""true""#, "true", Lossless),
            (r#""bilibili (the site)""#, r#""bilibili""#, Guess),
            (r#""来自B站的视频""#, r#""bilibili""#, Guess),
            (r#"["bilibili"]"#, r#""bilibili""#, Lossless),
            (r#"["bilibili", "vimeo"]"#, r#""bilibili""#, Lossy),
            (r#"{"site": "bilibili"}"#, r#""bilibili""#, Guess),
        ],
    );
    let kinds = r#"{"enum": ["low", "high", "very_high", "Low!"]}"#;
    reads(
        kinds,
        &[
            (r#""Low!""#, r#""Low!""#, Lossless),
            // The longer name counts, not the one in it.
            (r#""it is very_high.""#, r#""very_high""#, Guess),
        ],
    );
    refuses(kinds, IssueKind::Ambiguous, &[r#""LOW""#, r#""high or low""#]);
    refuses(
        r#"{"enum": ["red", "blue", "720p"]}"#,
        IssueKind::Enum,
        &[
            r#""""#,
            r#""green""#,
            r#""redirect""#,
            r#""re""#,
            r#""infrared""#,
            r#""720""#,
            "720",
            "null",
            "{}",
            "[]",
            r#"{"a": "red", "b": "blue"}"#,
            r#"[["red"]]"#,
        ],
    );
    // What a sentence says it is not.
    refuses(
        r#"{"enum": ["positive", "开心"]}"#,
        IssueKind::Enum,
        &[
            r#""not positive""#,
            r#""The tone isn't positive.""#,
            r#""non-positive""#,
            r#""不开心""#,
            r#""anything other than positive""#,
        ],
    );
    refuses(kinds, IssueKind::Ambiguous, &[r#""high, not low""#]);
    // Numbers that a float cannot tell apart.
    refuses(r#"{"enum": [9007199254740993]}"#, IssueKind::Enum, &["9007199254740992"]);
    // Marks that make another letter.
    refuses(r#"{"enum": ["か"]}"#, IssueKind::Enum, &[r#""が""#]);
    refuses(r#"{"enum": ["%"]}"#, IssueKind::Enum, &[r#""$""#]);
    reads(r#"{"enum": ["café"]}"#, &[(r#""CAFE""#, r#""café""#, Lossless)]);
}

#[test]
fn lists() {
    reads(
        r#"{"type": "array", "items": {"type": "integer"}}"#,
        &[
            (r#"[1, "2", 3.0]"#, "[1, 2, 3]", Lossless),
            ("5", "[5]", Lossless),
            (r#""5""#, "[5]", Lossless),
            (r#""[1, 2]""#, "[1, 2]", Lossless),
            ("[]", "[]", Lossless),
        ],
    );
    reads(
        r#"{"type": "array", "items": {"type": "string"}}"#,
        &[
            (r#""a""#, r#"["a"]"#, Lossless),
            // Words in brackets and between commas are words.
            (r#""[see below]""#, r#"["[see below]"]"#, Lossless),
            (r#""a, b""#, r#"["a", "b"]"#, Guess),
            (r#""red; green; blue""#, r#"["red", "green", "blue"]"#, Guess),
            (r#""红、绿、蓝""#, r#"["红", "绿", "蓝"]"#, Guess),
            (
                r#""It is red, and it was green before.""#,
                r#"["It is red, and it was green before."]"#,
                Lossless,
            ),
        ],
    );
    reads(
        r#"{"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]}"#,
        &[(r#"["a", "2", "3"]"#, r#"["a", 2, "3"]"#, Lossless)],
    );
    refuses(r#"{"type": "array"}"#, IssueKind::Type, &["null"]);
    refuses(
        r#"{"type": "array", "items": {"type": "integer"}, "minItems": 2}"#,
        IssueKind::Schema,
        &["[1]"],
    );
}

#[test]
fn objects() {
    let point = r#"{"type": "object", "properties": {"x": {"type": "integer"}, "y": {"type": "integer"}}, "required": ["x", "y"]}"#;
    reads(
        point,
        &[
            (r#"{"x": 1, "y": 2}"#, r#"{"x": 1, "y": 2}"#, Lossless),
            (r#"{"x": "1", "y": 2}"#, r#"{"x": 1, "y": 2}"#, Lossless),
            (r#"[{"x": 1, "y": 2}]"#, r#"{"x": 1, "y": 2}"#, Lossless),
            (r#""{\"x\": 1, \"y\": \"2\"}""#, r#"{"x": 1, "y": 2}"#, Lossless),
        ],
    );
    refuses(
        point,
        IssueKind::Type,
        &["1", r#""1,2""#, "[1, 2]", r#"[{"x": 1, "y": 2}, {"x": 3, "y": 4}]"#, "null", "[]"],
    );
    let one = r#"{"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}"#;
    reads(one, &[("7", r#"{"x": 7}"#, Guess)]);
    refuses(one, IssueKind::Type, &[r#""7""#]);
}

#[test]
fn rules_hold_after_coercion() {
    let schema = r#"{"type": "integer", "minimum": 1, "maximum": 100}"#;
    reads(schema, &[(r#""100""#, "100", Lossless)]);
    for written in [r#""101""#, "0"] {
        let parsed = field(schema, written);
        assert!(!parsed.fits);
        assert_eq!(
            (parsed.issues[0].kind, parsed.issues[0].path.as_str()),
            (IssueKind::Schema, "/v")
        );
    }
    reads(r#"{"type": "string", "pattern": "^[0-9]+$"}"#, &[("12", r#""12""#, Lossless)]);
}

#[test]
fn unions_take_what_costs_least() {
    let either = r#"{"anyOf": [{"type": "integer"}, {"type": "string"}]}"#;
    reads(either, &[(r#""5""#, r#""5""#, Lossless), ("5", "5", Lossless)]);
    reads(
        r#"{"type": ["string", "integer"]}"#,
        &[("5", "5", Lossless), ("true", r#""true""#, Lossless)],
    );
    reads(
        r#"{"oneOf": [{"type": "boolean"}, {"type": "array", "items": {"type": "boolean"}}]}"#,
        &[(r#""yes""#, "true", Lossless), (r#"["yes"]"#, "[true]", Lossless)],
    );
    let pets = r#"{"oneOf": [
        {"type": "object", "properties": {"kind": {"const": "cat"}, "lives": {"type": "integer"}}, "required": ["kind", "lives"]},
        {"type": "object", "properties": {"kind": {"const": "dog"}, "lives": {"type": "string"}}, "required": ["kind", "lives"]}
    ]}"#;
    reads(
        pets,
        &[
            (r#"{"kind": "cat", "lives": "9"}"#, r#"{"kind": "cat", "lives": 9}"#, Lossless),
            (r#"{"kind": "DOG", "lives": 1}"#, r#"{"kind": "dog", "lives": "1"}"#, Lossless),
        ],
    );
    assert!(!field(pets, r#"{"kind": "cow", "lives": 1}"#).fits);
    // What is wrong is said of all branches.
    let parsed = field(r#"{"anyOf": [{"type": "null"}, {"enum": ["a", "b"]}]}"#, r#""c""#);
    assert_eq!(parsed.issues[0].kind, IssueKind::Enum);
    assert_eq!(parsed.issues[0].expected, "null | \"a\" | \"b\"");
}

/// A whole schema, and whole answers.
fn spec(schema: &str) -> OutputSpec {
    OutputSpec::from_schema(serde_json::from_str(schema).unwrap()).unwrap()
}

#[track_caller]
fn gives(spec: &OutputSpec, answer: &str, right: &str) -> Parsed {
    let parsed = spec.parse(answer);
    let right: Value = serde_json::from_str(right).unwrap();
    assert_eq!(parsed.fitting(), Some(&right), "{answer}: {:?}", parsed.issues);
    parsed
}

#[test]
fn keys_drift() {
    let spec = spec(
        r#"{"type": "object", "properties": {"company_name": {"type": "string", "x-alias": ["公司名称", "公司"]}, "netProfit": {"type": "number"}}, "required": ["company_name", "netProfit"]}"#,
    );
    let right = r#"{"company_name": "ACME", "netProfit": 1}"#;
    for (name, profit) in [
        ("companyName", "net_profit"),
        ("CompanyName", "NetProfit"),
        ("company-name", "net-profit"),
        ("Company Name", "Net Profit"),
        ("COMPANY_NAME", "NETPROFIT"),
        ("ｃｏｍｐａｎｙ＿ｎａｍｅ", "ｎｅｔＰｒｏｆｉｔ"),
        ("公司名称", "Net profit:"),
        ("公司", "net.profit"),
        ("cómpany_name", "netprofit"),
    ] {
        let answer = format!("{{\"{name}\": \"ACME\", \"{profit}\": 1}}");
        let parsed = gives(&spec, &answer, right);
        assert_eq!(parsed.renamed.len(), 2, "{answer}");
        assert!(parsed.unknown.is_empty());
    }
    // A name that is only alike is another name; two that could be it are none.
    for (answer, kind) in [
        (r#"{"company": "ACME", "netProfit": 1}"#, IssueKind::Missing),
        (r#"{"names": "ACME", "netProfit": 1}"#, IssueKind::Missing),
        (r#"{"companyName": "A", "CompanyName": "B", "netProfit": 1}"#, IssueKind::Ambiguous),
    ] {
        let parsed = spec.parse(answer);
        assert!(!parsed.fits, "{answer}");
        assert_eq!(
            (parsed.issues[0].kind, parsed.issues[0].path.as_str()),
            (kind, "/company_name")
        );
        assert!(!parsed.unknown.is_empty());
    }
    // The name itself comes before what is only alike.
    let parsed =
        gives(&spec, r#"{"companyName": "B", "company_name": "ACME", "netProfit": 1}"#, right);
    assert_eq!(parsed.unknown[0].path, "/companyName");
}

#[test]
fn a_name_is_stronger_than_an_alias() {
    let spec = spec(
        r#"{"type": "object", "properties": {"a": {"type": "integer", "x-alias": "b"}, "b": {"type": "integer"}}}"#,
    );
    gives(&spec, r#"{"b": 1}"#, r#"{"b": 1}"#);
    gives(&spec, r#"{"b": 1, "a": 2}"#, r#"{"b": 1, "a": 2}"#);
}

#[test]
fn fields_that_nobody_asked_for() {
    let schema =
        r#"{"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}"#;
    let answer = r#"{"a": 1, "risk_score": 0.9}"#;
    let parsed = gives(&spec(schema), answer, r#"{"a": 1}"#);
    assert_eq!((parsed.unknown[0].path.as_str(), parsed.unknown[0].kept), ("/risk_score", false));
    let parsed = gives(&spec(schema).on_unknown(OnUnknown::Keep), answer, answer);
    assert!(parsed.unknown[0].kept);
    let parsed = spec(schema).on_unknown(OnUnknown::Reject).parse(answer);
    assert!(!parsed.fits);
    assert_eq!(parsed.issues[0].kind, IssueKind::Unknown);
    // What the schema forbids is not kept either.
    let closed = spec(
        r#"{"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": false}"#,
    );
    gives(&closed.on_unknown(OnUnknown::Keep), answer, r#"{"a": 1}"#);
    // What it allows is not unknown.
    let open = spec(
        r#"{"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": true}"#,
    );
    assert!(gives(&open.on_unknown(OnUnknown::Reject), answer, answer).unknown.is_empty());
}

#[test]
fn fields_by_pattern_and_by_rest() {
    let spec = spec(
        r#"{"type": "object", "patternProperties": {"^n_": {"type": "integer"}}, "additionalProperties": false}"#,
    );
    let parsed = gives(&spec, r#"{"n_a": "1", "x": 2}"#, r#"{"n_a": 1}"#);
    assert_eq!(parsed.unknown[0].path, "/x");
    let spec = self::spec(
        r#"{"type": "object", "patternProperties": {"^n_": {"type": "integer"}}, "additionalProperties": {"type": "boolean"}, "required": ["on"]}"#,
    );
    gives(&spec, r#"{"n_a": "1", "on": "yes"}"#, r#"{"n_a": 1, "on": true}"#);
    assert_eq!(spec.parse(r#"{"n_a": 1}"#).issues[0].kind, IssueKind::Missing);
}

#[test]
fn defaults() {
    let schema = r#"{"type": "object", "properties": {
        "a": {"type": "string", "default": "no"}, "n": {"type": "integer", "default": 3}, "q": {"type": "string"}
    }, "required": ["a"]}"#;
    let spec = spec(schema);
    let parsed = gives(&spec, r#"{"a": "x"}"#, r#"{"a": "x", "n": 3}"#);
    assert_eq!(parsed.coerced.len(), 1);
    // Null is how models say that a field is missing.
    gives(&spec, r#"{"a": "x", "n": null, "q": null}"#, r#"{"a": "x", "n": 3}"#);
    // The schema wants this one to be written; the host may not.
    assert_eq!(spec.parse(r#"{"n": 1}"#).issues[0].kind, IssueKind::Missing);
    assert_eq!(spec.parse(r#"{"a": null}"#).issues[0].kind, IssueKind::Type);
    let spec = spec.default("a", "-").unwrap();
    gives(&spec, "{}", r#"{"a": "-", "n": 3}"#);
    gives(&spec, r#"{"a": null, "n": 1}"#, r#"{"a": "-", "n": 1}"#);
}

#[test]
fn schemas_made_of_schemas() {
    let all = spec(
        r##"{"allOf": [{"$ref": "#/$defs/base"}, {"properties": {"b": {"type": "integer"}}}, {"required": ["a", "b"]}],
        "$defs": {"base": {"type": "object", "properties": {"a": {"type": "integer"}}}}}"##,
    );
    gives(&all, r#"{"A": "1", "b": "2"}"#, r#"{"a": 1, "b": 2}"#);
    assert_eq!(all.parse(r#"{"a": 1}"#).issues[0].kind, IssueKind::Missing);
    let number = spec(r#"{"allOf": [{"type": "number"}, {"type": "integer"}]}"#);
    gives(&number, r#""3""#, "3");
    // What stands beside branches holds in each of them.
    let beside = spec(
        r#"{"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
        "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}"#,
    );
    gives(&beside, r#"{"b": "2"}"#, r#"{"b": 2}"#);
    assert!(!beside.parse("{}").fits);
    let shared = spec(
        r#"{"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"], "oneOf": [
        {"properties": {"kind": {"const": "a"}, "x": {"type": "integer"}}, "required": ["kind", "x"]},
        {"properties": {"kind": {"const": "b"}, "y": {"type": "boolean"}}, "required": ["kind", "y"]}]}"#,
    );
    let right = r#"{"id": 1, "kind": "b", "y": true}"#;
    assert!(gives(&shared, r#"{"id": "1", "kind": "b", "y": "true"}"#, right).unknown.is_empty());
    // Cases only add fields that may be there.
    let cases = spec(
        r#"{"type": "object", "properties": {"pay": {"enum": ["card", "cash"]}}, "required": ["pay"],
        "if": {"properties": {"pay": {"const": "card"}}},
        "then": {"properties": {"digits": {"type": "integer"}}, "required": ["digits"]},
        "else": {"properties": {"change": {"type": "boolean"}}}}"#,
    );
    gives(&cases, r#"{"pay": "card", "digits": "12"}"#, r#"{"pay": "card", "digits": 12}"#);
    gives(&cases, r#"{"pay": "Cash", "change": "no"}"#, r#"{"pay": "cash", "change": false}"#);
    assert_eq!(cases.parse(r#"{"pay": "card"}"#).issues[0].kind, IssueKind::Schema);
    let both = spec(
        r#"{"allOf": [
        {"anyOf": [{"properties": {"a": {"type": "integer"}}}, {"properties": {"b": {"type": "integer"}}}]},
        {"anyOf": [{"properties": {"c": {"type": "integer"}}}, {"properties": {"d": {"type": "integer"}}}]}]}"#,
    );
    assert!(gives(&both, r#"{"a": "1", "d": "2"}"#, r#"{"a": 1, "d": 2}"#).unknown.is_empty());
}

#[test]
fn references_lead_anywhere() {
    let tree = spec(
        r##"{"$ref": "#/$defs/node", "$defs": {"node": {"type": "object", "properties":
        {"n": {"type": "integer"}, "next": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]}}, "required": ["n"]}}}"##,
    );
    gives(
        &tree,
        r#"{"n": "1", "next": {"N": "2", "next": null}}"#,
        r#"{"n": 1, "next": {"n": 2, "next": null}}"#,
    );
    assert_eq!(tree.parse(r#"{"n": 1, "next": {"n": {}}}"#).issues[0].path, "/next/n");
    // A name with characters that a pointer and an address write otherwise.
    let odd = spec(
        r##"{"type": "object", "properties": {"v": {"$ref": "#/$defs/a~1b%20c"}}, "$defs": {"a/b c": {"type": "integer"}}}"##,
    );
    gives(&odd, r#"{"v": "1"}"#, r#"{"v": 1}"#);
    // What leads back to itself says nothing, and ends.
    for schema in [
        r##"{"$ref": "#"}"##,
        r##"{"anyOf": [{"$ref": "#"}, {"type": "integer"}]}"##,
        r##"{"type": "array", "items": {"$ref": "#"}}"##,
        r##"{"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}"##,
        r##"{"allOf": [{"$ref": "#"}], "type": "object", "properties": {"a": {"$ref": "#"}}}"##,
    ] {
        if let Ok(spec) = OutputSpec::from_schema(serde_json::from_str(schema).unwrap()) {
            for answer in ["5", "[[5]]", r#"{"a": {"a": {}}}"#, "x"] {
                let _ = spec.parse(answer);
            }
        }
    }
}

#[test]
fn the_last_answer_that_fits_counts() {
    let spec =
        spec(r#"{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}"#);
    gives(&spec, r#"{"n": 1}. Wait, I was wrong: {"n": 2}"#, r#"{"n": 2}"#);
    // What was quoted from the user stands before the answer, and what does not fit does not count.
    gives(
        &spec,
        r#"The page says {"n": 666}. My answer: ```json
{"n": 2}
```"#,
        r#"{"n": 2}"#,
    );
    gives(&spec, r#"{"n": 2} (I left out {"m": 3}.)"#, r#"{"n": 2}"#);
}

#[test]
fn risks_can_be_refused() {
    let schema =
        r#"{"type": "object", "properties": {"n": {"type": "number"}}, "required": ["n"]}"#;
    let answer = r#"{"n": "1,234"}"#;
    let careful = spec(schema).max_risk(Risk::Lossless).parse(answer);
    assert!(!careful.fits);
    assert_eq!((careful.issues[0].kind, careful.issues[0].path.as_str()), (IssueKind::Risk, "/n"));
    gives(&spec(schema).max_risk(Risk::Guess), answer, r#"{"n": 1234}"#);
    gives(&spec(schema).max_risk(Risk::Lossless), r#"{"n": "1,234.5"}"#, r#"{"n": 1234.5}"#);
}

#[test]
fn synonyms_of_a_field() {
    let spec = spec(
        r#"{"type": "object", "properties": {"quality": {"enum": ["720p", "1080p"]}}, "required": ["quality"]}"#,
    )
    .synonym("quality", "高清", "1080p")
    .unwrap()
    .synonym("quality", "Full HD", "1080p")
    .unwrap();
    for said in ["高清", " 高清 ", "full-hd", "FullHD"] {
        gives(&spec, &format!("{{\"quality\": \"{said}\"}}"), r#"{"quality": "1080p"}"#);
    }
    assert!(!spec.parse(r#"{"quality": "超高清"}"#).fits);
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3i64..9).prop_map(Value::from),
        Just(json!(1.0)),
        Just(json!(2.5)),
        "[abx1]{0,2}".prop_map(Value::from),
        Just(json!("yes")),
        Just(json!("1,234")),
    ];
    leaf.prop_recursive(3, 16, 3, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            proptest::collection::btree_map("[abx]", inner, 0..3)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// Schemas of every make. They say their types: without one, `properties` mean an object to us, and anything
/// else fits them as well.
fn any_schema() -> impl Strategy<Value = Value> {
    let fields = json!({"a": {"type": "integer"}, "b": {"type": ["string", "null"]}});
    proptest::sample::select(vec![
        json!({"type": "object", "properties": fields, "required": ["a"]}),
        json!({"type": "object", "properties": fields, "additionalProperties": {"type": "boolean"}}),
        json!({"type": "object", "properties": fields, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}),
        json!({"type": "object", "allOf": [{"properties": {"a": {"type": "number"}}}, {"properties": {"a": {"type": "integer"}, "x": {}}, "required": ["x"]}]}),
        json!({"type": "object", "if": {"required": ["a"]}, "then": {"properties": {"b": {"type": "integer"}}}, "else": {"properties": {"b": {"type": "string"}}}}),
        json!({"anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "array", "items": {"type": "integer"}}]}),
        json!({"type": "object", "oneOf": [{"properties": {"a": {"const": 1}}, "required": ["a"]}, {"properties": {"a": {"const": 2}, "b": {"type": "array"}}, "required": ["a"]}]}),
        json!({"type": ["integer", "array", "object"], "items": {"enum": ["a", 1, null]}}),
        json!({"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "items": {"type": "boolean"}}),
        json!({"$ref": "#/$defs/t", "$defs": {"t": {"anyOf": [{"type": "number"}, {"type": "object", "additionalProperties": {"$ref": "#/$defs/t"}}]}}}),
        json!({"type": "object", "patternProperties": {"^a": {"type": "integer"}}, "additionalProperties": {"type": "string"}}),
        json!({"enum": [1, "a", true, null, [1], {"a": 1}]}),
        json!({"not": {"type": "string"}}),
    ])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, failure_persistence: None, ..ProptestConfig::default() })]

    /// What the schema takes is taken as it is, but for fields that it does not name and integers that are
    /// written as floats; what is given as fitting, the schema takes.
    #[test]
    fn the_schema_has_the_last_word(schema in any_schema(), value in any_value()) {
        let validator = jsonschema::validator_for(&schema).unwrap();
        let spec = OutputSpec::from_schema(schema.clone()).unwrap().on_unknown(OnUnknown::Keep);
        let parsed = spec.parse(&value.to_string());
        if let Some(fitting) = parsed.fitting() {
            prop_assert!(validator.is_valid(fitting), "{schema} {value} gives {fitting}");
        }
        if validator.is_valid(&value) && (value.is_array() || value.is_object()) {
            prop_assert!(parsed.fits, "{schema} {value}: {:?}", parsed.issues);
            let changed: Vec<_> =
                parsed.coerced.iter().filter(|one| one.how != Coercion::Number).collect();
            prop_assert!(changed.is_empty() && parsed.renamed.is_empty(), "{schema} {value}: {changed:?}");
            if parsed.coerced.is_empty() {
                prop_assert_eq!(parsed.value.unwrap(), value);
            }
        }
    }
}

#[test]
fn schemas_that_nobody_could_follow_are_refused() {
    let refused = |schema: Value| OutputSpec::from_schema(schema).unwrap_err().to_string();
    let chain = |links: usize| {
        let links = (0..links).map(|at| {
            let next = format!("#/$defs/{}", at + 1);
            (at.to_string(), json!({"allOf": [{"$ref": next}]}))
        });
        let mut defs: serde_json::Map<String, Value> = links.collect();
        defs.insert(defs.len().to_string(), json!({"type": "string"}));
        json!({"$ref": "#/$defs/0", "$defs": defs})
    };
    assert!(refused(chain(20_000)).contains("more than 32 of its schemas lead to each other"));
    assert!(OutputSpec::from_schema(chain(8)).unwrap().parse("\"x\"").fits);
    let inside_out = json!({"enum": ["1080p"], "x-enum-alias": {"full HD": "1080p"}});
    assert!(refused(inside_out).contains("`full HD`, which is no value of its enum"));
}
