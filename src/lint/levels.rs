//! The lints by name, and at which level a pack wants them reported. A name that does not exist is a load
//! error, as any unknown key is.

use serde::Deserialize;

use promptline_diagnostic::{Diagnostic, Severity};

/// Whether, and at which severity, a lint is reported.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LintLevel {
    /// Not reported.
    Allow,
    /// Reported as a warning, whatever its default severity.
    Warn,
}

/// `[lints]` of a pack.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct LintLevels {
    /// Text or tools that change, before text that does not: a note unless it says `warn`.
    cache_order: Option<LintLevel>,
    /// A component that declares to change less often than what it asks for.
    declared_volatility: Option<LintLevel>,
    /// A heading that is there twice under the same heading.
    heading_twice: Option<LintLevel>,
    /// Invisible characters in a file of the pack.
    invisible_character: Option<LintLevel>,
    /// A section, or the native tools, over a quarter of the model's window.
    large_section: Option<LintLevel>,
    /// What the pack wrote costs more than the variant's `traits.budget_tokens`.
    over_budget: Option<LintLevel>,
    /// A number in a text that is the value of a parameter.
    parameter_number: Option<LintLevel>,
    /// A tool named in a text of a prompt that does not offer it.
    tool_not_enabled: Option<LintLevel>,
    /// A call shown in tags while tools are native.
    xml_with_native: Option<LintLevel>,
}

/// A lint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Lint {
    CacheOrder,
    DeclaredVolatility,
    HeadingTwice,
    InvisibleCharacter,
    LargeSection,
    OverBudget,
    ParameterNumber,
    ToolNotEnabled,
    XmlWithNative,
}

impl LintLevels {
    /// At which severity it is reported; `None` when it is not.
    pub(crate) fn severity(&self, lint: Lint) -> Option<Severity> {
        match *self.clone().of(lint) {
            Some(LintLevel::Allow) => None,
            Some(LintLevel::Warn) => Some(Severity::Warning),
            None => Some(lint.usual()),
        }
    }

    /// What the lint found, unless its level is "allow".
    pub(crate) fn report(&self, lint: Lint, message: impl Into<String>) -> Option<Diagnostic> {
        let severity = self.severity(lint)?;
        Some(Diagnostic::new(severity, lint.code(), message).with_help(lint.help()))
    }

    /// What a later pack says wins.
    pub(crate) fn extend(&mut self, later: &Self) {
        for lint in Lint::ALL {
            if let Some(level) = *later.clone().of(lint) {
                *self.of(lint) = Some(level);
            }
        }
    }

    fn of(&mut self, lint: Lint) -> &mut Option<LintLevel> {
        match lint {
            Lint::CacheOrder => &mut self.cache_order,
            Lint::DeclaredVolatility => &mut self.declared_volatility,
            Lint::HeadingTwice => &mut self.heading_twice,
            Lint::InvisibleCharacter => &mut self.invisible_character,
            Lint::LargeSection => &mut self.large_section,
            Lint::OverBudget => &mut self.over_budget,
            Lint::ParameterNumber => &mut self.parameter_number,
            Lint::ToolNotEnabled => &mut self.tool_not_enabled,
            Lint::XmlWithNative => &mut self.xml_with_native,
        }
    }
}

impl Lint {
    pub(crate) const ALL: [Self; 9] = [
        Self::CacheOrder,
        Self::DeclaredVolatility,
        Self::HeadingTwice,
        Self::InvisibleCharacter,
        Self::LargeSection,
        Self::OverBudget,
        Self::ParameterNumber,
        Self::ToolNotEnabled,
        Self::XmlWithNative,
    ];

    /// Its name, which is a code of findings and diagnostics.
    pub(crate) fn code(self) -> &'static str {
        match self {
            Self::CacheOrder => "cache-order",
            Self::DeclaredVolatility => "declared-volatility",
            Self::HeadingTwice => "heading-twice",
            Self::InvisibleCharacter => "invisible-character",
            Self::LargeSection => "large-section",
            Self::OverBudget => "over-budget",
            Self::ParameterNumber => "parameter-number",
            Self::ToolNotEnabled => "tool-not-enabled",
            Self::XmlWithNative => "xml-with-native",
        }
    }

    /// Its severity unless a pack says otherwise. The order of sections is a trade, and no mistake.
    fn usual(self) -> Severity {
        match self {
            Self::CacheOrder => Severity::Info,
            _ => Severity::Warning,
        }
    }

    pub(crate) fn help(self) -> &'static str {
        match self {
            Self::CacheOrder => {
                "put what changes behind what does not, or declare its `volatility`"
            }
            Self::DeclaredVolatility => {
                "take `volatility` out, and it follows from the text; or print nothing that changes"
            }
            Self::HeadingTwice => "rename one of them, or merge the texts under them",
            Self::InvisibleCharacter => {
                "take it out: the model reads it, though it is not displayed"
            }
            Self::LargeSection => "shorten it, or show it to models with a larger window only",
            Self::OverBudget => "shorten the variant's texts, or raise `traits.budget_tokens`",
            Self::ParameterNumber => {
                "print the parameter: the two will not change together otherwise"
            }
            Self::ToolNotEnabled => {
                "say it only where the tool is there: `{{#if tool.…}} … {{/if}}`"
            }
            Self::XmlWithNative => "say it only where tools are text: `{{#if form.xml}} … {{/if}}`",
        }
    }
}
