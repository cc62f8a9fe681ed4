//! The rules are not fitted to the cases: inputs that are right are changed in five ways, and must come out the
//! same, or, when they are cut, be flagged.

use promptline_output::OutputSpec;
use serde_json::Value;

use super::cases::same;
use crate::support::{shared, shared_or_own};

/// A way to change an answer whose value stays what it is.
type Mutation = (&'static str, fn(&str) -> Option<String>);

const MUTATIONS: [Mutation; 5] = [
    ("quotes", |text| {
        // Only where no string holds a quote, the quotes can be others.
        let is_plain = serde_json::from_str::<Value>(text).is_ok_and(|value| !value.is_string());
        (is_plain && !text.contains(['\'', '\\'])).then(|| text.replace('"', "'"))
    }),
    ("commas", |text| {
        let value: Value = serde_json::from_str(text).ok()?;
        let at = text.trim_end().len() - 1;
        let is_filled = value.as_object().is_some_and(|all| !all.is_empty())
            || value.as_array().is_some_and(|all| !all.is_empty());
        is_filled.then(|| format!("{},{}", &text[..at], &text[at..]))
    }),
    ("fence", |text| {
        let opens = text.trim_start().starts_with(['{', '[']);
        (opens && !text.contains("```")).then(|| format!("```json\n{text}\n```"))
    }),
    ("prose", |text| {
        let is_container = serde_json::from_str::<Value>(text)
            .is_ok_and(|value| value.is_object() || value.is_array());
        let about = "Sure, here it is:\n\n";
        is_container.then(|| format!("{about}{text}\n\nLet me know if anything is missing."))
    }),
    ("cut", |text| {
        let is_container = serde_json::from_str::<Value>(text)
            .is_ok_and(|value| value.is_object() || value.is_array());
        let cut = text.floor_char_boundary(text.trim_end().len() * 2 / 3);
        (is_container && cut > 1).then(|| text[..cut].to_owned())
    }),
];

fn spec(case: &Value) -> OutputSpec {
    match case.get("schema").filter(|schema| !schema.is_null()) {
        Some(schema) => OutputSpec::from_schema(schema.clone()).expect("a schema"),
        None => OutputSpec::any(),
    }
}

/// The share of changed inputs that come out right, in percent; the faults are printed.
fn rate(name: &str, cases: &[Value]) -> f64 {
    let (mut count, mut right) = (0, 0);
    for case in cases {
        let input = case["input"].as_str().expect("an input");
        let spec = spec(case);
        let parsed = spec.parse(input);
        let Some(value) = parsed.fitting().filter(|_| parsed.truncated.is_none()) else { continue };
        if case.get("expected").is_none_or(|expected| !same(value, expected)) {
            continue;
        }
        for (what, mutate) in MUTATIONS {
            let Some(changed) = mutate(input) else { continue };
            let again = spec.parse(&changed);
            let good = match what {
                "cut" => again.truncated.is_some() || !again.fits,
                _ => again.fitting().is_some_and(|again| same(again, value)),
            };
            count += 1;
            right += usize::from(good);
            if !good {
                let shown: String = changed.chars().take(160).collect();
                let read = again.value.map(|value| value.to_string().chars().take(120).collect());
                let read: String = read.unwrap_or_default();
                println!("  {} {what}: {shown:?} reads {read}", case["id"]);
            }
        }
    }
    let percent = 100.0 * f64::from(right as u32) / f64::from(count.max(1) as u32);
    println!("{name}, changed: {right} of {count} right, {percent:.1} %");
    percent
}

#[test]
fn changed_answers_come_out_the_same() {
    let goal = 95.0;
    let parse = shared_or_own("parse/dev.jsonl", "parse.jsonl");
    assert!(rate("parse", &parse) >= goal);
    let json = shared("json/dev.jsonl");
    for family in ["issue", "baml", "vercel-ai", "langchain", "json_repair", "jsonrepair"] {
        let of_family = |case: &&Value| {
            let id = case["id"].as_str().unwrap_or_default();
            id.split('/').next() == Some(family) && case["contested"] != Value::Bool(true)
        };
        let cases: Vec<Value> = json.iter().filter(of_family).cloned().collect();
        if !cases.is_empty() {
            assert!(rate(family, &cases) >= goal, "{family}");
        }
    }
}

/// Documents by a schema, each in the layouts that models use.
fn documents() -> Vec<(OutputSpec, Value)> {
    let schema = serde_json::json!({"type": "object", "properties": {
        "title": {"type": "string"}, "count": {"type": "integer"}, "done": {"type": "boolean"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "author": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}},
        "required": ["title", "count"]});
    let one = OutputSpec::from_schema(schema.clone()).unwrap();
    let list =
        OutputSpec::from_schema(serde_json::json!({"type": "array", "items": schema})).unwrap();
    let titles = ["Notes", "标题", "a, b: c", "x {y}", "[z]", "it's", "\"q\"", "1", "", "end."];
    let document = |at: usize| {
        let title = titles[at % titles.len()];
        match at % 3 {
            0 => serde_json::json!({"title": title, "count": at}),
            1 => serde_json::json!({"title": title, "count": at * 100, "tags": ["a", title]}),
            _ => {
                serde_json::json!({"title": title, "count": -(at as i64), "done": at.is_multiple_of(2),
                "author": {"name": title}, "tags": []})
            }
        }
    };
    let singles = (0..20).map(|at| (one.clone(), document(at)));
    let lists = (0..10).map(|at| {
        let items = (at..at + 2 + at % 2).map(document);
        (list.clone(), items.collect::<Value>())
    });
    singles.chain(lists).collect()
}

/// An answer that holds a document in a layout. Where the answer may end without anything missing, the document is
/// complete.
fn layouts(value: &Value) -> Vec<String> {
    let line = value.to_string();
    let pretty = serde_json::to_string_pretty(value).unwrap();
    let mut all = vec![
        line.clone(),
        pretty.clone(),
        format!("```json\n{pretty}\n```"),
        format!("Here is the result:\n\n{line}\n\nDone."),
        format!("Sure!\n```\n{line}\n```\nAnything else?"),
        format!("<think>Let me see.</think>\n{pretty}"),
        format!("<answer>{line}</answer>"),
        format!("结果如下：\n{pretty}\n希望有帮助。"),
        format!("{{\"result\": {line}}}"),
    ];
    if let Some(list) = value.as_array() {
        all.push(list.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"));
    } else {
        all.push(format!("**Output:** {line}"));
    }
    all
}

#[test]
fn a_cut_at_every_byte_is_flagged_or_the_value_is_complete() {
    let mut faults = Vec::new();
    for (spec, value) in documents() {
        for layout in layouts(&value) {
            for (at, _) in layout.char_indices() {
                let parsed = spec.parse(&layout[..at]);
                // Of records in lines it is unknown whether another one would have followed.
                let rest = &layout[at..];
                let is_whole_lines = layout.starts_with('{')
                    && rest.trim_start().starts_with('{')
                    && parsed.value.as_ref().and_then(Value::as_array).is_some_and(|read| {
                        value.as_array().is_some_and(|all| all.starts_with(read))
                    });
                let complete = parsed.fitting() == Some(&value) || is_whole_lines;
                if parsed.fits && parsed.truncated.is_none() && !complete {
                    faults.push(format!("{:?} reads {:?}", &layout[..at], parsed.value));
                }
            }
        }
    }
    println!("{} faults", faults.len());
    faults.truncate(12);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn prose_around_an_answer_changes_no_value() {
    let before = [
        "Here you go:\n",
        "Sure! I looked at {x} and [y].\n\n",
        "As requested, the JSON:\n\n",
        "根据您的要求，结果如下：\n",
        "**Result**\n\n",
        "Note: it took 3 steps.\n\n",
    ];
    let behind =
        ["", "\n\nHope this helps!", "\nLet me know: I can add {more}.", "\n\n以上供参考。"];
    let mut faults = Vec::new();
    for (spec, value) in documents() {
        for before in before {
            for behind in behind {
                let answer = format!("{before}{value}{behind}");
                let parsed = spec.parse(&answer);
                if parsed.fitting() != Some(&value) || parsed.truncated.is_some() {
                    faults.push(format!("{answer:?} reads {:?}", parsed.value));
                }
            }
        }
    }
    println!("{} faults", faults.len());
    faults.truncate(12);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The values of fields in a text of records, by any layout: none is in two items that is once in the answer.
#[test]
fn no_record_is_invented() {
    let schema = serde_json::json!({"type": "array", "items": {"type": "object",
        "properties": {"name": {"type": "string"}, "age": {"type": "integer"}}, "required": ["name", "age"]}});
    let spec = OutputSpec::from_schema(schema).unwrap();
    let record = |at: usize, layout: usize| {
        let (name, age) = (format!("Name{at}x"), 1000 + at);
        match layout {
            0 => format!("- name: {name}\n  age: {age}\n"),
            1 => format!("* **Name:** {name}\n* **Age:** {age}\n"),
            2 => format!("{at}. {name} ({age})\n"),
            3 => format!("{{\"name\": \"{name}\", \"age\": {age}}}\n"),
            4 => format!("name: {name}\nage: {age}\n\n"),
            5 => format!("- {name}: {age}\n"),
            6 => format!("| {name} | {age} |\n"),
            7 => format!("Person(name='{name}', age={age})\n"),
            _ => format!("<person><name>{name}</name><age>{age}</age></person>\n"),
        }
    };
    for layout in 0..9 {
        for other in 0..9 {
            let answer: String =
                (1..4).map(|at| record(at, if at == 2 { other } else { layout })).collect();
            let parsed = spec.parse(&answer);
            let Some(value) = parsed.fitting() else { continue };
            let text = value.to_string();
            for at in 1..4 {
                let count = text.matches(&format!("Name{at}x")).count();
                assert!(count <= 1, "{answer:?} reads {value}");
            }
        }
    }
}

/// Twice the answer is at most twice the work and a fifth.
#[test]
fn twice_the_answer_is_twice_the_work() {
    for (spec, value) in documents().into_iter().filter(|(_, value)| value.is_array()) {
        let items = |times: usize| {
            let list = value.as_array().unwrap();
            let all: Vec<String> =
                list.iter().cycle().take(list.len() * times).map(ToString::to_string).collect();
            [format!("[{}]", all.join(", ")), all.join("\n"), format!("[{},]", all.join(",\n"))]
        };
        for (once, twice) in items(200).iter().zip(items(400)) {
            let work = |text: &str| spec.parse(text).work as f64;
            let (once, twice) = (work(once), work(&twice));
            assert!(twice <= 2.4 * once, "{once} and {twice}");
        }
    }
}
