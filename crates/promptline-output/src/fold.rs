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
    for c in name.nfkd().flat_map(char::to_lowercase) {
        match c {
            'ß' => folded.push_str("ss"),
            'ø' => folded.push('o'),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            'ł' => folded.push('l'),
            c if c.is_alphanumeric() => folded.push(c),
            _ => {}
        }
    }
    folded
}

/// Words in lower case without accents, joined by single blanks: text in which a name is looked for.
pub(crate) fn words(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    for c in text.nfkd().flat_map(char::to_lowercase) {
        match c {
            'ß' => words.push_str("ss"),
            c if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') => words.push(c),
            // What is left of an accent.
            c if ('\u{300}'..='\u{36f}').contains(&c) => {}
            _ if words.ends_with(' ') => {}
            _ => words.push(' '),
        }
    }
    words
}
