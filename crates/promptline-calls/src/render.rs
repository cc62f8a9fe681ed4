//! A call as text again, in the form that the tool section teaches: for a history that is sent once
//! more. What comes out is read back and compared, so that no history says something else than what
//! happened.

use std::fmt;

use serde_json::Value;

use crate::call::{Call, Status};
use crate::grammar::{CallGrammar, Callable};
use crate::parsed::parse_calls;
use crate::value;

/// Why a call cannot be written as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotRepresentable {
    why: String,
}

impl fmt::Display for NotRepresentable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl std::error::Error for NotRepresentable {}

/// Writes a call as `<tool>` with its parameters. Values that would be read back differently are
/// written as CDATA sections; values that are not strings as JSON, where the spec declares such a type
/// ([`CallGrammar::typed`] makes them JSON again).
///
/// ```
/// use promptline_calls::{Call, CallGrammar, render_call};
///
/// let grammar = CallGrammar::default().tool("write_to_file", [("path", false), ("content", true)]);
/// let call = Call::new("write_to_file").with("path", "a.txt").with("content", "one\ntwo\n");
/// let text = render_call(&grammar, &call)?;
/// assert_eq!(
///     text,
///     "<write_to_file>\n<path>a.txt</path>\n<content>\none\ntwo\n\n</content>\n</write_to_file>"
/// );
/// # Ok::<_, promptline_calls::NotRepresentable>(())
/// ```
///
/// # Errors
/// [`NotRepresentable`] for an incomplete call, a tool that is not in the grammar, and values that no
/// text is read back as.
pub fn render_call(grammar: &CallGrammar, call: &Call) -> Result<String, NotRepresentable> {
    let fail = |why: String| Err(NotRepresentable { why });
    let name = call.name.escape_debug();
    if !call.complete() {
        return fail(format!("the call of `{name}` is not whole; leave it out of the history"));
    }
    let Some(tool) = grammar.named(&call.name) else {
        return fail(format!("there is no tool `{name}` in the grammar"));
    };
    let mut values = Vec::new();
    for (name, value) in call.args.iter().chain(&call.unknown) {
        // Of a parameter that was there twice, all values are written.
        let all = match call.duplicates.get(name) {
            Some(Value::Array(all)) => all.as_slice(),
            _ => std::slice::from_ref(value),
        };
        for value in all {
            values.push((name.as_str(), text_of(tool, name, value)?));
        }
    }
    for cdata in [false, true] {
        let Some(text) = written(tool, &values, cdata) else { break };
        if reads_back(grammar, &text, call, &values) {
            return Ok(text);
        }
    }
    fail(format!(
        "no text is read back as this call of `{name}`: a value holds its own closing tags"
    ))
}

/// The text of a value.
fn text_of(tool: &Callable, name: &str, value: &Value) -> Result<String, NotRepresentable> {
    match value {
        Value::String(text) => Ok(text.clone()),
        value if tool.field(name).is_some_and(|field| field.kinds.fit(value)) => {
            Ok(value.to_string())
        }
        _ => Err(NotRepresentable {
            why: format!("the value of `{name}` is JSON, and the tool declares it as text"),
        }),
    }
}

/// The call with these values; as CDATA where it may be needed. `None` where a value cannot be CDATA.
fn written(tool: &Callable, values: &[(&str, String)], cdata: bool) -> Option<String> {
    let mut text = format!("<{}>\n", tool.name);
    for (name, value) in values {
        let body = tool.field(name).is_some_and(|field| field.body);
        let plain = !value.contains('<') && (body || value.trim() == value);
        let frame = if body { "\n" } else { "" };
        let inside = if cdata && !plain { value::wrapped(value)? } else { value.clone() };
        text.push_str(&format!("<{name}>{frame}{inside}{frame}</{name}>\n"));
    }
    text.push_str(&format!("</{}>", tool.name));
    Some(text)
}

fn reads_back(grammar: &CallGrammar, text: &str, call: &Call, values: &[(&str, String)]) -> bool {
    let parsed = parse_calls(grammar, text);
    let [read] = parsed.calls.as_slice() else { return false };
    let same = |name: &str| {
        let written =
            values.iter().filter(|(other, _)| *other == name).map(|(_, text)| text.as_str());
        match read.duplicates.get(name) {
            Some(Value::Array(all)) => all.iter().filter_map(Value::as_str).eq(written),
            _ => read.value(name).and_then(Value::as_str).into_iter().eq(written),
        }
    };
    parsed.text.is_empty()
        && read.status == Status::Complete
        && !read.junk
        && read.name == call.name
        && read.args.len() == call.args.len()
        && read.unknown.len() == call.unknown.len()
        && call.args.keys().all(|name| read.args.contains_key(name) && same(name))
        && call.unknown.keys().all(|name| read.unknown.contains_key(name) && same(name))
}
