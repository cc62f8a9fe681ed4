//! Keys do not get out: not into messages, not into recordings.

/// What stands where a key was.
const HIDDEN: &str = "[redacted]";
/// How keys of well-known providers begin.
const PREFIXES: [&str; 7] = ["sk-", "sk_", "Bearer ", "AIza", "gsk_", "xai-", "hf_"];
/// What is shorter than this is a word.
const SHORTEST: usize = 12;

/// The text without these keys, and without what looks like a key.
pub(crate) fn redact(text: &str, keys: &[&str]) -> String {
    let mut shown = text.to_owned();
    for key in keys.iter().filter(|key| key.len() >= 4) {
        shown = shown.replace(key, HIDDEN);
    }
    for prefix in PREFIXES {
        if shown.contains(prefix) {
            shown = without(&shown, prefix);
        }
    }
    shown
}

fn without(text: &str, prefix: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(prefix) {
        let (before, from) = rest.split_at(at);
        let body = from.get(prefix.len()..).unwrap_or_default();
        let is_part = |c: char| c.is_ascii_alphanumeric() || "-_.*".contains(c);
        let length = body.find(|c| !is_part(c)).unwrap_or(body.len());
        let starts = !before.ends_with(|c: char| c.is_ascii_alphanumeric());
        shown.push_str(before);
        if starts && length >= SHORTEST {
            shown.push_str(HIDDEN);
            rest = body.get(length..).unwrap_or_default();
        } else {
            shown.push_str(prefix);
            rest = body;
        }
    }
    shown.push_str(rest);
    shown
}

#[cfg(test)]
mod tests {
    use super::redact;

    #[test]
    fn keys_go_and_words_stay() {
        let keys = ["local-secret-1"];
        let cases = [
            ("Incorrect API key: sk-proj-abcdefgh1234***", "Incorrect API key: [redacted]"),
            ("Bearer eyJhbGciOiJIUzI1NiJ9.x.y", "[redacted]"),
            ("key local-secret-1 is wrong", "key [redacted] is wrong"),
            ("task-oriented disk-management", "task-oriented disk-management"),
            ("sk-short", "sk-short"),
            ("Bearer token", "Bearer token"),
            ("上限 AIzaSyA1234567890abcdef。", "上限 [redacted]。"),
            ("", ""),
        ];
        for (text, shown) in cases {
            assert_eq!(redact(text, &keys), shown);
        }
    }
}
