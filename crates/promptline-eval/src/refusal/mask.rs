//! What is not said by the model itself is blanked out before the rules look: quotations, code, quoted
//! lines. The text keeps its length.

use std::ops::Range;

/// Blanks out quotations, code and quoted lines. An answer that is one whole quotation is not masked.
pub(super) fn quoted(text: &str) -> String {
    let mut masked = text.to_owned();
    for range in spans(text) {
        let inside = text.get(range.clone()).unwrap_or_default();
        let rest = text.len() - inside.len();
        // `"I can't help with that."` is the answer, not a quotation in it.
        let around = [text.get(..range.start), text.get(range.end..)];
        let alone = around.iter().flatten().all(|side| !side.contains(char::is_alphanumeric));
        if !(alone && rest < 24) {
            blank(&mut masked, range);
        }
    }
    masked
}

/// Overwrites a range with blanks.
pub(super) fn blank(text: &mut String, range: Range<usize>) {
    let blanks = " ".repeat(range.len());
    if text.is_char_boundary(range.start) && text.is_char_boundary(range.end) {
        text.replace_range(range, &blanks);
    }
}

const CLOSING: [char; 10] = ['”', '“', '」', '』', '»', '›', '》', '`', '"', '’'];

/// Where quotations are, without their marks.
fn spans(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with('>') {
            found.push(at..at + line.trim_end().len());
        }
        at += line.len();
    }
    let mut fence = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let is_fence = line.trim_start().starts_with("```");
        match fence {
            None if is_fence => fence = Some(at),
            Some(start) if is_fence => {
                found.push(start..at + line.trim_end().len());
                fence = None;
            }
            _ => {}
        }
        at += line.len();
    }
    // Asked once for each mark, so that a text of opening marks stays linear.
    let last = CLOSING.map(|closing| (closing, text.rfind(closing).unwrap_or(0)));
    let closes_after = |closing: char, start: usize| {
        last.iter().any(|(mark, place)| *mark == closing && *place >= start)
    };
    let mut open: Option<(char, usize)> = None;
    for (at, character) in text.char_indices() {
        if let Some((closing, start)) = open {
            if character == closing {
                found.push(start..at);
                open = None;
            } else if character == '\n' && matches!(closing, '"' | '`') {
                // A straight mark that was never closed opened nothing.
                open = None;
            }
            continue;
        }
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let closing = match character {
            '“' | '„' => '”',
            '「' => '」',
            '『' => '』',
            '«' => '»',
            '‹' => '›',
            '《' => '》',
            '`' => '`',
            '"' => '"',
            '‘' if before.is_none_or(|c| !c.is_alphanumeric()) => '’',
            _ => continue,
        };
        let start = at + character.len_utf8();
        let rest = text.get(start..).unwrap_or_default();
        // German closes with “, and not every writer finds the right mark.
        let closing = if character == '„' {
            if !['“', '”', '"'].iter().any(|mark| closes_after(*mark, start)) {
                continue;
            }
            rest.chars().find(|c| matches!(c, '“' | '”' | '"')).unwrap_or('“')
        } else if closes_after(closing, start) {
            closing
        } else {
            continue;
        };
        open = Some((closing, start));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotations_are_blank() {
        let shown = |text: &str| quoted(text).split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(shown("He said \"I can't\" twice"), "He said \" \" twice");
        assert_eq!(shown("他说“我无法回答”，走了"), "他说“ ”，走了");
        assert_eq!(shown("„Das geht nicht“, sagt er"), "„ “, sagt er");
        assert_eq!(shown("a\n> I can't help\nb"), "a b");
        assert_eq!(shown("```\nI can't\n```\nb"), "b");
        assert_eq!(shown("5\" wide\nI can't"), "5\" wide I can't");
        assert_eq!(shown("\"I can't help.\""), "\"I can't help.\"");
    }
}
