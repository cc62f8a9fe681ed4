//! Kinds of answers that models give, a case a line, by what is to be read in them. Each kind has a rule of its
//! own; the lines are that rule in other words and layouts.

use promptline_output::{OnBadItem, OutputSpec, Parsed, Pick, RepairKind};
use serde_json::{Value, json};

fn spec(schema: Value) -> OutputSpec {
    OutputSpec::from_schema(schema).unwrap()
}

fn person_schema() -> Value {
    json!({"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
        "required": ["name", "age"]})
}

fn person() -> OutputSpec {
    spec(person_schema())
}

fn people() -> OutputSpec {
    spec(json!({"type": "array", "items": person_schema()}))
}

fn optional() -> OutputSpec {
    spec(
        json!({"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}}}),
    )
}

fn file() -> OutputSpec {
    spec(
        json!({"type": "object", "properties": {"path": {"type": "string"}, "content": {"type": "string"}},
        "required": ["path", "content"]}),
    )
}

fn words() -> OutputSpec {
    spec(json!({"type": "array", "items": {"type": "string"}}))
}

fn numbers() -> OutputSpec {
    spec(json!({"type": "array", "items": {"type": "integer"}}))
}

fn ann() -> Value {
    json!({"name": "Ann", "age": 3})
}

fn both() -> Value {
    json!([{"name": "Ann", "age": 3}, {"name": "Bob", "age": 4}])
}

/// Reads every answer, and lists all that came out otherwise; null is a refusal.
#[track_caller]
fn check(spec: &OutputSpec, cases: &[(&str, Value)]) {
    let mut faults = Vec::new();
    for (answer, expected) in cases {
        let parsed = spec.parse(answer);
        let read = parsed.fitting().cloned().unwrap_or_default();
        if read != *expected {
            faults.push(format!(
                "{answer:?}\n  read  {read} ({:?})\n  right {expected}",
                parsed.value
            ));
        }
    }
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), cases.len(), faults.join("\n"));
}

/// Every answer is flagged as cut off, or is complete.
#[track_caller]
fn flagged(spec: &OutputSpec, answers: &[&str]) {
    let faults: Vec<String> = answers
        .iter()
        .map(|answer| spec.parse(answer))
        .filter(|parsed| parsed.truncated.is_none())
        .map(|parsed: Parsed| format!("{:?} reads {:?}", parsed.raw, parsed.value))
        .collect();
    assert!(faults.is_empty(), "not flagged:\n{}", faults.join("\n"));
}

#[test]
fn what_is_cut_is_flagged_wherever_it_is() {
    flagged(
        &people(),
        &[
            "{\"name\": \"Ann\", \"age\": 3}\n{\"name\": \"Bob\", \"age\": 4}\n{\"name\": \"Cy",
            "{\"name\": \"Ann\", \"age\": 3}\n{\"name\": \"Bob\", \"age\": 4}\n{",
            "[{\"name\": \"Ann\", \"age\": 3}, {\"name\"",
            "```json\n[{\"name\": \"Ann\", \"age\": 3}]\n```\nPage 2:\n```json\n[{\"name\": \"B",
            "1. {\"name\": \"Ann\", \"age\": 3}\n2. {\"name\": \"Bob\", \"a",
            "结果如下：\n{\"name\": \"Ann\", \"age\": 3}\n{\"name\": \"Bob",
        ],
    );
    flagged(
        &person(),
        &[
            "{\"name\": \"Ann\", \"age\": 3}\nCorrection: {\"name\": \"Ann\", \"age\": ",
            "```json\n{\"name\": \"Ann\", \"age\": 3}\n```\nOn second thought:\n```json\n{\"name\": \"An",
            "{\"name\": \"Ann\", \"age\": 3}\n<think>Is that right? The user",
            "抱歉，更正：{\"name\": \"Ann\", \"age\"",
            "{\"name\": \"Ann\", \"age\": 3}\n更正如下：\n{\"name\": \"安",
            "{\"result\": {\"name\": \"Ann\", \"age\": 3}, \"no",
        ],
    );
}

#[test]
fn a_value_with_nothing_in_it_is_no_value() {
    let null = Value::Null;
    check(
        &optional(),
        &[
            ("Error: rate limit exceeded", null.clone()),
            ("无法回答：信息不足", null.clone()),
            ("Note: I cannot help with that.", null.clone()),
            ("{\"error\": \"not found\"}", null.clone()),
            ("{\"error\": {\"code\": 404, \"message\": \"no\"}}", null.clone()),
            ("{\"status\": \"ok\"}", null.clone()),
            ("抱歉：{\"错误\": \"超时\"}", null.clone()),
            ("{\"name\": \"Ann\", \"age\": 3}\n\nDebug: {\"tokens\": 12}", ann()),
            ("{\"name\": \"Ann\", \"age\": 3}\n\nMetadata: {}", ann()),
            ("{\"tokens\": 12}\n{\"name\": \"Ann\", \"age\": 3}", ann()),
            ("Config: {\"temperature\": 0}. Answer: {\"name\": \"Ann\", \"age\": 3}", ann()),
            ("{}", json!({})),
            ("{\"name\": \"Ann\", \"extra\": 1}", json!({"name": "Ann"})),
        ],
    );
}

#[test]
fn no_record_is_invented() {
    check(
        &people(),
        &[
            ("- name: Ann\n  age: 3\n- name: Bob\n  age: 4", both()),
            ("- name: Ann\n  age: 3\n\n- name: Bob\n  age: 4\n", both()),
            ("Here they are:\n\n1. Name: Ann\n   Age: 3\n2. Name: Bob\n   Age: 4", both()),
            ("```yaml\n- name: Ann\n  age: 3\n- name: Bob\n  age: 4\n```", both()),
            ("people:\n  - name: Ann\n    age: 3\n  - name: Bob\n    age: 4", both()),
            ("* **Name:** Ann\n  **Age:** 3\n* **Name:** Bob\n  **Age:** 4", both()),
            ("name: Ann\nage: 3\n\nname: Bob\nage: 4", both()),
            ("Name: Ann\nAge: 3\n---\nName: Bob\nAge: 4", both()),
            ("- Ann, 3\n- Bob, 4", Value::Null),
            ("- Ann is 3 years old\n- Bob is 4 years old", Value::Null),
            ("Ann: 3\nBob: 4", Value::Null),
        ],
    );
    check(
        &words(),
        &[
            ("- red\n- green", json!(["red", "green"])),
            ("1. red\n2. green\n3. blue", json!(["red", "green", "blue"])),
            ("Colors:\n\n* red\n* green", json!(["red", "green"])),
            ("颜色如下：\n\n- 红\n- 绿", json!(["红", "绿"])),
            ("[\"red\", \"green\"]", json!(["red", "green"])),
        ],
    );
    check(
        &spec(json!({"type": "object", "properties": {"title": {"type": "string"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "author": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}},
            "required": ["title", "tags"]})),
        &[
            (
                "title: Notes\ntags:\n  - red\n  - blue\nauthor:\n  name: Ann",
                json!({"title": "Notes", "tags": ["red", "blue"], "author": {"name": "Ann"}}),
            ),
            ("title: Notes\ntags: [red, blue]", json!({"title": "Notes", "tags": ["red", "blue"]})),
            (
                "title: Notes\ntags:\n- red\n- blue",
                json!({"title": "Notes", "tags": ["red", "blue"]}),
            ),
            ("Title: Notes\nTags: red, blue", json!({"title": "Notes", "tags": ["red", "blue"]})),
        ],
    );
}

#[test]
fn envelopes_are_opened() {
    check(
        &person(),
        &[
            ("{\"result\": {\"name\": \"Ann\", \"age\": 3}}", ann()),
            ("{\"data\": {\"person\": {\"name\": \"Ann\", \"age\": 3}}}", ann()),
            ("{\"$PARAMETER_NAME\": {\"name\": \"Ann\", \"age\": 3}}", ann()),
            ("{\"_\": {\"name\": \"Ann\", \"age\": 3}}", ann()),
            ("{\"回答\": {\"name\": \"Ann\", \"age\": 3}}", ann()),
            ("{\"status\": \"ok\", \"response\": {\"name\": \"Ann\", \"age\": 3}}", ann()),
            ("{\"answer\": \"{\\\"name\\\": \\\"Ann\\\", \\\"age\\\": 3}\"}", ann()),
            ("\"{\\\"name\\\": \\\"Ann\\\", \\\"age\\\": 3}\"", ann()),
            (
                "{\"output\": \"Here:\\n```json\\n{\\\"name\\\": \\\"Ann\\\", \\\"age\\\": 3}\\n```\"}",
                ann(),
            ),
            ("\"```json\\n{\\\"name\\\": \\\"Ann\\\", \\\"age\\\": 3}\\n```\"", ann()),
            ("{\"name\": \"save_person\", \"arguments\": {\"name\": \"Ann\", \"age\": 3}}", ann()),
            (
                "{\"tool\": \"save\", \"input\": \"{\\\"name\\\": \\\"Ann\\\", \\\"age\\\": 3}\"}",
                ann(),
            ),
            (
                "<tool_call>\n{\"name\": \"save\", \"arguments\": {\"name\": \"Ann\", \"age\": 3}}\n</tool_call>",
                ann(),
            ),
            (
                "{\"id\": \"c1\", \"type\": \"function\", \"function\": {\"name\": \"f\", \"arguments\": \"{\\\"name\\\": \\\"Ann\\\", \\\"age\\\": 3}\"}}",
                ann(),
            ),
            (
                "{\"tool_calls\": [{\"function\": {\"name\": \"f\", \"arguments\": \"{\\\"name\\\": \\\"Ann\\\", \\\"age\\\": 3}\"}}]}",
                ann(),
            ),
            (
                "[{\"type\": \"tool_use\", \"id\": \"t\", \"name\": \"f\", \"input\": {\"name\": \"Ann\", \"age\": 3}}]",
                ann(),
            ),
            ("[{\"name\": \"Ann\", \"age\": 3}]", ann()),
            ("{\"items\": [{\"name\": \"Ann\", \"age\": 3}]}", ann()),
            ("<function=save>{\"name\": \"Ann\", \"age\": 3}</function>", ann()),
            (
                "{\"user\": {\"name\": \"Ann\", \"age\": 3}, \"friend\": {\"name\": \"Bob\", \"age\": 4}}",
                Value::Null,
            ),
            ("{\"error\": {\"name\": \"Ann\", \"age\": 3}}", Value::Null),
        ],
    );
    check(
        &people(),
        &[
            (
                "{\"items\": [{\"name\": \"Ann\", \"age\": 3}, {\"name\": \"Bob\", \"age\": 4}]}",
                both(),
            ),
            (
                "{\"people\": [{\"name\": \"Ann\", \"age\": 3}, {\"name\": \"Bob\", \"age\": 4}], \"total\": 2}",
                both(),
            ),
            (
                "{\"data\": {\"results\": [{\"name\": \"Ann\", \"age\": 3}, {\"name\": \"Bob\", \"age\": 4}]}}",
                both(),
            ),
            (
                "{\"结果\": [{\"name\": \"Ann\", \"age\": 3}, {\"name\": \"Bob\", \"age\": 4}]}",
                both(),
            ),
            (
                "{\"result\": \"[{\\\"name\\\": \\\"Ann\\\", \\\"age\\\": 3}, {\\\"name\\\": \\\"Bob\\\", \\\"age\\\": 4}]\"}",
                both(),
            ),
            ("{\"items\": []}", json!([])),
        ],
    );
    let parsed = person().parse("{\"result\": {\"name\": \"Ann\", \"age\": 3}}");
    assert!(
        parsed
            .repairs
            .iter()
            .any(|one| one.kind == RepairKind::Envelope && one.before == "/result")
    );
    let parsed = person().parse("{\"result\": {\"name\": \"Ann\"}}");
    assert!(parsed.issues[0].message.contains("wrapped in `result`"), "{:?}", parsed.issues);
}

#[test]
fn code_and_documents_in_strings_are_kept() {
    let file_of = |path: &str, content: &str| json!({"path": path, "content": content});
    check(
        &file(),
        &[
            (
                "{\"path\":\"a.json\",\"content\":\"{\n  \"a\": 1,\n  \"b\": \"x\"\n}\"}",
                file_of("a.json", "{\n  \"a\": 1,\n  \"b\": \"x\"\n}"),
            ),
            (
                "{\"path\": \"p.json\", \"content\": \"[{\"id\": 1, \"tags\": [\"x\", \"y\"]}, {\"id\": 2}]\"}",
                file_of("p.json", "[{\"id\": 1, \"tags\": [\"x\", \"y\"]}, {\"id\": 2}]"),
            ),
            (
                "{\"content\": \"{\"name\": \"demo\", \"version\": \"1.0\"}\", \"path\": \"package.json\"}",
                json!({"content": "{\"name\": \"demo\", \"version\": \"1.0\"}", "path": "package.json"}),
            ),
            (
                "{\"path\": \"a.py\", \"content\": \"print(\"hello, world\")\nx = [\"a\", \"b\"]\n\"}",
                file_of("a.py", "print(\"hello, world\")\nx = [\"a\", \"b\"]\n"),
            ),
            (
                "{\"path\": \"a.html\", \"content\": \"<a href=\"/x\">go</a>, <b class=\"y\">z</b>\"}",
                file_of("a.html", "<a href=\"/x\">go</a>, <b class=\"y\">z</b>"),
            ),
            (
                "{\"path\": \"a.rs\", \"content\": \"fn main() { println!(\"{}\", \"hi\"); }\"}",
                file_of("a.rs", "fn main() { println!(\"{}\", \"hi\"); }"),
            ),
            (
                "```json\n{\"path\": \"a.yml\", \"content\": \"key: \"value\", other: \"x\"\n\"}\n```",
                file_of("a.yml", "key: \"value\", other: \"x\"\n"),
            ),
            (
                "{\"path\": \"C:\\Users\\new\\file.txt\", \"content\": \"x\"}",
                file_of("C:\\Users\\new\\file.txt", "x"),
            ),
            (
                "{\"path\": \"D:\\temp\\bin\\readme.md\", \"content\": \"a \\d b\"}",
                file_of("D:\\temp\\bin\\readme.md", "a \\d b"),
            ),
            (
                "{\"path\": \"t.tex\", \"content\": \"$\\alpha = \\frac{1}{2} \\theta$\"}",
                file_of("t.tex", "$\\alpha = \\frac{1}{2} \\theta$"),
            ),
        ],
    );
    // Valid JSON stays what it is, and what was probably meant otherwise is reported.
    let parsed = file().parse(r#"{"path": "t.tex", "content": "$\frac{1}{2}$"}"#);
    assert!(parsed.fits);
    assert!(
        parsed.repairs.iter().any(|one| one.kind == RepairKind::SuspectEscape),
        "{:?}",
        parsed.repairs
    );
}

#[test]
fn an_answer_ends_and_the_right_one_counts() {
    let bob = json!({"name": "Bob", "age": 4});
    let (a, b) = ("{\"name\": \"Ann\", \"age\": 3}", "{\"name\": \"Bob\", \"age\": 4}");
    let cases: Vec<(String, Value)> = vec![
        (format!("{a}<|endoftext|>{b}"), ann()),
        (format!("{a}<|im_end|>\n<|im_start|>user\nAnd now? {b}"), ann()),
        (format!("{a}</s>{b}"), ann()),
        (format!("{a}\nHuman: what about {b}?"), ann()),
        (format!("{a}\nObservation: {b}"), ann()),
        (format!("{a}\nUser: thanks\nAssistant: {b}"), ann()),
        (format!("{a}<end_of_turn>\n{b}"), ann()),
        (format!("<|im_start|>assistant\n{a}<|im_end|>"), ann()),
        (format!("<answer>{a}</answer> I chose this instead of {b}."), ann()),
        (format!("{a}\n\nFor example, {b} would have been wrong."), ann()),
        (format!("Final answer:\n{a}\n\nThe request had {b} in it."), ann()),
        (format!("```json\n{a}\n```\nNot {b}, since he is older."), ann()),
        (format!("{a}\n<think>Maybe {b}?</think>"), ann()),
        (format!("{a}\n例如 {b} 是错误的。"), ann()),
        (format!("最终答案：{a}\n而不是 {b}"), ann()),
        (format!("I first had {a}, but the correct one is {b}"), bob.clone()),
        (format!("{a}\nWait, that is wrong. Corrected:\n{b}"), bob.clone()),
        (format!("草稿：{a}\n最终答案：{b}"), bob.clone()),
        (format!("Draft: {a}\nFinal: {b}"), bob.clone()),
        (format!("The user wants {a}.\n</think>\n{b}"), bob.clone()),
        (format!("[THINK]{a}[/THINK]{b}"), bob.clone()),
    ];
    let cases: Vec<(&str, Value)> =
        cases.iter().map(|(text, value)| (text.as_str(), value.clone())).collect();
    check(&person(), &cases);
    let text = format!("First {a}, then\n```json\n{b}\n```\nand also {a}");
    for (pick, right) in [(Pick::First, ann()), (Pick::Last, ann()), (Pick::Fenced, bob.clone())] {
        assert_eq!(person().pick(pick).parse(&text).fitting(), Some(&right), "{pick:?}");
    }
    assert!(!person().pick(Pick::Fenced).parse(a).fits);
    // A mark in a string is text.
    let parsed = person().parse("{\"name\": \"<|im_end|>\", \"age\": 3,}");
    assert_eq!(parsed.fitting().unwrap()["name"], json!("<|im_end|>"));
}

#[test]
fn lists() {
    check(
        &people(),
        &[
            (
                "Page 1: [{\"name\": \"Ann\", \"age\": 3}]\nPage 2: [{\"name\": \"Bob\", \"age\": 4}]",
                both(),
            ),
            ("[{\"name\": \"Ann\", \"age\": 3}]\n[{\"name\": \"Bob\", \"age\": 4}]", both()),
            (
                "```json\n[{\"name\": \"Ann\", \"age\": 3}]\n```\n```json\n[{\"name\": \"Bob\", \"age\": 4}]\n```",
                both(),
            ),
            (
                "First part:\n[{\"name\": \"Ann\", \"age\": 3}]\nSecond part:\n[{\"name\": \"Bob\", \"age\": 4}]",
                both(),
            ),
            (
                "第 1 页：[{\"name\": \"Ann\", \"age\": 3}]\n第 2 页：[{\"name\": \"Bob\", \"age\": 4}]",
                both(),
            ),
            (
                "[{\"name\": \"Zoe\", \"age\": 9}]\nSorry, corrected:\n[{\"name\": \"Ann\", \"age\": 3}, {\"name\": \"Bob\", \"age\": 4}]",
                both(),
            ),
            (
                "[{\"name\": \"Ann\", \"age\": 3}]\nThe full list:\n[{\"name\": \"Ann\", \"age\": 3}, {\"name\": \"Bob\", \"age\": 4}]",
                both(),
            ),
            ("[{\"name\": \"Ann\", \"age\": 3, {\"name\": \"Bob\", \"age\": 4}]", both()),
            ("[{\"name\": \"Ann\", \"age\": 3], {\"name\": \"Bob\", \"age\": 4}]", both()),
            ("[{\"name\": \"Ann\", \"age\": 3} {\"name\": \"Bob\", \"age\": 4}]", both()),
            ("[{\"name\": \"Ann\", \"age\": 3}}, {\"name\": \"Bob\", \"age\": 4}]", both()),
            ("[{\"name\": \"Ann\", \"age\": 3}, {\"name\": \"Bob\", \"age\": \"x\"}]", Value::Null),
        ],
    );
    let bad = "[{\"name\": \"Ann\", \"age\": 3}, {\"name\": 7, \"age\": \"x\"}, {\"name\": \"Bob\", \"age\": 4}]";
    let parsed = people().on_bad_item(OnBadItem::Drop).parse(bad);
    assert_eq!(parsed.fitting(), Some(&both()));
    assert!(parsed.coerced.iter().any(|one| one.path == "/1"), "{:?}", parsed.coerced);
    check(
        &numbers(),
        &[
            ("See [1] and [2] for details.", Value::Null),
            ("As shown in [3], it holds.", Value::Null),
            ("The answer is [4, 5].", json!([4, 5])),
            ("Answer: [4]", json!([4])),
            ("[4]", json!([4])),
        ],
    );
}

#[test]
fn optional_values_that_do_not_fit_are_left_out() {
    check(
        &spec(
            json!({"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"},
            "color": {"enum": ["red", "blue"]}}, "required": ["name"]}),
        ),
        &[
            ("{\"name\": \"Ann\", \"age\": \"unknown\"}", json!({"name": "Ann"})),
            ("{\"name\": \"Ann\", \"age\": \"\"}", json!({"name": "Ann"})),
            ("{\"name\": \"Ann\", \"age\": \"N/A\"}", json!({"name": "Ann"})),
            ("{\"name\": \"Ann\", \"age\": \"not specified\"}", json!({"name": "Ann"})),
            ("{\"name\": \"Ann\", \"age\": \"未知\"}", json!({"name": "Ann"})),
            ("{\"name\": \"Ann\", \"color\": \"green\"}", json!({"name": "Ann"})),
            ("{\"name\": \"Ann\", \"age\": [1, 2]}", Value::Null),
        ],
    );
}

#[test]
fn numbers_keep_their_digits() {
    let text =
        spec(json!({"type": "object", "properties": {"v": {"type": "string"}}, "required": ["v"]}));
    check(
        &text,
        &[
            ("{\"v\": 1.10}", json!({"v": "1.10"})),
            ("{\"v\": 2.50}", json!({"v": "2.50"})),
            ("{\"v\": 1e3}", json!({"v": "1e3"})),
            ("{'v': 3.0}", json!({"v": "3.0"})),
            (
                "{\"v\": 123456789012345678901234567890}",
                json!({"v": "123456789012345678901234567890"}),
            ),
            ("Version: {\"v\": 10.20}", json!({"v": "10.20"})),
            ("{\"v\": 00123}", json!({"v": "00123"})),
            ("{\"v\": 12}", json!({"v": "12"})),
        ],
    );
    let number = spec(
        json!({"type": "object", "properties": {"v": {"type": "integer"}}, "required": ["v"]}),
    );
    let parsed = number.parse("{\"v\": 123456789012345678901234567890}");
    assert!(!parsed.coerced.is_empty(), "digits are lost without a note");
    let format =
        spec(json!({"type": "object", "properties": {"d": {"type": "string", "format": "date"}}}));
    assert!(format.parse("{\"d\": \"soon\"}").fits);
    assert!(!format.assert_formats().unwrap().parse("{\"d\": \"soon\"}").fits);
}

#[test]
fn other_formats() {
    check(
        &people(),
        &[
            ("| name | age |\n|------|-----|\n| Ann | 3 |\n| Bob | 4 |", both()),
            ("Here:\n\n| Name | Age |\n|:--|--:|\n| **Ann** | 3 |\n| Bob | 4 |\n\nDone.", both()),
            ("name | age\n--- | ---\nAnn | 3\nBob | 4", both()),
            (
                "<people><person><name>Ann</name><age>3</age></person><person><name>Bob</name><age>4</age></person></people>",
                both(),
            ),
            ("[Person(name='Ann', age=3), Person(name=\"Bob\", age=4)]", both()),
            ("[[people]]\nname = \"Ann\"\nage = 3\n\n[[people]]\nname = \"Bob\"\nage = 4", both()),
        ],
    );
    check(
        &person(),
        &[
            ("<person>\n  <name>Ann</name>\n  <age>3</age>\n</person>", ann()),
            ("<name>Ann</name><age>3</age>", ann()),
            (
                "<parameter name=\"name\">Ann</parameter>\n<parameter name=\"age\">3</parameter>",
                ann(),
            ),
            ("<person name=\"Ann\" age=\"3\"/>", ann()),
            ("Person(name='Ann', age=3)", ann()),
            ("The result is Person(name=\"Ann\", age=3).", ann()),
            ("name = \"Ann\"\nage = 3", ann()),
            ("[person]\nname = 'Ann'\nage = 3 # years", ann()),
            ("{\"name\" => \"Ann\", \"age\" => 3}", ann()),
            ("name => Ann\nage => 3", ann()),
            ("> {\n>   \"name\": \"Ann\",\n>   \"age\": 3\n> }", ann()),
            ("As quoted:\n\n> {\"name\": \"Ann\",\n> \"age\": 3}\n\nDone.", ann()),
            ("+{\n+  \"name\": \"Ann\",\n+  \"age\": 3\n+}", ann()),
            (
                "--- a\n+++ b\n@@ -1,3 +1,3 @@\n {\n-  \"name\": \"Bob\",\n+  \"name\": \"Ann\",\n   \"age\": 3\n }",
                ann(),
            ),
            ("1: {\n2:   \"name\": \"Ann\",\n3:   \"age\": 3\n4: }", ann()),
            ("  1 | {\n  2 |   \"name\": \"Ann\",\n  3 |   \"age\": 3\n  4 | }", ann()),
            ("\u{1b}[1;32m{\u{1b}[0m\"name\": \"Ann\", \"age\": 3}", ann()),
            ("| Field | Value |\n|---|---|\n| name | Ann |\n| age | 3 |", ann()),
            ("| name | age |\n|---|---|\n| Ann | 3 |", ann()),
            ("| name | age |\n|---|---|\n| Ann | 3 |\n| Bob | 4 |", Value::Null),
        ],
    );
}

#[test]
fn a_type_is_read() {
    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Person {
        name: String,
        age: u8,
    }
    let spec = person().typed::<Person>();
    let read = spec.parse_as("Sure: {\"name\": \"Ann\", \"age\": \"3\"}").unwrap();
    assert_eq!(read, Person { name: "Ann".to_owned(), age: 3 });
    for (answer, reason) in [
        ("{\"name\": \"Ann\"}", "`/age`: this field is missing"),
        ("{\"name\": \"Ann\", \"age\": 300}", "the Rust type does not"),
        ("{\"name\": \"Ann\", \"age\": 3", "it is cut off at byte"),
        ("I cannot.", "there is no JSON in it"),
    ] {
        let error = spec.parse_as(answer).unwrap_err();
        let text = error.to_string();
        assert!(text.contains(reason) && text.ends_with(answer), "{text}");
        assert_eq!(error.parsed().raw, answer);
    }
}

#[test]
fn a_path_means_one_field() {
    let schema = json!({"type": "object", "properties": {
        "video": {"type": "object", "properties": {"quality": {"enum": ["1080p", "4k"]}}, "required": ["quality"]},
        "items": {"type": "array", "items": {"type": "object", "properties": {"quality": {"enum": ["good", "bad"]}}, "required": ["quality"]}}}});
    let spec = spec(schema)
        .synonym("/video/quality", "best", "4k")
        .unwrap()
        .synonym("/items/*/quality", "best", "good")
        .unwrap();
    check(
        &spec,
        &[(
            "{\"video\": {\"quality\": \"best\"}, \"items\": [{\"quality\": \"best\"}]}",
            json!({"video": {"quality": "4k"}, "items": [{"quality": "good"}]}),
        )],
    );
    assert!(person().default("/no/such", 1).is_err());
}
