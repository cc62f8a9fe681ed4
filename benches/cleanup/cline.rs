//! What Cline v4.0.10 does to a rendered prompt, as a chain of ten regular expressions between two
//! trims: written after its behaviour, to have something to be measured against.

use regex::{Captures, Regex};

pub(crate) struct Cline {
    blank_runs: Regex,
    last_separator: Regex,
    empty_section: Regex,
    doubled_separator: Regex,
    bare_heading: Regex,
    bare_heading_line: Regex,
    text_below: Regex,
    text_above: Regex,
    diff: Regex,
}

impl Cline {
    pub(crate) fn new() -> Self {
        let regex = |pattern| Regex::new(pattern).expect("it is a regex");
        Self {
            blank_runs: regex(r"\n\s*\n\s*\n"),
            last_separator: regex(r"={4,}\s*$"),
            empty_section: regex(r"\n={4,}\s*\n+\s*={4,}\n"),
            doubled_separator: regex(r"={4}\s*\n\s*={4}\s*\n"),
            bare_heading: regex(r"(?m)^##\s*$[\r\n]*"),
            bare_heading_line: regex(r"(?m)\n##\s*$[\r\n]*"),
            text_below: regex(r"={4,}\n[^\n]"),
            text_above: regex(r"[^\n]\n={4,}"),
            diff: regex(r"SEARCH|REPLACE|\+{7}|-{7}"),
        }
    }

    pub(crate) fn clean(&self, text: &str) -> String {
        let text = self.blank_runs.replace_all(text, "\n\n");
        let text = self.last_separator.replace(text.trim(), "");
        let text = self.empty_section.replace_all(&text, "\n====\n");
        let text = self.doubled_separator.replace_all(&text, "====\n");
        let text = self.bare_heading.replace_all(&text, "");
        let text = self.bare_heading_line.replace_all(&text, "");
        let text =
            self.text_below.replace_all(&text, |found: &Captures<'_>| self.gap(&text, found));
        let text =
            self.text_above.replace_all(&text, |found: &Captures<'_>| self.gap(&text, found));
        self.blank_runs.replace_all(&text, "\n\n").trim().to_owned()
    }

    /// An empty line beside a separator, unless something within fifty characters looks like a diff.
    fn gap(&self, text: &str, found: &Captures<'_>) -> String {
        let found = found.get_match();
        let from = text.floor_char_boundary(found.start().saturating_sub(50));
        let to = text.floor_char_boundary(found.start() + 50);
        if self.diff.is_match(&text[from..to.min(text.len())]) {
            found.as_str().to_owned()
        } else {
            found.as_str().replacen('\n', "\n\n", 1)
        }
    }
}
