//! The edges of a value: what of the text between two tags is the value. Never changes what is inside:
//! no entity is decoded.

use crate::syntax::Framing;

const CDATA: &str = "<![CDATA[";
const CDATA_END: &str = "]]>";

/// The value that stands between the tags.
pub(crate) fn of(text: &str, framing: Framing, body: bool) -> &str {
    match framing {
        Framing::None => text,
        Framing::LineBreak => without_line_breaks(text),
        Framing::ByField => {
            let text = if body { without_line_breaks(without_indent(text)) } else { text.trim() };
            unwrapped(text.trim()).unwrap_or(text)
        }
    }
}

/// One line break on each side belongs to the tags. A lone one does too.
fn without_line_breaks(text: &str) -> &str {
    let text = text.strip_prefix("\r\n").or_else(|| text.strip_prefix('\n')).unwrap_or(text);
    text.strip_suffix("\r\n").or_else(|| text.strip_suffix('\n')).unwrap_or(text)
}

/// The blanks that indent the closing tag belong to it.
fn without_indent(text: &str) -> &str {
    let solid = text.trim_end_matches([' ', '\t']);
    if solid.ends_with('\n') { solid } else { text }
}

/// What is in a text that is exactly one CDATA section.
fn unwrapped(text: &str) -> Option<&str> {
    let inside = text.strip_prefix(CDATA)?.strip_suffix(CDATA_END)?;
    (!inside.contains(CDATA_END)).then_some(inside)
}

/// The value as a CDATA section, if it can stand in one.
pub(crate) fn wrapped(value: &str) -> Option<String> {
    (!value.contains(CDATA_END)).then(|| format!("{CDATA}{value}{CDATA_END}"))
}

#[cfg(test)]
mod tests {
    use super::{Framing, of};

    macro_rules! cases {
        ($($name:ident: $framing:ident $body:literal $text:expr => $value:expr;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(of($text, Framing::$framing, $body), $value);
            }
        )*};
    }

    cases! {
        trimmed: ByField false "\n a b\u{A0}\n" => "a b";
        one_break_per_side: ByField true "\n\na\n\n" => "\na\n";
        a_lone_break: ByField true "\n" => "";
        two_breaks: ByField true "\n\n" => "";
        windows_breaks: ByField true "\r\na\r\n" => "a";
        blanks_of_a_body_stay: ByField true "  x  " => "  x  ";
        the_indent_of_the_closing_tag: ByField true "\n    a\n  b\n  " => "    a\n  b";
        the_indent_of_a_lone_closing_tag: ByField true "\n\t" => "";
        an_empty_line_before_it_stays: ByField true "\r\n a\r\n\r\n  " => " a\r\n";
        no_indent_without_its_line: ByField true "\n a  " => " a  ";
        verbatim_in_qwen: LineBreak true "\na\n  " => "a\n  ";
        cdata: ByField true "\n<![CDATA[ a </b> ]]>\n" => " a </b> ";
        cdata_of_a_path: ByField false " <![CDATA[ a ]]> " => " a ";
        two_sections_stay: ByField true "<![CDATA[a]]><![CDATA[b]]>" => "<![CDATA[a]]><![CDATA[b]]>";
        cdata_elsewhere_is_text: LineBreak true "<![CDATA[a]]>" => "<![CDATA[a]]>";
        no_framing: None true "\na\n" => "\na\n";
    }
}
