//! Where in an answer the JSON is. One pass from left to right gives every place that could be it, each read
//! as far as it goes: bodies of code fences, objects and lists in prose, one that is cut off at the end. What
//! they are worth is decided elsewhere.

mod begin;
mod braceless;
mod escaped;
mod fence;
mod inside;
mod scan;

use serde_json::Value;

use crate::limits::Limits;
use crate::repair::{Duplicate, Log, Span, Truncated};
use crate::tolerant::{Engine, Look};
use crate::view::{Json, View};
pub(crate) use begin::{first, viable};
use scan::Scan;

/// Something that could be the answer.
#[derive(Debug, Clone, Default)]
pub(crate) struct Candidate {
    pub(crate) value: Value,
    pub(crate) log: Log,
    pub(crate) truncated: Option<Truncated>,
    pub(crate) span: Span,
    /// It is in a code fence or between `<json>` tags.
    pub(crate) marked: bool,
    /// It has keys with colons, or is a list.
    pub(crate) structured: bool,
    /// It is the text of the answer itself, as a string.
    pub(crate) is_text: bool,
    /// It is in a comment.
    pub(crate) commented: bool,
    /// It is in the middle of a line.
    pub(crate) in_prose: bool,
    /// What the words around it say: positive, it is the answer; negative, it is only mentioned.
    pub(crate) emphasis: i8,
    /// Its members are without braces.
    pub(crate) braceless: bool,
}

impl Candidate {
    /// JSON as it should be.
    pub(super) fn strict(value: Value, span: Span, marked: bool) -> Self {
        let structured = match &value {
            Value::Object(object) => !object.is_empty(),
            Value::Array(_) => true,
            _ => false,
        };
        Self { value, log: Log::new(16), span, marked, structured, ..Self::default() }
    }

    /// The answer itself.
    pub(crate) fn text(text: &str, span: Span) -> Self {
        Self {
            is_text: true,
            structured: false,
            ..Self::strict(Value::String(text.to_owned()), span, false)
        }
    }
}

/// What is in an answer.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    pub(crate) candidates: Vec<Candidate>,
    /// Nothing but commas, blanks and comments is around the candidates.
    pub(crate) only_values: bool,
    /// Thinking that has no end.
    pub(crate) thinking: bool,
    /// Where the answer begins.
    pub(crate) from: usize,
    /// The answer ends in a value of which there is nothing yet, or in thinking behind the answer.
    pub(crate) cut: Option<Truncated>,
    /// The whole answer is valid JSON.
    pub(crate) is_json: bool,
    /// Candidates were left out, since the work was used up.
    pub(crate) exhausted: bool,
}

/// Finds everything in an answer that could be meant.
pub(crate) fn candidates(look: &Look<'_>, view: View, limits: &Limits) -> Reading {
    let mut reading = Reading { only_values: true, ..Reading::default() };
    match view {
        View::Empty => {}
        View::Thinking => reading.thinking = true,
        View::Json(Json { value, span, twice }) => {
            reading.from = span.start;
            let mut candidate = Candidate::strict(value, span, false);
            if twice {
                candidate.log.duplicates = duplicates(look, span.start, limits);
            }
            reading.candidates.push(candidate);
        }
        View::Text(from) => {
            reading.from = from;
            Scan::new(look, limits).run(&mut reading);
        }
    }
    reading
}

/// Adds members that are without braces around what was found, where a schema can tell which is meant.
pub(crate) fn members(look: &Look<'_>, reading: &mut Reading, limits: &Limits) {
    Scan::new(look, limits).members(reading);
}

/// The keys that are there twice in a text that is valid JSON.
fn duplicates(look: &Look<'_>, start: usize, limits: &Limits) -> Vec<Duplicate> {
    let mut engine = Engine::new(start, false, limits.depth, limits.repairs);
    engine.run(look);
    engine.log.duplicates
}
