//! Summary and facts as the model reads them: data in a labelled block, escaped, never in the system part.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;

use super::reminder::neutral;
use crate::{Session, Slots, Summary, Wording};

/// The notes: what the summary says, and the facts as they were when it was made.
pub(super) fn notes(summary: &Summary, wording: &Wording) -> Option<String> {
    let text = summary.text.trim();
    if text.is_empty() && summary.facts.is_empty() {
        return None;
    }
    let mut notes = format!("<session-notes>\n{}", wording.data);
    if !text.is_empty() {
        let _ = write!(notes, "\n{}\n{}", wording.summary, neutral(text));
    }
    if !summary.facts.is_empty() {
        let _ = write!(notes, "\n{}", wording.facts);
        for (slot, value) in &summary.facts {
            let _ = write!(notes, "\n- {slot}: {}", escaped(value));
        }
    }
    notes.push_str("\n</session-notes>");
    Some(notes)
}

/// What has changed since the notes were written.
pub(super) fn changes(
    session: &Session,
    slots: &Slots,
    now_ms: u64,
    wording: &Wording,
) -> Option<String> {
    let now = session.facts.snapshot(slots, now_ms);
    let none = BTreeMap::new();
    let noted = session.summary.as_ref().map_or(&none, |summary| &summary.facts);
    let changed = now.iter().filter(|(slot, value)| noted.get(*slot) != Some(*value));
    let mut lines: Vec<String> =
        changed.map(|(slot, value)| format!("- {slot}: {}", escaped(value))).collect();
    let gone = noted.keys().filter(|slot| !now.contains_key(*slot));
    lines.extend(gone.map(|slot| format!("- {slot}: {}", wording.no_longer)));
    if lines.is_empty() {
        return None;
    }
    let heading = match noted.is_empty() {
        true => format!("{}\n{}", wording.data, wording.facts),
        false => format!("{}\n{}", wording.data, wording.changed_facts),
    };
    Some(format!("<session-facts>\n{heading}\n{}\n</session-facts>", lines.join("\n")))
}

/// JSON, with `<`, `>` and `&` as escapes: it cannot end the block that it is in.
fn escaped(value: &Value) -> String {
    let json = value.to_string();
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' => text.push_str("\\u003c"),
            '>' => text.push_str("\\u003e"),
            '&' => text.push_str("\\u0026"),
            c => text.push(c),
        }
    }
    text
}
