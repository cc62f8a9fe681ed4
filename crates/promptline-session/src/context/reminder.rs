//! The blocks that this crate writes into messages, so that it knows them again: a reminder is never stored,
//! summarized or taken for something that was said; and text of others never looks like one.

use std::borrow::Cow;
use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use crate::Wording;

/// How every tag of ours begins.
pub(super) const TAG: &str = "session-";
const OPEN: &str = "<session-reminder id=\"";
const CLOSE: &str = "\n</session-reminder>";

/// The first bytes of a hash, in hexadecimal.
pub(super) fn short_hash<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    let mut hash = Sha256::new();
    for text in texts {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    }
    hash.finalize().iter().take(8).fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// The constraints with their heading; empty when there are none.
pub(super) fn constraints_text(constraints: &[String], wording: &Wording) -> String {
    if constraints.is_empty() {
        return String::new();
    }
    let mut text = wording.constraints.to_string();
    for constraint in constraints {
        text.push_str("\n- ");
        text.push_str(constraint);
    }
    text
}

/// The reminder around this text, and its hash.
pub(super) fn wrap(text: &str) -> (String, String) {
    let hash = short_hash([text]);
    (format!("{OPEN}{hash}\">\n{text}{CLOSE}"), hash)
}

/// A text without the reminders that this crate wrote into it: blocks whose hash is that of what is in them. A block
/// that someone else wrote stays.
#[must_use]
pub fn without_reminders(text: &str) -> Cow<'_, str> {
    if !text.contains(OPEN) {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, block)) = rest.split_once(OPEN) {
        // None of ours holds another one, so that nothing is looked at twice.
        let block_end = block.find(OPEN).unwrap_or(block.len());
        let found = block.get(..block_end).and_then(|one| {
            let (hash, inner) = (one.get(..16)?, one.get(16..)?.strip_prefix("\">\n")?);
            let (inner, after) = inner.split_once(CLOSE)?;
            (short_hash([inner]) == hash).then_some(block.len() - block_end + after.len())
        });
        let found = found.and_then(|left| block.get(block.len() - left..));
        match found {
            Some(after) => {
                kept.push_str(before.trim_end_matches('\n'));
                rest = after;
            }
            None => {
                kept.push_str(before);
                kept.push_str(OPEN);
                rest = block;
            }
        }
    }
    kept.push_str(rest);
    Cow::Owned(kept)
}

/// A text in which nothing looks like a tag of ours: `<` in front of one becomes `&lt;`.
pub(super) fn neutral(text: &str) -> Cow<'_, str> {
    let mut shown = String::new();
    let mut copied = 0;
    for (at, _) in text.match_indices('<') {
        let after = text.get(at + 1..).unwrap_or_default();
        let name = after.trim_start_matches(['/', ' ']);
        let is_ours = name.get(..TAG.len()).is_some_and(|start| start.eq_ignore_ascii_case(TAG));
        if is_ours {
            shown.push_str(text.get(copied..at).unwrap_or_default());
            shown.push_str("&lt;");
            copied = at + 1;
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    shown.push_str(text.get(copied..).unwrap_or_default());
    Cow::Owned(shown)
}
