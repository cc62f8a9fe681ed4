//! Which parameters a text asks for, and which parts of it are its author's words. Knows of templates only how a tag
//! begins and ends.

use std::ops::Range;

/// Before a parameter's name.
const ROOT: &str = "params.";

/// The tags of a text, `{{…}}`, in order; of a raw block everything between its tags is none.
fn tags(text: &str) -> Vec<Range<usize>> {
    let mut tags = Vec::new();
    let mut at = 0;
    while let Some(start) = text.get(at..).and_then(|rest| rest.find("{{")).map(|found| at + found)
    {
        let rest = text.get(start..).unwrap_or_default();
        if rest.starts_with("{{{{") {
            let end = rest.find("{{{{/").map_or(text.len(), |end| start + end);
            // The block's own tags are no words; what is in it is.
            let open = rest.find("}}}}").map_or(text.len(), |open| start + open + 4);
            tags.push(start..open.min(text.len()));
            let close = text.get(end..).and_then(|rest| rest.find("}}}}"));
            let close = close.map_or(text.len(), |close| end + close + 4);
            if end < text.len() {
                tags.push(end..close);
            }
            at = close.max(open).max(start + 4);
            continue;
        }
        let Some(end) = rest.find("}}") else { break };
        tags.push(start..start + end + 2);
        at = start + end + 2;
    }
    tags
}

/// The parts of a text that are no tags.
pub(crate) fn words(text: &str) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut at = 0;
    for tag in tags(text) {
        if tag.start > at {
            words.push(at..tag.start);
        }
        at = tag.end.max(at);
    }
    if at < text.len() {
        words.push(at..text.len());
    }
    words
}

/// The parameters that a text asks for, in tags and, quoted, in conditions; where the name is.
pub(crate) fn uses(text: &str) -> Vec<(String, Range<usize>)> {
    let tags = tags(text);
    let mut found = Vec::new();
    for (at, _) in text.match_indices(ROOT) {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let index = tags.partition_point(|tag| tag.end <= at);
        let in_tag = tags.get(index).is_some_and(|tag| {
            tag.contains(&at) && !text.get(tag.clone()).is_some_and(|tag| tag.starts_with("{{{{"))
        });
        let begins = before.is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '.'));
        let quoted = matches!(before, Some('"' | '\''));
        if !(quoted || in_tag && begins) {
            continue;
        }
        let start = at + ROOT.len();
        let rest = text.get(start..).unwrap_or_default();
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        let name: &str = rest.get(..rest.find(|c| !is_part(c)).unwrap_or(rest.len())).unwrap_or("");
        if !name.is_empty() {
            found.push((name.to_owned(), start..start + name.len()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{uses, words};

    fn names(text: &str) -> Vec<String> {
        uses(text).into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn parameters_are_found_where_a_template_asks_for_them() {
        let cases: [(&str, &[&str]); 10] = [
            ("满{{params.threshold}}包邮", &["threshold"]),
            ("{{ params.a }} {{{params.b-c}}} {{&params.d.0}}", &["a", "b-c", "d"]),
            ("{{#if params.on}}x{{else}}{{json params.off}}{{/if}}", &["on", "off"]),
            ("when = { has = \"params.team\" }", &["team"]),
            ("equals = { 'params.n' = 3 }", &["n"]),
            ("see params.toml", &[]),
            ("{{my_params.x}} {{context.params.y}}", &[]),
            ("{{{{raw}}}}{{params.x}}{{{{/raw}}}} {{params.y}}", &["y"]),
            ("{{params.}} {{params", &[]),
            ("{{", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(names(text), expected, "{text}");
        }
    }

    #[test]
    fn words_are_what_is_no_tag() {
        let text = "满{{params.x}}包邮 {{{{raw}}}}99{{{{/raw}}}}{{open";
        let words: Vec<&str> = words(text).into_iter().map(|range| &text[range]).collect();
        assert_eq!(words, ["满", "包邮 ", "99", "{{open"]);
    }
}
