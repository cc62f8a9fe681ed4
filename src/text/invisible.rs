//! Characters that a reader cannot see but a model can: hidden instructions travel in them. They are
//! reported, and removed on request; joiners that scripts and emoji need stay.

/// What sort of invisible character it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Invisible {
    /// A tag character (U+E0000 block) outside a flag emoji: a hidden copy of ASCII.
    Tag,
    /// A control of the writing direction: text that reads otherwise than it is written.
    Bidi,
    /// A character of no width that joins or separates nothing here.
    ZeroWidth,
}

impl Invisible {
    /// The name in reports.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Tag => "tag",
            Self::Bidi => "bidi",
            Self::ZeroWidth => "zero-width",
        }
    }
}

/// The class of a character by itself.
pub(crate) fn class_of(c: char) -> Option<Invisible> {
    match c {
        '\u{E0000}'..='\u{E007F}' => Some(Invisible::Tag),
        '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => Some(Invisible::Bidi),
        '\u{200B}'..='\u{200D}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}' | '\u{00AD}' => {
            Some(Invisible::ZeroWidth)
        }
        _ => None,
    }
}

/// Every character that `class_of` knows holds one of a few bytes in UTF-8; a text without them
/// (nearly every one) is judged at the speed of memory.
fn may_hold_invisible(text: &str) -> bool {
    const STARTS: [&[u8]; 5] =
        [b"\xE2\x80", b"\xE2\x81", b"\xF3\xA0", b"\xEF\xBB\xBF", b"\xC2\xAD"];
    let holds = |start: &&[u8]| memchr::memmem::find(text.as_bytes(), start).is_some();
    !text.is_ascii() && STARTS.iter().any(holds)
}

/// The invisible characters of a text that have no business there: byte offset, character, class.
pub(crate) fn find_invisible(text: &str) -> impl Iterator<Item = (usize, char, Invisible)> + '_ {
    let text = if may_hold_invisible(text) { text } else { "" };
    let mut in_flag = false;
    let mut previous = None;
    let mut chars = text.char_indices().peekable();
    std::iter::from_fn(move || {
        loop {
            let (at, c) = chars.next()?;
            let before = previous.replace(c);
            // A flag is a black flag, tags, and the cancel tag.
            if c == '\u{1F3F4}' {
                in_flag = true;
                continue;
            }
            let Some(class) = class_of(c) else {
                in_flag = false;
                continue;
            };
            let next = chars.peek().map(|&(_, c)| c);
            let fits = match (class, c) {
                (Invisible::Tag, _) => in_flag,
                (Invisible::ZeroWidth, '\u{200D}') => joins(before, next),
                (Invisible::ZeroWidth, '\u{200C}') => {
                    before.is_some_and(is_joining) && next.is_some_and(is_joining)
                }
                _ => false,
            };
            if c == '\u{E007F}' {
                in_flag = false;
            }
            if !fits {
                return Some((at, c, class));
            }
        }
    })
}

/// A zero-width joiner between two emoji, or between letters of a script that joins.
fn joins(before: Option<char>, next: Option<char>) -> bool {
    let pictures = |c: char| matches!(u32::from(c), 0x2190..=0x2BFF | 0x1F000..=0x1FAFF | 0xFE0F);
    match (before, next) {
        (Some(before), Some(next)) => {
            pictures(before) && pictures(next) || is_joining(before) && is_joining(next)
        }
        // A word may end in one: it shows the joining form of its last letter.
        (Some(before), None) => is_joining(before),
        (None, _) => false,
    }
}

/// The scripts whose spelling needs joiners: Arabic and Syriac, the scripts of India and Sri Lanka,
/// Myanmar, Khmer, Mongolian.
fn is_joining(c: char) -> bool {
    matches!(
        u32::from(c),
        0x0600..=0x077F | 0x08A0..=0x0DFF | 0x1000..=0x109F | 0x1780..=0x18AF | 0xFB50..=0xFDCF
            | 0xFDF0..=0xFDFF | 0xFE70..=0xFEFC
    )
}

/// The text without its tag characters and direction controls; zero-width characters stay, since
/// removing them can change words.
pub(crate) fn strip_invisible(text: &str) -> Option<String> {
    let cut: Vec<_> = find_invisible(text)
        .filter(|(_, _, class)| matches!(class, Invisible::Tag | Invisible::Bidi))
        .map(|(at, c, _)| at..at + c.len_utf8())
        .collect();
    if cut.is_empty() {
        return None;
    }
    let mut kept = String::with_capacity(text.len());
    let mut from = 0;
    for range in cut {
        kept.push_str(text.get(from..range.start).unwrap_or_default());
        from = range.end;
    }
    kept.push_str(text.get(from..).unwrap_or_default());
    Some(kept)
}

/// The invisible characters of a text in words: class, code point and byte of the first few, and how
/// many there are. `None` when there are none.
pub(crate) fn describe(text: &str) -> Option<String> {
    const SHOWN: usize = 5;
    let mut found = find_invisible(text);
    let first: Vec<String> = found
        .by_ref()
        .take(SHOWN)
        .map(|(at, c, class)| format!("{} U+{:04X} at byte {at}", class.as_str(), u32::from(c)))
        .collect();
    let more = found.count();
    match (first.is_empty(), more) {
        (true, _) => None,
        (false, 0) => Some(first.join(", ")),
        (false, more) => Some(format!("{} and {more} more", first.join(", "))),
    }
}
