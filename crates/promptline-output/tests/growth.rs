//! Work grows in proportion to the answer, whatever is in it, and nothing recurses. Work is what the parser
//! counts: bytes looked at, each time.

#![allow(clippy::expect_used, clippy::print_stdout, clippy::unwrap_used, reason = "a test")]

use promptline_output::OutputSpec;
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

#[test]
fn work_grows_in_proportion() {
    let shape = json!({"anyOf": [
        {"type": "array", "items": {"$ref": "#/$defs/any"}},
        {"type": "object", "additionalProperties": {"$ref": "#/$defs/any"}}
    ], "$defs": {"any": {"anyOf": [
        {"type": ["string", "number", "boolean", "null"]},
        {"type": "array", "items": {"$ref": "#/$defs/any"}},
        {"type": "object", "additionalProperties": {"$ref": "#/$defs/any"}}
    ]}}});
    // The validator takes its time in a test build.
    let with_schema = OutputSpec::from_schema(shape).unwrap();
    for (spec, few, many) in [(OutputSpec::any(), 10_000, 1_000_000), (with_schema, 1_000, 20_000)]
    {
        let small = answers(few);
        let large = answers(many);
        for ((name, small), (_, large)) in small.into_iter().zip(large) {
            let (little, much) = (spec.parse(&small), spec.parse(&large));
            let times = much.work as f64 / little.work as f64;
            let longer = large.len() as f64 / small.len() as f64;
            let power = times.ln() / longer.ln();
            let each = much.work as f64 / large.len() as f64;
            println!("{name:<24} {power:>6.3}  {each:>6.1} bytes looked at for each");
            assert!(power <= 1.1, "{name}: the work grows with power {power}");
        }
    }
}

#[test]
fn streaming_grows_in_proportion() {
    let work = |text: &str| {
        let mut stream = OutputSpec::any().stream();
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
    for ((name, small), (_, large)) in answers(4_000).into_iter().zip(answers(60_000)) {
        let times = work(&large) as f64 / work(&small).max(1) as f64;
        let power = times.ln() / (large.len() as f64 / small.len() as f64).ln();
        println!("{name:<24} {power:>6.3}");
        assert!(power <= 1.1, "{name}: the work grows with power {power}");
    }
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
