//! What the words around a value say of it: that it is the answer, or that it is only mentioned. Only values of
//! one answer are compared by it.

use crate::candidates::Candidate;

/// Words that correct an earlier answer, wherever they are in the sentence.
const CORRECTED: [&str; 22] = [
    "wait",
    "sorry",
    "oops",
    "mistake",
    "correction",
    "corrected",
    "revised",
    "revision",
    "actually",
    "reflection",
    "second thought",
    "updated",
    "fixed",
    "更正",
    "修正",
    "修改后",
    "抱歉",
    "不好意思",
    "应为",
    "应该是",
    "改为",
    "实际上",
];

/// Words that announce the answer.
const ANNOUNCED: [&str; 10] = [
    "final",
    "answer",
    "result:",
    "output:",
    "instead:",
    "最终",
    "答案",
    "正确",
    "结果：",
    "输出：",
];

/// Words that mention a value which is not the answer.
const MENTIONED: [&str; 37] = [
    "instead of",
    "rather than",
    "for example",
    "for instance",
    "e.g.",
    "such as",
    "would have",
    "could have",
    "would be",
    "not",
    "avoid",
    "wrong",
    "incorrect",
    "example",
    "sample",
    "template",
    "placeholder",
    "previous",
    "original",
    "schema",
    "input",
    "request",
    "draft",
    "debug",
    "config",
    "例如",
    "比如",
    "而不是",
    "不是",
    "示例",
    "样例",
    "模板",
    "错误",
    "不对",
    "原来",
    "之前",
    "草稿",
];

/// The same, behind a value.
const DENIED_BEHIND: [&str; 12] = [
    "would",
    "is wrong",
    "is incorrect",
    "is not",
    "isn't",
    "was wrong",
    "is only an example",
    "is an example",
    "是错",
    "不对",
    "不正确",
    "只是示例",
];

/// Bytes before and behind a value that are read.
const BEFORE: usize = 120;
const BEHIND: usize = 40;

/// Positive: announced as the answer; negative: only mentioned.
pub(crate) fn emphasis(text: &str, candidate: &Candidate, from: usize) -> i8 {
    let span = candidate.span;
    let start = text.floor_char_boundary(span.start.saturating_sub(BEFORE).max(from));
    let before = clause(text.get(start..span.start).unwrap_or_default()).to_lowercase();
    let end = text.floor_char_boundary(span.end.saturating_add(BEHIND).min(text.len()));
    let behind = text.get(span.end..end).unwrap_or_default();
    let behind = behind.split(['\n', '{', '[']).next().unwrap_or_default().to_lowercase();
    let behind = behind.trim_start_matches([' ', '`', ')', '*', '"']);
    if before.is_empty() && behind.is_empty() {
        return 0;
    }
    if DENIED_BEHIND.iter().any(|word| behind.starts_with(word)) {
        return -1;
    }
    if CORRECTED.iter().any(|word| last_word(&before, word).is_some()) {
        return 1;
    }
    let last = |words: &[&str]| words.iter().filter_map(|word| last_word(&before, word)).max();
    match (last(&ANNOUNCED), last(&MENTIONED)) {
        (None, None) => 0,
        (announced, mentioned) if announced >= mentioned => 1,
        _ => -1,
    }
}

/// The last sentence of a text; behind a line break, the line before.
fn clause(text: &str) -> &str {
    let text = text.trim_end();
    let fence =
        text.rfind("```").filter(|at| text.get(at + 3..).is_some_and(|t| !t.contains('\n')));
    let text = fence.and_then(|at| text.get(..at)).unwrap_or(text).trim_end();
    let inner = text.trim_end_matches([':', '：', '*', '`', '#', ' ', '.', '。']);
    let end = |c: char| matches!(c, '\n' | '。' | '！' | '!' | '}' | ']' | '；' | ';');
    let sentence = inner.rfind(end).map_or(0, |at| at + 1);
    let sentence = text.get(sentence..).or_else(|| text.get(sentence + 2..)).unwrap_or(text);
    match sentence.rfind(". ") {
        Some(at) if at + 2 < sentence.len() => sentence.get(at + 2..).unwrap_or(sentence),
        _ => sentence,
    }
}

/// Where a word begins last; Latin letters do not go on in another word.
fn last_word(text: &str, word: &str) -> Option<usize> {
    text.rmatch_indices(word).map(|(at, _)| at).find(|&at| {
        let joins = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
        let before = text.get(..at).and_then(|text| text.chars().next_back());
        let behind = text.get(at + word.len()..).and_then(|text| text.chars().next());
        let is_whole = word != "not" && word != "wait" || !joins(behind);
        !(joins(before) && word.is_ascii()) && is_whole
    })
}
