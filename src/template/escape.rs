//! Text that must survive being read as a template: packed into raw blocks, and unpacked again.

use super::token::{RAW_CLOSE, RAW_OPEN};

/// A text as a template that prints it.
///
/// Text without `{{` is a template of itself and comes back as it is; so that it can be put before a
/// placeholder, a text that ends with `{` counts as one with braces. What reading a template does to
/// any source (CRLF, a byte order mark at its start, noncharacters) is done to this one too.
///
/// ```
/// use promptline::template::{Template, escape, unescape};
/// let text = "run: ${{ secrets.KEY }}";
/// let template = Template::parse(&escape(text))?;
/// assert_eq!(template.render(&serde_json::Map::new())?, text);
/// assert_eq!(unescape(&escape(text)), text);
/// # Ok::<(), promptline::Error>(())
/// ```
#[must_use]
pub fn escape(text: &str) -> String {
    if !text.contains("{{") && !text.ends_with('{') {
        return text.to_owned();
    }
    // What would close the raw block is cut in two, each half in a raw block of its own.
    let (braces, name) = RAW_CLOSE.split_at(4);
    let cut = format!("{braces}{RAW_CLOSE}{RAW_OPEN}{name}");
    format!("{RAW_OPEN}{}{RAW_CLOSE}", text.replace(RAW_CLOSE, &cut))
}

/// The text that [`escape`] packed. Text outside of raw blocks stays as it is.
#[must_use]
pub fn unescape(template: &str) -> String {
    let mut text = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, raw)) = rest.split_once(RAW_OPEN) {
        let Some((content, behind)) = raw.split_once(RAW_CLOSE) else {
            break;
        };
        text.push_str(before);
        text.push_str(content);
        rest = behind;
    }
    text + rest
}
