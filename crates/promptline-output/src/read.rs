//! Reads an answer against a spec, step by step: the view, the candidates, what each costs, the choice.

use serde_json::Value;

use crate::candidates::{Reading, candidates, members, viable};
use crate::choose::choose;
use crate::coerce::issue;
use crate::fit::fit_all;
use crate::gather::several;
use crate::limits::Limits;
use crate::parsed::{Issue, IssueKind, Parsed};
use crate::repair::{Inside, Truncated};
use crate::spec::OutputSpec;
use crate::strict;
use crate::tolerant::{Engine, Look};
use crate::view::{View, view};

pub(crate) fn read(spec: &OutputSpec, raw: &str) -> Parsed {
    let mut end = raw.len().min(spec.limits.bytes);
    while !raw.is_char_boundary(end) {
        end -= 1;
    }
    let text = raw.get(..end).unwrap_or_default();
    let look = Look::new(text, false);
    let view = view(&look);
    let is_json = matches!(view, View::Json(_));
    let mut reading = candidates(&look, view, &spec.limits);
    let mut parsed = Parsed { raw: raw.to_owned(), ..Parsed::default() };
    let extra = explain(spec, &reading, text);
    let cut = reading.cut.take();
    if !reading.thinking && !text.trim().is_empty() {
        if !spec.shapes.is_any() && !is_json {
            members(&look, &mut reading, &spec.limits);
        }
        several(spec, &mut reading, text);
        let fitted = fit_all(spec, &mut reading, text, &mut parsed);
        choose(spec, reading, fitted, &mut parsed);
    }
    parsed.work += look.work();
    if end < raw.len() {
        parsed.truncated.get_or_insert(Truncated {
            path: String::new(),
            inside: Inside::Container,
            at: end,
        });
        parsed.issues.push(issue(
            IssueKind::Limit,
            String::new(),
            format!("at most {} bytes", spec.limits.bytes),
            format!("{} bytes", raw.len()),
            "the answer is longer than is read",
        ));
        parsed.fits = false;
    }
    if let Some(cut) = cut {
        parsed.truncated.get_or_insert(cut);
    }
    if parsed.value.is_none() {
        parsed.issues.extend(extra);
        parsed.fits = false;
    }
    parsed
}

/// Why there may be no value.
fn explain(spec: &OutputSpec, reading: &Reading, text: &str) -> Option<Issue> {
    let expected = crate::coerce::expected(&spec.shapes, 0);
    let (kind, what) = if text.trim().is_empty() {
        (IssueKind::Empty, "the answer is empty")
    } else if reading.thinking {
        (IssueKind::Thinking, "the answer is thinking that has no end")
    } else if reading.exhausted {
        (IssueKind::Limit, "the answer holds too much that is almost JSON")
    } else {
        (IssueKind::NoJson, "there is no JSON in it")
    };
    Some(issue(kind, String::new(), expected, String::new(), what))
}

/// The one value that a text consists of, if it takes no guess to read it.
pub(crate) fn lone(text: &str) -> Option<Value> {
    let trimmed = text.trim();
    if let Some((value, _)) = strict::whole(trimmed) {
        return Some(value);
    }
    let look = Look::new(trimmed, false);
    if !viable(&look, 0) {
        return None;
    }
    let limits = Limits::default();
    let mut engine = Engine::new(0, false, limits.depth, limits.repairs);
    engine.run(&look);
    let sure = engine.log.guesses + engine.log.losses == 0;
    let whole = engine.truncated.is_none() && engine.pos == trimmed.len() && sure;
    let (value, ..) = engine.into_value();
    value.filter(|_| whole)
}
