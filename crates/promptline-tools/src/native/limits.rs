//! Limits of providers, told before a request is refused. Only descriptions are cut here; names are made
//! to fit elsewhere.

use serde_json::Value;

use super::tables::{Advice, Limits, StrictLimits};
use super::{Dialect, NativeList};
use promptline_diagnostic::Diagnostic;

/// Stands where a description was cut.
const CUT: &str = " […]";

/// How many characters a description has and may have, where it has too many.
pub(super) fn too_long(description: &str, limits: &Limits) -> Option<(usize, usize)> {
    let max = limits.description_max.filter(|max| description.len() > *max)?;
    let length = description.chars().count();
    (length > max).then_some((length, max))
}

/// The beginning of a description, with a mark where it ends.
pub(super) fn cut(description: &str, max: usize) -> String {
    let room = max.saturating_sub(CUT.chars().count());
    let mut cut: String = description.chars().take(room).collect();
    cut.truncate(cut.trim_end().len());
    cut.push_str(CUT);
    cut
}

/// What is wrong with the list as a whole.
pub(super) fn check_list(
    list: &NativeList,
    dialect: Dialect,
    strict: usize,
    limits: &Limits,
    advice: &Advice,
    told: &mut Vec<Diagnostic>,
) {
    let count = list.len();
    let of_strict = limits.strict.as_ref().and_then(|limits| limits.tools_max.zip(Some(limits)));
    if let Some(max) = limits.tools_max.filter(|max| count > *max) {
        let message = format!("{count} tools: {dialect} takes {max} at most");
        let help = format!("offer fewer tools ({}, {})", limits.source, limits.as_of);
        told.push(Diagnostic::warning("tool-limit", message).with_help(help));
    } else if let Some((max, of_strict)) = of_strict.filter(|(max, _)| strict > *max) {
        let message = format!("{strict} strict tools: {dialect} takes {max} at most");
        let help = format!("offer fewer of them ({}, {})", of_strict.source, of_strict.as_of);
        told.push(Diagnostic::warning("tool-limit", message).with_help(help));
    }
    if count > advice.tools {
        let message =
            format!("{count} tools: models choose worse from more than {} or so", advice.tools);
        let help = "offer only those that the task needs";
        told.push(Diagnostic::warning("tool-many", message).with_help(help));
    }
    let tokens = written_bytes(list) / advice.bytes_a_token.max(1);
    if tokens > advice.tokens {
        let message = format!("the tools take about {tokens} tokens of every request");
        let help = "offer fewer tools, or shorten their descriptions and schemas";
        told.push(Diagnostic::warning("tool-tokens", message).with_help(help));
    }
}

/// How many bytes the list takes on the wire.
pub(super) fn written_bytes(list: &NativeList) -> usize {
    struct Count(usize);

    impl std::io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    let mut count = Count(0);
    match serde_json::to_writer(&mut count, list) {
        Ok(()) => count.0,
        Err(_) => 0,
    }
}

/// What a provider that is held to a schema would refuse of it, in words.
pub(super) fn check_strict(schema: &Value, limits: &StrictLimits) -> Vec<String> {
    let mut size = Size::default();
    size.count(schema, 0);
    let checks = [
        ("nested objects", size.nesting, limits.nesting_max),
        ("properties", size.properties, limits.properties_max),
        ("values in enums", size.enum_values, limits.enum_values_max),
        ("characters in names and values of enums", size.names_length, limits.names_length_max),
        ("optional properties", size.optional, limits.optional_max),
    ];
    checks
        .into_iter()
        .filter_map(|(what, count, max)| Some((what, count, max.filter(|max| count > *max)?)))
        .map(|(what, count, max)| format!("{count} {what}, {max} at most"))
        .collect()
}

/// What is counted in a schema.
#[derive(Debug, Default)]
struct Size {
    nesting: usize,
    properties: usize,
    enum_values: usize,
    names_length: usize,
    optional: usize,
}

impl Size {
    fn count(&mut self, schema: &Value, depth: usize) {
        let Value::Object(map) = schema else { return };
        let values = map.get("enum").and_then(Value::as_array).into_iter().flatten();
        for value in values.chain(map.get("const")) {
            self.enum_values += usize::from(map.contains_key("enum"));
            self.names_length += value.as_str().map_or(0, |value| value.chars().count());
        }
        let mut depth = depth;
        if let Some(properties) = map.get("properties").and_then(Value::as_object) {
            depth += 1;
            self.nesting = self.nesting.max(depth);
            self.properties += properties.len();
            let required = map.get("required").and_then(Value::as_array).map_or(0, Vec::len);
            self.optional += properties.len().saturating_sub(required);
        }
        for keyword in ["properties", "$defs", "definitions"] {
            for (name, schema) in map.get(keyword).and_then(Value::as_object).into_iter().flatten()
            {
                self.names_length += name.chars().count();
                self.count(schema, depth);
            }
        }
        for branch in map.get("anyOf").and_then(Value::as_array).into_iter().flatten() {
            self.count(branch, depth);
        }
        if let Some(items) = map.get("items") {
            self.count(items, depth);
        }
    }
}
