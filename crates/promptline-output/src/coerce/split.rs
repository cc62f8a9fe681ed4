//! A text that lists several values: `red, green, blue`, `1; 2; 3`. Where it could as well be one, nothing is
//! split.

/// Parts are at most so many.
const MOST: usize = 200;
/// Words of a part of a text: a sentence has more.
const WORDS: usize = 4;

/// The parts of a text with separators; `words`: the parts are text themselves, so that a sentence must not
/// be taken for a list.
pub(super) fn split(text: &str, words: bool) -> Option<Vec<&str>> {
    let text = text.trim();
    let separator = ['\n', ';', '；', '|', '、', ',', '，']
        .into_iter()
        .find(|separator| text.contains(*separator))?;
    let parts: Vec<&str> = text
        .split(separator)
        .map(|part| part.trim().trim_start_matches(['-', '*', '•']).trim_start())
        .filter(|part| !part.is_empty())
        .take(MOST + 1)
        .collect();
    let last_and = |part: &str| part.strip_prefix("and ").map(str::len).unwrap_or(part.len());
    let parts: Vec<&str> = parts
        .into_iter()
        .map(|part| part.get(part.len() - last_and(part)..).unwrap_or(part))
        .collect();
    if parts.len() < 2 || parts.len() > MOST {
        return None;
    }
    let is_short = |part: &&str| {
        part.split_whitespace().count() <= WORDS
            && part.chars().count() <= 40
            && !part.contains(['.', '!', '?', '。', '！', '？', '"', '{', '['])
    };
    (!words || parts.iter().all(is_short)).then_some(parts)
}
