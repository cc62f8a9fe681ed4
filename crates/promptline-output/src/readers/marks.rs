//! Marks that a terminal, a quotation, a diff or a listing puts before every line of an answer.

/// Reads lines that are marked.
type Reader = fn(&[&str]) -> Option<String>;

/// The lines that are marked, without their marks, and what these are.
pub(super) fn removed(text: &str) -> Option<(String, &'static str)> {
    if text.contains('\u{1b}') {
        return Some((without_colors(text), "terminal colors"));
    }
    let lines: Vec<&str> = text.lines().collect();
    let readers: [(Reader, &'static str); 3] =
        [(quoted, "quotation marks `>`"), (added, "diff marks `+`"), (numbered, "line numbers")];
    readers.into_iter().find_map(|(read, what)| Some((read(&lines)?, what)))
}

/// Without the escape sequences of terminals (ECMA-48, CSI).
fn without_colors(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut parts = text.split('\u{1b}');
    plain.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let behind = part.strip_prefix('[').map(|sequence| {
            let end = sequence.find(|c: char| ('@'..='~').contains(&c));
            end.and_then(|end| sequence.get(end + 1..)).unwrap_or_default()
        });
        plain.push_str(behind.unwrap_or(part));
    }
    plain
}

/// The longest run of lines that each give something, joined.
fn run<'t>(lines: &[&'t str], unmarked: impl Fn(&'t str) -> Option<&'t str>) -> Option<String> {
    let mut best: Vec<&str> = Vec::new();
    let mut now: Vec<&str> = Vec::new();
    for line in lines {
        match unmarked(line) {
            Some(rest) => now.push(rest),
            None => {
                if now.len() > best.len() {
                    best = std::mem::take(&mut now);
                }
                now.clear();
            }
        }
    }
    let best = if now.len() > best.len() { now } else { best };
    (!best.is_empty()).then(|| best.join("\n"))
}

fn quoted(lines: &[&str]) -> Option<String> {
    run(lines, |line| {
        let rest = line.trim_start().strip_prefix('>')?;
        Some(rest.strip_prefix(' ').unwrap_or(rest))
    })
}

fn added(lines: &[&str]) -> Option<String> {
    if !lines.iter().any(|line| line.starts_with('+')) {
        return None;
    }
    let is_kept = |line: &&&str| !line.starts_with('-') && !line.starts_with("@@");
    let kept: Vec<&str> =
        lines.iter().filter(is_kept).filter(|line| !line.starts_with("+++")).copied().collect();
    run(&kept, |line| line.strip_prefix('+').or_else(|| line.strip_prefix(' ')))
}

/// Lines that are numbered one after the other: `12: …`, `12 | …`, `12→…`.
fn numbered(lines: &[&str]) -> Option<String> {
    let number = |line: &str| -> Option<(u64, usize)> {
        let trimmed = line.trim_start();
        let digits = trimmed.len() - trimmed.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let value = trimmed.get(..digits)?.parse().ok()?;
        let rest = trimmed.get(digits..)?;
        let behind = [": ", ":", " | ", "|", "→", "\t", "  "]
            .into_iter()
            .find_map(|mark| rest.strip_prefix(mark))
            .or_else(|| rest.is_empty().then_some(rest))?;
        Some((value, line.len() - behind.len()))
    };
    let first = lines.iter().position(|line| number(line).is_some())?;
    let mut plain = Vec::new();
    let mut expected = None;
    for line in lines.get(first..)? {
        let Some((value, at)) = number(line) else { break };
        if expected.is_some_and(|expected| value != expected) {
            return None;
        }
        expected = Some(value + 1);
        plain.push(line.get(at..)?);
    }
    (plain.len() > 1).then(|| plain.join("\n"))
}
