//! Any bytes as a model's answer: read whole and in pieces, with and without a schema. What is reported must
//! stand in the answer, what is read must be stable, and no input may cost more than its length allows.

#![no_main]

use libfuzzer_sys::fuzz_target;
use promptline_output::OutputSpec;
use serde_json::json;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let any = OutputSpec::any();
    let parsed = any.parse(&text);
    for repair in &parsed.repairs {
        let written = text.get(repair.span.start..repair.span.end).expect("whole characters");
        let before = repair.before.strip_suffix('…').unwrap_or(&repair.before);
        assert!(written.starts_with(before), "{repair:?}");
    }
    assert!(parsed.work <= 500 * (text.len() as u64 + 100), "{} for {}", parsed.work, text.len());
    if let Some(value) = &parsed.value {
        let again = any.parse(&value.to_string());
        assert_eq!(again.value.as_ref(), Some(value));
    }
    let mut stream = any.stream();
    for c in text.chars() {
        stream.push(c.encode_utf8(&mut [0; 4]));
        stream.value();
    }
    assert_eq!(stream.finish().value, parsed.value);
    let schema = json!({
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "array", "items": {"enum": ["x", "y"]}}},
        "required": ["a"]
    });
    let spec = OutputSpec::from_schema(schema).expect("a schema");
    let parsed = spec.parse(&text);
    assert!(!parsed.fits || parsed.value.is_some_and(|value| value["a"].is_number()));
});
