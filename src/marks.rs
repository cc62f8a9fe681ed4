//! The noncharacters that promptline puts into its own skeletons, and their removal from everything
//! that comes from outside: nothing that is not ours may look like a mark.

use std::borrow::Cow;

use memchr::memmem;

/// Opens a token: `OPEN`, a decimal index, `CLOSE`.
pub(crate) const OPEN: char = '\u{FDD0}';
/// Closes a token.
pub(crate) const CLOSE: char = '\u{FDD1}';
/// Marks where a placeholder, a block or a partial printed nothing.
pub(crate) const EMPTY: char = '\u{FDD2}';

/// Where the next token or empty mark begins.
pub(crate) fn next_mark(text: &str) -> Option<usize> {
    find(text, |last| matches!(last, 0x90 | 0x92))
}

/// Where the next empty mark is.
pub(crate) fn next_empty(text: &str) -> Option<usize> {
    find(text, |last| last == 0x92)
}

/// Marks begin with a byte that is rare, and nearly always absent: a search for it needs no
/// preparation, unlike one for a whole mark. `last` judges the third and last byte.
fn find(text: &str, last: impl Fn(u8) -> bool) -> Option<usize> {
    let bytes = text.as_bytes();
    memchr::memchr_iter(0xEF, bytes).find(|&at| match bytes.get(at + 1..at + 3) {
        Some(&[0xB7, third]) => last(third),
        _ => false,
    })
}

/// The 66 code points that Unicode reserves for internal use: U+FDD0..=U+FDEF and the last two of
/// every plane.
pub(crate) fn is_noncharacter(c: char) -> bool {
    let code = u32::from(c);
    (0xFDD0..=0xFDEF).contains(&code) || code & 0xFFFE == 0xFFFE
}

/// Removes noncharacters; the count says how many went. Text without any is not copied.
pub(crate) fn strip_noncharacters(text: &str) -> (Cow<'_, str>, usize) {
    if !may_hold_noncharacters(text) {
        return (Cow::Borrowed(text), 0);
    }
    let mut removed = 0;
    let kept: String = text
        .chars()
        .filter(|&c| {
            let bad = is_noncharacter(c);
            removed += usize::from(bad);
            !bad
        })
        .collect();
    if removed == 0 { (Cow::Borrowed(text), 0) } else { (Cow::Owned(kept), removed) }
}

/// Every noncharacter holds one of three byte pairs in UTF-8; a text without them (nearly every one)
/// is known to be clean at the speed of memory.
fn may_hold_noncharacters(text: &str) -> bool {
    const PAIRS: [&[u8]; 3] = [b"\xEF\xB7", b"\xBF\xBE", b"\xBF\xBF"];
    let holds = |pair: &&[u8]| memmem::find(text.as_bytes(), pair).is_some();
    !text.is_ascii() && PAIRS.iter().any(holds)
}
