//! Text as HTML that a browser reads back byte for byte. Escaping `&` and `<` is not enough for that: a
//! parser turns CRLF into LF, drops NUL, and a page's encoding must not matter for what it decides.

use std::fmt::Write as _;

/// The element that represents a NUL, which HTML cannot say. The page's script puts the character in.
const NUL: &str = "<i class=\"nul\"></i>";

/// Appends a text. Nothing in it can open a tag, an entity or a comment.
pub(super) fn push(html: &mut String, text: &str) {
    let mut rest = text;
    while let Some(at) = rest.find(['&', '<', '>', '"', '\'', '\r', '\0']) {
        let (before, from) = rest.split_at(at);
        html.push_str(before);
        let mut chars = from.chars();
        match chars.next() {
            Some('\0') => html.push_str(NUL),
            Some(c) => {
                let _ = write!(html, "&#{};", u32::from(c));
            }
            None => {}
        }
        rest = chars.as_str();
    }
    html.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::push;

    #[test]
    fn what_a_parser_would_change_is_written_as_a_reference() {
        for (text, html) in [
            ("plain ä 漢", "plain ä 漢"),
            ("</script><b>", "&#60;/script&#62;&#60;b&#62;"),
            ("a\r\nb", "a&#13;\nb"),
            ("&amp;\"'", "&#38;amp;&#34;&#39;"),
            ("\0", "<i class=\"nul\"></i>"),
            ("", ""),
        ] {
            let mut written = String::new();
            push(&mut written, text);
            assert_eq!(written, html);
        }
    }
}
