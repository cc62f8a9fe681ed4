//! How often texts change, as far as it follows from what they ask for: names, conditions, tools. Known
//! when the registry is built; a build adds what it printed. Nothing here decides what is printed.

use std::collections::{BTreeMap, BTreeSet};

use super::Registered;
use crate::condition::{Condition, When};
use crate::placeholder::volatility_of;
use crate::template::Template;
use crate::text::Volatility;
use crate::tool::{Offered, ToolInput, ToolSpec, ToolText};
use promptline_diagnostic::Id;

/// How often a component's section changes, as far as it follows from what it asks for.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Changes {
    /// Its text, by the names in it.
    pub(crate) text: Volatility,
    /// Its being there, by its condition.
    pub(crate) presence: Volatility,
    /// It asks which tools there are.
    pub(crate) asks_tools: bool,
}

/// A name that the base template asks for.
pub(crate) struct BaseName {
    pub(crate) name: Id,
    /// It is printed there, and not only asked about.
    pub(crate) prints: bool,
    /// How often its value changes. Sections are known by what they come out as.
    pub(crate) level: Volatility,
}

/// What a variant's texts can ask for.
pub(crate) struct Volatile<'a> {
    pub(crate) named: &'a BTreeMap<String, Condition>,
    pub(crate) tools: &'a [Offered],
}

/// A component that declares to change less often than a name in it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct DeclaresLess {
    pub(crate) file: String,
    pub(crate) declared: Volatility,
    pub(crate) level: Volatility,
    pub(crate) name: String,
}

impl Volatile<'_> {
    /// Of a component: of its text, and of its being there.
    pub(crate) fn component(&self, component: &Registered) -> Changes {
        let names = component.placeholders();
        let asks = |condition: &Condition| {
            let mut asks = false;
            let _ = condition.each(|inner| {
                asks |= !inner.tool.is_empty();
                Ok(())
            });
            asks
        };
        Changes {
            text: names.iter().map(|name| self.name(name)).max().unwrap_or_default(),
            presence: self.when(component.when()),
            asks_tools: names.iter().any(|name| name.starts_with("tool."))
                || component.when().condition().is_some_and(asks),
        }
    }

    /// Of each name of a base template, in order.
    pub(crate) fn base(&self, template: &Template) -> Vec<BaseName> {
        let uses = template.uses().into_iter();
        let base =
            |(name, prints)| BaseName { name: Id::from(name), prints, level: self.name(name) };
        uses.map(base).collect()
    }

    /// Of each tool: its being there, and its words.
    pub(crate) fn each_tool(&self) -> Vec<Volatility> {
        self.tools.iter().map(|offered| self.spec(&offered.spec)).collect()
    }

    /// What declares less than what it asks for: whose name it is that changes more often.
    pub(crate) fn declares_less(&self, component: &Registered) -> Option<DeclaresLess> {
        let declared = component.volatility()?;
        let names = component.placeholders().iter();
        let (level, name) = names
            .map(|name| (self.name(name), name))
            .rev()
            .max_by_key(|(level, _)| *level)
            .filter(|(level, _)| *level > declared)?;
        let file = component.origin().to_owned();
        Some(DeclaresLess { file, declared, level, name: name.clone() })
    }

    fn spec(&self, spec: &ToolSpec) -> Volatility {
        let mut level = self.when(&spec.when).max(self.words(&spec.description));
        if let ToolInput::Params(params) = &spec.input {
            for param in params {
                let note = param.tool_note.as_ref().map(|note| self.words(note));
                // Which tools it depends on is in the list anyway.
                let when = self.condition(param.when.condition(), false);
                level = level
                    .max(when)
                    .max(self.words(&param.description))
                    .max(note.unwrap_or_default());
            }
        }
        level
    }

    fn words(&self, words: &ToolText) -> Volatility {
        let ToolText::Template(template) = words else {
            return Volatility::Static;
        };
        let names = template.placeholders().iter().filter(|name| !name.starts_with("tool."));
        names.map(|name| self.name(name)).max().unwrap_or_default()
    }

    /// Of a name that a template asks for.
    pub(crate) fn name(&self, name: &str) -> Volatility {
        if let Some(is) = name.strip_prefix("is.") {
            return self.condition(self.named.get(is), true);
        }
        match name.strip_prefix("tool.") {
            Some(tool) => self.tool(tool.strip_suffix(".name").unwrap_or(tool)),
            None => volatility_of(name),
        }
    }

    /// Of a tool's being there, by id or role.
    fn tool(&self, name: &str) -> Volatility {
        let meant = |spec: &ToolSpec| spec.id == name || spec.tool_role.as_deref() == Some(name);
        let specs = self.tools.iter().map(|offered| &*offered.spec).filter(|spec| meant(spec));
        // A tool's own condition cannot ask for tools.
        let level = |spec: &ToolSpec| match &spec.when {
            When::Check(_) => Volatility::Conversation,
            when => self.condition(when.condition(), false),
        };
        specs.map(level).max().unwrap_or_default()
    }

    /// Of what holds only under a condition.
    pub(crate) fn when(&self, when: &When) -> Volatility {
        match when {
            When::Always => Volatility::Static,
            When::Condition(condition) => self.condition(Some(condition), true),
            // What the host's closure looks at cannot be known.
            When::Check(_) => Volatility::Conversation,
        }
    }

    /// An explicit stack, and each named condition once: they may form a cycle while mistakes are
    /// collected.
    fn condition(&self, condition: Option<&Condition>, tools: bool) -> Volatility {
        let mut level = Volatility::Static;
        let mut open: Vec<&Condition> = condition.into_iter().collect();
        let mut seen = BTreeSet::new();
        while let Some(condition) = open.pop() {
            // That there is a mode at all does not change, only which one it is.
            let has = condition.has.iter().filter(|path| *path != "mode");
            let paths = has.chain(condition.equals.keys());
            let paths = paths.map(|path| volatility_of(&format!("context.{path}")));
            level = level.max(paths.max().unwrap_or_default());
            if !condition.has.is_empty() {
                level = level.max(Volatility::Conversation);
            }
            if !condition.mode.is_empty() {
                level = Volatility::Turn;
            }
            if !condition.os.is_empty() {
                level = level.max(volatility_of("OS"));
            }
            if tools {
                let asked = condition.tool.iter().map(|tool| self.tool(tool));
                level = level.max(asked.max().unwrap_or_default());
            }
            open.extend(condition.all.iter().chain(&condition.any).chain(condition.not.as_deref()));
            let named = condition.is.iter().filter(|name| seen.insert(name.as_str()));
            open.extend(named.filter_map(|name| self.named.get(name)));
        }
        level
    }
}
