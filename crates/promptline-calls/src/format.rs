//! Call formats as data: the marks around calls whose arguments are JSON. The parser reads them like the
//! blocks of the dialect `hermes`.

#[cfg(feature = "toml")]
use promptline_diagnostic::{Error, ErrorKind, TomlText};
#[cfg(feature = "toml")]
use serde::Deserialize;

use crate::syntax::JsonBlock;

/// A call format that is described in TOML: the marks before and behind a call whose arguments are JSON.
/// Descriptions are read with the feature `toml`.
///
/// ```
/// # #[cfg(feature = "toml")] {
/// use promptline_calls::{CallFormat, CallGrammar, Options, parse_calls_with};
///
/// let format = CallFormat::from_toml(
///     "new-model.toml",
///     "name = \"new-model\"\n[[call]]\nopen = \"<|call:\"\narguments = \"|>\"\nclose = \"<|end|>\"\n",
/// )?;
/// let grammar = CallGrammar::default().tool("run", [("cmd", false)]);
/// let answer = "<|call:run|>{\"cmd\": \"ls\"}<|end|>";
/// let parsed = parse_calls_with(&grammar, answer, &Options::new().format(format));
/// assert_eq!(parsed.calls[0].arg("cmd"), Some("ls"));
/// # }
/// # Ok::<(), promptline_diagnostic::Error>(())
/// ```
///
/// | key | what it is |
/// |---|---|
/// | `name` | the name of the format |
/// | `around` | marks around calls that mean nothing: neither text nor part of a call |
/// | `[[call]]` | a way of writing a call; of several the first that fits |
/// | `open` | the mark that opens a call |
/// | `arguments` | the mark between the tool's name and the JSON of its arguments; without it the JSON names the tool, as in `hermes`, and may be a list |
/// | `name_prefix` | what may be before the tool's name and is no part of it; a `:` and a number behind the name are none either |
/// | `close` | the mark behind the JSON; a call that lacks it is repaired |
///
/// `open` and `around` begin with `<`. Blanks between marks, name and JSON mean nothing.
#[derive(Debug, Clone)]
pub struct CallFormat {
    name: String,
    pub(crate) around: Vec<String>,
    pub(crate) calls: Vec<JsonBlock>,
}

#[cfg(feature = "toml")]
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    name: String,
    #[serde(default)]
    around: Vec<String>,
    call: Vec<WrittenCall>,
}

#[cfg(feature = "toml")]
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCall {
    open: String,
    #[serde(default)]
    name_prefix: String,
    arguments: Option<String>,
    close: String,
}

#[cfg(feature = "toml")]
const BUILT_IN: [(&str, &str); 5] = [
    ("kimi", include_str!("formats/kimi.toml")),
    ("deepseek", include_str!("formats/deepseek.toml")),
    ("longcat", include_str!("formats/longcat.toml")),
    ("command-a", include_str!("formats/command-a.toml")),
    ("llama-function", include_str!("formats/llama-function.toml")),
];

#[cfg(feature = "toml")]
impl CallFormat {
    /// Reads a description; `file` is for messages.
    ///
    /// # Errors
    ///
    /// What is no TOML of this form, and marks that are empty or do not begin with `<`.
    pub fn from_toml(file: &str, text: &str) -> Result<Self, Error> {
        let mut errors = Vec::new();
        let read: Option<Written> = TomlText::file(file, text).read(ErrorKind::Pack, &mut errors);
        let Some(read) = read.filter(|_| errors.is_empty()) else {
            let unread = || Error::new(ErrorKind::Pack, "this is no call format").in_file(file);
            return Err(errors.into_iter().next().unwrap_or_else(unread));
        };
        let opens = read.call.iter().map(|call| &call.open);
        if let Some(mark) = opens.chain(&read.around).find(|mark| !is_mark(mark)) {
            let message = format!("the mark `{}` must be `<` and more", mark.escape_debug());
            return Err(Error::new(ErrorKind::Pack, message).in_file(file));
        }
        if read.call.is_empty() || read.call.iter().any(|call| call.close.trim().is_empty()) {
            let message =
                "a call format needs at least one `[[call]]`, each with `open` and `close`";
            return Err(Error::new(ErrorKind::Pack, message).in_file(file));
        }
        let calls = read.call.into_iter().map(|call| match call.arguments {
            Some(middle) => JsonBlock::Header {
                open: call.open.trim().to_owned(),
                prefix: call.name_prefix,
                middle: middle.trim().to_owned(),
                close: call.close.trim().to_owned(),
            },
            None => JsonBlock::Own(call.open.trim().to_owned(), call.close.trim().to_owned()),
        });
        Ok(Self { name: read.name, around: read.around, calls: calls.collect() })
    }

    /// A format that comes with this crate: `kimi`, `deepseek` (V3, R1, V3.1), `longcat`, `command-a`,
    /// `llama-function` (`<function=tool>{…}</function>`).
    #[must_use]
    pub fn built_in(name: &str) -> Option<Self> {
        let (_, text) = BUILT_IN.iter().find(|(known, _)| *known == name)?;
        Self::from_toml(name, text).ok()
    }

    /// The names of the formats that come with this crate.
    pub fn built_in_names() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|(name, _)| *name)
    }
}

impl CallFormat {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

#[cfg(feature = "toml")]
fn is_mark(mark: &str) -> bool {
    mark.trim() == mark && mark.len() > 1 && mark.starts_with('<')
}
