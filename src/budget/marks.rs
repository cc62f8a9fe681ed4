//! The lines that stand where a budget took something. They are in the language of the prompt, so a pack
//! says them; a cut without any is never made.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::template::{Partials, Template};
use promptline_diagnostic::TomlText;
use promptline_diagnostic::{Error, ErrorKind};

const TEXT: &str = "[Left out to fit the budget: about {{tokens}} tokens.]";
const RULES: &str = "[Left out to fit the budget: {{#if one}}1 rules file{{else}}{{files}} rules files{{/if}} \
                     farther from the working directory, about {{tokens}} tokens.]";

/// The lines that stand where a [budget](crate::Budget) took something, for prompts that are not in
/// English: `truncation_notice` in `pack.toml` and `variant.toml`, or
/// [`PromptVariant::with_truncation_notice`](crate::PromptVariant::with_truncation_notice).
///
/// Both are [templates](crate::template) of their own names, and not of the prompt's. A registry refuses
/// one that prints nothing, or another name.
///
/// ```
/// use promptline::budget::TruncationNotice;
/// let marks = TruncationNotice::new()
///     .with_text("[为节省篇幅，此处省略约 {{tokens}} 个词元。]")
///     .with_rules("[为节省篇幅，省略了 {{files}} 个离工作目录较远的规则文件，约 {{tokens}} 个词元。]");
/// ```
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "schema",
    schemars(description = "The lines that are printed where a budget cut something.")
)]
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct TruncationNotice {
    /// In place of a part of a text. `{{tokens}}` is about what it cost. English unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// In place of rules files. `{{files}}` is how many, `{{#if one}}` says that it is one,
    /// `{{tokens}}` is about what they cost. English unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
}

impl TruncationNotice {
    /// The English ones.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets what is printed in place of a part of a text.
    #[must_use]
    pub fn with_text(mut self, template: impl Into<String>) -> Self {
        self.text = Some(template.into());
        self
    }

    /// Sets what is printed in place of rules files.
    #[must_use]
    pub fn with_rules(mut self, template: impl Into<String>) -> Self {
        self.rules = Some(template.into());
        self
    }

    /// What is not said here is taken from `below`.
    pub(crate) fn over(&self, below: &Self) -> Self {
        let text = self.text.as_ref().or(below.text.as_ref()).cloned();
        let rules = self.rules.as_ref().or(below.rules.as_ref()).cloned();
        Self { text, rules }
    }

    /// Reports what is wrong with those of a file, with its place.
    pub(crate) fn check(&self, toml: TomlText<'_>, errors: &mut Vec<Error>) {
        for (key, said, error) in self.mistakes("") {
            errors.push(toml.blame_inside(error, &["truncation_notice", key], said));
        }
    }

    /// What is wrong with each, with its key and its text.
    pub(crate) fn mistakes(&self, file: &str) -> Vec<(&'static str, &str, Error)> {
        let mut mistakes = Vec::new();
        let all = [("text", &self.text, &["tokens"][..]), ("rules", &self.rules, &NAMES[..])];
        for (key, said, names) in all {
            let Some(said) = said else { continue };
            if let Err(error) = read(file, said, names) {
                mistakes.push((key, said.as_str(), error));
            }
        }
        mistakes
    }

    /// Ready to be printed. One that cannot be read is the English one; its mistake has been reported.
    pub(crate) fn ready(&self) -> Marks {
        let ready = |said: &Option<String>, names: &[&str], english: &str| {
            let said = said.as_ref().and_then(|said| read("truncation_notice", said, names).ok());
            said.or_else(|| Template::parse(english).ok())
        };
        Marks {
            text: ready(&self.text, &["tokens"], TEXT),
            rules: ready(&self.rules, &NAMES, RULES),
        }
    }
}

const NAMES: [&str; 3] = ["files", "one", "tokens"];

fn read(file: &str, source: &str, names: &[&str]) -> Result<Template, Error> {
    let template = Template::parse_named(file, source, &Partials::default())?;
    if let Some(name) = template.placeholders().iter().find(|name| !names.contains(&name.as_str()))
    {
        let known = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let at = source.find(name.as_str()).unwrap_or_default();
        return Err(Error::new(ErrorKind::Template, format!("a cut mark has no `{name}`"))
            .with_code("unknown-placeholder")
            .with_help(format!("it may print {known}"))
            .at(file, source, at));
    }
    let printed = [1, 2].map(|files| template.render(&values(files, 1)));
    if printed.iter().flatten().any(|said| said.trim().is_empty()) {
        return Err(Error::new(ErrorKind::Template, "a cut mark that prints nothing")
            .with_code("empty-text")
            .with_help("say that something was left out; to say it in English, take the key out")
            .at(file, source, 0));
    }
    let [one, more] = printed;
    one.and(more).map(|_| template)
}

fn values(files: usize, tokens: usize) -> Map<String, Value> {
    let value = |(name, value): (&str, Value)| (name.to_owned(), value);
    [("files", files.into()), ("one", (files == 1).into()), ("tokens", tokens.into())]
        .into_iter()
        .map(value)
        .collect()
}

/// Marks that can be printed.
#[derive(Debug, Clone)]
pub(crate) struct Marks {
    text: Option<Template>,
    rules: Option<Template>,
}

impl Marks {
    pub(super) fn text(&self, tokens: usize) -> String {
        Self::print(&self.text, &values(1, tokens))
    }

    pub(super) fn rules(&self, files: usize, tokens: usize) -> String {
        Self::print(&self.rules, &values(files, tokens))
    }

    /// Each was printed when it was read, and the English ones are read by a test; whatever happens, a cut
    /// is seen.
    fn print(template: &Option<Template>, values: &Map<String, Value>) -> String {
        let said = template.as_ref().and_then(|template| template.render(values).ok());
        said.map_or_else(|| "[…]".to_owned(), |said| said.trim().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::TruncationNotice;

    #[test]
    fn english_unless_said() {
        let marks = TruncationNotice::new().ready();
        assert_eq!(marks.text(7), "[Left out to fit the budget: about 7 tokens.]");
        let rules = |files| marks.rules(files, 7);
        assert!(rules(1).contains(": 1 rules file farther"), "{}", rules(1));
        assert!(rules(2).contains(": 2 rules files farther"), "{}", rules(2));
        let chinese = TruncationNotice::new().with_text("（此处省略约 {{tokens}} 个词元）");
        assert_eq!(chinese.ready().text(7), "（此处省略约 7 个词元）");
        assert_eq!(chinese.over(&TruncationNotice::new().with_rules("x")).ready().rules(1, 7), "x");
        assert_eq!(TruncationNotice::new().with_text("y").over(&chinese).ready().text(7), "y");
    }

    #[test]
    fn each_mistake_has_its_key() {
        for (text, code) in [
            ("", "empty-text"),
            ("\n {{#if one}}x{{/if}}", "unknown-placeholder"),
            ("{{CWD}}", "unknown-placeholder"),
            ("{{files}}", "unknown-placeholder"),
            ("{{tokens", "bad-template"),
        ] {
            let marks = TruncationNotice::new().with_text(text);
            let mistakes = marks.mistakes("pack.toml");
            let reported: Vec<_> =
                mistakes.iter().map(|(key, _, error)| (*key, error.code())).collect();
            assert_eq!(reported, [("text", code)], "{text:?}");
            assert!(!marks.ready().text(7).trim().is_empty(), "{text:?}");
        }
        let marks = TruncationNotice::new().with_rules("{{#if one}}one{{/if}}");
        assert_eq!(marks.mistakes("").len(), 1);
    }
}
