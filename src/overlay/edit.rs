//! A section with an overlay's changes. The component below writes as before, or not at all where its
//! text is replaced; the changes whose condition holds are made in order.

use std::collections::BTreeSet;
use std::sync::Arc;

use async_trait::async_trait;

use super::drift::Drift;
use super::file::Op;
use crate::cleanup::Level;
use crate::component::{
    Component, ComponentCx, ComponentMeta, Registered, SectionWriter, Volatile,
};
use crate::condition::{ConditionCx, When};
use crate::error::ComponentError;
use crate::template::Template;
use crate::text::Text;
use crate::text::Volatility;
use promptline_diagnostic::Diagnostic;
use promptline_diagnostic::Id;

/// A change that is ready to be made.
#[derive(Debug, Clone)]
pub(super) struct Edit {
    pub(super) op: Op,
    pub(super) when: When,
    /// One text; of a wrap those before and behind.
    pub(super) before: Option<Said>,
    pub(super) behind: Option<Said>,
    /// The file that it is written in.
    pub(super) origin: Id,
    pub(super) overlay: Id,
    pub(super) drift: Option<Drift>,
}

/// A text of an overlay.
#[derive(Debug, Clone)]
pub(super) enum Said {
    /// As it is, cleaned.
    Literal(Text),
    Template(Template),
}

/// The changes of one section, in the order in which they are made.
#[derive(Debug, Clone)]
pub(crate) struct Edits(Arc<[Edit]>);

/// What the changes of a section come to in a build.
#[derive(Debug, Default)]
pub(crate) struct Applied<'e> {
    /// The file of the last change that is made; none where none is.
    pub(crate) origin: Option<&'e Id>,
    /// The overlay that takes the section out.
    pub(crate) removed_by: Option<&'e Id>,
    drifts: Vec<&'e Drift>,
}

impl<'e> Applied<'e> {
    /// Warnings about what has changed since the overlays were written.
    pub(crate) fn diagnostics(&self) -> impl Iterator<Item = Diagnostic> {
        self.drifts.iter().map(|drift| drift.diagnostic())
    }
}

impl Edits {
    pub(super) fn new(edits: Vec<Edit>) -> Self {
        Self(edits.into())
    }

    /// Lays the changes over a component of a variant, which knows what its texts can ask for.
    pub(crate) fn over(&self, inner: Arc<Registered>, volatile: &Volatile<'_>) -> Arc<Registered> {
        let edits = &self.0;
        let from = start(edits.iter().filter(|edit| matches!(edit.when, When::Always)));
        // What is always replaced is never asked.
        let (replaced, counted) = match from {
            Some(first) => {
                let at = edits.iter().position(|edit| std::ptr::eq(edit, first)).unwrap_or(0);
                (true, edits.get(at..).unwrap_or_default())
            }
            None => (false, &edits[..]),
        };
        let mut seen = BTreeSet::new();
        let names = counted.iter().flat_map(Edit::templates).flat_map(Template::placeholders);
        let below = if replaced { &[][..] } else { inner.placeholders() };
        let placeholders: Vec<String> =
            below.iter().chain(names).filter(|name| seen.insert(name.as_str())).cloned().collect();
        let is_template = replaced || inner.is_template();
        let asked = edits.iter().map(|edit| volatile.when(&edit.when)).max().unwrap_or_default();
        let volatility = match inner.volatility().filter(|_| !replaced) {
            Some(declared) => {
                let own = edits.iter().map(|edit| edit.own_volatility(volatile)).max();
                own.map(|own| own.max(declared))
            }
            // It follows from the placeholders, as it would without changes.
            None if asked == Volatility::Static => None,
            None => {
                let names = placeholders.iter().map(|name| volatile.name(name));
                let least = if is_template { Volatility::Static } else { Volatility::Conversation };
                Some(names.max().unwrap_or_default().max(asked).max(least))
            }
        };
        let edits = self.clone();
        Arc::new(Registered::new(Arc::new(Overlaid {
            inner,
            edits,
            placeholders,
            volatility,
            is_template,
        })))
    }

    /// The changes that are made now.
    fn made(&self, holds: impl Fn(&When) -> bool) -> Vec<&Edit> {
        self.0.iter().filter(|edit| holds(&edit.when)).collect()
    }

    /// What they come to in a build.
    pub(crate) fn applied(&self, conditions: &ConditionCx<'_>) -> Applied<'_> {
        self.come_to(|when| when.judge(conditions).is_ok_and(|verdict| verdict.holds))
    }

    /// What they come to in every build; `None` when that depends on a request.
    pub(crate) fn always(&self) -> Option<Applied<'_>> {
        let fixed = self.0.iter().all(|edit| matches!(edit.when, When::Always));
        fixed.then(|| self.come_to(|_| true))
    }

    fn come_to(&self, holds: impl Fn(&When) -> bool) -> Applied<'_> {
        let made = self.made(holds);
        let removed = made.iter().rev().find(|edit| !matches!(edit.op, Op::Wrap));
        Applied {
            origin: made.last().map(|edit| &edit.origin),
            removed_by: removed.filter(|edit| edit.op == Op::Remove).map(|edit| &edit.overlay),
            drifts: made.iter().filter_map(|edit| edit.drift.as_ref()).collect(),
        }
    }

    /// The names that templates of the changes ask for, with the files that they stand in.
    pub(crate) fn asked(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().flat_map(Edit::templates).flat_map(|template| {
            template.placeholders().iter().map(|name| (name.as_str(), template.file()))
        })
    }
}

/// The last change behind which nothing from before is left.
fn start<'e>(edits: impl DoubleEndedIterator<Item = &'e Edit>) -> Option<&'e Edit> {
    edits.rev().find(|edit| edit.op.starts_over())
}

impl Edit {
    fn templates(&self) -> impl Iterator<Item = &Template> {
        self.before.iter().chain(&self.behind).filter_map(|said| match said {
            Said::Template(template) => Some(template),
            Said::Literal(_) => None,
        })
    }

    fn own_volatility(&self, volatile: &Volatile<'_>) -> Volatility {
        let names = self.templates().flat_map(Template::placeholders);
        let printed = names.map(|name| volatile.name(name)).max();
        printed.unwrap_or_default().max(volatile.when(&self.when))
    }

    /// Makes the change. `said` renders a text of it.
    fn make(
        &self,
        below: Text,
        said: &impl Fn(&Said) -> Result<Text, ComponentError>,
    ) -> Result<Text, ComponentError> {
        let text = |words: &Option<Said>| words.as_ref().map(said).transpose();
        let before = text(&self.before)?.unwrap_or_default();
        let behind = text(&self.behind)?.unwrap_or_default();
        Ok(match self.op {
            Op::Remove => Text::new(),
            Op::Replace => before,
            Op::Append | Op::Prepend => joined([before, below, behind], "\n\n"),
            // There is nothing to be wrapped.
            Op::Wrap if below.is_blank() => below,
            Op::Wrap => joined([before, below, behind], "\n"),
        })
    }
}

/// Those that say something, with the joint between them.
fn joined(texts: [Text; 3], joint: &str) -> Text {
    let mut all = Text::new();
    for text in texts.into_iter().filter(|text| !text.is_blank()) {
        if !all.is_empty() {
            all.push_trusted(joint);
        }
        all.append(&text);
    }
    all
}

/// Each part is cleaned by itself: what came out empty in one says nothing about the next.
pub(super) fn cleaned(text: Text) -> Text {
    text.cleaned(Level::Section)
}

struct Overlaid {
    inner: Arc<Registered>,
    edits: Edits,
    placeholders: Vec<String>,
    volatility: Option<Volatility>,
    is_template: bool,
}

/// A text that is the same in every prompt.
fn fixed(said: &Said) -> Result<Text, ComponentError> {
    match said {
        Said::Literal(text) => Ok(text.clone()),
        Said::Template(template) => template
            .fixed()
            .map(|text| cleaned(text.clone()))
            .ok_or_else(|| ComponentError::new("it depends on the request")),
    }
}

#[async_trait]
impl Component for Overlaid {
    fn id(&self) -> &str {
        self.inner.id()
    }

    async fn render(&self, cx: &ComponentCx<'_>) -> Result<Option<Text>, ComponentError> {
        let made = self.edits.made(|when| cx.holds(when));
        let first = made.iter().rposition(|edit| edit.op.starts_over());
        let mut text = match (first, self.inner.fixed_text()) {
            (Some(_), _) => Text::new(),
            (None, Some(text)) => cleaned(text.clone()),
            (None, None) => cleaned(self.inner.component().render(cx).await?.unwrap_or_default()),
        };
        let said = |said: &Said| match said {
            Said::Literal(text) => Ok(text.clone()),
            Said::Template(template) => cx.render_own(template).map(cleaned),
        };
        for edit in made.iter().skip(first.unwrap_or(0)) {
            text = edit.make(text, &said)?;
        }
        Ok(Some(text))
    }

    fn meta(&self) -> ComponentMeta {
        ComponentMeta {
            volatility: self.volatility,
            fixed_text: self.fixed_text(),
            ..self.inner.meta().clone()
        }
    }
}

impl Overlaid {
    /// The text, where it is the same in every prompt.
    fn fixed_text(&self) -> Option<Text> {
        self.edits.always()?;
        let made: Vec<&Edit> = self.edits.0.iter().collect();
        let first = made.iter().rposition(|edit| edit.op.starts_over());
        let mut text = match first {
            Some(_) => Text::new(),
            None => cleaned(self.inner.fixed_text()?.clone()),
        };
        for edit in made.iter().skip(first.unwrap_or(0)) {
            text = edit.make(text, &fixed).ok()?;
        }
        Some(text)
    }
}

impl SectionWriter for Overlaid {
    fn is_template(&self) -> bool {
        self.is_template
    }

    fn placeholders(&self) -> &[String] {
        &self.placeholders
    }

    fn origin(&self) -> &str {
        self.inner.origin()
    }

    fn source(&self) -> Option<&str> {
        self.inner.source()
    }
}
