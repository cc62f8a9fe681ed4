//! Code in an answer's text: fences and code spans, so that an example of a call is not taken for one.
//! Follows the text byte by byte and never looks ahead; values of calls never come here.
//!
//! A code span ends with its line. A fence may stand behind blanks, quote marks and list marks; rather
//! one example too many is text than one executed.

/// Where in Markdown the text is.
#[derive(Debug, Clone)]
pub(crate) struct Code {
    /// Nothing but marks and blanks so far on this line.
    line_start: bool,
    /// The run of backticks or tildes that is being read.
    run: usize,
    run_byte: u8,
    /// The backticks that opened the code span we are in; 0 outside.
    span: usize,
    /// The span may turn out to be a fence of so many backticks, when its line ends.
    may_be_fence: usize,
    fence: Option<(u8, usize)>,
    /// A closing fence stands on this line, and so far only blanks behind it.
    closing: bool,
}

impl Code {
    pub(crate) fn new() -> Self {
        Self {
            line_start: true,
            run: 0,
            run_byte: 0,
            span: 0,
            may_be_fence: 0,
            fence: None,
            closing: false,
        }
    }

    /// The text goes on. To be asked only behind [`Code::settle`].
    pub(crate) fn sheltered(&self) -> bool {
        self.fence.is_some() || self.span > 0
    }

    /// In a fence, that is, in code of several lines.
    pub(crate) fn fenced(&self) -> bool {
        self.fence.is_some() || self.may_be_fence > 0
    }

    /// What comes now is no backtick or tilde: a run of them is whole.
    pub(crate) fn settle(&mut self) {
        let run = std::mem::take(&mut self.run);
        if run == 0 {
            return;
        }
        let at_start = std::mem::take(&mut self.line_start);
        if let Some((byte, length)) = self.fence {
            self.closing = at_start && byte == self.run_byte && run >= length;
        } else if self.run_byte == b'~' {
            if at_start && run >= 3 {
                self.fence = Some((b'~', run));
            }
        } else if self.span == 0 {
            self.span = run;
            self.may_be_fence = if at_start && run >= 3 { run } else { 0 };
        } else {
            // The first line of a fence of backticks holds no other backticks.
            self.may_be_fence = 0;
            if run == self.span {
                self.span = 0;
            }
        }
    }

    /// The text is over: a closing fence needs no line break behind it.
    pub(crate) fn finish(&mut self) {
        self.settle();
        if self.closing {
            self.fence = None;
        }
    }

    /// A call stood here.
    pub(crate) fn interrupt(&mut self) {
        self.settle();
        self.line_start = false;
    }

    pub(crate) fn feed(&mut self, mut text: &[u8]) {
        while let Some((&byte, rest)) = text.split_first() {
            if self.run > 0 {
                if byte == self.run_byte {
                    self.run += 1;
                    text = rest;
                    continue;
                }
                self.settle();
            }
            if byte == b'\n' {
                self.line_ends();
            } else if self.begins_run(byte) {
                self.run = 1;
                self.run_byte = byte;
            } else if !self.stays_at_start(byte) {
                self.line_start = false;
                self.closing = false;
                let next = match self.fence {
                    Some(_) => memchr::memchr(b'\n', text),
                    None => memchr::memchr2(b'`', b'\n', text),
                };
                text = next.and_then(|next| text.get(next..)).unwrap_or_default();
                continue;
            }
            text = rest;
        }
    }

    fn begins_run(&self, byte: u8) -> bool {
        match self.fence {
            Some((fence, _)) => byte == fence && self.line_start,
            None => byte == b'`' || (byte == b'~' && self.line_start),
        }
    }

    /// The byte changes nothing: a mark at the start of a line, a blank behind a closing fence.
    fn stays_at_start(&self, byte: u8) -> bool {
        match byte {
            b' ' | b'\t' | b'\r' => self.line_start || self.closing,
            b'>' => self.line_start,
            b'-' | b'*' | b'+' | b'.' | b')' | b'0'..=b'9' => {
                self.line_start && self.fence.is_none()
            }
            _ => false,
        }
    }

    fn line_ends(&mut self) {
        if self.closing {
            self.fence = None;
        } else if self.may_be_fence > 0 {
            self.fence = Some((b'`', self.may_be_fence));
        }
        self.closing = false;
        self.span = 0;
        self.may_be_fence = 0;
        self.line_start = true;
    }
}

#[cfg(test)]
mod tests {
    use super::Code;

    /// Is the end of the text code? In one piece and byte by byte.
    macro_rules! cases {
        ($($name:ident: $text:expr => $code:literal;)*) => {$(
            #[test]
            fn $name() {
                let text: &str = $text;
                let mut whole = Code::new();
                whole.feed(text.as_bytes());
                whole.settle();
                assert_eq!(whole.sheltered(), $code);
                let mut pieces = Code::new();
                text.bytes().for_each(|byte| pieces.feed(&[byte]));
                pieces.settle();
                assert_eq!(pieces.sheltered(), $code, "byte by byte");
            }
        )*};
    }

    cases! {
        nothing: "" => false;
        a_span: "a `b" => true;
        a_closed_span: "a `b` c" => false;
        a_span_ends_with_its_line: "a `b\n" => false;
        a_longer_run_does_not_close: "a `b`` c" => true;
        a_double_span: "``a ` b`` c" => false;
        a_fence: "```\na\n" => true;
        a_fence_with_a_language: "x\n```xml\n" => true;
        a_closed_fence: "```\na\n```\n" => false;
        a_fence_closes_at_the_end_of_its_line: "```\na\n```" => true;
        words_behind_do_not_close: "```\na\n``` b\n" => true;
        a_shorter_fence_does_not_close: "````\na\n```\n" => true;
        a_longer_fence_closes: "```\na\n`````  \n" => false;
        tildes: "~~~\na\n```\n" => true;
        closed_tildes: "~~~\na\n~~~\n" => false;
        tildes_in_a_line_are_text: "a ~~~\n" => false;
        backticks_on_one_line_are_a_span: "```a``` b" => false;
        a_backtick_on_the_first_line_is_no_fence: "```a` b\n" => false;
        a_fence_in_a_list: "1. ```xml\n   a\n" => true;
        a_fence_in_a_quote: "> ```\n> a\n" => true;
        a_closed_fence_in_a_quote: "> ```\n> a\n> ```\n" => false;
        behind_words_it_is_a_span: "a ```\n" => false;
        windows_line_ends: "```\r\na\r\n```\r\nb" => false;
    }
}
