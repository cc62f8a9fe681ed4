//! The little of Markdown that decides what in a rules file is meant: code fences, code spans, comments, `@path`.

/// A line of a Markdown text, and whether it stands in a code fence (or is the border of one).
fn lines(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut fence: Option<(char, usize)> = None;
    text.split_inclusive('\n').map(move |line| {
        let inner = line.trim_start();
        let indent = line.len() - inner.len();
        let first = inner.chars().next().unwrap_or(' ');
        let run = inner.chars().take_while(|c| *c == first).count();
        match fence {
            Some((mark, length)) => {
                let rest = inner.get(run..).unwrap_or_default();
                if first == mark && run >= length && rest.trim().is_empty() {
                    fence = None;
                }
                (line, true)
            }
            None if indent < 4 && run >= 3 && matches!(first, '`' | '~') => {
                fence = Some((first, run));
                (line, true)
            }
            None => (line, false),
        }
    })
}

/// The text without HTML comments that begin a line outside of code fences. One that does not end is kept.
pub(crate) fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut held = String::new();
    for (line, fenced) in lines(text) {
        let mut rest = line;
        if !held.is_empty() {
            held.push_str(line);
            let Some((_, behind)) = line.split_once("-->") else { continue };
            held.clear();
            rest = behind;
        }
        let stripped = rest.len() < line.len();
        if !fenced {
            let mut cut = false;
            while let Some(inner) = rest.trim_start().strip_prefix("<!--") {
                match inner.split_once("-->") {
                    Some((_, behind)) => {
                        rest = behind;
                        cut = true;
                    }
                    None => {
                        held.push_str(rest);
                        rest = "";
                        cut = true;
                    }
                }
            }
            if (cut || stripped) && rest.trim().is_empty() {
                continue;
            }
        }
        kept.push_str(rest);
    }
    kept.push_str(&held);
    kept
}

/// A mention `@path` in a text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Mention<'a> {
    pub(crate) path: &'a str,
    /// There is nothing else on its line (but perhaps the mark of a list).
    pub(crate) alone: bool,
}

/// The mentions of a text, outside of code fences and code spans. A path ends at a blank.
pub(crate) fn mentions(text: &str) -> Vec<Mention<'_>> {
    let mut found = Vec::new();
    for (line, fenced) in lines(text) {
        if fenced || !line.contains('@') {
            continue;
        }
        let ticks = line.matches('`').count();
        let bare = line.trim().trim_start_matches(['-', '*', '+']).trim();
        for (at, piece) in line.split('`').enumerate() {
            // A code span; the last backtick of an odd number opens none.
            if at % 2 == 1 && ticks > at {
                continue;
            }
            let mut before = if at == 0 { ' ' } else { '`' };
            for (place, c) in piece.char_indices() {
                if c == '@' && (before.is_whitespace() || matches!(before, '(' | '"' | '\'')) {
                    let rest = piece.get(place + 1..).unwrap_or_default();
                    let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
                    let path = rest.get(..end).unwrap_or_default();
                    let path =
                        path.trim_end_matches(['.', ',', ';', ':', '!', '?', ')', '"', '\'']);
                    if !path.is_empty() {
                        let alone = bare.strip_prefix('@') == Some(path);
                        found.push(Mention { path, alone });
                    }
                }
                before = c;
            }
        }
    }
    found
}

/// Nothing is left of the text without lines that are a mention and nothing else.
pub(crate) fn is_only_mentions(text: &str) -> bool {
    text.lines().all(|line| {
        let bare = line.trim().trim_start_matches(['-', '*', '+']).trim();
        bare.is_empty()
            || bare.strip_prefix('@').is_some_and(|path| !path.contains(char::is_whitespace))
    })
}
