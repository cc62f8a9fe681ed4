//! What the answer is, once what is around it is gone: blanks, marks of byte order, thinking. JSON that is
//! valid is looked for before and after, and is never changed.

use serde_json::Value;

use crate::candidates::first;
use crate::reasoning::{self, Answer};
use crate::repair::Span;
use crate::strict;
use crate::tolerant::Look;

/// The answer without what is around it.
#[derive(Debug)]
pub(crate) enum View {
    /// Nothing is there.
    Empty,
    /// Thinking that has no end, and nothing else.
    Thinking,
    /// The whole is JSON.
    Json(Json),
    /// A text that begins at this byte.
    Text(usize),
}

/// JSON as it should be.
#[derive(Debug)]
pub(crate) struct Json {
    pub(crate) value: Value,
    pub(crate) span: Span,
    /// A key is there twice.
    pub(crate) twice: bool,
}

/// Looks at an answer.
pub(crate) fn view(look: &Look<'_>) -> View {
    let start = look.blank(0);
    if start == look.end() {
        return View::Empty;
    }
    if let Some(json) = json(look, start) {
        return View::Json(json);
    }
    match reasoning::answer(look, |from, to| first(look, from, to)) {
        Answer::Thinking(_) => View::Thinking,
        Answer::From(0) => View::Text(0),
        Answer::From(from) => match json(look, look.blank(from)) {
            Some(json) => View::Json(json),
            None => View::Text(from),
        },
    }
}

fn json(look: &Look<'_>, start: usize) -> Option<Json> {
    let text = look.slice(start, look.end()).trim_end();
    look.count(text.len());
    let (value, twice) = strict::whole(text)?;
    Some(Json { value, span: Span::new(start, start + text.len()), twice })
}
