//! Looks a name up, layer by layer from the top. In each layer the exact flat key comes first, then
//! pure nesting. There is no deep merge.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::{Layer, Standard, is_standard};
use crate::condition::ConditionCx;
use crate::id::TOOLS_SECTION;
use crate::notes::{Notes, UnresolvedPolicy};
use crate::template::scope::{DataKind, NamePlace, Resolved, Scope, Unresolved};
use crate::template::{Helpers, lookup_in};
use crate::text::{BuiltSection, Source};
use crate::tool::{EnabledTool, EnabledTools, ToolDelivery};
use promptline_diagnostic::Id;

/// The one alias among the standard names.
const ALIAS: &str = "WORKING_DIR";
const ALIASED: &str = "CWD";

/// Everything that can provide a placeholder in one build, but for the sections, which grow.
#[derive(Debug)]
pub(crate) struct Layers<'a> {
    pub(crate) variant: &'a Map<String, Value>,
    pub(crate) standard: Standard<'a>,
    pub(crate) runtime: &'a BTreeMap<String, Value>,
    pub(crate) params: &'a BTreeMap<String, Value>,
    pub(crate) conditions: &'a ConditionCx<'a>,
    pub(crate) tools: &'a EnabledTools,
    /// The switches of the variant that are set, as `traits.preamble.off`.
    pub(crate) switches: &'a [&'static str],
    /// How the tools of this build are offered.
    pub(crate) delivery: ToolDelivery,
    /// Sections that are empty without a component.
    pub(crate) known_sections: &'a [Id],
    /// The helpers of the host.
    #[cfg_attr(not(feature = "handlebars"), allow(dead_code))]
    pub(crate) helpers: &'a Helpers,
}

/// The layers, with the sections built so far, for one template.
pub(crate) struct Scoped<'a> {
    pub(crate) layers: &'a Layers<'a>,
    pub(crate) sections: &'a [Arc<BuiltSection>],
    /// Who asks, for the report.
    pub(crate) user: &'a str,
    /// Values that the component gives itself; they come first.
    pub(crate) values: Option<&'a Map<String, Value>>,
    pub(crate) unresolved: &'a Notes,
}

/// Which layers can have a value for a name, as far as no request changes it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Possible {
    reserved: bool,
    section: bool,
    standard: bool,
    variant: bool,
    data: bool,
    /// The one that has it, unless a runtime value is above it.
    only: Option<Layer>,
}

impl Possible {
    /// `variant` and `known_sections` are those of the variant that is built.
    pub(crate) fn of(name: &str, variant: &Map<String, Value>, known_sections: &[Id]) -> Self {
        let reserved = is_reserved(name);
        let section = name == TOOLS_SECTION || known_sections.iter().any(|id| *id == name);
        let standard = is_standard(name);
        let variant = lookup_in(variant, name).is_some();
        let data = is_data(name);
        let only = match (reserved, variant) {
            _ if section || standard || data => None,
            (true, false) => Some(Layer::Namespace),
            (false, true) => Some(Layer::Variant),
            _ => None,
        };
        Self { reserved, section, standard, variant, data, only }
    }
}

impl<'a> Scoped<'a> {
    pub(crate) fn with_values(mut self, values: &'a Map<String, Value>) -> Self {
        self.values = Some(values);
        self
    }

    fn section(&self, name: &str) -> Option<&'a Arc<BuiltSection>> {
        self.sections.iter().find(|section| *section.id() == name)
    }

    /// Every layer that has a value for the name: the winner, and those that it hides.
    pub(crate) fn providers(&self, name: &str, possible: Possible) -> (Option<Layer>, Vec<Layer>) {
        let Possible { reserved, section, standard, variant, data, only } = possible;
        if only.is_some() && self.layers.runtime.is_empty() {
            return (only, Vec::new());
        }
        let layers = [
            (Layer::Namespace, reserved),
            (Layer::Runtime, lookup_sorted(self.layers.runtime, name).is_some()),
            (Layer::Section, section && self.section(name).is_some()),
            (Layer::Standard, standard && self.layers.standard.get(name).is_some()),
            (Layer::Variant, variant),
            (Layer::Namespace, data && self.data_namespace(name).is_some()),
        ];
        let mut found = layers.into_iter().filter_map(|(layer, has)| has.then_some(layer));
        match found.next() {
            Some(winner) => (Some(winner), found.collect()),
            None if name == ALIAS => {
                let possible =
                    Possible::of(ALIASED, self.layers.variant, self.layers.known_sections);
                self.providers(ALIASED, possible)
            }
            None if standard || section => (Some(Layer::Empty), Vec::new()),
            None => (None, Vec::new()),
        }
    }

    /// The value comes with the request, under this name or the one that it is an alias of.
    pub(crate) fn is_of_request(&self, name: &str) -> bool {
        let given = |name| lookup_sorted(self.layers.runtime, name).is_some();
        given(name) || (name == ALIAS && given(ALIASED))
    }

    fn runtime(&self, name: &str) -> Option<Resolved<'a>> {
        let value = lookup_sorted(self.layers.runtime, name)?;
        Some(Resolved::Data {
            value: Cow::Borrowed(value),
            kind: DataKind::Block,
            source: Source::from(format!("runtime:{name}")),
        })
    }

    fn variant(&self, name: &str) -> Option<Resolved<'a>> {
        lookup_in(self.layers.variant, name).map(|value| Resolved::Authored(Cow::Borrowed(value)))
    }

    /// `flag.*`, `mode.*`, `is.*`, `tool.*`, `form.*` and `traits.*` are always defined, and nothing can
    /// overlay them.
    fn reserved(&self, name: &str) -> Option<Resolved<'a>> {
        if !is_reserved(name) {
            return None;
        }
        let (space, rest) = name.split_once('.')?;
        let cx = self.layers.conditions;
        let truth = |truth: bool| Some(Resolved::Authored(Cow::Owned(Value::Bool(truth))));
        match space {
            "flag" => truth(cx.context().flags.contains(rest)),
            "mode" => truth(cx.context().mode.as_deref() == Some(rest)),
            "is" => truth(cx.is(rest)),
            "form" => truth(self.layers.delivery.name() == rest),
            "traits" => truth(self.layers.switches.contains(&name)),
            "tool" => {
                if self.layers.tools.by_name(rest).is_some() {
                    return truth(true);
                }
                let Some(id) = rest.strip_suffix(".name") else {
                    return truth(false);
                };
                let tool: Option<&EnabledTool> = self.layers.tools.by_name(id);
                Some(Resolved::Word(tool.map_or("", EnabledTool::name)))
            }
            _ => None,
        }
    }

    /// `params.*` and `context.*`, under everything that a layer says.
    fn data_namespace(&self, name: &str) -> Option<Resolved<'_>> {
        if !is_data(name) {
            return None;
        }
        let (space, path) = name.split_once('.').unwrap_or((name, ""));
        match space {
            "params" if path.is_empty() => {
                let all: Map<String, Value> =
                    self.layers.params.iter().map(|(k, v)| (k.clone(), v.clone())).collect();
                Some(data(Cow::Owned(Value::Object(all)), "params", DataKind::Block))
            }
            "params" => lookup_sorted(self.layers.params, path).map(|value| {
                data(Cow::Borrowed(value), &format!("params:{path}"), DataKind::Block)
            }),
            "context" => {
                let json = self.layers.conditions.json();
                let value =
                    if path.is_empty() { json } else { lookup_in(json.as_object()?, path)? };
                Some(data(Cow::Borrowed(value), &format!("context:{path}"), kind_of(path)))
            }
            _ => None,
        }
    }

    fn is_known_empty(&self, name: &str) -> bool {
        is_standard(name) || self.layers.known_sections.iter().any(|id| *id == name)
    }
}

/// Nearly no name is: a few comparisons say so, without a search for the dot.
fn is_reserved(name: &str) -> bool {
    let spaces = ["flag.", "mode.", "is.", "tool.", "form.", "traits."];
    spaces.iter().any(|space| name.starts_with(space))
}

/// Perhaps a name of the request's data.
fn is_data(name: &str) -> bool {
    name.starts_with("params") || name.starts_with("context")
}

/// Texts of the context are blocks; names, paths and ids are labels.
pub(crate) fn kind_of(path: &str) -> DataKind {
    let mut parts = path.split('.');
    let root = parts.next().unwrap_or(path);
    let last = path.rsplit('.').next().unwrap_or(path);
    let block = matches!(root, "params" | "runtime")
        || matches!(last, "text" | "description" | "body" | "content" | "instructions");
    if block { DataKind::Block } else { DataKind::Label }
}

fn data<'v>(value: Cow<'v, Value>, source: &str, kind: DataKind) -> Resolved<'v> {
    Resolved::Data { value, kind, source: Source::from(source) }
}

/// The look-up of one layer that is kept sorted: the exact key, else the first part and nesting.
fn lookup_sorted<'v>(map: &'v BTreeMap<String, Value>, name: &str) -> Option<&'v Value> {
    if map.is_empty() {
        return None;
    }
    if let Some(value) = map.get(name).filter(|value| !value.is_null()) {
        return Some(value);
    }
    let (first, rest) = name.split_once('.')?;
    crate::context::json_path(map.get(first)?, rest).filter(|value| !value.is_null())
}

impl Scope for Scoped<'_> {
    fn lookup(&self, name: &str) -> Option<Resolved<'_>> {
        if let Some(values) = self.values
            && let Some(value) = lookup_in(values, name)
        {
            return Some(Resolved::Data {
                value: Cow::Borrowed(value),
                kind: DataKind::Block,
                source: Source::from(format!("component:{}", self.user)),
            });
        }
        if let Some(found) = self.reserved(name) {
            return Some(found);
        }
        let found = self
            .runtime(name)
            .or_else(|| self.section(name).map(|section| Resolved::Section(Arc::clone(section))))
            .or_else(|| self.layers.standard.get(name))
            .or_else(|| self.variant(name))
            .or_else(|| self.data_namespace(name));
        if found.is_some() {
            return found;
        }
        // An alias, resolved when all layers have had their say.
        if name == ALIAS {
            return self.lookup(ALIASED);
        }
        self.is_known_empty(name).then_some(Resolved::Word(""))
    }

    fn helpers(&self) -> Option<&Helpers> {
        Some(self.layers.helpers)
    }

    fn unresolved(&self, name: &str, place: NamePlace) -> Unresolved {
        match (self.unresolved.unresolved(name, self.user), place) {
            (UnresolvedPolicy::Keep | UnresolvedPolicy::Error, NamePlace::Print) => {
                Unresolved::Keep
            }
            _ => Unresolved::Empty,
        }
    }
}
