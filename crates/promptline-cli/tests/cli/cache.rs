//! The marks for a provider's cache in `render --format anthropic|bedrock`.

use serde_json::Value;

use crate::{project, run};

/// Every mark in a request, and what it says.
fn marks(format: &str, args: &[&str]) -> Vec<String> {
    fn of(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| of(item, found)),
            Value::Object(fields) => {
                for (key, value) in fields {
                    if key == "cache_control" || key == "cachePoint" {
                        found.push(value["ttl"].as_str().unwrap_or("5m").to_owned());
                    } else {
                        of(value, found);
                    }
                }
            }
            _ => {}
        }
    }
    let project = project(&[("cx.json", r#"{"model": {"id": "claude-sonnet-4-5"}, "cwd": "/x"}"#)]);
    let base = ["render", "--context", "cx.json", "--format", format];
    let request = run(project.path(), &[&base[..], args].concat()).quiet();
    let request: Value = serde_json::from_str(&request).unwrap();
    let mut found = Vec::new();
    // Tools come first on the wire.
    for field in ["tools", "toolConfig", "system"] {
        of(&request[field], &mut found);
    }
    found
}

#[test]
fn marks_for_the_cache_are_as_many_and_as_long_as_asked_for() {
    for format in ["anthropic", "bedrock"] {
        let marks = |args: &[&str]| marks(format, args).join(" ");
        assert_eq!(marks(&[]), "5m");
        assert_eq!(marks(&["--cache-marks", "0"]), "");
        assert_eq!(marks(&["--cache-marks", "2"]), "5m 5m");
        assert_eq!(marks(&["--cache-ttl", "1h"]), "1h");
        assert_eq!(marks(&["--cache-marks", "2", "--cache-ttl", "1h,5m"]), "1h 5m");
        let all = ["--cache-tools", "--cache-marks", "2", "--cache-ttl", "1h,5m"];
        assert_eq!(marks(&all), "1h 1h 5m");
    }
}

#[test]
fn a_flag_of_the_cache_that_does_nothing_is_a_mistake() {
    let project = project(&[("cx.json", r#"{"model": {"id": "m"}}"#)]);
    let said = |args: &[&str]| {
        run(project.path(), &[&["render", "--context", "cx.json"], args].concat()).mistake()
    };
    for format in ["text", "json", "openai", "gemini"] {
        let said = said(&["--format", format, "--cache-marks", "1"]);
        assert!(said.contains("--format anthropic or --format bedrock"), "{said}");
    }
    for (flag, value, why) in [
        ("--cache-ttl", "2h", "write it as 5m, 1h or 1h,5m"),
        ("--cache-ttl", "5m,1h", "cached at least as long"),
        ("--cache-marks", "5", "0..=4"),
    ] {
        let said = said(&["--format", "anthropic", flag, value]);
        assert!(said.contains(why), "{said}");
    }
}
