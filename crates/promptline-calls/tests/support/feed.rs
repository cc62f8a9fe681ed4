//! Any bytes as an answer: the same calls however it is cut, and text, wrappers and calls that cover it.
//! Used by the laws and by the fuzz target.

use std::sync::Arc;

use promptline_calls::{
    CallGrammar, CallParser, Dialects, Handling, Options, Parsed, Piece, parse_calls_with,
    render_call,
};

/// Two tools with a short parameter and a body, and one that is called like its parameter.
pub(crate) fn grammar() -> CallGrammar {
    CallGrammar::default()
        .tool("read", [("path", false), ("lines", false)])
        .tool("write", [("path", false), ("content", true)])
        .tool("command", [("command", true)])
}

/// The first byte chooses the options, the second where the answer is cut.
pub(crate) fn answer(bytes: &[u8]) {
    let [choice, cut, rest @ ..] = bytes else { return };
    let text = String::from_utf8_lossy(rest);
    let handling = |bit: u8| if choice & bit == 0 { Handling::Text } else { Handling::Call };
    let options = Options::new()
        .dialects(if choice & 1 == 0 { Dialects::XML } else { Dialects::AUTO })
        .code(handling(2))
        .thinking(handling(4))
        .max_call_bytes(if choice & 8 == 0 { 1 << 20 } else { usize::from(choice >> 4) * 8 + 1 });
    let whole = parse_calls_with(&grammar(), &text, &options);
    assert_eq!(covers(&whole, text.len()), None);

    let mut parsed = Parsed::default();
    let mut parser = CallParser::new(Arc::new(grammar()), options);
    let mut rest = &*text;
    while !rest.is_empty() {
        let size = rest.floor_char_boundary(usize::from(cut % 32) + 4);
        let (piece, behind) = rest.split_at(size);
        parser.push(piece, &mut |event| parsed.take(&event));
        rest = behind;
    }
    parsed.summary = parser.finish(&mut |event| parsed.take(&event));
    assert_eq!(parsed, whole);

    for call in &whole.calls {
        let _ = grammar().typed(call);
        let _ = render_call(&grammar(), call);
    }
}

/// Texts, wrappers and calls cover the answer, one behind the other; else what is wrong.
pub(crate) fn covers(parsed: &Parsed, length: usize) -> Option<String> {
    let mut at = 0;
    for piece in &parsed.pieces {
        let range = match piece {
            Piece::Text(range) | Piece::Wrapper(range) | Piece::Call(_, range) => range.clone(),
            _ => return Some("an unknown piece".to_owned()),
        };
        if range.start != at || range.end <= range.start {
            return Some(format!("the pieces do not cover the answer: {:?}", parsed.pieces));
        }
        at = range.end;
    }
    (at != length).then(|| format!("the pieces end at {at} of {length}"))
}
