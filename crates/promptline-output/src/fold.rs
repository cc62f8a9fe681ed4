//! Names that are the same but for case, accents, width and how words are joined: `companyName`,
//! `company_name` and "Company Name".

use unicode_normalization::UnicodeNormalization as _;

/// The form in which such names are equal.
pub(crate) fn fold(name: &str) -> String {
    if name.is_ascii() {
        let kept = name.bytes().filter(u8::is_ascii_alphanumeric);
        return kept.map(|byte| char::from(byte.to_ascii_lowercase())).collect();
    }
    let mut folded = String::with_capacity(name.len());
    for c in letters(name).filter(|c| c.is_alphanumeric()) {
        push(&mut folded, c);
    }
    folded
}

/// Words in lower case without accents, joined by single blanks: text in which a name is looked for.
pub(crate) fn words(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    for c in letters(text) {
        if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') {
            push(&mut words, c);
        } else if !words.ends_with(' ') {
            words.push(' ');
        }
    }
    words
}

/// Characters in lower case and of common width. Latin letters are without their accents; elsewhere a mark
/// makes another letter, as in が and й.
fn letters(text: &str) -> impl Iterator<Item = char> {
    text.nfkc().flat_map(char::to_lowercase).filter(|c| !('\u{300}'..='\u{36f}').contains(c)).map(
        |c| match std::iter::once(c).nfd().next() {
            Some(base) if base.is_ascii_alphabetic() => base,
            _ => c,
        },
    )
}

/// Letters that are written as others where there are none of them.
fn push(text: &mut String, c: char) {
    match c {
        'ß' => text.push_str("ss"),
        'ø' => text.push('o'),
        'æ' => text.push_str("ae"),
        'œ' => text.push_str("oe"),
        'ł' => text.push('l'),
        c => text.push(c),
    }
}
