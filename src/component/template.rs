//! Components without Rust: a file with TOML front matter between `+++` lines, then a template.

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::Map;

use super::{Component, ComponentCx, ComponentMeta, SectionWriter};
use crate::budget::{SectionBudget, Shrink};
use crate::condition::{Condition, Site, When};
use crate::error::ComponentError;
use crate::table;
use crate::template::{Partials, Template};
use crate::text::Text;
use crate::text::Volatility;
use promptline_diagnostic::TomlText;
use promptline_diagnostic::{Error, ErrorKind, keep};

/// A component that a file of a pack describes.
#[derive(Debug, Clone)]
pub(crate) struct TemplateComponent {
    file: String,
    front: FrontMatter,
    when: When,
    template: Template,
}

/// A component: the TOML between the two `+++` lines above its template.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FrontMatter {
    /// Its id, which is its placeholder: letters, digits, `_` and `-`.
    id: String,
    /// When it is rendered; always unless given.
    #[serde(default, deserialize_with = "table::some")]
    when: Option<Condition>,
    /// How often its text changes; known from its placeholders unless given.
    volatility: Option<Volatility>,
    /// How long a budget keeps it, from 0 (goes first) to 100.
    #[serde(default = "middle", deserialize_with = "priority")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 100)))]
    priority: u8,
    /// A build that has nothing for it warns; a budget leaves it out only when nothing else is left.
    #[serde(default)]
    required: bool,
    /// A budget never touches it, nor what is printed inside it.
    #[serde(default)]
    pinned: bool,
    /// Which part of it goes when a budget shortens it; it is not shortened unless given.
    #[serde(default)]
    shrink: Shrink,
    /// How many tokens a shortened section keeps at least.
    #[serde(default)]
    min: usize,
    /// The component without which it makes no sense: when a budget leaves that out, this goes too.
    #[serde(default)]
    keep_with: Option<String>,
}

fn middle() -> u8 {
    50
}

fn priority<'de, D: serde::Deserializer<'de>>(from: D) -> Result<u8, D::Error> {
    let number = i64::deserialize(from)?;
    u8::try_from(number).ok().filter(|priority| *priority <= 100).ok_or_else(|| {
        serde::de::Error::custom(format!(
            "{number} is not a priority, which is a number from 0 (goes first) to 100"
        ))
    })
}

/// Reads a component file. `source` is normalised. Reading goes on after a mistake where it can; what
/// comes back is then good enough to be referred to.
pub(crate) fn read_component_file(
    file: &str,
    source: &str,
    partials: &Partials,
    errors: &mut Vec<Error>,
) -> Option<TemplateComponent> {
    let Some((front, skip, body, body_start)) = split_front_matter(source) else {
        let error = Error::new(
            ErrorKind::Pack,
            "a component file begins with TOML between two `+++` lines",
        );
        let help = "write `+++`, `id = \"MY_SECTION\"`, `+++`, then the text";
        errors.push(error.with_code("front-matter").with_help(help).at(file, source, 0));
        return None;
    };
    let toml = TomlText::part(file, source, front, skip);
    let front: FrontMatter = toml.read(ErrorKind::Pack, errors)?;
    if !is_section_id(&front.id) {
        let error = Error::new(
            ErrorKind::Pack,
            format!("`{}` cannot be the id of a component", front.id.escape_debug()),
        )
        .with_code("bad-name")
        .with_help("an id is a placeholder name without dots, as `RULES_SECTION`");
        errors.push(toml.blame(error, &["id"]));
    }
    if let Some(condition) = &front.when {
        let checked = condition.check(Site::Anywhere);
        keep(errors, checked.map_err(|error| toml.blame(error, &["when"])));
    }
    let shifted = |error: Error| error.shifted(file, source, body_start);
    let template = Template::collect(file, body, partials, errors, shifted)
        .or_else(|| Template::parse("").ok())?;
    Some(TemplateComponent {
        file: file.to_owned(),
        when: front.when.clone().into(),
        front,
        template,
    })
}

/// The front matter, where it starts, the rest, and where that starts.
fn split_front_matter(source: &str) -> Option<(&str, usize, &str, usize)> {
    const FENCE: &str = "+++";
    let first = source.split_inclusive('\n').next()?;
    if first.trim_end() != FENCE {
        return None;
    }
    let mut at = first.len();
    for line in source.get(first.len()..)?.split_inclusive('\n') {
        if line.trim_end() == FENCE {
            let body = at + line.len();
            return Some((source.get(first.len()..at)?, first.len(), source.get(body..)?, body));
        }
        at += line.len();
    }
    None
}

/// Ids are placeholder names of one part.
pub(crate) fn is_section_id(id: &str) -> bool {
    !id.is_empty() && id.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
}

impl TemplateComponent {
    /// In place of a file that cannot be read, so that what refers to it is not blamed as well.
    pub(crate) fn unread(file: &str, id: String) -> Option<Self> {
        Some(Self {
            file: file.to_owned(),
            front: toml::from_str(&format!("id = {}", toml::Value::from(id))).ok()?,
            when: When::Always,
            template: Template::parse("").ok()?,
        })
    }

    pub(crate) fn condition(&self) -> Option<&Condition> {
        self.when.condition()
    }

    pub(crate) fn template(&self) -> &Template {
        &self.template
    }
}

#[async_trait]
impl Component for TemplateComponent {
    fn id(&self) -> &str {
        &self.front.id
    }

    async fn render(&self, cx: &ComponentCx<'_>) -> Result<Option<Text>, ComponentError> {
        Ok(Some(cx.render_own(&self.template)?))
    }

    fn meta(&self) -> ComponentMeta {
        let front = &self.front;
        let budget = SectionBudget {
            pinned: front.pinned,
            shrink: front.shrink,
            min: front.min,
            keep_with: front.keep_with.clone(),
        };
        // Without a placeholder there is nothing that a request could change.
        let is_fixed = self.template.placeholders().is_empty();
        let fixed = is_fixed.then(|| self.template.render(&Map::new()).ok()).flatten();
        ComponentMeta {
            when: self.when.clone(),
            volatility: front.volatility,
            priority: front.priority,
            required: front.required,
            budget,
            fixed_text: fixed.map(Text::authored),
        }
    }
}

impl SectionWriter for TemplateComponent {
    fn placeholders(&self) -> &[String] {
        self.template.placeholders()
    }

    fn source(&self) -> Option<&str> {
        Some(self.template.source())
    }

    fn is_template(&self) -> bool {
        true
    }

    fn origin(&self) -> &str {
        &self.file
    }
}
