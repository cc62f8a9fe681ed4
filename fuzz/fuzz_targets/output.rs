//! Any bytes as a model's answer: read whole and in pieces, with and without a schema.

#![no_main]

use libfuzzer_sys::fuzz_target;
use promptline_output::OutputSpec;
use serde_json::json;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let parsed = OutputSpec::any().parse(&text);
    for repair in &parsed.repairs {
        assert!(text.get(repair.span.start..repair.span.end).is_some());
    }
    let mut stream = OutputSpec::any().stream();
    for c in text.chars() {
        stream.push(c.encode_utf8(&mut [0; 4]));
        stream.value();
    }
    let schema = json!({
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "array", "items": {"enum": ["x", "y"]}}},
        "required": ["a"]
    });
    let spec = OutputSpec::from_schema(schema).expect("a schema");
    let parsed = spec.parse(&text);
    assert!(!parsed.fits || parsed.value.is_some());
});
