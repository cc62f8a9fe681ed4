//! `is-html` and `contains-html`.

use std::sync::LazyLock;

use super::{Js, js};

const ELEMENTS: &str = " html head title base link meta style body article section nav aside h1 h2 h3 h4 h5 h6 \
    header footer address p hr pre blockquote ol ul li dl dt dd figure figcaption main div a em strong small s \
    cite q dfn abbr ruby rt rp data time code var samp kbd sub sup i b u mark bdi bdo span br wbr img iframe \
    embed object param picture source video audio track map area svg math script noscript canvas ins del table \
    caption colgroup col tbody thead tfoot tr td th form label input button select datalist optgroup option \
    textarea output progress meter fieldset legend details summary dialog menu slot template ";
const VOID: &str = " area base br col embed hr img input link meta param source track wbr ";
/// Their content is text, whatever it looks like.
const RAW: &str = " script style textarea title iframe noscript ";
/// Opening one of these closes a paragraph.
const BLOCKS: &str = " address article aside blockquote details dialog div dl fieldset figcaption figure footer form \
    h1 h2 h3 h4 h5 h6 header hr main menu nav ol p pre section summary table ul ";

fn among(list: &str, name: &str) -> bool {
    list.contains(&format!(" {name} "))
}

/// An element that HTML knows, and no text beside the elements.
pub(super) fn is(text: &str) -> bool {
    let text = js::trim(text);
    let start = text.get(..5).unwrap_or_default();
    if text.is_empty() || start.eq_ignore_ascii_case("<?xml") {
        return false;
    }
    let has_body = has_tag(text, "body");
    let mut open: Vec<String> = Vec::new();
    let mut known = false;
    let mut rest = text;
    while !rest.is_empty() {
        let (token, after) = next(rest);
        rest = after;
        match token {
            Token::Text(text) => {
                // Text of a table that is in no cell goes before the table.
                let loose = open
                    .last()
                    .is_some_and(|last| among(" table tbody thead tfoot tr colgroup ", last));
                let holders = match open.iter().rposition(|name| name == "table") {
                    Some(table) if loose => open.get(..table).unwrap_or_default(),
                    _ => &open,
                };
                let bare =
                    holders.iter().all(|name| matches!(name.as_str(), "html" | "head" | "body"));
                if bare && !has_body && !js::trim(text).is_empty() {
                    return false;
                }
            }
            Token::Open(name, closed) => {
                let wrapper = matches!(name.as_str(), "html" | "head" | "body");
                known |= wrapper || among(ELEMENTS, &name) || name.contains('-');
                let in_table = " caption col colgroup tbody thead tfoot tr td th ";
                if among(in_table, &name)
                    && !open.iter().any(|one| matches!(one.as_str(), "table" | "template" | "svg"))
                {
                    continue;
                }
                if among(BLOCKS, &name) && open.last().is_some_and(|last| last == "p") {
                    open.pop();
                }
                if among(RAW, &name) {
                    let lower = rest.to_ascii_lowercase();
                    let end = lower.find(&format!("</{name}")).unwrap_or(rest.len());
                    rest = rest.get(end..).unwrap_or_default();
                }
                let foreign = matches!(open.last().map(String::as_str), Some("svg" | "math"));
                if !(among(VOID, &name) || closed && foreign) {
                    open.push(name);
                }
            }
            Token::Close(name) => {
                if let Some(place) = open.iter().rposition(|one| *one == name) {
                    // A mark-up of text that is closed too early leaves the blocks in it open.
                    let inline =
                        among(" a b big code em font i nobr s small strike strong tt u ", &name);
                    let blocks = open.iter().skip(place + 1).any(|one| among(BLOCKS, one));
                    if inline && blocks {
                        open.remove(place);
                    } else {
                        open.truncate(place);
                    }
                }
            }
            Token::Other => {}
        }
    }
    known
}

enum Token<'t> {
    Text(&'t str),
    Open(String, bool),
    Close(String),
    Other,
}

/// The first token of a text that is not empty, and what follows.
fn next(text: &str) -> (Token<'_>, &str) {
    let end_at = |mark: &str| text.find(mark).map_or(text.len(), |at| at + mark.len());
    let split = |end: usize| text.get(end..).unwrap_or_default();
    if text.starts_with("<!--") {
        return (Token::Other, split(end_at("-->")));
    }
    let letter = |at: usize| {
        text.get(at..).and_then(|t| t.chars().next()).is_some_and(|c| c.is_ascii_alphabetic())
    };
    if text.starts_with("<!") || text.starts_with("<?") {
        return (Token::Other, split(end_at(">")));
    }
    let closing = text.starts_with("</") && letter(2);
    if !(closing || (text.starts_with('<') && letter(1))) {
        let from = usize::from(text.starts_with('<'));
        let end =
            text.get(from..).and_then(|rest| rest.find('<')).map_or(text.len(), |at| at + from);
        return (
            Token::Text(text.get(..end).unwrap_or_default()),
            split(end.max(1).min(text.len())),
        );
    }
    let start = if closing { 2 } else { 1 };
    let inside = text.get(start..).unwrap_or_default();
    let name_end =
        inside.find(|c: char| c.is_whitespace() || c == '/' || c == '>').unwrap_or(inside.len());
    let name = inside.get(..name_end).unwrap_or_default().to_ascii_lowercase();
    let mut quote = None;
    let mut end = None;
    for (at, character) in inside.char_indices().skip(name_end) {
        match quote {
            Some(mark) if mark == character => quote = None,
            Some(_) => {}
            None if matches!(character, '"' | '\'') => quote = Some(character),
            None if character == '>' => {
                end = Some(at);
                break;
            }
            None => {}
        }
    }
    // What never ends is dropped, as a browser does.
    let Some(end) = end else { return (Token::Other, "") };
    let closed = inside.get(..end).is_some_and(|tag| tag.ends_with('/'));
    let after = inside.get(end + 1..).unwrap_or_default();
    (if closing { Token::Close(name) } else { Token::Open(name, closed) }, after)
}

fn has_tag(text: &str, name: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let open = format!("<{name}");
    lower.match_indices(&open).any(|(at, _)| {
        let next = lower.get(at + open.len()..).and_then(|rest| rest.chars().next());
        next.is_some_and(|c| c.is_whitespace() || c == '>' || c == '/')
    })
}

/// Signs of HTML, and how much each counts; two are enough. A pair of an opening and a closing tag is two.
static SIGNS: LazyLock<Vec<(Js, u32)>> = LazyLock::new(|| {
    let signs = [
        (r"<[a-zA-Z][a-zA-Z0-9-]*(?:\s[^>]*)?>", 1),
        (r"<\/[a-zA-Z][a-zA-Z0-9-]*\s*>", 1),
        (r"<[a-zA-Z][a-zA-Z0-9-]*(?:\s[^>]*)?\/>", 1),
        (r"&(?:[a-zA-Z]+|#[0-9]+|#x[0-9a-fA-F]+);", 1),
        (r"<![dD][oO][cC][tT][yY][pP][eE]\s+[hH][tT][mM][lL]", 2),
        (r"<!--[^-]*(?:-[^-]+)*-->", 1),
        (r#"\s[a-zA-Z-]+=\s*["'][^"']*["']"#, 1),
    ];
    signs.iter().filter_map(|(pattern, points)| Some((Js::new(pattern).ok()?, *points))).collect()
});
const COMMON: &str = " html head body div span p a img h1 h2 h3 h4 h5 h6 ul ol li table tr td th form input button \
    script style link meta br hr ";

pub(super) fn inside(text: &str) -> bool {
    let points: u32 =
        SIGNS.iter().filter(|(sign, _)| sign.is_match(text)).map(|(_, points)| points).sum();
    let lower = text.to_ascii_lowercase();
    let common = lower.match_indices('<').any(|(at, _)| {
        let rest = lower.get(at + 1..).unwrap_or_default();
        let end =
            rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
        end <= 6 && among(COMMON, rest.get(..end).unwrap_or_default())
    });
    points + if common { 2 } else { 0 } >= 2
}
