//! Answers with the value that is to be read in them. Each family is a test of its own, prints how many of its
//! cases were right and which were not, and fails below its goal.

use promptline_output::{OutputSpec, Parsed, Risk};
use serde_json::{Value, json};

use crate::support::{own, shared, shared_or_own};

/// How a case came out.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Verdict {
    Right,
    /// No value, or one that does not fit: the caller sees that.
    Refused,
    /// A value that fits and is another one, with a repair or coercion that says that it was guessed.
    Guessed,
    /// The same, with nothing that says so.
    Silent,
}

#[derive(Default)]
struct Tally {
    count: usize,
    right: usize,
    refused: usize,
    guessed: usize,
    silent: Vec<String>,
    faults: Vec<String>,
}

impl Tally {
    fn add(&mut self, id: &str, verdict: Verdict, detail: impl FnOnce() -> String) {
        self.count += 1;
        match verdict {
            Verdict::Right => {
                self.right += 1;
                return;
            }
            Verdict::Refused => self.refused += 1,
            Verdict::Guessed => self.guessed += 1,
            Verdict::Silent => self.silent.push(id.to_owned()),
        }
        self.faults.push(format!("{id} {verdict:?}: {}", detail()));
    }

    /// Prints the counts, and fails below the goal.
    #[track_caller]
    fn report(&self, name: &str, goal: f64, silent: usize) {
        if self.count == 0 {
            return;
        }
        let percent = 100.0 * self.right as f64 / self.count as f64;
        println!(
            "{name}: {} of {} right, {percent:.1} % (goal {goal:.1}); {} refused, {} guessed wrong, \
             {} silently wrong",
            self.right,
            self.count,
            self.refused,
            self.guessed,
            self.silent.len()
        );
        for fault in &self.faults {
            println!("  {fault}");
        }
        assert!(percent >= goal, "{name}: {percent:.1} % right, {goal} % wanted");
        assert!(self.silent.len() <= silent, "{name}: silently wrong: {:?}", self.silent);
    }
}

fn spec(case: &Value) -> OutputSpec {
    match case.get("schema").filter(|schema| !schema.is_null()) {
        Some(schema) => OutputSpec::from_schema(schema.clone()).expect("a schema"),
        None => OutputSpec::any(),
    }
}

fn is_silent(parsed: &Parsed) -> bool {
    parsed.truncated.is_none()
        && parsed.repairs.iter().all(|repair| repair.risk == Risk::Lossless)
        && parsed.coerced.iter().all(|one| one.risk == Risk::Lossless)
}

fn wrong(parsed: &Parsed) -> Verdict {
    match (parsed.fits, is_silent(parsed)) {
        (false, _) => Verdict::Refused,
        (true, true) => Verdict::Silent,
        (true, false) => Verdict::Guessed,
    }
}

/// Answers by a schema: the value, or `refuse`.
fn answers(name: &str, cases: &[Value], goal: f64) {
    let mut tally = Tally::default();
    for case in cases {
        let parsed = spec(case).parse(case["input"].as_str().expect("an input"));
        let refuse = case["refuse"] == json!(true);
        let right = match (refuse, parsed.fitting()) {
            (true, value) => value.is_none(),
            (false, Some(value)) => same(value, &case["expected"]),
            (false, None) => false,
        };
        let verdict = if right { Verdict::Right } else { wrong(&parsed) };
        tally.add(case["id"].as_str().expect("an id"), verdict, || {
            let expected = if refuse { "a refusal".to_owned() } else { brief(&case["expected"]) };
            let value = parsed.value.clone().unwrap_or_default();
            let issues: Vec<&str> =
                parsed.issues.iter().map(|issue| issue.message.as_str()).collect();
            format!("{} reads {} for {expected} {issues:?}", brief(&case["input"]), brief(&value))
        });
    }
    tally.report(name, goal, 0);
}

#[test]
fn answers_by_a_schema() {
    answers("parse", &shared_or_own("parse/dev.jsonl", "parse.jsonl"), 95.0);
}

#[test]
fn answers_by_a_schema_in_the_crate() {
    answers("parse, the crate's own", &own("parse.jsonl"), 95.0);
}

/// The cases of one family of the shared corpus.
fn family(name: &str, goal: f64, silent: usize) {
    let mut tally = Tally::default();
    let (mut contested, mut contested_right) = (0, 0);
    let mut first_wanted = Vec::new();
    let prefix = format!("{name}/");
    for case in shared("json/dev.jsonl") {
        let id = case["id"].as_str().expect("an id");
        if !id.starts_with(&prefix) {
            continue;
        }
        let read = Read::of(&case);
        let right = read.is_right(&case);
        if case["contested"] == json!(true) {
            contested += 1;
            contested_right += usize::from(right);
        } else if !right && first_is_wanted(&case, &read) {
            first_wanted.push(id.to_owned());
        } else {
            let verdict = if right { Verdict::Right } else { wrong(&read.parsed) };
            tally.add(id, verdict, || {
                let what = if case["expect_error"] == json!(true) { "an error, " } else { "" };
                let (value, expected) = (brief(&read.value()), brief(&case["expected"]));
                let cut = read.parsed.truncated.is_some();
                format!("{} reads {value} (cut: {cut}) for {what}{expected}", brief(&case["input"]))
            });
        }
    }
    println!("{name}: contested {contested_right} of {contested} right");
    println!("{name}: the first of two fits is wanted, and the last is taken: {first_wanted:?}");
    tally.report(name, goal, silent);
}

#[test]
fn json_issue() {
    family("issue", 100.0, 0);
}

#[test]
fn json_baml() {
    family("baml", 95.0, 3);
}

#[test]
fn json_vercel_ai() {
    family("vercel-ai", 100.0, 0);
}

#[test]
fn json_langchain() {
    family("langchain", 100.0, 0);
}

#[test]
fn json_json_repair() {
    family("json_repair", 95.0, 2);
}

#[test]
fn json_jsonrepair() {
    family("jsonrepair", 98.0, 0);
}

#[test]
fn valid_json_is_returned_unchanged() {
    for case in shared("json/dev.jsonl") {
        if case["strict_json"] != json!(true) || case.get("schema").is_some() {
            continue;
        }
        let input = case["input"].as_str().expect("an input");
        let strict: Value = serde_json::from_str(input).expect("it is valid JSON");
        let parsed = OutputSpec::any().parse(input);
        assert_eq!(parsed.value.as_ref(), Some(&strict), "{}", case["id"]);
        assert!(parsed.repairs.is_empty(), "{}", case["id"]);
    }
}

#[test]
fn what_is_cut_off_is_flagged() {
    for case in shared("json/dev.jsonl") {
        if case["strict_eof"] == json!(true) {
            let parsed = Read::of(&case).parsed;
            assert!(parsed.truncated.is_some(), "{}: {}", case["id"], case["input"]);
        }
    }
}

/// Answers of small models: an object is in nearly all of them.
#[test]
fn answers_of_small_models_hold_an_object() {
    let (mut objects, mut count) = (0, 0);
    let mut without = Vec::new();
    for case in shared_or_own("answers/dev.jsonl", "answers.jsonl") {
        let parsed = OutputSpec::any().parse(case["raw"].as_str().expect("an answer"));
        if !case["model"].as_str().expect("a model").contains("qwen") {
            continue;
        }
        count += 1;
        let is_object = match &parsed.value {
            Some(Value::Object(object)) => !object.is_empty(),
            // A list of objects was asked for in some.
            Some(Value::Array(list)) => list.iter().any(Value::is_object),
            _ => false,
        };
        objects += usize::from(is_object);
        if !is_object {
            without.push(case["n"].to_string());
        }
    }
    println!("answers of Qwen with an object: {objects} of {count}; without: {without:?}");
    assert!(objects * 100 >= count * 80);
}

struct Read {
    parsed: Parsed,
    /// The value of a stream that has not ended.
    partial: Option<Value>,
}

impl Read {
    fn of(case: &Value) -> Self {
        let input = case["input"].as_str().expect("an input");
        let spec = spec(case);
        let parsed = spec.parse(input);
        let is_partial = case["mode"] == json!("partial") && case.get("schema").is_none();
        let partial = is_partial.then(|| {
            let mut stream = spec.stream();
            stream.push(input);
            stream.value().cloned().unwrap_or_default()
        });
        Self { parsed, partial }
    }

    fn value(&self) -> Value {
        self.partial.clone().or_else(|| self.parsed.value.clone()).unwrap_or_default()
    }

    fn is_right(&self, case: &Value) -> bool {
        if case["any_result"] == json!(true) {
            return true;
        }
        if case["truncated"] == json!(true) && self.parsed.truncated.is_none() {
            return false;
        }
        if case["expect_error"] == json!(true) {
            return !self.parsed.fits;
        }
        same(&self.value(), &case["expected"])
    }
}

/// Of several values that fit, the first is expected: there we differ on purpose.
fn first_is_wanted(case: &Value, read: &Read) -> bool {
    if case.get("expected").is_none() {
        return false;
    }
    let fitting: Vec<_> = read.parsed.candidates.iter().filter(|one| one.fits).collect();
    if fitting.len() < 2 {
        return false;
    }
    let input = case["input"].as_str().expect("an input");
    fitting.iter().any(|one| {
        let alone = spec(case).parse(&input[one.span.start..one.span.end]);
        !one.chosen && same(&alone.value.unwrap_or_default(), &case["expected"])
    })
}

/// Numbers are compared by value, and a null is the same as a field that is not there.
pub(crate) fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left.as_f64() == right.as_f64(),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len()
                && left.iter().zip(right).all(|(left, right)| same(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            let covers = |one: &serde_json::Map<String, Value>,
                          other: &serde_json::Map<String, Value>| {
                one.iter().all(|(key, value)| match other.get(key) {
                    Some(found) => same(value, found),
                    None => value.is_null(),
                })
            };
            covers(left, right) && covers(right, left)
        }
        _ => left == right,
    }
}

fn brief(value: &Value) -> String {
    let text = match value {
        Value::String(text) => format!("{text:?}"),
        other => other.to_string(),
    };
    text.chars().take(230).collect()
}
