//! Cuts the YAML between `---` lines off the start of a text. Never loses the text behind it, whatever
//! the YAML is like, and never shows a word of the YAML in a message.

use serde_json::{Map, Value};

/// No front matter is larger than this many bytes.
const LARGEST: usize = 64 << 10;

/// A text, cut in two.
#[derive(Debug, PartialEq)]
pub(crate) struct Parted<'a> {
    /// The keys of the front matter; none where there is no front matter, or none that can be read.
    pub(crate) fields: Map<String, Value>,
    /// There is front matter, and it could be read.
    pub(crate) is_read: bool,
    /// The text without it.
    pub(crate) body: &'a str,
    /// What is wrong with it.
    pub(crate) warning: Option<String>,
}

/// Cuts a text (with LF line ends and no byte order mark). Front matter begins at the very start and ends
/// at the next line `---`; further lines `---` are text.
pub(crate) fn part(text: &str) -> Parted<'_> {
    let whole = |warning: Option<&str>| Parted {
        fields: Map::new(),
        is_read: false,
        body: text,
        warning: warning.map(str::to_owned),
    };
    let Some(inner) = behind_fence(text) else {
        return whole(begins_late(text).then_some(
            "front matter not at start: it is kept as text; put its first `---` on line 1",
        ));
    };
    let Some((block, body)) = cut_at_fence(inner) else {
        let meant = inner.lines().next().is_some_and(is_key);
        return whole(meant.then_some(
            "the front matter does not end: it is kept as text; put a line `---` behind it",
        ));
    };
    match read(block) {
        Ok(Value::Object(fields)) => Parted { fields, is_read: true, body, warning: None },
        Ok(Value::Null) => Parted { fields: Map::new(), is_read: true, body, warning: None },
        Ok(_) => whole(Some("what stands between the `---` lines has no keys: it is kept as text")),
        Err(why) => {
            let warning = format!("the front matter is passed over: {why}");
            Parted { fields: Map::new(), is_read: false, body, warning: Some(warning) }
        }
    }
}

/// A value that is one word or line: text, a number or a switch.
pub(crate) fn line(value: &Value) -> Option<String> {
    let line = match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(_) | Value::Bool(_) => value.to_string(),
        Value::Null | Value::Array(_) | Value::Object(_) => String::new(),
    };
    (!line.is_empty()).then_some(line)
}

/// The text behind a first line `---`.
fn behind_fence(text: &str) -> Option<&str> {
    let (first, rest) = text.split_once('\n')?;
    is_fence(first).then_some(rest)
}

/// The text before and behind the first line `---`.
fn cut_at_fence(text: &str) -> Option<(&str, &str)> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let next = at + line.len();
        if is_fence(line) {
            return Some((text.get(..at)?, text.get(next..)?));
        }
        at = next;
    }
    None
}

fn is_fence(line: &str) -> bool {
    line.trim_end() == "---"
}

/// Front matter comes behind nothing but blank lines and comments. Two thematic breaks are not taken for
/// it: the line under the first must have a key.
fn begins_late(text: &str) -> bool {
    let mut rest = text.trim_start();
    loop {
        let after = if let Some(comment) = rest.strip_prefix("<!--") {
            comment.split_once("-->").map(|(_, after)| after)
        } else if rest.starts_with('#') || rest.starts_with("//") {
            rest.split_once('\n').map(|(_, after)| after)
        } else {
            break;
        };
        let Some(after) = after else { return false };
        rest = after.trim_start();
    }
    behind_fence(rest).is_some_and(|inner| {
        inner.lines().next().is_some_and(is_key) && cut_at_fence(inner).is_some()
    })
}

/// `key: value`, or `key:`.
fn is_key(line: &str) -> bool {
    line.split_once(':').is_some_and(|(key, value)| {
        !key.is_empty()
            && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
            && (value.trim_end().is_empty() || value.starts_with(' '))
    })
}

/// The YAML, or why it cannot be read.
fn read(block: &str) -> Result<Value, String> {
    if block.len() > LARGEST {
        return Err(format!("it has {} bytes; the limit is {LARGEST}", block.len()));
    }
    if block.trim().is_empty() {
        return Ok(Value::Null);
    }
    yaml(block).or_else(|line| match yaml(&with_quotes(block)) {
        Ok(value @ Value::Object(_)) => Ok(value),
        _ if line > 0 => Err(format!("it is not YAML (line {})", line + 1)),
        _ => Err("it is not YAML".to_owned()),
    })
}

/// The value, or the line of the mistake (0 when it is not known).
fn yaml(block: &str) -> Result<Value, u64> {
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_events: 10_000,
            max_nodes: 10_000,
            max_aliases: 64,
            max_anchors: 64,
            max_depth: 32,
            max_documents: 1,
            max_total_scalar_bytes: 4 * LARGEST,
        },
        alias_limits: serde_saphyr::alias_limits! {
            max_total_replayed_events: 64,
            max_replay_stack_depth: 8,
        },
        duplicate_keys: serde_saphyr::options::DuplicateKeyPolicy::FirstWins,
        with_snippet: false,
    };
    serde_saphyr::from_str_with_options(block, options)
        .map_err(|error| error.location().map_or(0, |place| place.line()))
}

/// Cursor writes `globs: *.ts`, people write `description: Use when: …`. YAML has another meaning for
/// both, or none; the value is meant as it stands.
fn with_quotes(block: &str) -> String {
    let mut out = String::with_capacity(block.len() + 16);
    for line in block.lines() {
        let blanks = line.len() - line.trim_start().len();
        let item = line.get(blanks..).filter(|item| item.starts_with("- *"));
        let cut = match (item, line.split_once(':')) {
            (Some(_), _) => Some(blanks + 1),
            (None, Some((key @ ("globs" | "description" | "name"), _))) => Some(key.len() + 1),
            _ => None,
        };
        let (key, value) = cut.and_then(|at| line.split_at_checked(at)).unwrap_or((line, ""));
        let value = value.trim();
        out.push_str(key);
        if value.is_empty() || value.starts_with(['"', '\'', '|', '>']) {
            out.push(' ');
            out.push_str(value);
        } else {
            out.push(' ');
            out.push_str(&Value::from(value).to_string());
        }
        out.push('\n');
    }
    out
}
