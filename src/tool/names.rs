//! Which names can stand in a tag. Provider limits on names are the native dialects' business.

/// A name begins with a letter or `_` and goes on with letters, digits, `_`, `.`, `-`. Beyond ASCII
/// every visible character is a letter: what is forbidden is what could end or forge a tag.
pub(crate) fn check_name(name: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphabetic() || c == '_' || is_visible_non_ascii(c);
    let mut chars = name.chars();
    chars.next().is_some_and(letter)
        && chars.all(|c| letter(c) || c.is_ascii_digit() || matches!(c, '.' | '-' | '\u{200D}'))
}

fn is_visible_non_ascii(c: char) -> bool {
    !c.is_ascii()
        && !c.is_whitespace()
        && !c.is_control()
        && !crate::text::marks::is_noncharacter(c)
        && crate::text::invisible::class_of(c).is_none()
}
