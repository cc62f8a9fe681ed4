//! Work grows in proportion to the answer, whatever is in it, and nothing recurses. Work is what the parser
//! counts: bytes looked at, each time.

use promptline_output::{Limits, OutputSpec};
use serde_json::json;

/// What hostile and ordinary answers of about so many bytes look like.
fn answers(bytes: usize) -> Vec<(&'static str, String)> {
    let rows = |row: &str| row.repeat(bytes / row.len());
    let list = |row: &str, open: &str, close: &str| format!("{open}{}null{close}", rows(row));
    let row =
        "{\"id\": 12345, \"name\": \"Ada Lovelace\", \"tags\": [\"a\", \"b\"], \"note\": null},\n";
    let loose = "{'id': 12345, name: 'Ada O\\'Neill', 'tags': ['a', 'b',], 'note': None},\n";
    let quotes = "{\"a\": \"he said \"hi\" and \"bye\" to me\", \"b\": \"x\"},\n";
    let prose = "If {x} is set and the list [see below] holds {y, z}, then f(a) = {a | a > 0}. ";
    vec![
        ("valid", list(row, "[", "]")),
        ("fenced", list(row, "Here it is:\n```json\n[", ",]\n```\nDone.")),
        ("single quotes", list(loose, "[", "]")),
        ("truncated", format!("[{}", rows(row))),
        ("truncated in a string", format!("{{\"a\": \"{}", rows("some words, and more: "))),
        ("quotes", list(quotes, "[", ",]")),
        ("only quotes", format!("[{}", rows("\""))),
        ("quotes and commas", format!("{{\"a\": \"{}", rows("\", \"b"))),
        ("quotes and blanks", format!("[\"{}", rows("\"    "))),
        ("quotes and comments", format!("[\"{}", rows("\" /* "))),
        ("corner quotes", format!("{{\"a\": \"{}", rows("\",「"))),
        ("backslashes", format!("[\"{}", rows("\\"))),
        ("escaped document", format!("{{\\\"a\\\": [{}", rows("\\\"b\\\", "))),
        ("[", "[".repeat(bytes)),
        ("{", "{".repeat(bytes)),
        ("{\"a\":", rows("{\"a\":")),
        (
            "{\"a\": [ closed",
            format!("{}{}", "{\"a\": [".repeat(bytes / 9), "]}".repeat(bytes / 9)),
        ),
        ("{\"a\": [ open", rows("{\"a\": [")),
        ("x}", format!("{{\"a\": \"{}", rows("x}"))),
        ("x} closed", format!("{{\"a\": \"{}\"}}", rows("x}"))),
        ("{a: [ in prose", rows("{a: b [c ")),
        ("commas", format!("[{}", rows(","))),
        ("words", format!("{{a: {}", rows("word, other (word "))),
        ("fences", rows("```json\n")),
        ("fences and braces", rows("```\n{\"a\": ")),
        ("triple quotes", format!("{{\"a\": {}", rows("\"\"\"x"))),
        ("thinking", rows("<think>{</think>")),
        ("open thinking", rows("<think>")),
        (
            "prose",
            format!(
                "{}{{\"found\": true}} {}",
                rows(prose).split_at_checked(bytes / 2 / prose.len() * prose.len()).unwrap().0,
                rows(prose)
            ),
        ),
        ("many objects", rows("{\"a\": 1} and ")),
        ("duplicates", format!("{{{}\"a\": 1}}", rows("\"a\": 1, "))),
        ("ellipses", format!("[{}", rows("..., "))),
    ]
}

/// Any JSON, by a schema: unions that lead back to themselves.
fn any_by_schema() -> OutputSpec {
    let schema = json!({"anyOf": [
        {"type": "array", "items": {"$ref": "#/$defs/any"}},
        {"type": "object", "additionalProperties": {"$ref": "#/$defs/any"}}
    ], "$defs": {"any": {"anyOf": [
        {"type": ["string", "number", "boolean", "null"]},
        {"type": "array", "items": {"$ref": "#/$defs/any"}},
        {"type": "object", "additionalProperties": {"$ref": "#/$defs/any"}}
    ]}}});
    OutputSpec::from_schema(schema).unwrap()
}

/// The same rows as above, each value to be coerced, one key to be renamed and one to be left out.
fn rows_by_schema() -> OutputSpec {
    let row = json!({"type": "object", "properties": {
        "ID": {"type": "string"}, "name": {"enum": ["ada lovelace", "other"]}, "note": {"type": "integer"}
    }});
    let one = json!({"anyOf": [row, {"type": "null"}]});
    OutputSpec::from_schema(json!({"anyOf": [{"type": "array", "items": one}, row]})).unwrap()
}

fn grows_in_proportion(spec: &OutputSpec, bytes: usize) {
    for ((name, small), (_, large)) in answers(10_000).into_iter().zip(answers(bytes)) {
        let (little, much) = (spec.parse(&small), spec.parse(&large));
        let times = much.work as f64 / little.work as f64;
        let longer = large.len() as f64 / small.len() as f64;
        let power = times.ln() / longer.ln();
        let each = much.work as f64 / large.len() as f64;
        println!("{name:<24} {power:>6.3}  {each:>6.1} bytes looked at for each");
        assert!(power <= 1.1, "{name}: the work grows with power {power}");
    }
}

#[test]
fn work_grows_in_proportion() {
    grows_in_proportion(&OutputSpec::any(), 1_000_000);
}

#[test]
fn work_grows_in_proportion_by_a_schema() {
    grows_in_proportion(&any_by_schema(), 1_000_000);
}

#[test]
fn work_grows_in_proportion_when_all_is_coerced() {
    let parsed = rows_by_schema().parse(&answers(1_000).swap_remove(0).1);
    assert!(parsed.fits && parsed.coerced.len() > 30 && parsed.unknown.len() > 10);
    grows_in_proportion(&rows_by_schema(), 200_000);
}

#[test]
fn a_small_stack_is_enough() {
    // What serde_json itself takes for 128 levels in a test build is most of it.
    let small = std::thread::Builder::new().stack_size(512 << 10);
    let deep = |open: &str, close: &str, levels: usize| {
        format!("{}{}", open.repeat(levels), close.repeat(levels))
    };
    let valid = deep("{\"a\": [", "]}", 63);
    // JSON in a string in JSON in a string.
    let once = json!([deep("[", "]", 120)]).to_string();
    let twice = deep("[", "]", 110).replace("[]", &json!([once]).to_string());
    let test = move || {
        let spec = any_by_schema();
        assert!(spec.parse(&valid).fits);
        assert!(spec.parse(&twice).fits);
        let limits = Limits::new().depth(256);
        let spec = spec.limits(limits);
        assert!(spec.parse(&deep("{\"a\": [", ",]}", 127)).fits);
        assert!(!spec.parse(&"[".repeat(100_000)).raw.is_empty());
        // References that lead on for ever. (The validator follows them one inside another.)
        let mut defs = serde_json::Map::new();
        for at in 0..15 {
            let next = format!("#/$defs/n{}", (at + 1) % 15);
            defs.insert(format!("n{at}"), json!({"anyOf": [{"type": "null"}, {"$ref": next}]}));
        }
        let chain = json!({"$ref": "#/$defs/n0", "$defs": defs});
        assert!(!OutputSpec::from_schema(chain).unwrap().parse("[5]").fits);
    };
    small.spawn(test).unwrap().join().unwrap();
}

fn streams_in_proportion(spec: &OutputSpec, bytes: usize) {
    let work = |text: &str| {
        let mut stream = spec.stream();
        let mut rest = text;
        while !rest.is_empty() {
            let (piece, behind) = rest.split_at(rest.floor_char_boundary(7).max(1));
            stream.push(piece);
            assert!(stream.text().len() <= text.len());
            stream.value();
            rest = behind;
        }
        stream.work()
    };
    // A look goes 512 bytes far at most: shorter answers say little about growth.
    for ((name, small), (_, large)) in answers(4_000).into_iter().zip(answers(bytes)) {
        let times = work(&large) as f64 / work(&small).max(1) as f64;
        let power = times.ln() / (large.len() as f64 / small.len() as f64).ln();
        println!("{name:<24} {power:>6.3}");
        assert!(power <= 1.1, "{name}: the work grows with power {power}");
    }
}

#[test]
fn streaming_grows_in_proportion() {
    streams_in_proportion(&OutputSpec::any(), 60_000);
}

#[test]
fn streaming_grows_in_proportion_by_a_schema() {
    streams_in_proportion(&any_by_schema(), 30_000);
    streams_in_proportion(&rows_by_schema(), 30_000);
}

#[test]
fn the_one_object_in_a_megabyte_of_prose_is_found() {
    let (_, prose) = answers(1_000_000).into_iter().find(|(name, _)| *name == "prose").unwrap();
    let parsed = OutputSpec::any().parse(&prose);
    assert_eq!(parsed.value, Some(json!({"found": true})));
    let spec = json!({"type": "object", "properties": {"found": {"type": "boolean"}}, "required": ["found"]});
    let parsed = OutputSpec::from_schema(spec).unwrap().parse(&prose);
    assert_eq!(parsed.fitting(), Some(&json!({"found": true})));
}

#[test]
fn depth_is_bounded_and_said() {
    for answer in ["[".repeat(100_000), "{\"a\":".repeat(20_000), "{\"a\": [".repeat(20_000)] {
        let parsed = OutputSpec::any().parse(&answer);
        assert!(parsed.truncated.is_some());
        assert!(parsed.value.is_some());
        let serde = serde_json::to_string(&parsed.value).unwrap();
        assert!(serde.len() < 1_000);
    }
}
