//! What single characters mean where JSON is written by hand: quotes, punctuation and blanks, full-width
//! and typographic ones too. Knows nothing about context.

/// A quote that opens a string, and what may close it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quote {
    Double,
    Single,
    Back,
    /// “…” and its relatives; a straight quote closes them too.
    SmartDouble,
    /// ‘…’.
    SmartSingle,
    FullDouble,
    FullSingle,
    /// 「…」 and 『…』.
    Corner,
    /// So many of a quote, two or three: only as many close them.
    Run(u8, usize),
}

impl Quote {
    /// The quote that a character opens.
    pub(crate) fn opened_by(c: char) -> Option<Self> {
        Some(match c {
            '"' => Self::Double,
            '\'' => Self::Single,
            '`' => Self::Back,
            '“' | '”' | '„' | '‟' => Self::SmartDouble,
            '‘' | '’' | '‚' | '‛' | '´' => Self::SmartSingle,
            '＂' => Self::FullDouble,
            '＇' => Self::FullSingle,
            '「' | '『' => Self::Corner,
            _ => return None,
        })
    }

    /// Whether a character can close what this opened.
    pub(crate) fn is_closed_by(self, c: char) -> bool {
        match self {
            Self::Double => c == '"',
            Self::Single => c == '\'',
            Self::Back => matches!(c, '`' | '´'),
            Self::SmartDouble => matches!(c, '“' | '”' | '„' | '‟' | '"'),
            Self::SmartSingle => matches!(c, '‘' | '’' | '´' | '\''),
            Self::FullDouble => c == '＂',
            Self::FullSingle => c == '＇',
            Self::Corner => matches!(c, '」' | '』'),
            Self::Run(..) => false,
        }
    }
}

/// The plain form of punctuation that has a wide or typographic twin.
pub(crate) fn plain(c: char) -> char {
    match c {
        '｛' => '{',
        '｝' => '}',
        '［' | '【' => '[',
        '］' | '】' => ']',
        '：' | '﹕' => ':',
        '，' | '、' | '；' | ';' => ',',
        other => other,
    }
}

/// A blank or control character that JSON itself does not know: it is skipped between values all the same.
pub(crate) fn is_odd_blank(c: char) -> bool {
    match c {
        '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{180e}' => true,
        c if c.is_ascii() => c.is_ascii_control(),
        c => c.is_whitespace(),
    }
}

/// A blank of any kind.
pub(crate) fn is_blank(c: char) -> bool {
    c.is_whitespace() || is_odd_blank(c)
}

/// A character of a name that is without quotes.
pub(crate) fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '-' | '.')
}
