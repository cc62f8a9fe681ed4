//! Lists of tools as text: one JSON value, or several one after the other, as the lines of a transcript
//! are. Hostile nesting costs what is nested, not the list.

use std::borrow::Cow;
use std::ops::Range;

use serde_json::{Deserializer, Value};

use super::gather::{Gather, ReadOptions, ToolList};
use super::shape;
use promptline_diagnostic::{Error, ErrorKind};

/// Reads tools from JSON text, as [`read_tools_with`](super::read_tools_with) does from a value. Several
/// values one after the other, as a server writes its messages, count as one list. Of a text that is no
/// JSON, a prompt say, the `<tools>` block is read.
///
/// `file` names the text in messages.
///
/// # Errors
/// [`ErrorKind::Tool`], with the place, when the text is not JSON.
pub fn read_tools_text(file: &str, text: &str, options: &ReadOptions) -> Result<ToolList, Error> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let mut gather = Gather::default();
    let range = block(text).unwrap_or(0..text.len());
    let start = range.start;
    let (shallow, cut) = without_depths(text.get(range).unwrap_or_default());
    for at in cut {
        let before = text.get(..start + at).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
        let message = format!(
            "{file}:{line}:{column}: what is nested more than {DEEPEST} deep is taken for `null`"
        );
        gather.notes.list("tool-list-too-deep", message);
    }
    let mut values = Vec::new();
    for value in Deserializer::from_str(&shallow).into_iter::<Value>() {
        match value {
            Ok(value) => values.push(value),
            Err(error) => return Err(not_json(file, text, start, &shallow, &error)),
        }
    }
    let value = match values.len() {
        0 => {
            let error = Error::new(ErrorKind::Tool, "there is no JSON in it");
            return Err(error.at(file, text, 0));
        }
        1 => values.remove(0),
        _ => Value::Array(values),
    };
    shape::read(&value, options, &mut gather);
    Ok(gather.finish())
}

/// What stands in the `<tools>` block of a text that does not begin like JSON. Prompts also speak of the
/// block before they come to it: the one that holds JSON is meant.
fn block(text: &str) -> Option<Range<usize>> {
    const OPEN: &str = "<tools>";
    let like_json = |text: &str| text.trim_start().starts_with(['{', '[']);
    if like_json(text) {
        return None;
    }
    let start = text
        .match_indices(OPEN)
        .map(|(at, _)| at + OPEN.len())
        .find(|at| text.get(*at..).is_some_and(like_json))?;
    let length = text.get(start..)?.find("</tools>")?;
    Some(start..start + length)
}

/// `read` is what was made of the text from `start` on.
fn not_json(file: &str, text: &str, start: usize, read: &str, error: &serde_json::Error) -> Error {
    let message = error.to_string();
    // The position follows in our own way.
    let what = message.split(" at line ").next().unwrap_or(&message);
    let told = Error::new(ErrorKind::Tool, format!("it is not JSON: {what}"));
    let lines = read.split_inclusive('\n').take(error.line().saturating_sub(1));
    let at = lines.map(str::len).sum::<usize>() + error.column().saturating_sub(1);
    // Where something was cut out before it, the place in the text is not known.
    if read.get(..at) == text.get(start..start + at) {
        told.at(file, text, start + at)
    } else {
        told.in_file(file)
    }
}

/// `serde_json` stops at 127.
const DEEPEST: usize = 100;
/// So many places are told.
const MOST_TOLD: usize = 20;

/// The text with `null` for whatever is nested too deep, and where that began (the first of them).
fn without_depths(text: &str) -> (Cow<'_, str>, Vec<usize>) {
    let mut cut = Vec::new();
    let mut out = String::new();
    // How far the text is copied, or passed over.
    let mut done = 0;
    let mut depth = 0_usize;
    let mut in_string = false;
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'[' | b'{' => {
                depth += 1;
                if depth == DEEPEST + 1 {
                    out.push_str(text.get(done..at).unwrap_or_default());
                    out.push_str("null");
                    done = text.len();
                    if cut.len() < MOST_TOLD {
                        cut.push(at);
                    }
                }
            }
            b']' | b'}' => {
                if depth == DEEPEST + 1 {
                    done = at + 1;
                }
                depth = depth.saturating_sub(1);
            }
            _ => {}
        }
    }
    if done == 0 {
        return (Cow::Borrowed(text), cut);
    }
    out.push_str(text.get(done..).unwrap_or_default());
    (Cow::Owned(out), cut)
}
