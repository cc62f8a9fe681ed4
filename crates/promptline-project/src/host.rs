//! The agents whose files are known, by the names that users give them.

use std::fmt;
use std::str::FromStr;

use promptline_diagnostic::{Error, ErrorKind, words};

/// An agent whose files are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Host {
    /// `amp`
    Amp,
    /// `claude-code`
    ClaudeCode,
    /// `cline`
    Cline,
    /// `codex`
    Codex,
    /// `copilot`: GitHub Copilot
    Copilot,
    /// `cursor`
    Cursor,
    /// `gemini-cli`
    GeminiCli,
    /// `goose`
    Goose,
    /// `junie`
    Junie,
    /// `kilo`: Kilo Code
    Kilo,
    /// `opencode`
    OpenCode,
    /// `qwen-code`
    QwenCode,
    /// `roo`: Roo Code
    Roo,
    /// `windsurf`
    Windsurf,
    /// `zed`
    Zed,
}

impl Host {
    /// All of them, by name.
    pub const ALL: [Self; 15] = [
        Self::Amp,
        Self::ClaudeCode,
        Self::Cline,
        Self::Codex,
        Self::Copilot,
        Self::Cursor,
        Self::GeminiCli,
        Self::Goose,
        Self::Junie,
        Self::Kilo,
        Self::OpenCode,
        Self::QwenCode,
        Self::Roo,
        Self::Windsurf,
        Self::Zed,
    ];

    /// The name, as options take it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Amp => "amp",
            Self::ClaudeCode => "claude-code",
            Self::Cline => "cline",
            Self::Codex => "codex",
            Self::Copilot => "copilot",
            Self::Cursor => "cursor",
            Self::GeminiCli => "gemini-cli",
            Self::Goose => "goose",
            Self::Junie => "junie",
            Self::Kilo => "kilo",
            Self::OpenCode => "opencode",
            Self::QwenCode => "qwen-code",
            Self::Roo => "roo",
            Self::Windsurf => "windsurf",
            Self::Zed => "zed",
        }
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Host {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let wanted = name.trim().to_ascii_lowercase().replace(['_', ' '], "-");
        Self::ALL.into_iter().find(|host| host.name() == wanted).ok_or_else(|| {
            let names = || Self::ALL.into_iter().map(Self::name);
            let help = match words::nearest(&wanted, names()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known are {}", names().collect::<Vec<_>>().join(", ")),
            };
            let message = format!("`{}` is not a known host", words::one_line(name).0);
            Error::new(ErrorKind::Context, message).with_help(help)
        })
    }
}
