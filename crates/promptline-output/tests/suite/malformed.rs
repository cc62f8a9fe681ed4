//! What models write instead of JSON, kind by kind, a case a line: the answer, what is read in it, and the
//! worst that had to be done. `As` is: nothing had to be repaired; `cut`: it is flagged as cut off.

use promptline_output::{OutputSpec, Parsed, Risk};
use proptest::prelude::*;
use serde_json::{Value, json};

/// The worst of all repairs.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Worst {
    As,
    Lossless,
    Guess,
    Lossy,
}
use Worst::{As, Guess, Lossless, Lossy};

type Case = (&'static str, &'static str, Worst, bool);

fn worst(parsed: &Parsed) -> Worst {
    match parsed.repairs.iter().map(|repair| repair.risk).max() {
        None => As,
        Some(Risk::Lossless) => Lossless,
        Some(Risk::Guess) => Guess,
        Some(_) => Lossy,
    }
}

/// Reads every case, and says all that came out otherwise.
fn check(cases: &[Case]) {
    let any = OutputSpec::any();
    let mut faults = Vec::new();
    for &(answer, expected, risk, cut) in cases {
        let parsed = any.parse(answer);
        let expected: Value = serde_json::from_str(expected).expect("JSON is expected");
        let right = (Some(expected), risk, cut);
        let read = (parsed.value.clone(), worst(&parsed), parsed.truncated.is_some());
        if read != right {
            faults.push(format!("{answer}\n  read  {read:?}\n  right {right:?}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

macro_rules! cut {
    () => {
        false
    };
    (cut) => {
        true
    };
}

macro_rules! cases {
    ($name:ident: $($answer:literal => $value:literal, $risk:ident $(, $cut:ident)?;)*) => {
        mod $name {
            use super::*;
            pub(super) const CASES: &[Case] = &[$(($answer, $value, $risk, cut!($($cut)?))),*];

            #[test]
            fn are_read() {
                check(CASES);
            }
        }
    };
}

cases! {
    quotes:
    "{'a': 'b', 'c': 'it's ok'}" => r#"{"a":"b","c":"it's ok"}"#, Guess;
    r#"{'a': 'don\'t', "b": 'say "hi"'}"# => r#"{"a":"don't","b":"say \"hi\""}"#, Lossless;
    "{“a”: “b”, ‘c’: ‘d’}" => r#"{"a":"b","c":"d"}"#, Lossless;
    r#"{"a": “b"}"# => r#"{"a":"b"}"#, Lossless;
    r#"{“a": "b", "c": 1}"# => r#"{"a":"b","c":1}"#, Lossless;
    "{「a」：「b」，「c」：1}" => r#"{"a":"b","c":1}"#, Lossless;
    "{“名称”：“测试”，“数量”：３}" => r#"{"名称":"测试","数量":3}"#, Lossless;
    "｛＂ａ＂：＂ｂ＂，＂ｃ＂：［１，２］｝" => r#"{"ａ":"ｂ","ｃ":[1,2]}"#, Lossless;
    "{`a`: `b ${c} d`}" => r#"{"a":"b ${c} d"}"#, Lossless;
    "{\"a\": \"\"\"multi\nline \"quoted\" text\"\"\", \"b\": 1}" => r#"{"a":"multi\nline \"quoted\" text","b":1}"#, Lossless;
    r#"{"a": '''x''', "b": 1}"# => r#"{"a":"x","b":1}"#, Lossless;
    r#"{""a"": ""b""}"# => r#"{"a":"b"}"#, Lossless;
    r#"{"a": ''x'', "b": 1}"# => r#"{"a":"x","b":1}"#, Lossless;
    r#"{'a": 1, "b": 2}"# => r#"{"a":1,"b":2}"#, Guess;
    r#"{"a': 1, "b": 2}"# => r#"{"a":1,"b":2}"#, Guess;
    r#"{"a": 'b", "c": 1}"# => r#"{"a":"b","c":1}"#, Guess;
    r#"{"a": "b', "c": 1}"# => r#"{"a":"b","c":1}"#, Guess;
    r#"{"a": "b”, "c": 1}"# => r#"{"a":"b","c":1}"#, Guess;
    r#"{a": 1}"# => r#"{"a":1}"#, Guess;
    r#"{"a": b", "c": "d"}"# => r#"{"a":"b","c":"d"}"#, Guess;
    r#"{"a": "b, "c": "d"}"# => r#"{"a":"b","c":"d"}"#, Guess;
    r#"{"a: 1, "b": 2}"# => r#"{"a":1,"b":2}"#, Guess;
    r#"["a", b", "c"]"# => r#"["a","b","c"]"#, Guess;
    r#"{"评论"："他说"你好"。","分"：5}"# => r#"{"评论":"他说\"你好\"。","分":5}"#, Guess;
}

cases! {
    inner_quotes:
    r#"{"a": "he said "hi" to me", "b": 1}"# => r#"{"a":"he said \"hi\" to me","b":1}"#, Guess;
    r#"{"a": "he said "hi"", "b": 1}"# => r#"{"a":"he said \"hi\"","b":1}"#, Guess;
    r#"{"a": ""hi" he said", "b": 1}"# => r#"{"a":"\"hi\" he said","b":1}"#, Guess;
    r#"{"a": "x", y", "b": 1}"# => r#"{"a":"x\", y","b":1}"#, Guess;
    r#"{"a": "the "b": thing", "c": 1}"# => r#"{"a":"the \"b\": thing","c":1}"#, Guess;
    r#"{"title": "The "Big" One", "n": "a, "b", c"}"# => r#"{"title":"The \"Big\" One","n":"a, \"b\", c"}"#, Guess;
    r#"["he said "hi"", "x"]"# => r#"["he said \"hi\"","x"]"#, Guess;
    r#"{"a": "5'11" tall", "b": 2}"# => r#"{"a":"5'11\" tall","b":2}"#, Guess;
    r#"{"html": "<a href="x">y</a>", "n": 1}"# => r#"{"html":"<a href=\"x\">y</a>","n":1}"#, Guess;
    r#"{"sql": "SELECT "a", "b" FROM t", "n": 1}"# => r#"{"sql":"SELECT \"a\", \"b\" FROM t","n":1}"#, Guess;
    r#"{"code": "if (a) { return "b"; }", "n": 1}"# => r#"{"code":"if (a) { return \"b\"; }","n":1}"#, Guess;
    r#"{"x": "the answer is {"b": "music"}, which is fine"}"# => r#"{"x":"the answer is {\"b\": \"music\"}, which is fine"}"#, Guess;
    r#"{"x": "see ["a", "b"] and more", "y": 1}"# => r#"{"x":"see [\"a\", \"b\"] and more","y":1}"#, Guess;
    r#"{"a": "{"b": 1}"}"# => r#"{"a":"{\"b\": 1}"}"#, Guess;
    r#"{"text": "Use {x} and [y] in "quotes", ok?", "n": 1}"# => r#"{"text":"Use {x} and [y] in \"quotes\", ok?","n":1}"#, Guess;
    r#"{"a": "say "yes", then "no", ok", "b": "c"}"# => r#"{"a":"say \"yes\", then \"no\", ok","b":"c"}"#, Guess;
    "{'text': 'don't, can't, won't', 'n': 1}" => r#"{"text":"don't, can't, won't","n":1}"#, Guess;
    r#"{"q": "What is "x"?", "a": "It is "y"."}"# => r#"{"q":"What is \"x\"?","a":"It is \"y\"."}"#, Guess;
    "{\"a\": \"one\nsecond \"quoted\" line\", \"b\": 1}" => r#"{"a":"one\nsecond \"quoted\" line","b":1}"#, Guess;
    r#"{"regex": "^\s*(['"]([^'"]+)['"]\s*,"}"# => r#"{"regex":"^\\s*(['\"]([^'\"]+)['\"]\\s*,"}"#, Guess;
}

cases! {
    keys_and_values_without_quotes:
    "{a: b, c: d e f, g: 1}" => r#"{"a":"b","c":"d e f","g":1}"#, Guess;
    "{a: 1, b-c: 2, d.e: 3, $f: 4}" => r#"{"a":1,"b-c":2,"d.e":3,"$f":4}"#, Lossless;
    "{first name: Bob, age: 3}" => r#"{"first name":"Bob","age":3}"#, Guess;
    "{a: http://x.y/z, b: 1}" => r#"{"a":"http://x.y/z","b":1}"#, Guess;
    "{a:{b:c}}" => r#"{"a":{"b":"c"}}"#, Guess;
    r#"{"k": v1, v2, "k2": x}"# => r#"{"k":"v1, v2","k2":"x"}"#, Guess;
    r#"{"a": 2024-01-02T10:30:00Z, "b": 12 kg}"# => r#"{"a":"2024-01-02T10:30:00Z","b":"12 kg"}"#, Guess;
    r#"{"color": #ff0000, "price": €5}"# => r##"{"color":"#ff0000","price":"€5"}"##, Guess;
    "[a b, c d]" => r#"["a b","c d"]"#, Guess;
}

cases! {
    commas_colons_brackets:
    r#"{"a": 1 "b": 2}"# => r#"{"a":1,"b":2}"#, Lossless;
    "{\"a\": 1\n\"b\": 2}" => r#"{"a":1,"b":2}"#, Lossless;
    r#"{"a": "x" "b": "y"}"# => r#"{"a":"x","b":"y"}"#, Lossless;
    r#"{"a": "x" b: "y"}"# => r#"{"a":"x","b":"y"}"#, Guess;
    r#"["a" "b" "c"]"# => r#"["a","b","c"]"#, Guess;
    r#"["a", "b" "c", "d"]"# => r#"["a","b","c","d"]"#, Guess;
    "[1 2 3]" => "[1,2,3]", Guess;
    r#"[{"a": 1} {"b": 2}]"# => r#"[{"a":1},{"b":2}]"#, Guess;
    r#"{"a": 1,, "b": 2,}"# => r#"{"a":1,"b":2}"#, Lossless;
    "[,1,,2,]" => "[1,2]", Lossless;
    r#"{"a": 1，}"# => r#"{"a":1}"#, Lossless;
    r#"{"a": 1; "b": 2;}"# => r#"{"a":1,"b":2}"#, Lossless;
    r#"{"a" 1, "b" "x"}"# => r#"{"a":1,"b":"x"}"#, Guess;
    r#"{"a" => 1, 'b' => 'c'}"# => r#"{"a":1,"b":"c"}"#, Lossless;
    r#"{:a => 1, :b => "x"}"# => r#"{"a":1,"b":"x"}"#, Guess;
    r#"{a = 1, b = "x"}"# => r#"{"a":1,"b":"x"}"#, Lossless;
    r#"{"a":: 1}"# => r#"{"a":1}"#, Guess;
    r#"{"a":, "b": 1}"# => r#"{"a":null,"b":1}"#, Guess;
    r#"{"a":}"# => r#"{"a":null}"#, Guess;
    r#"{"a": [1, 2, 3 "b": 4}"# => r#"{"a":[1,2,3],"b":4}"#, Guess;
    r#"{"a": [{"b": 1}, "c": 2}"# => r#"{"a":[{"b":1}],"c":2}"#, Guess;
    r#"{"a": [{"b": 1, {"c": 2}]}"# => r#"{"a":[{"b":1},{"c":2}]}"#, Guess;
    r#"{"a": {"b": 1, "c": [2}, "d": 3}"# => r#"{"a":{"b":1,"c":[2]},"d":3}"#, Guess;
    r#"{"k": ["v1", "v2"}, "k2": ["v3", "v4"]}"# => r#"{"k":["v1","v2"],"k2":["v3","v4"]}"#, Guess;
    r#"{"k": "v"}, "k2": "v2"}"# => r#"{"k":"v","k2":"v2"}"#, Guess;
    r#"{"a": 1]]"# => r#"{"a":1}"#, Guess;
    "[1, 2}" => "[1,2]", Guess;
    r#"["x", "y"}"# => r#"["x","y"]"#, Guess;
    r#"[{"k":"v"}},{"k":"v"}]"# => r#"[{"k":"v"},{"k":"v"}]"#, Guess;
    r#"["a": 1, "b": 2]"# => r#"[{"a":1,"b":2}]"#, Guess;
    r#"{{"a": 1}}"# => r#"{"a":1}"#, As;
    r#"{"a":"b""c":"d"}"# => r#"{"a":"b","c":"d"}"#, Lossless;
    r#"{"a":true"b":false}"# => r#"{"a":true,"b":false}"#, Lossless;
    r#"[1"b"]"# => r#"[1,"b"]"#, Guess;
    "[[1][2]]" => "[[1],[2]]", Guess;
    r#"{"a": {]}"# => r#"{"a":{}}"#, Guess;
}

cases! {
    comments:
    "{\"a\": 1, // one\n\"b\": 2 /* two */, # three\n\"c\": 3}" => r#"{"a":1,"b":2,"c":3}"#, Lossless;
    "{\"a\": \"x\", #comment\n\"b\": 1}" => r#"{"a":"x","b":1}"#, Lossless;
    r#"{"a": 1, <!-- c --> "b": 2}"# => r#"{"a":1,"b":2}"#, Lossless;
    r#"{"a": "x // y # z", "b": 1} // tail"# => r#"{"a":"x // y # z","b":1}"#, As;
    r#"{/*c*/"a"/*d*/:/*e*/1/*f*/}"# => r#"{"a":1}"#, Lossless;
    "// {\"a\": 0}\n{\"a\": 1}" => r#"{"a":1}"#, As;
    r#"{"a": 1} // {"a": 2}"# => r#"{"a":1}"#, As;
}

cases! {
    literals_and_numbers:
    r#"{"a": True, "b": FALSE, "c": None, "d": undefined}"# => r#"{"a":true,"b":false,"c":null,"d":null}"#, Lossless;
    r#"{"a": NaN, "b": -Infinity}"# => r#"{"a":null,"b":null}"#, Lossy;
    "[+1, .5, 5., -.5, 1_000, 12n]" => "[1,0.5,5.0,-0.5,1000,12]", Lossless;
    "[0x1F, 0o17, 0b101]" => "[31,15,5]", Lossless;
    "[３５, １．５, −5]" => "[35,1.5,-5]", Lossless;
    "[007, 1.2.3, 1e999]" => r#"["007","1.2.3","1e999"]"#, Guess;
    r#"{"a": 1,000, "b": 50%}"# => r#"{"a":"1,000","b":"50%"}"#, Guess;
    r#"{"a": (1, 2), "b": ("x", "y"), "c": ()}"# => r#"{"a":[1,2],"b":["x","y"],"c":[]}"#, Guess;
    r#"{"a": {1, 2}}"# => r#"{"a":[1,2]}"#, Guess;
    r#"{"a", "b"}"# => r#"["a","b"]"#, Guess;
    r#"{"a": u'x', "b": b'y', "c": r"z"}"# => r#"{"a":"x","b":"y","c":"z"}"#, Guess;
    r#"{"a": ISODate("2020-01-01"), "b": NumberLong(5)}"# => r#"{"a":"2020-01-01","b":5}"#, Guess;
    r#"{"a": new Date("2020-01-01")}"# => r#"{"a":"2020-01-01"}"#, Guess;
    r#"{"a": "b" + "c", "d": 1}"# => r#"{"a":"bc","d":1}"#, Guess;
}

cases! {
    ellipses:
    r#"{"a": [1, 2, ...]}"# => r#"{"a":[1,2]}"#, Lossy;
    r#"{"a": [1, 2, …], "b": 1}"# => r#"{"a":[1,2],"b":1}"#, Lossy;
    "[1, 2, ..., 9]" => "[1,2,9]", Lossy;
    r#"{"a": 1, ...}"# => r#"{"a":1}"#, Lossy;
    r#"{"a": ...}"# => r#"{"a":null}"#, Lossy;
    "[1, 2...]" => "[1,2]", Lossy;
    r#"{"a": "...", "b": "wait…"}"# => r#"{"a":"...","b":"wait…"}"#, As;
}

cases! {
    strings_and_escapes:
    "{\"a\": \"line one\nline two\", \"b\": \"tab\there\"}" => r#"{"a":"line one\nline two","b":"tab\there"}"#, Lossless;
    r#"{"a": "C:\Users\dir", "b": "\d+\.\w"}"# => r#"{"a":"C:\\Users\\dir","b":"\\d+\\.\\w"}"#, Guess;
    r#"{"path": "C:\", "b": 1}"# => r#"{"path":"C:\\","b":1}"#, Guess;
    r#"{"a": "\x41\u00e9\u{1F600}\'\`"}"# => r#"{"a":"Aé😀'`"}"#, Lossless;
    r#"{"a": "\ud83d\ude00", "b": "\ud800"}"# => r#"{"a":"😀","b":"�"}"#, Lossy;
    r#"{"a\_b": "x\/y"}"# => r#"{"a_b":"x/y"}"#, Guess;
    r#"{"a": 1\n}"# => r#"{"a":1}"#, Lossless;
    r#"{\n  "a": 1,\n  "b": "x"\n}"# => r#"{"a":1,"b":"x"}"#, Lossless;
    r#"\{"a": 1\}"# => r#"{"a":1}"#, Guess;
    r#"{\"a\": \"b\", \"c\": [1, 2]}"# => r#"{"a":"b","c":[1,2]}"#, Guess;
    r#"{\\\"a\\\": 1}"# => r#"{"a":1}"#, Guess;
    "{&quot;a&quot;: &quot;x &amp; y&quot;}" => r#"{"a":"x & y"}"#, Guess;
    r#"{"a": "x &amp; y"}"# => r#"{"a":"x &amp; y"}"#, As;
}

cases! {
    around_the_value:
    r#"callback({"a": 1});"# => r#"{"a":1}"#, As;
    r#"var x = {"a": 1};"# => r#"{"a":1}"#, As;
    "const x = {a: 1, b: 'c'};" => r#"{"a":1,"b":"c"}"#, Lossless;
    r#"result: {"a": 1}"# => r#"{"a":1}"#, As;
    r#"`{"a": 1}`"# => r#"{"a":1}"#, As;
    r#""""{"a": 1}""""# => r#"{"a":1}"#, As;
    r#""{"a": "b"}""# => r#"{"a":"b"}"#, As;
    r#"data: {"a": 1}"# => r#"{"a":1}"#, As;
    r#"{"a": 1}..."# => r#"{"a":1}"#, As;
    r#"{"a": 1} I used {braces} here."# => r#"{"a":1}"#, As;
    r#"{"a": 1} (see {b: 2})"# => r#"{"a":1}"#, As;
    r#"Set {x} to [y]: {"a": 1}."# => r#"{"a":1}"#, As;
    r#"Here is {"a": 1} or maybe {"a": 2}?"# => r#"{"a":2}"#, As;
    "<answer>{'a': 1}</answer>" => r#"{"a":1}"#, Lossless;
    "<json>\n{\"a\": 1\n</json>" => r#"{"a":1}"#, Guess;
    r#"- {"a": 1}"# => r#"{"a":1}"#, As;
    r#"| x | {"a": 1} |"# => r#"{"a":1}"#, As;
    r#"**Output:** {"a": 1}"# => r#"{"a":1}"#, As;
    "{\"a\": 1}\n\nExplanation: the object {\"b\": 2} is meant." => r#"{"a":1}"#, As;
    r#"[NOTE][{"a": 1}]"# => r#"[{"a":1}]"#, As;
    r#"{"a": 1}<|im_end|>"# => r#"{"a":1}"#, As;
}

cases! {
    fences:
    "```json\n{\"a\": 1}\n```" => r#"{"a":1}"#, As;
    r#"```JSON {"a": 1} ```"# => r#"{"a":1}"#, As;
    "````json\n{\"a\": \"```\"}\n````" => r#"{"a":"```"}"#, As;
    "~~~\n{\"a\": 1}\n~~~" => r#"{"a":1}"#, As;
    "```json\n{\"a\": \"```code```\", \"b\": 1}\n```" => r#"{"a":"```code```","b":1}"#, As;
    "```json\n{\"a\": 1,\n```\nDone {x}" => r#"{"a":1}"#, Guess;
    "```json\n{\"a\": 1}\n```\n```json\n{\"a\": 2}\n```" => r#"{"a":2}"#, As;
    "```\na: 1\nb: x\n```" => r#"{"a":1,"b":"x"}"#, Guess;
    "```\nTWO\n```" => r#""TWO""#, Guess;
    "```json\n{\"a\": 1}\n```\nand\n```python\nprint({\"x\": 1})\n```" => r#"{"a":1}"#, As;
}

cases! {
    several_values_and_no_braces:
    "{\"a\": 1}\n{\"a\": 2}" => r#"[{"a":1},{"a":2}]"#, Guess;
    r#"{"a": 1}{"b": 2}"# => r#"[{"a":1},{"b":2}]"#, Guess;
    r#"{"a": 1},{"b": 2}"# => r#"[{"a":1},{"b":2}]"#, Guess;
    r#"{"a": 1, "a": 2}"# => r#"{"a":2}"#, As;
    r#""a": 1, "b": 2"# => r#"{"a":1,"b":2}"#, Guess;
    "a: 1\nb: two\n\nThat is all." => r#"{"a":1,"b":"two"}"#, Lossy;
    "- name: Bob\n- age: 3" => r#"{"name":"Bob","age":3}"#, Guess;
    "Here it is:\n* **Name:** Bob Ray\n* **Full age**: 30" => r#"{"Name":"Bob Ray","Full age":30}"#, Guess;
}

cases! {
    blanks:
    "{\"a\":\u{feff} 1, \"b\":\u{3000}2}" => r#"{"a":1,"b":2}"#, Lossless;
    "{\"a\": 1\0, \"b\": 2}" => r#"{"a":1,"b":2}"#, Lossless;
    "{\"a\": \"x\u{feff}y\"}" => "{\"a\":\"x\u{feff}y\"}", As;
}

cases! {
    cut_off:
    r#"{"a": 1, "b": "tex"# => r#"{"a":1,"b":"tex"}"#, Guess, cut;
    r#"{"a": 1, "b": [1, 2"# => r#"{"a":1,"b":[1,2]}"#, Guess, cut;
    r#"{"a": tr"# => r#"{"a":true}"#, Guess, cut;
    r#"{"a": -"# => "{}", Guess, cut;
    r#"{"a": "x\u12"# => r#"{"a":"x"}"#, Guess, cut;
    r#"{"a": "b", "c"# => r#"{"a":"b"}"#, Guess, cut;
    r#"{"a": [{"b": 1}, {"b"# => r#"{"a":[{"b":1},{}]}"#, Guess, cut;
    r#"{"a": "b}"# => r#"{"a":"b"}"#, Guess, cut;
    r#"{“a": "b”}"# => r#"{"a":"b"}"#, Guess, cut;
    r#""text"# => r#""text""#, As, cut;
}

const ALL: &[&[Case]] = &[
    quotes::CASES,
    inner_quotes::CASES,
    keys_and_values_without_quotes::CASES,
    commas_colons_brackets::CASES,
    comments::CASES,
    literals_and_numbers::CASES,
    ellipses::CASES,
    strings_and_escapes::CASES,
    around_the_value::CASES,
    fences::CASES,
    several_values_and_no_braces::CASES,
    blanks::CASES,
    cut_off::CASES,
];

#[test]
fn a_schema_tells_which_members_are_meant() {
    let schema = json!({
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "age": {"type": "integer"},
            "tags": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["name", "age"],
    });
    let spec = OutputSpec::from_schema(schema).unwrap();
    for (answer, expected) in [
        (
            "name: \"Bob\"\nage: \"3\"\ntags: [\"x\"]",
            json!({"name": "Bob", "age": 3, "tags": ["x"]}),
        ),
        ("What I found:\n\n**Name:** Bob Ray\n**Age:** 30", json!({"name": "Bob Ray", "age": 30})),
        ("Name: X, Age: 1\n{\"name\": \"Bob\", \"age\": 3}", json!({"name": "Bob", "age": 3})),
        ("Answer: {'name': 'Bob', 'age': ３}", json!({"name": "Bob", "age": 3})),
    ] {
        assert_eq!(spec.parse(answer).fitting(), Some(&expected), "{answer}");
    }
}

fn answers() -> Vec<&'static str> {
    ALL.iter().flat_map(|cases| cases.iter()).map(|case| case.0).collect()
}

/// What is reported stands in the answer, and what was not repaired stands there as JSON.
fn is_honest(answer: &str) -> Result<(), TestCaseError> {
    let parsed = OutputSpec::any().parse(answer);
    for repair in &parsed.repairs {
        let written = answer.get(repair.span.start..repair.span.end);
        prop_assert!(written.is_some(), "{:?} cuts a character of {:?}", repair, answer);
        let before = repair.before.strip_suffix('…').unwrap_or(&repair.before);
        prop_assert!(written.unwrap().starts_with(before), "{:?} in {:?}", repair, answer);
    }
    if let Some(value) = &parsed.value
        && parsed.repairs.is_empty()
        && parsed.truncated.is_none()
    {
        let chosen = parsed.candidates.iter().find(|one| one.chosen).expect("the chosen one");
        let written = &answer[chosen.span.start..chosen.span.end];
        let read = serde_json::from_str::<Value>(written).ok();
        prop_assert_eq!(read.as_ref(), Some(value), "nothing is said of {:?}", answer);
    }
    if let Some(value) = &parsed.value {
        let again = OutputSpec::any().parse(&value.to_string());
        prop_assert_eq!(again.value.as_ref(), Some(value));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn two_answers_in_one_are_read_honestly(
        left in prop::sample::select(answers()),
        right in prop::sample::select(answers()),
        cut in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
    ) {
        let cut = left.floor_char_boundary(cut.index(left.len() + 1));
        let at = right.floor_char_boundary(at.index(right.len() + 1));
        is_honest(left)?;
        is_honest(&format!("{}{right}{}", &left[..cut], &left[cut..]))?;
        is_honest(&format!("{}{}", &left[..cut], &right[at..]))?;
    }
}

/// Looks go some hundred bytes far, so that short answers say little about growth.
#[test]
fn an_answer_over_and_over_costs_in_proportion() {
    let any = OutputSpec::any();
    for answer in answers() {
        let work = |bytes: usize| any.parse(&answer.repeat(bytes / answer.len())).work as f64;
        let power = (work(40_000) / work(5_000)).log(8.0);
        assert!(power <= 1.1, "the work grows with power {power}: {answer}");
    }
}

#[test]
fn long_runs_of_one_thing_cost_in_proportion() {
    let any = OutputSpec::any();
    let before = ["", "{a: ", "[1", "a: x", "{\"a\": \"", "[\"a\" ", "<a>{", "{", "<think>"];
    let runs = [
        " ", "\n", "\r\n", "\\n", "\u{feff}", "<think>", "\"", "'", "「", "“", "/", "#", "- ", "…",
        ".", "+ \"", "(", "`", "&quot;", "\"\"a", "a: ", "{\"", "[\"", "</a>", "1 ", "\\", "*",
    ];
    for (before, run) in before.iter().flat_map(|before| runs.map(|run| (before, run))) {
        let work = |bytes: usize| {
            let answer = format!("{before}{}x{{", run.repeat(bytes / run.len()));
            any.parse(&answer).work as f64
        };
        let power = (work(24_000) / work(3_000)).log(8.0);
        assert!(power <= 1.1, "the work grows with power {power}: {before:?} and {run:?}");
    }
}
